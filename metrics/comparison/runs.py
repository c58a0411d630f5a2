"""Several runs on the same rows: the arrays that every comparison is counted from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.catalogue.metric import Task
from metrics.confusion.counts import UNPARSEABLE as UNPARSEABLE
from metrics.intervals.joint_counts import Weighing


@dataclass(frozen=True, eq=False)
class Runs:
    """Predictions of several models on the same n rows, all with a truth and a prediction of every model.

    names : k names, all different. labels : L names, the first `n_space` are the label space.
    task : "binary", "multiclass" or "multilabel". positive : its code in a binary task.
    y_true : int (n,), multi-label: bool (n, L). preds : k arrays like it, UNPARSEABLE where no label was read; empty
        where some model has no predictions.
    scores : k arrays float64 (n, S), NaN where there is none; empty where some model has no scores, or others.
    score_codes : label code of every score column. scales : k scales, "probability", "logit" or "score".
    score_highs : k arrays float64 (n,), the highest score of the bin of every entry, whose lowest is in `scores`; empty
        where scores are exact.
    ranks : place of every label of the label space in the order of the labels; () = they have none.
    paths : of every label a number for each of its groups from the top, itself the last; () = labels have no groups.
    costs : float64 (K, K) of the label space, true × predicted; None = nobody gave costs.
    cluster : int64 (n,), or None. weights : int64 (n,), rows that each entry stands for; None = one.
    units : int64 (n,), the weight of each entry in units, where rows have weights; None = every row counts once.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    n_space: int
    task: Task
    y_true: np.ndarray
    preds: tuple[np.ndarray, ...]
    scores: tuple[np.ndarray, ...] = ()
    score_codes: tuple[int, ...] = ()
    scales: tuple[str, ...] = ()
    positive: int | None = None
    cluster: np.ndarray | None = None
    weights: np.ndarray | None = None
    score_highs: tuple[np.ndarray, ...] = ()
    ranks: tuple[int, ...] = ()
    costs: np.ndarray | None = None
    paths: tuple[tuple[int, ...], ...] = ()
    units: np.ndarray | None = None

    @property
    def entry_weights(self) -> np.ndarray | None:
        """Return the rows, or the units of weight, of every entry, int64 (n,); None where each is one row."""
        return self.weights if self.units is None else self.units

    @cached_property
    def weighing(self) -> Weighing | None:
        """Return what the weights of rows add to every entry; None where rows have none."""
        if self.units is None:
            return None
        rows = np.ones(len(self.y_true), np.int64) if self.weights is None else self.weights
        return Weighing.of_units(self.units, rows)

    @property
    def many(self) -> bool:
        """Return whether a row has several labels."""
        return self.task == "multilabel"

    @property
    def n(self) -> int:
        """Return rows that are compared."""
        return len(self.y_true) if self.weights is None else int(self.weights.sum())

    def is_true(self, code: int) -> np.ndarray:
        """Return rows of a class, bool (n,)."""
        return self.y_true[:, code] if self.many else np.asarray(self.y_true == code)

    def support(self, code: int) -> int:
        """Return rows that are truly of a class."""
        is_of_class = self.is_true(code)
        return int(is_of_class.sum() if self.weights is None else self.weights[is_of_class].sum())

    def right(self, model: int) -> np.ndarray:
        """Return rows that a model has right, in every label; bool (n,)."""
        same = self.y_true == self.preds[model]
        return np.asarray(same.all(axis=1) if self.many else same)


def constant_models(runs: Runs) -> Sequence[tuple[str, str]]:
    """Return (model, label) of every model that predicts one class in every row."""
    if runs.many or not runs.n:
        return []
    distinct = [(name, np.unique(pred)) for name, pred in zip(runs.names, runs.preds, strict=False)]
    return [(name, runs.labels[seen[0]]) for name, seen in distinct if len(seen) == 1 and seen[0] != UNPARSEABLE]
