"""List how every class changed from A to B, the worst loss first."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from export.compare.class_changes import ClassChange, find_class_changes
from export.compare.comparison_result import RATES, write_p
from export.interval_text import difference_cell, value_cell
from export.result.kinds import Cell, Column, Count, Difference, Label, Number, P, Table, Unknown
from metrics.intervals.statistic import Interval
from text.intervals import name_interval
from text.numbers import UNDEFINED, count, signed
from ui.compare.run_comparison import Compared
from ui.limits import MAX_CHANGED_CLASSES
from ui.text.markdown import md
from ui.view import controls, measurement, panel, url
from ui.view.data_table import download
from ui.view.result_table.result_table import Axis, Line, result_table

_WIDE = 10_000  # rows of a class, from which two counts of them do not fit beside the other columns
_FIRST = 10
_ALL = "compare.all_classes"


@st.cache_resource(show_spinner="Comparing the classes …", max_entries=16)
def _changes(key: tuple[object, ...], rate: str, _compared: Compared) -> list[ClassChange]:
    return find_class_changes(_compared.comparison, _compared.a, _compared.b, rate)


def class_changes(compared: Compared) -> None:
    """Draw the classes, the worst loss first; a click on one shows its rows."""
    rate = url.get("rate")
    made = _changes((compared.key, compared.a, compared.b), rate, compared)
    noun = "label" if compared.comparison.runs.many else "class"
    st.header(_title(compared, made, rate, noun), anchor=False)
    whole = st.session_state.get(_ALL, False)
    shown = made[: MAX_CHANGED_CLASSES if whole else _FIRST]
    is_weighted = compared.comparison.runs.units is not None
    as_rows = rate == "recall" and not is_weighted and all(change.support < _WIDE for change in made)
    of_run, interval = Count if as_rows else Number, name_interval(compared.comparison.level)
    runs = (Column(f"{'right ' if as_rows else ''}in {run}", of_run) for run in "AB")
    columns = (
        Column(noun, Label), Column("true rows", Count), *runs,
        Column("change", Difference, about=f"{RATES[rate]} in B less that in A, with its {interval}"),
        Column("p", P, about="p of the difference, corrected over all classes (Benjamini–Hochberg)"),
    )  # fmt: skip
    rows = [_row(change, rate, as_rows=as_rows) for change in shown]
    table = Table("class-changes", "Classes by change", columns, rows, noun)
    lines = [Line(change.label, name=compared.short[change.label]) for change in shown]
    most = max(
        (abs(end) for change in shown for end in (change.moved.low, change.moved.high) if end == end), default=1.0
    )

    def chosen(label: str) -> None:
        lost = next((change.moved.value < 0 for change in made if change.label == label), True)
        url.put(**{"class": label, "true": "", "pred": "", "row": 0, "flip": "broken" if lost else "fixed"})

    axis = Axis(-most, most, (0.0,))
    result_table(table, key="compare.classes", lines=lines, axes={4: axis}, opened=url.get("class"), on_choose=chosen)
    if rate == "recall" and len(shown) > 1:
        st.caption("Sorted by right rows lost, the most first.")
    with panel.toolbar("compare-classes"):
        controls.choose_of_many("rate", "Rate", list(RATES), RATES.__getitem__, width=170)
        if len(made) > _FIRST:
            name = f"The first {_FIRST}" if whole else f"All {count(len(made), noun)}"
            st.button(name, key="compare.more_classes", type="tertiary", on_click=st.session_state.update,
                      args=({_ALL: not whole},))  # fmt: skip
        measurement.choose_level(None, key="compare.level")
        download(_frame(made, rate), "classes-compared", "CSV")


def _title(compared: Compared, made: list[ClassChange], rate: str, noun: str) -> str:
    lost = sum(change.moved.value < 0 for change in made)
    won = sum(change.moved.value > 0 for change in made)
    unknown = sum(math.isnan(change.moved.value) for change in made)
    sure = [change for change in made if change.is_clear_loss]
    of_all = count(len(made), noun)
    parts = [f"falls in {lost or 'none'} of {of_all}", f"rises in {won or 'none'}"]
    if not lost and not won:
        parts = [f"is the same in {f'{len(made) - unknown} of ' if unknown else ''}{of_all}"]
    parts += [f"is undefined in {unknown}"] if unknown else []
    sentence = f"{RATES[rate]} {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]}"
    if sure:
        return f"{sentence}; the largest clear loss is in {md(compared.short[sure[0].label], 40)}"
    return sentence + ("; no loss is clearly more than chance" if lost else "")


def _row(change: ClassChange, rate: str, *, as_rows: bool) -> tuple[Cell, ...]:
    runs = [_of_run(value, change.support, as_rows=as_rows) for value in (change.a, change.b)]
    cells = Label(change.label), Count(change.support), *runs
    moved = change.moved
    if math.isnan(moved.value):
        both = math.isnan(change.a.value) and math.isnan(change.b.value)
        why = f"{RATES[rate]} is undefined in {'both runs' if both else 'one of the runs'}."
        return *cells, Unknown(why, UNDEFINED), ""
    about = f"{signed(moved.low)} to {signed(moved.high)}, {moved.method}"
    return *cells, difference_cell(moved)._replace(about=about), write_p(moved, change.p)


def _of_run(rate: Interval, support: int, *, as_rows: bool) -> Cell:
    if math.isnan(rate.value):
        return ""
    return Count(round(rate.value * support)) if as_rows else value_cell(rate)


def _frame(made: list[ClassChange], rate: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "class": line.label, "true rows": line.support, f"{rate} A": line.a.value, f"{rate} B": line.b.value,
                "difference": line.moved.value, "low": line.moved.low, "high": line.moved.high, "p adjusted": line.p,
                "method": line.moved.method,
            }
            for line in made
        ]
    )  # fmt: skip
