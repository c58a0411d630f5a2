"""Thresholds: what moves when the score needed for a positive answer moves."""

import streamlit as st

from ui import blocks, frame, threshold

st.title("Thresholds")
evaluation = blocks.need_evaluation("With scores in the file, this page shows every threshold and what it costs.")
blocks.headline(evaluation)

code = threshold.choose_class(evaluation)
if code is not None:
    threshold.lab(evaluation, code)
threshold.against_rest(evaluation)

frame.share("thresholds")
