"""The sections of the report about parts of the rows: worst slices, the slices of a column, groups, and times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from export.by_slice.drift_json import cluster_sentences
from export.by_slice.search_sentences import describe_not_crossed
from export.compare.comparison_text import name_metric
from export.pictures.periods import Period, periods_picture
from export.pictures.words import name, percent, text
from export.report import markup
from export.report.markup import Cell
from export.report.part import Part
from text.intervals import bounds, points
from text.numbers import count, number, signed
from text.visible import show

_GROUP_RATES = (
    ("base_rate", "share positive"), ("selection_rate", "selection rate"), ("tpr", "recall (TPR)"),
    ("fpr", "false positive rate"), ("ppv", "precision (PPV)"), ("accuracy", "accuracy"),
)  # fmt: skip
_UNTOLD = "cannot be told"
_SLICES = 1_000
"""So many slices are listed at most; how many more there are is said."""


def worst_part(found: dict[str, Any], metric: str) -> Part:
    """List the slices of all columns and pairs that are worse than the rest.

    found : as `worst_slices_json` gives it. metric : the name of the one that was searched by, plain text.
    """
    lines = found["worst_slices"]
    searched = f"{count(found['worst_searched'], 'slice')} of all columns and pairs were compared with the rest"
    body = (
        _line(one["slice"], one["n"], one, one["difference_to_rest"], one["difference_to_rest"]["p_adjusted"])
        for one in lines[:_SLICES]
    )
    table = markup.table("worst-slices", f"Slices that are worse, by {metric}", _titles(metric), body)
    said = f"{searched}; {_are(len(lines), 'slice')} worse. p is corrected over all of them (Benjamini–Hochberg)."
    left = [f"{text(column)} ({text(why)})" for column, why in found["worst_not_searched"].items()]
    crossed = describe_not_crossed(found["worst_not_crossed"])
    note = f'<p class="note">{crossed}</p>' if crossed else ""
    note += f'<p class="note">Not searched: {", ".join(left)}.</p>' if left else ""
    return Part("worst-slices-of-all", "Worst slices", f"<p>{said}</p>{table if lines else ''}{note}", found)


def slices_part(found: dict[str, Any], columns: Sequence[str], sentences: Sequence[str]) -> Part:
    """List every slice of columns against its rest.

    found : as `slices_json` gives it. columns : what was sliced by, as a person names it.
    """
    slices = found["slices"]
    metric = next(iter(slices[0]["metrics"])) if slices else "accuracy"
    body = (
        _line(one["slice"], one["n"], one["metrics"][metric], one["difference_to_rest"][metric],
              one["difference_to_rest"][metric]["p_adjusted"])
        for one in slices[:_SLICES]
    )  # fmt: skip
    said = name_metric(metric)
    table = markup.table("slices-table", f"{count(len(slices), 'slice')} by {said}", _titles(said), body)
    more = [f"{count(len(slices) - _SLICES, 'more slice')} in the JSON."] if len(slices) > _SLICES else []
    by = " and ".join(show(column, 60) for column in columns)
    return Part("slices", f"Slices by {by}", table + markup.item_list(text(one) for one in (*sentences, *more)), found)


def _titles(metric: str) -> list[str]:
    return ["slice", "rows", metric, "interval", "minus the rest", "interval", "p"]


def _line(
    values: Mapping[str, str | None], n: int, own: Mapping[str, float], moved: Mapping[str, float], p: float
) -> list[str | Cell]:
    cells: list[str | Cell] = [text(name_slice(values)), Cell(f"{n:,}", n), Cell(number(own["value"]), own["value"]),
                               Cell(_ends(own))]  # fmt: skip
    if math.isnan(moved["p"]):
        return [*cells, Cell("too few to tell", math.nan), Cell(""), Cell("", math.nan)]
    return [*cells, Cell(signed(moved["value"]), moved["value"]), Cell(_ends(moved)), Cell(markup.p_value(p), p)]


def name_slice(values: Mapping[str, str | None]) -> str:
    """Write a slice as plain text.

    >>> name_slice({"country": "DE", "age": None})
    'country = DE, age missing'
    """
    return ", ".join(
        f"{column} missing" if value is None else f"{column} = {value}" for column, value in values.items()
    )


def groups_part(found: dict[str, Any]) -> Part:
    """Set the groups of a column beside each other: rates, gaps, thresholds, and what equal rates cost.

    found : as `groups_json` gives it.
    """
    groups = found["groups"]
    has_scores = "best_threshold" in groups[0] if groups else False
    titles = ["group", "rows", *(title for _, title in _GROUP_RATES)]
    titles += ["mean score minus share positive", "its own best threshold"] if has_scores else []
    rates = markup.table("group-rates", "Rates of the groups, with intervals", titles,
                         (_group(one, has_scores) for one in groups))  # fmt: skip
    known = dict(_GROUP_RATES)
    gap_titles = ["rate", "lower", "higher", "difference", "interval", "ratio", "verdict", "too few rows"]
    body = [[known[rate], *_gap(one)] for rate, one in found["gaps"].items()]
    gaps = markup.table("group-gaps", "Gaps between groups", gap_titles, body, sort=False, numeric_from=3)
    said = f"Positive class: {name(found['positive'])}. A rate over fewer than ten rows cannot be told."
    costs = markup.item_list(map(_cost, found["equalised"])) if found["equalised"] else ""
    content = f"<p>{said}</p>{rates}{gaps}{costs}"
    return Part("groups", f"Groups by {show(found['column'], 60)}", content, {"fairness": found})


def _group(one: Mapping[str, Any], has_scores: bool) -> list[str | Cell]:
    cells: list[str | Cell] = [text(name_slice(one["group"])), Cell(f"{one['n']:,}", one["n"])]
    for rate, _ in _GROUP_RATES:
        at = one[rate]
        told = at["n"] >= 10 and not math.isnan(at["value"])
        cells.append(Cell(f"{number(at['value'])} ({_ends(at)})" if told else _UNTOLD, at["value"]))
    if has_scores:
        off, best = one["calibration"], one["best_threshold"]
        told = not math.isnan(off["value"])
        cells.append(Cell(f"{signed(off['value'])} ({_ends(off)})" if told else _UNTOLD, off["value"]))
        known = not math.isnan(best["threshold"])
        there = f"{best['threshold']:.4g} (F1 {number(best['f1'])}, {number(best['f1_in_use'])} now)"
        cells.append(Cell(there if known else _UNTOLD, best["threshold"]))
    return cells


def _gap(gap: Mapping[str, Any]) -> list[str | Cell]:
    moved, ratio = gap["difference"], gap["ratio"]
    left_out = text("; ".join(map(name_slice, gap["left_out"])))
    if math.isnan(moved["value"]):
        return ["", "", Cell(""), Cell(""), Cell(""), Cell(_UNTOLD), left_out]
    return [text(name_slice(gap["lower"])), text(name_slice(gap["higher"])), Cell(number(moved["value"])),
            Cell(_ends(moved)), Cell(number(ratio["value"], 2)), Cell(gap["verdict"]), left_out]  # fmt: skip


def _cost(one: Mapping[str, Any]) -> str:
    more = one["wrong_then"] - one["wrong_now"]
    what = "recall" if one["rate"] == "recall" else "selection rate"
    said = f"{count(abs(more))} {'more' if more > 0 else 'fewer'} wrong" if more else "as many rows wrong"
    return f"The same {what} of {number(one['target'], 2)} in every group, with one threshold for each: {said}."


def drift_part(found: dict[str, Any], metric: str = "", periods: Sequence[Period] = ()) -> Part:
    """Say what changed from rows before to rows after: base rate first, then accuracy, then what moved.

    found : as `drift_json` and `files_json` give it. metric, periods : the metric over time, where it is drawn.
    """
    base, change, rows = found["base_rate"], found["accuracy"], found["rows"]
    said = [
        f"{count(rows['before'])} before, {count(rows['after'])} after.",
        f"Base rate of {name(base['class'])}: {_share(base, 'before')} before, {_share(base, 'after')} after, "
        f"{points(base['difference'], base['low'], base['high'])}.",
    ]
    if change is not None and not math.isnan(change["before"]):
        mix, rest = (points(one["value"], one["low"], one["high"]) for one in (change["mix"], change["rest"]))
        said.append(
            f"Accuracy: {_share(change, 'before')} before, {_share(change, 'after')} after. {mix} come from the mix of "
            f"true classes, {rest} from the rest."
        )
    said += cluster_sentences(found, name)
    titles = ["what", "index", "by chance below", "p", "moved most", "before", "after"]
    moved = map(_moved_cells, found["moved"])
    table = markup.table("drift-table", "What moved; p after Benjamini–Hochberg", titles, moved, sort=False)
    after, before = (show(str(found.get(key, "")), 60) for key in ("after", "before"))
    title = f"From {show(found['since'], 60)} on" if "since" in found else f"{after} against {before}"
    return Part("drift", title, markup.item_list(said) + _over_time(metric, periods) + table, {"drift": found})


def _share(found: Mapping[str, Any], when: str) -> str:
    """Return a share of one side with its interval."""
    ends = found["intervals"][when]
    within = bounds(ends["low"], ends["high"], share=True)
    return percent(found[when]) + (f" ({within})" if within else "")


def _over_time(metric: str, periods: Sequence[Period]) -> str:
    if not periods:
        return ""
    known = [one for one in periods if not math.isnan(one.value)]
    ends = f": from {number(known[0].value)} to {number(known[-1].value)}" if known else " is undefined"
    picture = markup.picture(periods_picture(periods, f"{metric} over time{ends}"), "over-time")
    body = ([text(one.name), Cell(f"{one.n:,}", one.n), Cell(number(one.value), one.value),
             Cell(_ends(one._asdict()))] for one in periods)  # fmt: skip
    table = markup.table("over-time-table", f"{metric} of every period", ["period", "rows", metric, "interval"], body)
    return picture + markup.fold("The same as a table", table)


def _moved_cells(one: Mapping[str, Any]) -> list[str | Cell]:
    return [
        text(one["column"] or {"truth": "true label", "prediction": "predicted label"}.get(one["what"], one["what"])),
        Cell(number(one["psi"])), Cell(number(one["by_chance"])), Cell(markup.p_value(one["p_adjusted"])),
        text(one["moved_most"] or ""), Cell(percent(one["before"])), Cell(percent(one["after"])),
    ]  # fmt: skip


def _ends(one: Mapping[str, float]) -> str:
    return markup.interval_html(one["low"], one["high"])


def _are(n: int, noun: str) -> str:
    return f"{count(n, noun)} {'is' if n == 1 else 'are'}"
