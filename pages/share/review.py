"""Review: chosen views in a row, with titles and notes, to walk through together."""

import streamlit as st

from ui.frame import loaded
from ui.review import reviewing

st.title("Review")
evaluation = loaded.need_evaluation("Choose views, put them in a row, and walk a group through them.")
loaded.headline(evaluation)

reviewing.arrange(evaluation)
