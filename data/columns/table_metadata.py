"""Remember in a table's metadata what happened to it: files joined, repeated ids, notes, and what a share left out.

A table of which something was left out is one even where two files were uploaded, and it is taken as it is: nothing is
joined, turned or searched again. The stored Parquet keeps the metadata.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from data.evaluation import ColumnRole, Evaluation, FileFacts, JoinReport, LeftOut, as_tuples
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
    return tuple(LeftOut(name, tuple(ours), tuple(theirs)) for name, ours, theirs in _read(table, _IDS) or ())


def read_settlement(table: pa.Table) -> str:
    """Return the way in which repeated ids of a table were settled, one of `REPEATED`; "" = nothing had to be."""
    written: bytes = (table.schema.metadata or {}).get(_HOW, b"")
    return written.decode()


def read_rows_left_out(table: pa.Table) -> np.ndarray:
    """Return the numbers (from 0) that rows left out of a table had, int64."""
    return np.array(_read(table, _ROWS) or (), dtype=np.int64)


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
    return tuple(dict.fromkeys(note for table in tables for note in _read(table, _NOTES) or ()))


def with_notes(table: pa.Table, notes: Sequence[str]) -> pa.Table:
    """Add sentences to a table, for `read_notes`."""
    if not notes:
        return table
    return _add(table, _NOTES, list(notes))


def read_warnings(table: pa.Table) -> tuple[str, ...]:
    """Return what a person should look at, of bringing the table into shape."""
    return tuple(_read(table, _WARNINGS) or ())


def with_warnings(table: pa.Table, warnings: Sequence[str]) -> pa.Table:
    """Add sentences that a person should look at, for `read_warnings`."""
    return _add(table, _WARNINGS, list(warnings))


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
    return _add(table, _JOIN, dataclasses.asdict(join))


def read_join(table: pa.Table) -> JoinReport | None:
    """Return the report of the join that made a table; None where it was one file.

    >>> report = JoinReport("row order", None, 2, 0, 0, text="Side by side.")
    >>> read_join(with_join(pa.table({"y": ["a"]}), report)) == report
    True
    """
    written = _read(table, _JOIN)
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


_COUNTED = b"counted"


@dataclass(frozen=True)
class JoinedSource:
    """One of several sources of this server that were joined by ids.

    source, snapshot : as in `Counted`. ids : columns of its files that name a row.
    pred : the column of the counts with its predictions.
    rows : of the source. only_in : ids that another source lacks.
    unpredicted : joined rows that were left out, since it predicts nothing there.
    """

    source: str
    snapshot: str
    ids: tuple[str, ...]
    pred: str
    rows: int
    only_in: int
    unpredicted: int


@dataclass(frozen=True)
class SourceJoin:
    """The join of sources: each of them, in how many ids they repeat or differ, and what a person should know."""

    sources: tuple[JoinedSource, ...]
    repeated: int
    truth_differs: int
    warnings: tuple[str, ...]

    def find(self, column: str | None) -> JoinedSource | None:
        """Return the source of a column of predictions; None where it is of none."""
        return next((source for source in self.sources if source.pred == column), None)


@dataclass(frozen=True)
class Counted:
    """The source of a table of counts, and how it was counted.

    source : the name that the source has on this server; None = a person's own files, named on the command line.
    snapshot : digest of its files' names, sizes and times.
    engine : who counted. n_rows, n_files : of the source.
    rows : the column that says how many rows a line stands for.
    score, upper : columns of the smallest and of the largest score of a line; upper is None where scores are exact.
    more_scores : columns with the smallest score of further models, and those with the largest; "" = exact.
    columns : the name that each column of the table has in the files.
    cuts : columns that are 1 where the scores of the files are at least a number, and that number.
    only : (column of the files, values as text) of the rows that were counted.
    roles, notes, warnings : what was found out about the source, for the receipt.
    class_scores : (column of the files, class) of scores that are not among these counts; class_scale : their scale.
    weights : the column of the files that says how many rows a line of theirs stands for.
    classes : labels that single-label scores are of: they are classes, whether or not a row has them.
    highest : the column of the table that holds the class of the highest of the class scores; None = the files predict.
    softmax : columns of the files: the score is the probability that softmax makes of its column among these.
    marks : columns of the table that say which rows are of a class, and how the files say it.
    scored : conditions that hold for the rows that were counted, as
        `data.runs.class_scores.source_keys.write_condition` has them.
    join : the sources that were joined; all the rest is said of the first, but for `n_rows`, which are joined.
    """

    source: str | None
    snapshot: str
    engine: str
    n_rows: int
    n_files: int
    rows: str
    score: str | None = None
    upper: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    cuts: Mapping[str, float] = field(default_factory=dict)
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    roles: tuple[ColumnRole, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    class_scores: tuple[tuple[str, str], ...] = ()
    class_scale: str = "probability"
    weights: str | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)
    scored: tuple[Mapping[str, Any], ...] = ()
    classes: tuple[str, ...] = ()
    highest: str | None = None
    join: SourceJoin | None = None
    softmax: tuple[str, ...] = ()
    more_scores: Mapping[str, str] = field(default_factory=dict)

    def find_upper(self, score: str) -> str | None:
        """Return the column of the largest score of a line beside one of the smallest; None where scores are exact."""
        return self.upper if score == self.score else self.more_scores.get(score) or None


def with_counted(table: pa.Table, counted: Counted) -> pa.Table:
    """Return the table with what its metadata says about its source.

    >>> found = Counted(None, "0", "memory", 3, 1, "rows", roles=(ColumnRole("y", "truth", "by its name"),))
    >>> read_counted(with_counted(pa.table({"y": ["a"], "rows": [3]}), found)) == found
    True
    """
    return _add(table, _COUNTED, dataclasses.asdict(counted))


def read_counted(table: pa.Table) -> Counted | None:
    """Return what `with_counted` wrote; None where no engine made the table."""
    values = as_tuples(_read(table, _COUNTED))
    if values is None:
        return None
    if (join := values.get("join")) is not None:
        sources = tuple(JoinedSource(**source) for source in join["sources"])
        values["join"] = SourceJoin(**(join | {"sources": sources}))
    return Counted(**(values | {"roles": tuple(ColumnRole(**role) for role in values["roles"])}))


def require_counted(table: pa.Table) -> Counted:
    """Return what `with_counted` wrote into a table that an engine made."""
    counted = read_counted(table)
    assert counted is not None
    return counted


def name_engine(table: pa.Table) -> str:
    """Return who counted the rows of a table: "memory", or an engine."""
    counted = read_counted(table)
    return "memory" if counted is None else counted.engine


def with_upper_scores(table: pa.Table, score: str, upper: str) -> pa.Table:
    """Return the table with the largest score of every line in place of the smallest."""
    place = table.column_names.index(score)
    return table.set_column(place, table.schema.field(score), table.column(upper))


def describe_all_rows(
    rows: pa.ChunkedArray, columns: Mapping[str, pa.ChunkedArray | None], highest: pa.ChunkedArray | None
) -> str:
    """Say over all rows of a source how many have no value in a column, and between which numbers the scores lie.

    columns : by what they are, None = there is none; `score` holds the smallest of a line, `highest` its largest.

    >>> describe_all_rows(pa.chunked_array([[3, 4]]), {"true label": pa.chunked_array([["a", None]])}, None)
    'Of all rows: 4 without a true label.'
    """
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    there = {what: column for what, column in columns.items() if column is not None}
    without = [
        f"{pc.sum(rows.filter(column.is_null())).as_py() or 0:,} without {'' if what.endswith('s') else 'a '}{what}"
        for what, column in there.items()
    ]
    sentence = f"Of all rows: {', '.join(without)}"
    if highest is not None and highest.null_count < len(highest):
        sentence += f"; scores from {pc.min(there['score']).as_py():.6g} to {pc.max(highest).as_py():.6g}"
    return f"{sentence}."


def _add(table: pa.Table, key: bytes, values: Any) -> pa.Table:
    """Add values to the metadata of a table, as JSON."""
    return table.replace_schema_metadata({**(table.schema.metadata or {}), key: json.dumps(values).encode()})


def _read(table: pa.Table, key: bytes) -> Any:
    """Return what `_add` wrote; None where nothing was."""
    return json.loads((table.schema.metadata or {}).get(key, b"null"))
