"""A ROC curve in, the corners of its convex hull out: the thresholds that can be best."""

from __future__ import annotations

import numpy as np

from metrics.scores.curves import products_fit

_FEW = 0.02
"""Share of the points below which another pass over all of them costs more than walking along what is left."""


def upper_hull(fp: np.ndarray, tp: np.ndarray) -> np.ndarray:
    """Return positions of the corners of the upper convex hull of a ROC curve, both ends among them.

    Points on a straight side are no corners. The thresholds at the corners are the only ones that can be best at some
    costs and prevalence. Source: Provost & Fawcett 2001, "Robust classification for imprecise environments", Machine
    Learning 42.

    Parameters
    ----------
    fp, tp : int64 (m,), neither ever falling and no point twice, as `reachable` gives them; exact in integers where
        `products_fit`.

    >>> upper_hull(np.array([0, 0, 1, 2, 3]), np.array([0, 1, 1, 3, 3])).tolist()
    [0, 1, 3, 4]
    """
    kept = np.arange(len(fp))
    if len(fp) and not products_fit(int(tp[-1]), int(fp[-1])):
        fp, tp = fp.astype(np.float64), tp.astype(np.float64)
    while len(kept) > 2:
        # a point on or under the line between its neighbours is no corner, whichever of them are corners themselves
        x, y = fp[kept], tp[kept]
        is_corner = np.ones(len(kept), dtype=bool)
        is_corner[1:-1] = (y[1:-1] - y[:-2]) * (x[2:] - x[1:-1]) > (y[2:] - y[1:-1]) * (x[1:-1] - x[:-2])
        n_before, kept = len(kept), kept[is_corner]
        if n_before - len(kept) <= _FEW * n_before:
            break
    return _walk_hull(kept, fp, tp)


def _walk_hull(kept: np.ndarray, fp: np.ndarray, tp: np.ndarray) -> np.ndarray:
    """Walk along what is left (Andrew 1979): a corner that turns out to lie under a later line is taken back."""
    corners: list[tuple[int, int, int]] = []
    for place, x, y in zip(kept.tolist(), fp[kept].tolist(), tp[kept].tolist(), strict=True):
        while len(corners) > 1:
            (_, x0, y0), (_, x1, y1) = corners[-2:]
            if (y1 - y0) * (x - x1) > (y - y1) * (x1 - x0):
                break
            corners.pop()
        corners.append((place, x, y))
    return np.array([place for place, _, _ in corners], dtype=np.int64)
