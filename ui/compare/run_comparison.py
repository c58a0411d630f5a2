"""Compare the runs in view: joined, counted once, and kept under their fingerprints."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from data.comparison.aligned_runs import AlignedRuns, align_runs
from data.comparison.alike.reading import describe_taken
from data.comparison.alike.settings import THRESHOLDS, DifferentSettings
from data.comparison.row_groups import EACH_ROW
from data.comparison.run_names import COLUMNS
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.class_names import name_in_sentences
from export.compare.comparison import comparison
from metrics.comparison.comparison import Comparison
from metrics.scores.curves import ScoreCounts, score_counts
from metrics.thresholds.choose import threshold_of_alerts, threshold_of_recall
from text.short_names import LABEL_CHARS, short_names
from text.visible import show
from ui.compare.runs import Run, lacks_thresholds
from ui.view import cache, measurement, state, url

OWN, RECALL, ALERTS = "own", "recall", "alerts"


class Compared(NamedTuple):
    """Runs on the same rows.

    key : what it was made of; keeps what is computed of it. a, b : the two runs that the page is about.
    warnings : sentences about the rows. thresholds : of every run; NaN = none.
    counts : score counts of every run's positive class over the joined rows; empty where a run has no such score.
    truth : the column of the true labels; None = several.
    """

    key: tuple[object, ...]
    a: int
    b: int
    aligned: AlignedRuns
    comparison: Comparison
    warnings: list[str]
    thresholds: tuple[float, ...]
    counts: tuple[ScoreCounts, ...]
    truth: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Return names of the runs."""
        return self.comparison.runs.names

    @property
    def short(self) -> Mapping[str, str]:
        """Return every label as the page shows it: at most 40 characters, each different from all others."""
        return _short_labels(self.key, self.truth, self.comparison.runs.labels)


@st.cache_resource(show_spinner=False, max_entries=16)
def _short_labels(key: tuple[object, ...], column: str | None, _labels: Sequence[str]) -> Mapping[str, str]:
    names = short_names([show(name, 2000) for name in name_in_sentences(_labels, column)], LABEL_CHARS)
    return dict(zip(_labels, names, strict=True))


def compare(runs: Sequence[Run]) -> Compared:
    """Compare runs that could all be opened.

    Raises
    ------
    DifferentSettings
        they do not share what makes their numbers comparable.
    DataError
        their rows cannot be put side by side.
    """
    evaluations = tuple(run.evaluation for run in runs if run.evaluation is not None)
    same_file = all(run.of is None or run.of.kind in COLUMNS for run in runs)
    key = "" if same_file else url.get("join")
    way = url.get("at") if take_thresholds(evaluations) else OWN
    names = tuple(run.name for run in runs)
    if way == OWN and any(map(lacks_thresholds, runs)):
        raise DifferentSettings((THRESHOLDS,), names)
    cluster = cluster_in_view(evaluations)
    a, b = pair_in_view(runs)
    prints = tuple(evaluation.fingerprint for evaluation in evaluations)
    made_of = (prints, names, key, same_file, cluster, way, a if way != OWN else 0, measurement.level())
    compared = Compared(made_of, a, b, *_compare(*made_of, evaluations))
    first = evaluations[0]
    truth = None if first.task == "multilabel" else first.settings.truth
    return compared._replace(warnings=[*_describe_taken(runs), *compared.warnings], truth=truth)


def pair_in_view(runs: Sequence[Run]) -> tuple[int, int]:
    """Return the places of A and B."""
    a, b = url.get("a"), url.get("b")
    a = a if a < len(runs) else 0
    if b >= len(runs) or b == a:
        b = next(place for place in range(len(runs)) if place != a)
    return a, b


def _describe_taken(runs: Sequence[Run]) -> list[str]:
    """Say what runs took over from the one that all are read like."""
    first = runs[int(url.get("like") or 0)].name
    return list(filter(None, (describe_taken(run.name, first, run.taken) for run in runs)))


def metric_in_view(compared: Compared) -> str:
    """Return the metric that sorts the runs."""
    wanted = str(url.get("metric"))
    return wanted if wanted in compared.comparison.names else compared.comparison.main_metric


def cluster_in_view(evaluations: Sequence[Evaluation]) -> str:
    """Return the column whose values say which rows belong together: the address's, or else the first file's."""
    wanted = url.get("cluster")
    if wanted == EACH_ROW:
        return ""
    if wanted and any(wanted in evaluation.rows.column_names for evaluation in evaluations):
        return str(wanted)
    clusters = measurement.clusters_of(evaluations[0])
    return "" if clusters is None else clusters.column


def take_thresholds(evaluations: Sequence[Evaluation]) -> bool:
    """Return whether one score of the same class makes the predictions of every run."""
    return all(evaluation.task == "binary" and state.takes_threshold(evaluation) for evaluation in evaluations)


@st.cache_resource(show_spinner="Comparing the runs …", max_entries=8)
def _compare(
    fingerprints: tuple[str, ...],
    names: tuple[str, ...],
    key: str,
    same_file: bool,
    cluster: str,
    way: str,
    anchor: int,
    level: float,
    _evaluations: tuple[Evaluation, ...],
) -> tuple[AlignedRuns, Comparison, list[str], tuple[float, ...], tuple[ScoreCounts, ...]]:
    aligned = align_runs(_evaluations, names, key=key or None, same_file=same_file, own_thresholds=way == OWN)
    thresholds = tuple(e.effective_threshold if e.y_score is not None else math.nan for e in _evaluations)
    counts = _counts(aligned)
    if way != OWN:
        thresholds = _equal_thresholds(aligned, counts, way, anchor)
        moved = tuple(
            evaluation if math.isnan(threshold) else cache.at_threshold(evaluation, threshold)
            for evaluation, threshold in zip(_evaluations, thresholds, strict=True)
        )
        aligned = dataclasses.replace(aligned, evaluations=moved)
    compared, warnings = comparison(aligned, level=level, cluster=cluster or None)
    return aligned, compared, warnings, thresholds, counts


def _equal_thresholds(aligned: AlignedRuns, counts: Sequence[ScoreCounts], way: str, anchor: int) -> tuple[float, ...]:
    """Return each run's threshold at the recall, or the rows predicted positive, of the anchor at its own."""
    threshold = aligned.evaluations[anchor].effective_threshold
    if math.isnan(threshold):
        raise DataError(f"{aligned.names[anchor]} has no threshold of its own: choose one on the page Thresholds.")
    tp, fp = counts[anchor].at(threshold)
    if way == RECALL:
        recall = tp / counts[anchor].n_pos if counts[anchor].n_pos else math.nan
        cuts = [threshold_of_recall(run_counts, recall) for run_counts in counts]
    else:
        cuts = [threshold_of_alerts(run_counts, tp + fp) for run_counts in counts]
    cuts[anchor] = threshold
    return tuple(cuts)


def _counts(aligned: AlignedRuns) -> tuple[ScoreCounts, ...]:
    """Return the score counts of every run's positive class over the joined rows; empty where one has no such score."""
    counts = []
    for evaluation, place in zip(aligned.evaluations, aligned.places, strict=True):
        if evaluation.task != "binary" or evaluation.y_score is None:
            return ()
        is_true, score = evaluation.y_true[place] == evaluation.positive, evaluation.y_score[place, 0]
        counts.append(score_counts(is_true, score, aligned.weights))
    return tuple(counts)
