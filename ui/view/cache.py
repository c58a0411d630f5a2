"""Compute things once per evaluation, kept under its fingerprint; stop what takes longer than BLINDSPOT_SECONDS.

Streamlit keys big arrays by a sample of them, so an array is never a key here; results are shared
between sessions and must not be changed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from time import monotonic
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar

import numpy as np
import streamlit as st

from data import environment
from data.answers import outcomes
from data.answers.suggestions import suggest_changes as compute_suggestions
from data.building.rescoring import scores_alone, with_label_thresholds, with_threshold
from data.columns.rater_columns import RaterColumns, find_raters
from data.comparison.filter_conditions import Conditions, filter_rows
from data.comparison.judge_evaluation import judged_evaluation
from data.comparison.sliceable_columns import can_be_sliced
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.class_names import names_in_sentences
from data.rows.row_scores import confidence
from data.rows.selection import Which
from export.calibration_counts import bin_scores, count_weighted
from export.confidence import count_confidence
from export.measurement import Measurement
from metrics.confusion import worst_confusions
from metrics.confusion.counts import ConfusionCounts
from metrics.finding import LOW_SUPPORT
from metrics.findings.tables import Counters, count_confusions, count_labels, count_scores
from metrics.multilabel.set_counts import MultilabelCounts
from metrics.progress import Report, nobody
from metrics.scores.curves import ScoreCounts
from metrics.scores.reliability import By, Reliability
from text.short_names import LABEL_CHARS, short_names
from text.visible import show

Found = TypeVar("Found")
Given = ParamSpec("Given")
BY_FINGERPRINT: dict[str | type, Callable[[Any], Any]] = {
    Evaluation: lambda evaluation: evaluation.fingerprint,
    Measurement: lambda measured: (measured.evaluation.fingerprint, measured.level, measured.rule),
    Which: repr,
}
"""Keys evaluations and measurements by fingerprints in Streamlit's caches, and a choice of rows by its text."""


def kept(n: int, words: str | Literal[False] = False) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """Keep what a function returns for the last n calls; say `words` meanwhile.

    Evaluations are told apart by their fingerprints, measurements by these and their levels.
    """
    keep = st.cache_resource(show_spinner=words, max_entries=n, hash_funcs=BY_FINGERPRINT)

    def keep_fast(function: Callable[Given, Found]) -> Callable[Given, Found]:
        # Streamlit asks for it at each argument of each call: a third of what a call costs
        function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        return keep(function)

    return keep_fast


confusion = kept(64)(count_confusions)
"""Return the confusion counts of a single-label evaluation."""

multilabel = kept(64)(count_labels)
"""Return the label counts of a multi-label evaluation."""


def counts_of_classes(evaluation: Evaluation) -> ConfusionCounts | MultilabelCounts:
    """Return the counts that the numbers of every class, or label, follow from."""
    return multilabel(evaluation) if evaluation.task == "multilabel" else confusion(evaluation)


def support(evaluation: Evaluation) -> tuple[np.ndarray, np.ndarray]:
    """Return true rows and predicted rows of every class."""
    counts = counts_of_classes(evaluation)
    return counts.support, counts.predicted


def class_lists(evaluation: Evaluation) -> dict[str, np.ndarray]:
    """Return the codes of the classes on each list, in ascending order.

    `never` = with true rows, never predicted; `absent` = listed, without true rows; `never_true` = predicted labels of
    no list and of no true row; `outside` = not in the label list; `low` = with true rows, but few.
    """
    true, predicted = support(evaluation)
    lists = worst_confusions.class_lists(true, predicted, evaluation.listed, evaluation.n_space)
    outside = lists["outside_label_space"]
    return {
        "never": lists["never_predicted"],
        "absent": lists["absent"],
        "never_true": np.setdiff1d(lists["never_true"], outside),
        "outside": outside,
        "low": np.flatnonzero((true > 0) & (true < LOW_SUPPORT)),
    }


scores = kept(64, "Sorting the scores …")(count_scores)
"""Score counts of one class against the rest; None where it has no score."""


@kept(64)
def binning_errors(evaluation: Evaluation) -> dict[str, float] | None:
    """Return how far each number may lie from that of the exact scores; None where scores are exact."""
    return None if evaluation.score_upper is None else Measurement(evaluation).score_error_bound


class TopOne(NamedTuple):
    """Confidence in the prediction against its being right, and rows where another class scores higher."""

    counts: ScoreCounts
    n_not_highest: int


confidence_counts = kept(16, "Comparing confidence with truth …")(count_confidence)
"""Count whether the predictions are right, by their confidence; None without any."""


@kept(16)
def top_class_counts(evaluation: Evaluation) -> TopOne | None:
    """Count of several classes whether the predictions are right, by their confidence; None without any."""
    counts = confidence_counts(evaluation) if evaluation.task == "multiclass" else None
    if counts is None:
        return None
    every = np.flatnonzero(evaluation.scored)
    if evaluation.y_score is None or (sure := confidence(evaluation, every)) is None:
        return TopOne(counts, 0)
    return TopOne(counts, int((sure < evaluation.y_score.max(axis=1)[every]).sum()))


spoken_names = kept(32)(names_in_sentences)
"""Return the name of each label: itself, or "is_fraud = 1" for a number; not yet escaped for the screen."""


def class_name(evaluation: Evaluation, label: str) -> str:
    """Return the name of a label; one that the evaluation lacks is its own."""
    return spoken_names(evaluation).get(label, label)


def class_names(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the name of every label, in their order."""
    return tuple(spoken_names(evaluation).values())


@kept(32)
def label_names(evaluation: Evaluation) -> list[str]:
    """Return the name of every label, visible, at most 40 characters long, each different from all others."""
    return short_names([show(label, 2000) for label in class_names(evaluation)], LABEL_CHARS)


@kept(64)
def weighted_scores(evaluation: Evaluation, code: int | None) -> ScoreCounts | None:
    """Return the scores of a class by the weights of rows; None for its code is for those of the predictions."""
    if evaluation.units is None:
        return confidence_counts(evaluation) if code is None else scores(evaluation, code)
    return count_weighted(evaluation, code, scores)


@kept(64)
def _bin_scores(
    evaluation: Evaluation, code: int | None, by: By, bins: int, from_logits: bool, _counts: ScoreCounts
) -> Reliability:
    return bin_scores(evaluation, code, _counts, by=by, bins=bins, from_logits=from_logits)


def reliability_of(
    evaluation: Evaluation, code: int | None, counts: ScoreCounts, *, by: By = "mass", bins: int = 10,
    from_logits: bool = False,
) -> Reliability:  # fmt: skip
    """Return the weighted scores of a class in bins; None for its code is for those of the predictions."""
    return _bin_scores(evaluation, code, by, bins, from_logits, counts)


KEPT = Counters(
    confusions=confusion, labels=multilabel, scores=scores, confidence=confidence_counts, weighted=weighted_scores,
    reliability=reliability_of,
)  # fmt: skip
"""The counter of a page: each table once, and kept."""


@kept(8, "Choosing the rows …")
def with_rows_of(evaluation: Evaluation, conditions: Conditions) -> Evaluation:
    """Return the evaluation of the rows that fulfil every condition."""
    return filter_rows(evaluation, conditions)


@kept(64)
def raters_of(evaluation: Evaluation) -> RaterColumns | None:
    """Return where the file has several raters, as found; None without."""
    return find_raters(evaluation.rows)


has_slices = kept(16)(can_be_sliced)
"""Return whether some column can be cut into slices."""

judge_rater = kept(8, "Judging the rater …")(judged_evaluation)
"""Return the evaluation of a rater against others."""

at_threshold = kept(8, "Applying the threshold …")(with_threshold)
"""Return the same rows, predicted as score >= threshold."""

without_predictions = kept(8)(scores_alone)
"""Return the same scores without any prediction: every row with a truth and a score counts."""


@kept(8, "Applying the thresholds …")
def _at_label_thresholds(evaluation: Evaluation, thresholds: tuple[float, ...]) -> Evaluation:
    return with_label_thresholds(evaluation, np.array(thresholds))


def at_label_thresholds(evaluation: Evaluation, thresholds: np.ndarray) -> Evaluation:
    """Return the same rows, every label predicted by its own threshold (`with_label_thresholds`)."""
    return _at_label_thresholds(evaluation, tuple(thresholds.tolist()))


suggestions = kept(32, "Trying other parsers …")(compute_suggestions)
"""Return changes of the parser that read more answers, with their effect."""

answer_columns = kept(32)(outcomes.find_answer_columns)
"""Return columns that could hold raw answers although they are not read."""


def limit_time(what: str, report: Report = nobody, *, instead: str = "open fewer rows of the file") -> Report:
    """Return the same report, which ends a computation that takes longer than BLINDSPOT_SECONDS from now.

    what : the beginning of the sentence. instead : what a reader can do.
    """
    seconds = environment.value("BLINDSPOT_SECONDS")
    end = monotonic() + seconds

    def checked(share: float) -> None:
        if monotonic() > end:
            raise DataError(
                f"{what} took longer than {seconds:,} seconds and was stopped; {instead}, or "
                f"{environment.raise_it('BLINDSPOT_SECONDS')}."
            )
        report(share)

    return checked


def result_or_reason(what: str, work: Callable[[Report], Found]) -> Found | DataError:
    """Return what the work gives, or why it was stopped: kept either way, for it would take as long again.

    >>> result_or_reason("Adding", lambda report: 1 + 1)
    2
    """
    try:
        return work(limit_time(what))
    except DataError as error:
        return error.with_traceback(None)  # which would keep every array of the work
