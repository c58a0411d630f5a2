"""Choose a metric: questions that the loaded file answers as far as it can, and the metric that they lead to."""

import streamlit as st

from ui.frame import loaded
from ui.frame.heading import heading
from ui.learn import choosing

evaluation = loaded.evaluation_if_any()
walked = choosing.walk_tree(evaluation)
heading(choosing.title(walked, evaluation))
with st.container(key="beside-choice"):
    left, right = st.columns([0.6, 0.4], gap="medium")
with left:
    choosing.questions(walked, evaluation)
with right:
    choosing.verdict(walked, evaluation)
choosing.chart(walked, evaluation)
