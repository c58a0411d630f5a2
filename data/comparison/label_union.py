"""The labels of several evaluations as one list, and their truths and predictions in its codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from data.evaluation import MISSING, UNPARSEABLE, Evaluation


class LabelUnion(NamedTuple):
    """Labels of several evaluations: the label spaces first, in the order of the runs, then labels outside of all.

    ranks : place of every label of the spaces in the order that all runs share, and that they stand in; () = none.
    """

    labels: tuple[str, ...]
    n_space: int
    ranks: tuple[int, ...] = ()

    def codes_of(self, evaluation: Evaluation) -> np.ndarray:
        """Return the code here of every label of an evaluation; the last two entries keep UNPARSEABLE and MISSING."""
        place = {label: code for code, label in enumerate(self.labels)}
        return np.array([*(place[label] for label in evaluation.labels), UNPARSEABLE, MISSING], dtype=np.int32)


def union_of(evaluations: Sequence[Evaluation]) -> LabelUnion:
    """Return the labels of all evaluations."""
    space = dict.fromkeys(label for e in evaluations for label in e.labels[: e.n_space])
    outside = dict.fromkeys(label for e in evaluations for label in e.labels[e.n_space :] if label not in space)
    if not all(e.ranks for e in evaluations):
        return LabelUnion((*space, *outside), len(space))
    rank = {label: place for e in evaluations for label, place in zip(e.labels, e.ranks, strict=False)}
    ordered = sorted(space, key=rank.__getitem__)
    return LabelUnion((*ordered, *outside), len(space), tuple(rank[label] for label in ordered))


def truth_in(evaluation: Evaluation, labels: LabelUnion) -> np.ndarray:
    """Return the truth in the codes of the union: int32 (n,), or bool (n, L)."""
    return _recode(evaluation.y_true, evaluation, labels)


def predictions_in(evaluation: Evaluation, labels: LabelUnion) -> np.ndarray:
    """Return the predictions in the codes of the union: int32 (n,), or bool (n, L)."""
    return _recode(evaluation.y_pred, evaluation, labels)


def _recode(values: np.ndarray, evaluation: Evaluation, labels: LabelUnion) -> np.ndarray:
    codes = labels.codes_of(evaluation)
    if values.ndim == 1:
        return np.asarray(codes[values])
    recoded = np.zeros((len(values), len(labels.labels)), dtype=bool)
    recoded[:, codes[:-2]] = values
    return recoded
