"""Give words to classes that are numbers, beside the title of Overview."""

from __future__ import annotations

import json

import streamlit as st

from data.columns.table_metadata import rows_left_out
from data.evaluation import Evaluation
from data.labels.class_names import is_number
from ui.open import correction
from ui.person import people
from ui.text.markdown import md
from ui.text.messages import Asked
from ui.view import state, url
from ui.view.panel import md_label

_MOST = 6
"""A file of more classes gets its names as a list or a file, under Change."""
_NAME_CHARS = 60
_ASKED, _GIVEN = Asked("naming.asked"), "naming.given"
"""The run whose names are asked for; the names that were given in this session, by columns and labels."""


def button(evaluation: Evaluation) -> None:
    """Draw the button for the names of a few numbered classes; it offers those of the last file with these columns."""
    whole = state.unfiltered_evaluation() or evaluation
    if not numbered(whole) or rows_left_out(whole) or not people.may_change():
        return
    run = url.get("run")
    offered = [md(name, 20) for name in _offered(whole).values()]
    title = f"Name the classes: {', '.join(offered)}?" if offered else "Name the classes"
    st.button(title, key="naming.ask", icon=":material/label:", on_click=_ASKED.open, args=(run,))
    if _ASKED.is_open(run):
        _ask(run, whole)


def numbered(evaluation: Evaluation) -> list[int]:
    """Return the codes of the classes that are numbers; none where there are many classes."""
    if len(evaluation.labels) > _MOST:
        return []
    return [code for code, label in enumerate(evaluation.labels) if is_number(label)]


def _offered(evaluation: Evaluation) -> dict[str, str]:
    """Return the names that were given to the labels of a file with the same columns."""
    names: dict[str, str] = st.session_state.get(_GIVEN, {}).get(_key(evaluation), {})
    return names


def _key(evaluation: Evaluation) -> tuple[object, ...]:
    """Return what two files share whose classes may have the same names."""
    labels = {label for label, _ in evaluation.settings.class_names} | set(evaluation.labels)
    numbers = frozenset(label for label in labels if is_number(label))
    return tuple(evaluation.rows.column_names), evaluation.settings.truth, numbers


@st.dialog("Name the classes", icon=":material/label:", on_dismiss=_ASKED.close)
def _ask(run: str, evaluation: Evaluation) -> None:
    """Ask for the names; those that were offered stand in the fields."""
    offered = _offered(evaluation)
    with st.form("naming", border=False):
        names = dict(evaluation.settings.class_names)
        for code in numbered(evaluation):
            label = evaluation.labels[code]
            names[label] = st.text_input(
                md_label(evaluation, code), offered.get(label, ""), max_chars=_NAME_CHARS, key=f"naming.{code}"
            ).strip()
        st.caption("Every page, the report and links show these names. The file stays as it is.")
        sent = st.form_submit_button("Use these names", type="primary", icon=":material/check:", width="stretch")
    if sent:
        _use(run, evaluation, {label: name for label, name in names.items() if name})


def _use(run: str, evaluation: Evaluation, names: dict[str, str]) -> None:
    """Apply the names, and offer them for the next file with these columns; refused ones stay in the dialog."""
    given = st.session_state.setdefault(_GIVEN, {})
    given[_key(evaluation)] = names
    _ASKED.close()
    correction.apply(run, evaluation.settings, {"class_names": json.dumps(names)})
    del given[_key(evaluation)]  # they were refused: applied names end the run of the page above
    _ASKED.open(run)
