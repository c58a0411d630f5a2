"""Choose a metric: questions that the loaded file answers as far as it can, and the metric that they lead to."""

import streamlit as st

from ui.frame import loaded
from ui.frame.heading import heading
from ui.learn import metric_choice

evaluation = loaded.evaluation_if_any()
walked = metric_choice.walk_tree(evaluation)
heading(metric_choice.title(walked, evaluation))
with st.container(key="beside-choice"):
    left, right = st.columns([0.6, 0.4], gap="medium")
with left:
    metric_choice.questions(walked)
with right:
    metric_choice.verdict(walked, evaluation)
metric_choice.chart(walked, evaluation)
