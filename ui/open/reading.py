"""Say how we read your file: one line on Overview, which opens in place to all of it and to its corrections."""

from __future__ import annotations

import streamlit as st

from data.evaluation import Evaluation
from data.samples import SAMPLES
from export import file_reading
from text.numbers import count
from ui.open import correction, joining, merging, receipt
from ui.person import people
from ui.share import drafts
from ui.text.markdown import md
from ui.view import intervals, state, url

_ROLES = {"truth": "true label", "prediction": "predicted label", "raw": "raw answer"}
_NAMED = 4
"""So many columns are named in the line."""


def line(evaluation: Evaluation) -> None:
    """Draw the line, and below it all of it where it was opened."""
    is_open = url.get("reading")
    with st.container(key="reading-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"How we read your file: {summary(evaluation)}", width="content")
        label = "Close" if is_open else "Change" if people.may_change() else "Show"
        st.button(label, key="reading.open", type="tertiary", on_click=url.put, kwargs={"reading": not is_open})
        intervals.choose_level(evaluation, key="overview.level")
    if is_open:
        with st.container(border=True, key="reading"):
            panel(url.get("run"), state.original() or evaluation)


def summary(evaluation: Evaluation) -> str:
    """Return the columns used, where predictions come from, and how many warnings there are, as Markdown."""
    roles = file_reading.roles(evaluation.receipt)
    labels = [role for role in roles if not role.role.startswith("score")]
    said = [f"{_ROLES.get(role.role, role.role)} {md(role.column, 30)}" for role in labels[:_NAMED]]
    more, scores = len(labels) - _NAMED, len(roles) - len(labels)
    said += [count(more, "more column")] if more > 0 else []
    said += [count(scores, "score column")] if scores else []
    if not (evaluation.settings.pred or evaluation.settings.raw or evaluation.settings.pred_columns):
        said.append(str(file_reading.predictions(evaluation)[0]))
    warnings = len(evaluation.receipt.warnings)
    said.append(f":orange[{count(warnings, 'warning')}]" if warnings else "no warnings")
    return " · ".join(said)


def panel(run: str, evaluation: Evaluation) -> None:
    """Draw all that was understood of the file, and the forms that correct it."""
    for sample in SAMPLES:
        if sample.key == run:
            st.markdown(f":blue[:material/lightbulb:] **Look at this first.** {sample.look_first} {sample.notice}")
    drafts.notice(run)
    receipt.panel(evaluation)
    if people.may_change():  # corrections are of the file, whatever rows of it are chosen
        whole = state.whole() or evaluation
        joining.panel(run, whole)
        merging.panel(run, whole)
        correction.correct(run, whole)
