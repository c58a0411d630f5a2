"""Hold what the encoders of single-label and multi-label tasks hand on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from data.errors import DataError
from data.evaluation import Answers, Scale, Task
from data.limits import TOLERANCE
from text.quoting import list_items, quote


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
    units: np.ndarray | None = None
    unit: float = 1.0
    score_upper: np.ndarray | None = None
    highest: np.ndarray | None = None  # the class of the higher of two scores, where these do not add up to 1
    named: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    answers: Answers | None = None
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def count_rows(self, chosen: np.ndarray) -> int:
        """Count the rows that a bool (n,) of lines chooses."""
        return int(chosen.sum() if self.weights is None else self.weights[chosen].sum())


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


def are_class_numbers(labels: Iterable[str]) -> bool:
    """Return whether labels are numbers of classes; whole numbers of seven digits or more are ids."""
    return all(label.isdecimal() and len(label) < 7 for label in labels)


def are_numbers(labels: Iterable[str]) -> bool:
    """Return whether all labels are numbers.

    >>> are_numbers(["0", "-1", "2.5"]), are_numbers(["0", "cat"])
    (True, False)
    """
    return all(re.fullmatch(r"[+-]?\d+(\.\d+)?", label) for label in labels)


def merge_scores(
    scores: np.ndarray, codes: tuple[int, ...], names: Sequence[str], labels: Sequence[str]
) -> tuple[np.ndarray, tuple[int, ...], list[str]]:
    """Add up the probabilities of columns that are of one label, because labels were merged.

    Parameters
    ----------
    scores : float64 (n, S), probabilities of classes of which a row has one.
    codes, names : the label and the name of every column. labels : names of the labels.

    Returns
    -------
    scores, codes, notes; unchanged where every label has one column.

    Raises
    ------
    DataError
        a sum above 1, named by columns and row: what is added up is no probability of one class among others.

    >>> merge_scores(np.array([[0.5, 0.25, 0.25]]), (0, 1, 0), ["p_cat", "p_dog", "p_Cat"], ["cat", "dog"])[:2]
    (array([[0.75, 0.25]]), (0, 1))
    """
    kept = tuple(dict.fromkeys(codes))
    if len(kept) == len(codes):
        return scores, codes, []
    summed = np.empty((len(scores), len(kept)), dtype=np.float64, order="F")
    notes = []
    for place, code in enumerate(kept):
        columns = [column for column, column_code in enumerate(codes) if column_code == code]
        summed[:, place] = scores[:, columns].sum(axis=1)
        if len(columns) == 1:
            continue
        added = list_items(names[column] for column in columns)
        if (summed[:, place] > 1 + TOLERANCE).any():
            row = int(np.argmax(summed[:, place] > 1 + TOLERANCE))
            raise DataError(
                f"The score columns {added}, row {row + 1:,}: they are of labels that you merged, and add up to "
                f"{summed[row, place]:.6g}, which is no probability. Take the merge back, or leave all but one out."
            )
        notes.append(f"The scores in {added} are added up: their labels are one, {quote(labels[code])}.")
    return np.minimum(summed, 1.0), kept, notes
