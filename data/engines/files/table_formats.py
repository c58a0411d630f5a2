"""Refuse folders of table formats: their Parquet files also hold rows that were removed or replaced."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath

from data.engines.files.object_files import ObjectFiles
from data.errors import DataError
from text.quoting import quote

_LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Apache Hudi", "metadata": "Apache Iceberg"}
"""Folders in which a table format says which files and rows are valid; `metadata` only with files named so."""
_ICEBERG = ".metadata.json"


def check_plain_files(root: Path) -> None:
    """Refuse a folder, or a file, that is a table of such a format, is a part of one, or holds one.

    Raises
    ------
    DataError
        which format, and what to do.
    """
    for above in (root, *root.parents):
        logs = [above / name for name in _LOGS if (above / name).is_dir()]
        _refuse(root, (log / file for log in logs for file in _names(log)))
    for folder, folders, files in os.walk(root):
        _refuse(root, (Path(folder, name) for name in (*folders, *files)))


def check_plain_objects(root: PurePath, store: ObjectFiles) -> None:
    """Refuse a prefix, or an object, as `check_plain_files` does; root : with the bucket as its first part."""
    _refuse(root, store.names(root))
    for above in root.parents[:-1]:
        _refuse(root, (path for name in _LOGS for path in store.names(above / name)))


def find_format(path: PurePath) -> str | None:
    """Return the table format that has files of such a name.

    >>> find_format(PurePath("t/_delta_log/00000000000000000000.json")), find_format(PurePath("t/metadata/notes.txt"))
    ('Delta Lake', None)
    >>> find_format(PurePath("t/metadata/v2.metadata.json")), find_format(PurePath("t/day=1/0.parquet"))
    ('Apache Iceberg', None)
    """
    for name in (path.name, path.parent.name):
        if name in _LOGS:
            return None if name == "metadata" and _ICEBERG not in path.name else _LOGS[name]
    return None


def _names(folder: Path) -> list[str]:
    """Return the names of the files of a folder of logs; "" where it shows none, as its own name may say enough."""
    try:
        return os.listdir(folder) or [""]
    except OSError:
        return [""]


def _refuse(root: PurePath, paths: Iterable[PurePath]) -> None:
    table_format = next(filter(None, map(find_format, paths)), None)
    if table_format:
        raise DataError(
            f"{quote(root.name)} belongs to a table of {table_format}, whose files also hold removed rows. Export its "
            "current rows as Parquet files into another folder."
        )
