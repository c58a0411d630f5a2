"""A table that Spark knows as a source: its columns, rows and the files behind it."""

from __future__ import annotations

import hashlib
import json
import uuid
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from data.engines.query import SPARK
from data.engines.spark.session import Session, open_session
from data.errors import DataError
from text.quoting import quote

_FILES = (
    "SELECT _metadata.file_path AS f, max(_metadata.file_size) AS s, "
    "max(unix_micros(_metadata.file_modification_time)) AS t, count(*) AS n FROM {} GROUP BY 1 ORDER BY 1"
)


@dataclass(frozen=True)
class SparkTable:
    """One table, as it was when it was opened; its name has dots between catalog, database and table."""

    table: str
    files: tuple[str, ...]
    sizes: tuple[int, ...]
    times: tuple[int, ...]
    schema: pa.Schema
    n_rows: int
    memory_bytes: int
    _drawing: list[Session] = field(default_factory=list, compare=False, repr=False)

    @cached_property
    def snapshot(self) -> str:
        """Return 64 hex digits over the names, sizes and times of the table's files."""
        return hashlib.sha256(json.dumps([self.table, self.files, self.sizes, self.times]).encode()).hexdigest()

    @property
    def last_change(self) -> float:
        """Return when a file of the table was last changed, in seconds since 1970."""
        return max(self.times) / 1e9

    def sample(self, n: int, seed: int = 0) -> pa.Table:
        """Return about `n` rows that `seed` chooses."""
        with closing(open_session(self.memory_bytes, f"blindspot-{uuid.uuid4().hex}")) as session:
            share = min(1.0, 1.2 * n / self.n_rows)
            frame = session.spark.table(name_table(self.table))
            self._drawing.append(session)
            try:
                rows: pa.Table = (frame if share == 1 else frame.sample(share, seed)).limit(n).toArrow()
            except Exception:  # Py4J's, gRPC's and Spark's own have no common ancestor
                raise DataError(f"Rows of {quote(self.table)} could not be read, or that was cancelled.") from None
            finally:
                self._drawing.remove(session)
            return rows

    def cancel(self) -> None:
        """Stop the jobs that draw rows, from another thread."""
        for session in tuple(self._drawing):
            session.cancel()

    def check_unchanged(self) -> None:
        """Do nothing: the files are listed again by whoever opens the table."""


def open_spark_table(table: str, memory_bytes: int = 1 << 30) -> SparkTable:
    """Ask Spark for the columns, rows and files of a table, such as warehouse.predictions.

    Raises
    ------
    DataError
        Spark does not run, there is no such table, it is empty, or it does not say which files it has.
    """
    with closing(open_session(memory_bytes, f"blindspot-{uuid.uuid4().hex}")) as session:
        schema = _ask(
            session, f"SELECT * FROM {name_table(table)} LIMIT 0", f"Spark has no table {quote(table)}"
        ).schema
        none = f"{quote(table)} does not say which files it has, so that a change would not be seen"
        listed = _ask(session, _FILES.format(name_table(table)), none)
    n_rows = sum(listed.column("n").to_pylist())
    if not n_rows:
        raise DataError(f"{quote(table)} holds no rows: give one row for every prediction.")
    files, sizes, micros = (tuple(listed.column(name).to_pylist()) for name in "fst")
    return SparkTable(table, files, sizes, tuple(1000 * t for t in micros), schema, n_rows, memory_bytes)


def _ask(session: Session, text: str, problem: str) -> pa.Table:
    try:
        return session.spark.sql(text).toArrow()
    except Exception:  # Py4J's, gRPC's and Spark's own have no common ancestor
        raise DataError(f"{problem}: name a table of Parquet files.") from None


def name_table(table: str) -> str:
    """Return how SQL names a table.

    >>> name_table("lake.my table")
    '`lake`.`my table`'
    """
    return ".".join(map(SPARK.name, table.split(".")))
