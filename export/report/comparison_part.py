"""The section of the report that compares runs: what was found, the runs in tiers, flips, metrics, classes, curves."""

from __future__ import annotations

import math
from collections.abc import Sequence

from data.comparison.aligned_runs import AlignedRuns, JoinedRows
from export.compare.class_changes import ClassChange, find_class_changes
from export.compare.comparison import to_json
from export.compare.comparison_text import name_metric, pair_parts, shown_names, with_interval
from export.interval_text import name_level
from export.pictures.curves import Line, pr_picture, roc_picture
from export.pictures.words import name, percent, text
from export.report import markup
from export.report.markup import Cell
from export.report.part import Part
from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import Difference
from metrics.comparison.flips import Flips
from metrics.comparison.tiers import tiers
from text.numbers import UNDEFINED, count, number, signed
from text.visible import show

_RATES = (("recall", "Recall"), ("f1", "F1"))


def comparison_part(
    found: Comparison,
    aligned: AlignedRuns,
    said: Sequence[str],
    pair: tuple[int, int],
    *,
    metric: str = "",
    curves: Sequence[Line] = (),
    label: str | None = None,
) -> Part:
    """Compare the runs of a report; `pair` are the two that are compared in full.

    metric : what sorts the runs; "" = the main one. curves : of the pair, where both have scores of one class.
    label : the class of the curves; None = the positive class.
    """
    metric, names = metric or found.main_metric, found.runs.names
    headline, rest = pair_parts(found, *pair, name=name, label=name)
    parts = [
        f'<p class="takeaway">{headline}</p><p>{rest}</p>',
        f'<p class="note">{_rows(aligned.rows, aligned.how)}</p>',
        _warnings(said),
        _runs(found, metric),
        _flips(found, pair),
        _metrics(found, pair),
        _classes(found, pair) if found.runs.preds else "",
        _curves(found, pair, curves, label),
    ]
    title = f"{count(len(names), 'run')} on the same rows"
    return Part("comparison", title, "".join(parts), {"comparison": to_json(found, aligned, said, metric, [pair])})


def _warnings(said: Sequence[str]) -> str:
    return markup.item_list(text(one, 1_000) for one in said) if said else ""


def _rows(rows: JoinedRows, how: str) -> str:
    facts = [f"{count(rows.joined)} joined by {how}"]
    facts += [f"{n:,} only in {name(run)}" for run, n in rows.only_in.items() if n]
    facts += [f"{count(rows.truth_differs)} with differing true labels left out"] if rows.truth_differs else []
    return " · ".join(facts)


def _runs(found: Comparison, metric: str) -> str:
    ranking, body = tiers(found, metric), []
    best = ranking.tiers[0][0] if ranking.tiers else 0
    for place, tier in enumerate((*ranking.tiers, ranking.undefined)):
        for model in tier:
            own = found.interval(metric, model)
            known = place < len(ranking.tiers)
            to_best = with_interval(found.difference(metric, best, model), found.level) if known else ""
            body.append([
                text(found.runs.names[model]), f"{place + 1}" if known else "", Cell(number(own.value), own.value),
                Cell(markup.interval_html(own.low, own.high)), Cell("best" if model == best and known else to_best),
            ])  # fmt: skip
    titles = ["run", "tier", name_metric(metric), f"{name_level(found.level)} interval", "difference to the best"]
    return markup.table(
        "compared-runs", "Runs; those of tier 1 are not clearly worse than the best", titles, body, sort=False
    )


def _flips(found: Comparison, pair: tuple[int, int]) -> str:
    flips = found.flips(*pair)
    if flips is None:
        return ""
    a, b = (name(found.runs.names[model], 30) for model in pair)
    body = [[what, Cell(f"{n:,}", n), Cell(percent(n / max(1, flips.n)), n)] for what, n in _kinds(flips)]
    table = markup.table("compared-flips", "Rows by who has them right", ["rows", "count", "share"], body, sort=False)
    return f'<p class="note">Fixed and broken: from {a} (A) to {b} (B).</p>{table}'


def _kinds(flips: Flips) -> list[tuple[str, int]]:
    return [
        ("both right", flips.both_right), ("fixed: wrong in A, right in B", flips.fixed),
        ("broken: right in A, wrong in B", flips.broken), ("wrong in both, the same prediction", flips.wrong_alike),
        ("wrong in both, different predictions", flips.both_wrong - flips.wrong_alike),
    ]  # fmt: skip


def _metrics(found: Comparison, pair: tuple[int, int]) -> str:
    body = []
    for metric in shown_names(found):
        values = [found.interval(metric, model).value for model in pair]
        body.append([name_metric(metric), *(Cell(number(value), value) for value in values),
                     *_difference(found.difference(metric, *pair))])  # fmt: skip
    return markup.table("compared-metrics", "Metrics of A and B", ["metric", "A", "B", *_titles(found)], body)


def _titles(found: Comparison) -> list[str]:
    return ["B − A", f"{name_level(found.level)} interval", "p"]


def _difference(moved: Difference, p: float | None = None) -> list[Cell]:
    if math.isnan(moved.value):
        return [Cell(UNDEFINED, math.nan), Cell(""), Cell("")]
    p = moved.p if p is None else p
    return [
        Cell(signed(moved.value), moved.value),
        Cell(markup.interval_html(moved.low, moved.high)),
        Cell(markup.p_value(p), p),
    ]


def _classes(found: Comparison, pair: tuple[int, int]) -> str:
    noun, tables = "label" if found.runs.many else "class", []
    for rate, title in _RATES:
        changes = find_class_changes(found, *pair, rate)
        caption = f"{title} of every {noun}, the worst loss first; p after Benjamini–Hochberg"
        titles = [noun, "true rows", "A", "B", *_titles(found)]
        table = markup.table(f"compared-{rate}", caption, titles, map(_class, changes))
        tables.append(markup.fold(f"{title} of {count(len(changes), noun)}", table))
    return "".join(tables)


def _class(one: ClassChange) -> list[str | Cell]:
    values = [Cell(number(value), value) for value in (one.a, one.b)]
    return [text(one.label), Cell(f"{one.support:,}", one.support), *values, *_difference(one.moved, one.p)]


def _curves(found: Comparison, pair: tuple[int, int], curves: Sequence[Line], label: str | None) -> str:
    if not curves:
        return ""
    titles = []
    for area in ("roc_auc", "average_precision"):
        metric = area if label is None else f"{area}[{label}]"
        values = [number(found.interval(metric, model).value) for model in pair]
        moved = with_interval(found.difference(metric, *pair), found.level)
        of = name_metric(area).replace("average", "Average") + ("" if label is None else f" of {show(label, 40)}")
        titles.append(f"{of} {values[0]} → {values[1]}: {moved}")
    roc = markup.picture(roc_picture(curves, titles[0]), "compared-roc")
    return f'<div class="pair">{roc}{markup.picture(pr_picture(curves, titles[1]), "compared-pr")}</div>'
