"""The part Groups of the page: rates of every group of a column, the gaps between groups, and what equal rates cost."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from data.comparison.filter_conditions import write_filter
from data.evaluation import Evaluation
from export.by_slice import groups
from export.by_slice.groups import Groups
from export.interval_text import name_level
from metrics.findings.worst_parts import write_gap_values
from metrics.intervals.statistic import Interval
from metrics.limits import TOO_FEW
from metrics.slices.fairness import GAP_RATES, Gap, surest_gap
from metrics.slices.group_thresholds import GroupScores
from text.intervals import bounds, rounded
from text.numbers import count, number, signed
from text.visible import show
from ui.slices import search_cache
from ui.slices.choices import Asked
from ui.slices.slice_names import short_value
from ui.text.markdown import md, percent
from ui.view import cache, intervals, state, url
from ui.view.data_table import download, selection
from ui.view.panel import md_label

RATES = {
    "selection_rate": "Selection rate", "tpr": "Recall (TPR)", "fpr": "False positive rate", "ppv": "Precision (PPV)",
    "accuracy": "Accuracy",
}  # fmt: skip
_UNTOLD = "cannot be told"


def compare_in_view(evaluation: Evaluation, wanted: Asked) -> Groups:
    """Compare the groups of the chosen column, or of the one with the largest clear gap; kept."""
    return _groups(evaluation, column_of(evaluation, wanted, wanted.code), wanted.code, intervals.level())


def column_of(evaluation: Evaluation, wanted: Asked, code: int) -> str:
    """Return the column whose values are the groups: the chosen one, or that with the largest clear gap of a class."""
    return wanted.columns[0] if wanted.columns else search_cache.group_columns(evaluation, code)[0]


@cache.kept(32, "Comparing the groups …")
def _groups(evaluation: Evaluation, column: str, code: int, level: float) -> Groups:
    has_scores = evaluation.task == "binary" and evaluation.y_score is not None
    return groups.compare_groups(
        evaluation, search_cache.group_rates(evaluation, column, code), code,
        threshold=state.threshold_of(evaluation, code) if has_scores else math.nan, level=level,
        clusters=intervals.clusters_of(evaluation),
    )  # fmt: skip


def _name(found: Groups, place: int) -> str:
    """Return the name of a group as it is shown."""
    return short_value(found.way.values[place][0] or "")


def title(found: Groups) -> str:
    """Return the surest gap as Markdown, or that none can be told."""
    surest = surest_gap(found.gaps)
    if surest is None:
        return f"No gap between the groups of {md(found.way.columns[0], 40)} can be told"
    rate, gap = surest
    low, high = write_gap_values(*(found.rates[place].rates[rate].value for place in (gap.lower, gap.higher)))
    names = [md(_name(found, place), 40) for place in (gap.lower, gap.higher)]
    return f"{RATES[rate]} is {low} for {names[0]} and {high} for {names[1]}"


def draw(evaluation: Evaluation, found: Groups, code: int) -> None:
    """Draw the groups, their gaps and what equal rates would cost."""
    st.caption(
        f"Positive class: {md_label(evaluation, code)}. In brackets: {name_level(intervals.level())} intervals. "
        f"A rate over fewer than {TOO_FEW} rows cannot be told."
    )
    frame = _group_frame(found)
    st.dataframe(
        frame, hide_index=True, key="groups.table", height="content" if len(frame) <= 12 else 480,
        selection_mode="single-row", on_select=lambda: _open_group(found),
    )  # fmt: skip
    st.caption("Tick a group to see its rows, wrong ones first.")
    st.subheader("Gaps between groups")
    st.dataframe(_gap_frame(found), hide_index=True, key="groups.gaps", height="content")
    further = any((gap.lower, gap.higher) != (gap.lowest, gap.highest) for gap in found.gaps.values())
    st.caption(
        ("Each line is the surest gap of all pairs: a group of few rows may lie further out. " if further else "")
        + "Intervals allow for all pairs of groups. A gap whose interval includes 0 cannot be told."
    )
    if found.scores:
        st.subheader("Scores of the groups")
        st.dataframe(_score_frame(found), hide_index=True, key="groups.scores", height="content")
        _costs(found)
    download(frame, "groups", "CSV")


def _open_group(found: Groups) -> None:
    """Open the ticked group as a slice, which shows its rows."""
    rows = selection("groups.table")["rows"]
    if len(rows) == 1 and 0 <= rows[0] < len(found.way.values):
        (column,), (value,) = found.way.columns, found.way.values[rows[0]]
        url.put(mode="", column=column, cross="", slice=write_filter(((column, value or ""),)), row=0)


def _group_frame(found: Groups) -> pd.DataFrame:
    columns = _names(found)
    columns["Rows"] = [f"{one.n:,}" for one in found.rates]
    columns["Share positive"] = [_rate(one.rates["base_rate"]) for one in found.rates]
    for rate, name in RATES.items():
        columns[name] = [_rate(one.rates[rate]) for one in found.rates]
    return pd.DataFrame(columns)


def _score_frame(found: Groups) -> pd.DataFrame:
    columns = _names(found)
    columns["Mean score minus share positive"] = [_bias(one) for one in found.scores]
    columns["Its own best threshold"] = [_threshold(one) for one in found.scores]
    return pd.DataFrame(columns)


def _names(found: Groups) -> dict[str, list[str]]:
    return {show(found.way.columns[0], 40): [show(_name(found, one.place)) for one in found.rates]}


def _rate(one: Interval) -> str:
    if one.n < TOO_FEW:
        return _UNTOLD
    between = bounds(one.low, one.high)
    return rounded(one.value, one.low, one.high) + (f" ({between})" if between else " (one cluster)")


def _bias(one: GroupScores) -> str:
    if math.isnan(one.bias):
        return _UNTOLD
    between = "one cluster" if math.isnan(one.low) else f"{number(one.low)} to {number(one.high)}"
    return f"{signed(one.bias)} ({between})"


def _threshold(one: GroupScores) -> str:
    if math.isnan(one.threshold):
        return _UNTOLD
    now = "" if math.isnan(one.f1_now) else f", {number(one.f1_now)} now"
    return f"{one.threshold:.4g} (F1 {number(one.f1_there)}{now})"


def _gap_frame(found: Groups) -> pd.DataFrame:
    rows = []
    for rate in GAP_RATES:
        gap = found.gaps[rate]
        known = not math.isnan(gap.difference)
        rows.append(
            {
                "Rate": RATES[rate],
                "Lower": show(_name(found, gap.lower)) if known else "",
                "Higher": show(_name(found, gap.higher)) if known else "",
                "Difference": _difference(gap) if known else "",
                "Ratio": _ratio(gap) if known else "",
                "Verdict": gap.verdict,
                "Too few rows": ", ".join(show(_name(found, place)) for place in gap.left_out),
            }
        )
    frame = pd.DataFrame(rows)
    return frame if frame["Too few rows"].any() else frame.drop(columns="Too few rows")


def _difference(gap: Gap) -> str:
    return f"{number(gap.difference)} ({number(gap.low)} to {number(gap.high)})"


def _ratio(gap: Gap) -> str:
    if math.isnan(gap.ratio):
        return "undefined"
    high = "no upper end" if math.isinf(gap.ratio_high) else f"{gap.ratio_high:.2f}"
    return f"{gap.ratio:.2f} ({gap.ratio_low:.2f} to {high})"


def _costs(found: Groups) -> None:
    """Say what the same rate in every group would cost, with one threshold for each."""
    st.subheader("What equal rates would cost")
    if not found.equalised:
        st.markdown("This cannot be told: a group has too few rows, or no threshold is in use.")
        return
    for one in found.equalised:
        name = "recall" if one.rate == "recall" else "selection rate"
        more = one.wrong_then - one.wrong_now
        said = f"{count(abs(more))} {'more' if more > 0 else 'fewer'} wrong" if more else "as many rows wrong"
        ends = [at for at in one.thresholds if math.isfinite(at)]
        between = f"{min(ends):.3g} to {max(ends):.3g}" if ends else "above every score"
        st.markdown(
            f"- The same {name} of {number(one.target, 2)} in every group: thresholds {between}, {said} "
            f"(accuracy {percent(1 - one.wrong_now / one.n)} → {percent(1 - one.wrong_then / one.n)})."
        )
    st.caption("Chosen and counted on these rows: expect slightly worse on new data.")
