"""The step All classes: small ROC curves one-vs-rest, the weakest first; of labels, the ways to threshold them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from charts.one_vs_rest import small_curve, small_roc_svg
from data.columns.weight_columns import replace_rows_by_units
from data.errors import DataError
from data.evaluation import Evaluation
from export.interval_text import FEW_DECIDE, TOO_FEW, bounds_of, say_few
from export.result.frame import to_frame
from export.result.kinds import Cell, Column, Count, Label, Number, Table
from metrics.intervals.statistic import Interval
from metrics.scores.curve_thinning import Thinned
from metrics.scores.curves import roc_curve
from metrics.scores.ranking import Ranking, join_rankings, ranking
from text.intervals import name_interval
from text.numbers import count, number, verb, write_bound
from text.visible import show
from ui.text.component import component
from ui.text.messages import remark
from ui.thresholds import label_table, label_thresholds
from ui.thresholds.class_scores import counts_of, largest_errors
from ui.view import cache, fragment, measurement, url
from ui.view.address import end_page
from ui.view.cache import limit_time
from ui.view.data_table import download
from ui.view.panel import md_label
from ui.view.result_table.result_table import Axis, Line, draw_table

A_PAGE = 12
_CELLS = 4_000_000  # scores looked at between two steps of the progress bar: about half a second
_curve_wall = component(__file__, "curve_wall", '<div class="curves"></div>')
_PLACE = "rest.from"  # of the session, by evaluation: the first curve shown


def title(evaluation: Evaluation) -> str:
    """Say in Markdown which class the scores tell apart worst; of labels, what a threshold for each gains."""
    if (
        evaluation.task == "multilabel"
        and evaluation.y_score is not None
        and (gain := label_thresholds.title(evaluation))
    ):
        return gain
    try:
        ranks = _full_ranking(evaluation, _word(evaluation))
    except DataError:
        return f"All {_word(evaluation, 2)}"
    defined = ~np.isnan(ranks.auc)
    if not defined.any():
        return f"The ROC AUC of every {_word(evaluation)} is undefined"
    worst = int(ranks.weakest_first[0])
    name = md_label(evaluation, evaluation.score_codes[worst])
    return f"The scores tell {name} apart worst: ROC AUC {number(float(ranks.auc[worst]))}"


def _word(evaluation: Evaluation, n: int = 1) -> str:
    word = evaluation.class_noun
    return word if n == 1 else {"label": "labels", "class": "classes"}[word]


def section(evaluation: Evaluation) -> None:
    """Draw the ways to threshold several labels, and the curves of every class that has a score, weakest first.

    No threshold has a part in the curves: `evaluation` is the one without the view's.
    """
    if evaluation.task == "multilabel" and evaluation.y_score is None:
        label_table.section(evaluation, evaluation.score_codes)
    elif evaluation.task == "multilabel":
        label_thresholds.section(evaluation)
    what = _word(evaluation)
    st.header(f"Every {what}, one-vs-rest")
    try:
        ranks = _full_ranking(evaluation, what)
    except DataError as error:
        remark(str(error))
        return
    _averages(evaluation, ranks, what)
    if evaluation.y_score is None:
        _say_bins(evaluation)
    _curves(evaluation, ranks, what)
    _table(evaluation, ranks, what)


@cache.kept(1024)
def _part(evaluation: Evaluation, level: float, start: int, stop: int) -> Ranking:
    codes = evaluation.score_codes[start:stop]
    is_weighted, measured = evaluation.units is not None, measurement.measure(evaluation)
    ranks = ranking((counts_of(evaluation, code) for code in codes), level=None if is_weighted else level)
    if evaluation.y_score is None or not (is_weighted or measurement.clusters_of(evaluation)):
        return ranks
    every, precisions = ([measured.number(key, code) for code in codes] for key in ("roc_auc", "average_precision"))
    low, high = (np.array(ends) for ends in zip(*((interval.low, interval.high) for interval in every), strict=True))
    auc_few, precision_few = (np.array([number.few_decide for number in each]) for each in (every, precisions))
    return ranks._replace(
        auc=np.array([interval.value for interval in every]), low=low, high=high,
        average_precision=np.array([number.value for number in precisions]),
        auc_few=auc_few, precision_few=precision_few,
    )  # fmt: skip


def _full_ranking(evaluation: Evaluation, what: str) -> Ranking:
    """Return the ranking of all classes; a bar tells how far it is where that takes more than a moment."""
    n, step = len(evaluation.score_codes), max(1, _CELLS // max(1, evaluation.n_lines))
    go_on = limit_time(f"The ROC AUC and interval of every {what}", instead="load the page again to go on from there")
    parts, place = [], st.empty()
    try:
        for start in range(0, n, step):
            go_on(start / n)
            if start:
                told = f"ROC AUC and interval of {start:,} of {count(n, what)}; the result is kept …"
                place.progress(start / n, told)
            parts.append(_part(evaluation, measurement.level(), start, min(n, start + step)))
    finally:
        place.empty()
    return join_rankings(parts)


@cache.kept(512)
def _small_curve(evaluation: Evaluation, code: int) -> Thinned | None:
    counts = counts_of(replace_rows_by_units(evaluation), code)
    return None if counts is None else small_curve(roc_curve(counts))


def _averages(evaluation: Evaluation, ranks: Ranking, what: str) -> None:
    measured = measurement.measure(evaluation)
    means = [measured.number(name) for name in ("roc_auc_macro", "roc_auc_weighted", "average_precision_macro")]
    macro, weighted, precision = map(_bounds, means)
    values = (ranks.macro_auc, ranks.weighted_auc, ranks.macro_ap)
    macro_auc, weighted_auc, macro_ap = [mean.value for mean in means] if evaluation.units is not None else values
    defined = ~np.isnan(ranks.auc)
    undefined = "" if defined.all() else (
        f" {count(int((~defined).sum()), what)} without rows on both sides "
        f"{verb((~defined).sum(), 'has')} no ROC AUC."
    )  # fmt: skip
    n = count(int(defined.sum()), what)
    st.markdown(
        f"Macro ROC AUC **{number(macro_auc)}**{macro}, the plain mean of the {n} where it is defined. "
        f"Weighted by true rows: **{number(weighted_auc)}**{weighted}. Macro average "
        f"precision: **{number(macro_ap)}**{precision}.{undefined}"
    )


def _say_bins(evaluation: Evaluation) -> None:
    auc, precision = largest_errors(evaluation)
    if auc or precision:
        st.caption(
            f"Scores are grouped into bins. The ROC AUC of each is exact to ± {write_bound(auc)}, its average "
            f"precision to ± {write_bound(precision)}."
        )


def _bounds(interval: Interval) -> str:
    within = bounds_of(interval)
    if not within:
        return ""
    shown = ", ".join(filter(None, (within, say_few(interval))))
    return f" ({name_interval(interval.level)} {shown})"


@fragment.run_fragment
def _curves(evaluation: Evaluation, ranks: Ranking, what: str) -> None:
    """Draw twelve curves a page, and every class in a table; either opens a class in the lab."""
    order = ranks.weakest_first[: int((~np.isnan(ranks.auc)).sum())]
    names = [evaluation.labels[code] for code in evaluation.score_codes]
    inside = _class_in_lab(names)
    if len(order):
        first = _choose_page(evaluation.fingerprint, len(order), what)
        by = " by DeLong" if evaluation.units is None else ""
        st.caption(
            "Weakest first. Upwards: recall. To the right: false positive rate. Dashed: no skill. In brackets: the "
            f"interval{by}. There is none where the scores do not overlap, or where one side has a single row. "
            f"Where it says few, {TOO_FEW}, or {FEW_DECIDE}. A name opens its lab."
        )
        _wall(evaluation, ranks, order[first : first + A_PAGE].tolist(), inside)
    end_page("thresholds")


def _class_in_lab(names: list[str]) -> str:
    name = str(url.get("class"))
    return name if name in names else names[0]


def _choose_page(fingerprint: str, total: int, what: str) -> int:
    """Choose which twelve to draw; returns their first place, kept for this evaluation."""
    place = f"{_PLACE}.{fingerprint}"
    first = min(st.session_state.get(place, 0), (total - 1) // A_PAGE * A_PAGE)
    last = min(total, first + A_PAGE)
    with st.container(horizontal=True, vertical_alignment="center"):
        for title, icon, to, key in (
            ("Weaker", ":material/chevron_left:", first - A_PAGE, "rest.before"),
            ("Stronger", ":material/chevron_right:", first + A_PAGE, "rest.after"),
        ):
            if total > A_PAGE:
                st.button(title, icon=icon, key=key, disabled=not 0 <= to < total,
                          on_click=st.session_state.update, args=({place: to},))  # fmt: skip
        which = f"{first + 1:,} to {last:,}" if last > first + 1 else f"{last:,}"
        some = (
            f"**{which}** of {count(total, what)} by ROC AUC"
            if total > A_PAGE
            else f"**{count(total, what)}** by ROC AUC"
        )
        st.markdown(some, width="content")
    return int(first)


def _wall(evaluation: Evaluation, ranks: Ranking, places: list[int], inside: str) -> None:
    """Draw small curves beside each other; a name opens its class in the lab."""
    curves = [_one(evaluation, ranks, place, inside) for place in places]
    sent = _curve_wall(data={"curves": curves, "title": "ROC curves, one-vs-rest"}, key="rest.curves",
                       on_opened_change=lambda: None)  # fmt: skip
    if sent.opened in [curve["code"] for curve in curves]:
        _open_in_lab(evaluation, evaluation.labels[sent.opened])
        st.rerun()


def _one(evaluation: Evaluation, ranks: Ranking, place: int, inside: str) -> dict[str, Any]:
    """Return a curve and the words below it; nothing of it is markup but the picture, which holds numbers only."""
    code = evaluation.score_codes[place]
    thinned = _small_curve(evaluation, code)
    low, high, n_true = ranks.low[place], ranks.high[place], int(ranks.n_pos[place])
    within = "no interval" if np.isnan(low) else f"{number(low)} to {number(high)}"
    return {
        "code": code,
        "name": cache.label_names(evaluation)[code],
        "whole": show(cache.class_names(evaluation)[code], 400),
        "now": evaluation.labels[code] == inside,
        "svg": "" if thinned is None else small_roc_svg(thinned),
        "auc": f"ROC AUC {number(float(ranks.auc[place]))} ({within})",
        "few": bool(_say_few(ranks, place)),
        "note": f"{count(n_true, 'true row')}, average precision {number(float(ranks.average_precision[place]))}",
    }


def open_class(evaluation: Evaluation, code: int) -> None:
    """Look at another class; of several classes a row has one of, it opens at its own best threshold."""
    url.put(**{"class": evaluation.labels[code], "side": "", "score": ""})
    if evaluation.task == "multiclass":
        url.put(t=None, low=None)


def _open_in_lab(evaluation: Evaluation, name: str) -> None:
    """Show a class in the lab, which is another step of the page."""
    open_class(evaluation, evaluation.labels.index(name))
    url.put(tab="explore")


def _table(evaluation: Evaluation, ranks: Ranking, what: str) -> None:
    """Draw every class with its numbers, the weakest first; a click opens one in the lab."""
    codes = [evaluation.score_codes[place] for place in ranks.weakest_first]
    columns = [
        Column(what, Label), Column("ROC AUC", Number, name_interval(measurement.level())),
        Column("average precision", Number), Column("true rows", Count), Column("rows without a score", Count),
    ]  # fmt: skip
    rows = [_line(evaluation, ranks, place) for place in ranks.weakest_first.tolist()]
    if not ranks.n_without_score.any():
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    table = Table("rest", f"ROC AUC of {count(len(rows), what)}, the weakest first", columns, rows, what)
    draw_table(
        table, key="rest.table", axes={1: Axis(marks=(0.5,))}, sorted_by=(1, "weakest first"),
        lines=[Line(evaluation.labels[code], cache.label_names(evaluation)[code]) for code in codes],
        opened=_class_in_lab([evaluation.labels[code] for code in codes]),
        on_choose=partial(_open_in_lab, evaluation),
    )  # fmt: skip
    download(to_frame(table), "every_class_against_the_rest")


def _say_few(ranks: Ranking, place: int) -> str:
    """Say why the rows of a class are too few to tell its AUC; empty where they are not."""
    auc, low, high = (float(each[place]) for each in (ranks.auc, ranks.low, ranks.high))
    n = int(ranks.n_pos[place] + ranks.n_neg[place])
    few_decide = bool(ranks.auc_few[place])
    return say_few(Interval(auc, low, high, np.nan, "", measurement.level(), n, None, few_decide=few_decide))


def _line(evaluation: Evaluation, ranks: Ranking, place: int) -> tuple[Cell, ...]:
    """Return the cells of a class; place : among the classes that have scores."""
    n_true = int(ranks.n_pos[place])
    return (
        Label(evaluation.labels[evaluation.score_codes[place]]),
        Number(float(ranks.auc[place]), float(ranks.low[place]), float(ranks.high[place]), few=_say_few(ranks, place)),
        Number(float(ranks.average_precision[place]), few=FEW_DECIDE if ranks.precision_few[place] else ""),
        Count(n_true),
        Count(int(ranks.n_without_score[place])),
    )
