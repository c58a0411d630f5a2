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
    place = {label: code for code, label in enumerate(evaluation.labels)}
    groups = [[place[label] for label in group] for group in alike]
    rows_true, rows_pred = _count_rows_of_labels(evaluation)
    into = _choose_spellings(evaluation, groups, rows_true, rows_pred)
    codes = [code for group in groups for code in group if into[code] != code]
    right, n, gained = _count_gained(evaluation, into)
    by_counts = _by_counts(evaluation)
    if by_counts:
        codes.sort(key=lambda code: -gained[code])
    listed = []
    for code in codes[:MAX_LISTED_MERGES]:
        pair = [code, into[code]]
        label, other = evaluation.labels[code], evaluation.labels[into[code]]
        after = _divide(right + int(gained[code]), n) if by_counts else None
        listed.append(
            MergeCandidate(
                label,
                other,
                describe_difference(label, other),
                rows_true=tuple(rows_true[pair].tolist()),
                rows_pred=tuple(rows_pred[pair].tolist()),
                accuracy_before=_divide(right, n),
                accuracy_after=after,
            )
        )
    return Candidates(listed if by_counts else _try_merges(evaluation, listed), len(codes))


def _choose_spellings(
    evaluation: Evaluation, groups: Sequence[Sequence[int]], rows_true: np.ndarray, rows_pred: np.ndarray
) -> np.ndarray:
    """Return the code that every label counts as, int64 (K,): of labels alike the listed one, or that of most rows."""
    into = np.arange(len(evaluation.labels))
    for group in groups:
        into[group] = min(
            group, key=lambda code: (code >= evaluation.n_space, -rows_true[code], -rows_pred[code], code)
        )
    return into


def _divide(right: int, n: int) -> float:
    return right / n if n else float("nan")


def _count_gained(evaluation: Evaluation, into: np.ndarray) -> tuple[int, int, np.ndarray]:
    """Count the scored rows that are right, all scored rows, and those that every label gains alone when it is merged.

    into : int64 (K,), the code that every label is merged into; its own where it is not merged.
    """
    if evaluation.task == "multilabel":
        right, gained = _count_gained_sets(evaluation, into)
    else:
        right, gained = _count_gained_rows(evaluation, into)
    return right, evaluation.n_scored, gained


def _count_gained_rows(evaluation: Evaluation, into: np.ndarray) -> tuple[int, np.ndarray]:
    """Count the rows that are right, and those in which a label stands where its pair was wanted."""
    known = _find_predicted(evaluation)
    true, pred, rows = evaluation.y_true[known], evaluation.y_pred[known], evaluation.rows_per_line[known]
    gained = np.zeros(len(into), dtype=np.int64)
    for side, other in ((true, pred), (pred, true)):
        near = (side != other) & (into[side] == other)
        np.add.at(gained, side[near], rows[near])
    return int(rows[true == pred].sum()), gained


def _count_gained_sets(evaluation: Evaluation, into: np.ndarray) -> tuple[int, np.ndarray]:
    """Count rows whose sets are right, and those that every label gains, some rows at once."""
    scored = np.flatnonzero(evaluation.scored)
    at_once = max(1, _AT_ONCE // len(into))
    right, gained = 0, np.zeros(len(into), dtype=np.int64)
    for start in range(0, len(scored), at_once):
        rows = scored[start : start + at_once]
        sets = evaluation.y_true[rows], evaluation.y_pred[rows]
        more_right, more_gained = _count_gained_part(*sets, into, evaluation.rows_per_line[rows])
        right += more_right
        gained += more_gained
    return right, gained


def _count_gained_part(
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


def _try_merges(evaluation: Evaluation, candidates: Sequence[MergeCandidate]) -> list[MergeCandidate]:
    """Try the first merges on the rows; return all, those that gain most first."""
    work = len(evaluation.y_true) + 100 * len(evaluation.labels)
    n_tried = min(MAX_REBUILT_MERGES, max(1, MAX_REBUILT_ROWS // work))
    tried = [_try_merge(evaluation, candidate) for candidate in candidates[:n_tried]]
    return sorted([*tried, *candidates[n_tried:]], key=lambda candidate: -_measure_gain(candidate))


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
    return _divide(int(evaluation.rows_per_line[known][right].sum()), n)


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
    return _divide(int(rows[right].sum()), int(rows.sum()))


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
