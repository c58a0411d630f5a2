"""Probabilities (or logits) and truths in, their error out: log loss and Brier score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

CLIPPING = (
    "For log loss, probabilities are kept between 2.2e-16 and 1 - 2.2e-16, as scikit-learn does. One certain mistake "
    "costs 36, not infinity. Logits are not clipped."
)
"""The treatment of probabilities 0 and 1 by log loss, said wherever log loss is shown."""
SUM_TOLERANCE = 0.01
"""The probabilities of a row may miss a sum of 1 by this much, which rounding to two or three digits does."""


def log_loss(
    y_true: np.ndarray,
    y_score: np.ndarray,
    *,
    score_codes: Sequence[int] | None = None,
    from_logits: bool = False,
    weights: np.ndarray | None = None,
) -> float:
    """Return the mean of -ln(probability given to the true class), in nats; lower is better, 0 is perfect, unbounded.

    Parameters
    ----------
    y_true : bool (n,) with one score a row; label codes (n,) with a score per class.
    y_score : float64 (n,), the score of the positive class, or (n, S). A row with a NaN score is left out.
    score_codes : the label code of every column; None = 0..S-1.
    from_logits : False = the scores are probabilities, kept away from 0 and 1 by 2.2e-16 as scikit-learn does: one
        certain mistake costs 36 and not infinity. True = the sigmoid (one score) or softmax (a score per class) is
        taken without leaving the logarithm: nothing overflows and nothing is clipped.
    weights : int64 (n,), how many rows each line stands for, or the units of its weight; None = one.

    Undefined (NaN) without rows; with a probability outside 0..1; when the probabilities of any row do not sum to 1
    within 1 %; and when a true class has no score column.

    Source: Good 1952, "Rational decisions", Journal of the Royal Statistical Society B 14.

    >>> round(log_loss(np.array([True, False]), np.array([0.8, 0.4])), 4)
    0.367
    >>> log_loss(np.array([True]), np.array([-1000.0]), from_logits=True)
    1000.0
    """
    weights = _weights_with_scores(y_score, weights)
    y_true, y_score = _with_scores(y_true, y_score)
    if y_true.dtype == np.bool_:
        return _mean(row_log_losses(y_true, y_score, from_logits=from_logits), weights)
    column = _columns(y_true, y_score, score_codes)
    if column is None or not _are_defined(y_score, from_logits):
        return float("nan")
    given = y_score[np.arange(len(column)), column]
    if from_logits:
        return _mean(_log_sum_exp(y_score) - given, weights)
    return _mean(-_log_clipped(given), weights)


def brier_score(
    y_true: np.ndarray,
    y_score: np.ndarray,
    *,
    score_codes: Sequence[int] | None = None,
    from_logits: bool = False,
    weights: np.ndarray | None = None,
) -> float:
    """Return the mean squared distance between the probabilities and the truth; lower is better.

    Parameters, and what is undefined, as in `log_loss`.

    Two conventions, both scikit-learn's. Binary: mean of (probability - truth)^2, range 0..1. Multi-class: Brier's
    own, the squared distance summed over all classes, range 0..2. Two columns that are the two classes of one
    question give the binary figure, half the sum.

    Source: Brier 1950, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78.

    >>> round(brier_score(np.array([True, False]), np.array([0.8, 0.4])), 4)
    0.1
    >>> round(brier_score(np.array([0, 2]), np.array([[0.8, 0.1, 0.1], [0.2, 0.2, 0.6]])), 4)
    0.15
    """
    weights = _weights_with_scores(y_score, weights)
    y_true, y_score = _with_scores(y_true, y_score)
    if y_true.dtype == np.bool_:
        probability = sigmoid(y_score) if from_logits else y_score
        return _mean((probability - y_true) ** 2, weights) if in_unit(probability) else float("nan")
    column = _columns(y_true, y_score, score_codes)
    if column is None or not _are_defined(y_score, from_logits):
        return float("nan")
    error = np.exp(y_score - _log_sum_exp(y_score)[:, None]) if from_logits else y_score.copy()
    error[np.arange(len(column)), column] -= 1
    return _mean(np.einsum("ij,ij->i", error, error), weights) / (2 if y_score.shape[1] <= 2 else 1)


def brier_skill(
    y_true: np.ndarray,
    y_score: np.ndarray,
    *,
    score_codes: Sequence[int] | None = None,
    from_logits: bool = False,
    weights: np.ndarray | None = None,
) -> float:
    """Return how much smaller the Brier score is than that of always giving the shares of the classes; at most 1.

    Parameters, and what is undefined, as in `log_loss`; undefined (NaN), too, where all rows are of one class.

    Source: Murphy 1973, "Hedging and skill scores for probability forecasts", Journal of Applied Meteorology 12.

    >>> round(brier_skill(np.array([True, False]), np.array([0.8, 0.4])), 4)
    0.6
    """
    score = brier_score(y_true, y_score, score_codes=score_codes, from_logits=from_logits, weights=weights)
    of_shares = brier_of_shares(y_true, y_score, weights)
    return 1 - score / of_shares if of_shares else float("nan")


def brier_of_shares(y_true: np.ndarray, y_score: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the Brier score of always giving each class its share of the rows with a score; 0 of one class."""
    weights = _weights_with_scores(y_score, weights)
    truth, known = _with_scores(y_true, y_score)
    rows = np.bincount(truth.astype(np.int64), weights)
    shares = rows / max(rows.sum(), 1)
    halves = 2 if known.ndim == 1 or known.shape[1] <= 2 else 1
    return float(1 - (shares**2).sum()) / halves if rows.sum() else 0.0


def row_log_losses(y_true: np.ndarray, y_score: np.ndarray, *, from_logits: bool = False) -> np.ndarray:
    """Return -ln of the probability that the score of the positive class gives to the truth, in nats: float64 (n,).

    y_true bool (n,), y_score float64 (n,); clipping as in `log_loss`, whose terms these are. One NaN stands for all
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


def _with_scores(y_true: np.ndarray, y_score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    y_true, y_score = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
    if y_true.dtype == np.bool_ and y_score.ndim == 2 and y_score.shape[1] == 1:
        y_score = y_score[:, 0]
    wanted = 1 if y_true.dtype == np.bool_ else 2
    if y_score.ndim != wanted or y_true.shape != y_score.shape[:1]:
        raise ValueError(
            f"y_score must be {wanted}-dimensional with a row for each truth, not {y_score.shape} for {y_true.shape}."
        )
    missing = np.isnan(y_score) if wanted == 1 else np.isnan(y_score).any(axis=1)
    return (y_true[~missing], y_score[~missing]) if missing.any() else (y_true, y_score)


def _weights_with_scores(y_score: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
    """Return the weights of the lines that have every score."""
    if weights is None:
        return None
    missing = np.isnan(np.asarray(y_score, dtype=np.float64))
    return weights[~missing.reshape(len(missing), -1).any(axis=1)]


def _columns(y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int] | None) -> np.ndarray | None:
    """Return the score column of every row's true class; None if some true class has none."""
    codes = np.arange(y_score.shape[1]) if score_codes is None else np.asarray(score_codes, dtype=np.int64)
    if len(codes) != y_score.shape[1]:
        raise ValueError(f"{len(codes)} score codes for {y_score.shape[1]} score columns.")
    order = np.argsort(codes)
    place = np.searchsorted(codes[order], y_true).clip(max=len(codes) - 1)
    column = order[place]
    return column if (codes[column] == y_true).all() else None


def _are_defined(y_score: np.ndarray, from_logits: bool) -> bool:
    if from_logits:
        return True
    return in_unit(y_score) and bool((np.abs(y_score.sum(axis=1) - 1) <= SUM_TOLERANCE).all())


def _log_clipped(probability: np.ndarray) -> np.ndarray:
    smallest = np.finfo(np.float64).eps
    logarithm: np.ndarray = np.log(np.clip(probability, smallest, 1 - smallest))
    return logarithm


def _log_sum_exp(logits: np.ndarray) -> np.ndarray:
    highest: np.ndarray = logits.max(axis=1)
    rest: np.ndarray = np.exp(logits - highest[:, None]).sum(axis=1)
    total: np.ndarray = highest + np.log(rest)
    return total


def _mean(values: np.ndarray, weights: np.ndarray | None = None) -> float:
    if weights is None or len(values) != len(weights):  # one NaN stands for all of them
        return float(values.mean()) if len(values) else float("nan")
    return float(np.dot(values, weights) / weights.sum()) if weights.any() else float("nan")
