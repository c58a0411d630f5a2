"""A folder or an object store's prefix of Parquet files, or one: columns, rows and snapshot, by the footers alone."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types as kinds

from data.engines.files.held_columns import code_texts, estimate_bytes, is_coded
from data.engines.files.object_files import SCHEME, ObjectFacts, ObjectFiles
from data.engines.files.table_formats import check_plain_files, check_plain_objects
from data.engines.label_lists import is_label_list
from data.errors import DataError
from data.limits import MAX_SOURCE_FILES, PARQUET_FOOTER_BYTES, PARQUET_SCHEMA_DEPTH
from text.quoting import list_items, quote

if TYPE_CHECKING:
    import pyarrow.dataset as ds

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
    n_rows, n_bytes : rows of all files; bytes of all columns unpacked, but encoded.
    tags, store : of objects, the tag by which a change is seen, and the store that holds them; None = files.
    held_bytes : what counting all columns takes in memory, about.
    """

    root: PurePath
    files: tuple[PurePath, ...]
    sizes: tuple[int, ...]
    times: tuple[int, ...]
    schema: pa.Schema
    partitions: tuple[str, ...]
    n_rows: int
    n_bytes: int
    tags: tuple[str, ...] = ()
    store: ObjectFiles | None = None
    held_bytes: int = 0

    @property
    def base(self) -> PurePath:
        """Return the folder in which the files lie, or the parts of hive folders begin."""
        return self.root.parent if self.root in self.files else self.root

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return how an engine names the files."""
        return tuple(f"{SCHEME if self.store else ''}{path}" for path in self.files)

    @cached_property
    def snapshot(self) -> str:
        """Return 64 hex digits over the names, sizes and times of the files."""
        names = [path.relative_to(self.root).as_posix() for path in self.files]
        text = json.dumps([names, self.sizes, self.times, *([self.tags] if self.store else [])])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def last_change(self) -> float:
        """Return when a file was last changed, in seconds since 1970."""
        return max(self.times) / 1e9

    def dataset(self) -> ds.Dataset:
        """Return the files as one Arrow dataset: columns of text as codes, parts of hive folders as text."""
        import pyarrow.dataset as ds  # brings pandas, 0.4 s that only a folder of files needs

        parts = pa.schema([self.schema.field(name) for name in self.partitions])
        partitioning = ds.HivePartitioning(parts, null_fallback=_NO_PARTITION) if self.partitions else None
        return ds.dataset(
            [str(path) for path in self.files], schema=code_texts(self.schema, self._texts),
            format=ds.ParquetFileFormat(dictionary_columns=self._texts), partitioning=partitioning,
            partition_base_dir=str(self.base), filesystem=self.store and self.store.filesystem,
        )  # fmt: skip

    @property
    def _texts(self) -> list[str]:
        """Return the columns of the files that are text."""
        return [field.name for field in self.schema if is_coded(field.type) and field.name not in self.partitions]

    def sample(self, n: int, seed: int = 0) -> pa.Table:
        """Return about `n` rows: the first ones of up to 16 row groups that `seed` chooses, in their order.

        Columns of text are codes: a long text that many rows share is there once.
        """
        import pyarrow.dataset as ds

        groups: list[tuple[PurePath, int]] = []
        for path in self.files:
            groups += [(path, group) for group in range(_read_footer(path, self.store).num_row_groups)]
        chosen = np.sort(np.random.default_rng(seed).choice(len(groups), min(16, len(groups)), replace=False))
        n_of_group = math.ceil(n / len(chosen))
        fragments = {PurePath(fragment.path): fragment for fragment in self.dataset().get_fragments()}
        samples = []
        for path, group in [groups[place] for place in chosen]:
            values = ds.get_partition_keys(fragments[path].partition_expression) if self.partitions else {}
            hive = [values.get(name) for name in self.partitions]
            samples.append(_first_rows(path, self.store, group, n_of_group, hive, self.schema, self._texts))
        return pa.concat_tables(samples)

    def cancel(self) -> None:
        """Do nothing: a sample reads 16 row groups at most."""

    def check_unchanged(self) -> None:
        """Raise DataError where a file was changed or removed since this was read."""
        objects = None if self.store is None else self.store.find(self.root)
        tags = self.tags or ("",) * len(self.files)
        for path, *before in zip(self.files, self.sizes, self.times, tags, strict=True):
            facts = _stat(Path(path)) if objects is None else objects.get(path)
            if facts != tuple(before):
                raise DataError(
                    f"{quote(path.name)} was {'removed' if facts is None else 'changed'} since its source was opened: "
                    "open the source again."
                )


def open_folder(path: Path) -> ParquetFolder:
    """Read the footers of the Parquet files of a folder, or of one file.

    Names that begin with a dot or an underscore are left out, as Spark and Hive do.

    Raises
    ------
    DataError
        nothing there; no Parquet file, or a damaged one; columns that differ between files; a link out of the folder;
        a table of Delta Lake or the like.
    """
    root = Path(os.path.realpath(path))
    if not root.exists():
        raise DataError(f"{quote(path.name)} is not there: check the path, or that the disk is mounted.")
    check_plain_files(root)
    files = [root] if not root.is_dir() else sorted(_walk(root))
    if not files:
        raise DataError(f"{quote(path.name)} holds no Parquet file (*.parquet): write one, or name another folder.")
    _check_number(path, files)
    for file in files:
        _check_place(file, root)
    return _describe(path.name, root, files, [facts for file in files if (facts := _stat(file))], None)


def open_path(path: Path) -> ParquetFolder:
    """Open a person's own folder of Parquet files, or one file."""
    if path.is_file() and path.suffix != ".parquet":
        raise DataError(f"{quote(path.name)} is no Parquet file: an engine counts Parquet only, leave --engine out.")
    return open_folder(path)


def open_prefix(address: str) -> ParquetFolder:
    """Read the footers of the Parquet objects below an address such as s3://bucket/folder, or of one object.

    Raises
    ------
    DataError
        as `open_folder`; the store does not answer.
    """
    root, store = PurePosixPath(address.removeprefix(SCHEME).strip("/")), ObjectFiles()
    check_plain_objects(root, store)
    listed = store.find(root)
    if not listed:
        raise DataError(f"{quote(root.name)} holds no Parquet file (*.parquet): write one, or name another prefix.")
    _check_number(root, list(listed))
    for file in listed:
        _check_name(file)
    return _describe(root.name, root, list(listed), list(listed.values()), store)


def _describe(
    name: str, root: PurePath, files: Sequence[PurePath], facts: Sequence[ObjectFacts], store: ObjectFiles | None
) -> ParquetFolder:
    """Read the footers of files that were found."""
    footers = [_read_footer(file, store) for file in files]
    schema = _common_schema(files, footers)
    parts = _list_partitions(root, files)
    names = {column.lower() for column in schema.names}
    taken = [part for part in parts if part.lower() in names]
    if taken:
        raise DataError(f"{quote(taken[0])} is a column of the files and a part of their folders: rename one of them.")
    schema = pa.schema([*schema, *(pa.field(part, pa.string()) for part in parts)])
    n_bytes = sum(footer.row_group(i).total_byte_size for footer in footers for i in range(footer.num_row_groups))
    n_rows = sum(footer.num_rows for footer in footers)
    if not n_rows:
        raise DataError(f"{quote(name)} holds no rows: give one row for every prediction.")
    sizes, times, tags = zip(*facts, strict=True)
    return ParquetFolder(
        root, tuple(files), sizes, times, schema, tuple(parts), n_rows, n_bytes, tags if store else (), store,
        estimate_bytes(footers, schema, parts),
    )  # fmt: skip


def _stat(path: Path) -> ObjectFacts | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return ObjectFacts(stat.st_size, stat.st_mtime_ns, "")


def _first_rows(
    path: PurePath, store: ObjectFiles | None, group: int, n: int, parts: Sequence[str | None], schema: pa.Schema,
    texts: Sequence[str],
) -> pa.Table:  # fmt: skip
    """Return the first rows of one row group, with the values of its hive folders; the rest is not unpacked."""
    try:
        with pq.ParquetFile(
            str(path), filesystem=store and store.filesystem, read_dictionary=texts, arrow_extensions_enabled=False
        ) as file:
            empty = pa.RecordBatch.from_pylist([], schema=file.schema_arrow)
            batch = next(file.iter_batches(batch_size=n, row_groups=[group]), empty)  # a row group may hold no rows
            batch.validate(full=True)  # texts that are not UTF-8
    except (pa.ArrowException, OSError):
        raise DataError(f"{quote(path.name)} is damaged: write it again.") from None
    columns = [*batch.columns, *(pa.array([value] * len(batch), pa.string()) for value in parts)]
    return pa.Table.from_arrays(columns, names=schema.names).cast(code_texts(schema, texts))


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        for name in folders:
            if Path(folder, name).is_symlink():
                raise DataError(f"{quote(name)} is a link to another folder: copy its files into the folder.")
        yield from (Path(folder, n) for n in names if n.endswith(".parquet") and not n.startswith((".", "_")))


def _check_place(file: Path, root: Path) -> None:
    """Refuse a file that a link takes out of the folder, and a name that an engine would read as a pattern."""
    real = Path(os.path.realpath(file))
    if real != root and root not in real.parents:
        raise DataError(f"{quote(file.name)} is a link to a file outside the folder: copy the file into the folder.")
    if not real.is_file():  # opening a pipe would wait for ever
        raise DataError(f"{quote(file.name)} is no file that can be read: remove it from the folder.")
    _check_name(file)


def _check_number(root: PurePath, files: Sequence[PurePath]) -> None:
    if len(files) > MAX_SOURCE_FILES:
        raise DataError(
            f"{quote(root.name)} holds {len(files):,} Parquet files; the limit is {MAX_SOURCE_FILES:,}: write larger "
            "files."
        )


def _check_name(file: PurePath) -> None:
    if not str(file).isprintable() and any("\ud800" <= character <= "\udfff" for character in str(file)):
        raise DataError(f"The path of {quote(file.name)} is not written in UTF-8: rename the file or its folder.")
    if _GLOB & set(str(file)):
        raise DataError(f"The path of {quote(file.name)} holds one of * ? [ ] {{ }}: rename the file or its folder.")


def _read_footer(path: PurePath, store: ObjectFiles | None) -> pq.FileMetaData:
    try:
        with pq.ParquetFile(
            str(path),
            filesystem=store and store.filesystem,
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


def _common_schema(files: Sequence[PurePath], footers: list[pq.FileMetaData]) -> pa.Schema:
    first = footers[0].schema.to_arrow_schema().remove_metadata()
    folded: set[str] = set()
    for name in first.names:
        if name.lower() in folded:
            raise DataError(f"Two columns are named {quote(name)}, in capitals or not: rename one of them.")
        folded.add(name.lower())
    for file, footer in zip(files[1:], footers[1:], strict=True):
        if not footer.schema.to_arrow_schema().remove_metadata().equals(first):
            raise DataError(
                f"{quote(file.name)} has other columns, or other types, than {quote(files[0].name)}: write all "
                "files alike."
            )
    return first


def _list_partitions(root: PurePath, files: Sequence[PurePath]) -> list[str]:
    """Return the names of the columns that folders such as day=2026-07-01 give to every file."""
    columns = [[part.partition("=")[0] for part in file.relative_to(root).parts[:-1] if "=" in part] for file in files]
    for file, others in zip(files, columns, strict=True):
        if others != columns[0]:
            raise DataError(
                f"{quote(file.name)} and {quote(files[0].name)} lie in folders of other columns "
                f"({_list_names(others)}; {_list_names(columns[0])}): arrange all files alike."
            )
    return columns[0]


def _list_names(names: Sequence[str]) -> str:
    return list_items([f"{name}=…" for name in names], 3) if names else "none"


def is_key(kind: pa.DataType) -> bool:
    """Return whether a column's values can be grouped: no structures, and no lists but sets of labels."""
    return is_label_list(kind) or not (kinds.is_nested(kind) or kinds.is_union(kind))


def select_keys(table: pa.Table) -> pa.Table:
    """Return a table with the columns alone whose values can be grouped."""
    return table.select([field.name for field in table.schema if is_key(field.type)])
