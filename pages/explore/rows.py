"""Rows: the rows behind any number, the most confident mistakes first."""

import streamlit as st

from ui import blocks, drill, left_out, row_filters

st.title("Rows")
evaluation = blocks.need_evaluation("The rows behind any number are shown here.")
blocks.headline(evaluation)

if left_out.rows_left_out(evaluation):
    left_out.counted_in_view(evaluation)
else:
    drill.listing(evaluation, row_filters.filters(evaluation))
