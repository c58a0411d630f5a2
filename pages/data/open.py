"""Open: bring a predictions file, see what was understood, correct it."""

import streamlit as st

from ui.frame import loaded
from ui.frame.heading import heading
from ui.open import correction, joining, merging, opening, receipt
from ui.view import people

heading("See what accuracy hides")
opening.problems()
run = opening.loaded()
if run is None:
    opening.upload()
    st.subheader("No file at hand? Look at a sample")
    loaded.sample_cards()
else:
    evaluation = opening.evaluation(run)
    if evaluation is not None:
        opening.first_look(evaluation)
        receipt.panel(evaluation)
        if people.may_change():
            joining.panel(run, evaluation)
            merging.panel(run, evaluation)
            correction.correct(run, evaluation)
    if people.may_change():
        opening.another()
