"""Confusion: which classes are taken for which others."""

import streamlit as st

from ui import blocks, cache, frame, matrix

st.title("Confusion")
evaluation = blocks.need_evaluation("The confusion matrix shows which classes are taken for which others.")
blocks.headline(evaluation)

if evaluation.task == "multilabel":
    matrix.one_label_at_a_time(evaluation)
else:
    counts = cache.confusion(evaluation)
    block = matrix.controls_row(counts)
    if block.n_classes <= matrix.BESIDE:
        left, right = st.columns([0.66, 0.34], gap="large")
        with left:
            matrix.heatmap(evaluation, counts, block)
        with right:
            matrix.worst_in_words(counts)
        matrix.chosen_cell(evaluation, counts)
    else:
        matrix.heatmap(evaluation, counts, block)
        matrix.chosen_cell(evaluation, counts)
        matrix.worst_in_words(counts, columns=2)
    matrix.table_twin(counts, block)

frame.share("confusion")
