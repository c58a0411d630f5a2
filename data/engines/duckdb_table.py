"""A table of a DuckDB database file as a source: its columns, rows and snapshot."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.engines.query import DUCKDB
from data.errors import DataError
from text.quoting import quote

ATTACHED = "source_file"
"""The name that a database file has in the instance of DuckDB that reads it."""


@dataclass(frozen=True)
class DuckDBTable:
    """One table, as it was when it was opened.

    files, sizes, times : the database file and its log of writes, if there is one; bytes; nanoseconds of last change.
    """

    database: Path
    table: str
    files: tuple[Path, ...]
    sizes: tuple[int, ...]
    times: tuple[int, ...]
    schema: pa.Schema
    n_rows: int
    n_bytes: int

    @cached_property
    def snapshot(self) -> str:
        """Return 64 hex digits over the table's name, and the sizes and times of the files."""
        return hashlib.sha256(json.dumps([self.table, self.sizes, self.times]).encode()).hexdigest()

    @property
    def last_change(self) -> float:
        """Return when the database was last changed, in seconds since 1970."""
        return max(self.times) / 1e9

    def sample(self, n: int, seed: int = 0) -> pa.Table:
        """Return about `n` rows that `seed` chooses, in the order of the table."""
        name = name_table(self.table)
        sampled = f"SELECT rowid FROM {name} USING SAMPLE reservoir({n:d} ROWS) REPEATABLE ({seed:d})"
        with closing(attach(self.database)) as connection:
            found: pa.Table = connection.sql(
                f"SELECT * FROM {name} WHERE rowid IN ({sampled}) ORDER BY rowid"
            ).to_arrow_table()
            return found

    def check_unchanged(self) -> None:
        """Raise DataError where the database was changed or removed since this was read."""
        if _stat(self.database)[1:] != (self.sizes, self.times):
            raise DataError(
                f"{quote(self.database.name)} was changed since its source was opened: open the source again."
            )


def open_duckdb_table(database: Path, table: str) -> DuckDBTable:
    """Read the columns and the number of rows of a table, such as predictions or main.predictions.

    Raises
    ------
    DataError
        DuckDB is not installed, the file is no database or is being written, there is no such table, or it is empty.
    """
    files, sizes, times = _stat(database)
    with closing(attach(database)) as connection:
        import duckdb

        try:
            schema = connection.sql(f"SELECT * FROM {name_table(table)} LIMIT 0").to_arrow_table().schema
            [(n_rows,)] = connection.sql(f"SELECT count(*) FROM {name_table(table)}").fetchall()
            connection.sql(f"SELECT rowid FROM {name_table(table)} LIMIT 1").fetchall()  # a view has none
        except duckdb.Error:
            raise DataError(f"There is no table {quote(table)} in {quote(database.name)}: check its name.") from None
    if not n_rows:
        raise DataError(f"{quote(table)} holds no rows: give one row for every prediction.")
    return DuckDBTable(database, table, files, sizes, times, schema, n_rows, sum(sizes))


def attach(database: Path, **options: Any) -> Any:
    """Return a new instance of DuckDB that reads a database file and nothing else."""
    try:
        import duckdb
    except ImportError:
        raise DataError("DuckDB is not installed: run python -m pip install -r requirements-engines.txt.") from None
    connection = duckdb.connect(":memory:", config=options)
    try:
        path = str(database).replace("'", "''")
        connection.execute(f"ATTACH '{path}' AS {ATTACHED} (READ_ONLY)")
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
    parts = table.split(".") if "." in table else ["main", table]
    return ".".join([ATTACHED, *map(DUCKDB.name, parts)])


def _stat(database: Path) -> tuple[tuple[Path, ...], tuple[int, ...], tuple[int, ...]]:
    files = [file for file in (database, Path(f"{database}.wal")) if file.is_file()]
    if database not in files:
        raise DataError(f"{quote(database.name)} is not there: check the path, or that the disk is mounted.")
    stats = [file.stat() for file in files]
    return tuple(files), tuple(one.st_size for one in stats), tuple(one.st_mtime_ns for one in stats)
