"""List how every class changed from A to B, the worst loss first."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from charts.theme import ACCENT, MODEL
from export.compare.class_changes import ClassChange, find_class_changes
from text.numbers import count, number, p_value, signed
from ui.compare.board import Column, Heading, Line, board, name_cell, undefined_cell
from ui.compare.run_comparison import Compared
from ui.limits import MAX_CHANGED_CLASSES
from ui.text.markdown import md
from ui.view import controls, measurement, panel, url
from ui.view.data_table import download

_WIDE = 10_000  # rows of a class, from which two counts of them do not fit beside the other columns
_FIRST = 10
_ALL = "compare.all_classes"
_NAMES = {"recall": "Recall", "f1": "F1", "precision": "Precision"}


@st.cache_resource(show_spinner="Comparing the classes …", max_entries=16)
def _changes(key: tuple[object, ...], rate: str, _compared: Compared) -> list[ClassChange]:
    return find_class_changes(_compared.found, _compared.a, _compared.b, rate)


def class_changes(compared: Compared) -> None:
    """Draw the classes, the worst loss first; a click on one shows its rows."""
    rate = url.get("rate")
    made = _changes((compared.key, compared.a, compared.b), rate, compared)
    noun = "label" if compared.found.runs.many else "class"
    st.subheader(_title(compared, made, rate, noun), anchor=False)
    whole = st.session_state.get(_ALL, False)
    shown = made[: MAX_CHANGED_CLASSES if whole else _FIRST]
    ends = [abs(end) for one in shown for end in (one.moved.low, one.moved.high) if not math.isnan(end)]
    most = max(ends, default=0) or 1.0
    as_rows = rate == "recall" and all(one.support < _WIDE for one in made)
    lines: list[Line | Heading] = [_line(compared, one, rate, most, as_rows=as_rows) for one in shown]
    level = f"{100 * compared.found.level:g} %"
    columns = [
        Column("Label" if compared.found.runs.many else "Class", "name"),
        Column("True rows"),
        Column("A → B", "number", f"{'Right rows' if as_rows else _NAMES[rate]} in A and in B"),
        Column("Change", "number", f"{_NAMES[rate]} in B less that in A"),
        Column(f"{level} interval", "interval"),
        Column("p", "number", "p of the difference, corrected over all classes (Benjamini–Hochberg)"),
    ]

    def chosen(label: str) -> None:
        lost = next((one.moved.value < 0 for one in made if one.label == label), True)
        url.put(**{"class": label, "true": "", "pred": "", "row": 0, "flip": "broken" if lost else "fixed"})

    board("Classes by change", columns, lines, key="compare.classes", on_choose=chosen)
    with panel.toolbar("compare-classes"):
        controls.choose_of_many("rate", "Rate", list(_NAMES), _NAMES.__getitem__, width=170)
        if len(made) > _FIRST:
            name = f"The first {_FIRST}" if whole else f"All {count(len(made), noun)}"
            st.button(name, key="compare.more_classes", type="tertiary", on_click=st.session_state.update,
                      args=({_ALL: not whole},))  # fmt: skip
        measurement.choose_level(None, key="compare.level")
        download(_frame(made, rate), "classes-compared", "CSV")


def _title(compared: Compared, made: list[ClassChange], rate: str, noun: str) -> str:
    lost = sum(one.moved.value < 0 for one in made)
    won = sum(one.moved.value > 0 for one in made)
    sure = [one for one in made if one.moved.value < 0 and one.p < 0.05]
    said = f"{_NAMES[rate]} falls in {lost:,} of {count(len(made), noun)} and rises in {won:,}"
    if sure:
        return f"{said}; most in {md(compared.short[sure[0].label], 40)}"
    return said + ("; no loss is clearly more than chance" if lost else "")


def _line(compared: Compared, one: ClassChange, rate: str, most: float, *, as_rows: bool) -> Line:
    open_, name = url.get("class") == one.label, name_cell(compared.short[one.label], whole=one.label)
    if math.isnan(one.moved.value):
        both = math.isnan(one.a) and math.isnan(one.b)
        why = f"{_NAMES[rate]} is undefined in {'both runs' if both else 'one of the runs'}."
        return Line((name, f"{one.support:,}", _pair(one, as_rows=as_rows), undefined_cell(why), "", ""),
                    one.label, open_)  # fmt: skip
    moved = one.moved
    interval = {
        "low": _share(moved.low, most), "high": _share(moved.high, most), "value": _share(moved.value, most),
        "colour": ACCENT if moved.value < 0 else MODEL, "marks": [0.5],
        "about": f"{signed(moved.low)} to {signed(moved.high)}, {moved.method}",
    }  # fmt: skip
    cells = (name, f"{one.support:,}", _pair(one, as_rows=as_rows), signed(moved.value), interval, _p(one.p))
    return Line(cells, one.label, open_)


def _share(value: float, most: float) -> float | None:
    return None if math.isnan(value) else round(0.5 + value / (2 * most), 4)


def _pair(one: ClassChange, *, as_rows: bool) -> str:
    if math.isnan(one.a) and math.isnan(one.b):
        return ""
    if as_rows and not math.isnan(one.a) and not math.isnan(one.b):
        return f"{round(one.a * one.support):,} → {round(one.b * one.support):,}"
    return f"{number(one.a)} → {number(one.b)}"


def _p(p: float) -> str:
    return "" if math.isnan(p) else p_value(p, "").replace(" ", "\u00a0")


def _frame(made: list[ClassChange], rate: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "class": one.label, "true rows": one.support, f"{rate} A": one.a, f"{rate} B": one.b,
                "difference": one.moved.value, "low": one.moved.low, "high": one.moved.high, "p adjusted": one.p,
                "method": one.moved.method,
            }
            for one in made
        ]
    )  # fmt: skip
