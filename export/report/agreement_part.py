"""The section of the report about raters: coefficients, every two raters, the human ceiling, corrected rates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from export.agreement import TITLES
from export.interval_text import name_level
from export.pictures.words import percent, text
from export.report import markup
from export.report.markup import Cell
from export.report.part import Part
from text.numbers import UNDEFINED, count, number


def agreement_part(found: dict[str, Any]) -> Part:
    """Say how far raters agree; found : as `export.agreement.to_json` gives it."""
    level = f"{name_level(found['level'])} interval"
    every = found | {f"alpha_{name}": one for name, one in found["krippendorff_alpha"].items()}
    known = [(title, every[name]) for name, title in TITLES.items() if name in every]
    units = f"{count(found['n_units'], 'unit')}, {found['n_units_of_two']:,} with two ratings or more"
    coefficients = ([text(title), *_value(one), text(str(one.get("method", "")))] for title, one in known)
    pairs = ["rater", "and", "units", "agreement", level, "kappa", level]
    parts = [
        f"<p>{count(found['n_raters'], 'rater')}, {units}.</p>",
        markup.table(
            "agreement-all", "All raters together", ["coefficient", "value", level, "method"], coefficients, sort=False
        ),
        markup.table("agreement-pairs", "Every two raters", pairs, map(_pair, found["pairs"]), numeric_from=2),
        _ceiling(found["ceiling"], level),
        _correct(found.get("corrected_rate", {}), level),
        markup.item_list(text(one, 1_000) for one in found["warnings"]) if found["warnings"] else "",
    ]
    return Part("agreement", "Agreement of raters", "".join(parts), {"agreement": found})


def _pair(one: Mapping[str, Any]) -> list[str | Cell]:
    agreement, kappa = one["percent_agreement"], one["cohen_kappa"]
    return [text(one["a"]), text(one["b"]), Cell(f"{one['n']:,}", one["n"]), *_value(agreement), *_value(kappa)]


def _ceiling(found: Mapping[str, Any], level: str) -> str:
    rows = dict(found["raters"]) | ({"the judge": found["judge"]} if found["judge"] else {})
    if not rows:
        return ""
    body = ([text(name), *_value(one), Cell(f"{one['n']:,}", one["n"]), Cell(f"{one['ties']:,}", one["ties"])]
            for name, one in rows.items())  # fmt: skip
    title = "Against the majority of the other people; a tie has no majority and is left out"
    return markup.table("agreement-ceiling", title, ["rater", "agreement", level, "units", "ties"], body)


def _correct(found: Mapping[str, Any], level: str) -> str:
    if not found:
        return ""
    body = ([text(name), Cell(percent(one["judged"]), one["judged"]), *_value(one),
             Cell(number(one["sensitivity"], 2)), Cell(number(one["specificity"], 2))]
            for name, one in found.items())  # fmt: skip
    titles = ["category", "judge says", "true rate", level, "sensitivity", "specificity"]
    return markup.table("agreement-rates", "True rates, corrected for the judge's errors", titles, body)


def _value(one: Mapping[str, Any]) -> list[Cell]:
    value, low = one["value"], one["low"]
    if math.isnan(value):
        return [Cell(UNDEFINED, math.nan), Cell("")]
    return [Cell(number(value), value), Cell(markup.interval_html(low, one["high"]))]
