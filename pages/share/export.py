"""Export: the numbers and pictures as files, for those who cannot reach the server."""

import streamlit as st

from ui.frame import loaded
from ui.share import exporting
from ui.thresholds import rule_in_force

st.title("Take it along")
evaluation = loaded.need_evaluation("A report, every number, tables and pictures as files that need no server.")
loaded.headline(evaluation)

exporting.panel(evaluation, rule_in_force.chosen_in_view())
