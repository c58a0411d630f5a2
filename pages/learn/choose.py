"""Choose a metric: a flowchart that the loaded file answers as far as it can."""

import streamlit as st

from ui import blocks, choosing

st.title("Choose a metric")
evaluation = blocks.evaluation_if_any()
choosing.introduction(evaluation)
path = choosing.chart(evaluation)
choosing.verdict(path, evaluation)
