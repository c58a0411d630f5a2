"""The agreement of raters as JSON, and what prevalence does to kappa in words."""

from __future__ import annotations

import math
from typing import Any

from metrics.agreement.agreement import Agreement
from text.numbers import percent
from text.quoting import quote


def to_json(found: Agreement, said: list[str]) -> dict[str, Any]:
    """Return everything as one dictionary; NaN = undefined."""
    ratings, own = found.ratings, {name: one._asdict() for name, one in found.coefficients.items()}
    alphas = {name.removeprefix("alpha_"): own.pop(name) for name in list(own) if name.startswith("alpha_")}
    return {
        "n_units": ratings.n_units,
        "n_units_of_two": ratings.n_pairable,
        "n_raters": len(ratings.raters),
        "raters": list(ratings.raters),
        "categories": list(ratings.categories),
        "level": found.level,
        **own,
        "krippendorff_alpha": alphas,
        "pairs": [
            {
                "a": ratings.raters[pair.a], "b": ratings.raters[pair.b], "n": pair.n,
                "percent_agreement": pair.percent_agreement._asdict(), "cohen_kappa": pair.cohen_kappa._asdict(),
                "marginal_homogeneity": pair.homogeneity._asdict(),
            }
            for pair in found.pairs
        ],
        "ceiling": _ceiling(found),
        "truth": found.truth._asdict(),
        "warnings": said,
    }  # fmt: skip


def _ceiling(found: Agreement) -> dict[str, Any]:
    """Return every person, and the judge, against the majority of the other people."""
    names = found.ratings.raters
    rows = {
        names[one.rater]: one.agreement.with_value() | {"n": one.n, "ties": one.ties} for one in found.ceiling
    }  # fmt: skip
    judge = None if found.judge is None else rows.pop(names[found.judge])
    people = [one.agreement.value for one in found.ceiling if one.rater != found.judge]
    known = [value for value in people if not math.isnan(value)]
    return {"raters": rows, "mean": sum(known) / len(known) if known else math.nan, "judge": judge}


def prevalence_sentences(found: Agreement) -> list[str]:
    """Return a sentence where one frequent category parts kappa from AC1."""
    gap = found.prevalence_gap()
    if gap is None:
        return []
    category = quote(found.ratings.categories[gap["category"]])
    return [
        f"Two raters agree in {percent(gap['agreement'])} of cases, yet kappa is {gap['kappa']:.3f}: "
        f"{percent(gap['share'])} of the ratings are {category}. AC1 allows for that: {gap['ac1']:.3f}."
    ]
