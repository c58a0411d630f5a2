"""Probabilities of several classes where the classes have other shares than the probabilities take for granted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_STEPS, _CLOSE = 1_000, 1e-7


class EstimatedPriors(NamedTuple):
    """Hold shares of classes, float64 (K,), and whether the estimate came to rest."""

    shares: np.ndarray
    is_settled: bool


def shift_priors(probabilities: np.ndarray, in_training: np.ndarray, in_use: np.ndarray) -> np.ndarray:
    """Return the probabilities of every class, float64 (n, K), where classes have other shares.

    in_training, in_use : float64 (K,), shares that the probabilities take for granted, and those of the rows. A class
        without a share in training has none in use. A row is NaN where no class that it may be has a share in use.

    Source: Saerens, Latinne & Decaestecker 2002, Adjusting the outputs of a classifier to new a priori probabilities,
    Neural Computation 14.

    >>> shift_priors(np.array([[0.5, 0.3, 0.2]]), np.array([0.5, 0.25, 0.25]), np.array([0.2, 0.2, 0.6])).round(3)
    array([[0.217, 0.261, 0.522]])
    """
    raised = probabilities * np.divide(in_use, in_training, out=np.zeros(len(in_use)), where=in_training > 0)
    total = raised.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(raised, total, out=np.full(raised.shape, np.nan), where=total > 0))


def estimate_priors(probabilities: np.ndarray, weights: np.ndarray, in_training: np.ndarray) -> EstimatedPriors:
    """Estimate the shares of classes among rows whose truth is unknown, from their probabilities alone.

    It is the EM algorithm of Saerens et al. 2002: shares are the mean of the probabilities corrected by the last
    shares. It needs calibrated probabilities. weights : float64 (n,), how much each row counts in the mean.
    """
    shares = in_training
    for _ in range(_STEPS):
        shifted = shift_priors(probabilities, in_training, shares)
        counted = np.where(np.isnan(shifted[:, 0]), 0.0, weights)
        if not counted.any():
            break
        last, shares = shares, counted @ np.nan_to_num(shifted) / counted.sum()
        if np.abs(shares - last).max() < _CLOSE:
            return EstimatedPriors(shares, True)
    return EstimatedPriors(shares, False)
