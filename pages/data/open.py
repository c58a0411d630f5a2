"""Open: bring a predictions file, see what was understood, correct it."""

import streamlit as st

from ui import blocks, correction, opening, state

st.title("See what accuracy hides")
opening.problems()
run = opening.loaded()
evaluation = state.original() if run else None
if run is None or evaluation is None:
    opening.upload()
    st.subheader("No file at hand? Look at a sample")
    blocks.sample_cards()
else:
    opening.first_look(evaluation)
    opening.receipt(evaluation)
    correction.correct(run, evaluation)
    with st.expander("Open another file or sample", icon=":material/upload_file:"):
        opening.upload()
        blocks.sample_cards()
