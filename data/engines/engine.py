"""The one interface of all engines, and which one opens a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from data.engines.join_query import JoinedLines, JoinSide
from data.engines.names import ENGINES, ENTRIES, is_installed
from data.engines.parquet_folder import ParquetFolder
from data.engines.query import ColumnFacts, Grouping
from data.engines.row_query import RowQuery
from data.engines.row_source import RowSource
from data.errors import DataError
from data.limits import LARGEST_IN_MEMORY_BYTES
from data.version import install_command
from text.quoting import quote


class Engine(Protocol):
    """Counts the rows of one source, and finds single ones.

    Raises `DataError` with one sentence where a query fails, and where it was cancelled.
    """

    name: str

    def count(self, asked: Grouping) -> pa.Table:
        """Return one line a group, in no promised order: the keys, `low` and `high` of the score, and `rows`."""

    def facts(self, columns: Sequence[str]) -> dict[str, ColumnFacts]:
        """Describe columns over all rows."""

    def rows(self, asked: RowQuery) -> pa.Table:
        """Return chosen rows with all columns of the source."""

    def join(self, sides: Sequence[JoinSide]) -> JoinedLines:
        """Count the ids that the source and those opened with it share, by the lines of their counts."""

    def progress(self) -> float:
        """Return the share of the query under way that is done; below 0 where it is not known."""

    def cancel(self) -> None:
        """Stop the query under way, from another thread."""

    def close(self) -> None:
        """Free what the engine holds."""


def open_engine(
    name: str, source: RowSource, *, memory_bytes: int = 1 << 30, threads: int = 2, scratch: str | None = None,
    others: Sequence[RowSource] = (),
) -> Engine:  # fmt: skip
    """Open an engine on a source, and on others that are joined with it.

    name : "auto", or one of `ENGINES`. memory_bytes, threads : the most that a query may take. scratch : a folder for
        what does not fit; None = the system's.

    Raises
    ------
    DataError
        no such engine, it is not installed, or it cannot join these sources.
    """
    name = choose_engine(source, *others, memory_bytes=memory_bytes) if name == "auto" else name
    check_joined(name, source, *others)
    if name == "memory":
        from data.engines.memory_engine import MemoryEngine

        if not isinstance(source, ParquetFolder):
            raise DataError("Memory counts Parquet files only: choose another engine.")
        return MemoryEngine(source, memory_bytes)
    if name not in ENGINES:
        raise DataError(f"There is no engine {quote(name)}: choose auto, {', '.join(ENGINES)}.")
    if not is_installed(name):
        entry = ENTRIES[name]
        raise DataError(f"{entry.title} is not installed: run {install_command(entry.extra)}.")
    if name == "spark":
        from data.engines.spark.engine import SparkEngine

        return SparkEngine(source, memory_bytes=memory_bytes, others=others)
    from data.engines.duckdb_engine import DuckDBEngine

    return DuckDBEngine(source, memory_bytes=memory_bytes, threads=threads, scratch=scratch, others=others)


def choose_engine(*sources: RowSource, memory_bytes: int = 1 << 30) -> str:
    """Return the engine for a source, or for some that are joined: memory where few bytes are counted, else DuckDB.

    Where DuckDB is not installed, memory counts what its limit allows.
    """
    folders = [source for source in sources if isinstance(source, ParquetFolder)]
    if len(folders) < len(sources):
        return "duckdb"
    n_bytes = sum(folder.held_bytes for folder in folders)
    return "memory" if n_bytes <= min(LARGEST_IN_MEMORY_BYTES, memory_bytes) or not is_installed("duckdb") else "duckdb"


def check_joined(name: str, *sources: RowSource) -> None:
    """Refuse a join that an engine cannot make: Spark alone joins tables."""
    if len(sources) > 1 and name != "spark" and not all(isinstance(source, ParquetFolder) for source in sources):
        raise DataError("Only folders of Parquet files are joined without Spark: export the table as Parquet.")


def describe_counting(engine: Engine) -> str:
    """Return what a note says of rows that an engine counted.

    >>> from types import SimpleNamespace
    >>> describe_counting(SimpleNamespace(name="duckdb"))
    'counted by DuckDB'
    """
    return ENTRIES[engine.name].counted
