"""Confusion: which classes are taken for which others."""

import streamlit as st

from ui import blocks, matrix, one_label

st.title("Confusion")
evaluation = blocks.need_evaluation("The confusion matrix shows which classes are taken for which others.")
blocks.headline(evaluation)

if evaluation.task == "multilabel":
    one_label.explore(evaluation)
else:
    matrix.explore(evaluation)
