"""Test the shares of many pairs of samples at once."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, ndtr

_EXPECTED = 5
_SUPPORT = 64
"""A cell that expects fewer than 5 rows holds more than this with a probability below 1e-40."""


def share_p_values(
    part_a: np.ndarray, whole_a: np.ndarray, part_b: np.ndarray, whole_b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the two-sided p of many pairs of shares: float64 (m,), and where Fisher's exact test gave it, bool (m,).

    It does where a cell of the two-by-two table expects fewer than 5 rows; elsewhere the pooled z test does.
    NaN where a sample is empty.
    """
    parts = np.asarray([part_a, whole_a - part_a, part_b, whole_b - part_b], dtype=np.float64)
    n, part = parts.sum(axis=0), parts[0] + parts[2]
    safe, wholes = np.where(n > 0, n, np.nan), (parts[0] + parts[1], parts[2] + parts[3])
    expected = np.stack([whole * side / safe for whole in wholes for side in (part, n - part)])
    pooled = part / safe
    with np.errstate(divide="ignore", invalid="ignore"):
        se = np.sqrt(pooled * (1 - pooled) * (1 / wholes[0] + 1 / wholes[1]))
        z = np.abs(parts[2] / wholes[1] - parts[0] / wholes[0]) / se
    p = np.where(np.minimum(*wholes) > 0, 2 * ndtr(-z), np.nan)
    exact = (expected < _EXPECTED).any(axis=0) & (np.minimum(*wholes) > 0)
    if exact.any():
        p[exact] = _fisher(parts[:, exact], expected[:, exact])
    return p, exact


def _fisher(parts: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return p of Fisher's exact test of many tables, by the cell that expects fewest: of tables no likelier than each.

    parts : float64 (4, m), part and rest of either sample.
    """
    cells = np.round(parts)
    place, column = expected.argmin(axis=0), np.arange(parts.shape[1])
    seen = cells[place, column]
    sample_size = cells[place, column] + cells[place ^ 1, column]  # the sample that the cell is of
    marked = cells[place, column] + cells[place ^ 2, column]  # the cells of its kind in both samples
    n = cells.sum(axis=0)
    least = np.maximum(0.0, sample_size + marked - n)
    support = least + np.arange(_SUPPORT + 1)[:, None]
    log = _log_hypergeometric(support, n, sample_size, marked)
    of_seen = _log_hypergeometric(seen[None], n, sample_size, marked)[0]
    p = np.exp(np.where(log <= of_seen + 1e-7, log, -np.inf)).sum(axis=0)
    far = seen > support[-1]
    if far.any():
        from scipy.stats import hypergeom  # importing it takes half a second

        p[far] = hypergeom.sf(seen[far] - 1, n[far], marked[far], sample_size[far])
    return np.asarray(np.minimum(1.0, p))


def _log_hypergeometric(k: np.ndarray, n: np.ndarray, drawn: np.ndarray, marked: np.ndarray) -> np.ndarray:
    """Return the log probability of k marked rows among `drawn` of n, of which `marked` are; -inf where impossible."""
    possible = (k <= drawn) & (k <= marked)
    k = np.where(possible, k, np.minimum(drawn, marked))
    log_probability = _log_choose(marked, k) + _log_choose(n - marked, drawn - k) - _log_choose(n, drawn)
    return np.where(possible, log_probability, -np.inf)


def _log_choose(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
