"""Plan how many rows tell two accuracies apart, and which difference a number of rows can show."""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.special import ndtri


class Plan(NamedTuple):
    """Rows needed to tell two accuracies apart.

    paired : rows that both models predict; NaN where the disagreement is too small for the difference.
    unpaired : rows for each model, other ones for each. disagreement : the share of rows that one of them has right.
    """

    paired: float
    unpaired: float
    disagreement: float


def independent_disagreement(a: float, b: float) -> float:
    """Return the share of rows that only one of two models has right, if their mistakes are independent.

    >>> round(independent_disagreement(0.85, 0.87), 4)
    0.241
    """
    return a * (1 - b) + b * (1 - a)


def paired_rows(difference: float, disagreement: float, *, power: float = 0.8, level: float = 0.95) -> float:
    """Return rows with which McNemar's test finds a difference, as often as `power` says; NaN if |difference| is
    larger.

    Source: Connor 1987, Sample size for testing differences in proportions for the paired-sample design,
    Biometrics 43; as Miettinen 1968 without the variance of the disagreement.

    >>> round(paired_rows(0.1, 0.3), 1)  # (1.96 * sqrt(0.3) + 0.842 * sqrt(0.29)) ** 2 / 0.01
    233.1
    """
    size = abs(difference)
    if not 0 < size <= disagreement:
        return math.nan
    z_level, z_power = float(ndtri((1 + level) / 2)), float(ndtri(power))
    reach = z_level * math.sqrt(disagreement) + z_power * math.sqrt(max(0.0, disagreement - size * size))
    return (reach / size) ** 2


def unpaired_rows(a: float, b: float, *, power: float = 0.8, level: float = 0.95) -> float:
    """Return rows of each of two models, judged on different rows, with which a z test finds their difference.

    Source: Fleiss, Levin & Paik 2003, Statistical methods for rates and proportions, chapter 4, without continuity
    correction; their 0.6 and 0.7 need 356 rows each at power 0.8.

    >>> math.ceil(unpaired_rows(0.6, 0.7))
    356
    """
    if a == b:
        return math.nan
    mean, z_level, z_power = (a + b) / 2, float(ndtri((1 + level) / 2)), float(ndtri(power))
    reach = z_level * math.sqrt(2 * mean * (1 - mean)) + z_power * math.sqrt(a * (1 - a) + b * (1 - b))
    return (reach / (a - b)) ** 2


def plan(
    accuracy: float, difference: float, *, disagreement: float | None = None, power: float = 0.8, level: float = 0.95
) -> Plan:
    """Return rows that tell an accuracy from one that differs by `difference`.

    disagreement : None = as if the mistakes of the two models had nothing to do with each other: the most rows.
    """
    other = accuracy + difference
    share = independent_disagreement(accuracy, other) if disagreement is None else disagreement
    paired = paired_rows(difference, share, power=power, level=level)
    return Plan(paired, unpaired_rows(accuracy, other, power=power, level=level), share)


def smallest_difference(n: int, disagreement: float, *, level: float = 0.95) -> float:
    """Return the smallest difference of two accuracies that n rows can show with a power of 0.8; NaN where none can.

    >>> round(smallest_difference(233, 0.3), 3)
    0.1
    """
    if not n or not 0 < disagreement <= 1 or paired_rows(disagreement, disagreement, level=level) > n:
        return math.nan
    from scipy.optimize import brentq  # half a second to import: only who compares models

    return float(brentq(lambda size: paired_rows(size, disagreement, level=level) - n, 1e-9, disagreement))
