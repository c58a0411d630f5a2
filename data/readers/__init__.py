"""From an uploaded file to a table of columns, one reader per kind of file.

`read_table` parses what strangers wrote. It runs in the child process of `data.sandbox` only.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from data.evaluation import DataError, FileFacts
from data.readers.kinds import check_content, kind_of
from data.readers.limits import Limits, Progress, no_progress, size_text
from data.readers.wording import file_name

if TYPE_CHECKING:
    import pyarrow as pa

_HEAD_BYTES = 4096


def read_table(
    path: str | os.PathLike[str], name: str, *, limits: Limits | None = None, progress: Progress = no_progress
) -> tuple[pa.Table, FileFacts]:
    """Read one file of predictions or labels.

    Parameters
    ----------
    path : where the bytes are.
    name : the name it was uploaded under: its extension says what it is, and its bytes must agree.

    Returns
    -------
    table : text columns as string or dictionary<int32, string>, scores as float64, null where a cell is
        empty; column names are unique.
    facts : how it was read.

    Raises
    ------
    DataError
        One sentence that begins with the file's name.
    """
    try:
        return _read(Path(path), name, limits or Limits(), progress)
    except DataError as error:
        raise DataError(f"{file_name(name)}: {error}") from None


def _read(path: Path, name: str, limits: Limits, progress: Progress) -> tuple[pa.Table, FileFacts]:
    kind, packed = kind_of(name)
    n_bytes = path.stat().st_size
    if n_bytes == 0:
        raise DataError("it is empty: there is no header line and there are no rows.")
    if n_bytes > limits.n_bytes:
        raise DataError(f"it is {size_text(n_bytes)} large; the limit is {size_text(limits.n_bytes)}.")
    progress("reading", 0.0)
    digest = _Digest(path)
    if kind == "parquet":
        table, described = _read_parquet(path, limits, progress)
    else:
        table, described = _read_text(path, name, kind, packed, limits, progress)
    table, described["notes"] = _without_lists(table, described["notes"], limits)
    progress("checking", 1.0)
    facts = FileFacts(
        name=name,
        n_rows=table.num_rows,
        columns=tuple(table.column_names),
        n_bytes=n_bytes,
        sha256=digest.result(),
        **described,
    )
    return table, facts


def _without_lists(table: pa.Table, notes: tuple[str, ...], limits: Limits) -> tuple[pa.Table, tuple[str, ...]]:
    from data.readers.lists import split_lists

    table, split = split_lists(table, limits)
    return table, (*notes, *split)


class _Digest:
    """The SHA-256 of a file, computed beside the parsing."""

    def __init__(self, path: Path) -> None:
        self._hash = hashlib.sha256()
        self._thread = threading.Thread(target=self._run, args=(path,), daemon=True)
        self._thread.start()

    def _run(self, path: Path) -> None:
        with path.open("rb") as file:
            while chunk := file.read(1 << 18):
                self._hash.update(chunk)

    def result(self) -> str:
        self._thread.join()
        return self._hash.hexdigest()


def _read_parquet(path: Path, limits: Limits, progress: Progress) -> tuple[pa.Table, dict]:
    from data.readers.parquet import read_parquet

    with path.open("rb") as file:
        check_content(file.read(_HEAD_BYTES), "parquet")
    table, notes, warnings = read_parquet(path, limits, progress)
    return table, {"format": "Parquet", "notes": tuple(notes), "warnings": tuple(warnings)}


def _read_text(
    path: Path, name: str, kind: str, packed: bool, limits: Limits, progress: Progress
) -> tuple[pa.Table, dict]:
    from data.readers.text import decode, gunzip

    data = path.read_bytes()
    if packed:
        if not data.startswith(b"\x1f\x8b"):
            raise DataError("it is named .gz, but it is not gzip-compressed; remove .gz from its name.")
        data = gunzip(data, limits)
    check_content(data[:_HEAD_BYTES], "json" if kind == "json" else "delimited")
    data, encoding, warnings = decode(data)
    reader: Callable[..., tuple[pa.Table, dict]] = _read_json if kind == "json" else _read_delimited
    table, described = reader(data, name, limits, progress)
    described["warnings"] = (*warnings, *described["warnings"])
    return table, {**described, "encoding": encoding, "compression": "gzip" if packed else None}


def _read_delimited(data: bytes, name: str, limits: Limits, progress: Progress) -> tuple[pa.Table, dict]:
    from data.readers.delimited import read_delimited

    prefer = "\t" if name.lower().removesuffix(".gz").endswith(".tsv") else ","
    read = read_delimited(data, limits, prefer)
    return read.table, {
        "format": "CSV",
        "delimiter": read.delimiter,
        "notes": read.notes,
        "warnings": read.warnings,
    }


def _read_json(data: bytes, name: str, limits: Limits, progress: Progress) -> tuple[pa.Table, dict]:
    from data.readers.json_records import read_json

    one_per_line = not name.lower().removesuffix(".gz").endswith(".json")
    table, layout, notes, warnings = read_json(data, limits, progress, one_per_line=one_per_line)
    return table, {"format": layout, "notes": tuple(notes), "warnings": tuple(warnings)}
