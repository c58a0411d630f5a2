"""Remember in a table's metadata that an engine counted it: of which sources, joined how, and with what roles."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from data.columns.table_metadata import add_values, read_values
from data.evaluation import ColumnRole, as_tuples

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
    return add_values(table, _COUNTED, dataclasses.asdict(counted))


def read_counted(table: pa.Table) -> Counted | None:
    """Return what `with_counted` wrote; None where no engine made the table."""
    values = as_tuples(read_values(table, _COUNTED))
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
