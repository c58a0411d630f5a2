"""Parsing: how labels are read from free text answers, and what another way of reading them would give."""

import streamlit as st

from ui.answers import parsing, rescoring
from ui.frame import loaded
from ui.frame.heading import heading
from ui.rows import left_out
from ui.view import people, url

evaluation = loaded.need_evaluation("Here one sees how labels are read from a language model's answers.")
heading("Parsing")

run = url.get("run")
if evaluation.answers is None:
    parsing.why_nothing(run, evaluation)
elif left_out.answers_left_out(evaluation) or not people.may_change():
    parsing.three_numbers(evaluation)
    parsing.warnings(evaluation)
    parsing.outcomes(evaluation)
    left_out.note(evaluation)
    parsing.label_space(run, evaluation)
else:
    results = st.container()
    # the editor goes first: what it changes makes everything above it old
    rescoring.editor(run, evaluation)
    parsing.label_space(run, evaluation)
    with results:
        parsing.three_numbers(evaluation)
        parsing.warnings(evaluation)
        parsing.outcomes(evaluation)
        rescoring.suggestions(run, evaluation)
