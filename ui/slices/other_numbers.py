"""The part Slices of the page by any other number: its value in every slice of the columns that were chosen."""

from __future__ import annotations

import streamlit as st

from data.comparison.filter_conditions import write_filter
from data.comparison.slice_columns import slices_by, write_columns
from data.evaluation import Evaluation
from export.by_slice.slice_lines import SliceNumber
from export.by_slice.slice_numbers import measure_slices, sort_numbers
from export.by_slice.slice_results import CORRECTED, numbers_table
from export.interval_text import bounds_of, describe, value_of
from export.result.frame import to_frame
from export.result.kinds import Number
from ui.slices import slice_panel
from ui.slices.choices import Asked, metric_name, other_metric
from ui.slices.slice_names import short_value, slice_markdown
from ui.text.markdown import md
from ui.view import cache, data_table, measurement, panel, url
from ui.view.result_table import result_table as page_table


@cache.kept(16, "Computing the number of every slice …")
def _numbers(evaluation: Evaluation, name: str, columns: tuple[str, ...], level: float) -> list[SliceNumber]:
    text = write_columns(columns, evaluation.rows.column_names)
    way = slices_by(evaluation.rows, text, evaluation.weights)
    metric = other_metric(evaluation, name)
    return sort_numbers(measure_slices(measurement.measure(evaluation), way, metric), metric.row)


def numbers_in_view(evaluation: Evaluation, wanted: Asked) -> list[SliceNumber]:
    """Return the number in view of every slice, the worst first; kept."""
    return _numbers(evaluation, wanted.metric, wanted.columns, measurement.level())


def title(evaluation: Evaluation, lines: list[SliceNumber], wanted: Asked) -> str:
    """Return the worst and the best slice as Markdown, or that no slice defines the number."""
    name, defined = metric_name(evaluation, wanted, md), [line for line in lines if not line.is_undefined]
    if not defined:
        return f"{name} is undefined in every slice by {' and '.join(md(column, 40) for column in wanted.columns)}"
    ends = [f"{value_of(line.number)} where {slice_markdown(line.conditions)}" for line in (defined[0], defined[-1])]
    return f"{name} is {', '.join(ends[: len(defined)])}"


def draw(evaluation: Evaluation, lines: list[SliceNumber], wanted: Asked) -> None:
    """Draw the table of the slices, and the open one beside it with its rows."""
    conditions = set(slice_panel.conditions_in_view())
    opened = next((line for line in lines if set(line.conditions) == conditions), None)
    if conditions and opened is None:
        slice_panel.ignore_slice()
    main, beside = panel.split_panel("slices", is_open=opened is not None)
    metric = other_metric(evaluation, wanted.metric)
    whole = measurement.measure(evaluation).number(metric.key, metric.code)
    name = metric_name(evaluation, wanted)
    with main:
        table = numbers_table(lines, metric.row, name)
        place = [column.kind for column in table.columns].index(Number)
        ends = [end for line in lines for end in (line.number.low, line.number.high)]
        page_table.result_table(
            table, key="slices.numbers", axes={place: page_table.axis_of(ends, [whole.value])},
            lines=[page_table.Line(write_filter(line.conditions), _short(line)) for line in lines],
            opened=url.get("slice"), on_choose=lambda conditions: url.put(slice=conditions, row=0),
        )  # fmt: skip
        st.caption(f"The line across is the number of all rows: {value_of(whole)}. {CORRECTED}")
        data_table.download(to_frame(table), "slices", "CSV")
    with beside:
        if opened is None:
            panel.heading("Choose a slice")
            st.markdown("Its rows stand here, wrong ones first.")
            return
        slice_panel.head(evaluation, opened.conditions, opened.n, opened.effective_n)
        _draw_number(evaluation, opened, wanted)
        slice_panel.draw_rows(evaluation, opened.conditions, opened.n)


def _short(line: SliceNumber) -> str:
    return ", ".join(short_value(value) for _, value in line.conditions)


def _draw_number(evaluation: Evaluation, line: SliceNumber, wanted: Asked) -> None:
    between = bounds_of(line.number)
    bounds = f" ({between})" if between else ""
    st.markdown(f"{metric_name(evaluation, wanted, md)}: **{value_of(line.number)}**{bounds}")
    st.caption(line.number.why_undefined or describe(line.number))
    difference, p = (cell.written for cell in line.difference_cells)
    ends = f" ({difference.ends})" if difference.ends else ""
    after = f", p {p.text} after correction" if p.text else ""
    st.markdown(f"Difference to all other rows: **{difference.text}**{ends}{after}")
