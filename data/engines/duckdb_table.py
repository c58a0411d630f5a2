"""A table of a DuckDB database file as a source: its columns, rows and snapshot."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.engines.query import DUCKDB
from data.errors import DataError
from data.limits import DATABASE_SECONDS
from data.process.limits import format_size
from data.version import install_command
from text.quoting import quote

_INTERRUPTED_AGAIN = 0.2  # seconds
ATTACHED = "source_file"
"""The name that a database file has in the instance of DuckDB that reads it."""
_NO_EXTENSIONS = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
}
"""The configuration of every instance: a file of another kind would have DuckDB ask the network for an extension."""


@dataclass(frozen=True)
class DuckDBTable:
    """One table, as it was when it was opened.

    files, sizes, times : the database file and its log of writes, if there is one; bytes; nanoseconds of last change.
    memory_bytes, threads : the most that one statement may take.
    """

    database: Path
    table: str
    files: tuple[Path, ...]
    sizes: tuple[int, ...]
    times: tuple[int, ...]
    schema: pa.Schema
    n_rows: int
    memory_bytes: int = 1 << 30
    threads: int = 2
    _running: list[Any] = field(default_factory=list, compare=False, repr=False)

    @cached_property
    def snapshot(self) -> str:
        """Return 64 hex digits over the table's name, and the sizes and times of the files."""
        return hashlib.sha256(json.dumps([self.table, self.sizes, self.times]).encode()).hexdigest()

    @property
    def last_change(self) -> float:
        """Return when the database was last changed, in seconds since 1970."""
        return max(self.times) / 1e9

    def sample(self, n: int, seed: int = 0) -> pa.Table:
        """Return about `n` rows that `seed` chooses, in the order of the table.

        Raises
        ------
        DataError
            it takes more memory or time than a statement may, or was cancelled.
        """
        name = name_table(self.table)
        sampled = f"SELECT rowid FROM {name} USING SAMPLE reservoir({n:d} ROWS) REPEATABLE ({seed:d})"
        rows = f"SELECT * FROM {name} WHERE rowid IN ({sampled}) ORDER BY rowid LIMIT {n:d}"
        connection = attach(self.database, self.memory_bytes, self.threads)
        with closing(connection), _limited(connection, self.database, self.memory_bytes):
            self._running.append(connection)
            try:
                return read_answer(connection.sql(rows).to_arrow_reader(), self.memory_bytes)
            finally:
                self._running.remove(connection)

    def cancel(self) -> None:
        """Stop the statements under way, from another thread."""
        import duckdb

        for connection in tuple(self._running):
            with suppress(duckdb.ConnectionException):  # it was closed meanwhile
                connection.interrupt()

    def check_unchanged(self) -> None:
        """Raise DataError where the database was changed or removed since this was read."""
        if _stat(self.database)[1:] != (self.sizes, self.times):
            raise DataError(
                f"{quote(self.database.name)} was changed since its source was opened: open the source again."
            )


def open_duckdb_table(database: Path, table: str, memory_bytes: int = 1 << 30, threads: int = 2) -> DuckDBTable:
    """Read the columns and the number of rows of a table, such as predictions or main.predictions.

    A view is none: its query, whatever it does, would run whenever something is asked of it.

    Raises
    ------
    DataError
        DuckDB is not installed, the file is no database or is being written, there is no such table, or it is empty;
        it takes more memory or time than a statement may.
    """
    files, sizes, times = _stat(database)
    connection = attach(database, memory_bytes, threads)
    with closing(connection), _limited(connection, database, memory_bytes):
        wanted = "database_name = ? AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)"
        values = [ATTACHED, *_split_name(table)]
        if not connection.execute(f"SELECT 1 FROM duckdb_tables() WHERE {wanted}", values).fetchall():
            raise DataError(f"There is no table {quote(table)} in {quote(database.name)}: check its name.")
        schema = connection.sql(f"SELECT * FROM {name_table(table)} LIMIT 0").to_arrow_table().schema
        [(n_rows,)] = connection.sql(f"SELECT count(*) FROM {name_table(table)}").fetchall()
    if not n_rows:
        raise DataError(f"{quote(table)} holds no rows: give one row for every prediction.")
    return DuckDBTable(database, table, files, sizes, times, schema, n_rows, memory_bytes, threads)


@contextmanager
def _limited(connection: Any, database: Path, memory_bytes: int) -> Iterator[None]:
    """Stop the statements of a connection once their time is over; say in one sentence why one failed."""
    import duckdb

    done, seconds = threading.Event(), DATABASE_SECONDS

    def watch() -> None:
        if not done.wait(seconds):
            connection.interrupt()
            while not done.wait(_INTERRUPTED_AGAIN):  # one that comes before a statement begins is lost
                connection.interrupt()

    watcher = threading.Thread(target=watch, daemon=True, name="database-time")
    watcher.start()
    try:
        yield
    except duckdb.InterruptException:
        raise DataError(
            f"Reading {quote(database.name)} took longer than {DATABASE_SECONDS:.0f} seconds, or was cancelled: "
            "export the table as Parquet."
        ) from None
    except duckdb.OutOfMemoryException:
        raise answer_too_large(memory_bytes) from None
    except duckdb.Error as error:
        raise DataError(
            f"{quote(database.name)} cannot be read ({type(error).__name__}): write it again, then open the source "
            "again."
        ) from None
    finally:
        done.set()
        watcher.join()


def read_answer(reader: pa.RecordBatchReader, memory_bytes: int) -> pa.Table:
    """Return an answer, which DuckDB's own limit of memory does not hold."""
    batches, n_bytes = [], 0
    for batch in reader:
        batches.append(batch)
        n_bytes += batch.nbytes
        if n_bytes > memory_bytes:
            raise answer_too_large(memory_bytes)
    return pa.Table.from_batches(batches, reader.schema)


def answer_too_large(memory_bytes: int) -> DataError:
    """Return the error of a statement that takes more memory than it may."""
    return DataError(
        f"The count needs more than {format_size(memory_bytes)} of memory: allow more, or group by fewer columns."
    )


def connect(memory_bytes: int, threads: int, **options: Any) -> Any:
    """Return a new instance of DuckDB that loads no extension."""
    try:
        import duckdb
    except ImportError:
        raise DataError(f"DuckDB is not installed: run {install_command('engines')}.") from None
    limits = {"memory_limit": f"{memory_bytes} B", "threads": threads}
    return duckdb.connect(":memory:", config=_NO_EXTENSIONS | limits | options)


def attach(database: Path, memory_bytes: int = 1 << 30, threads: int = 2, **options: Any) -> Any:
    """Return a new instance of DuckDB that reads a database file and nothing else."""
    connection = connect(memory_bytes, threads, **options)
    import duckdb

    try:
        path = str(database).replace("'", "''")
        connection.execute(f"ATTACH '{path}' AS {ATTACHED} (TYPE duckdb, READ_ONLY)")
        connection.execute("SET enable_external_access = false")
    except duckdb.Error:
        connection.close()
        raise DataError(
            f"{quote(database.name)} is no DuckDB database, or another program is writing it: try again later."
        ) from None
    return connection


def name_table(table: str) -> str:
    """Return how SQL names a table of the attached file.

    >>> name_table("main.my table")
    'source_file."main"."my table"'
    """
    return ".".join([ATTACHED, *map(DUCKDB.name, _split_name(table))])


def _split_name(table: str) -> list[str]:
    """Return the schema and the name of a table."""
    schema, dot, name = table.rpartition(".")
    return [schema if dot else "main", name]


def _stat(database: Path) -> tuple[tuple[Path, ...], tuple[int, ...], tuple[int, ...]]:
    files = [file for file in (database, Path(f"{database}.wal")) if file.is_file()]
    if database not in files:
        raise DataError(f"{quote(database.name)} is not there: check the path, or that the disk is mounted.")
    stats = [file.stat() for file in files]
    return tuple(files), tuple(stat.st_size for stat in stats), tuple(stat.st_mtime_ns for stat in stats)
