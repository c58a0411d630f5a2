"""Rows of a source by which its columns get their roles, and those of its outermost scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyarrow as pa

from data.building import counted_labels
from data.engines.engine import Engine
from data.engines.parquet_folder import is_key
from data.engines.query import ColumnFacts
from data.engines.row_query import RowQuery
from data.errors import DataError
from data.process.limits import Limits
from data.reading.binary.parquet import make_canonical
from data.roles.detect import Detected

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
        outer = counted_labels.find_outer(facts)
        if outer is None:
            return False
        if self._is_whole:
            return True
        ends = [engine.rows(RowQuery(by=self.names[name], order=order, n=_ENDS)) for order, name in outer.items()]
        rows = [make_canonical(_readable(one), self._limits)[0] for one in ends]
        self.table = counted_labels.join_samples([self.table, *rows])
        if again:
            self.found = self._find(self.table)
        return True


def _readable(table: pa.Table) -> pa.Table:
    names = [field.name for field in table.schema if is_key(field.type)]
    if not names:
        raise DataError("No column of the source holds text, numbers, dates or truth values: write such columns.")
    return table.select(names)
