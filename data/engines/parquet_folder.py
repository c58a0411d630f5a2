"""A folder of Parquet files, or one file: its columns, rows and snapshot, read from the footers alone."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from pyarrow import types as kinds

from data.errors import DataError
from data.limits import MAX_SOURCE_FILES, PARQUET_FOOTER_BYTES, PARQUET_SCHEMA_DEPTH
from text.numbers import count
from text.quoting import quote

_GLOB = frozenset("*?[]{}")
"""Characters that engines read as a pattern in the name of a file."""
_NO_PARTITION = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class ParquetFolder:
    """The Parquet files of one source, as they were when it was opened.

    root : the folder, or the one file; without symbolic links in its path.
    files : paths below `root`, in order of their names.
    sizes, times : bytes, and nanoseconds of the last change, of every file.
    schema : columns of the files, with the parts of hive folders (`day=2026-07-01/`) as columns of text behind them.
    partitions : names of the columns that come from hive folders.
    n_rows, n_bytes : rows of all files; bytes of all columns unpacked.
    """

    root: Path
    files: tuple[Path, ...]
    sizes: tuple[int, ...]
    times: tuple[int, ...]
    schema: pa.Schema
    partitions: tuple[str, ...]
    n_rows: int
    n_bytes: int

    @cached_property
    def snapshot(self) -> str:
        """Return 64 hex digits over the names, sizes and times of the files."""
        names = [path.relative_to(self.root).as_posix() for path in self.files]
        text = json.dumps([names, self.sizes, self.times])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def last_change(self) -> float:
        """Return when a file was last changed, in seconds since 1970."""
        return max(self.times) / 1e9

    def dataset(self) -> ds.Dataset:
        """Return the files as one Arrow dataset, parts of hive folders as text."""
        parts = pa.schema([self.schema.field(name) for name in self.partitions])
        own = ds.HivePartitioning(parts, null_fallback=_NO_PARTITION) if self.partitions else None
        base = str(self.root if self.root.is_dir() else self.root.parent)
        return ds.dataset(
            [str(path) for path in self.files], schema=self.schema, format="parquet",
            partitioning=own, partition_base_dir=base,
        )  # fmt: skip

    def sample(self, n: int, seed: int = 0) -> pa.Table:
        """Return about `n` rows: the first ones of up to 16 row groups that `seed` chooses, in their order."""
        groups = [(at, i) for at, path in enumerate(self.files) for i in range(_read_footer(path).num_row_groups)]
        chosen = np.sort(np.random.default_rng(seed).choice(len(groups), min(16, len(groups)), replace=False))
        fragments = {Path(fragment.path): fragment for fragment in self.dataset().get_fragments()}
        each, parts = -(-n // len(chosen)), []
        for at, group in (groups[place] for place in chosen):
            path = self.files[at]
            values = ds.get_partition_keys(fragments[path].partition_expression) if self.partitions else {}
            parts.append(_first_rows(path, group, each, [values.get(name) for name in self.partitions], self.schema))
        return pa.concat_tables(parts)

    def check_unchanged(self) -> None:
        """Raise DataError where a file was changed or removed since this was read."""
        for path, size, time in zip(self.files, self.sizes, self.times, strict=True):
            try:
                now = path.stat()
            except OSError:
                now = None
            if now is None or (now.st_size, now.st_mtime_ns) != (size, time):
                done = "removed" if now is None else "changed"
                raise DataError(f"{quote(path.name)} was {done} since its source was opened: open the source again.")


def open_folder(path: Path) -> ParquetFolder:
    """Read the footers of the Parquet files of a folder, or of one file.

    Names that begin with a dot or an underscore are left out, as Spark and Hive do.

    Raises
    ------
    DataError
        nothing there, no Parquet file, a damaged one, columns that differ between files, a link out of the folder.
    """
    root = Path(os.path.realpath(path))
    if not root.exists():
        raise DataError(f"{quote(path.name)} is not there: check the path, or that the disk is mounted.")
    files = [root] if root.is_file() else sorted(_walk(root))
    if not files:
        raise DataError(f"{quote(path.name)} holds no Parquet file (*.parquet): write one, or name another folder.")
    if len(files) > MAX_SOURCE_FILES:
        raise DataError(
            f"{quote(path.name)} holds {len(files):,} Parquet files; the limit is {MAX_SOURCE_FILES:,}: write larger "
            "files."
        )
    for file in files:
        _check_place(file, root)
    stats = [file.stat() for file in files]
    footers = [_read_footer(file) for file in files]
    schema = _common_schema(files, footers)
    parts = _list_partitions(root, files[0])
    taken = [name for name in parts if name in schema.names]
    if taken:
        raise DataError(f"{quote(taken[0])} is a column of the files and a part of their folders: rename one of them.")
    schema = pa.schema([*schema, *(pa.field(name, pa.string()) for name in parts)])
    n_bytes = sum(footer.row_group(i).total_byte_size for footer in footers for i in range(footer.num_row_groups))
    n_rows = sum(footer.num_rows for footer in footers)
    if not n_rows:
        raise DataError(f"{quote(path.name)} holds no rows: give one row for every prediction.")
    return ParquetFolder(
        root, tuple(files), tuple(s.st_size for s in stats), tuple(s.st_mtime_ns for s in stats), schema,
        tuple(parts), n_rows, n_bytes,
    )  # fmt: skip


def _first_rows(path: Path, group: int, n: int, parts: Sequence[str | None], schema: pa.Schema) -> pa.Table:
    """Return the first rows of one row group, with the values of its hive folders; the rest is not unpacked."""
    with pq.ParquetFile(path, arrow_extensions_enabled=False) as file:
        batch = next(file.iter_batches(batch_size=n, row_groups=[group]))
    columns = [*batch.columns, *(pa.array([value] * len(batch), pa.string()) for value in parts)]
    return pa.Table.from_arrays(columns, names=schema.names).cast(schema)


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        yield from (Path(folder, n) for n in names if n.endswith(".parquet") and not n.startswith((".", "_")))


def _check_place(file: Path, root: Path) -> None:
    """Refuse a file that a link takes out of the folder, and a name that an engine would read as a pattern."""
    real = Path(os.path.realpath(file))
    if real != root and root not in real.parents:
        raise DataError(f"{quote(file.name)} is a link to a file outside the folder: copy the file into the folder.")
    if _GLOB & set(str(file)):
        raise DataError(f"The path of {quote(file.name)} holds one of * ? [ ] {{ }}: rename the file or its folder.")


def _read_footer(path: Path) -> pq.FileMetaData:
    try:
        with pq.ParquetFile(
            path,
            thrift_string_size_limit=PARQUET_FOOTER_BYTES,
            thrift_container_size_limit=PARQUET_FOOTER_BYTES // 64,
            schema_depth_limit=PARQUET_SCHEMA_DEPTH,
            arrow_extensions_enabled=False,
        ) as file:
            return file.metadata
    except FileNotFoundError:
        raise DataError(f"{quote(path.name)} has been removed: open the source again.") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        raise DataError(f"{quote(path.name)} is damaged or not a Parquet file: write it again.") from None


def _common_schema(files: list[Path], footers: list[pq.FileMetaData]) -> pa.Schema:
    first = footers[0].schema.to_arrow_schema().remove_metadata()
    names = [field.name for field in first]
    folded = {name.lower() for name in names}
    if len(folded) < len(names):
        raise DataError("Two columns have names that differ in upper and lower case only: rename one of them.")
    for file, footer in zip(files[1:], footers[1:], strict=True):
        if not footer.schema.to_arrow_schema().remove_metadata().equals(first):
            raise DataError(
                f"{quote(file.name)} has other columns, or other types, than {quote(files[0].name)}: write all "
                "files alike."
            )
    return first


def _list_partitions(root: Path, file: Path) -> list[str]:
    parts = file.relative_to(root).parts[:-1] if root.is_dir() else ()
    return [part.partition("=")[0] for part in parts if "=" in part]


def is_number(kind: pa.DataType) -> bool:
    """Return whether a column's values are numbers, of which scores may be made."""
    return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_decimal(kind))


def is_key(kind: pa.DataType) -> bool:
    """Return whether a column's values can be grouped: no lists and no structures."""
    return not (kinds.is_nested(kind) or kinds.is_union(kind))


def describe(folder: ParquetFolder) -> str:
    """Say how many rows, columns and files there are.

    >>> schema = pa.schema([("y", pa.string())])
    >>> describe(ParquetFolder(Path("p"), (Path("p"),), (1,), (1,), schema, (), 3, 1))
    '3 rows, 1 column, 1 file'
    """
    parts = (count(folder.n_rows), count(len(folder.schema), "column"), count(len(folder.files), "file"))
    return ", ".join(parts)
