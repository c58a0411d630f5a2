"""The panel beside the slices: the open slice with its rows and the filter it can be, or what was searched."""

from __future__ import annotations

import streamlit as st

from data.comparison.filter_conditions import Conditions, describe_filter, read_filter, write_filter
from data.comparison.sliceable_columns import Sliceable
from data.evaluation import Evaluation
from data.rows.selection import Which
from export.by_slice.slice_lines import SliceNumber
from export.by_slice.slice_results import NOTHING_SEARCHED, left_out, metric_cell, why_untested
from export.by_slice.slice_search import SearchedSlices
from export.interval_text import FEW_DECIDE, say_few
from text.intervals import write_two_values
from text.numbers import count, p_value, signed, verb
from ui.rows import first_rows
from ui.slices.choices import Asked, metric_name
from ui.slices.slice_names import slice_markdown
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import cache, data_table, measurement, panel, url
from ui.view.address import go_to

_NAMED = 8


def draw_slice(evaluation: Evaluation, line: SliceNumber, wanted: Asked) -> None:
    """Draw one slice: its numbers, the way to make it the filter of every page, and its rows, wrong ones first."""
    head(evaluation, line.conditions, line.n, line.effective_n)
    _numbers(evaluation, line, wanted)
    draw_rows(evaluation, line.conditions, line.n)


def head(evaluation: Evaluation, conditions: Conditions, n: int, effective_n: float | None) -> None:
    """Draw the name of the open slice, the way to close it, and how many rows it has."""
    panel.draw_way_back("Close", lambda: url.put(slice="", row=0), key="slice", icon=":material/close:")
    panel.heading(slice_markdown(conditions))
    much = "" if effective_n is None else f", as much as {effective_n:,.1f} rows of equal weight"
    st.caption(f"{n:,} of {count(evaluation.n_scored)}{much}")


def draw_rows(evaluation: Evaluation, conditions: Conditions, n: int) -> None:
    """Draw the way to make conditions the filter of every page, the way to their n rows, and the first of these."""
    every = _with(evaluation, conditions)
    filter_text = write_filter(every)
    with st.container(horizontal=True, gap="small", key="slice-steps"):
        st.button(
            "Filter every page", key="slice.filter", type="primary", icon=":material/filter_alt:",
            on_click=url.put, kwargs={"filter": filter_text, "slice": "", "row": 0},
            help="Every page, the export and links are then about these rows only",
        )  # fmt: skip
        go_to("rows", f"All {count(n)}", icon=":material/table_rows:", filter=filter_text)
    inside = cache.with_rows_of(evaluation, conditions)
    first_rows.first_rows(inside, Which(only="scored"), key="slice", with_prediction=True)


def _with(evaluation: Evaluation, conditions: Conditions) -> Conditions:
    """Return the filter in force and a slice together."""
    before = () if evaluation.filtered is None else evaluation.filtered.conditions
    return tuple(dict.fromkeys((*before, *conditions)))


def _numbers(evaluation: Evaluation, line: SliceNumber, wanted: Asked) -> None:
    share, between = line.number.is_share, metric_cell(line).written.ends
    value, rest = write_two_values(line.number.value, line.rest, share=share)
    st.markdown(f"{metric_name(evaluation, wanted, md)}: **{value}**" + (f" ({between})" if between else ""))
    st.markdown(f"Elsewhere: **{rest}**")
    why = why_untested(line)
    if why:
        st.caption(why)
        return
    scale, digits, unit = (100, 1, " points") if share else (1, 3, "")
    moved = line.difference
    difference, low, high = (signed(scale * end, digits) for end in (moved.value, moved.low, moved.high))
    st.markdown(f"Difference: **{difference}{unit}** ({low} to {high}), {p_value(line.p_adjusted)} after correction")
    grey = filter(None, (say_few(line.number), FEW_DECIDE if moved.few_decide else ""))
    for reason in dict.fromkeys(grey):
        st.caption(f"{reason[0].upper()}{reason[1:]}.")


def draw_searched(evaluation: Evaluation, searched: SearchedSlices, columns: Sliceable) -> None:
    """Say what was searched, how it was tested, and which columns were left out."""
    panel.heading("What was searched")
    if searched.ways:
        _draw_tests(evaluation, searched)
    else:
        st.markdown(NOTHING_SEARCHED)
    data_table.draw_sentences(left_out(searched, columns, _NAMED), small=True)


def _draw_tests(evaluation: Evaluation, searched: SearchedSlices) -> None:
    n_pairs, n_worse = len(searched.search.tables) - len(searched.ways), searched.worst.n_worse
    worse = f"{count(n_worse, 'slice')} {verb(n_worse, 'is')}" if n_worse else "No slice is"
    pairs = f" and {count(n_pairs, 'pair')} of them" if n_pairs else ""
    st.markdown(
        f"{count(searched.search.n_slices, 'slice')} of {count(len(searched.ways), 'column')}{pairs}, "
        "each compared with all other rows. "
        f"{worse} worse{_count_listed(searched)}."
    )
    st.caption(
        "p is corrected over all slices that were compared (Benjamini–Hochberg). A slice of two columns is listed only "
        f"where it is worse than the rest of both. {_independence(evaluation)}"
    )


def _count_listed(searched: SearchedSlices) -> str:
    """Say how many of the worse slices are listed, where others lie within them."""
    listed, within = len(searched.worst.lines), searched.worst.n_worse - len(searched.worst.lines)
    if not within:
        return ""
    return (
        f"; {listed:,} {verb(listed, 'is')} listed, "
        f"{within:,} {verb(within, 'lies')} within {'it' if listed == 1 else 'these'}"
    )


def _independence(evaluation: Evaluation) -> str:
    """Say what p takes for granted, as Markdown."""
    clusters = measurement.clusters_of(evaluation)
    if clusters is None:
        return "Rows count as independent." if evaluation.units is None else "p counts effective rows."
    return f"Rows with the same {md(clusters.column, 30)} are alike and count together."


def conditions_in_view() -> Conditions:
    """Return the conditions of the slice that the view opens."""
    return read_filter(url.get("slice"))


def ignore_slice() -> None:
    """Take the open slice out of the view, with a sentence that there is none like it."""
    conditions = describe_filter(conditions_in_view())
    url.put(slice="")
    remark(f"Ignored the slice {conditions} in the link: this file has no such slice.")
