"""What merging labels that look alike would do: which could be merged, why, and the accuracy before and after.

Nothing is merged here. A person ticks, `Settings.merge` keeps what was ticked, and `data.encode` applies it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from data.build import build
from data.evaluation import DataError, Evaluation
from data.look_alikes import difference, groups
from data.merged_labels import resolved

Pairs = Sequence[tuple[str, str]]
REBUILT = 12
"""Candidates that are tried one by one where merging also changes how predictions are made."""


class Cells(Protocol):
    """Confusion counts: the non-empty cells of the matrix, over the scored rows."""

    @property
    def true(self) -> np.ndarray: ...  # int (m,) codes
    @property
    def pred(self) -> np.ndarray: ...  # int (m,) codes, below 0 = no label
    @property
    def rows(self) -> np.ndarray: ...  # int64 (m,)


@dataclass(frozen=True)
class MergeCandidate:
    """A label that looks like another one, and what merging the two alone would do.

    label, into : as the file spells them; `into` is the one of the label space, or with more true rows.
    why : what they differ by, in words.
    rows_true, rows_pred : scored rows of `label` and of `into`, in the truth and in the predictions.
    accuracy_before, accuracy_after : 0..1, NaN without scored rows; with several labels a row the subset accuracy.
        After is None where it is known only once the merge is applied.
    """

    label: str
    into: str
    why: str
    rows_true: tuple[int, int]
    rows_pred: tuple[int, int]
    accuracy_before: float
    accuracy_after: float | None


def merge_candidates(evaluation: Evaluation, cells: Cells | None = None) -> list[MergeCandidate]:
    """Every label that looks like another one, those whose merge gains most first.

    Where the predictions are labels of the file, single-label numbers come from the confusion counts alone. Where
    they are made from scores or answers, merging changes how they are made: the first `REBUILT` candidates are tried
    out on the rows, the others have no `accuracy_after`.

    Parameters
    ----------
    cells : the confusion counts of a single-label evaluation, where they are at hand; None = counted here.

    >>> import pyarrow as pa
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["cat", "cat", "dog"], "y_pred": ["Cat", "cat", "dog"]})
    >>> found = merge_candidates(build(table, Settings(truth="y", pred="y_pred"), name="demo", content_sha256="0"))
    >>> [(c.label, c.into, c.why, round(c.accuracy_before, 3), c.accuracy_after) for c in found]
    [('Cat', 'cat', 'upper and lower case', 0.667, 1.0)]
    """
    alike = groups(evaluation.labels)
    if not alike:
        return []
    cells = cells if cells is not None or evaluation.task == "multilabel" else count_cells(evaluation)
    rows_true, rows_pred = _rows_of_labels(evaluation, cells)
    place = {label: code for code, label in enumerate(evaluation.labels)}
    before = accuracy_with(evaluation, (), cells)
    alone = _alone(evaluation, cells, alike) if _by_counts(evaluation) else {}
    found = []
    for group in alike:
        codes = [place[label] for label in group]
        into = min(codes, key=lambda c: (c >= evaluation.n_space, -rows_true[c], -rows_pred[c], c))
        for code in codes:
            if code == into:
                continue
            one, other = evaluation.labels[code], evaluation.labels[into]
            true, pred = ((int(rows[code]), int(rows[into])) for rows in (rows_true, rows_pred))
            found.append(
                MergeCandidate(one, other, difference(one, other), true, pred, before or 0.0, alone.get((one, other)))
            )
    if not _by_counts(evaluation):
        tried = [_tried(evaluation, candidate) for candidate in found[:REBUILT]]
        found = tried + found[REBUILT:]
    return sorted(found, key=lambda c: -_gain(c))


def _alone(
    evaluation: Evaluation, cells: Cells | None, alike: Sequence[tuple[str, ...]]
) -> Mapping[tuple[str, str], float]:
    """Accuracy after each merge of two labels of a group alone; two labels a pair, in both orders."""
    pairs = [(one, other) for group in alike for one in group for other in group if one != other]
    if cells is None:
        return {pair: _subset_accuracy(evaluation, dict([pair])) for pair in pairs}
    place = {label: code for code, label in enumerate(evaluation.labels)}
    home = np.full(len(place) + 2, -1)  # the two spare places serve codes -1 and -2
    for number, group in enumerate(alike):
        home[[place[label] for label in group]] = number
    near = (home[cells.true] >= 0) & (home[cells.true] == home[cells.pred])
    between = zip(cells.true[near].tolist(), cells.pred[near].tolist(), strict=True)
    swapped = dict(zip(between, cells.rows[near].tolist(), strict=True))
    n, right = int(cells.rows.sum()), int(cells.rows[cells.true == cells.pred].sum())
    gained = {p: swapped.get((place[p[0]], place[p[1]]), 0) + swapped.get((place[p[1]], place[p[0]]), 0) for p in pairs}
    return {pair: (right + gained[pair]) / n if n else float("nan") for pair in pairs}


def _gain(candidate: MergeCandidate) -> float:
    gain = (candidate.accuracy_after or 0.0) - candidate.accuracy_before
    return gain if candidate.accuracy_after is not None and gain == gain else -1.0


def _tried(evaluation: Evaluation, candidate: MergeCandidate) -> MergeCandidate:
    after = accuracy_with(evaluation, [(candidate.label, candidate.into)])
    return dataclasses.replace(candidate, accuracy_after=after)


def _by_counts(evaluation: Evaluation) -> bool:
    """Whether merging labels leaves every prediction what it is, but for its name."""
    settings = evaluation.settings
    return evaluation.threshold is None and (settings.pred is not None or bool(settings.pred_columns))


def accuracy_with(evaluation: Evaluation, merge: Pairs, cells: Cells | None = None) -> float | None:
    """The accuracy (several labels a row: subset accuracy) after merging, beside what is merged already.

    Parameters
    ----------
    merge : (label, label that it counts as), labels of the evaluation.
    cells : as in `merge_candidates`.

    Returns
    -------
    float or None
        0..1; NaN without scored rows; None if no evaluation can be built so.

    Raises
    ------
    DataError
        a merge of a label that is not there, in a circle, or into two labels.
    """
    into = resolved(merge, {"labels": {label: label for label in evaluation.labels}})
    if merge and not _by_counts(evaluation):
        return _rebuilt_accuracy(evaluation, merge)
    if evaluation.task == "multilabel":
        return _subset_accuracy(evaluation, into)
    cells = count_cells(evaluation) if cells is None else cells
    target = _targets(evaluation, into)
    right = (cells.pred >= 0) & (target[cells.true] == target[np.maximum(cells.pred, 0)])
    n = int(cells.rows.sum())
    return int(cells.rows[right].sum()) / n if n else float("nan")


def _targets(evaluation: Evaluation, into: Mapping[str, str]) -> np.ndarray:
    """The code that every label's code counts as, int64 (K,)."""
    place = {label: code for code, label in enumerate(evaluation.labels)}
    return np.array([place[into.get(label, label)] for label in evaluation.labels], dtype=np.int64)


def _subset_accuracy(evaluation: Evaluation, into: Mapping[str, str]) -> float:
    """Only the columns of merged labels are looked at twice."""
    y_true, y_pred = evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored]
    if not len(y_true):
        return float("nan")
    target = _targets(evaluation, into)
    touched = np.flatnonzero(np.bincount(target, minlength=len(target))[target] > 1)
    rest = np.setdiff1d(np.arange(len(target)), touched)
    right = (y_true[:, rest] == y_pred[:, rest]).all(axis=1)
    for code in np.unique(target[touched]):
        own = np.flatnonzero(target == code)
        right &= y_true[:, own].any(axis=1) == y_pred[:, own].any(axis=1)
    return int(right.sum()) / len(right)


def _rebuilt_accuracy(evaluation: Evaluation, merge: Pairs) -> float | None:
    settings = dataclasses.replace(evaluation.settings, merge=(*evaluation.settings.merge, *merge))
    try:
        built = build(evaluation.rows, settings, name=evaluation.name, content_sha256=evaluation.fingerprint)
    except DataError:
        return None
    return accuracy_with(built, ())


@dataclass(frozen=True)
class _Counted:
    true: np.ndarray
    pred: np.ndarray
    rows: np.ndarray


def count_cells(evaluation: Evaluation) -> Cells:
    """The confusion counts of a single-label evaluation, for whoever has none at hand."""
    base = len(evaluation.labels) + 2  # predictions from -2
    scored = evaluation.scored
    keys = evaluation.y_true[scored].astype(np.int64) * base + evaluation.y_pred[scored] + 2
    different, place = np.unique(keys, return_inverse=True)
    rows = np.zeros(len(different), dtype=np.int64)
    np.add.at(rows, place, 1 if evaluation.weights is None else evaluation.weights[scored])
    return _Counted(different // base, different % base - 2, rows)


def _rows_of_labels(evaluation: Evaluation, cells: Cells | None) -> tuple[np.ndarray, np.ndarray]:
    """Scored rows of every label in the truth and in the predictions, int64 (K,) each."""
    if cells is None:
        scored = evaluation.scored
        return evaluation.y_true[scored].sum(axis=0), evaluation.y_pred[scored].sum(axis=0)
    true, pred = (np.zeros(len(evaluation.labels), dtype=np.int64) for _ in range(2))
    known = cells.pred >= 0
    np.add.at(true, cells.true, cells.rows)
    np.add.at(pred, cells.pred[known], cells.rows[known])
    return true, pred
