"""The part Repeats of the page: questions with several answers, and the rows of the one that is chosen."""

from __future__ import annotations

import streamlit as st

from data.comparison.filter_conditions import write_filter
from data.evaluation import Evaluation
from export.result.kinds import Result
from ui.slices import slice_panel
from ui.slices.slice_names import slice_markdown
from ui.view import data_table, panel, url
from ui.view.result_table.result_table import Line, draw_table


def leave_question(result: Result | None) -> None:
    """Close the question that is open: the other parts have no slice of its name."""
    conditions = slice_panel.conditions_in_view()
    if result is not None and [column for column, _ in conditions] == [result.numbers["repeats"]["column"]]:
        url.put(slice="", row=0)


def draw(evaluation: Evaluation, result: Result) -> None:
    """Draw the numbers, the divided questions, and beside them the rows of the chosen one."""
    repeats = result.numbers["repeats"]
    lines = {write_filter(((repeats["column"], line["question"]),)): line for line in repeats["divided"]}
    opened = url.get("slice")
    main, beside = panel.split_panel("slices", is_open=opened in lines)
    kinds, draws, divided = result.tables
    with main:
        data_table.draw_sentences(result.sentences)
        draw_table(kinds, key="slices.kinds")
        draw_table(draws, key="slices.draws", axes={})
        draw_table(
            divided, key="slices.divided", lines=[Line(chosen) for chosen in list(lines)[: len(divided.rows)]],
            opened=opened, on_choose=lambda chosen: url.put(slice=chosen, row=0),
        )  # fmt: skip
        data_table.draw_sentences(result.notes, small=True)
    with beside:
        if opened not in lines:
            panel.heading("Answers of a question")
            st.markdown("Choose a question to see its answers.")
            return
        panel.draw_way_back("Close", lambda: url.put(slice="", row=0), key="slice", icon=":material/close:")
        conditions = slice_panel.conditions_in_view()
        panel.heading(slice_markdown(conditions))
        st.caption(f"{lines[opened]['right']:,} of {lines[opened]['answers']:,} answers are right")
        slice_panel.draw_rows(evaluation, conditions, lines[opened]["answers"])
