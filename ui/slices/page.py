"""The page Slices: its finding as the title, then the part that was asked for."""

from __future__ import annotations

import streamlit as st

from data.comparison.slice_columns import other_columns
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs.source_rows import has_source
from ui.frame.heading import heading
from ui.open import source_split
from ui.slices import choices, groups, other_numbers, over_time, repeats, search_cache, slice_panel, slices
from ui.text.markdown import md
from ui.text.messages import refuse_error
from ui.view import data_table, url
from ui.view.address import go_to


def draw(evaluation: Evaluation) -> None:
    """Draw the page, or say why there is nothing to slice by."""
    head = st.container()
    if source_split.wait():
        with head:
            heading("The source is being counted by one more column")
        return
    columns = search_cache.sliceable(evaluation)
    wanted = choices.choices_in_view(evaluation)
    if url.get("mode") == "files" and over_time.other_files():
        _files(evaluation, wanted)
        return
    repeated = search_cache.find_repeats(evaluation)
    if url.get("mode") == "repeats" and repeated is not None:
        heading(data_table.write_markdown(repeated.headline))
        choices.toolbar(evaluation)
        repeats.draw(evaluation, repeated)
        return
    repeats.leave_question(repeated)
    if not columns.every:
        _nothing(evaluation)
        return
    if url.get("mode") == "groups":
        _groups(evaluation, wanted)
        return
    if url.get("mode") == "time":
        _times(evaluation, wanted)
        return
    if wanted.is_alone:
        _numbers(evaluation, wanted)
        return
    asked = (*wanted.columns, *(name for name, _ in slice_panel.conditions_in_view()))
    searched = search_cache.search(evaluation, wanted.metric, wanted.code, asked)
    slices.drop_unknown(searched)
    wanted = choices.choices_in_view(evaluation)
    heading(slices.title(evaluation, searched, wanted))
    choices.toolbar(evaluation)
    slices.explore(evaluation, searched, wanted)


def _numbers(evaluation: Evaluation, wanted: choices.Asked) -> None:
    """Draw another number of every slice of the columns that were chosen."""
    lines = other_numbers.numbers_in_view(evaluation, wanted)
    heading(other_numbers.title(evaluation, lines, wanted))
    choices.toolbar(evaluation)
    other_numbers.draw(evaluation, lines, wanted)


def _groups(evaluation: Evaluation, wanted: choices.Asked) -> None:
    """Draw the part about groups."""
    code = choices.positive_code(evaluation, wanted)
    compared = groups.compare_in_view(evaluation, wanted._replace(code=code))
    column = compared.way.columns[0]
    line = f"Groups are the values of {md(column, 40)}."
    why = dict(search_cache.sliceable(evaluation).why_derived).get(column)
    if why is not None:
        line += f" It {why}: a gap between them is no finding."
    heading(groups.title(compared), line)
    choices.toolbar(evaluation)
    groups.draw(evaluation, compared, code)


def _times(evaluation: Evaluation, wanted: choices.Asked) -> None:
    """Draw the part about time; it needs a column of dates."""
    if not search_cache.date_columns(evaluation):
        heading("Over time: no column of dates")
        choices.toolbar(evaluation)
        st.markdown("No column holds dates such as 2026-03-31 in two periods or more. Add one to see what changed.")
        return
    drift = over_time.compare(evaluation)
    assert drift.way is not None
    line = f"Rows {drift.after} by {md(drift.way.columns[0], 40)}, compared with those before."
    heading(over_time.title(drift), line)
    choices.toolbar(evaluation)
    over_time.draw(evaluation, drift, wanted)


def _files(evaluation: Evaluation, wanted: choices.Asked) -> None:
    """Draw the rows of this file against those of the first other one that the page Compare has added."""
    try:
        drift = over_time.compare_with_file(evaluation, over_time.other_files()[0])
    except DataError as error:
        heading("Another file: it cannot be compared")
        choices.toolbar(evaluation)
        refuse_error(error)
        return
    line = "Two files of different rows: the one added on the page Compare counts as before."
    heading(over_time.title(drift), line)
    choices.toolbar(evaluation)
    over_time.draw(evaluation, drift, wanted)


def _nothing(evaluation: Evaluation) -> None:
    """Say why no column can be cut into slices, and what helps."""
    heading("Slices: no column to slice by")
    named = other_columns(evaluation)
    if has_source(evaluation):
        choices.offer_columns(evaluation)
    elif not named:
        st.markdown("This file has no columns besides labels, predictions, scores and ids. Add one, such as a region.")
    else:
        why = search_cache.sliceable(evaluation).left_out
        columns = ", ".join(f"{md(name, 40)} ({reason})" for name, reason in why[:8])
        st.markdown(f"No column can be cut into slices: {columns}. Add a column with fewer values.")
    if search_cache.find_repeats(evaluation) is not None:
        st.button("Show repeated questions", key="slices.repeats", on_click=lambda: url.put(mode="repeats"))
    if over_time.other_files():
        st.button("Compare with the other file", key="slices.files", on_click=lambda: url.put(mode="files"))
    go_to("open", "Open another file", icon=":material/upload_file:")
    if url.get("filter"):
        st.markdown("The filter may leave one value only. Remove it to see all slices.")
