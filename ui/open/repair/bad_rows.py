"""Show the rows of a file that cannot be read, with their neighbours, and let a person leave out or correct them."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from data.bad_rows import CLOSING, KINDS, NOT_UTF8, BadRow, BadRows
from data.limits import SHOWN_LINE_CHARS
from text.numbers import count, percent, verb
from text.visible import make_visible, show
from ui.text.component import TABLES, component
from ui.text.markdown import md

_lines = component(__file__, "source_lines", '<div class="lines"></div>', style=TABLES)
_ASKED_ONCE = 0.01
"""Up to this share of the rows, they are left out without being asked for once more."""
_CELL_CHARS = 60
_ICON = ":material/remove_selection:"
_NO_COLUMN = "no column"
_INTEGER = re.compile(r"[+-]?\d{1,9}")
_DECIMALS = re.compile(r"\d{1,9}")
_FRACTION = re.compile(r"[+-]?\d*\.\d+")


def title(rows: BadRows) -> str:
    """Return what is wrong, as the title of the page.

    >>> title(BadRows(300, (("more values", 1),), (BadRow("more values", 7, 1, "has 5 values, the header 4"),)))
    '1 of 300 rows cannot be read: line 7 has 5 values, the header 4'
    """
    text = f"{rows.n_bad:,} of {count(rows.n_rows)} cannot be read"
    if rows.n_bad == 1:
        return f"{text}: line {rows.examples[0].line:,} {rows.examples[0].why}"
    kind, *others = (kind for kind, _ in rows.kinds)
    return text if others else f"{text}: they {KINDS[kind][1]}"


def lead(rows: BadRows) -> list[str]:
    """Return what is said below the title: how many rows have which fault, or how the others are."""
    n_good, width = rows.n_rows - rows.n_bad, len(rows.names)
    if rows.n_bad > 1:
        return [f"{fault[0].upper()}{fault[1:]}." for fault in rows.account.list_faults()]
    if not width:
        return []
    return [f"The other {count(n_good)} {verb(n_good, 'has')} {count(width, 'value')} each."]


def draw_lines(name: str, rows: BadRows) -> None:
    """Draw the rows of a file as they stand and as they split, and what a person may look for."""
    st.caption(" ".join([f"{md(name, 80)}, not open yet.", *lead(rows)]))
    _lines(data=draw_data(rows), key="repair.lines")
    hint = find_decimal_comma(rows)
    if hint:
        number = md(",".join(hint))
        st.caption(f"Is {number} one number? Then write {md('.'.join(hint))}, or put it in quotation marks.")
    if CLOSING in dict(rows.kinds):
        st.caption("Is it a prediction? Then press *Correct* and, without a change, *Read again*.")
    if NOT_UTF8 in dict(rows.kinds):
        st.caption("Is the file in another encoding? Then choose it under *Delimiter and header*.")


def draw_leave_out(rows: BadRows, name: str) -> bool:
    """Draw the button that leaves the rows out; where these are many, the first click asks once more."""
    share, question = rows.n_bad / rows.n_rows, (name, rows.n_bad)
    these = "this row" if rows.n_bad == 1 else f"these {rows.n_bad:,} rows"
    label = f"Leave out {these} ({rows.n_bad:,} of {rows.n_rows:,})"
    if share <= _ASKED_ONCE:
        return st.button(label, type="primary", icon=_ICON, key="repair.leave_out")
    if st.session_state.get("repair.asked") != question:
        st.button(label, type="primary", icon=_ICON, key="repair.ask", on_click=_ask, args=question)
        return False
    st.markdown(f"These are {percent(share)} of the rows. Without them, numbers can be off.", width="content")
    return st.button(f"Yes, leave out {count(rows.n_bad)}", type="primary", icon=_ICON, key="repair.leave_out")


def _ask(name: str, n_bad: int) -> None:
    st.session_state["repair.asked"] = (name, n_bad)


def find_correctable(rows: BadRows) -> BadRow | None:
    """Return the first row that is one line and is there uncut; None where no row can be corrected."""
    return next((row for row in rows.examples if row.is_whole), None)


def draw_correction(row: BadRow) -> str | None:
    """Draw the field that holds a line as it stands; return what is to be read in its place, once that was asked."""
    with st.form("repair.line"):
        text = st.text_input(f"Line {row.line:,}", write_line(row.lines[0]), key=f"repair.text.{row.line}")
        st.caption("Hidden characters are written out. Blindspot reads what stands here; your file stays as it is.")
        return text if st.form_submit_button("Read again", type="primary", icon=":material/check:") else None


def write_line(line: str) -> str:
    r"""Return a line for a field: hidden characters written out, but for tabs, which split it.

    >>> print(write_line("a\0,b"))
    a\x00,b
    """
    return "\t".join(map(make_visible, line.split("\t")))


def draw_data(rows: BadRows) -> dict[str, Any]:
    """Return the lines of the file and their split, as the component draws them; every text is made visible."""
    return {
        "label": "Lines of the file around the rows that cannot be read",
        "lines": list_lines(rows),
        "title": f"The line as it splits at the {rows.delimiter}",
        "split": split_table(rows),
    }


def list_lines(rows: BadRows) -> list[dict[str, str]]:
    """Return lines in the order of the file, each once, with a gap between those that are not neighbours."""
    texts: dict[int, tuple[str, str, str]] = {}
    for row in _shorten(rows.examples):
        first = row.line - len(row.before)
        texts = {first + i: ("", text, "") for i, text in enumerate(row.before)} | texts
        texts |= {n: line for n, line in _list_own_lines(row).items() if texts.get(n, ("",))[0] != "bad"}
        after = {row.line + row.n_lines + i: ("", text, "") for i, text in enumerate(row.after)}
        texts = after | texts
    if rows.header:
        texts[rows.header[0]] = ("header", rows.header[1], f"header: {count(len(rows.names), 'column')}")
    numbers = {row.line: _find_split_number(row) for row in rows.examples}
    marks = {row.line: ",".join(row.cells[n : n + 2]) for row in rows.examples if (n := numbers[row.line]) is not None}
    lines: list[dict[str, str]] = []
    last = 0
    for number, (kind, text, note) in sorted(texts.items()):
        if last and number > last + 1:
            lines.append({"number": "···", "text": "", "marked": "", "note": "", "kind": "skip"})
        marked = marks.get(number, "")
        lines.append({"number": f"{number:,}", "text": _show(text), "marked": marked, "note": note, "kind": kind})
        last = number
    return lines


def _shorten(examples: tuple[BadRow, ...]) -> list[BadRow]:
    """Return the rows with one neighbour each where there are several."""
    if len(examples) == 1:
        return list(examples)
    return [row._replace(before=row.before[-1:], after=row.after[:1]) for row in examples if row.lines]


def _list_own_lines(row: BadRow) -> dict[int, tuple[str, str, str]]:
    note = count(len(row.cells), "value") if row.cells else row.why
    more = row.n_lines - len(row.lines)
    note += f", and {count(more, 'more line')} belong to it" if more > 0 else ""
    lines = {row.line + i: ("bad", text, "") for i, text in enumerate(row.lines)}
    return lines | {row.line: ("bad", row.lines[0] if row.lines else "", note)}


def split_table(rows: BadRows) -> dict[str, Any] | None:
    """Return how the rows split, and a row beside them that splits as it should; None where that says nothing."""
    examples = [row for row in rows.examples if row.cells]
    if not examples:
        return None
    width = max(len(rows.names), *(len(row.cells) for row in examples))
    heads = [show(name, _CELL_CHARS) for name in rows.names] + [_NO_COLUMN] * (width - len(rows.names))
    lines: dict[int, tuple[tuple[str, ...], list[int]]] = {}
    lines |= {row.neighbour[0]: (row.neighbour[1], []) for row in examples[:1] if row.neighbour}
    lines |= {row.line: (row.cells, _list_odd_places(row, rows, width)) for row in examples}
    return {"heads": heads, "rows": [_split_row(n, cells, off, width) for n, (cells, off) in sorted(lines.items())]}


def _split_row(number: int, cells: tuple[str, ...], off: list[int], width: int) -> dict[str, Any]:
    shown = [_show(cell) for cell in cells] + ["–"] * (width - len(cells))
    return {"number": f"{number:,}", "cells": shown, "off": off}


def _list_odd_places(row: BadRow, rows: BadRows, width: int) -> list[int]:
    """Return the cells to mark: from a number that was split on, those without a column, those that are missing."""
    place = _find_split_number(row)
    first = min(len(row.cells), len(rows.names)) if place is None else place
    return list(range(first, width if len(row.cells) < len(rows.names) else len(row.cells)))


def find_decimal_comma(rows: BadRows) -> tuple[str, str] | None:
    """Return the two halves of a number with a decimal comma that a row was split at; None without such."""
    for row in rows.examples if rows.delimiter == "comma" else ():
        place = _find_split_number(row)
        if place is not None:
            return row.cells[place], row.cells[place + 1]
    return None


def _find_split_number(row: BadRow) -> int | None:
    """Return where two cells would be one number, if the row is one too long and its neighbour has a fraction there."""
    beside = row.neighbour[1] if row.neighbour else ()
    if len(row.cells) != len(beside) + 1:
        return None
    places = [
        place
        for place, fraction in enumerate(beside)
        if _FRACTION.fullmatch(fraction)
        and _INTEGER.fullmatch(row.cells[place])
        and _DECIMALS.fullmatch(row.cells[place + 1])
    ]
    return places[0] if len(places) == 1 else None


def _show(text: str) -> str:
    return show(text, SHOWN_LINE_CHARS) if text else ""
