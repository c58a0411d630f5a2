"""The engine for sources larger than memory: DuckDB, embedded, locked to the files of one source."""

from __future__ import annotations

import dataclasses
import os
import platform
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from data.engines.duckdb_table import (
    DuckDBTable,
    answer_too_large,
    attach,
    connect,
    name_table,
    read_answer,
)
from data.engines.file_types import cast_as_in_files, keep_times, key_columns
from data.engines.join_query import JoinedLines, JoinSide, join_query, read_joined
from data.engines.parquet_folder import ParquetFolder
from data.engines.query import (
    DUCKDB,
    ROWS,
    ColumnFacts,
    Grouping,
    Query,
    count_query,
    facts_query,
    read_facts,
    take_rows,
)
from data.engines.row_query import RowQuery, blocks_query, rows_query
from data.engines.row_source import RowSource
from data.errors import DataError

_SWITCHED_OFF = (
    "python_enable_replacements",
    "preserve_insertion_order",
    "enable_progress_bar_print",
)


_BLOCK_ROWS = 1 << 16
"""Rows of a file among which a deep part of the rows is looked for."""


_SCRATCH = f"blindspot-duckdb-{platform.node()}-"
_DISK_FULL = "The disk for intermediate results is full: free some space, or give more memory."


class DuckDBEngine:
    """One instance of DuckDB for one source: it may read the source's files and write its own scratch folder.

    It loads no extension, sees no variable of Python, and its configuration is locked.
    """

    name = "duckdb"

    def __init__(
        self, source: RowSource, *, memory_bytes: int = 1 << 30, threads: int = 2, scratch: str | None = None,
        others: Sequence[RowSource] = (),
    ) -> None:  # fmt: skip
        import duckdb

        self._duckdb = duckdb
        self._folder = source
        self._memory_bytes = memory_bytes
        _remove_left_scratch(Path(scratch or tempfile.gettempdir()))
        self._scratch = tempfile.mkdtemp(prefix=f"{_SCRATCH}{os.getpid()}-", dir=scratch)
        self._one_at_a_time = threading.Lock()
        self._options: dict[str, Any] = {
            "memory_bytes": memory_bytes,
            "threads": threads,
            "temp_directory": self._scratch,
        }
        if isinstance(source, DuckDBTable):
            self._open_table(source)
        elif isinstance(source, ParquetFolder):
            self._open_files(source, others)
        else:
            raise DataError("DuckDB counts Parquet files and tables of DuckDB: choose another engine.")

    def _open_table(self, table: DuckDBTable) -> None:
        self._connection = attach(table.database, **self._options)
        self._lock("")
        self._source = self._numbered = name_table(table.table)
        self._ties = "rowid"

    def _open_files(self, folder: ParquetFolder, others: Sequence[RowSource]) -> None:
        self._connection = connect(**self._options)
        every = [folder, *(other for other in others if isinstance(other, ParquetFolder))]
        for store in {id(source.store): source.store for source in every if source.store is not None}.values():
            self._connection.register_filesystem(store.filesystem)
        self._lock(", ".join(_text(address) for source in every for address in source.addresses))
        self._source, self._joined = _read(folder), [_read(source) for source in every]
        self._numbered = _read(folder, ", filename = true, file_row_number = true")
        self._ties = "filename, file_row_number"

    def _lock(self, files: str) -> None:
        run = self._connection.execute
        run("SET enable_progress_bar = true")  # counted, not printed
        for name in _SWITCHED_OFF:
            run(f"SET {name} = false")
        if files:
            run(f"SET allowed_paths = [{files}]")
        run("SET enable_external_access = false")
        run("SET lock_configuration = true")

    def count(self, asked: Grouping) -> pa.Table:
        """Return one line a group, as `Engine.count`."""
        counts = take_rows(self._ask(count_query(asked, self._folder.schema, DUCKDB, self._source)), asked)
        return self._with_times(counts, key_columns(asked))

    def _with_times(self, table: pa.Table, names: Mapping[str, str]) -> pa.Table:
        """Return an answer whose dates and times have the zones of the files."""
        schema = self._folder.schema
        return cast_as_in_files(table, schema, keep_times(names, schema))

    def facts(self, columns: Sequence[str]) -> dict[str, ColumnFacts]:
        """Describe columns over all rows, as `Engine.facts`."""
        if not columns:
            return {}
        (line,) = self._ask(facts_query(columns, self._folder.schema, DUCKDB, self._source)).to_pylist()
        return read_facts(columns, line)

    def join(self, sides: Sequence[JoinSide]) -> JoinedLines:
        """Count joined sources, as `Engine.join`."""
        for side in sides[1:]:
            side.source.check_unchanged()
        return read_joined(self._ask(join_query(sides, self._joined, DUCKDB)), len(sides))

    def rows(self, asked: RowQuery) -> pa.Table:
        """Return chosen rows, as `Engine.rows`."""
        source, ties = self._numbered, self._ties
        if asked.by is None and asked.seed is None and asked.offset >= _BLOCK_ROWS and ties != "rowid":
            asked, source = self._near_blocks(asked)
        selected = self._ask(rows_query(asked, self._folder.schema, DUCKDB, source, ties))
        names = self._folder.schema.names
        return self._with_times(
            selected.rename_columns(names), {name: name for name in names}
        )  # it ends a name at a NUL

    def _near_blocks(self, asked: RowQuery) -> tuple[RowQuery, str]:
        """Return the same rows in the blocks of files where they stand: rows before them need not be sorted."""
        block = f"{{'file': filename, 'n': file_row_number // {_BLOCK_ROWS}}}"
        counted = self._ask(blocks_query(asked, self._folder.schema, DUCKDB, self._numbered, block))
        ends = np.cumsum(counted.column(ROWS).to_numpy())
        first, last = np.searchsorted(ends, [asked.offset, asked.offset + asked.n - 1], side="right")
        places = [
            f"(filename = {_text(block['file'])} AND file_row_number BETWEEN {block['n'] * _BLOCK_ROWS} AND "
            f"{(block['n'] + 1) * _BLOCK_ROWS - 1})"
            for block in counted.column("block")[first : last + 1].to_pylist()
        ]
        before = int(ends[first - 1]) if first else 0
        source = f"(SELECT * FROM {self._numbered} WHERE {' OR '.join(places) or 'false'})"
        return dataclasses.replace(asked, offset=asked.offset - before), source

    def _ask(self, query: Query) -> pa.Table:
        known = self._duckdb
        self._folder.check_unchanged()
        try:
            with self._one_at_a_time:
                reader = self._connection.sql(query.text, params=list(query.values)).to_arrow_reader()
                return read_answer(reader, self._memory_bytes)
        except known.InterruptException:
            raise DataError("The count was cancelled.") from None
        except RuntimeError as error:  # of DuckDB, where Ctrl+C or another signal came meanwhile
            if "interrupted" not in str(error):
                raise
            raise KeyboardInterrupt from None
        except known.OutOfMemoryException as error:
            is_disk = "temp" in str(error).lower() and "size" in str(error).lower()
            raise (DataError(_DISK_FULL) if is_disk else answer_too_large(self._memory_bytes)) from None
        except known.ConversionException:
            raise DataError("A column of numbers holds a value too large to count: choose another column.") from None
        except (known.IOException, known.PermissionException, known.InvalidInputException) as error:
            if self._scratch in str(error):
                raise DataError(_DISK_FULL) from None
            raise DataError("A file of the source is damaged: write it again, then open the source again.") from None
        except known.Error as error:
            raise DataError(f"DuckDB could not count this source ({type(error).__name__}): open it again.") from None

    def progress(self) -> float:
        """Return the share of the query under way that is done, as `Engine.progress`."""
        return float(self._connection.query_progress()) / 100

    def cancel(self) -> None:
        """Stop the query under way, as `Engine.cancel`."""
        self._connection.interrupt()
        if isinstance(self._folder, DuckDBTable):
            self._folder.cancel()

    def close(self) -> None:
        """Free what the engine holds, as `Engine.close`."""
        self._connection.close()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _remove_left_scratch(folder: Path) -> None:
    """Remove the scratch folders of processes of this machine that were killed in the middle of a query."""
    for left in folder.glob(f"{_SCRATCH}*"):
        pid = left.name.removeprefix(_SCRATCH).partition("-")[0]
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(left, ignore_errors=True)
        except (ValueError, OSError):  # not ours, or of somebody else
            continue


def _read(folder: ParquetFolder, more: str = "") -> str:
    """Return the SQL that reads the files of a folder."""
    files = ", ".join(map(_text, folder.addresses))
    parts = f"hive_partitioning = {str(bool(folder.partitions)).lower()}, hive_types_autocast = false"
    return f"read_parquet([{files}], {parts}{more})"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
