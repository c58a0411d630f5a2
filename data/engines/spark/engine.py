"""The engine for sources larger than one machine: Spark, at a master's address or through Spark Connect."""

from __future__ import annotations

import functools
import re
import threading
import uuid
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, TypeVar

import pyarrow as pa
from pyarrow import types as kinds

from data.engines.file_types import cast_as_in_files, key_columns
from data.engines.join_query import JoinedLines, JoinSide, join_query, read_joined
from data.engines.parquet_folder import ParquetFolder
from data.engines.query import (
    SPARK,
    ColumnFacts,
    Grouping,
    Query,
    count_query,
    facts_query,
    read_facts,
    take_rows,
)
from data.engines.row_query import RowQuery, rows_query
from data.engines.row_source import RowSource
from data.engines.spark.session import VIEWS, Session, open_session
from data.engines.spark.table import SparkTable, name_table
from data.errors import DataError
from text.quoting import quote

_VIEW, _NUMBERED = VIEWS
_FILE, _PLACE = "_blindspot_file", "_blindspot_place"
# The path of a row's file as it is written: Spark gives it with %20 for a space.
_PATH = "url_decode(replace(_metadata.file_path, '+', '%2B'))"
T = TypeVar("T")


class SparkEngine:
    """A session of its own for one source; Spark itself is started once a process, or runs elsewhere."""

    name = "spark"

    def __init__(self, source: RowSource, *, memory_bytes: int = 1 << 30, others: Sequence[RowSource] = ()) -> None:
        self._folder = source
        self._tag = f"blindspot-{uuid.uuid4().hex}"
        self._joined: list[str] = []
        self._one_at_a_time, self._cancelled = threading.Lock(), threading.Event()
        self._session: Session = open_session(memory_bytes, self._tag)
        try:
            self._read_source()
            self._read_others(others)
        except BaseException:
            self._session.close()
            raise

    def _read_source(self) -> None:
        frame = self._open(self._folder)
        self._run(lambda: frame.createOrReplaceTempView(_VIEW))
        numbered = frame.selectExpr("*", f"{_PATH} AS {_FILE}", f"_metadata.row_index AS {_PLACE}")
        self._run(lambda: numbered.createOrReplaceTempView(_NUMBERED))

    def _read_others(self, others: Sequence[RowSource]) -> None:
        """Name the rows of the sources that are joined with this one."""
        self._joined = [_VIEW]
        for place, source in enumerate(others, 1):
            frame = self._open(source)
            self._run(functools.partial(frame.createOrReplaceTempView, f"{_VIEW}_{place}"))
            self._joined.append(f"{_VIEW}_{place}")

    def _open(self, source: RowSource) -> Any:
        if isinstance(source, SparkTable):
            return self._run(lambda: self._session.spark.table(name_table(source.table)))
        if isinstance(source, ParquetFolder):
            return self._run(lambda: self._open_files(source))
        raise DataError("Spark counts Parquet files and tables of Spark: choose another engine.")

    def _open_files(self, folder: ParquetFolder) -> Any:
        scheme = "s3a" if folder.store else "file"  # then the path as it is: Spark decodes no %20
        reader = self._session.spark.read.option("basePath", f"{scheme}://{folder.base}")
        return reader.parquet(*(f"{scheme}://{path}" for path in folder.files))

    def count(self, asked: Grouping) -> pa.Table:
        """Return one line a group, as `Engine.count`."""
        counts = take_rows(self._ask(count_query(asked, self._folder.schema, SPARK, _VIEW)), asked)
        return cast_as_in_files(counts, self._folder.schema, key_columns(asked))

    def facts(self, columns: Sequence[str]) -> dict[str, ColumnFacts]:
        """Describe columns over all rows, as `Engine.facts`."""
        if not columns:
            return {}
        (line,) = self._ask(facts_query(columns, self._folder.schema, SPARK, _VIEW)).to_pylist()
        return read_facts(columns, line)

    def join(self, sides: Sequence[JoinSide]) -> JoinedLines:
        """Count joined sources, as `Engine.join`."""
        _check_times(sides)
        for side in sides[1:]:
            side.source.check_unchanged()
        return read_joined(self._ask(join_query(sides, self._joined, SPARK)), len(sides))

    def rows(self, asked: RowQuery) -> pa.Table:
        """Return chosen rows, as `Engine.rows`."""
        selected = self._ask(rows_query(asked, self._folder.schema, SPARK, _NUMBERED, f"{_FILE}, {_PLACE}"))
        return cast_as_in_files(selected, self._folder.schema, {name: name for name in selected.column_names})

    def _ask(self, query: Query) -> pa.Table:
        self._folder.check_unchanged()
        with self._one_at_a_time:
            self._cancelled.clear()
            self._session.tag()
            values = [_as_long(value) for value in query.values]
            return self._run(lambda: self._session.spark.sql(query.text, args=values).toArrow())

    def _run(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except Exception as error:  # Py4J's, gRPC's and Spark's own have no common ancestor
            if self._cancelled.is_set():
                raise DataError("The count was cancelled.") from None
            raise DataError(_say(str(error), type(error).__name__)) from None

    def progress(self) -> float:
        """Return the share of the query under way that is done, as `Engine.progress`."""
        return self._session.progress()

    def cancel(self) -> None:
        """Stop the query under way, as `Engine.cancel`."""
        self._cancelled.set()
        self._session.cancel()

    def close(self) -> None:
        """Free what the engine holds, as `Engine.close`."""
        for view in self._joined[1:]:
            self._session.spark.catalog.dropTempView(view)
        self._session.close()


def _as_long(value: Any) -> Any:
    """Return a parameter with whole numbers that Spark's long does not hold as decimals.

    >>> _as_long(7), _as_long([2**63])
    (7, [Decimal('9223372036854775808')])
    """
    if isinstance(value, list):
        return [_as_long(item) for item in value]
    return Decimal(value) if isinstance(value, int) and abs(value) >= 2**63 else value


def _check_times(sides: Sequence[JoinSide]) -> None:
    """Refuse ids of which some sources hold nanoseconds: Spark reads these as whole numbers, which equal no time."""
    for ids in zip(*(side.ids for side in sides), strict=True):
        types = [side.source.schema.field(name).type for side, name in zip(sides, ids, strict=True)]
        nanos = [kinds.is_timestamp(kind) and kind.unit == "ns" for kind in types]
        if any(nanos) and not all(nanos):
            name = quote(ids[nanos.index(True)])
            raise DataError(f"Spark cannot join by {name}, whose times hold nanoseconds: write them in microseconds.")


def _say(error: str, kind: str) -> str:
    """Return one sentence about an error of Spark, without its text: that may hold addresses.

    >>> _say("Illegal Parquet type: INT64 (TIME)", "AnalysisException")[:40]
    'A column has a type that Spark cannot re'
    """
    if "OutOfMemoryError" in error:
        return "The count needs more memory than Spark has: allow more, or group by fewer columns."
    if "FileNotFound" in error or "PATH_NOT_FOUND" in error or "FILE_NOT_EXIST" in error:
        return "Spark does not find a file of the source: mount the folder at the same path where Spark runs."
    if kind == "AnalysisException" or re.search(r"parquet[ _]type", error, re.IGNORECASE):
        return "A column has a type that Spark cannot read: write it as text or numbers, or choose another engine."
    if "is not a Parquet file" in error or "CANNOT_READ_FILE" in error or "FAILED_READ_FILE" in error:
        return "A file of the source is damaged: write it again."
    return f"Spark could not count this source ({quote(kind)}): open it again."
