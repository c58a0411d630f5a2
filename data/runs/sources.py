"""Sources on this server: folders and tables that whoever runs it lists in a file, opened by name and nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from data import environment
from data.columns.counted_metadata import Counted
from data.engines.duckdb_table import open_duckdb_table
from data.engines.names import ENGINES
from data.engines.parquet_folder import open_folder, open_prefix
from data.engines.row_source import RowSource
from data.engines.spark.table import open_spark_table
from data.environment import SettingError
from data.errors import DataError
from data.limits import MAX_SOURCE_NAME, MIN_ENGINE_BYTES
from data.runs.draft import Given
from data.runs.written_options import LABELS_PER_ROW
from data.store import access
from text.quoting import quote

_TEXTS = (
    "folder",
    "database",
    "table",
    "engine",
    "memory",
    "for",
    "truth",
    "pred",
    "score",
    "positive",
    "scale",
    "task",
)
_KEYS = {*_TEXTS, "threads", "slices", "label_set", "threshold"}
_SIZE = re.compile(r"(\d{1,9})(?:\.(\d))? ?(MB|GB|TB|MiB|GiB)", re.ASCII | re.IGNORECASE)
_UNITS = {"mb": 10**6, "gb": 10**9, "tb": 10**12, "mib": 2**20, "gib": 2**30}


@dataclass(frozen=True)
class Source:
    """One listed source; `audience` as BLINDSPOT_LINKS_FOR, "" = members where people log in."""

    name: str
    folder: Path | str | None  # a str is an address, s3://…
    engine: str = "auto"
    memory_bytes: int = 10**9
    threads: int = 2
    audience: str = ""
    given: Given = field(default_factory=Given)
    slices: tuple[str, ...] = ()
    table: str | None = None  # of the database file `folder`; of Spark where that is None
    more_scores: tuple[str, ...] = ()  # columns of further models, by which its counts are split

    def open_folder(self) -> RowSource:
        """Read what its files or its table say of themselves; errors name the source, never its path."""
        try:
            if self.folder is None:
                return open_spark_table(str(self.table), self.memory_bytes)
            if self.table is not None:
                return open_duckdb_table(Path(self.folder), self.table, self.memory_bytes, self.threads)
            return open_prefix(self.folder) if isinstance(self.folder, str) else open_folder(self.folder)
        except DataError as error:
            raise error.reworded(f"The source {quote(self.name)} cannot be opened. {error}") from None


def list_sources(person: str = "", groups: Collection[str] = ()) -> tuple[Source, ...]:
    """Return the sources that somebody may open, in the order of the list.

    Raises
    ------
    SettingError
        the list cannot be read.
    """
    path = str(environment.value("BLINDSPOT_SOURCES"))
    sources = _read_list(Path(path)) if path else ()
    return tuple(source for source in sources if access.may_open_source(person, groups, source.audience))


def find_source(name: str, person: str = "", groups: Collection[str] = ()) -> Source:
    """Return the source of a name.

    Raises
    ------
    DataError
        no source of this name that the person may open. A name is never taken for a path, an address or SQL.
    """
    for source in list_sources(person, groups):
        if source.name == name:
            return source
    raise DataError(f"There is no source {quote(name)} here, or it does not open for you: choose one of the list.")


def find_unchanged(counted: Counted, person: str, groups: Collection[str], prevented: str) -> tuple[Source, RowSource]:
    """Return the source that was counted, and what its files or its table say.

    prevented : what is not done where it has changed since.

    Raises
    ------
    DataError
        it is gone, has changed since, or does not open for this person.
    """
    source = find_source(counted.source or "", person, groups)
    folder = source.open_folder()
    if folder.snapshot != counted.snapshot:
        raise DataError(
            f"The source {quote(source.name)} has changed since it was counted, so {prevented}: open the source again."
        )
    return source, folder


def _read_list(path: Path) -> tuple[Source, ...]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise SettingError("BLINDSPOT_SOURCES names a file that cannot be read: check its path.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"The list of sources is no TOML ({error}): correct it.") from None
    return tuple(_read_source(name, entry, path.resolve().parent) for name, entry in values.items())


def _read_source(name: str, entry: Any, beside: Path) -> Source:
    where = f"The list of sources, {name[:80]!r}"
    if not isinstance(entry, Mapping):
        raise SettingError(f'{where}: folder is missing; write folder = "/path/to/parquet".')
    if not 0 < len(name) <= MAX_SOURCE_NAME or not name.isprintable():
        raise SettingError(f"{where}: a name has 1 to {MAX_SOURCE_NAME} printable characters.")
    wrong = [key for key in entry if key not in _KEYS]
    wrong += [key for key in _TEXTS if key in entry and not isinstance(entry[key], str)]
    if wrong:
        raise SettingError(f"{where}: {wrong[0]!r} is none of its keys, or no text: correct it.")
    if entry.get("engine", "auto") not in ("auto", *ENGINES):
        raise SettingError(f"{where}: engine is auto, {', '.join(ENGINES[:-1])} or {ENGINES[-1]}.")
    folder, table, engine = _read_place(entry, where, beside)
    try:
        return Source(
            name,
            folder,
            engine=engine,
            memory_bytes=read_size(entry.get("memory", "1GB")),
            threads=int(entry.get("threads", 2)),
            audience=environment.VARIABLES["BLINDSPOT_LINKS_FOR"].parse(entry["for"]) if "for" in entry else "",
            given=_read_given(entry),
            slices=tuple(map(str, entry.get("slices", ()))),
            table=table,
        )
    except (ValueError, TypeError) as error:
        raise SettingError(f"{where}: {error}") from None


def _read_place(entry: Mapping[str, Any], where: str, beside: Path) -> tuple[Path | str | None, str | None, str]:
    """Return the folder, address or database file, the table in it or of Spark, and the engine."""
    folder, database, table = (entry.get(key) for key in ("folder", "database", "table"))
    engine = entry.get("engine", "auto")
    engine_of_tables = "duckdb" if database else "spark"
    if table is not None and folder is None and engine in ("auto", engine_of_tables):
        return (beside / database if database else None), table, engine_of_tables
    if table is not None or database is not None:
        raise SettingError(f"{where}: a table has a database and engine duckdb, or engine spark, and no folder.")
    if folder is None:
        raise SettingError(f'{where}: folder is missing; write folder = "/path/to/parquet".')
    if "://" not in folder:
        return beside / folder, None, engine
    if not re.fullmatch(r"s3://[^/?#@:]+(/[^?#]*)?", folder):
        raise SettingError(f"{where}: {folder[:60]!r} is no folder; write its path, or s3://bucket/folder.")
    return folder, None, engine


def read_size(text: str) -> int:
    """Return the bytes of a size such as 1GB, 1.5 GB or 512MB.

    >>> read_size("64MB"), read_size("1.5 gb"), read_size("512MiB")
    (64000000, 1500000000, 536870912)
    """
    parts = _SIZE.fullmatch(text.strip())
    if parts is None:
        raise DataError(f"{text[:40]!r} is no size of memory: write it as 1GB or 512MB.")
    whole, tenth, unit = parts.groups()
    size = (int(whole) * 10 + int(tenth or 0)) * _UNITS[unit.lower()] // 10
    if size < MIN_ENGINE_BYTES:
        raise DataError(f"{text[:40]!r} is too little memory to count: give 64MB or more.")
    return size


def _read_given(entry: Mapping[str, Any]) -> Given:
    labels, threshold = entry.get("label_set"), entry.get("threshold")
    if entry.get("task", LABELS_PER_ROW[0]) not in LABELS_PER_ROW:
        raise ValueError(f"task is {' or '.join(LABELS_PER_ROW)}.")
    return Given(
        truth=entry.get("truth"),
        pred=entry.get("pred"),
        scores=(entry["score"],) if "score" in entry else (),
        positive=entry.get("positive"),
        label_set=None if labels is None else tuple(map(str, labels)),
        threshold=None if threshold is None else float(threshold),
        scale=entry.get("scale"),
        task=entry.get("task"),
    )
