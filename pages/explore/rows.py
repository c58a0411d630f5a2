"""Rows: the rows behind any number, the most confident mistakes first."""

import streamlit as st

from ui import blocks, drill, row_filters

st.title("Rows")
evaluation = blocks.need_evaluation("The rows behind any number are shown here.")
blocks.headline(evaluation)

drill.listing(evaluation, row_filters.filters(evaluation))
