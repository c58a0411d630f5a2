"""Zip archives: one packed table, or a table of predictions for every epoch of a training, read as one table."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.columns.role_names import fold
from data.errors import DataError
from data.evaluation import FileFacts
from data.limits import MAX_RUNS
from data.process.limits import Limits, Progress
from data.reading.zip_archives import Zipped
from text.numbers import count
from text.quoting import list_items, quote

ENDINGS = (".parquet", ".csv", ".tsv", ".jsonl", ".ndjson")
_WHAT = "a zip archive of tables"
_NAMED = re.compile(r"(step|epoch)[-_ ]?[0-9]+\.", re.IGNORECASE)
_UNPACK = "unpack it and open one of its tables"

Read = Callable[[Path, str], tuple[pa.Table, FileFacts]]


def read_epochs(path: Path, limits: Limits, progress: Progress, read: Read) -> tuple[pa.Table, dict[str, Any]]:
    """Read the table of a zip archive; several share a layout with a column `epoch`, and are stacked by their names.

    read : reads one table from a path, by its name.

    Raises
    ------
    DataError
        the archive is damaged, has no tables, or they are no epochs of one training.
    """
    with Zipped(path, limits, _WHAT) as archive:
        names = sorted((name for name in archive.names if _is_table(name)), key=_natural)
        if not names:
            raise DataError(f"this archive holds no table ({', '.join(ENDINGS)}); put the predictions files into it.")
        if len(names) > MAX_RUNS:
            raise DataError(f"this archive holds {count(len(names), 'table')}; at most {MAX_RUNS} epochs are read.")
        read_tables = list(_tables(archive, names, progress, read))
    tables = [table for table, _ in read_tables]
    if len(names) > 1:
        for name, table in zip(names, tables, strict=True):
            _check(name, table, names[0], tables[0])
    limits.check_rows(sum(len(table) for table in tables))
    facts = read_tables[-1][1]
    as_one = ", read as one" if len(names) > 1 else ""
    notes = (f"The archive holds {count(len(names), 'table')} ({list_items(names)}){as_one}.", *facts.notes)
    warnings = tuple(dict.fromkeys(text for _, described in read_tables for text in described.warnings))
    described = {"format": f"Zip archive of {facts.format}", "notes": notes, "warnings": warnings, "run": facts.run}
    return _stack(tables), described


def _tables(archive: Zipped, names: list[str], progress: Progress, read: Read) -> Iterator[tuple[pa.Table, FileFacts]]:
    for place, name in enumerate(names):
        with tempfile.TemporaryDirectory() as folder:
            member = Path(folder) / "member"  # its own name never becomes a path
            member.write_bytes(archive.read(name))
            yield read(member, name.rpartition("/")[2])
        progress("reading", (place + 1) / len(names))


def _is_table(name: str) -> bool:
    parts = name.split("/")
    return name.lower().endswith(ENDINGS) and not any(part.startswith((".", "__")) for part in parts)


def _natural(name: str) -> list[tuple[int, str]]:
    """Order names as a person does: epoch-2 before epoch-10.

    >>> sorted(["e-10.csv", "e-2.csv"], key=_natural)
    ['e-2.csv', 'e-10.csv']
    """
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"([0-9]{1,18})", name)]


def _check(name: str, table: pa.Table, first_name: str, first: pa.Table) -> None:
    """DataError where a table is no epoch, or has another layout than the first."""
    if not any(fold(column) == "epoch" for column in table.column_names):
        raise DataError(
            f"{quote(name)} has no column epoch; several tables are read as the epochs of a training: {_UNPACK}."
        )
    other = sorted(set(table.column_names) ^ set(first.column_names))
    if other:
        raise DataError(
            f"{quote(name)} and {quote(first_name)} have different columns ({list_items(other)}): {_UNPACK}."
        )


def _stack(tables: list[pa.Table]) -> pa.Table:
    """Return the rows of all tables; a column that is text in one is text in all, and encoded again."""
    columns = {}
    for name in tables[0].column_names:
        parts = [_plain(table.column(name)) for table in tables]
        if len({part.type for part in parts}) > 1:
            parts = [part.cast(pa.string()) for part in parts]
        whole = pa.chunked_array([chunk for part in parts for chunk in part.chunks], type=parts[0].type)
        encoded = pa.types.is_dictionary(tables[0].column(name).type) and pa.types.is_string(whole.type)
        columns[name] = whole.combine_chunks().dictionary_encode() if encoded else whole
    return pa.table(columns)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def is_training(path: Path) -> bool:
    """Return whether a path is a folder of epochs: its tables are named step-20.parquet, epoch-3.csv or so."""
    names = [file.name for file in path.iterdir() if file.suffix.lower() in ENDINGS] if path.is_dir() else []
    return bool(names) and all(_NAMED.match(name) for name in names)


@contextmanager
def pack_epochs(path: Path) -> Iterator[Path]:
    """Give a file as it is, and a folder of predictions as one archive that ends with the block.

    Raises
    ------
    DataError
        there is no such file, or the folder holds no table.
    """
    if not path.exists():
        raise DataError(f"{path.name}: there is no such file.")
    if not path.is_dir():
        yield path
        return
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in ENDINGS and file.is_file())
    if not files:
        inside = [folder.name for folder in sorted(path.iterdir()) if folder.is_dir()]
        which = f"name one of its folders: {list_items(inside)}" if inside else "name the folder of predictions"
        raise DataError(f"{path.name}: this folder holds no table; {which}.")
    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        archive = Path(folder) / f"{path.resolve().name}.zip"
        with zipfile.ZipFile(archive, "w") as out:  # stored: Parquet is packed already
            for file in files:
                out.write(file, file.name)
        yield archive
