"""Marked rows and the notes on them: kept in this browser, file by file; the marks stand in the link too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.rows.row_table import find_rows_by_number, row_numbers
from ui.limits import MAX_MARK_NOTE_CHARS, MAX_MARKS
from ui.person import browser_storage
from ui.text.messages import remark
from ui.view import url
from ui.view.url import read_range, write_ranges

IN_LINK = 1_500
"""Characters of the marked rows' numbers in a link, which mail programs and servers cut when it grows long."""
_MARKS, _LINK, _BROWSER = "marks.kept", "marks.read", "marks.from_browser"
"""In the session, of every run: {row number: note}; the texts of the link and of the browser, last read or written."""


def read_numbers(text: str) -> list[int]:
    """Return row numbers that `write_ranges` wrote; raises ValueError with the end of a sentence.

    >>> read_numbers("3-5,12")
    [3, 4, 5, 12]
    """
    numbers: list[int] = []
    for part in text.split(",") if text else []:
        run = read_range(part)
        if run is None:
            raise ValueError("row numbers such as 3-7,12 were wanted")
        if len(run) + len(numbers) > MAX_MARKS:
            raise ValueError(f"at most {MAX_MARKS:,} rows can be marked")
        numbers += run
    return numbers


def marks_for_link(numbers: Iterable[int]) -> tuple[str, int]:
    """Return the marked rows for the link, cut where it would grow too long, and how many of them it holds.

    >>> marks_for_link({7, 8})
    ('7-8', 2)
    """
    text = write_ranges(numbers)
    if len(text) > IN_LINK:
        text = text[:IN_LINK].rpartition(",")[0]
    return text, len(read_numbers(text))


def marks_in_view(evaluation: Evaluation) -> Mapping[int, str]:
    """Return the marked rows of the file in view, by number (from 1), with their notes and those of the link."""
    marks = _marks_of_run()
    run, text = url.get("run"), url.get("marks")
    link_texts: dict[str, str] = st.session_state.setdefault(_LINK, {})
    if text and link_texts.get(run) != text:
        link_texts[run] = text
        _add_from_link(evaluation, marks, text)
    _put_into_view(marks)
    return marks


def _add_from_link(evaluation: Evaluation, marks: dict[int, str], text: str) -> None:
    """Add the rows that a link marks, as far as the file has them, to the marks."""
    try:
        numbers = np.array(read_numbers(text), dtype=np.int64)
    except ValueError as error:
        remark(f"Ignored marks={text[:40]} in the link: {error}.")
        return
    is_in_file = np.isin(numbers, row_numbers(evaluation, find_rows_by_number(evaluation, numbers)))
    if not is_in_file.all():
        remark(f"{(~is_in_file).sum():,} of the {len(numbers):,} rows that the link marks are not in this file.")
    for number in numbers[is_in_file].tolist()[: MAX_MARKS - len(marks)]:
        marks.setdefault(number, "")


def mark(number: int, on: bool) -> None:
    """Mark a row, or take its mark and its note away."""
    marks = _marks_of_run()
    if not on:
        marks.pop(number, None)
    elif number not in marks and len(marks) < MAX_MARKS:
        marks[number] = ""
    _keep_in_browser(marks)


def write_note(number: int, text: str) -> None:
    """Note something on a row, which marks it; without a text the mark stays."""
    mark(number, True)
    marks = _marks_of_run()
    if number in marks:
        marks[number] = text.strip()[:MAX_MARK_NOTE_CHARS]
    _keep_in_browser(marks)


def entry_name(run: str) -> str:
    """Return the name under which the browser keeps the marks and notes of a run."""
    return browser_storage.name_of("marks", run)


def read_entry(text: str) -> dict[int, str]:
    """Return the marks and notes in a text that a browser kept; other entries are left out.

    >>> read_entry('{"7": "odd", "x": "", "-1": "", "8": 5}')
    {7: 'odd'}
    """
    entries = browser_storage.read_json(text)
    pairs = entries.items() if isinstance(entries, dict) else ()
    marks = [(number, note) for number, note in pairs if re.fullmatch("[0-9]{1,18}", number) and isinstance(note, str)]
    return {int(number): note[:MAX_MARK_NOTE_CHARS] for number, note in marks}


def _marks_of_run() -> dict[int, str]:
    """Return {row number: note} of the run in view, which may be changed; what another tab changed is taken over."""
    # by run and not by fingerprint: a mark is on a row of a file, whatever threshold predicts it
    run = url.get("run")
    marks: dict[int, str] = st.session_state.setdefault(_MARKS, {}).setdefault(run, {})
    browser_texts: dict[str, str] = st.session_state.setdefault(_BROWSER, {})
    text = browser_storage.text_of(entry_name(run))
    if text != browser_texts.get(run, ""):
        entries = read_entry(text)
        if run not in browser_texts:  # at first the marks of the link stay, too; later another tab has changed them
            entries = {**marks, **entries}
        browser_texts[run] = text
        marks.clear()
        marks.update(list(entries.items())[:MAX_MARKS])
    return marks


def _keep_in_browser(marks: Mapping[int, str]) -> None:
    """Have the browser keep the marked rows with their notes, and put them into the view."""
    run, text = url.get("run"), json.dumps(marks, ensure_ascii=False) if marks else ""
    st.session_state.setdefault(_BROWSER, {})[run] = text
    browser_storage.put(entry_name(run), text)
    _put_into_view(marks)


def _put_into_view(marks: Mapping[int, str]) -> None:
    """Put the marked rows into the link of the view."""
    text, _ = marks_for_link(marks)
    st.session_state.setdefault(_LINK, {})[url.get("run")] = text
    if url.get("marks") != text:
        url.put(marks=text)
