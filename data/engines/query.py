"""The queries for counts that an engine answers, as values and as SQL.

Dialects differ in one place, `Dialect`. Values never stand in the text of a query: they are parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import types as kinds

from data.engines.label_lists import is_number
from data.engines.row_scores import Highest, Softmax, write_highest, write_rounding, write_softmax
from data.errors import DataError
from data.limits import MAX_COUNTED_ROWS
from text.numbers import count
from text.quoting import quote

ROWS, LOW, HIGH = "rows", "low", "high"
WRONG = "wrong"
"""In a group, rows whose weight is no number of rows."""


class AtLeast(NamedTuple):
    """A key: 1 where a column of scores holds at least a number, else 0; a cell without a score is 0.

    known_by : columns of which one has to hold a score, or the key has no value; () = it always has one.
    """

    column: str
    at: float
    known_by: tuple[str, ...] = ()


class Mark(NamedTuple):
    """A key: 1 where a cell is one of some values, or a list that holds one; else 0; an empty cell has no value.

    missing : values that count as an empty cell. delimiter : a text is a list of what stands between these; an empty
        cell is then a list without values, and 0.
    """

    column: str
    values: tuple[Any, ...]
    missing: tuple[Any, ...] = ()
    delimiter: str | None = None


Key = str | AtLeast | Mark | Highest
"""A column whose values are grouped, or what is made of one or of several."""
Score = str | Softmax
"""A column of scores, or what is made of several."""


def columns_of(key: Key | Softmax) -> tuple[str, ...]:
    """Return the columns that a key is made of.

    >>> columns_of("y"), columns_of(AtLeast("p", 0.5, ("p", "q"))), columns_of(Mark("y", ("a",)))
    (('y',), ('p', 'q'), ('y',))
    """
    if isinstance(key, Highest | Softmax):
        return key.columns
    more = key.known_by if isinstance(key, AtLeast) else ()
    return (key,) if isinstance(key, str) else tuple(dict.fromkeys((key.column, *more)))


class Condition(NamedTuple):
    """Keep rows whose column holds one of some values, as the engine returned them; None = no value (null or NaN).

    A list is a tuple here.
    """

    column: Key
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Grouping:
    """Count rows by the values of columns.

    keys : columns whose values are grouped; a list is a value.
    score : numbers that are grouped, too; None = none.
    bits : significant bits to which scores are rounded before they are grouped (1 to 52); None = exact scores.
    cut : a score at which a bin begins, and another right above it; None = nowhere in particular.
    more : further columns of scores, each with such a cut; they are grouped like the first.
    weights : a column that says how many rows a line stands for; None = one.
    where : conditions that all hold for the rows that count.
    most : a larger table is not wanted: it is cut after one line more.
    """

    keys: tuple[Key, ...]
    score: Score | None = None
    bits: int | None = None
    cut: float | None = None
    weights: str | None = None
    where: tuple[Condition, ...] = ()
    most: int = 2_000_000
    more: tuple[tuple[Score, float | None], ...] = ()

    @property
    def scores(self) -> tuple[tuple[Score, float | None], ...]:
        """Return every column of scores with its cut."""
        return () if self.score is None else ((self.score, self.cut), *self.more)


class Dialect(NamedTuple):
    """The mark around a name, the test for NaN, and whether a table of values is one parameter a column (`unnest`).

    holds : the condition that two lists share a value. split : a text as a list of what stands between parameters.
    place : the place, from 1, of a value in a list.
    """

    mark: str
    nan: str
    unnests: bool
    holds: str
    split: str
    place: str

    def name(self, column: str) -> str:
        """Quote the name of a column, whatever it holds.

        >>> DUCKDB.name('y"; DROP TABLE t --')
        '"y""; DROP TABLE t --"'
        """
        return self.mark + column.replace(self.mark, self.mark * 2) + self.mark

    def is_nan(self, number: str) -> str:
        """Return the condition that a number is NaN."""
        return self.nan.format(number)


# From the smallest and largest value that one Parquet file states, DuckDB 2.0 concludes that isnan() is always false;
# but these leave NaN out. Of isfinite() it concludes nothing.
DUCKDB = Dialect(
    '"', "(NOT isfinite({0}) AND NOT isinf({0}))", True, "list_has_any({0}, {1})", "string_split({0}, ?)",
    "list_position([{0}], {1})",
)  # fmt: skip
SPARK = Dialect(
    "`", "isnan({0})", False, "arrays_overlap({0}, {1})", "split({0}, concat('\\\\Q', ?, '\\\\E'), -1)",
    "array_position(array({0}), {1})",
)  # fmt: skip


class Query(NamedTuple):
    """The text of a query and its parameters, in order."""

    text: str
    values: tuple[Any, ...] = ()


def count_query(asked: Grouping, schema: pa.Schema, dialect: Dialect, source: str) -> Query:
    """Return the SQL of a grouping: columns k0, k1, …, with `low` and `high` where there is a score, and `rows`.

    Those of further scores are `low1`, `high1` and so on. With weights, `wrong` stands behind them, for `take_rows`.
    """
    written = [write_key(key, schema, dialect) for key in asked.keys]
    cells = [f"{key.text} AS k{i}" for i, key in enumerate(written)]
    cells += [f"{write_score(score, dialect)} AS score{i}" for i, (score, _) in enumerate(asked.scores)]
    if asked.weights is not None:
        cells.append(f"{_weight(asked.weights, dialect)} AS weight")
    check_weights(asked, schema)
    where, last = write_conditions(asked.where, schema, dialect)
    values = (*(value for key in written for value in key.values), *last)
    where = f" WHERE {where}" if where else ""
    inner = f"SELECT {', '.join(cells) or '1 AS one'} FROM {source}{where}"
    groups = [f"k{i}" for i in range(len(asked.keys))]
    columns, n = list(groups), [f"count(*) AS {ROWS}"]
    if asked.weights is not None:
        n = [f"CAST(coalesce(sum(weight), 0) AS DOUBLE) AS {ROWS}", f"count(*) - count(weight) AS {WRONG}"]
    for i, (_, cut) in enumerate(asked.scores):
        low, high = name_ends(i)
        columns += [f"min(score{i}) AS {low}", f"max(score{i}) AS {high}"]
        groups.append(f"score{i}" if asked.bits is None else write_rounding(f"score{i}", asked.bits))
        if cut is not None and asked.bits is not None:
            groups += [f"score{i} {sign} CAST({float(cut)!r} AS DOUBLE)" for sign in (">=", ">")]
    by = f" GROUP BY {', '.join(groups)}" if groups else ""
    return Query(f"SELECT {', '.join([*columns, *n])} FROM ({inner}){by} LIMIT {asked.most + 1}", values)


def name_ends(place: int) -> tuple[str, str]:
    """Return the columns of the smallest and the largest score of a group, of the first column of scores or a further.

    >>> name_ends(0), name_ends(2)
    (('low', 'high'), ('low2', 'high2'))
    """
    return (f"{LOW}{place or ''}", f"{HIGH}{place or ''}")


def take_rows(table: pa.Table, asked: Grouping) -> pa.Table:
    """Return counted groups without `wrong`, and `rows` as int64.

    Raises
    ------
    DataError
        weights that are no whole numbers from 0, or more rows than are counted exactly.
    """
    if asked.weights is None:
        return table
    wrong = int(np.sum(table.column(WRONG).to_numpy()))
    if wrong:
        values = count(wrong, "value")
        raise DataError(f"Column {quote(asked.weights)} holds {values} other than whole numbers from 0: correct them.")
    rows = table.column(ROWS).to_numpy()
    if rows.sum() > MAX_COUNTED_ROWS:
        raise DataError(f"The counts in {quote(asked.weights)} add up to over {MAX_COUNTED_ROWS:,} rows: divide them.")
    place = table.column_names.index(ROWS)
    return table.set_column(place, ROWS, pa.array(rows.astype(np.int64))).drop_columns([WRONG])


def check_weights(asked: Grouping, schema: pa.Schema) -> None:
    """Refuse weights that are no numbers."""
    if asked.weights is not None and not is_number(schema.field(asked.weights).type):
        raise DataError(f"Column {quote(asked.weights)} holds no numbers: write the counts as whole numbers.")


def facts_query(columns: Sequence[str], schema: pa.Schema, dialect: Dialect, source: str) -> Query:
    """Return the SQL of one line: per column about how many distinct values, smallest and largest."""
    cells = []
    for i, column in enumerate(columns):
        known = write_column(column, schema, dialect)
        cells.append(f"approx_count_distinct({known}) AS d{i}")
        number = write_number(column, dialect) if is_number(schema.field(column).type) else "CAST(NULL AS DOUBLE)"
        cells += [f"min({number}) AS l{i}", f"max({number}) AS h{i}"]
    return Query(f"SELECT {', '.join(cells)} FROM {source}")


def write_conditions(
    conditions: Sequence[Condition], schema: pa.Schema, dialect: Dialect
) -> tuple[str, tuple[Any, ...]]:
    """Return the SQL of conditions that all hold, empty where there is none, and its parameters."""
    texts: list[str] = []
    values: list[Any] = []
    for column, wanted in conditions:
        cell, key_values = write_key(column, schema, dialect)
        known = [value for value in wanted if value is not None]
        either = [f"{cell} IN ({', '.join('?' * len(known))})"] if known else []
        either += [f"{cell} IS NULL"] if None in wanted else []
        texts.append(f"({' OR '.join(either) or '1 = 0'})")
        values += [*key_values, *map(as_parameter, known)] if known else []
        values += key_values if None in wanted else ()
    return " AND ".join(texts), tuple(values)


def as_parameter(value: Any) -> Any:
    """Return a value as engines take it: a list for a tuple."""
    return list(value) if isinstance(value, tuple) else value


def write_key(key: Key, schema: pa.Schema, dialect: Dialect) -> Query:
    """Return a key's expression, and its parameters."""
    if isinstance(key, Mark):
        return _write_mark(key, schema, dialect)
    if isinstance(key, Highest):
        return Query(write_highest([write_number(column, dialect) for column in key.columns], dialect.place))
    return Query(_write_at_least(key, dialect) if isinstance(key, AtLeast) else write_column(key, schema, dialect))


def write_column(column: str, schema: pa.Schema, dialect: Dialect) -> str:
    """Return the expression of a column's values: NaN is no value, and -0.0 is 0.0."""
    name, kind = dialect.name(column), schema.field(column).type
    if not kinds.is_floating(kind):
        return name
    zero = "CAST(0 AS DOUBLE)" if kinds.is_float64(kind) else "CAST(0 AS FLOAT)"
    return f"(CASE WHEN {dialect.is_nan(name)} THEN NULL ELSE {name} + {zero} END)"


def _write_at_least(key: AtLeast, dialect: Dialect) -> str:
    any_score = ", ".join(write_number(column, dialect) for column in key.known_by)
    unknown = f"WHEN coalesce({any_score}) IS NULL THEN NULL " if key.known_by else ""
    threshold = f"CAST({float(key.at)!r} AS DOUBLE)"
    return f"(CASE {unknown}WHEN {write_number(key.column, dialect)} >= {threshold} THEN 1 ELSE 0 END)"


def _write_mark(key: Mark, schema: pa.Schema, dialect: Dialect) -> Query:
    cell, kind = write_column(key.column, schema, dialect), schema.field(key.column).type
    if key.delimiter is not None or kinds.is_nested(kind):
        item = "STRING" if key.delimiter is not None else sql_type(kind.value_type, dialect)
        wanted = f"CAST(? AS {item}[])" if dialect.unnests else f"CAST(? AS ARRAY<{item}>)"
        split = () if key.delimiter is None else (key.delimiter,)
        text = f"coalesce({dialect.holds.format(dialect.split.format(cell) if split else cell, wanted)}, false)"
        values: tuple[Any, ...] = (*split, list(key.values))
    else:
        text, values = f"{cell} IN ({', '.join('?' * len(key.values))})", key.values
    marked = f"WHEN {text} THEN 1 " if key.values else ""
    empty = [] if key.delimiter is not None else [f"{cell} IS NULL"]
    empty += [f"{cell} IN ({', '.join('?' * len(key.missing))})"] if key.missing else []
    none = f"WHEN {' OR '.join(empty)} THEN NULL " if empty else ""
    return Query(
        f"(CASE {none}{marked}ELSE 0 END)" if none or marked else "0", (*key.missing, *(values if marked else ()))
    )


def write_number(column: str, dialect: Dialect) -> str:
    """Return a score's expression: a double; NaN is no score, and -0.0 is 0.0."""
    double = f"CAST({dialect.name(column)} AS DOUBLE)"
    return f"(CASE WHEN {dialect.is_nan(double)} THEN NULL ELSE {double} + 0 END)"


def write_score(score: Score, dialect: Dialect) -> str:
    """Return the expression of a column of scores, or of what is made of several."""
    if isinstance(score, str):
        return write_number(score, dialect)
    return write_softmax([write_number(column, dialect) for column in score.columns], score.place)


def _weight(column: str, dialect: Dialect) -> str:
    """Return a weight's expression: a number of rows, or null where it is none."""
    double = f"CAST({dialect.name(column)} AS DOUBLE)"
    inside = (
        f"NOT {dialect.is_nan(double)} AND {double} BETWEEN 0 AND {MAX_COUNTED_ROWS} AND {double} = floor({double})"
    )
    return f"CASE WHEN {inside} THEN {double} END"


def sql_type(kind: pa.DataType, dialect: Dialect) -> str:
    """Return the type of parameters that are compared with a column."""
    kind = kind.value_type if kinds.is_dictionary(kind) else kind
    if kinds.is_nested(kind):
        item = sql_type(kind.value_type, dialect)
        return f"{item}[]" if dialect.unnests else f"ARRAY<{item}>"
    if kinds.is_boolean(kind):
        return "BOOLEAN"
    if kinds.is_uint64(kind):
        return "DECIMAL(20, 0)"
    if kinds.is_integer(kind):
        return "BIGINT"
    if kinds.is_date(kind):
        return "DATE"
    return "DOUBLE" if kinds.is_floating(kind) else "STRING"


class ColumnFacts(NamedTuple):
    """Describe one column over all rows; low and high are None where it holds no number."""

    n_distinct: int  # estimated
    low: float | None
    high: float | None


def read_facts(columns: Sequence[str], line: Mapping[str, Any]) -> dict[str, ColumnFacts]:
    """Return the facts of each column from the one line that `facts_query` gives."""
    return {name: ColumnFacts(int(line[f"d{i}"]), line[f"l{i}"], line[f"h{i}"]) for i, name in enumerate(columns)}
