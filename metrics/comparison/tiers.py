"""A leaderboard in tiers: who can be told from the best, and how much better the best looks than it is."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from metrics.catalogue.registry import lower_is_better
from metrics.comparison.multiple_tests import holm

if TYPE_CHECKING:
    from metrics.comparison.comparison import Comparison

_DRAWS = 4_000
_SEED = 0


class Tiers(NamedTuple):
    """Models by one metric.

    tiers : places of the models, the best first within each; the first tier is not clearly worse than the best.
    undefined : models whose metric is undefined; they are in no tier.
    """

    metric: str
    tiers: tuple[tuple[int, ...], ...]
    undefined: tuple[int, ...]


def tiers(compared: Comparison, metric: str) -> Tiers:
    """Sort the models into those that are not clearly worse than the best, and those that are.

    Every model is compared with one anchor, the best, and with no other: tiers do not chain. Which model is the best is
    known from the same rows, so any pair could have been the one that is looked at. Holm's correction over all pairs
    keeps one false split as rare as the level; over those with the best alone it would not.
    """
    values = [compared.interval(metric, model).value for model in range(len(compared.runs.names))]
    sign = -1 if lower_is_better(metric) else 1
    known = [model for model, value in enumerate(values) if not math.isnan(value)]
    undefined = tuple(model for model, value in enumerate(values) if math.isnan(value))
    order = sorted(known, key=lambda model: -sign * values[model])
    if not order:
        return Tiers(metric, (), undefined)
    best = order[0]
    adjusted = adjust_pairs(compared, metric)
    p = {model: adjusted[frozenset((best, model))] for model in order[1:]}
    first = (best, *(model for model in order[1:] if not p[model] <= 1 - compared.level))
    second = tuple(model for model in order if model not in first)
    return Tiers(metric, (first, second) if second else (first,), undefined)


def adjust_pairs(compared: Comparison, metric: str) -> dict[frozenset[int], float]:
    """Return p of the difference between any two models whose metric is defined, after Holm's over all these pairs."""
    models = range(len(compared.runs.names))
    known = [model for model in models if not math.isnan(compared.interval(metric, model).value)]
    pairs = list(combinations(known, 2))
    adjusted = holm([compared.difference(metric, a, b).p for a, b in pairs])
    return {frozenset(pair): p for pair, p in zip(pairs, adjusted, strict=True)}


def best_looks_better_by(compared: Comparison, metric: str) -> float:
    """Return by how much the best of k models looks better than it is, because it is the best on these very rows.

    The metrics are drawn again from a normal distribution around those found, with their covariance (4,000 draws,
    seed 0); the mean excess of each draw's best over its own true value. NaN where the metric is undefined.
    """
    runs, n_models = compared.runs, len(compared.runs.names)
    values = np.array([compared.interval(metric, model).value for model in range(n_models)])
    if n_models < 2 or np.isnan(values).any():
        return math.nan
    errors = np.array([compared.interval(metric, model).se for model in range(n_models)])
    covariance = np.diag(errors**2)
    for a in range(n_models):
        for b in range(a + 1, n_models):
            moved = compared.difference(metric, a, b).se
            covariance[a, b] = covariance[b, a] = (errors[a] ** 2 + errors[b] ** 2 - moved**2) / 2
    if not np.isfinite(covariance).all():
        return math.nan
    sign = -1 if lower_is_better(metric) else 1
    noise = np.random.default_rng(_SEED).multivariate_normal(np.zeros(n_models), covariance, _DRAWS, method="eigh")
    best = (sign * (values + noise)).argmax(axis=1)
    return float((sign * noise)[np.arange(_DRAWS), best].mean()) if runs.n else math.nan
