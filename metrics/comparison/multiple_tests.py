"""Corrections for several tests: Holm's and Benjamini and Hochberg's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p: Sequence[float]) -> list[float]:
    """Adjust p values so that one false finding among all is as rare as the level; NaN stays NaN and counts for none.

    Source: Holm 1979, Scandinavian Journal of Statistics 6.

    >>> [round(one, 3) for one in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    return _adjust(p, lambda known: np.maximum.accumulate((len(known) - np.arange(len(known))) * known))


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjust p values so that of the findings no larger share is false than the level; NaN as in `holm`.

    Source: Benjamini & Hochberg 1995, Journal of the Royal Statistical Society B 57.

    >>> [round(one, 3) for one in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """

    def adjust(known: np.ndarray) -> np.ndarray:
        return np.minimum.accumulate((known * len(known) / np.arange(1, len(known) + 1))[::-1])[::-1]

    return _adjust(p, adjust)


def _adjust(p: Sequence[float], adjust) -> list[float]:  # type: ignore[no-untyped-def]
    values = np.asarray(p, dtype=np.float64)
    places = np.flatnonzero(~np.isnan(values))
    order = places[np.argsort(values[places], kind="stable")]
    adjusted = np.full(len(values), np.nan)
    adjusted[order] = np.minimum(1.0, adjust(values[order]))
    return [float(value) for value in adjusted]
