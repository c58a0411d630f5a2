"""The query for single rows, as a value and as SQL: which rows, in which order, and which part of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa

from data.engines.query import (
    ROWS,
    Condition,
    Dialect,
    Key,
    Query,
    Score,
    as_parameter,
    sql_type,
    write_conditions,
    write_key,
    write_score,
)


class Among(NamedTuple):
    """Keep rows that have one of some combinations of values, and a score in the range of that combination.

    columns, values : the keys that are combined, and one tuple a combination; none is twice where ranges overlap.
    score : the scores of the ranges; None = any score.
    low, high : the ranges' ends, one a combination. NaN stands above every score and means none: -inf to NaN is any.
    negated : keep the rows that have none of the combinations.
    """

    columns: tuple[Key, ...]
    values: tuple[tuple[Any, ...], ...]
    score: Score | None = None
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    negated: bool = False

    def conditions(self) -> tuple[Condition, ...]:
        """Return the values of each column, whatever they are combined with."""
        columns = zip(*self.values, strict=True)
        return tuple(
            Condition(name, tuple(dict.fromkeys(values))) for name, values in zip(self.columns, columns, strict=True)
        )

    def is_product(self) -> bool:
        """Return whether conditions on single columns and one range say the same."""
        ranges = {(repr(low), repr(high)) for low, high in zip(self.low, self.high, strict=True)}
        size = math.prod(len(condition.values) for condition in self.conditions())
        return not self.negated and len(ranges) < 2 and size == len(set(self.values))


@dataclass(frozen=True)
class RowQuery:
    """Choose rows: those that meet all conditions, sorted, from `offset` on, at most `n`.

    among : the combinations of values that they have; None = any.
    by : the scores that sort the rows; None = the order of the files.
    order : "highest", "lowest" or "closest" to `to`; rows without a number come last.
    seed : draws the order of the rows at random, in place of `by`; None = it does not.
    """

    where: tuple[Condition, ...] = ()
    among: Among | None = None
    by: Score | None = None
    order: str = "highest"
    to: float = 0.0
    seed: int | None = None
    offset: int = 0
    n: int = 200


def rows_query(asked: RowQuery, schema: pa.Schema, dialect: Dialect, source: str, ties: str) -> Query:
    """Return the SQL of chosen rows; `ties` : the expressions that give rows of one score their order."""
    chosen, values = _chosen(asked, schema, dialect, source)
    columns = ", ".join(dialect.name(name) for name in schema.names)
    order = ties if asked.seed is None else f"hash({ties}, {asked.seed:d}), {ties}"
    if asked.by is not None:
        number = write_score(asked.by, dialect)
        number = f"abs({number} - ?)" if asked.order == "closest" else number
        values = (*values, asked.to) if asked.order == "closest" else values
        order = f"{number} {'DESC' if asked.order == 'highest' else 'ASC'} NULLS LAST, {ties}"
    return Query(f"SELECT {columns} FROM {chosen} ORDER BY {order} LIMIT {asked.n:d} OFFSET {asked.offset:d}", values)


def blocks_query(asked: RowQuery, schema: pa.Schema, dialect: Dialect, source: str, block: str) -> Query:
    """Return the SQL of how many chosen rows each block has, as `block` and `rows`, in the order of the blocks."""
    chosen, values = _chosen(asked, schema, dialect, source)
    return Query(f"SELECT {block} AS block, count(*) AS {ROWS} FROM {chosen} GROUP BY 1 ORDER BY 1", values)


def _chosen(asked: RowQuery, schema: pa.Schema, dialect: Dialect, source: str) -> tuple[str, tuple[Any, ...]]:
    """Return what stands behind FROM: the source, combinations that it is joined with, and the conditions."""
    joined, values = "", ()
    where, last = write_conditions(asked.where, schema, dialect)
    texts = [where] if where else []
    if (among := asked.among) is not None:
        text, more = _plain_conditions(among, schema, dialect)
        texts, last = [*texts, *filter(None, [text])], (*last, *more)
        if not among.is_product():
            table, pairs, more = write_value_table(among, schema, dialect)
            if among.negated:
                texts, last = [*texts, f"NOT EXISTS (SELECT 1 FROM {table} WHERE {pairs})"], (*last, *more)
            else:
                joined, values = f" JOIN {table} ON {pairs}", more
    return f"{source}{joined}{' WHERE ' if texts else ''}{' AND '.join(texts)}", (*values, *last)


_FEW_VALUES = 16
"""Of columns with so few values, conditions let an engine skip files before it looks at combinations."""


def _plain_conditions(among: Among, schema: pa.Schema, dialect: Dialect) -> tuple[str, tuple[Any, ...]]:
    """Return what can be said of single columns; of a product that is everything."""
    product = among.is_product()
    plain = [
        condition
        for condition in among.conditions()
        if product or (len(condition.values) <= _FEW_VALUES and not among.negated)
    ]
    text, values = write_conditions(plain, schema, dialect)
    if product and among.score is not None:
        text = " AND ".join(filter(None, [text, f"{_upward(among.score, dialect)} BETWEEN ? AND ?"]))
        values = (*values, among.low[0], among.high[0])
    return text, values


def _upward(score: Score, dialect: Dialect) -> str:
    """Return a score's expression in which NaN, above every score, stands for none."""
    return f"coalesce({write_score(score, dialect)}, CAST('NaN' AS DOUBLE))"


def write_value_table(
    among: Among, schema: pa.Schema, dialect: Dialect, *, groups: Sequence[int] | None = None
) -> tuple[str, str, tuple[Any, ...]]:
    """Return the SQL of the combinations as a table c, of how a row meets one of its lines, and its parameters.

    groups : a number for each combination: the table then has two columns more, named by `name_line`: the place of the
        combination, and with _group its number.
    """
    first = _free_prefix(schema)
    columns: list[Sequence[Any]] = [tuple(map(as_parameter, values)) for values in zip(*among.values, strict=True)]
    types = [sql_type(schema.field(key).type, dialect) if isinstance(key, str) else "BIGINT" for key in among.columns]
    written = [write_key(key, schema, dialect) for key in among.columns]
    pairs = [f"{key.text} IS NOT DISTINCT FROM {first}{i}" for i, key in enumerate(written)]
    key_values = tuple(value for key in written for value in key.values)
    if among.score is not None:
        n, columns, types = len(columns), [*columns, among.low, among.high], [*types, "DOUBLE", "DOUBLE"]
        pairs.append(f"{_upward(among.score, dialect)} BETWEEN {first}{n} AND {first}{n + 1}")
    named = [f"{first}{i}" for i in range(len(types))]
    if groups is not None:
        columns, types = [*columns, range(len(among.values)), groups], [*types, "BIGINT", "BIGINT"]
        named += [name_line(schema), f"{name_line(schema)}_group"]
    if dialect.unnests:
        cells = ", ".join(f"unnest(CAST(? AS {kind}[])) AS {name}" for name, kind in zip(named, types, strict=True))
        return f"(SELECT {cells}) AS c", " AND ".join(pairs), (*map(list, columns), *key_values)
    lines = list(zip(*columns, strict=True))
    line = f"({', '.join(f'CAST(? AS {kind})' for kind in types)})"
    table = f"(VALUES {', '.join([line] * len(lines))}) AS c({', '.join(named)})"
    return table, " AND ".join(pairs), (*(value for line in lines for value in line), *key_values)


def _free_prefix(schema: pa.Schema) -> str:
    """Return letters with which no column of a source begins."""
    first = "v"
    while any(name.lower().startswith(first) for name in schema.names):
        first += "_"
    return first


def name_line(schema: pa.Schema) -> str:
    """Return the name of the column that numbers the lines of a table of values."""
    return f"{_free_prefix(schema)}line"
