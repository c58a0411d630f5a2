"""Remember in a table's metadata what happened to it: files joined, repeated ids, notes, and what a share left out.

A table of which something was left out is one even where two files were uploaded, and it is taken as it is: nothing is
joined, turned or searched again. The stored Parquet keeps the metadata.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from data.evaluation import Evaluation, FileFacts, JoinReport, LeftOut, as_tuples
from text.numbers import count

EQUAL, FIRST, LAST, ALL = "equal", "first", "last", "all"
REPEATED = (EQUAL, FIRST, LAST, ALL)
"""Choices for repeated ids: count equal rows once and leave the others out; the first; the last; all rows."""
FOUND_IN = "found in"
FOUND_IN_METADATA = {b"role": b"found in"}
_IDS, _ROWS, _HOW = b"repeated ids left out", b"repeated rows left out", b"repeated ids"
_LEFT_OUT, _ROWS_GONE = b"left out", b"rows"
_JOIN, _NOTES, _WARNINGS = b"join", b"notes", b"warnings"
READ_ALREADY = {b"role": b"answers read already"}
"""Metadata of the column that stands in for raw answers which were left out."""


def with_left_out(
    table: pa.Table, left_out: Sequence[LeftOut], rows: np.ndarray | None = None, *, repeated: str = ""
) -> pa.Table:
    """Add ids, and row numbers (from 0) of its file, that a table lacks; more is added to what is there.

    repeated : what was done with repeated ids, one of `REPEATED`; "" = nothing had to be.

    >>> table = with_left_out(pa.table({"y": ["a", "c"]}), [LeftOut("b", (2,))], np.array([1]))
    >>> read_left_out(table), find_file_rows(table).tolist()
    ((LeftOut(id='b', predictions=(2,), labels=()),), [0, 2])
    """
    metadata = dict(table.schema.metadata or {})
    ids = dict.fromkeys((*read_left_out(table), *left_out))
    if ids:
        metadata[_IDS] = json.dumps([dataclasses.astuple(left_out) for left_out in ids]).encode()
    if rows is not None and len(rows):
        metadata[_ROWS] = json.dumps(rows.tolist()).encode()
    if repeated:
        metadata[_HOW] = repeated.encode()
    return table.replace_schema_metadata(metadata) if metadata else table


def read_left_out(table: pa.Table) -> tuple[LeftOut, ...]:
    """Return the ids that a table lacks, because their rows repeat them and differ."""
    return tuple(LeftOut(name, tuple(ours), tuple(theirs)) for name, ours, theirs in read_values(table, _IDS) or ())


def read_settlement(table: pa.Table) -> str:
    """Return the way in which repeated ids of a table were settled, one of `REPEATED`; "" = nothing had to be."""
    written: bytes = (table.schema.metadata or {}).get(_HOW, b"")
    return written.decode()


def read_rows_left_out(table: pa.Table) -> np.ndarray:
    """Return the numbers (from 0) that rows left out of a table had, int64."""
    return np.array(read_values(table, _ROWS) or (), dtype=np.int64)


def find_file_rows(table: pa.Table) -> np.ndarray | None:
    """Return the number (from 0) of every row before rows were left out, int64 (n,); None where none was."""
    gone = read_rows_left_out(table)
    return np.delete(np.arange(len(table) + len(gone)), gone) if len(gone) else None


def find_numbers_in_file(table: pa.Table, rows: np.ndarray | None) -> np.ndarray | None:
    """Return row numbers of before rows were left out; None = all rows, and none was left out."""
    numbers = find_file_rows(table)
    return rows if numbers is None else numbers if rows is None else numbers[rows]


def without_row_numbers(table: pa.Table) -> pa.Table:
    """Return the table without what `find_file_rows` reads."""
    metadata = {key: value for key, value in (table.schema.metadata or {}).items() if key != _ROWS}
    return table.replace_schema_metadata(metadata)


def read_notes(*tables: pa.Table) -> tuple[str, ...]:
    """Return the sentences about bringing tables into shape.

    >>> read_notes(with_notes(pa.table({"y": ["a"]}), ["said"]), pa.table({"y": ["a"]}))
    ('said',)
    """
    return tuple(dict.fromkeys(note for table in tables for note in read_values(table, _NOTES) or ()))


def with_notes(table: pa.Table, notes: Sequence[str]) -> pa.Table:
    """Add sentences to a table, for `read_notes`."""
    if not notes:
        return table
    return add_values(table, _NOTES, list(notes))


def read_warnings(table: pa.Table) -> tuple[str, ...]:
    """Return what a person should look at, of bringing the table into shape."""
    return tuple(read_values(table, _WARNINGS) or ())


def with_warnings(table: pa.Table, warnings: Sequence[str]) -> pa.Table:
    """Add sentences that a person should look at, for `read_warnings`."""
    return add_values(table, _WARNINGS, list(warnings))


def find_unmatched_rows(table: pa.Table) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return rows that only one file had: (without a label, without a prediction), bool (n,) each, or (None, None)."""
    name = find_mark_column(table)
    if name is None:
        return None, None
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    texts = table.column(name).cast(pa.string())
    return tuple(pc.equal(texts, f"{side} only").to_numpy() for side in ("predictions", "labels"))


def find_mark_column(table: pa.Table) -> str | None:
    """Return the column that says which file had each row; None where every row was in both, or there was one file."""
    marked = (field.name for field in table.schema if (field.metadata or {}).get(b"role") == FOUND_IN_METADATA[b"role"])
    return next(marked, None)


def with_join(table: pa.Table, join: JoinReport | None) -> pa.Table:
    """Add the report of the join that made a table, for `read_join`."""
    if join is None:
        return table
    return add_values(table, _JOIN, dataclasses.asdict(join))


def read_join(table: pa.Table) -> JoinReport | None:
    """Return the report of the join that made a table; None where it was one file.

    >>> report = JoinReport("row order", None, 2, 0, 0, text="Side by side.")
    >>> read_join(with_join(pa.table({"y": ["a"]}), report)) == report
    True
    """
    written = read_values(table, _JOIN)
    return None if written is None else JoinReport(**as_tuples(written))


def list_files(table: pa.Table, files: Sequence[FileFacts]) -> list[FileFacts]:
    """Return the files, each with those of its columns that are left."""
    if len(files) == 1:
        return [dataclasses.replace(files[0], columns=tuple(table.column_names))]
    sides = [(field.metadata or {}).get(b"file") for field in table.schema]
    return [
        dataclasses.replace(
            file,
            columns=tuple(
                name for name, side_of_column in zip(table.column_names, sides, strict=True) if side_of_column == side
            ),
        )
        for file, side in zip(files, (b"predictions", b"labels"), strict=True)
    ]


def describe_redaction(n_hidden: int, *, counts_only: bool) -> tuple[str, ...]:
    """Return the receipt's sentences about what was left out of a share.

    >>> describe_redaction(2, counts_only=False)
    ('Whoever shared this left 2 columns out.',)
    """
    columns = f"Whoever shared this left {count(n_hidden, 'column')} out."
    rows = (
        "Whoever shared this left the rows out: the numbers are all here. Their counts are sorted, so row numbers "
        "here say nothing about the file."
    )
    return (*((columns,) if n_hidden else ()), *((rows,) if counts_only else ()))


def with_mark(table: pa.Table, *, counts_only: bool) -> pa.Table:
    """Mark what was left out of a table, for `rows_left_out` and `is_part`."""
    mark = _ROWS_GONE if counts_only else b"columns"
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _LEFT_OUT: mark})


def is_part(evaluation: Evaluation) -> bool:
    """Return whether whoever shared an evaluation left columns or rows out."""
    return _LEFT_OUT in (evaluation.rows.schema.metadata or {})


def rows_left_out(evaluation: Evaluation) -> bool:
    """Return whether only what the numbers need was shared: no row of it may be shown, listed or written to a file."""
    return (evaluation.rows.schema.metadata or {}).get(_LEFT_OUT) == _ROWS_GONE


def are_read(table: pa.Table, column: str | None) -> bool:
    """Return whether a column holds the labels read from answers instead of the answers."""
    if column is None or column not in table.column_names:
        return False
    return (table.schema.field(column).metadata or {}).get(b"role") == READ_ALREADY[b"role"]


def answers_left_out(evaluation: Evaluation) -> bool:
    """Return whether the answers of an evaluation were left out: what was read from them is all there is."""
    return evaluation.answers is not None and are_read(evaluation.rows, evaluation.answers.column)


def add_values(table: pa.Table, key: bytes, values: Any) -> pa.Table:
    """Add values to the metadata of a table, as JSON."""
    return table.replace_schema_metadata({**(table.schema.metadata or {}), key: json.dumps(values).encode()})


def read_values(table: pa.Table, key: bytes) -> Any:
    """Return what `add_values` wrote; None where nothing was."""
    return json.loads((table.schema.metadata or {}).get(key, b"null"))
