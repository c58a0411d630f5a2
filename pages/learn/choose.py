"""Choose a metric: a flowchart that the loaded file answers as far as it can."""

import streamlit as st

from ui.frame import loaded
from ui.learn import choosing

st.title("Choose a metric")
evaluation = loaded.evaluation_if_any()
choosing.introduction(evaluation)
path = choosing.chart(evaluation)
choosing.verdict(path, evaluation)
