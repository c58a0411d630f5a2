"""Parsing: how labels are read from free text answers, and what another way of reading them would give."""

from ui.answers import parsing, rescoring
from ui.frame import loaded
from ui.frame.heading import heading
from ui.person import people
from ui.rows import left_out
from ui.view import url

evaluation = loaded.need_evaluation("This page shows how labels are read from a language model's answers.")
heading(parsing.title(evaluation))

run = url.get("run")
if evaluation.answers is None:
    parsing.why_nothing(run, evaluation)
else:
    parsing.draw_accuracies(evaluation)
    parsing.warnings(evaluation)
    if left_out.answers_left_out(evaluation) or not people.may_change():
        parsing.outcomes(evaluation)
        left_out.note(evaluation)
    else:
        rescoring.change_parser(run, evaluation, parsing.outcomes)
    parsing.label_space(run, evaluation)
