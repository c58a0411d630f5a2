"""The questions that an engine answers, each written once: as a value, and as SQL for the engines that speak it.

Only two dialects differ here, in how they quote a name. Values never stand in the text of a query: they are parameters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import types as kinds

ROWS, LOW, HIGH = "rows", "low", "high"


class Condition(NamedTuple):
    """Keep rows whose column holds one of some values, as the engine returned them; None = no value (null or NaN)."""

    column: str
    values: tuple[Any, ...]


class Part(NamedTuple):
    """Rows that meet all conditions and whose score lies from `low` to `high`; NaN, NaN = without a score."""

    where: tuple[Condition, ...]
    score: str | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Grouping:
    """Count rows by the values of columns.

    keys : columns whose values are grouped.
    score : a column of numbers that is grouped, too; None = none.
    bits : significant bits to which scores are rounded before they are grouped (1 to 52); None = exact scores.
    cut : a score at which a bin begins, and another right above it; None = nowhere in particular.
    weights : a column that says how many rows a line stands for; None = one.
    where : conditions that all hold for the rows that count.
    most : a larger table is not wanted: it is cut after one line more.
    """

    keys: tuple[str, ...]
    score: str | None = None
    bits: int | None = None
    cut: float | None = None
    weights: str | None = None
    where: tuple[Condition, ...] = ()
    most: int = 2_000_000


@dataclass(frozen=True)
class RowQuery:
    """Choose rows: those that meet all conditions, sorted, from `offset` on, at most `n`.

    either : of these parts, any; empty = all rows.
    by : a column of numbers that sorts the rows; None = the order of the files.
    order : "highest", "lowest" or "closest" to `to`; rows without a number come last.
    """

    where: tuple[Condition, ...] = ()
    either: tuple[Part, ...] = ()
    by: str | None = None
    order: str = "highest"
    to: float = 0.0
    offset: int = 0
    n: int = 200


class Dialect(NamedTuple):
    """The mark around a name."""

    mark: str

    def name(self, column: str) -> str:
        """Quote the name of a column, whatever it holds.

        >>> Dialect('"').name('y"; DROP TABLE t --')
        '"y""; DROP TABLE t --"'
        """
        return self.mark + column.replace(self.mark, self.mark * 2) + self.mark


DUCKDB, SPARK = Dialect('"'), Dialect("`")


class Query(NamedTuple):
    """The text of a query and its parameters, in order."""

    text: str
    values: tuple[Any, ...] = ()


def splitter(bits: int) -> float:
    """Return the factor with which Veltkamp's splitting rounds a double to `bits` significant bits.

    `x * f - (x * f - x)` is `x` rounded to its `bits` leading bits (Dekker 1971, "A floating-point technique for
    extending the available precision"); plain arithmetic, so every engine has it. It never puts two scores in the
    wrong order.

    >>> f = splitter(4)
    >>> 0.7 * f - (0.7 * f - 0.7)
    0.6875
    """
    return float(2 ** (53 - bits) + 1)


LARGEST_SPLIT = 1e280
"""Beyond it the product overflows: such scores are grouped as they are."""


def count_query(asked: Grouping, schema: pa.Schema, dialect: Dialect, source: str) -> Query:
    """Return the SQL of a grouping: columns k0, k1, …, with `low` and `high` where there is a score, and `rows`."""
    cells = [f"{_key(dialect.name(key), schema.field(key).type)} AS k{i}" for i, key in enumerate(asked.keys)]
    if asked.score is not None:
        cells.append(f"{_number(dialect.name(asked.score))} AS score")
    if asked.weights is not None:
        cells.append(f"CAST({dialect.name(asked.weights)} AS BIGINT) AS weight")
    where, values = _where(asked.where, schema, dialect)
    inner = f"SELECT {', '.join(cells) or '1 AS one'} FROM {source}{where}"
    groups = [f"k{i}" for i in range(len(asked.keys))]
    columns, n = list(groups), "count(*)" if asked.weights is None else "CAST(sum(weight) AS BIGINT)"
    if asked.score is not None:
        columns += [f"min(score) AS {LOW}", f"max(score) AS {HIGH}"]
        groups.append("score" if asked.bits is None else _rounded(asked.bits))
        if asked.cut is not None and asked.bits is not None:
            groups += [f"score {sign} CAST({float(asked.cut)!r} AS DOUBLE)" for sign in (">=", ">")]
    by = f" GROUP BY {', '.join(groups)}" if groups else ""
    return Query(f"SELECT {', '.join([*columns, f'{n} AS {ROWS}'])} FROM ({inner}){by} LIMIT {asked.most + 1}", values)


def facts_query(columns: Sequence[str], schema: pa.Schema, dialect: Dialect, source: str) -> Query:
    """Return the SQL of one line: per column about how many distinct values, how many empty, smallest and largest."""
    cells = []
    for i, column in enumerate(columns):
        name, kind = dialect.name(column), schema.field(column).type
        known = _key(name, kind)
        cells += [f"approx_count_distinct({known}) AS d{i}", f"count(*) - count({known}) AS e{i}"]
        number = _number(name) if _is_numeric(kind) else "CAST(NULL AS DOUBLE)"
        cells += [f"min({number}) AS l{i}", f"max({number}) AS h{i}"]
    return Query(f"SELECT {', '.join(cells)} FROM {source}")


def rows_query(asked: RowQuery, schema: pa.Schema, dialect: Dialect, source: str, ties: str) -> Query:
    """Return the SQL of chosen rows; `ties` : the expressions that give rows of one score their order."""
    where, values = _where(asked.where, schema, dialect, asked.either)
    columns = ", ".join(dialect.name(name) for name in schema.names)
    order = ties
    if asked.by is not None:
        number = _number(dialect.name(asked.by))
        number = f"abs({number} - ?)" if asked.order == "closest" else number
        values = (*values, asked.to) if asked.order == "closest" else values
        order = f"{number} {'DESC' if asked.order == 'highest' else 'ASC'} NULLS LAST, {ties}"
    return Query(
        f"SELECT {columns} FROM {source}{where} ORDER BY {order} LIMIT {asked.n:d} OFFSET {asked.offset:d}", values
    )


def _where(
    conditions: Sequence[Condition], schema: pa.Schema, dialect: Dialect, either: Sequence[Part] = ()
) -> tuple[str, tuple[Any, ...]]:
    text, values = _all_of(conditions, schema, dialect)
    texts = [text] if text else []
    if either:
        parts = [_part(part, schema, dialect) for part in either]
        texts.append(f"({' OR '.join(text for text, _ in parts)})")
        values = (*values, *(value for _, own in parts for value in own))
    return (f" WHERE {' AND '.join(texts)}" if texts else ""), values


def _part(part: Part, schema: pa.Schema, dialect: Dialect) -> tuple[str, tuple[Any, ...]]:
    text, values = _all_of(part.where, schema, dialect)
    if part.score is None or part.low is None or part.high is None:
        return f"({text or '1 = 1'})", values
    number = _number(dialect.name(part.score))
    inside = f"{number} IS NULL" if math.isnan(part.low) else f"{number} BETWEEN ? AND ?"
    bounds = () if math.isnan(part.low) else (part.low, part.high)
    return f"({' AND '.join(filter(None, (text, inside)))})", (*values, *bounds)


def _all_of(conditions: Sequence[Condition], schema: pa.Schema, dialect: Dialect) -> tuple[str, tuple[Any, ...]]:
    texts, values = [], []
    for column, wanted in conditions:
        cell = _key(dialect.name(column), schema.field(column).type)
        known = [value for value in wanted if value is not None]
        either = [f"{cell} IN ({', '.join('?' * len(known))})"] if known else []
        either += [f"{cell} IS NULL"] if None in wanted else []
        texts.append(f"({' OR '.join(either) or '1 = 0'})")
        values += known
    return " AND ".join(texts), tuple(values)


def _key(name: str, kind: pa.DataType) -> str:
    """Return a key's expression: NaN is no value, and -0.0 is 0.0."""
    if not kinds.is_floating(kind):
        return name
    return f"(CASE WHEN isnan({name}) THEN NULL ELSE {name} + 0 END)"


def _number(name: str) -> str:
    """Return a score's expression: a double; NaN is no score, and -0.0 is 0.0."""
    double = f"CAST({name} AS DOUBLE)"
    return f"(CASE WHEN isnan({double}) THEN NULL ELSE {double} + 0 END)"


def _rounded(bits: int) -> str:
    factor = f"CAST({splitter(bits)!r} AS DOUBLE)"
    return f"CASE WHEN abs(score) < {LARGEST_SPLIT!r} THEN score * {factor} - (score * {factor} - score) ELSE score END"


def _is_numeric(kind: pa.DataType) -> bool:
    return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_decimal(kind))


class ColumnFacts(NamedTuple):
    """Describe one column over all rows; low and high are None where it holds no number."""

    n_distinct: int  # estimated
    n_empty: int
    low: float | None
    high: float | None


def read_facts(columns: Sequence[str], line: Mapping[str, Any]) -> dict[str, ColumnFacts]:
    """Return the facts of each column from the one line that `facts_query` gives."""
    return {
        name: ColumnFacts(int(line[f"d{i}"]), int(line[f"e{i}"]), line[f"l{i}"], line[f"h{i}"])
        for i, name in enumerate(columns)
    }
