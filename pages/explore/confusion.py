"""Confusion: which classes are taken for which others."""

import streamlit as st

from ui.frame import loaded
from ui.matrix import matrix, one_label
from ui.thresholds import own_scale

st.title("Confusion")
evaluation = loaded.need_evaluation("The confusion matrix shows which classes are taken for which others.")
loaded.headline(evaluation)
own_scale.need_predictions(evaluation)

if evaluation.task == "multilabel":
    one_label.explore(evaluation)
else:
    matrix.explore(evaluation)
