"""Numbers of one class against all others: formulas on its four counts of rows, each with its slopes.

Class tables, averages, thresholds, intervals and slices call the same formula. 0/0 is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

Scale = Literal["share", "f1", "unit", "signed", "positive", "to one", "open"]
"""The range of a number: a share of rows, the F1 of one class, 0..1, -1..1, from 0, up to 1, or without ends."""
_PLAIN = (int, float)
"""One number, no array."""
Factors = tuple[float, float, float, float]


class Outcomes(Protocol):
    """Rows of a class predicted as it (tp) or not (fn), and other rows predicted as it (fp) or not (tn).

    Numbers for one class, or arrays of one shape with an entry a class, a threshold or a row.
    """

    @property
    def tp(self) -> Any: ...
    @property
    def fp(self) -> Any: ...
    @property
    def fn(self) -> Any: ...
    @property
    def tn(self) -> Any: ...


class CountedOutcomes(Outcomes, Protocol):
    """The four counts of every class, and how many rows there are."""

    @property
    def n(self) -> float: ...


class FourCounts(NamedTuple):
    """The four counts of a class, or a number for each of them."""

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    @property
    def n(self) -> Any:
        """Return all rows."""
        return sum(self)


class Formula(Protocol):
    """A number of one class."""

    @property
    def scale(self) -> Scale: ...

    def value(self, counts: Outcomes) -> Any:
        """Return the number, NaN where it is undefined."""

    def slopes(self, counts: Outcomes) -> FourCounts:
        """Return its change by one more row of each of the four counts, 0 where it is undefined."""


@dataclass(frozen=True)
class Ratio:
    """Some of the four counts over some of them, by a factor for each.

    >>> F1.value(FourCounts(3, 1, 2, 4))
    0.6666666666666666
    >>> [float(slope) for slope in RECALL.slopes(FourCounts(3, 1, 1, 4))]
    [0.0625, 0.0, -0.1875, 0.0]
    """

    part: Factors
    whole: Factors
    scale: Scale = "share"

    def parts(self, counts: Outcomes) -> tuple[Any, Any]:
        """Return numerator and denominator."""
        return _weigh(self.part, counts), _weigh(self.whole, counts)

    def value(self, counts: Outcomes) -> Any:
        """Return the ratio, NaN where it is 0/0."""
        return divide(*self.parts(counts))

    def slopes(self, counts: Outcomes) -> FourCounts:
        """Return its change by one more row of each of the four counts, 0 where it is undefined."""
        return FourCounts(*self.slopes_by(self.part, self.whole, counts))

    def slopes_by(self, parts: Sequence[float], wholes: Sequence[float], counts: Outcomes) -> list[np.ndarray]:
        """Return its change by one more of each of some quantities, by their factors in numerator and denominator."""
        part, whole = self.parts(counts)
        defined = whole > 0
        safe = np.where(defined, whole, 1.0)
        value = part / safe
        factors = zip(parts, wholes, strict=True)
        return [np.where(defined, (above - value * below) / safe, 0.0) for above, below in factors]

    def share(self, counts: Outcomes) -> tuple[Any, Any]:
        """Return part and whole of the share of rows whose interval gives that of the ratio."""
        return JACCARD.parts(counts) if self.scale == "f1" else self.parts(counts)

    def from_share(self, share: Any) -> Any:
        """Return the ratio by that share: F1 is 2 J / (1 + J) of the Jaccard index J."""
        return 2 * share / (1 + share) if self.scale == "f1" else share


@dataclass(frozen=True)
class Informedness:
    """Recall less the false positive rate: Youden's J."""

    scale: Scale = "signed"

    def value(self, counts: Outcomes) -> Any:
        """Return the number, NaN where a side has no rows."""
        tp, fp, fn, tn = _float_counts(counts)
        return divide(tp * tn - fp * fn, (tp + fn) * (fp + tn))

    def slopes(self, counts: Outcomes) -> FourCounts:
        """Return its change by one more row of each of the four counts."""
        recall, false_positives = RECALL.slopes(counts), FALSE_POSITIVE_RATE.slopes(counts)
        return FourCounts(recall.tp, -false_positives.fp, recall.fn, -false_positives.tn)


@dataclass(frozen=True)
class Correlation:
    """The Matthews correlation of a class with the predictions of it (phi)."""

    scale: Scale = "signed"

    def value(self, counts: Outcomes) -> Any:
        """Return the number, NaN where the class, or the predictions of it, have all rows or none."""
        tp, fp, fn, tn = _float_counts(counts)
        return divide(tp * tn - fp * fn, self._spread(tp, fp, fn, tn))

    def slopes(self, counts: Outcomes) -> FourCounts:
        """Return its change by one more row of each of the four counts, 0 where it is undefined."""
        tp, fp, fn, tn = _float_counts(counts)
        sides = tp + fp, tp + fn, tn + fp, tn + fn
        half = np.asarray(self.value(counts)) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            below = self._spread(tp, fp, fn, tn)
            predicted, true, not_true, not_predicted = (half / side for side in sides)
            changes = (
                tn / below - predicted - true, -fn / below - predicted - not_true,
                -fp / below - true - not_predicted, tp / below - not_true - not_predicted,
            )  # fmt: skip
        return FourCounts(*(np.where(np.isnan(half), 0.0, change) for change in changes))

    def _spread(self, tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        """Return the denominator: one root of all four sides, so that the number is exactly 1 without errors."""
        return np.sqrt(((tp + fp) * (tn + fn)) * ((tp + fn) * (tn + fp)))


@dataclass(frozen=True)
class Product:
    """One share to a power, times another to a power."""

    first: Ratio
    second: Ratio
    powers: tuple[float, float]
    scale: Scale = "positive"

    def value(self, counts: Outcomes) -> Any:
        """Return the number, NaN where one of the shares is undefined, or the product has a 0 in its denominator."""
        values = [np.asarray(ratio.value(counts)) for ratio in (self.first, self.second)]
        with np.errstate(divide="ignore", invalid="ignore"):
            product = values[0] ** self.powers[0] * values[1] ** self.powers[1]
        known = np.where(np.isinf(product), math.nan, product)
        return known if known.ndim else float(known)

    def slopes(self, counts: Outcomes) -> FourCounts:
        """Return its change by one more row of each of the four counts, 0 where it is undefined or 0."""
        value, changes = np.asarray(self.value(counts)), FourCounts(0.0, 0.0, 0.0, 0.0)
        defined = value > 0
        for ratio, power in zip((self.first, self.second), self.powers, strict=True):
            share = np.where(defined, ratio.value(counts), 1.0)
            moved = (np.where(defined, power * value * slope / share, 0.0) for slope in ratio.slopes(counts))
            changes = FourCounts(*map(add, changes, moved))
        return changes


PRECISION = Ratio((1, 0, 0, 0), (1, 1, 0, 0))
RECALL = Ratio((1, 0, 0, 0), (1, 0, 1, 0))
JACCARD = Ratio((1, 0, 0, 0), (1, 1, 1, 0))
F1 = Ratio((2, 0, 0, 0), (2, 1, 1, 0), "f1")
SPECIFICITY = Ratio((0, 0, 0, 1), (0, 1, 0, 1))
FALSE_POSITIVE_RATE = Ratio((0, 1, 0, 0), (0, 1, 0, 1))
NEGATIVE_PREDICTIVE_VALUE = Ratio((0, 0, 0, 1), (0, 0, 1, 1))
ACCURACY = Ratio((1, 0, 0, 1), (1, 1, 1, 1))
PREDICTED_SHARE = Ratio((1, 1, 0, 0), (1, 1, 1, 1))
FALSE_NEGATIVE_RATE = Ratio((0, 0, 1, 0), (1, 0, 1, 0))
YOUDEN_J = Informedness()
CORRELATION = Correlation()
GEOMETRIC_MEAN = Product(RECALL, SPECIFICITY, (0.5, 0.5), "unit")
POSITIVE_LIKELIHOOD_RATIO = Product(RECALL, FALSE_POSITIVE_RATE, (1, -1))
NEGATIVE_LIKELIHOOD_RATIO = Product(FALSE_NEGATIVE_RATE, SPECIFICITY, (1, -1))


def f_beta(beta: float = 2.0) -> Ratio:
    """Return F1 in which recall weighs `beta` times as much as precision; beta is above 0.

    Source: van Rijsbergen (1979), Information Retrieval, chapter 7.

    >>> round(f_beta(2.0).value(FourCounts(3, 1, 2, 4)), 4)
    0.625
    """
    if not 0 < beta < math.inf:
        raise ValueError(f"beta must be a finite number above 0, not {beta}")
    squared = beta * beta
    return Ratio((1 + squared, 0, 0, 0), (1 + squared, 1, squared, 0), "unit")


def expected_cost(cost_fp: float = 1.0, cost_fn: float = 1.0) -> Ratio:
    """Return the mean cost of a row: `cost_fp` for a false positive, `cost_fn` for a false negative, else nothing.

    >>> expected_cost(1.0, 10.0).value(FourCounts(2, 1, 1, 6))
    1.1
    """
    if not (0 <= cost_fp < math.inf and 0 <= cost_fn < math.inf):
        raise ValueError(f"costs must be finite and not negative, not {cost_fp} and {cost_fn}")
    return Ratio((0, cost_fp, cost_fn, 0), (1, 1, 1, 1), "positive")


def net_benefit(probability: float = 0.5) -> Ratio:
    """Return the net benefit of a row at a threshold probability t: TP / n less t / (1 - t) of FP / n.

    Source: Vickers & Elkin 2006, Decision curve analysis, Medical Decision Making 26.

    >>> round(net_benefit(0.2).value(FourCounts(3, 4, 1, 12)), 6)
    0.1
    """
    if not 0 < probability < 1:
        raise ValueError(f"a threshold probability lies between 0 and 1, not at {probability}")
    return Ratio((1, -probability / (1 - probability), 0, 0), (1, 1, 1, 1), "open")


def divide(part: Any, whole: Any) -> Any:
    """Divide; 0/0 is NaN. One number stays a plain one, which Python divides faster than numpy."""
    if isinstance(part, _PLAIN) and isinstance(whole, _PLAIN) and whole:
        return float(part / whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.divide(part, whole, dtype=np.float64)
    return quotient if quotient.ndim else float(quotient)


def geometric_mean(values: np.ndarray) -> float:
    """Return the geometric mean of numbers from 0; NaN of none. The product of many would be rounded to 0.

    >>> round(geometric_mean(np.full(1000, 0.4)), 3), geometric_mean(np.array([0.0, 1.0]))
    (0.4, 0.0)
    """
    with np.errstate(divide="ignore"):
        return float(np.exp(np.log(values).mean())) if len(values) else math.nan


def as_float(count: Any) -> Any:
    """Convert counts once: a division of two columns of integers converts them much slower."""
    return float(count) if isinstance(count, int) else np.asarray(count, dtype=np.float64)


def _float_counts(counts: Outcomes) -> list[Any]:
    return [as_float(rows) for rows in (counts.tp, counts.fp, counts.fn, counts.tn)]


def _weigh(factors: Factors, counts: Outcomes) -> Any:
    """Add up the counts by their factors; a count with the factor 0 is not asked for."""
    tp, fp, fn, tn = factors
    total: Any = 0
    if tp:
        total = _times(tp, counts.tp)
    if fp:
        total = total + _times(fp, counts.fp)
    if fn:
        total = total + _times(fn, counts.fn)
    if tn:
        total = total + _times(tn, counts.tn)
    return total


def _times(factor: float, count: Any) -> Any:
    """Multiply; a million counts times 1 take as long as a sum of them."""
    return count if factor == 1 else factor * count
