"""Say why a number is undefined although its metric fits the task: scores on a scale of their own."""

from __future__ import annotations

from typing import Protocol

from metrics.catalogue.metric import Eats
from metrics.scores.curves import ScoreCounts

OWN_SCALE = "the scores are on a scale of their own, no probabilities"
NO_THRESHOLD = "the scores are on a scale of their own, and no threshold is given"


class Scaled(Protocol):
    """Name what of an evaluation decides it."""

    @property
    def scale(self) -> str: ...
    @property
    def has_predictions(self) -> bool: ...


WHY_NO_RATE = {
    "precision": "undefined (0 of 0), because no row is predicted as this class",
    "recall": "undefined (0 of 0), because the class has no true rows",
    "f1": "undefined (0 of 0), because the class has no true rows, and no row is predicted as it",
}
"""Reason of each rate of one class that is undefined."""


def why_undefined(p: Scaled, eats: Eats) -> str:
    """Return the reason as half a sentence, "" where nothing speaks against the number.

    eats : what the metric is computed from.

    >>> from types import SimpleNamespace
    >>> why_undefined(SimpleNamespace(scale="score", has_predictions=True), "probabilities")
    'the scores are on a scale of their own, no probabilities'
    """
    if eats == "probabilities":
        return OWN_SCALE if p.scale == "score" else ""
    on_predictions = eats in ("confusion counts", "confusion counts, one class", "multi-label counts")
    return NO_THRESHOLD if on_predictions and not p.has_predictions else ""


def one_class_only(scores: ScoreCounts) -> dict[str, str]:
    """Return why ranking numbers are undefined where every row is of one class, by their key; {} with both classes."""
    if scores.n_pos and scores.n_neg:
        return {}
    if scores.n_pos:
        return {"roc_auc": "every row is positive"}
    return dict.fromkeys(("roc_auc", "average_precision"), "no row is positive")
