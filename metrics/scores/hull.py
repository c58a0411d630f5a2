"""Score counts in, the convex hull of their ROC curve out: the thresholds that can be best at some cost."""

from __future__ import annotations

import numpy as np

from metrics.scores.curves import ScoreCounts

_FEW = 0.02
"""Share of the points below which another pass over all of them costs more than walking along what is left."""


def reachable(counts: ScoreCounts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every threshold that separates the rows differently, descending, with tp and fp there.

    "Nothing is positive" (threshold inf) comes first, unless a score is infinite: then no threshold does that.

    >>> from metrics.scores.curves import score_counts
    >>> reachable(score_counts(np.array([True, False]), np.array([0.9, 0.4])))
    (array([inf, 0.9, 0.4]), array([0, 1, 1]), array([0, 0, 1]))
    """
    if len(counts.score) and counts.score[0] == np.inf:
        return counts.score, counts.tp, counts.fp
    nothing = np.zeros(1, np.int64)
    return (
        np.concatenate([[np.inf], counts.score]),
        np.concatenate([nothing, counts.tp]),
        np.concatenate([nothing, counts.fp]),
    )


def upper_hull(fp: np.ndarray, tp: np.ndarray) -> np.ndarray:
    """Positions of the corners of the upper convex hull of a ROC curve, both ends among them; exact in integers.

    Points on a straight side are no corners. The thresholds at the corners are the only ones that can be best at some
    costs and prevalence (Provost & Fawcett 2001, "Robust classification for imprecise environments", Machine
    Learning 42).

    Parameters
    ----------
    fp, tp : int64 (m,), neither ever falling and no point twice, as `reachable` gives them; fewer than 4e9 rows.

    >>> upper_hull(np.array([0, 0, 1, 2, 3]), np.array([0, 1, 1, 3, 3])).tolist()
    [0, 1, 3, 4]
    """
    kept = np.arange(len(fp))
    while len(kept) > 2:
        # a point on or under the line between its neighbours is no corner, whichever of them are corners themselves
        x, y = fp[kept], tp[kept]
        is_corner = np.ones(len(kept), dtype=bool)
        is_corner[1:-1] = (y[1:-1] - y[:-2]) * (x[2:] - x[1:-1]) > (y[2:] - y[1:-1]) * (x[1:-1] - x[:-2])
        n_before, kept = len(kept), kept[is_corner]
        if n_before - len(kept) <= _FEW * n_before:
            break
    return _walked(kept, fp, tp)


def _walked(kept: np.ndarray, fp: np.ndarray, tp: np.ndarray) -> np.ndarray:
    """Andrew's walk along what is left: a corner that turns out to lie under a later line is taken back."""
    corners: list[tuple[int, int, int]] = []
    for place, x, y in zip(kept.tolist(), fp[kept].tolist(), tp[kept].tolist(), strict=True):
        while len(corners) > 1:
            (_, x0, y0), (_, x1, y1) = corners[-2:]
            if (y1 - y0) * (x - x1) > (y - y1) * (x1 - x0):
                break
            corners.pop()
        corners.append((place, x, y))
    return np.array([place for place, _, _ in corners], dtype=np.int64)
