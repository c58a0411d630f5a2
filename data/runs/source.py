"""Open a source by its path, count it, and close the engine again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from data.engines.engine import open_engine
from data.engines.parquet_folder import ParquetFolder, open_folder
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MIN_ENGINE_BYTES
from data.process.limits import Limits
from data.runs.counted import CountedSource, count_source
from data.runs.draft import Given
from text.quoting import quote

_SIZE = re.compile(r"(\d{1,9})(?:\.(\d))? ?(MB|GB|TB|MiB|GiB)", re.ASCII | re.IGNORECASE)
_UNITS = {"mb": 10**6, "gb": 10**9, "tb": 10**12, "mib": 2**20, "gib": 2**30}


def read_size(text: str) -> int:
    """Return the bytes of a size such as 1GB, 1.5 GB or 512MB.

    >>> read_size("1GB"), read_size("1.5 gb"), read_size("512MiB")
    (1000000000, 1500000000, 536870912)
    """
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise DataError(f"{text[:40]!r} is no size of memory: write it as 1GB or 512MB.")
    whole, tenth, unit = found.groups()
    size = (int(whole) * 10 + int(tenth or 0)) * _UNITS[unit.lower()] // 10
    if size < MIN_ENGINE_BYTES:
        raise DataError(f"{text[:40]!r} is too little memory to count: give 64MB or more.")
    return size


def is_counted(path: Path, engine: str | None) -> bool:
    """Return whether a path is counted by an engine and not read row by row.

    Folders are, files where an engine is named, and Parquet files above the limits of what is read.
    """
    if path.is_dir() or engine not in (None, "auto"):
        return True
    if path.suffix != ".parquet" or not path.is_file():
        return False
    limits = Limits.from_environment()
    try:
        folder = open_folder(path)
    except DataError:  # reading it row by row says what is wrong
        return False
    size = path.stat().st_size
    return size > limits.n_bytes or folder.n_rows > limits.rows or folder.n_bytes > limits.expanded_bytes


def read_source(
    path: Path,
    given: Given,
    *,
    engine: str = "auto",
    memory_bytes: int = 10**9,
    threads: int = 2,
    slices: Sequence[str] = (),
) -> Evaluation:
    """Count a folder of Parquet files, or one of them, without keeping anything.

    Raises
    ------
    DataError
        as `open_folder`, `open_engine` and `count_source`.
    """
    if path.is_file() and path.suffix != ".parquet":
        raise DataError(f"{quote(path.name)} is no Parquet file: an engine counts Parquet only, leave --engine out.")
    folder = open_folder(path)
    return count_folder(folder, given, path.name or "source", engine, memory_bytes, threads, slices).evaluation()


def count_folder(
    folder: ParquetFolder, given: Given, name: str, engine: str, memory_bytes: int, threads: int, slices: Sequence[str]
) -> CountedSource:
    """Count a folder that is open, with an engine of its own."""
    opened = open_engine(engine, folder, memory_bytes=memory_bytes, threads=threads)
    try:
        return count_source(folder, opened, given, name=name, slices=slices)
    finally:
        opened.close()
