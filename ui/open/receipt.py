"""The open page's receipt: what was understood of the files, what to check, and how they were read."""

from __future__ import annotations

import streamlit as st

from data.evaluation import Evaluation, Receipt
from data.joining.table_metadata import is_part
from export import file_reading
from text.numbers import count
from text.visible import show
from ui.text.markdown import md
from ui.text.messages import remark


def panel(evaluation: Evaluation) -> None:
    """Draw how the file was read: every column with a role, and what was done to the rows."""
    paper = evaluation.receipt
    told = file_reading.join_sentences(paper.join)  # the panel of the join says these
    st.subheader("How we read your file")
    for warning in paper.warnings:
        if warning not in told:
            remark(warning)
    for file in paper.files:
        st.markdown(f"{md(file.name)}: {file_reading.file_facts(file, part=is_part(evaluation))}")
    _columns(evaluation)
    st.markdown("\n".join(f"- {fact.term}: {fact.sentence(md)}" for fact in file_reading.facts(evaluation)))
    _notes(paper)


def _notes(paper: Receipt) -> None:
    """List how the files were read and what was done to them; nothing here needs a look."""
    notes = file_reading.notes(paper)
    if not notes:
        return
    what = "file was" if len(paper.files) == 1 else "files were"
    with st.expander(f"How the {what} read: {count(len(notes), 'note')}", icon=":material/receipt_long:"):
        for note in notes:
            st.text(note)


def _columns(evaluation: Evaluation) -> None:
    """List the role of each column, and why; the columns without a role by name."""
    played = file_reading.roles(evaluation.receipt)[: file_reading.ROLES]
    names = {"column": "column", "role": "role", "why": "because"}
    st.dataframe(
        {title: [show(getattr(role, field)) for role in played] for field, title in names.items()},
        hide_index=True,
        column_config={"because": st.column_config.TextColumn(width="large")},
        height="content" if len(played) <= 6 else 250,
        key="receipt.roles",
    )
    for sentence in (
        file_reading.more_roles(evaluation.receipt),
        file_reading.kept_columns(evaluation, lambda name: md(name, 40)),
    ):
        if sentence:
            st.caption(sentence)
