"""The question for sources joined by an id: how many ids have which lines of their counts, as a value and as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import types as kinds

from data.engines.query import ROWS, Condition, Dialect, Key, Query, write_conditions
from data.engines.row_query import Among, name_line, write_value_table
from data.engines.row_source import RowSource
from data.errors import DataError
from data.limits import MAX_COUNT_LINES


class JoinSide(NamedTuple):
    """One source of a join.

    ids : columns that name its rows, as many for every source. keys, lines : columns, and one tuple of their values
    for every line of its counts. groups : a number for each line: rows of one id whose lines have equal numbers are
    equal, and count once. where : conditions that all hold for the rows that count.
    """

    source: RowSource
    ids: tuple[str, ...]
    keys: tuple[Key, ...]
    lines: tuple[tuple[Any, ...], ...]
    groups: tuple[int, ...]
    where: tuple[Condition, ...] = ()


class JoinedLines(NamedTuple):
    """Count the ids that all sources have, by the line of each source's counts in which their rows are.

    places : int64 (n,) a source. rows : int64 (n,), ids of which every source has one row, or equal ones.
    only_in : ids that some other source lacks, one number a source. repeated : ids that some source repeats.
    left_out : ids that all have and some source repeats with other values. without_id : rows, one number a source.
    """

    places: tuple[np.ndarray, ...]
    rows: np.ndarray
    only_in: tuple[int, ...]
    repeated: int
    left_out: int
    without_id: tuple[int, ...]


def are_whole(sides: Sequence[JoinSide]) -> bool:
    """Return whether all ids are whole numbers that fit into 64 bits with a sign."""
    types = [side.source.schema.field(name).type for side in sides for name in side.ids]
    return all(kinds.is_integer(type_of_id) and not kinds.is_uint64(type_of_id) for type_of_id in types)


def join_query(sides: Sequence[JoinSide], sources: Sequence[str], dialect: Dialect) -> Query:
    """Return the SQL of a join: lines a0, a1, … (null where a source lacks the ids), and what `read_joined` reads.

    sources : what stands behind FROM for each side.
    """
    whole = are_whole(sides)
    ids = [f"i{i}" for i in range(len(sides[0].ids))]
    parts, values = [], []
    for place, (side, source) in enumerate(zip(sides, sources, strict=True)):
        schema = side.source.schema
        table, pairs, more = write_value_table(Among(side.keys, side.lines), schema, dialect, groups=side.groups)
        where, last = write_conditions(side.where, schema, dialect)
        cells = [
            f"{_write_id(name, schema, dialect, whole=whole)} AS {i}" for name, i in zip(side.ids, ids, strict=True)
        ]
        parts.append(
            f"u{place} AS (SELECT {', '.join(ids)}, count(*) AS n, min(line) AS a, min(g) AS g, "
            f"max(g) AS z FROM (SELECT {', '.join(cells)}, c.{name_line(schema)} AS line, "
            f"c.{name_line(schema)}_group AS g FROM {source} JOIN {table} ON {pairs}"
            f"{' WHERE ' + where if where else ''}) AS r GROUP BY {', '.join(ids)})"
        )
        values += [*more, *last]
    every = range(len(sides))
    columns = [f"u{i}.a AS a{i}" for i in every]
    columns.append(f"{' OR '.join(f'coalesce(u{i}.n > 1, false)' for i in every)} AS repeated")
    columns.append(f"{' OR '.join(f'coalesce(u{i}.g <> u{i}.z, false)' for i in every)} AS differ")
    columns.append(f"({' OR '.join(f'{i} IS NULL' for i in ids)}) AS no_id")
    sums = ", ".join(f"coalesce(sum(n{i}), 0) AS m{i}" for i in every)
    columns += [f"u{i}.n AS n{i}" for i in every]
    joined = "u0" + "".join(f" FULL JOIN u{i} USING ({', '.join(ids)})" for i in every[1:])
    groups = ", ".join([*(f"a{i}" for i in every), "repeated", "differ", "no_id"])
    return Query(
        f"WITH {', '.join(parts)} SELECT {groups}, count(*) AS {ROWS}, {sums} FROM (SELECT {', '.join(columns)} FROM "
        f"{joined}) AS j GROUP BY {groups} LIMIT {MAX_COUNT_LINES + 1}",
        tuple(values),
    )


def _write_id(column: str, schema: pa.Schema, dialect: Dialect, *, whole: bool) -> str:
    """Return the expression of an id: whole numbers as they are, else as text, so that 7, 7.0 and "7" meet."""
    name, kind = dialect.name(column), schema.field(column).type
    if whole:
        return f"CAST({name} AS BIGINT)"
    if kinds.is_decimal(kind):
        whole_number = f"CAST(CAST({name} AS DECIMAL(38, 0)) AS STRING)"
        fraction = f"regexp_replace(CAST({name} AS STRING), '0+$', '')"
        return f"CASE WHEN {name} = floor({name}) THEN {whole_number} ELSE {fraction} END"
    if kinds.is_floating(kind):
        number = (
            f"CASE WHEN abs({name}) < {2**53} AND {name} = floor({name}) THEN CAST(CAST({name} AS BIGINT) AS STRING)"
        )
        return f"CASE WHEN {dialect.is_nan(name)} THEN NULL ELSE ({number} ELSE CAST({name} AS STRING) END) END"
    return f"CAST({name} AS STRING)"


def read_joined(counts: pa.Table, n_sides: int) -> JoinedLines:
    """Return what an engine answered to `join_query`.

    Raises
    ------
    DataError
        more combinations of lines than there may be.
    """
    if len(counts) > MAX_COUNT_LINES:
        raise DataError(f"The runs have more than {MAX_COUNT_LINES:,} combinations of labels: compare fewer at a time.")
    counts = counts.sort_by([(name, "ascending") for name in counts.column_names])  # engines answer in any order
    rows = counts.column(ROWS).to_numpy().astype(np.int64)
    lines = [counts.column(f"a{i}").to_numpy(zero_copy_only=False).astype(np.float64) for i in range(n_sides)]
    repeated, differ, no_id = (
        counts.column(name).to_numpy(zero_copy_only=False).astype(bool) for name in ("repeated", "differ", "no_id")
    )
    there = [~np.isnan(places) & ~no_id for places in lines]
    shared = np.logical_and.reduce(there)
    kept = shared & ~differ
    return JoinedLines(
        tuple(places[kept].astype(np.int64) for places in lines), rows[kept],
        tuple(int(rows[present & ~shared].sum()) for present in there), int(rows[repeated & ~no_id].sum()),
        int(rows[repeated & shared & differ].sum()),
        tuple(int(counts.column(f"m{i}").to_numpy()[no_id].sum()) for i in range(n_sides)),
    )  # fmt: skip
