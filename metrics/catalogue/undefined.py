"""Say why a number is undefined although its metric fits the task: scores on a scale of their own."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from metrics.catalogue.metric import Eats
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import SUM_TOLERANCE

OWN_SCALE = "the scores are on a scale of their own, no probabilities"
NO_SUM = "the scores of the classes do not add up to 1 in every row"
ON_PREDICTIONS: tuple[Eats, ...] = ("confusion counts", "confusion counts, one class", "multi-label counts")
NO_THRESHOLD = "the scores are on a scale of their own, and no threshold is given"


class Scaled(Protocol):
    """Name what of an evaluation decides it."""

    @property
    def scale(self) -> str: ...
    @property
    def has_predictions(self) -> bool: ...
    @property
    def task(self) -> str: ...
    @property
    def y_score(self) -> np.ndarray | None: ...


def why_undefined(p: Scaled, eats: Eats) -> str:
    """Return the reason as half a sentence, "" where nothing speaks against the number.

    eats : what the metric is computed from.

    >>> from types import SimpleNamespace
    >>> why_undefined(SimpleNamespace(scale="score", has_predictions=True), "probabilities")
    'the scores are on a scale of their own, no probabilities'
    """
    if eats == "probabilities":
        return OWN_SCALE if p.scale == "score" else NO_SUM if _miss_a_sum(p) else ""
    return NO_THRESHOLD if eats in ON_PREDICTIONS and not p.has_predictions else ""


def _miss_a_sum(p: Scaled) -> bool:
    """Return whether the probabilities of several classes do not add up to 1 in a row."""
    if p.task != "multiclass" or p.y_score is None or p.scale != "probability":
        return False
    sums = p.y_score.sum(axis=1)
    return bool((np.abs(sums[~np.isnan(sums)] - 1) > SUM_TOLERANCE).any())


def one_class_only(scores: ScoreCounts) -> dict[str, str]:
    """Return why ranking numbers are undefined where every row is of one class, by their key; {} with both classes."""
    if scores.n_pos and scores.n_neg:
        return {}
    if scores.n_pos:
        return {"roc_auc": "every row is positive"}
    return dict.fromkeys(("roc_auc", "average_precision"), "no row is positive")
