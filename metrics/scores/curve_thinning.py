"""Fewer points for a drawn curve: the line stays, and how many of how many points are shown is said."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np


class Thinned(NamedTuple):
    """A curve with fewer points to draw: `shown` of its `total` points, in the same order."""

    curve: Any
    shown: int
    total: int


_GRID = 4096  # cells a side; finer than any screen
_FLAT = 1e-6  # of the box; a point this close to the line already drawn adds nothing


def thin(curve: Any, n_points: int = 1000) -> Thinned:
    """Choose at most n_points points of a curve that draw the same line: both ends and the sharpest corners.

    Points are added where the line drawn so far is furthest from the curve (Ramer 1972; Douglas & Peucker 1973),
    after runs of points within one cell of a 4,096 x 4,096 grid are reduced to their two ends. A curve that is short
    enough comes back as it is.

    Parameters
    ----------
    curve : NamedTuple of equally long arrays, such as RocCurve or PrecisionRecallCurve.
    n_points : at least 2.

    >>> from metrics.scores.curves import RocCurve
    >>> line = RocCurve(np.array([0, 0, 0, 0.5, 1]), np.array([0, 0.5, 1, 1, 1]), np.array([np.inf, 4, 3, 2, 1]))
    >>> thinned = thin(line, 3)
    >>> thinned.curve.threshold, f"{thinned.shown} of {thinned.total}"
    (array([inf,  3.,  1.]), '3 of 5')
    """
    if n_points < 2:
        raise ValueError(f"A curve needs at least its two ends, not {n_points} points.")
    total = len(curve[0])
    if total <= n_points:
        return Thinned(curve, total, total)
    box = np.stack([_unit(np.asarray(getattr(curve, axis))) for axis in curve._fields[:2]], axis=1)
    candidates = _ends_of_cells(box)
    kept = candidates[_sharpest(box[candidates], n_points)]
    return Thinned(type(curve)(*(np.asarray(column)[kept] for column in curve)), len(kept), total)


def _unit(values: np.ndarray) -> np.ndarray:
    """Return values stretched over 0..1; undefined and infinite ones are put where they do not stretch the others."""
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    clipped: np.ndarray = np.nan_to_num(values, nan=low, posinf=high, neginf=low)
    return (clipped - low) / ((high - low) or 1.0)


def _ends_of_cells(box: np.ndarray) -> np.ndarray:
    cell = (box * _GRID).astype(np.int32)
    change = np.concatenate([[True], (cell[1:] != cell[:-1]).any(axis=1), [True]])
    return np.flatnonzero(change[1:] | change[:-1])


def _sharpest(box: np.ndarray, n_points: int) -> np.ndarray:
    kept = [0, len(box) - 1]
    spans = [_furthest(box, 0, len(box) - 1)]
    while spans and len(kept) < n_points:
        distance, middle, start, end = heapq.heappop(spans)
        if -distance < _FLAT:
            break
        kept.append(middle)
        for a, b in ((start, middle), (middle, end)):
            if b - a > 1:
                heapq.heappush(spans, _furthest(box, a, b))
    return np.sort(kept)


def _furthest(box: np.ndarray, start: int, end: int) -> tuple[float, int, int, int]:
    """Return (minus the distance, index) of the point between start and end furthest from the line between them."""
    line, inside = box[end] - box[start], box[start + 1 : end] - box[start]
    along = np.clip(inside @ line / (line @ line or 1.0), 0.0, 1.0)
    distance = np.linalg.norm(inside - along[:, None] * line, axis=1)
    index = int(distance.argmax()) if len(distance) else 0
    return (-float(distance[index]) if len(distance) else 0.0, start + 1 + index, start, end)
