"""Choose another source of this server to compare with, and the column by which the two are joined."""

from __future__ import annotations

import streamlit as st

from data.columns.counted_metadata import require_counted
from data.comparison.named_sources import (
    find_join_problem,
    join_source,
    list_joined_sources,
    list_shared_columns,
)
from data.comparison.run_names import COLUMNS, RunName, write_runs
from data.environment import SettingError
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs.sources import list_sources
from text.visible import show
from ui.compare.runs import FRESH, others_in_view
from ui.limits import MAX_JOIN_COLUMNS
from ui.open import source_split
from ui.person import people
from ui.text.messages import remark

_SOURCE, _KEY = "compare.source", "compare.source.key"


def choose_source(evaluation: Evaluation) -> None:
    """Offer the other sources of this server; nothing where there is none, and to those who may open no files."""
    joined = list_joined_sources(evaluation)
    names = [name for name in _list_names() if name not in joined]
    if not joined or not names:
        return
    problem = find_join_problem(evaluation)
    if problem:
        remark(f"This source cannot be joined with another one. {problem}", "info")
        return
    chosen = st.selectbox(
        "Another source on this server", names, index=None, format_func=lambda name: show(name, 60), key=_SOURCE,
        placeholder="Choose a source of the same rows",
    )  # fmt: skip
    if chosen is None:
        return
    try:
        shared = _list_shared((*joined, chosen), people.person(), people.groups())
    except DataError as error:
        remark(str(error))
        return
    if not shared:
        remark("The sources have no column in common by which their rows could be joined.")
        return
    key = st.selectbox(
        "Join on", ["", *shared[:MAX_JOIN_COLUMNS]], key=_KEY,
        format_func=lambda name: show(name, 60) if name else "automatic",
    )  # fmt: skip
    st.button("Compare with this source", key="compare.source.add", type="primary", on_click=_join,
              args=(chosen, key))  # fmt: skip


def _list_names() -> list[str]:
    if not people.may_change():
        return []
    try:
        return [source.name for source in list_sources(people.person(), people.groups())]
    except SettingError:  # the page Open says so
        return []


_list_shared = st.cache_data(ttl=20, show_spinner=False, max_entries=100)(list_shared_columns)


def _join(name: str, key: str) -> None:
    """Begin to count the source in view and another one, joined; for the button."""
    source_split.begin_join(lambda draft, report, **who: join_source(draft, name, key or None, report, **who), _view_of)


def _view_of(evaluation: Evaluation) -> dict[str, object]:
    """Return the view of joined sources: the runs that were compared before, and the new one as B."""
    counted = require_counted(evaluation.rows)
    assert counted.join is not None
    columns = evaluation.rows.column_names
    before = [run for run in others_in_view() if run.kind in COLUMNS and run.name in columns]
    joined = [RunName("pred", source.pred) for source in counted.join.sources[1:]]
    runs = list(dict.fromkeys([*before, *joined]))
    return {"with": write_runs(runs), "a": 0, "b": len(runs), "join": "", **FRESH}
