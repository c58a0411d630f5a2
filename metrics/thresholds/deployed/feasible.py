"""Find the thresholds that keep several limits at once where the model will run, and the cheapest of them.

Where no threshold keeps all, find which limit has to give, and by how much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np

from metrics.outcomes import divide
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.deployed.in_use import Place
from metrics.thresholds.threshold_metrics import ThresholdRates, expected_cost, rates

_ROUNDING = 1e-9
"""Two numbers that differ by less than this part of them are equal but for rounding."""


@dataclass(frozen=True)
class Limits:
    """Say what must hold where the model will run; None = no limit.

    recall, precision : at least, 0..1. predicted : rows predicted positive in a day, at most. cost : of a day, at most.
    """

    recall: float | None = None
    precision: float | None = None
    predicted: float | None = None
    cost: float | None = None

    @property
    def given(self) -> dict[str, float]:
        """Return the limits that there are, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


FLOORS = ("recall", "precision")
"""Limits that hold where the number is at least as high; the others hold where it is at most as high."""


class DayTable:
    """Hold what every threshold does in a day: arrays by the names of the limits, thresholds descending."""

    def __init__(self, table: ThresholdRates, place: Place) -> None:
        positives, negatives = place.rows * place.prevalence, place.rows * (1 - place.prevalence)
        hits, alarms = table.recall * positives, table.fpr * negatives
        cost = expected_cost(table, cost_fp=place.cost_fp, cost_fn=place.cost_fn, prevalence=place.prevalence)
        self.threshold = table.threshold
        self.numbers: Mapping[str, np.ndarray] = {
            "recall": table.recall, "precision": divide(hits, hits + alarms), "predicted": hits + alarms,
            "cost": place.rows * cost,
        }  # fmt: skip

    def keeps(self, name: str, limit: float) -> np.ndarray:
        """Return at which thresholds a limit holds; an undefined number keeps none."""
        slack = _ROUNDING * max(1.0, abs(limit))
        value = self.numbers[name]
        return np.asarray(value >= limit - slack if name in FLOORS else value <= limit + slack)

    def cheapest(self, allowed: np.ndarray) -> int | None:
        """Return the place of the cheapest of some thresholds, the highest of equals; None where there is none."""
        cost = np.where(allowed, self.numbers["cost"], np.nan)
        if np.isnan(cost).all():
            return None
        least = np.nanmin(cost)
        return int(np.argmax(cost <= least + _ROUNDING * max(1.0, abs(least))))


@dataclass(frozen=True)
class Thresholds:
    """Thresholds next to each other, from the lowest to the highest; inf = above every score."""

    low: float
    high: float


@dataclass(frozen=True)
class Loosened:
    """Say how far some limits have to be loosened, so that a threshold keeps all others.

    limits : (name, as wanted, as reached). threshold : where that is.
    """

    limits: tuple[tuple[str, float, float], ...]
    threshold: float


@dataclass(frozen=True)
class Feasible:
    """The thresholds that keep the limits, and the cheapest of them.

    each : of every limit by itself. every : of all together. threshold : NaN where there is none.
    cheapest : without any limit. loosened : where none keeps all, each way out with the fewest limits.
    """

    each: Mapping[str, tuple[Thresholds, ...]]
    every: tuple[Thresholds, ...]
    threshold: float
    cheapest: float
    loosened: tuple[Loosened, ...]


def find_feasible(counts: ScoreCounts, place: Place, limits: Limits) -> Feasible:
    """Return which thresholds keep the limits in a place, and the cheapest; of equals the highest.

    Every distinct score is tried, and "no row is positive" (threshold inf) where a threshold can do that.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> found = find_feasible(counts, Place(0.5, 4), Limits(recall=0.9, predicted=3))
    >>> found.every, found.threshold
    ((Thresholds(low=0.4, high=0.4),), 0.4)
    >>> find_feasible(counts, Place(0.5, 4), Limits(recall=0.9, predicted=2)).loosened
    (Loosened(limits=(('recall', 0.9, 0.5),), threshold=0.9), Loosened(limits=(('predicted', 2, 3.0),), threshold=0.4))
    """
    day = DayTable(rates(counts, nothing_too=True), place)
    kept = {name: day.keeps(name, limit) for name, limit in limits.given.items()}
    allowed = _all_of(kept, day)
    best, free = day.cheapest(allowed), day.cheapest(np.ones(len(day.threshold), dtype=bool))
    return Feasible(
        each={name: _ranges(day.threshold, mask) for name, mask in kept.items()},
        every=_ranges(day.threshold, allowed),
        threshold=math.nan if best is None else float(day.threshold[best]),
        cheapest=math.nan if free is None else float(day.threshold[free]),
        loosened=() if best is not None or free is None else tuple(_loosen(day, limits, kept)),
    )


def _all_of(kept: Mapping[str, np.ndarray], day: DayTable) -> np.ndarray:
    allowed = np.ones(len(day.threshold), dtype=bool)
    for mask in kept.values():
        allowed = allowed & mask
    return allowed


def _ranges(threshold: np.ndarray, mask: np.ndarray) -> tuple[Thresholds, ...]:
    """Return the runs of allowed thresholds, ascending."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    runs = zip(edges[::2], edges[1::2], strict=True)
    return tuple(Thresholds(float(threshold[end - 1]), float(threshold[start])) for start, end in runs)[::-1]


def _loosen(day: DayTable, limits: Limits, kept: Mapping[str, np.ndarray]) -> Iterator[Loosened]:
    """Yield each way to loosen as few limits as possible; one alone as little as possible."""
    for n in range(1, len(kept) + 1):
        ways = [_loosen_some(day, limits, kept, names) for names in combinations(kept, n)]
        if any(ways):
            yield from filter(None, ways)
            return


def _loosen_some(
    day: DayTable, limits: Limits, kept: Mapping[str, np.ndarray], names: tuple[str, ...]
) -> Loosened | None:
    rest = _all_of({name: mask for name, mask in kept.items() if name not in names}, day)
    if len(names) == 1:
        rest = rest & _nearest(day.numbers[names[0]], rest, highest=names[0] in FLOORS)
    place = day.cheapest(rest)
    if place is None:
        return None
    reached = [(name, limits.given[name], float(day.numbers[name][place])) for name in names]
    return Loosened(tuple(reached), float(day.threshold[place]))


def _nearest(value: np.ndarray, rest: np.ndarray, *, highest: bool) -> np.ndarray:
    """Return which of some thresholds come nearest to a limit that all of them miss."""
    wanted = np.where(rest, value if highest else -value, np.nan)
    if np.isnan(wanted).all():
        return np.zeros(len(value), dtype=bool)
    most = np.nanmax(wanted)
    return np.asarray(wanted >= most - _ROUNDING * max(1.0, abs(most)))
