"""Texts that are nearly the same, brought together: every pair of the texts that are compared, not a sample.

Nearly the same: `MEASURE` is high. Characters in a row, here called pieces, are within words, with their edges.

How: two texts that are similar enough must share one of each other's *rarest* pieces. These are left over when the
commonest pieces are taken away, as long as those alone could not reach the similarity. So only rare pieces are looked
up, and what they bring together is checked.

Source: Bayardo, Ma & Srikant (2007), Scaling up all pairs similarity search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.limits import MAX_COMPARED_CHARS, MAX_COMPARED_TEXTS, MAX_COMPARISONS

_CHARACTERS = 4
MEASURE = f"the cosine of the counts of {_CHARACTERS} characters in a row"
ROUNDING, _SINGLE_PRECISION = 1e-9, 1e-4
_FEATURES = 2**20
"""Places into which pieces are hashed: two different ones share a place once in a million pairs."""
_RUNGS = 33
_AT_ONCE, _WORK_AT_ONCE = 20_000, 2_000_000
_TEXTS_AT_ONCE = 5_000
_COUNTED = 0.5
"""Share of the seconds, or so, that counting the pieces takes; the pairs take the rest."""

Report = Callable[[float], object]
"""Is told from time to time which share of the work is done, 0 to 1; what it raises ends the work."""


def group_alike(texts: pa.Array, similarity: float, report: Report = lambda share: None) -> tuple[np.ndarray, int]:
    """Return the part of every text, int64 (len(texts),), and how many texts, the first ones, were compared.

    A part holds texts that are linked by pairs whose cosine is at least `similarity` (above 0, below 1).

    >>> group_alike(pa.array(["where is my card", "close the account", "where is my cards"]), 0.8)
    (array([0, 1, 0]), 3)
    """
    size = np.cumsum(pc.utf8_length(texts).to_numpy(zero_copy_only=False))
    n = min(MAX_COMPARED_TEXTS, int(np.searchsorted(size, MAX_COMPARED_CHARS, side="right")))
    if n < 2:
        return np.arange(len(texts)), 0
    pieces = _count_pieces(texts[:n], report)
    rare = _find_rarest(pieces, similarity)
    n = _count_affordable(rare.pieces)
    parts = np.arange(n)
    for share, left, other in _iterate_pairs(rare, n, similarity):
        report(_COUNTED + (1 - _COUNTED) * share)
        for start in range(0, len(left), _AT_ONCE):
            parts = _join_parts(
                parts, pieces, left[start : start + _AT_ONCE], other[start : start + _AT_ONCE], similarity
            )
    return np.concatenate([parts, np.arange(n, len(texts))]), n


def _count_pieces(texts: pa.Array, report: Report) -> Any:
    """Count pieces of `_CHARACTERS` characters in a row, as CSR rows of length 1."""
    from scipy.sparse import csr_array, vstack
    from sklearn.feature_extraction.text import HashingVectorizer

    vectorizer = HashingVectorizer(
        analyzer="char_wb", ngram_range=(_CHARACTERS, _CHARACTERS), n_features=_FEATURES, alternate_sign=False,
        norm="l2", lowercase=False,
    )  # fmt: skip
    parts = []
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        report(_COUNTED * start / len(texts))
        parts.append(vectorizer.transform(texts[start : start + _TEXTS_AT_ONCE].to_pylist()))
    pieces = csr_array(vstack(parts, format="csr"))
    pieces.sort_indices()
    return pieces


class _Rare(NamedTuple):
    """The rarest pieces of n texts.

    pieces : CSR (n, features), the rarest pieces of every text.
    last : int64 (n,), how common the commonest of them is, as a place among all pieces.
    left : float32 (n,), the length of all its other pieces: below the similarity.
    rung : int64 (n,); mass : float32 (n, rungs): mass[j, rung[i]] is at most the squared length of those pieces of j
        that are no commoner than last[i].
    """

    pieces: Any
    last: np.ndarray
    left: np.ndarray
    rung: np.ndarray
    mass: np.ndarray


def _find_rarest(pieces: Any, similarity: float) -> _Rare:
    """Return the rarest pieces of every text: all but the commonest, which together are shorter than `similarity`."""
    from scipy.sparse import csr_array

    n, n_features = pieces.shape
    place = np.empty(n_features, dtype=np.int64)
    place[np.argsort(np.bincount(pieces.indices, minlength=n_features), kind="stable")] = np.arange(n_features)
    common, owner = place[pieces.indices], np.repeat(np.arange(n), np.diff(pieces.indptr))
    square = pieces.data**2
    order = np.lexsort((-common, owner))  # within each text, the commonest piece first
    so_far = np.cumsum(square[order])
    so_far -= np.concatenate([[0.0], so_far])[pieces.indptr[:-1]][owner]
    kept = np.sort(order[so_far >= similarity**2 - ROUNDING])
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=n))])
    last = np.full(n, -1)
    np.maximum.at(last, owner[kept], common[kept])
    left = np.sqrt(np.maximum(0, 1 - np.bincount(owner[kept], square[kept], minlength=n)))
    rungs = np.unique(np.quantile(last, np.linspace(0, 1, _RUNGS), method="lower"))
    step = np.searchsorted(rungs, common)
    low = step < len(rungs)
    mass = np.bincount(owner[low] * len(rungs) + step[low], square[low], minlength=n * len(rungs))
    return _Rare(
        csr_array((pieces.data[kept].astype(np.float32), pieces.indices[kept], starts), shape=pieces.shape),
        last, left.astype(np.float32), np.searchsorted(rungs, last, side="right") - 1,
        mass.reshape(n, len(rungs)).cumsum(axis=1).astype(np.float32),
    )  # fmt: skip


def _count_affordable(rare: Any) -> int:
    """Count the first texts whose rare pieces bring at most `MAX_COMPARISONS` pairs together."""
    n = int(rare.shape[0])
    while n > 2:
        together = np.bincount(rare.indices[: rare.indptr[n]]).astype(np.float64)
        work = float((together**2).sum())
        if work <= MAX_COMPARISONS:
            break
        n = max(2, min(n - 1, int(n * (MAX_COMPARISONS / work) ** 0.5)))
    return n


def _iterate_pairs(rare: _Rare, n: int, similarity: float) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Yield the pairs of the first n texts whose cosine may be high enough, some at a time, and the share done.

    Take the last rare piece of the text where that is rarer: up to it, what two texts share in their rare pieces is
    all that they share. From there on the cosine can grow by the product of the two lengths that are left
    (Cauchy-Schwarz). So most pairs are out without being looked at.
    """
    own_pieces = rare.pieces[:n]
    turned = own_pieces.T.tocsr()
    work = np.concatenate([[0], np.cumsum(np.diff(turned.indptr)[own_pieces.indices])])[own_pieces.indptr]
    start = 0
    while start < n:
        stop = max(start + 1, int(np.searchsorted(work, work[start] + _WORK_AT_ONCE, side="right")) - 1)
        met = own_pieces[start:stop] @ turned
        row, other = np.repeat(np.arange(start, stop), np.diff(met.indptr)), met.indices.astype(np.int64)
        rarer, second = (np.where((rare.last[row] > rare.last[other]) == turn, other, row) for turn in (True, False))
        left = rare.left[rarer] * np.sqrt(np.maximum(0, 1 - rare.mass[second, rare.rung[rarer]]))
        possible = np.flatnonzero((row < other) & (met.data + left >= similarity - _SINGLE_PRECISION))
        yield float(work[stop] / max(1, work[-1])), row[possible], other[possible]
        start = stop


def _join_parts(parts: np.ndarray, pieces: Any, first: np.ndarray, second: np.ndarray, similarity: float) -> np.ndarray:
    """Join the parts between which some pair is similar enough; pairs within a part need no look."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    between = parts[first] != parts[second]
    first, second = first[between], second[between]
    cosine = np.asarray(pieces[first].multiply(pieces[second]).sum(axis=1)).ravel()
    near = cosine >= similarity - ROUNDING
    if not near.any():
        return parts
    edges = np.ones(int(near.sum()), dtype=bool), (parts[first[near]], parts[second[near]])
    components = connected_components(coo_array(edges, shape=(len(parts), len(parts))), directed=False)[1]
    return np.asarray(components.astype(np.int64)[parts])
