"""The agreement of raters as JSON, and what prevalence does to kappa in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from data.comparison.ratings_table import RatingsTable, find_swapped_raters, numbers_of, pair_sides
from metrics.agreement.agreement import Agreement
from metrics.agreement.corrected_rate import CorrectedRate, corrected_rate
from metrics.agreement.pairs import Preference, Swapped, preferences, self_agreement
from metrics.agreement.ratings import MISSING, Ratings, majority
from text.numbers import count, number, percent
from text.quoting import list_items, quote

TITLES = {
    "percent_agreement": "Percent agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "gwet_ac1": "Gwet's AC1",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "cohen_kappa": "Cohen's kappa",
    "linear_kappa": "Linear weighted kappa",
    "quadratic_kappa": "Quadratic weighted kappa",
    "scott_pi": "Scott's pi",
    "brennan_prediger": "Brennan–Prediger",
}
"""Names of the coefficients of all raters, in the order in which they are shown."""
ORDERED = ("alpha_ordinal", "alpha_interval", "linear_kappa", "quadratic_kappa")
"""Coefficients of categories that have an order."""


def ratings_of(table: RatingsTable, *, ordered: bool = False) -> Ratings:
    """Return ratings as the metrics take them: categories that are numbers are in their order.

    ordered : whether the categories stand in an order that a person gave.
    """
    return Ratings(table.raters, table.categories, table.codes, numbers_of(table.categories), ordered=ordered)


class Bias(NamedTuple):
    """Hold what raters of pairs prefer besides quality, and how often each rater does.

    kind, name : as in `data.comparison.ratings_table.Side`.
    """

    kind: str
    name: str
    preferences: list[Preference]


def biases(rows: pa.Table, table: RatingsTable, agreement: Agreement) -> tuple[list[Bias], list[Swapped]]:
    """Return what raters of pairs prefer besides quality, and what they say when the order is swapped.

    rows : a row a unit.
    """
    ratings, level = agreement.ratings, agreement.level
    swapped, listed = find_swapped_raters(table.raters), []
    categories, sides = pair_sides(rows, table) or ((0, 0), [])  # no pairs have no sides
    for side in sides:
        # who saw the answers in the other order, saw another one first
        in_other_order = tuple(swapped.values()) if side.kind == "first" else ()
        prefer = preferences(ratings, side.codes, categories, agreement.people, level=level, swapped=in_other_order)
        listed.append(Bias(side.kind, side.name, prefer))
    return listed, [self_agreement(ratings, rater, other, level=level) for rater, other in swapped.items()]


def corrected_rates(agreement: Agreement) -> list[CorrectedRate]:
    """Return the true rate of every category, the majority of people being the truth where they rated."""
    assert agreement.judge is not None
    ratings = agreement.ratings
    judge = ratings.codes[:, agreement.judge]
    truth = majority(ratings.of(agreement.people).counts) if agreement.people else np.full(len(judge), MISSING)
    return [corrected_rate(truth, judge, code, level=agreement.level) for code in range(len(ratings.categories))]


def pairs_json(biases: list[Bias], again: list[Swapped], raters: Sequence[str]) -> dict[str, Any]:
    """Return the preferences of raters of pairs; {} without any."""
    if not biases and not again:
        return {}
    return {
        "preferences": [
            {
                "of": bias.kind, "name": bias.name,
                "raters": {
                    raters[judged.rater]: judged.share.with_value() | {
                        "n": judged.share.n, "people": judged.people.value, "n_both": judged.n_both,
                        "difference": {"value": judged.difference, **judged.bounds._asdict()},
                    }
                    for judged in bias.preferences
                },
            }
            for bias in biases
        ],
        "order_swapped": [
            {"rater": raters[swap.rater], "again": raters[swap.again], "same": swap.same.with_value() | {"n": swap.n}}
            for swap in again
        ],
    }  # fmt: skip


def to_json(agreement: Agreement, sentences: list[str]) -> dict[str, Any]:
    """Return everything as one dictionary; NaN = undefined."""
    ratings = agreement.ratings
    coefficients = {name: estimate._asdict() for name, estimate in agreement.coefficients.items()}
    alphas = {scale: coefficients.pop(f"alpha_{scale}") for scale in ("nominal", "ordinal", "interval")}
    return {
        "n_units": ratings.n_units,
        "n_units_of_two": ratings.n_pairable,
        "n_raters": len(ratings.raters),
        "raters": list(ratings.raters),
        "categories": list(ratings.categories),
        "level": agreement.level,
        **coefficients,
        "krippendorff_alpha": alphas,
        "pairs": [
            {
                "a": ratings.raters[pair.a], "b": ratings.raters[pair.b], "n": pair.n,
                "percent_agreement": pair.percent_agreement._asdict(), "cohen_kappa": pair.cohen_kappa._asdict(),
                "linear_kappa": pair.linear_kappa._asdict(), "quadratic_kappa": pair.quadratic_kappa._asdict(),
                "marginal_homogeneity": pair.homogeneity._asdict(),
            }
            for pair in agreement.pairs
        ],
        "ceiling": _ceiling(agreement),
        "truth": agreement.truth._asdict(),
        **_correct_rates(agreement),
        "warnings": sentences,
    }  # fmt: skip


def _correct_rates(agreement: Agreement) -> dict[str, Any]:
    """Return the rate of every category, corrected for the errors of the judge; {} without one."""
    if agreement.judge is None:
        return {}
    pairs = zip(agreement.ratings.categories, corrected_rates(agreement), strict=True)
    return {"corrected_rate": {name: rate._asdict() for name, rate in pairs}}


def _ceiling(agreement: Agreement) -> dict[str, Any]:
    """Return every person, and the judge, against the majority of the other people."""
    names = agreement.ratings.raters
    rows = {
        names[limit.rater]: limit.agreement.with_value() | {"n": limit.n, "ties": limit.ties}
        for limit in agreement.ceiling
    }  # fmt: skip
    judge = None if agreement.judge is None else rows.pop(names[agreement.judge])
    mean = agreement.ceiling_mean
    return {"raters": rows, "mean": mean.value, "mean_interval": mean._asdict(), "judge": judge}


def rating_warnings(agreement: Agreement) -> list[str]:
    """Return a warning where one rater alone uses a category: it may be a spelling, or an answer that is none."""
    ratings, named = agreement.ratings, []
    for code, category in enumerate(ratings.categories):
        n_units = (ratings.codes == code).sum(axis=0)  # by rater
        if (n_units > 0).sum() == 1 and len(ratings.raters) > 1:
            rater = ratings.raters[int(n_units.argmax())]
            named.append(f"{quote(category)} ({quote(rater)}, {count(int(n_units.max()), 'unit')})")
    if not named:
        return []
    return [
        f"Only one rater uses {'this category' if len(named) == 1 else 'these categories'}: "
        f"{list_items(named, quoted=False)}. If another category is meant, merge the two."
    ]


def prevalence_sentences(agreement: Agreement) -> list[str]:
    """Return a sentence where one frequent category parts kappa from AC1."""
    gap = agreement.prevalence_gap()
    if gap is None:
        return []
    category = quote(agreement.ratings.categories[gap["category"]])
    return [
        f"Two raters agree in {percent(gap['agreement'])} of the units, yet kappa is {number(gap['kappa'])}: "
        f"{percent(gap['share'])} of the ratings are {category}. AC1 allows for that: {number(gap['ac1'])}."
    ]
