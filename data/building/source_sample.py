"""Rows of a source by which its columns get their roles, and those of its outermost scores."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pyarrow as pa

from data.building import counted_labels, source_predictions
from data.columns.column import distinct
from data.engines.parquet_folder import ParquetFolder, is_key
from data.engines.query import HIGH, LOW, ROWS, ColumnFacts
from data.engines.row_query import RowQuery
from data.engines.row_source import RowSource
from data.engines.score_bins import tied_pairs
from data.errors import DataError
from data.evaluation import FileFacts
from data.process.limits import Limits
from data.reading.binary.parquet import make_canonical
from data.roles.detect import Detected

if TYPE_CHECKING:
    from data.engines.engine import Engine

_ENDS = 50  # rows with the highest scores, and as many with the lowest


class SourceSample:
    """Some rows of a source as a canonical table, and what was found in them.

    table : the rows. names : the name that each of its columns has in the files. found : the roles of the columns.
    """

    def __init__(self, drawn: pa.Table, n_rows: int, limits: Limits, find: Callable[[pa.Table], Detected]) -> None:
        self._limits, self._find = limits, find
        self._is_whole = len(drawn) >= n_rows
        self.table, self.names, _ = make_canonical(_readable(drawn), limits)
        self.found = find(self.table)

    def add_ends(self, engine: Engine, facts: Mapping[str, ColumnFacts], *, again: bool) -> bool:
        """Add the rows with the lowest and the highest score where scores leave 0 to 1; return whether they do.

        facts : of columns of scores, by their names in the sample. again : find the roles of the columns again.
        """
        outer = source_predictions.find_outer(facts)
        if outer is None:
            return False
        if self._is_whole:
            return True
        ends = [engine.rows(RowQuery(by=self.names[name], order=order, n=_ENDS)) for order, name in outer.items()]
        rows = [make_canonical(_readable(end), self._limits)[0] for end in ends]
        self.table = counted_labels.join_samples([self.table, *rows])
        if again:
            self.found = self._find(self.table)
        return True


def count_tied(counts: pa.Table, *, truth: str, limits: Limits) -> float:
    """Return the share of pairs of unlike rows that bins of scores leave in no order."""
    codes = distinct(make_canonical(counts.select([truth]), limits)[0].column(0)).codes
    low, high, rows = (counts.column(name).to_numpy(zero_copy_only=False) for name in (LOW, HIGH, ROWS))
    return tied_pairs(low, high, codes, rows)


def name_source(name: str, source: RowSource, digest: str) -> FileFacts:
    """Return the facts of a source as those of a file; digest : names its content, and how it was counted."""
    kind, sha256 = "Parquet" if isinstance(source, ParquetFolder) else "table", hashlib.sha256(digest.encode())
    columns = tuple(source.schema.names)
    return FileFacts(name, kind, source.n_rows, columns, sum(source.sizes), sha256.hexdigest())


def _readable(table: pa.Table) -> pa.Table:
    names = [field.name for field in table.schema if is_key(field.type)]
    if not names:
        raise DataError("No column of the source holds text, numbers, dates or truth values: write such columns.")
    return table.select(names)
