"""Coefficients of agreement with intervals by bootstrap over units, of all raters and of every two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from metrics.agreement.coefficients import (
    Coefficients,
    Homogeneity,
    PairAgreement,
    coefficients,
    marginal_homogeneity,
    pair_agreement,
    pairs_of,
)
from metrics.agreement.ratings import MISSING, TIE, Ratings, majority
from metrics.intervals.joint_counts import Cells, joint_counts
from metrics.intervals.statistic import Interval, Statistic, interval, share_of_rows
from metrics.limits import MAX_FULLY_DRAWN_ROWS
from metrics.shares import critical_value, wilson

DRAWS = 1_000
FEW_DRAWS = 200
_TOGETHER = 50
"""Draws that are computed together."""
MEANS_OF_PAIRS = ("cohen_kappa", "linear_kappa", "quadratic_kappa", "scott_pi")
"""Coefficients of two raters, which are means over the pairs of more."""
_ONE_CATEGORY = "no unit has two ratings, or all ratings are of one category"


class Estimate(NamedTuple):
    """A coefficient with its interval; NaN where undefined."""

    value: float
    low: float
    high: float
    method: str


class Pair(NamedTuple):
    """Two raters, by their places, on the n units that both rated."""

    a: int
    b: int
    n: int
    percent_agreement: Estimate
    cohen_kappa: Estimate
    linear_kappa: Estimate
    quadratic_kappa: Estimate
    homogeneity: Homogeneity


class Ceiling(NamedTuple):
    """One rater against the majority of the other people.

    n : units with such a majority. ties : units without, left out.
    """

    rater: int
    agreement: Interval
    n: int
    ties: int


class Truth(NamedTuple):
    """Units by how their truth could be found."""

    majority: int
    ties: int
    unanimous: int


@dataclass(frozen=True, eq=False)
class Agreement:
    """Raters compared; intervals are percentiles of draws of units with replacement.

    judge : the place of the rater that is judged, who is no part of the ceiling of the others.
    models : places of further raters that are no people.
    """

    ratings: Ratings
    level: float = 0.95
    seed: int = 0
    judge: int | None = None
    models: tuple[int, ...] = ()

    @property
    def people(self) -> list[int]:
        """Return places of the raters that are people."""
        return [place for place in range(len(self.ratings.raters)) if place not in (self.judge, *self.models)]

    @cached_property
    def _distinct(self) -> tuple[Ratings, np.ndarray]:
        return self.ratings.distinct()

    @property
    def draws(self) -> int:
        """Return how often the bootstrap draws: fewer where very many units differ."""
        return DRAWS if len(self._distinct[1]) <= MAX_FULLY_DRAWN_ROWS else FEW_DRAWS

    @cached_property
    def _drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """Return values of every draw: of all raters (draws, 11), and of every two (draws, pairs, 4)."""
        rows, times = self._distinct
        random, places = np.random.default_rng(self.seed), pairs_of(rows)
        shares, total = times / times.sum(), times.sum()
        all_, pairs = [], []
        for start in range(0, self.draws, _TOGETHER):
            drawn = random.multinomial(total, shares, size=min(_TOGETHER, self.draws - start))
            all_.append(np.array(coefficients(rows, drawn), dtype=np.float64).T)
            pairs.append(
                np.array([pair_agreement(rows, drawn, a, b)[1:5] for a, b in places]).reshape(-1, 4, len(drawn))
            )
        return np.concatenate(all_), np.concatenate([part.transpose(2, 0, 1) for part in pairs])

    @cached_property
    def coefficients(self) -> dict[str, Estimate]:
        """Return every coefficient of all raters by its name."""
        rows, times = self._distinct
        values: Coefficients = coefficients(rows, times)
        more = " (mean over pairs of raters)" if len(rows.raters) > 2 else ""
        estimates = {
            name: self._estimate(
                value,
                self._drawn[0][:, place],
                more if name in MEANS_OF_PAIRS else "",
                why=self._why_undefined(name),
            )
            for place, (name, value) in enumerate(values._asdict().items())
        }
        if len(self.pairs) == 1:
            estimates["percent_agreement"] = self.pairs[0].percent_agreement
        return estimates

    def _why_undefined(self, name: str) -> str:
        if name == "alpha_interval" and self.ratings.values is None:
            return "the categories are no numbers"
        if name in ("alpha_ordinal", "linear_kappa", "quadratic_kappa") and not self.ratings.has_order:
            return "the categories have no order"
        return _ONE_CATEGORY

    def _estimate(self, value: float, drawn: np.ndarray, more: str = "", why: str = _ONE_CATEGORY) -> Estimate:
        if math.isnan(value):
            return Estimate(value, math.nan, math.nan, f"undefined: {why}")
        known = drawn[~np.isnan(drawn)]
        tail = (1 - self.level) / 2
        low, high = np.quantile(known, [tail, 1 - tail]) if len(known) else (math.nan, math.nan)
        method = f"bootstrap over units, {self.draws:,} draws, seed {self.seed}{more}"
        if low == high:
            return self._at_edge(value, more)
        if len(known) < len(drawn):
            method += f"; undefined in {1 - len(known) / len(drawn):.1%} of them".replace("%", " %")
        return Estimate(value, float(low), float(high), method)

    def _at_edge(self, value: float, more: str) -> Estimate:
        """Return a coefficient that no draw changes: shares have Wilson's bounds, the others none."""
        if value not in (0.0, 1.0):
            return Estimate(value, math.nan, math.nan, f"undefined: no draw differs{more}")
        n = self.ratings.n_pairable
        bounds = wilson(value * n, n, critical_value(self.level))
        low, high = (bounds.low, 1.0) if value else (0.0, bounds.high)
        return Estimate(value, low, high, f"Wilson over units: no draw differs{more}")

    @cached_property
    def pairs(self) -> list[Pair]:
        """Return every two raters."""
        rows, times = self._distinct
        compared = []
        for place, (a, b) in enumerate(pairs_of(rows)):
            agreed: PairAgreement = pair_agreement(rows, times, a, b)
            drawn = self._drawn[1][:, place]
            first, second = rows.codes[:, a], rows.codes[:, b]
            both = (first != MISSING) & (second != MISSING)
            share = self._agreement(np.repeat(first[both], times[both]), np.repeat(second[both], times[both]))
            homogeneity = marginal_homogeneity(first[both], second[both], times[both], len(rows.categories))
            agreement, kappa, linear, quadratic = (
                self._estimate(value, of_draws, why=self._why_undefined(name))
                for name, value, of_draws in zip(PairAgreement._fields[1:5], agreed[1:5], drawn.T, strict=True)
            )
            if agreed.n:  # a share of units, as accuracy is one of rows
                agreement = Estimate(share.value, share.low, share.high, share.method)
            compared.append(Pair(a, b, int(agreed.n), agreement, kappa, linear, quadratic, homogeneity))
        return compared

    @cached_property
    def ceiling(self) -> list[Ceiling]:
        """Return every rater, the judge too, against the majority of the other people, on units that the judge
        rated.
        """
        return [self._against(place) for place in range(len(self.ratings.raters))]

    def _majority_of_others(self, rater: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the majority of the other people for every unit, and the units that have it and a rating."""
        codes, others = self.ratings.codes[:, rater], [other for other in self.people if other != rater]
        most = majority(self.ratings.of(others).counts) if others else np.full(len(codes), MISSING)
        return most, self._seen & (codes != MISSING) & (most >= 0)

    @cached_property
    def _seen(self) -> np.ndarray:
        """Return the units that the judge rated; all of them without one."""
        codes = self.ratings.codes
        return np.ones(len(codes), dtype=bool) if self.judge is None else codes[:, self.judge] != MISSING

    def _against(self, rater: int) -> Ceiling:
        codes = self.ratings.codes[:, rater]
        most, chosen = self._majority_of_others(rater)
        rated = self._seen & (codes != MISSING)
        agreement = self._agreement(most[chosen], codes[chosen])
        return Ceiling(rater, agreement, int(chosen.sum()), int((rated & (most == TIE)).sum()))

    def _agreement(self, first: np.ndarray, second: np.ndarray) -> Interval:
        """Return the share of units with equal categories."""
        cells = joint_counts(first, [second], n_labels=len(self.ratings.categories))
        return interval(share_of_rows(cells, cells.right()), cells, level=self.level)

    @cached_property
    def ceiling_mean(self) -> Estimate:
        """Return the mean of the people's agreement with the majority of the others.

        Its error adds up by unit, since one unit moves the agreement of several people (delta method, on the logit).
        """
        n, of_people = (
            len(self.ratings.codes),
            [ceiling for ceiling in self.ceiling if ceiling.rater in self.people and ceiling.n],
        )
        cells, influence, places = Cells(np.ones(n, dtype=np.int64), None, 0, 0), np.zeros(n), np.zeros(n, dtype=bool)
        for ceiling in of_people:
            most, chosen = self._majority_of_others(ceiling.rater)
            right = (self.ratings.codes[:, ceiling.rater] == most)[chosen]
            influence[chosen] += (right - ceiling.agreement.value) / ceiling.n / len(of_people)
            places |= chosen
        value = sum(ceiling.agreement.value for ceiling in of_people) / len(of_people) if of_people else math.nan
        few = float(places.sum())
        mean = Statistic(value, influence, "unit", edge=lambda wilson: wilson(value * few, few))
        bounds = interval(mean, cells, level=self.level)
        return Estimate(bounds.value, bounds.low, bounds.high, bounds.method)

    @cached_property
    def truth(self) -> Truth:
        """Count the units with a majority, a tie, and one category only, of those that two people or more rated."""
        of_people = self.ratings.of(self.people).counts
        counts = of_people[of_people.sum(axis=1) >= 2]
        most = majority(counts)
        return Truth(int((most >= 0).sum()), int((most == TIE).sum()), int(((counts > 0).sum(axis=1) == 1).sum()))

    @cached_property
    def contested(self) -> np.ndarray:
        """Return the units that two raters or more rated, the most contested first: int64 (m,)."""
        counts = self.ratings.counts
        per_unit = counts.sum(axis=1)
        pairs = np.maximum(per_unit * (per_unit - 1), 1)
        disagreement = 1 - (counts * (counts - 1)).sum(axis=1) / pairs
        order = np.argsort(-disagreement, kind="stable")
        return np.asarray(order[(per_unit >= 2)[order] & (disagreement > 0)[order]])

    def prevalence_gap(self) -> dict[str, Any] | None:
        """Return kappa, AC1 and the share of the most frequent category, where prevalence parts them; else None."""
        kappa, ac1, agreement = (
            self.coefficients[name].value for name in ("fleiss_kappa", "gwet_ac1", "percent_agreement")
        )
        if math.isnan(kappa) or not (agreement >= 0.8 and ac1 - kappa >= 0.2):
            return None
        share = self.ratings.counts.sum(axis=0) / self.ratings.counts.sum()
        top = int(share.argmax())
        return {"kappa": kappa, "ac1": ac1, "agreement": agreement, "category": top, "share": float(share[top])}
