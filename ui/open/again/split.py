"""Let a person say how a file is split: its first lines as read, the choices, and what these change."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from data.limits import PREVIEWED_LINES
from data.reading.options import DETECT, ENCODINGS, Preview, PreviewLine, ReadOptions
from data.runs import load
from data.runs.uploads.kept import open_uploads
from data.runs.uploads.preview import preview_files
from text.numbers import count
from text.visible import show
from ui.open.again.uploads import take_in_again
from ui.text.component import TABLES, component, report_offered
from ui.text.markdown import md
from ui.text.messages import refuse
from ui.view import open_runs

_lines = component(__file__, "split_lines", '<div class="split"></div>', style=TABLES)
_DELIMITERS = {",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar", " ": "Space", "": "None"}
_DECIMALS = {".": "0.97", ",": "0,97"}
_DETECTED = "Detected"
_FIRST_LINES = 5
"""So many of the first lines are buttons; any line can be chosen by its number."""
_CELL_CHARS = 60


def offer_split(run: str) -> None:
    """Draw the button that opens the panel, and the panel once it is open."""
    draw_split_button(run)
    draw_open_split(run)


def draw_split_button(run: str) -> None:
    """Draw the button that opens the panel; nothing without kept uploads that have delimiter and header."""
    if _is_split(open_runs.draft(run)):
        label = "Close delimiter and header" if _is_open(run) else "Delimiter and header"
        st.button(label, key="read.toggle", icon=":material/view_column:", on_click=_toggle, args=(run,))


def draw_open_split(run: str) -> None:
    """Draw the panel where it is open."""
    if _is_open(run) and _is_split(open_runs.draft(run)):
        draw_split(run)


def _is_split(draft: load.Draft) -> bool:
    """Return whether a draft has kept uploads with delimiter and header, which JSON has not."""
    are_json = [file.format.startswith("JSON") for file in draft.files]
    if draft.bad_rows is not None:
        are_json = [not draft.bad_rows.names]
    return bool(draft.uploads) and not (are_json and all(are_json))


def _is_open(run: str) -> bool:
    return bool(st.session_state.get(f"read.open.{run}"))


def _toggle(run: str) -> None:
    st.session_state[f"read.open.{run}"] = not _is_open(run)


def draw_split(run: str) -> None:
    """Draw the first lines of a run's upload as they split, and the choices that read it again."""
    draft = open_runs.draft(run)
    index = _choose_file(draft)
    before = draft.given.how_to_read(len(draft.uploads)) or (DETECT,) * len(draft.uploads)
    key = f"read.{run}.{index}"
    options: ReadOptions = st.session_state.setdefault(key, before[index])
    detected, chosen = _preview(draft.uploads, index, (DETECT, options))
    if isinstance(detected, str):
        st.text(f"This file cannot be split in another way: {detected}")
        return
    if isinstance(chosen, str):
        refuse(chosen, title="These choices fit no table")
        st.button("Back to the detected split", key="read.back", type="tertiary", on_click=_choose, args=(key, DETECT))
        return
    _draw_choices(key, options, detected, chosen)
    left, right = st.columns([2, 1], gap="medium")
    with left:
        _draw_lines(key, options, chosen)
        _draw_buttons(run, key, before, index, chosen, options)
    with right, st.container(border=True):
        _draw_changes(detected, chosen)


def _choose_file(draft: load.Draft) -> int:
    """Draw the choice of the upload, where there are two; the one that the problem names comes first."""
    names = [name for name, _ in draft.uploads]
    if len(names) == 1:
        return 0
    first = next((i for i, name in enumerate(names) if draft.problem.startswith(name)), 0)
    shown = range(len(names))
    chosen = st.segmented_control(
        "File", shown, default=first, format_func=lambda i: show(names[i], 40), key="read.file", required=True
    )
    return first if chosen is None else int(chosen)


@st.cache_data(show_spinner="Reading the first lines …", max_entries=64, ttl=3600)
def _preview(
    uploads: tuple[tuple[str, str], ...], index: int, options: tuple[ReadOptions, ...]
) -> tuple[Preview | str, ...]:
    """Return the preview of an upload under each of the options; a sentence where it cannot be split so."""
    with open_uploads(uploads[index : index + 1]) as sources:
        return tuple(preview_files(sources, [options])[0])


def _choose(key: str, options: ReadOptions) -> None:
    st.session_state[key] = options


def _pick(key: str, widget: str, field: str, options: ReadOptions) -> None:
    """Take a choice over into the options; a new sheet has a header of its own."""
    value = st.session_state.get(widget)
    changes: dict[str, Any] = {field: None if value == _DETECTED else value}
    if field == "header":
        changes["header"] = value or False
    if field == "sheet":
        changes["header"] = None
    _choose(key, dataclasses.replace(options, **changes))


def _draw_choices(key: str, options: ReadOptions, detected: Preview, chosen: Preview) -> None:
    """Draw the choices, each showing what holds now."""

    def control(title: str, field: str, values: list[Any], now: Any, names: dict[Any, str]) -> None:
        widget = f"{key}.{field}"
        st.session_state[widget] = now
        st.segmented_control(
            title, values, key=widget, required=True, format_func=lambda value: names.get(value, str(value)),
            on_change=_pick, args=(key, widget, field, options), width="content",
        )  # fmt: skip

    first = range(1, min(_FIRST_LINES, chosen.n_lines) + 1)
    lines = sorted({0, *first, detected.header_line, chosen.header_line})
    with st.container(horizontal=True, gap="medium", key="read-choices"):
        if chosen.delimiter is not None:
            control("Delimiter", "delimiter", list(_DELIMITERS), chosen.delimiter, _DELIMITERS)
        elif len(chosen.sheets) > 1:
            _select(key, "Sheet", "sheet", list(chosen.sheets), chosen.sheet, options)
        title = "Header in line" if chosen.delimiter is not None else "Header in row"
        control(title, "header", lines, chosen.header_line, {0: "None"})
        control("Decimals", "decimal", list(_DECIMALS), chosen.decimal, _DECIMALS)
        if chosen.delimiter is not None:
            encodings = [_DETECTED, *ENCODINGS]
            _select(key, "Encoding", "encoding", encodings, options.encoding or _DETECTED, options,
                    {_DETECTED: f"{chosen.encoding} (detected)"})  # fmt: skip


def _draw_header_line(key: str, options: ReadOptions, chosen: Preview, noun: str) -> None:
    """Draw the field for the number of a header further down than the lines that are shown."""
    widget = f"{key}.header_line"
    st.session_state[widget] = chosen.header_line if chosen.header_line > _FIRST_LINES else None
    st.number_input(
        f"Header in another {noun}", 1, chosen.n_lines, value=None, step=1, key=widget, placeholder="its number",
        on_change=_pick, args=(key, widget, "header", options), width=180,
    )  # fmt: skip


def _select(
    key: str, title: str, field: str, values: list[str], now: str, options: ReadOptions,
    names: dict[str, str] | None = None,
) -> None:  # fmt: skip
    widget = f"{key}.{field}"
    st.session_state[widget] = now
    st.selectbox(
        title, values, key=widget, format_func=lambda value: show(str((names or {}).get(value, value)), 40),
        on_change=_pick, args=(key, widget, field, options), width=220,
    )  # fmt: skip


def _draw_lines(key: str, options: ReadOptions, chosen: Preview) -> None:
    """Draw the first lines; a click on the number of one makes it the header."""
    offered = {str(line.number): line.number for line in chosen.lines}
    noun = "line" if chosen.delimiter is not None else "row"
    data = {
        "noun": noun,
        "label": "The first lines of the file as they are split",
        "roles": list(chosen.roles),
        "lines": [_line(line) for line in chosen.lines],
    }

    def make_header(number: str) -> None:
        _choose(key, dataclasses.replace(options, header=offered[number]))

    widget = f"{key}.lines"
    _lines(data=data, key=widget, on_chosen_change=report_offered(widget, offered, make_header))
    first, last = chosen.lines[0].number, chosen.lines[-1].number
    st.caption(
        f"{noun.capitalize()}s {first:,} to {last:,} of {chosen.n_lines:,}. Those above the header are left out. "
        f"Click the number of a {noun} to make it the header."
    )
    if chosen.n_lines > PREVIEWED_LINES:
        _draw_header_line(key, options, chosen, noun)


def _line(line: PreviewLine) -> dict[str, Any]:
    cells = [show(cell, _CELL_CHARS) if cell else "" for cell in line.cells]
    notes = {"above": "left out", "misfit": "does not fit", "blank": "blank"}
    if line.kind == "above":
        filled = [cell for cell in cells if cell]
        cells = [" · ".join(filled) or "(empty)"]
    return {"number": line.number, "cells": cells, "kind": line.kind, "note": notes.get(line.kind, "")}


def _draw_buttons(
    run: str, key: str, before: tuple[ReadOptions, ...], index: int, chosen: Preview, options: ReadOptions
) -> None:
    with st.container(horizontal=True):
        pressed = st.button("Read again", type="primary", icon=":material/check:", key="read.again")
        st.button(
            "Back to the detected split", key="read.back", type="tertiary", on_click=_choose, args=(key, DETECT),
            disabled=options == DETECT,
        )  # fmt: skip
    wanted = (*before[:index], _settle(options, chosen), *before[index + 1 :])
    take_in_again(run, wanted if pressed else None)


def _settle(options: ReadOptions, chosen: Preview) -> ReadOptions:
    """Return the options under which a file is read as its preview shows."""
    return dataclasses.replace(options, delimiter=chosen.delimiter, header=chosen.header_line or False)


def _draw_changes(detected: Preview, chosen: Preview) -> None:
    """Draw what the choices make of the file, beside what was detected."""
    st.markdown("**What these choices change**")
    table = ["| | detected | chosen |", "|:--|--:|--:|"]
    for name, before, after in zip(_FACTS, _facts(detected), _facts(chosen), strict=True):
        marked = after if after == before else f"**{after}**"
        if before or after:
            table.append(f"| {name} | {before} | {marked} |")
    st.markdown("\n".join(table))
    if max(detected.n_lines, chosen.n_lines) > chosen.n_counted:
        st.caption(f"Rows are counted in the first {count(chosen.n_counted, 'line')}.")
    for note in chosen.notes:
        st.text(note)


_FACTS = ("Sheet", "Delimiter", "Header line", "Lines left out", "Decimals", "Columns", "Rows", "Rows that do not fit")


def _facts(preview: Preview) -> tuple[str, ...]:
    """Return what a preview makes of the file, in the order of `_FACTS`; "" = it has no such thing."""
    return (
        md(preview.sheet, 24) if preview.sheet else "",
        "" if preview.delimiter is None else _DELIMITERS[preview.delimiter].lower(),
        f"{preview.header_line:,}" if preview.header_line else "none",
        f"{preview.n_above:,}",
        _DECIMALS[preview.decimal],
        f"{len(preview.names):,}",
        f"{preview.n_rows:,}",
        f"{preview.n_misfits:,}",
    )
