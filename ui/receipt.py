"""The open page's receipt: what was understood of the files, what to check, and how they were read."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from charts.text import show
from data.evaluation import ColumnRole, Evaluation, FileFacts, Receipt
from data.partial_table import is_part, rows_left_out
from metrics.finding import rows
from ui import joining
from ui.remarks import remark
from ui.words import md

ROLES = 100
"""At most so many columns with a role are listed."""
_FIRST = ("truth", "prediction", "raw")


def panel(evaluation: Evaluation) -> None:
    """What was understood of the file, column by column, and what was done to it."""
    paper = evaluation.receipt
    told = joining.sentences(paper.join)  # the panel of the join says these
    st.subheader("What was understood")
    for warning in paper.warnings:
        if warning not in told:
            remark(warning)
    for file in paper.files:
        st.markdown(_file(file, part=is_part(evaluation)))
    _columns(paper, with_rows=not rows_left_out(evaluation))
    _notes(paper, told)


def _file(file: FileFacts, *, part: bool = False) -> str:
    """A file in one line; of a part that was shared, its size says nothing of the file."""
    facts = [
        file.format,
        *([f"separated by {_delimiter(file.delimiter)}"] if file.delimiter else []),
        *([file.encoding] if file.encoding else []),
        *([file.compression] if file.compression else []),
    ]
    size = f"{rows(file.n_rows)}, {rows(len(file.columns), 'column')}"
    size += " were shared of it" if part else f", {_size(file.n_bytes)}"
    return f"{md(file.name)}: {size} · {' · '.join(facts)}"


def _notes(paper: Receipt, told: Collection[str]) -> None:
    """How the files were read and what was done to them: nothing that has to be looked at, all that may be."""
    of_files = [(file.name, note) for file in paper.files for note in file.notes]
    notes = [note for note in paper.notes if note not in told]
    if not of_files and not notes:
        return
    what = "file was" if len(paper.files) == 1 else "files were"
    counted = rows(len(of_files) + len(notes), "note")
    with st.expander(f"How the {what} read: {counted}", icon=":material/receipt_long:"):
        for name, note in of_files:
            st.text(note if len(paper.files) == 1 else f"{show(name, 40)}: {note}")
        for note in notes:
            st.text(note)


def _columns(paper: Receipt, *, with_rows: bool) -> None:
    """Which column plays which role, and why; the columns without a role by name."""
    played = sorted((role for role in paper.roles if role.role != "other"), key=_place)
    others = [role.column for role in paper.roles if role.role == "other"]
    names = {"column": "column", "role": "role", "why": "because"}
    st.dataframe(
        {title: [show(getattr(role, field)) for role in played[:ROLES]] for field, title in names.items()},
        hide_index=True,
        column_config={"because": st.column_config.TextColumn(width="large")},
        height="content" if len(played) <= 6 else 250,
        key="receipt.roles",
    )
    if len(played) > ROLES:
        st.caption(f"… and {len(played) - ROLES:,} more columns with a role.")
    if others and with_rows:
        more = f" and {len(others) - 12:,} more" if len(others) > 12 else ""
        st.caption(f"Kept for the rows page: {', '.join(md(name, 40) for name in others[:12])}{more}.")


def _place(role: ColumnRole) -> int:
    """Where a role stands in the table: the labels first, and the scores, which may be many, last."""
    kind = role.role.split(" ")[0]
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST) + (kind == "score")


def _delimiter(character: str) -> str:
    return {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", " ": "space"}.get(character, md(character))


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:.1f} kB"
