"""Export: the numbers and pictures as files, for those who cannot reach the server."""

import streamlit as st

from ui import blocks, exporting

st.title("Take it along")
evaluation = blocks.need_evaluation("A report, every number, tables and pictures as files that need no server.")
blocks.headline(evaluation)

exporting.panel(evaluation)
