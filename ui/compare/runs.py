"""The runs in view: the evaluation of the page, and what the address compares it with."""

from __future__ import annotations

import contextlib
from itertools import chain, count
from typing import NamedTuple

import numpy as np
import streamlit as st

from data.columns.counted_metadata import read_counted
from data.comparison.alike.reading import Reading, read_alike, take_label_thresholds, take_threshold
from data.comparison.filter_conditions import read_filter
from data.comparison.other_columns import block_name, column_draft, list_other_columns
from data.comparison.run_names import COLUMNS, PART, RUN, RunName, read_runs, write_runs
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs.draft import Draft
from export.rules_in_force import choose_by_rule
from metrics.thresholds.rule_text import write_rules
from ui.open import source_split
from ui.view import cache, open_runs, state, url
from ui.view.choice_rules import every_threshold

WITHOUT_FILE = "This link does not hold the file of run {}. Ask whoever shared it for a new link."
THRESHOLD = "threshold"
"""The name of the threshold among the settings that a run took over."""


class Run(NamedTuple):
    """One run: its name, how the address names it (None = the page's evaluation), and it or why it cannot be opened.

    taken : the settings that it took over from the run that all are read like.
    """

    name: str
    of: RunName | None
    evaluation: Evaluation | None
    problem: str = ""
    taken: tuple[str, ...] = ()


def others_in_view() -> tuple[RunName, ...]:
    """Return the other runs that the address names."""
    return read_runs(url.get("with"))


def runs_in_view(evaluation: Evaluation) -> list[Run]:
    """Return every run in view, the page's own first; names differ.

    All are read like the page's own, as far as nothing else was said for them; like another one where the view says so.
    """
    others = others_in_view()
    own_name = evaluation.name
    if any(run.kind in COLUMNS for run in others):
        own_name = _column_in_use(evaluation) or own_name
    runs = [Run(own_name, None, state.unfiltered_evaluation())]
    for run in others:
        named = _name_column(evaluation, run.name) if run.kind in COLUMNS else ""
        try:
            opened = _open(run)
            runs.append(Run(named or opened.name, run, opened))
        except DataError as error:
            runs.append(Run(named or "a run", run, None, str(error)))
    chosen, like = _run_to_read_like(runs)
    return _with_different_names([_view(run, evaluation, chosen, like) for run in runs])


def _run_to_read_like(runs: list[Run]) -> tuple[bool, Evaluation | None]:
    """Return whether a person chose the run that all are read like, and it; else it is the page's own."""
    place = int(url.get("like") or len(runs))
    is_chosen = place < len(runs) and runs[place].evaluation is not None
    return is_chosen, runs[place if is_chosen else 0].evaluation


def _view(run: Run, evaluation: Evaluation, chosen: bool, like: Evaluation | None) -> Run:
    """Return a run read like another one, with the rows and at the thresholds of the view."""
    if run.evaluation is None or like is None:
        return run if run.of else run._replace(evaluation=evaluation)
    reading = Reading(run.evaluation)
    if run.evaluation is not like and (chosen or run.of is not None):
        reading = read_run_alike(run.evaluation, like, everything=chosen)
    if run.of is None:
        evaluation_as_read = state.in_view(reading.evaluation) if reading.taken else evaluation
        return run._replace(evaluation=evaluation_as_read, taken=reading.taken)
    restricted = state.restrict if run.of.kind in COLUMNS else _restrict
    restricted_run, moved = _at_thresholds_in_view(restricted(reading.evaluation), evaluation)
    return run._replace(evaluation=restricted_run, taken=(*reading.taken, *moved))


read_run_alike = cache.kept(16)(read_alike)


def _at_thresholds_in_view(run: Evaluation, evaluation: Evaluation) -> tuple[Evaluation, tuple[str, ...]]:
    """Return a run at the threshold that the view gives the page's own, or at its own by the same rule.

    Where neither is possible the run stays as it is, and nothing was taken over.
    """
    if url.get("t") is None and not url.get("each"):
        return run, ()
    rule = write_rules(state.rules_in_view(evaluation))
    moved = None
    with contextlib.suppress(DataError):
        if rule:
            moved = _by_rule(run, rule)
        elif thresholds := state.own_thresholds(evaluation):
            each = every_threshold(evaluation, thresholds, state.threshold_for_others(evaluation))
            moved = None if np.isnan(each).any() else take_label_thresholds(run, evaluation, each.tolist())
        else:
            moved = take_threshold(run, evaluation)
    return (run, ()) if moved is None else (moved, (THRESHOLD,))


@cache.kept(16, "Choosing the threshold …")
def _by_rule(run: Evaluation, rule: str) -> Evaluation:
    return choose_by_rule(run, rule)[0]


def lacks_thresholds(run: Run) -> bool:
    """Return whether the view gives labels thresholds of their own, and a run with scores could not take them over."""
    scored = run.evaluation is not None and run.evaluation.y_score is not None
    return bool(url.get("each")) and run.of is not None and scored and THRESHOLD not in run.taken


def _with_different_names(runs: list[Run]) -> list[Run]:
    """Number runs whose name an earlier one has: a, a (2), a (3)."""
    named: dict[str, Run] = {}
    for run in runs:
        numbered = (f"{run.name} ({n})" for n in count(2))
        name = next(name for name in chain([run.name], numbered) if name not in named)
        named[name] = run._replace(name=name)
    return [*named.values()]


def _column_in_use(evaluation: Evaluation) -> str:
    """Return the column that the page's own predictions come from; empty where it is not one column."""
    settings = evaluation.settings
    if settings.pred or settings.raw:
        return _name_column(evaluation, settings.pred or settings.raw or "")
    return settings.scores[0][0] if len(settings.scores) == 1 else block_name(settings)


def _name_column(evaluation: Evaluation, column: str) -> str:
    """Return the name of the run of a column: of joined sources, that of its source."""
    counted = read_counted(evaluation.rows)
    source = None if counted is None or counted.join is None else counted.join.find(column)
    return column if source is None else source.source


def _open(run: RunName) -> Evaluation:
    """Return another run's evaluation, with all of its rows.

    Raises
    ------
    DataError
        it cannot be opened, or not by whoever looks.
    """
    if run.kind == RUN:
        other = open_runs.evaluate_other(run.name)
    elif run.kind == PART:
        parts = open_runs.draft(url.get("run")).others
        if int(run.name) >= len(parts):
            raise DataError(WITHOUT_FILE.format(int(run.name) + 2))
        other = open_runs.evaluate_draft(parts[int(run.name)])
    else:
        draft = open_runs.draft(url.get("run"))
        other = open_runs.evaluate_draft(_column_draft(open_runs.key_of(draft), run, draft))
    if not other.n_scored:
        raise DataError(
            "No row of it has both a true and a predicted label: open it by itself and correct its columns."
        )
    return other


def _restrict(evaluation: Evaluation) -> Evaluation:
    """Return the rows of another file that the filter in view chooses; all of them where it lacks the column."""
    conditions = read_filter(url.get("filter"))
    if not conditions or any(column not in evaluation.rows.column_names for column, _ in conditions):
        return evaluation
    with contextlib.suppress(DataError):  # none is left: the join says which rows the runs share
        return cache.with_rows_of(evaluation, conditions)
    return evaluation


@st.cache_resource(show_spinner="Reading the column …", max_entries=32)
def _column_draft(key: str, run: RunName, _draft: Draft) -> Draft:
    return column_draft(_draft, run)


_list_columns = cache.kept(32)(list_other_columns)


def columns_to_add(evaluation: Evaluation) -> list[RunName]:
    """Return the columns of the same file or source that look like another model's and are not compared yet."""
    columns = (*_list_columns(evaluation), *source_split.columns_to_split(evaluation).models)
    return [run for run in columns if run not in others_in_view()]


def add(run: RunName, evaluation: Evaluation | None = None) -> None:
    """Put one more run into the view, as B; a source is counted again by a column that its counts lack.

    evaluation : the one in view, where the run is a column of it.
    """
    others = (*others_in_view(), run)
    view = {"with": write_runs(others), "b": len(dict.fromkeys(others)), **FRESH}
    if evaluation is not None and run in source_split.columns_to_split(evaluation).models:
        scored = run.kind == "score"
        source_split.begin([] if scored else [run.name], scores=[run.name] if scored else [], **view)
    else:
        url.put(**view)


def remove(place: int) -> None:
    """Take the run at a place (from 1) out of the view."""
    others = others_in_view()
    url.put(**{"with": write_runs((*others[: place - 1], *others[place:])), "a": 0, "b": 1}, **FRESH)


FRESH: dict[str, object] = {"class": "", "true": "", "pred": "", "row": 0, "like": ""}
"""Choices in a comparison that are dropped when its runs change."""
