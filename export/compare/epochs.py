"""Metrics over the epochs of a training: the best epoch of each, and its value on rows that did not choose it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from data.columns.weight_columns import replace_rows_by_units
from data.comparison.row_groups import clusters
from data.evaluation import Evaluation, Filtered, Task
from data.runs.draft import Draft
from data.runs.epochs import epoch_evaluations
from export.measurement import Measurement
from metrics.catalogue.registry import REGISTRY
from metrics.comparison.epoch_choice import best_epoch, choose_on_other_folds, draw_folds

SHOWN: Mapping[Task, Sequence[str]] = {
    "binary": ("accuracy", "f1", "roc_auc"),
    "multiclass": ("accuracy", "macro_f1", "roc_auc_macro"),
    "multilabel": ("subset_accuracy", "per_label_accuracy", "micro_f1", "macro_f1_label_space"),
}
"""Metrics that are drawn over epochs, by task."""


class EpochMetric(NamedTuple):
    """One metric over epochs.

    values : (E,), NaN where undefined. best : place of the best epoch; None = there is none.
    on_other_rows : the metric of the best epoch, on rows that did not choose it; NaN = unknown.
    """

    name: str
    title: str
    values: np.ndarray
    best: int | None
    on_other_rows: float


class Epochs(NamedTuple):
    """The epochs of a training, in ascending order, and their metrics.

    missing : epochs without any scored row. n_scored : rows of every epoch. same_rows : whether these are alike.
    """

    names: tuple[str, ...]
    metrics: tuple[EpochMetric, ...]
    missing: tuple[str, ...] = ()
    n_scored: tuple[int, ...] = ()
    same_rows: bool = True


def epochs_of(draft: Draft, cluster: str | None = None) -> Epochs:
    """Return the metrics of every epoch of a draft, by the file's own predictions.

    cluster : the column whose rows of one value belong together; the choice of the best epoch leaves them out together.
    """
    every = epoch_evaluations(draft)
    scored = {name: evaluation for name, evaluation in every.items() if evaluation.n_scored}
    missing = tuple(name for name in every if name not in scored)
    if not scored:
        return Epochs((), (), missing)
    evaluations = [replace_rows_by_units(evaluation) for evaluation in scored.values()]
    same = all(_same_rows(evaluations[0], evaluation) for evaluation in evaluations[1:])
    folds = _folds(evaluations[0], cluster) if same else None
    metrics = tuple(_metric(evaluations, name, folds) for name in SHOWN[evaluations[0].task])
    return Epochs(tuple(scored), metrics, missing, tuple(evaluation.n_scored for evaluation in scored.values()), same)


def _folds(evaluation: Evaluation, cluster: str | None) -> np.ndarray:
    """Return a fold for every row; rows of one cluster share theirs, since they are alike."""
    if cluster is None:
        return draw_folds(evaluation.n_lines)
    folds_of = clusters(evaluation, cluster)
    folds: np.ndarray = draw_folds(folds_of.n)[folds_of.codes]
    return folds


def _metric(evaluations: Sequence[Evaluation], name: str, folds: np.ndarray | None) -> EpochMetric:
    metric = REGISTRY[evaluations[0].task, name]
    values = np.array([_value(evaluation, name) for evaluation in evaluations])
    best = best_epoch(values, higher=metric.direction == "higher")
    worth = math.nan if best is None or folds is None else _score_held_out_rows(evaluations, name, folds)
    return EpochMetric(name, metric.head, values, best, worth)


def _value(evaluation: Evaluation, name: str) -> float:
    """Return a metric, NaN where an evaluation lacks what it needs."""
    value = Measurement(evaluation).value(name)
    return math.nan if value is None else value


def _score_held_out_rows(evaluations: Sequence[Evaluation], name: str, folds: np.ndarray) -> float:
    """Return the metric of rows predicted by the epoch that is best without their fold; NaN where undefined.

    Scores of two epochs have no common scale: a metric of their order is the mean over the chosen epochs, by their
    rows.
    """
    metric = REGISTRY[evaluations[0].task, name]
    chosen = choose_on_other_folds(
        folds,
        len(evaluations),
        lambda epoch, rows: _value(_part(evaluations[epoch], rows), name),
        higher=metric.direction == "higher",
    )
    if chosen is None:
        return math.nan
    if metric.eats not in ("score counts", "scores per class", "class scores"):
        return _value(_pool_predictions(evaluations, chosen), name)
    parts = [_part(evaluations[epoch], chosen == epoch) for epoch in np.unique(chosen)]
    return float(np.average([_value(part, name) for part in parts], weights=[part.scored.sum() for part in parts]))


def _same_rows(epoch: Evaluation, other: Evaluation) -> bool:
    """Return whether two epochs score the same rows in the same order, with the same labels and truth."""
    ids = [e.rows.column(e.settings.id) if e.settings.id else None for e in (epoch, other)]
    same = epoch.n_lines == other.n_lines and epoch.labels == other.labels and epoch.score_codes == other.score_codes
    same = same and ids[0] == ids[1] and np.array_equal(epoch.scored, other.scored)
    return same and np.array_equal(epoch.y_true, other.y_true)


def _part(evaluation: Evaluation, rows: np.ndarray) -> Evaluation:
    """Return the arrays of some rows of an evaluation, with its labels; its table stays whole."""
    return dataclasses.replace(
        evaluation,
        y_true=evaluation.y_true[rows],
        y_pred=evaluation.y_pred[rows],
        scored=evaluation.scored[rows],
        y_score=None if evaluation.y_score is None else evaluation.y_score[rows],
        weights=None if evaluation.weights is None else evaluation.weights[rows],
        filtered=Filtered((), evaluation.n_rows, evaluation.listed),
    )


def _pool_predictions(evaluations: Sequence[Evaluation], chosen: np.ndarray) -> Evaluation:
    """Return every row as the epoch chosen for it predicts it."""
    pooled = _part(evaluations[0], np.ones(len(chosen), dtype=bool))
    for place, evaluation in enumerate(evaluations):
        rows = chosen == place
        pooled.y_pred[rows], pooled.scored[rows] = evaluation.y_pred[rows], evaluation.scored[rows]
        if pooled.y_score is not None and evaluation.y_score is not None:
            pooled.y_score[rows] = evaluation.y_score[rows]
    return pooled
