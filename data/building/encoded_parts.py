"""Hold what the encoders of single-label and multi-label tasks hand on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from data.errors import DataError
from data.evaluation import Answers, Scale, Task


@dataclass
class Parts:
    """The parts of an `Evaluation`, before it is frozen."""

    task: Task
    labels: tuple[str, ...]
    n_space: int
    y_true: np.ndarray
    y_pred: np.ndarray
    no_truth: np.ndarray
    no_pred: np.ndarray
    y_score: np.ndarray | None = None
    score_codes: tuple[int, ...] = ()
    scale: Scale = "probability"
    positive: int | None = None
    threshold: float | None = None
    has_predictions: bool = True
    weights: np.ndarray | None = None
    score_upper: np.ndarray | None = None
    highest: np.ndarray | None = None  # the class of the higher of two scores, where these do not add up to 1
    named: tuple[int, ...] = ()
    answers: Answers | None = None
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def no_threshold_error(task: str, has_scores: bool) -> DataError:
    """Return the error for a threshold where there is nothing that it could cut."""
    if not has_scores:
        return DataError(
            "A threshold needs scores, and none were found: name the score column, or leave the threshold out."
        )
    return DataError(
        f"A threshold makes predictions in a binary or a multi-label task; this one is {task}, "
        "predicted by the highest score."
    )


def are_numbers(labels: Iterable[str]) -> bool:
    """Return whether all labels are numbers.

    >>> are_numbers(["0", "-1", "2.5"]), are_numbers(["0", "cat"])
    (True, False)
    """
    return all(re.fullmatch(r"[+-]?\d+(\.\d+)?", label) for label in labels)
