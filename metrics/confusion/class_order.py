"""In which order the classes of a matrix stand, and which neighbours are taken for each other."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts
from metrics.limits import MAX_OPTIMALLY_ORDERED_CLASSES

Order = Literal["label", "support", "recall", "worst", "cluster"]

TIMES_AVERAGE, LEAST = 3.0, 0.01
"""A cluster holds classes that are, on average, confused with each other at least 3 times as often as any two classes
are; and for at least 1 % of their rows: where all confusions are alike, nothing is framed."""


class Ordered(NamedTuple):
    """Positions in the codes that were given, in the order wanted, and (start, end) of the clusters in that order."""

    positions: np.ndarray
    clusters: list[tuple[int, int]]


def order_of(counts: ConfusionCounts, codes: np.ndarray, order: Order) -> Ordered:
    """Order the classes `codes`; ties keep the order of the labels.

    "support" : most true rows first. "recall" : lowest recall first, more true rows first among equals, classes
    without true rows (recall undefined) last. "worst" : most errors first. "cluster" : confused classes together.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> counts = confusion_counts_from_matrix([[8, 2, 0], [0, 0, 0], [3, 0, 1]], ("a", "b", "c"))
    >>> order_of(counts, np.arange(3), "recall").positions.tolist()
    [2, 0, 1]
    """
    if order == "cluster":
        return _order_by_linkage(counts, codes)
    return Ordered(_sort_codes(counts, codes, order), [])


def _sort_codes(counts: ConfusionCounts, codes: np.ndarray, order: Order) -> np.ndarray:
    support = counts.support[codes]
    if order == "support":
        return np.lexsort((-counts.predicted[codes], -support))
    if order == "recall":
        with np.errstate(invalid="ignore"):
            recall = counts.correct[codes] / support
        return np.lexsort((-support, np.where(support == 0, np.inf, recall)))
    if order == "worst":
        rank = np.empty(len(counts.labels), dtype=np.int64)
        rank[most_errors(counts)] = np.arange(len(counts.labels))
        return np.argsort(rank[codes])
    return np.arange(len(codes))


def lowest_f1_first(f1: np.ndarray, support: np.ndarray) -> np.ndarray:
    """Return all class codes, int64 (K,), the lowest F1 first; of equal ones the most true rows, undefined ones last.

    f1 : float64 (K,), NaN = undefined. support : int64 (K,).

    >>> lowest_f1_first(np.array([0.5, np.nan, 0.0, 0.0]), np.array([9, 0, 2, 3])).tolist()
    [3, 2, 0, 1]
    """
    return np.lexsort((-support, f1))


def most_errors(counts: ConfusionCounts) -> np.ndarray:
    """Return all class codes, int64 (K,), most errors first; ties keep the order of the labels.

    An error counts for its true and for its predicted class. So a class that others are predicted as stands as high
    as a class that is never predicted.
    """
    errors = counts.support + counts.predicted - 2 * counts.correct
    return np.argsort(-errors, kind="stable")


def _order_by_linkage(counts: ConfusionCounts, codes: np.ndarray) -> Ordered:
    """Order by average linkage; classes without a confusion among themselves stand last.

    Two classes are as close as the mean of the two shares "this one is taken for that one": shares
    and not counts, so that a rare class finds the class it is taken for.
    """
    near = _likeness(counts, codes)
    confused = np.flatnonzero(near.any(axis=1))
    rest = np.setdiff1d(np.arange(len(codes)), confused)
    if len(confused) < 3:
        return Ordered(np.concatenate([confused, rest]), [])
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage  # half a second to import: only who clusters

    upper = np.triu_indices(len(confused), 1)
    apart = 1.0 - near[np.ix_(confused, confused)][upper]
    tree = linkage(apart, "average", optimal_ordering=len(confused) <= MAX_OPTIMALLY_ORDERED_CLASSES)
    leaves = leaves_list(tree)
    closest = max(LEAST, TIMES_AVERAGE * float(near.sum()) / (len(codes) * (len(codes) - 1)))
    cluster = fcluster(tree, 1.0 - closest, "distance")[leaves]
    return Ordered(np.concatenate([confused[leaves], rest]), _runs(cluster))


def _runs(values: np.ndarray) -> list[tuple[int, int]]:
    """Return (start, end) of every run of two or more equal values: leaves under one node of a tree are neighbours."""
    edges = np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1, [len(values)]])
    return [(a, b) for a, b in pairwise(edges.tolist()) if b - a >= 2]


def _likeness(counts: ConfusionCounts, codes: np.ndarray) -> np.ndarray:
    """Return symmetric float64 (k, k) in 0..1: how far two classes are taken for each other; diagonal 0."""
    place = np.full(len(counts.labels), -1, dtype=np.int64)
    place[codes] = np.arange(len(codes))
    wrong = (counts.pred != UNPARSEABLE) & (counts.true != counts.pred)
    true, pred = counts.true[wrong], counts.pred[wrong]
    both = (place[true] >= 0) & (place[pred] >= 0)
    true, pred = true[both], pred[both]
    taken_for = np.zeros((len(codes), len(codes)))
    taken_for[place[true], place[pred]] = counts.rows[wrong][both] / counts.support[true]
    return (taken_for + taken_for.T) / 2
