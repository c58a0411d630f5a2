"""The ways to threshold several labels on one evaluation, computed once each, and their numbers."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from data.building.rescoring import with_label_thresholds
from data.columns.weight_columns import replace_rows_by_units
from data.errors import DataError
from data.evaluation import Evaluation
from export.cells import weights_of
from export.result.kinds import Cell, Threshold, Unknown
from metrics.findings.tables import count_labels
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.progress import Report
from metrics.thresholds.label_thresholds import CrossFitted, cross_fitted, label_scores, plain_each, plain_for_all
from metrics.thresholds.threshold_metrics import Best
from text.numbers import count, write_threshold, write_thresholds
from ui.view import cache, state
from ui.view.cache import result_or_reason
from ui.view.choice_rules import every_threshold

_CELLS = 4_000_000  # more scores than this are cross-fitted when asked for: it takes seconds
_ASKED = "label_thresholds.fitted"  # of the session: fingerprints that were asked for
EACH, MICRO, MACRO = "the best F1 of each", "best micro F1", "best macro F1"
"""Criteria of the ways that are chosen on the scores."""


class Choices(NamedTuple):
    """The best thresholds on an evaluation's scores, written with as few digits as call the same rows positive.

    each : of every label that has a true row with a score, by code. micro, macro : the one for all by either F1, with
    that F1. n_distinct : distinct scores looked at, over all labels. n_true : labels with true rows.
    """

    each: dict[int, float]
    micro: Best
    macro: Best
    n_distinct: int
    n_true: int


class Way(NamedTuple):
    """One way to predict the labels.

    thresholds : one a score column; None = the file's own predictions. fitted : the same way of choosing judged on
    rows that took no part in it, None where nothing was chosen or it was not computed. rule : as a link writes it.
    """

    title: str
    what: str
    thresholds: np.ndarray | None
    counts: MultilabelCounts
    fitted: MultilabelCounts | None = None
    rule: str = ""


def from_scores(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation as its scores predict it: every row with a truth and some score."""
    if evaluation.scale == "score":
        return cache.without_predictions(evaluation)
    return cache.at_threshold(evaluation, evaluation.default_threshold)


@cache.kept(16, "Looking for the best thresholds …")
def _choices(evaluation: Evaluation) -> Choices | DataError:
    return result_or_reason("Looking for the best thresholds", lambda report: _best_choices(evaluation, report))


def _best_choices(evaluation: Evaluation, report: Report) -> Choices:
    y_true, y_score = _scored_rows(evaluation)
    label_counts = label_scores(y_true, y_score, evaluation.score_codes, weights_of(evaluation))
    best = zip(evaluation.score_codes, plain_each(label_counts).tolist(), strict=True)
    each = {code: threshold for code, threshold in best if not np.isnan(threshold)}
    micro, macro = (
        plain_for_all(label_counts, "micro", report=report),
        plain_for_all(label_counts, "macro", report=report),
    )
    return Choices(each, micro, macro, sum(len(counts.score) for counts in label_counts.counts), label_counts.n_labels)


def _scored_rows(evaluation: Evaluation) -> tuple[np.ndarray, np.ndarray]:
    assert evaluation.y_score is not None
    if evaluation.scored.all():
        return evaluation.y_true, evaluation.y_score
    return evaluation.y_true[evaluation.scored], evaluation.y_score[evaluation.scored]


def choices(evaluation: Evaluation) -> Choices | DataError:
    """Return the best thresholds of a multi-label evaluation with scores, or why there are none."""
    return _choices(from_scores(evaluation))


@cache.kept(16, "Choosing on some rows, judging on the others …")
def _fit(evaluation: Evaluation) -> CrossFitted | DataError:
    given = *_scored_rows(evaluation), evaluation.score_codes
    otherwise = fallback_threshold(evaluation.default_threshold)
    fit = partial(cross_fitted, *given, otherwise=otherwise, weights=weights_of(evaluation))
    return result_or_reason("Judging the thresholds by cross-validation", lambda report: fit(report=report))


def wants_fitting(evaluation: Evaluation) -> bool:
    """Return whether the choices are judged on other rows: at once, or where that takes seconds on request."""
    assert evaluation.y_score is not None
    asked = st.session_state.get(_ASKED, ())
    return evaluation.y_score.size <= _CELLS or from_scores(evaluation).fingerprint in asked


def ask_for_fitting(evaluation: Evaluation) -> None:
    """Have the choices of this evaluation judged on other rows."""
    st.session_state[_ASKED] = {*st.session_state.get(_ASKED, ()), from_scores(evaluation).fingerprint}


def judge_on_other_rows(evaluation: Evaluation) -> CrossFitted | DataError:
    """Judge each way of choosing on rows that took no part in the choice, or say why that is not known."""
    return _fit(from_scores(evaluation))


@cache.kept(128)
def _counts_at(evaluation: Evaluation, thresholds: tuple[float, ...]) -> MultilabelCounts:
    return count_labels(replace_rows_by_units(with_label_thresholds(evaluation, np.array(thresholds))))


def counts_at(evaluation: Evaluation, thresholds: np.ndarray) -> MultilabelCounts:
    """Return the label counts with every label at its threshold, in units of weight where rows have weights."""
    return _counts_at(evaluation, tuple(thresholds.tolist()))


def counts_of_file(evaluation: Evaluation) -> MultilabelCounts:
    """Return the same of the file's own predictions."""
    return cache.multilabel(replace_rows_by_units(evaluation))


def thresholds_in_use(evaluation: Evaluation) -> np.ndarray | None:
    """Return the thresholds of the view, one a score column; None = the file's own predictions."""
    own_cuts = state.own_thresholds(evaluation)
    others = state.threshold_for_others(evaluation)
    if not own_cuts and evaluation.threshold is None and state.threshold_in_view() is None:
        return None
    thresholds = every_threshold(evaluation, own_cuts, others)
    return None if np.isnan(thresholds).any() else thresholds


def fallback_threshold(threshold: float) -> float:
    """Return the threshold of a label that no true row speaks for; on a scale of its own it is never predicted."""
    return np.inf if np.isnan(threshold) else threshold


def list_choices(evaluation: Evaluation, choices: Choices, held_out: CrossFitted | None) -> list[Way]:
    """List what can be chosen: the file's way and the default, one for all, one for each, and what is in use now.

    evaluation : without the view's thresholds; some true row has a score.
    """
    result = []
    if evaluation.threshold is None and evaluation.has_predictions:
        result.append(Way("The file's own", "as its predictions say", None, counts_of_file(evaluation)))
    if not np.isnan(evaluation.effective_threshold):
        result.append(_initial_thresholds(evaluation))
    for what, best, judged, rule in (
        (MICRO, choices.micro, held_out and held_out.micro, "micro_f1"),
        (MACRO, choices.macro, held_out and held_out.macro, "macro_f1"),
    ):
        thresholds = every_threshold(evaluation, {}, best.threshold)
        counts = counts_at(evaluation, thresholds)
        result.append(Way(f"{write_threshold(best.threshold)} for all", what, thresholds, counts, judged, rule))
    thresholds = every_threshold(evaluation, choices.each, fallback_threshold(state.threshold_for_others(evaluation)))
    judged = held_out.each if held_out else None
    result.append(Way("One for each label", EACH, thresholds, counts_at(evaluation, thresholds), judged, "f1"))
    now = thresholds_in_use(evaluation)
    if now is not None and not any(same_thresholds(way.thresholds, now) for way in result):
        is_same, n_own = len(set(now)) == 1, len(state.own_thresholds(evaluation))
        title = f"{write_threshold(now[0])} for all" if is_same else "In use now"
        what = "chosen" if is_same else f"{count(n_own, 'label')} apart"
        result.insert(0, Way(title, what, now, counts_at(evaluation, now)))
    return result


def _initial_thresholds(evaluation: Evaluation) -> Way:
    """Return one threshold for all: that of the file's settings, or the default."""
    start = evaluation.effective_threshold
    what = "the default" if start == evaluation.default_threshold else "as the file was opened"
    thresholds = every_threshold(evaluation, {}, start)
    return Way(f"{start:g} for all", what, thresholds, counts_at(evaluation, thresholds))


def same_thresholds(thresholds: np.ndarray | None, other: np.ndarray | None) -> bool:
    """Return whether two ways predict by the same thresholds."""
    return thresholds is other if thresholds is None or other is None else bool(np.array_equal(thresholds, other))


def write_cells(thresholds: np.ndarray) -> list[Cell]:
    """Return the cells of a column of thresholds; NaN = undefined, as no true row has a score."""
    texts = write_thresholds(thresholds.tolist())
    return [
        Unknown("no true row with a score", "undefined") if np.isnan(threshold) else Threshold(threshold, text)
        for threshold, text in zip(thresholds.tolist(), texts, strict=True)
    ]
