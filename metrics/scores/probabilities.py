"""Probabilities (or logits) and truths in, their error out: log loss and Brier score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

CLIPPING = (
    "For log loss, probabilities are kept between 2.2e-16 and 1 - 2.2e-16, as scikit-learn does. One certain mistake "
    "costs 36, not infinity. Logits are not clipped."
)
"""The treatment of probabilities 0 and 1 by log loss, said wherever log loss is shown."""
SUM_TOLERANCE = 0.01
"""The probabilities of a row may miss a sum of 1 by this much, which rounding to two or three digits does."""


@dataclass(frozen=True, eq=False)
class Probabilities:
    """The probabilities, or logits, of the rows that have every score, and what each row adds to a loss.

    column : of the true label of each row, int64 (m,); with one score a row bool (m,), whether it is positive. None =
        some true label has no score.
    score : float64 (m,), or (m, S) with a score per class. kept : bool (n,), which of all rows these are.
    weights : int64 (m,), how many rows each line stands for, or the units of its weight; None = one.
    """

    column: np.ndarray | None
    score: np.ndarray
    from_logits: bool
    kept: np.ndarray
    weights: np.ndarray | None

    @property
    def scale(self) -> int:
        """Return 2 where two classes share the squared distances, else 1."""
        return 2 if self.score.ndim == 1 or self.score.shape[1] <= 2 else 1

    @cached_property
    def true(self) -> np.ndarray | None:
        """Return `column`, None where nothing is defined: see `read_probabilities`."""
        if self.column is None or not (self.from_logits or in_unit(self.score)):
            return None
        is_whole = self.from_logits or self.score.ndim == 1
        return self.column if is_whole or (np.abs(self.score.sum(axis=1) - 1) <= SUM_TOLERANCE).all() else None

    def log_losses(self) -> np.ndarray | None:
        """Return -ln of the probability given to the true label, in nats, 0 or more: float64 (m,); None = undefined.

        >>> rows = read_probabilities(np.array([True, False]), np.array([0.8, 0.4]))
        >>> round(rows.mean(rows.log_losses()), 4)
        0.367
        >>> read_probabilities(np.array([True]), np.array([-1000.0]), from_logits=True).log_losses()
        array([1000.])
        """
        if self.true is None:
            return None
        if self.score.ndim == 1:
            return row_log_losses(self.true, self.score, from_logits=self.from_logits)
        given = self.score[np.arange(len(self.true)), self.true]
        return _log_sum_exp(self.score) - given if self.from_logits else -_log_clipped(given)

    def squares(self) -> np.ndarray | None:
        """Return the squared distance of the probabilities from the truth, float64 (m,); None = undefined.

        Two conventions, both scikit-learn's. Binary: (probability - truth)^2, 0..1. Multi-class: Brier's own, summed
        over all classes, 0..2. Two columns that are the two classes of one question give half the sum, as binary.

        >>> rows = read_probabilities(np.array([0, 2]), np.array([[0.8, 0.1, 0.1], [0.2, 0.2, 0.6]]))
        >>> round(rows.mean(rows.squares()), 4)
        0.15
        """
        if self.true is None:
            return None
        if self.score.ndim == 1:
            squares: np.ndarray = ((sigmoid(self.score) if self.from_logits else self.score) - self.true) ** 2
            return squares
        error = np.exp(self.score - _log_sum_exp(self.score)[:, None]) if self.from_logits else self.score.copy()
        error[np.arange(len(self.true)), self.true] -= 1
        summed: np.ndarray = np.einsum("ij,ij->i", error, error)
        return summed / self.scale

    def shares(self) -> np.ndarray:
        """Return the share of each true label; none without rows."""
        if self.column is None or not self.n:
            return np.zeros(0)
        shares: np.ndarray = np.bincount(self.column, self.weights) / self.n
        return shares

    @property
    def n(self) -> int:
        """Return the rows, or the units of weight."""
        return len(self.score) if self.weights is None else self.weights.sum().item()

    def mean(self, values: np.ndarray | None) -> float:
        """Return the mean of a value of each row; NaN without rows, or where it is undefined."""
        if values is None or not self.n:
            return math.nan
        return float(values.mean() if self.weights is None else np.dot(values, self.weights) / self.n)


def read_probabilities(
    y_true: np.ndarray,
    y_score: np.ndarray,
    *,
    score_codes: Sequence[int] | None = None,
    from_logits: bool = False,
    weights: np.ndarray | None = None,
) -> Probabilities:
    """Return the probabilities of the rows that have every score.

    Parameters
    ----------
    y_true : bool (n,) with one score a row; label codes (n,) with a score per class.
    y_score : float64 (n,), the score of the positive class, or (n, S). A row with a NaN score is left out.
    score_codes : the label code of every column; None = 0..S-1.
    from_logits : False = the scores are probabilities, kept away from 0 and 1 by 2.2e-16 as scikit-learn does: one
        certain mistake costs 36 and not infinity. True = the sigmoid (one score) or softmax (a score per class) is
        taken without leaving the logarithm: nothing overflows and nothing is clipped.
    weights : int64 (n,), how many rows each line stands for, or the units of its weight; None = one.

    Losses are undefined (NaN) without rows; with a probability outside 0..1; when the probabilities of any row do not
    sum to 1 within 1 %; and when a true class has no score column.
    """
    y_true, y_score = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
    is_one = y_true.dtype == np.bool_
    if is_one and y_score.ndim == 2 and y_score.shape[1] == 1:
        y_score = y_score[:, 0]
    wanted = 1 if is_one else 2
    if y_score.ndim != wanted or y_true.shape != y_score.shape[:1]:
        raise ValueError(
            f"y_score must be {wanted}-dimensional with a row for each truth, not {y_score.shape} for {y_true.shape}."
        )
    kept = ~np.isnan(y_score) if is_one else ~np.isnan(y_score).any(axis=1)
    if not kept.all():
        y_true, y_score = y_true[kept], y_score[kept]
        weights = None if weights is None else weights[kept]
    column = y_true if is_one else _columns(y_true, y_score, score_codes)
    return Probabilities(column, y_score, from_logits, kept, weights)


def brier_skill(y_true: np.ndarray, y_score: np.ndarray, **options: Any) -> float:
    """Return how much smaller the Brier score is than that of always giving the shares of the classes; at most 1.

    Parameters, and what is undefined, as in `read_probabilities`; undefined (NaN), too, where all rows are of one
    class.

    Source: Murphy 1973, "Hedging and skill scores for probability forecasts", Journal of Applied Meteorology 12.

    >>> round(brier_skill(np.array([True, False]), np.array([0.8, 0.4])), 4)
    0.6
    """
    rows = read_probabilities(y_true, y_score, **options)
    of_shares = brier_of_shares(rows)
    return 1 - rows.mean(rows.squares()) / of_shares if of_shares else math.nan


def brier_of_shares(rows: Probabilities) -> float:
    """Return the Brier score of always giving each class its share of the rows; 0 of one class."""
    shares = rows.shares()
    return (1 - float((shares**2).sum())) / rows.scale if len(shares) else 0.0


def row_log_losses(y_true: np.ndarray, y_score: np.ndarray, *, from_logits: bool = False) -> np.ndarray:
    """Return -ln of the probability that the score of the positive class gives to the truth, in nats: float64 (n,).

    y_true bool (n,), y_score float64 (n,); clipped as `read_probabilities` says. One NaN stands for all
    of them when a probability lies outside 0..1.

    >>> row_log_losses(np.array([True, False]), np.array([0.5, 0.75])).round(3)
    array([0.693, 1.386])
    """
    if from_logits:
        losses: np.ndarray = np.logaddexp(0.0, np.where(y_true, -y_score, y_score))
        return losses
    if not in_unit(y_score):
        return np.full(1, np.nan)
    return -_log_clipped(np.where(y_true, y_score, 1 - y_score))


def sigmoid(logit: np.ndarray) -> np.ndarray:
    """Return the probability 1 / (1 + e^-x) of every logit; nothing overflows.

    >>> sigmoid(np.array([-np.inf, 0.0, 1000.0]))
    array([0. , 0.5, 1. ])
    """
    probability: np.ndarray = np.exp(-np.logaddexp(0.0, -logit))
    return probability


def in_unit(probability: np.ndarray) -> bool:
    """Return whether every value lies in 0..1; true without values.

    >>> in_unit(np.array([0.0, 1.0])), in_unit(np.array([1.5]))
    (True, False)
    """
    return bool(probability.min(initial=0.0) >= 0 and probability.max(initial=1.0) <= 1)


def _columns(y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int] | None) -> np.ndarray | None:
    """Return the score column of every row's true class; None if some true class has none."""
    codes = np.arange(y_score.shape[1]) if score_codes is None else np.asarray(score_codes, dtype=np.int64)
    if len(codes) != y_score.shape[1]:
        raise ValueError(f"{len(codes)} score codes for {y_score.shape[1]} score columns.")
    order = np.argsort(codes)
    place = np.searchsorted(codes[order], y_true).clip(max=len(codes) - 1)
    column = order[place]
    return column if (codes[column] == y_true).all() else None


def _log_clipped(probability: np.ndarray) -> np.ndarray:
    smallest = np.finfo(np.float64).eps
    logarithm: np.ndarray = np.log(np.clip(probability, smallest, 1 - smallest))
    return logarithm


def _log_sum_exp(logits: np.ndarray) -> np.ndarray:
    highest: np.ndarray = logits.max(axis=1)
    rest: np.ndarray = np.exp(logits - highest[:, None]).sum(axis=1)
    total: np.ndarray = highest + np.log(rest)
    return total
