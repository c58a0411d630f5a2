"""Tables of counts that an engine made of the rows of a source; a table's metadata says so, which no upload can.

Truth and prediction (and slices) of every line, the smallest and the largest score of its rows, and how many they are.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from data.evaluation import ColumnRole

_COUNTED = b"counted"


@dataclass(frozen=True)
class Counted:
    """The source of a table of counts, and how it was counted.

    source : the name that the source has on this server; None = a person's own files, named on the command line.
    snapshot : digest of its files' names, sizes and times.
    engine : who counted. n_rows, n_files : of the source.
    rows : the column that says how many rows a line stands for.
    score, upper : columns of the smallest and of the largest score of a line; upper is None where scores are exact.
    columns : the name that each column of the table has in the files.
    only : (column of the files, values as text) of the rows that were counted.
    roles, notes, warnings : what was found out about the source, for the receipt.
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
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    roles: tuple[ColumnRole, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def with_counted(table: pa.Table, counted: Counted) -> pa.Table:
    """Return the table with what its metadata says about its source.

    >>> found = Counted(None, "0", "memory", 3, 1, "rows", roles=(ColumnRole("y", "truth", "by its name"),))
    >>> read_counted(with_counted(pa.table({"y": ["a"], "rows": [3]}), found)) == found
    True
    """
    text = json.dumps(dataclasses.asdict(counted)).encode()
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _COUNTED: text})


def read_counted(table: pa.Table) -> Counted | None:
    """Return what `with_counted` wrote; None where no engine made the table."""
    text = (table.schema.metadata or {}).get(_COUNTED)
    if text is None:
        return None
    values = json.loads(text)
    values["only"] = tuple((name, tuple(texts)) for name, texts in values["only"])
    lists = {name: tuple(values[name]) for name in ("notes", "warnings")}
    return Counted(**(values | lists | {"roles": tuple(ColumnRole(**role) for role in values["roles"])}))


def name_engine(table: pa.Table) -> str:
    """Return who counted the rows of a table: "memory", or an engine."""
    counted = read_counted(table)
    return "memory" if counted is None else counted.engine


def with_upper_scores(table: pa.Table, counted: Counted) -> pa.Table:
    """Return the table with the largest score of every line in place of the smallest."""
    assert counted.score is not None and counted.upper is not None
    place = table.column_names.index(counted.score)
    return table.set_column(place, table.schema.field(counted.score), table.column(counted.upper))


def describe_all_rows(
    rows: pa.ChunkedArray, columns: Mapping[str, pa.ChunkedArray | None], highest: pa.ChunkedArray | None
) -> str:
    """Say over all rows of a source how many have no value in a column, and between which numbers the scores lie.

    columns : by what they are, None = there is none; `score` holds the smallest of a line, `highest` its largest.

    >>> describe_all_rows(pa.chunked_array([[3, 4]]), {"true label": pa.chunked_array([["a", None]])}, None)
    'Of all rows: 4 without a true label.'
    """
    there = {what: column for what, column in columns.items() if column is not None}
    without = [
        f"{pc.sum(rows.filter(column.is_null())).as_py() or 0:,} without a {what}" for what, column in there.items()
    ]
    said = f"Of all rows: {', '.join(without)}"
    if highest is not None and highest.null_count < len(highest):
        said += f"; scores from {pc.min(there['score']).as_py():.6g} to {pc.max(highest).as_py():.6g}"
    return f"{said}."
