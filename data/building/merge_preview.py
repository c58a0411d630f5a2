"""Preview the merges of labels that look alike: which are possible, why, and the accuracy before and after.

Nothing is merged here. A person ticks, `Settings.merge` keeps what was ticked, and `data.labels.encode` applies it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from data.building.build import build
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.label_merges import resolve_merges
from data.labels.spelling import describe_difference, group_look_alikes
from data.limits import MAX_LISTED_MERGES, MAX_REBUILT_MERGES, MAX_REBUILT_ROWS

Pairs = Sequence[tuple[str, str]]
_AT_ONCE = 4_000_000  # cells of rows by labels


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


class Candidates(NamedTuple):
    """Labels that look like another one: those that are described, and how many there are."""

    listed: list[MergeCandidate]
    n: int


def find_merge_candidates(evaluation: Evaluation) -> Candidates:
    """Return the labels that look like another one, those whose merge gains most first.

    Where the predictions are labels of the file, what every merge gains is counted in one pass. Where they are made
    from scores or answers, merging changes how they are made: the first `MAX_REBUILT_MERGES` candidates (of a big file
    fewer, but one) are tried out on the rows, the others have no `accuracy_after`.

    >>> import pyarrow as pa
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["cat", "cat", "dog"], "y_pred": ["Cat", "cat", "dog"]})
    >>> found = find_merge_candidates(build(table, Settings(truth="y", pred="y_pred"), name="demo", content_sha256="0"))
    >>> [(c.label, c.into, c.why, round(c.accuracy_before, 3), c.accuracy_after) for c in found.listed]
    [('Cat', 'cat', 'upper and lower case', 0.667, 1.0)]
    """
    alike = group_look_alikes(evaluation.labels)
    if not alike:
        return Candidates([], 0)
    rows_true, rows_pred = _count_rows_of_labels(evaluation)
    place = {label: code for code, label in enumerate(evaluation.labels)}
    into = np.arange(len(place))
    codes = []
    for group in alike:
        members = [place[label] for label in group]
        into[members] = min(members, key=lambda c: (c >= evaluation.n_space, -rows_true[c], -rows_pred[c], c))
        codes += [code for code in members if into[code] != code]
    right, n, gained = _count_gained(evaluation, into)
    by_counts = _by_counts(evaluation)
    listed = []
    for code in sorted(codes, key=lambda code: -gained[code] if by_counts else 0)[:MAX_LISTED_MERGES]:
        spelling, other = evaluation.labels[code], evaluation.labels[into[code]]
        true, pred = ((int(rows[code]), int(rows[into[code]])) for rows in (rows_true, rows_pred))
        before, after = ((right + more) / n if n else float("nan") for more in (0, int(gained[code])))
        why = describe_difference(spelling, other)
        listed.append(MergeCandidate(spelling, other, why, true, pred, before, after if by_counts else None))
    if not by_counts:
        n_tried = min(MAX_REBUILT_MERGES, max(1, MAX_REBUILT_ROWS // (len(evaluation.y_true) + 100 * len(into))))
        tried = [_try_merge(evaluation, candidate) for candidate in listed[:n_tried]]
        listed = sorted(tried + listed[n_tried:], key=lambda c: -_measure_gain(c))
    return Candidates(listed, len(codes))


def _count_gained(evaluation: Evaluation, into: np.ndarray) -> tuple[int, int, np.ndarray]:
    """Count the scored rows that are right, and those that every label gains alone when it counts as `into` of it.

    into : int64 (K,), the code that every label is merged into; its own where it is not merged.
    """
    if evaluation.task != "multilabel":
        gained = np.zeros(len(into), dtype=np.int64)
        known = _find_predicted(evaluation)
        true, pred, rows = evaluation.y_true[known], evaluation.y_pred[known], evaluation.rows_per_line[known]
        for side, other in ((true, pred), (pred, true)):
            near = (side != other) & (into[side] == other)
            np.add.at(gained, side[near], rows[near])
        return int(rows[true == pred].sum()), evaluation.n_scored, gained
    scored = np.flatnonzero(evaluation.scored)
    at_once = max(1, _AT_ONCE // len(into))
    parts = (scored[start : start + at_once] for start in range(0, len(scored), at_once))
    every = evaluation.rows_per_line
    counted = [
        _count_gained_sets(evaluation.y_true[rows], evaluation.y_pred[rows], into, every[rows]) for rows in parts
    ]
    gained = sum((more for _, more in counted), np.zeros(len(into), np.int64))
    return sum(n for n, _ in counted), evaluation.n_scored, gained


def _count_gained_sets(
    y_true: np.ndarray, y_pred: np.ndarray, into: np.ndarray, weights: np.ndarray
) -> tuple[int, np.ndarray]:
    """Count rows whose sets are right, and those that every label gains: nothing but it and its pair were wrong."""
    n_wrong = (y_true != y_pred).sum(axis=1)
    near = np.flatnonzero((n_wrong > 0) & (n_wrong <= 2))
    true, pred = (np.ascontiguousarray(sets[near].T) for sets in (y_true, y_pred))
    gained = np.zeros(len(into), dtype=np.int64)
    for code in np.flatnonzero(into != np.arange(len(into))):
        pair = [code, into[code]]
        alone = (true[pair] != pred[pair]).sum(axis=0) == n_wrong[near]
        gained[code] = weights[near[alone & (true[pair].any(axis=0) == pred[pair].any(axis=0))]].sum()
    return int(weights[n_wrong == 0].sum()), gained


def _measure_gain(candidate: MergeCandidate) -> float:
    gain = (candidate.accuracy_after or 0.0) - candidate.accuracy_before
    return gain if candidate.accuracy_after is not None and gain == gain else -1.0


def _try_merge(evaluation: Evaluation, candidate: MergeCandidate) -> MergeCandidate:
    after = compute_merged_accuracy(evaluation, [(candidate.label, candidate.into)])
    return dataclasses.replace(candidate, accuracy_after=after)


def _by_counts(evaluation: Evaluation) -> bool:
    """Return whether merging labels only renames predictions."""
    settings = evaluation.settings
    return evaluation.threshold is None and (settings.pred is not None or bool(settings.pred_columns))


def compute_merged_accuracy(evaluation: Evaluation, merge: Pairs) -> float | None:
    """Return the accuracy (multi-label: subset accuracy) after these merges and the earlier ones.

    Parameters
    ----------
    merge : (label, label that it counts as), labels of the evaluation.

    Returns
    -------
    float or None
        0..1; NaN without scored rows; None if no evaluation can be built so.

    Raises
    ------
    DataError
        a merge of a label that is not there, in a circle, or into two labels.
    """
    into = resolve_merges(merge, {"labels": {label: label for label in evaluation.labels}})
    if merge and not _by_counts(evaluation):
        return _compute_rebuilt_accuracy(evaluation, merge)
    if evaluation.task == "multilabel":
        return _compute_subset_accuracy(evaluation, into)
    target, known, n = _find_targets(evaluation, into), _find_predicted(evaluation), evaluation.n_scored
    right = target[evaluation.y_true[known]] == target[evaluation.y_pred[known]]
    return int(evaluation.rows_per_line[known][right].sum()) / n if n else float("nan")


def _find_predicted(evaluation: Evaluation) -> np.ndarray:
    """Return the scored lines that have a predicted label, in a single-label evaluation: int64."""
    return np.flatnonzero(evaluation.scored & (evaluation.y_pred >= 0))


def _find_targets(evaluation: Evaluation, into: Mapping[str, str]) -> np.ndarray:
    """Return the code that every label's code counts as, int64 (K,)."""
    place = {label: code for code, label in enumerate(evaluation.labels)}
    return np.array([place[into.get(label, label)] for label in evaluation.labels], dtype=np.int64)


def _compute_subset_accuracy(evaluation: Evaluation, into: Mapping[str, str]) -> float:
    """Compute the subset accuracy after merging; only the columns of merged labels are looked at twice."""
    y_true, y_pred = evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored]
    if not len(y_true):
        return float("nan")
    target = _find_targets(evaluation, into)
    touched = np.flatnonzero(np.bincount(target, minlength=len(target))[target] > 1)
    wrong = y_true != y_pred
    wrong[:, touched] = False
    right = ~wrong.any(axis=1)
    for code in np.unique(target[touched]):
        merged_columns = np.flatnonzero(target == code)
        right &= y_true[:, merged_columns].any(axis=1) == y_pred[:, merged_columns].any(axis=1)
    rows = evaluation.rows_per_line[evaluation.scored]
    n = int(rows.sum())
    return int(rows[right].sum()) / n if n else float("nan")


def _compute_rebuilt_accuracy(evaluation: Evaluation, merge: Pairs) -> float | None:
    settings = dataclasses.replace(evaluation.settings, merge=(*evaluation.settings.merge, *merge))
    try:
        built = build(evaluation.rows, settings, name=evaluation.name, content_sha256=evaluation.fingerprint)
    except DataError:
        return None
    return compute_merged_accuracy(built, ())


def _count_rows_of_labels(evaluation: Evaluation) -> tuple[np.ndarray, np.ndarray]:
    """Count the scored rows of every label in the truth and in the predictions, int64 (K,) each."""
    scored = evaluation.scored
    rows = evaluation.rows_per_line[scored]
    if evaluation.task == "multilabel":
        return rows @ evaluation.y_true[scored], rows @ evaluation.y_pred[scored]
    true, pred = (np.zeros(len(evaluation.labels), dtype=np.int64) for _ in range(2))
    known = _find_predicted(evaluation)
    np.add.at(true, evaluation.y_true[scored], rows)
    np.add.at(pred, evaluation.y_pred[known], evaluation.rows_per_line[known])
    return true, pred
