"""Review: chosen views in a row, with titles and notes, to walk through together."""

import streamlit as st

from ui import blocks, reviewing

st.title("Review")
evaluation = blocks.need_evaluation("Choose views, put them in a row, and walk a group through them.")
blocks.headline(evaluation)

reviewing.arrange(evaluation)
