"""The scores of two runs: their curves over each other, and every run's threshold with what it gives."""

from __future__ import annotations

import math
from typing import Literal

import streamlit as st

from charts.run_curves import run_curves
from export.compare.comparison_text import describe_area
from export.result.kinds import Cell, Column, Count, Name, Number, Share, Table, Threshold, Unknown
from metrics.scores.curves import NamedScores, ScoreCounts, score_counts
from text.intervals import bounds, name_interval
from text.numbers import UNDEFINED, number, percent, write_points, write_thresholds
from text.visible import keep_together, show
from ui.compare.run_comparison import ALERTS, OWN, RECALL, Compared, take_thresholds
from ui.text.chart import draw_chart
from ui.text.markdown import md
from ui.view import controls, url
from ui.view.result_table.result_table import Line, result_table

_AT = {OWN: "Each its own", RECALL: "Equal recall", ALERTS: "Equally many predicted positive"}


def has_curves(compared: Compared) -> bool:
    """Return whether every run has scores of the same classes."""
    return bool(compared.comparison.runs.scores)


def class_of_curves(compared: Compared) -> str | None:
    """Return the class of both curves: the one in view, or else the one that loses most rows; None of two classes."""
    runs = compared.comparison.runs
    if compared.counts:
        return None
    scored = [runs.labels[code] for code in runs.score_codes]
    if url.get("class") in scored:
        return str(url.get("class"))
    if not runs.preds:
        return scored[0]
    flips = compared.comparison.class_flips(compared.a, compared.b)
    return min(scored, key=lambda label: flips[label].fixed - flips[label].broken)


def run_scores(compared: Compared) -> list[NamedScores]:
    """Return the scores of A and B, of the positive class or of the class of the curves."""
    label, positive = class_of_curves(compared), compared.comparison.runs.positive or 0
    of_curves = compared.comparison.runs.labels[positive] if label is None else label
    runs = []
    for letter, model in (("A", compared.a), ("B", compared.b)):
        counts = _class_counts((compared.key, of_curves, model), compared)
        threshold = compared.thresholds[model] if label is None else math.nan
        runs.append(NamedScores(f"{letter}: {compared.names[model]}", counts, threshold))
    return runs


@st.cache_resource(show_spinner=False, max_entries=64)
def _class_counts(of: tuple[object, str, int], _compared: Compared) -> ScoreCounts:
    _, label, model = of
    runs = _compared.comparison.runs
    code = runs.labels.index(label)
    score = runs.scores[model][:, runs.score_codes.index(code)]
    return score_counts(runs.is_true(code), score, runs.entry_weights)


def curves(compared: Compared) -> None:
    """Draw both curves of A and B, each with the difference of its area as title."""
    runs, label = run_scores(compared), class_of_curves(compared)
    with st.container(key="compare-curves"):
        if label is not None:
            labels = [compared.comparison.runs.labels[code] for code in compared.comparison.runs.score_codes]
            controls.choose_of_many(
                "class", "Class of the curves", ["", *labels],
                lambda name: show(name, 60) if name else "the one that loses most rows", width=280,
            )  # fmt: skip
        for column, (kind, area) in zip(st.columns(2), _AREAS.items(), strict=True):
            title = describe_area(compared.comparison, (compared.a, compared.b), area, label)
            with column:
                draw_chart(run_curves(kind, runs, title), f"compare.{kind}", alt=title)


_AREAS: dict[Literal["roc", "pr"], str] = {"roc": "roc_auc", "pr": "average_precision"}


def thresholds(compared: Compared) -> None:
    """Draw every run at its own threshold, or all at equal recall or equal alerts; the whole page follows."""
    if not compared.counts or not take_thresholds(compared.aligned.evaluations) or not compared.comparison.runs.preds:
        return
    st.header(_headline(compared), anchor=False)
    controls.choose("at", "Thresholds of all runs on this page", _AT)
    comparison = compared.comparison
    lines, rows = [], []
    written = write_thresholds(compared.thresholds)
    for model, name in enumerate(compared.names):
        lines.append(Line(badge={compared.a: "A", compared.b: "B"}.get(model, "")))
        counts, threshold = compared.counts[model], compared.thresholds[model]
        above = 0 if math.isnan(threshold) else counts.above(threshold)
        alerts = int(counts.tp[above - 1] + counts.fp[above - 1]) if above else 0
        is_known, text = not math.isnan(threshold), written[model]
        score = Threshold(threshold, text) if is_known else Unknown("No threshold is in use.", UNDEFINED)
        rates = (comparison.interval(rate, model) for rate in ("recall", "precision", "f1"))
        rows.append((Name(name), score, Count(alerts), *(Number(rate.value, rate.low, rate.high) for rate in rates)))
    columns = (
        Column("run", Name), Column("score ≥", Threshold), Column("predicted positive", Count),
        Column("recall", Number), Column("precision", Number), Column("F1", Number),
    )  # fmt: skip
    table = Table("run-thresholds", "Thresholds of the runs", columns, rows, "run", in_order=True)
    result_table(table, key="compare.thresholds", lines=lines)
    if url.get("at") != OWN:
        st.caption("The thresholds were chosen on these rows; no interval covers that choice.")


def _headline(compared: Compared) -> str:
    comparison, a, b = compared.comparison, compared.a, compared.b
    positive = md(compared.short[comparison.runs.labels[comparison.runs.positive or 0]], 40)
    way = url.get("at")
    if way == RECALL:
        moved = [comparison.interval("precision", model).value for model in (a, b)]
        return f"At equal recall of {positive}, precision is {number(moved[0])} in A and {number(moved[1])} in B"
    rates = [comparison.interval("recall", model).value for model in (a, b)]
    where = "With equally many rows predicted positive" if way == ALERTS else "Each at its own threshold"
    return f"{where}, recall of {positive} is {number(rates[0])} in A and {number(rates[1])} in B"


def agreement(compared: Compared) -> None:
    """Draw how often the runs predict the same, and what choosing the right run for every row would give."""
    comparison = compared.comparison
    if not comparison.runs.preds:
        return
    metric = "subset_accuracy" if comparison.runs.many else "accuracy"
    name = comparison.name_metric(metric)
    best = max(comparison.interval(metric, model).value for model in range(len(compared.names)))
    chosen = comparison.right_by_one()
    same = comparison.agreement(compared.a, compared.b)
    st.header(keep_together(f"A and B predict the same in {percent(same.value)} of the rows"), anchor=False)
    within, of_chosen = bounds(same.low, same.high, share=True), bounds(chosen.low, chosen.high, share=True)
    sentence = (
        (f"The {name_interval(same.level)} is {within}. " if within else "")
        + f"Choosing the right run for every row would give {name} {percent(chosen.value)}"
        + (f" ({of_chosen})" if of_chosen else "")
        + f", {write_points(chosen.value - best)} compared with the best run."
    )
    st.markdown(keep_together(sentence))
    if len(compared.names) < 3:
        return
    places = range(len(compared.names))
    columns = [Column("share of the rows", Name)]
    columns += [Column(f"{place + 1}", Share, about=compared.names[place]) for place in places]
    rows = []
    for place, name in enumerate(compared.names):
        shares = [Share(comparison.agreement(place, other).value) for other in places]
        cells: list[Cell] = [*shares[:place], "", *shares[place + 1 :]]  # a run agrees with itself
        rows.append((Name(f"{place + 1} {name}"), *cells))
    table = Table("run-agreement", "How often two runs predict the same", columns, rows, "run", in_order=True)
    result_table(table, key="compare.agreement")
