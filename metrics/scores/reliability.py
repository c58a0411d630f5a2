"""Score counts in, scores in bins beside what became of their rows out: what a reliability diagram draws."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from metrics.limits import FEWEST_DECIDING, TOO_FEW
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit, sigmoid
from metrics.shares import ManyBounds, critical_value, wilson_bounds

By = Literal["mass", "width"]
FEW_ROWS = f"under {TOO_FEW} rows"
FEW_WEIGHTED = f"under {FEWEST_DECIDING} rows of either outcome decide the share by their weights: too few to tell"


class Reliability(NamedTuple):
    """Scores in bins, ascending, beside what became of their rows; B bins.

    edges : float64 (B + 1,), probabilities. Equal width: bin i holds edges[i] <= p < edges[i + 1], the last one also
        1. Equal mass: edges[i] is the lowest score of bin i, the last edge the highest score of all.
    n, n_positive : (B,), rows and positives of each bin, or their weight. A bin of equal width may be empty: NaN below.
    mean_score : float64 (B,), mean probability of its rows.
    variance : mean of (probability - mean_score)^2 in the bin.
    covariance : mean of (probability - mean_score) * (truth - positive_share) in the bin.
    score_low, score_high : lowest and highest score of its rows, on the scale of the counts.
    rows, rows_positive : int64 (B,), rows and positives of each bin, whatever their weight.
    squares, squares_positive : float64 (B,), sums of the squared weights of its rows and of its positives, in units of
        weight; where every row counts once, its rows and positives.
    fourths, fourths_positive : float64 (B,), the same sums of the fourth powers: of weights, they could be no number.
    unit : the weight of a unit.
    """

    edges: np.ndarray
    n: np.ndarray
    n_positive: np.ndarray
    mean_score: np.ndarray
    variance: np.ndarray
    covariance: np.ndarray
    score_low: np.ndarray
    score_high: np.ndarray
    rows: np.ndarray
    rows_positive: np.ndarray
    squares: np.ndarray
    squares_positive: np.ndarray
    fourths: np.ndarray
    fourths_positive: np.ndarray
    unit: float = 1.0

    @property
    def is_weighted(self) -> bool:
        """Return whether a row counts as more or less than one; weights may add up to the rows of each bin."""
        return bool((self.n != self.rows).any() or (self.squares * self.unit != self.rows / self.unit).any())

    @property
    def units(self) -> np.ndarray:
        """Return the units of weight of every bin, or its rows; float64 (B,)."""
        units: np.ndarray = self.n / self.unit
        return units

    @property
    def effective_n(self) -> np.ndarray:
        """Return how many rows of equal weight tell as much as those of every bin, float64 (B,)."""
        return _ratio(self.units**2, self.squares)

    @property
    def is_few(self) -> np.ndarray:
        """Return which bins have too few rows to tell, bool (B,).

        With weights these are the rows of either outcome. As few as decide the spread of the weights, and have the
        bin's share, are as few as so many rows.
        """
        if not self.is_weighted:
            return np.asarray(self.rows < TOO_FEW)
        deciding = _ratio(self.squares**2, self.fourths)
        sides = self.rows_positive, self.rows - self.rows_positive
        shares = self.positive_share, 1 - self.positive_share
        fewest = np.min([*sides, *(deciding * share for share in shares)], axis=0)
        return np.asarray(~(fewest >= FEWEST_DECIDING))

    @property
    def positive_share(self) -> np.ndarray:
        """Return the share of positives of every bin, float64 (B,), 0..1."""
        return _ratio(self.n_positive, self.n)

    @property
    def gap(self) -> np.ndarray:
        """Return float64 (B,): mean score minus share of positives; above 0 the scores promise too much."""
        gap: np.ndarray = self.mean_score - self.positive_share
        return gap

    def interval(self, level: float = 0.95) -> ManyBounds:
        """Return the Wilson interval of the share of positives of every bin; NaN where weights leave it unknown.

        With weights it is of as many rows as make the sandwich's variance, with Student's t. Its degrees of freedom
        are the squared variance over the spread of its terms among positives, and among the others (Satterthwaite
        1946; Pan & Wall 2002). Where the rows of each side weigh alike, the variance is as sure as the share.
        """
        share = self.positive_share
        if not self.is_weighted:
            return wilson_bounds(share * self.rows, self.rows.astype(np.float64), critical_value(level))
        from scipy.special import stdtrit  # it takes longer to import than a small file to measure

        variance = (1 - share) ** 2 * self.squares_positive + share**2 * (self.squares - self.squares_positive)
        others = self.rows - self.rows_positive, self.squares - self.squares_positive
        spread_positive = _spread(self.rows_positive, self.squares_positive, self.fourths_positive)
        spread_others = _spread(*others, self.fourths - self.fourths_positive)
        spread = (1 - share) ** 4 * spread_positive + share**4 * spread_others
        rows = np.where(self.is_few, np.nan, _ratio(share * (1 - share) * self.units**2, variance))
        reach = stdtrit(np.maximum(1, _ratio(variance**2, spread)), (1 + level) / 2)
        return wilson_bounds(share * rows, rows, reach)


def effective_shares(
    n: np.ndarray, n_positive: np.ndarray, squares: np.ndarray, squares_positive: np.ndarray
) -> np.ndarray:
    """Return how many rows by themselves make shares of weighted rows as sure, float64 (B,).

    Their variance is that of `Cells.variance`, the larger of the sandwich and Kish's; at 0 and 1 they are Kish's.
    """
    share, kish = _ratio(n_positive, n), _ratio(n.astype(np.float64) ** 2, squares)
    of_equal = share * (1 - share)
    sandwich = _ratio((1 - share) ** 2 * squares_positive + share**2 * (squares - squares_positive), n**2.0)
    is_inside = (of_equal > 0) & (kish > 1)
    few = np.where(is_inside, kish, 2.0)
    variance = np.maximum(sandwich, of_equal / few) * few / (few - 1)
    return np.where(is_inside, _ratio(of_equal, variance), kish)


def reliability(counts: ScoreCounts, *, bins: int = 10, by: By = "mass", from_logits: bool = False) -> Reliability:
    """Return rows in bins by score: how many, their mean score, and how many of them are positive.

    Parameters
    ----------
    bins : at least 1. Equal mass: n / bins rows each as nearly as distinct scores allow, which are never split, so
        that ties may leave fewer bins. Equal width: `bins` steps from 0 to 1, some of which may be empty.
    from_logits : the scores are logits, and their sigmoid is the probability.

    Undefined (no bins) without rows, and when a score is no probability because it lies outside 0..1.

    Source: Niculescu-Mizil & Caruana 2005, "Predicting good probabilities with supervised learning", ICML.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([False, False, True, True]), np.array([0.1, 0.3, 0.3, 0.8]))
    >>> found = reliability(counts, bins=2, by="width")
    >>> found.n, found.mean_score.round(3), found.positive_share.round(3)
    (array([3, 1]), array([0.233, 0.8  ]), array([0.333, 1.   ]))
    """
    if bins < 1 or by not in ("mass", "width"):
        raise ValueError(f"At least one bin by 'mass' or 'width' is needed, not {bins} by {by!r}.")
    probability, score = as_probability(counts, from_logits=from_logits)[::-1], counts.score[::-1]
    if not len(score) or not in_unit(probability):
        none, nothing = np.empty(0, np.int64), np.empty(0)
        return Reliability(
            nothing, none, none, nothing, nothing, nothing, nothing, nothing, none, none, *(nothing,) * 4
        )
    n, positive = per_score(counts)
    if by == "mass":
        first = first_of_equal_mass(n[::-1], bins)
        place = np.repeat(np.arange(len(first)), np.diff(first, append=len(score)))
        edges = probability[[*first, -1]]
    else:
        edges = np.arange(bins + 1) / bins  # not linspace: 0.3 belongs to the bin that begins at 3 / 10
        place = np.searchsorted(edges[1:-1], probability, side="right")
    return _tally(edges, place, score, probability, n[::-1], positive[::-1])


def weigh_bins(
    bins: Reliability, is_true: np.ndarray, score: np.ndarray, squares: np.ndarray, rows: np.ndarray, unit: float
) -> Reliability:
    """Return bins of units of weight with what their lines add: bool, float64, float64 and int64 (m,) each.

    squares : the squared weights of the rows of each line, in units. rows : how many these are. unit : their weight.
    """
    known, filled = ~np.isnan(score), np.flatnonzero(bins.n)
    place = filled[np.searchsorted(bins.score_low[filled], score[known], side="right") - 1]

    def total(values: np.ndarray, of: np.ndarray | bool = True) -> np.ndarray:
        return np.bincount(place, (values * of)[known], len(bins.n))

    fourths = np.divide(squares**2, rows, out=np.zeros(len(squares)), where=rows > 0)  # the rows of a line weigh alike
    n, positive = total(rows), total(rows, is_true)
    return bins._replace(
        n=bins.n * unit, n_positive=bins.n_positive * unit,
        rows=n.astype(np.int64), rows_positive=positive.astype(np.int64),
        squares=total(squares), squares_positive=total(squares, is_true),
        fourths=total(fourths), fourths_positive=total(fourths, is_true), unit=unit,
    )  # fmt: skip


def as_probability(counts: ScoreCounts, *, from_logits: bool = False) -> np.ndarray:
    """Return the probability of every distinct score, float64 (m,), descending: the score itself, or a logit's
    sigmoid.
    """
    return sigmoid(counts.score) if from_logits else counts.score


def per_score(counts: ScoreCounts) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and positives at every distinct score, int64 (m,) each.

    >>> from metrics.scores.curves import score_counts
    >>> per_score(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])))
    (array([1, 2]), array([1, 1]))
    """
    positive = np.diff(counts.tp, prepend=0)
    return positive + np.diff(counts.fp, prepend=0), positive


def first_of_equal_mass(n: np.ndarray, bins: int) -> np.ndarray:
    """Return the index of the first distinct score of every bin: a bin ends where the rows so far come nearest to its
    share.
    """
    so_far = np.cumsum(n)
    wanted = so_far[-1] * np.arange(1, bins) / bins
    end = np.searchsorted(so_far, wanted)
    before = np.where(end > 0, so_far[end - 1], 0)
    end = end + (so_far[end] - wanted <= wanted - before)
    first = np.concatenate([[0], end[end < len(n)]])  # in order; `np.unique` would import NumPy's masked arrays
    return first[np.diff(first, prepend=-1) > 0]


def _tally(
    edges: np.ndarray, place: np.ndarray, score: np.ndarray, probability: np.ndarray, n: np.ndarray, pos: np.ndarray
) -> Reliability:
    """Return sums of the distinct scores of every bin; `place` is the bin of each, ascending."""

    def total(weights: np.ndarray) -> np.ndarray:
        return np.bincount(place, weights, len(edges) - 1)

    rows, positives = total(n).astype(np.int64), total(pos).astype(np.int64)
    mean = _ratio(total(n * probability), rows)
    away = probability - mean[place]
    low, high = np.full((2, len(rows)), np.nan)
    filled = np.flatnonzero(rows)
    low[filled] = score[np.searchsorted(place, filled, side="left")]
    high[filled] = score[np.searchsorted(place, filled, side="right") - 1]
    # the deviations of a bin add up to 0, so that its share of positives drops out of the covariance
    variance, covariance = _ratio(total(n * away**2), rows), _ratio(total(pos * away), rows)
    counts = rows.astype(np.float64), positives.astype(np.float64)
    return Reliability(
        edges, rows, positives, mean, variance, covariance, low, high, rows, positives, *counts, *counts
    )  # fmt: skip


def _spread(rows: np.ndarray, squares: np.ndarray, fourths: np.ndarray) -> np.ndarray:
    """Return the variance of so many squared weights, times their number; of rows that weigh alike it is 0."""
    spread: np.ndarray = _ratio(np.maximum(0, fourths - _ratio(squares**2, rows)) * rows, rows - 1)
    return spread


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: np.ndarray = part / whole
    return ratio
