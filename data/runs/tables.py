"""Bring the tables of one or two files together, with what their readers said."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pyarrow as pa

from data.columns.counted_metadata import read_counted
from data.columns.table_metadata import (
    EQUAL,
    list_files,
    read_join,
    read_left_out,
    read_notes,
    read_settlement,
    read_warnings,
    with_left_out,
    with_notes,
    with_warnings,
)
from data.evaluation import FileFacts, JoinReport, Settings
from data.joining.join import join
from data.joining.key_matching import FILES
from data.joining.long_form import widen_tables
from data.joining.matrix_file import as_lines, with_older_names
from data.labels.default_names import read_default_names
from data.labels.one_hot import read_one_hot
from data.runs.draft import Draft, Given
from data.store import store
from text.quoting import quote, show_file_name


def join_tables(
    tables: Sequence[pa.Table],
    key: str | None,
    repeated: str = EQUAL,
    files: Sequence[FileFacts] = (),
    wishes: Given | Settings | None = None,
) -> tuple[pa.Table, JoinReport | None]:
    """Return one table, or predictions and labels joined; lines of id and label become one row per id first.

    files : what the tables were read from, for the report. wishes : what is known of the truth and of merged labels.
    """
    if len(tables) == 1 and read_counted(tables[0]) is not None:
        return tables[0], None
    tables = widen_tables([as_lines(tables[0])] if len(tables) == 1 else tables, key, repeated)
    table, report = (
        (tables[0], None) if len(tables) == 1 else join(*tables, key=key, repeated=repeated, files=_name_sides(files))
    )
    for joined in tables:
        table = with_left_out(table, read_left_out(joined), repeated=read_settlement(joined))
    warnings = [text for joined in tables for text in read_warnings(joined)]
    wishes = wishes or Given()
    of_flags: list[str] = []
    if _may_be_single(wishes):
        table, of_flags = read_one_hot(table, wishes.truth, is_single=wishes.task == "single")
    table, of_names = read_default_names(table, wishes.truth, wishes.merge)
    notes = [*read_notes(*tables), *of_flags, *of_names]
    return with_notes(with_warnings(table, warnings) if warnings else table, notes), report


def _may_be_single(wishes: Given | Settings) -> bool:
    """Return whether rows may have one label each: nobody said several, and no 0/1 columns were kept as a truth."""
    kept = isinstance(wishes, Settings) and wishes.truth_columns
    return wishes.task != "multilabel" and not kept


def _name_sides(files: Sequence[FileFacts]) -> tuple[str, str]:
    """Return the names of the two files, told apart where they are equal."""
    if len(files) != 2:
        return FILES
    first, second = (show_file_name(file.name) for file in files)
    return (first, second) if first != second else (f"{first} (predictions)", f"{second} (labels)")


def load_joined_table(draft: Draft) -> tuple[pa.Table, list[FileFacts], JoinReport | None]:
    """Load the stored tables as one, the files they came from, and how they were joined."""
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    if draft.leaves_out:
        return tables[0], list_files(tables[0], draft.files), read_join(tables[0])
    files = [
        dataclasses.replace(file, columns=tuple(table.column_names))
        for file, table in zip(draft.files, tables, strict=True)
    ]
    table, report = join_tables(tables, draft.given.key, draft.given.repeated, files, draft.settings)
    return with_older_names(table, draft.settings.truth, draft.settings.pred), files, report


def list_file_warnings(facts: Sequence[FileFacts]) -> list[str]:
    """Return the readers' warnings; of two files each says which it is about, and what holds for both is said once."""
    if len(facts) == 1:
        return facts[0].list_warnings()
    about: dict[str, list[str]] = {}
    for file in facts:
        for text in file.list_warnings():
            about.setdefault(text, []).append(quote(file.name).strip("'"))
    return [f"{' and '.join(names)}: {text}" for text, names in about.items()]


def store_table(table: pa.Table) -> str:
    """Store a table of counts, and return its id."""
    with store.scratch() as scratch, store.disk_errors():
        path = scratch / "0.parquet"
        store.write_canonical(table, path)
        return store.put_table(path)
