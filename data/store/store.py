"""Keep tables under their content's own digest, and links under the digest of a token.

Layout below BLINDSPOT_STORE (a folder, or an object store's address):

    data/<sha256 of the file>.parquet       one canonical table, or an upload as it came; identical content once
    link/<sha256 of the token>.json         what a token stands for (`data.store.links`), at most 64 kB
    owner/<sha256 of the person>/….json     what somebody who logged in has shared
    key/<sha256 of the key>.json            keys with which programs may push
    pushed/<sha256 of the key>/….json       the links that were made with a key
    trash/<sha256 of the file>.parquet      a table that no link named, until `data.store.expiry` is sure of it
    gone/<sha256 of the token>              that a link was taken back, for a day
    tmp/                                    files on their way (folders only)

Nothing is changed in place. No name and no path from outside is opened: a token is checked and hashed, a data id is
checked, before either becomes part of a name. No lock and no leader: several servers may share one store.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from data import environment
from data.errors import DataError, NotNow
from data.store.storage import Folder, Memory, Storage, Unreachable

DATA_ID = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ROW_GROUP = 1 << 20
_TRIES = 3  # a sweep that set a table aside looks for links before it would do so again
SCRATCH = "blindspot-"
"""Prefix of the names of scratch folders."""
_T = TypeVar("_T")

_BESIDE = Path(__file__).resolve().parents[2]

_GONE = "The stored table is not there any more; upload the file again."
_DAMAGED = "The stored table is damaged; upload the file again."


def place() -> Storage:
    """Return where lasting things are kept: BLINDSPOT_STORE, or else a folder beside the program."""
    default = environment.VARIABLES["BLINDSPOT_STORE"].default
    url = str(environment.value("BLINDSPOT_STORE"))
    return _place(str(_BESIDE / url) if url == default else url)


@functools.lru_cache(maxsize=16)
def _place(url: str) -> Storage:
    with disk_errors():
        try:
            storage = place_at(url)
            if isinstance(storage, Folder):
                _make(storage.root)
        except FileNotFoundError:  # it would pass for a link that is gone
            raise Unreachable("the folder cannot be made") from None
        return storage


def _make(root: Path) -> None:
    """Make the folder for nobody else's eyes, ignored by git. One that is there may be read-only."""
    try:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for part in ("data", "link", "owner", "key", "tmp"):
            (root / part).mkdir(exist_ok=True, mode=0o700)
        if not (root / ".gitignore").exists():
            (root / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError:
        if not (root / "link").is_dir():
            raise


def list_places() -> list[Storage]:
    """Return where evaluations are: where drafts are kept, where the samples are, and where shared ones are."""
    return list({id(storage): storage for storage in (draft_place(), memory(), place())}.values())


def draft_place() -> Storage:
    """Return where uploads are kept that nobody has shared: the same, or memory if BLINDSPOT_DRAFT_HOURS is 0."""
    return memory() if environment.value("BLINDSPOT_DRAFT_HOURS") == 0 else place()


@functools.lru_cache(maxsize=1)
def memory() -> Memory:
    """Return the process's memory, for the samples, and for drafts that must not reach a disk."""
    return Memory(environment.value("BLINDSPOT_KEPT") * environment.value("BLINDSPOT_EVALUATION_MB") << 20)


@contextlib.contextmanager
def scratch(kept: Storage | None = None) -> Iterator[Path]:
    """Make a folder of one's own for files on their way into the store, removed afterwards.

    kept : where they are going; None = where drafts are kept.
    """
    folder = scratch_folder(kept)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def scratch_folder(kept: Storage | None = None) -> Path:
    """Make a folder as `scratch` does; who calls removes it, or the sweep does when it is old."""
    kept = kept or draft_place()
    with disk_errors():
        return Path(tempfile.mkdtemp(prefix=SCRATCH, dir=kept.scratch_root() if isinstance(kept, Folder) else None))


def write_canonical(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table as canonical Parquet: our own schema kept inside, pages with checksums.

    The same table gives the same bytes, so the same content has one name.
    """
    coded = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
    pq.write_table(
        table.unify_dictionaries(),
        path,
        compression="zstd",
        compression_level=1,
        row_group_size=_ROW_GROUP,
        use_dictionary=coded,
        write_statistics=False,
        write_page_checksum=True,
    )


def read_canonical(path: str | os.PathLike[str]) -> pa.Table:
    """Read back what `write_canonical` wrote: text as string or dictionary<int32, string>, scores as float64.

    Raises
    ------
    DataError
        The file is gone or damaged (checksums are verified).
    """
    try:
        return _table(os.fspath(path))
    except FileNotFoundError:
        raise DataError(_GONE) from None
    except (pa.ArrowException, OSError):
        raise DataError(_DAMAGED) from None


def _table(source: object) -> pa.Table:
    mapped = isinstance(source, str)
    with pq.ParquetFile(source, memory_map=mapped, page_checksum_verification=True) as file:  # read_table: +0.2 s once
        return file.read().unify_dictionaries()


def put_table(path: str | os.PathLike[str], *, lasting: bool = False, kept: Storage | None = None) -> str:
    """Keep a canonical Parquet file, or an upload as it came; return its data id, 64 hex digits over its bytes.

    lasting : whether it is put where shared evaluations are, even if drafts are kept in memory only.
    kept : where else it is put.
    """
    source = Path(path)
    with source.open("rb") as file:
        data_id = _digest(file)
    with disk_errors():
        (kept or (place() if lasting else draft_place())).write(data_name(data_id), source, once=True)
    return data_id


def put_lasting(data_id: str) -> None:
    """Have a table where shared evaluations are kept, whole, and as young as one just written.

    Raises
    ------
    DataError
        it is not there any more, or damaged, or the store cannot be written.
    """
    _put_into(place(), data_id)


def put_with_drafts(data_id: str) -> None:
    """Have a table where drafts are kept, so that one made of a sample outlives the server; errors as `put_lasting`."""
    with disk_errors():
        there = draft_place().has(data_name(data_id))
    if not there:
        _put_into(draft_place(), data_id)


def _put_into(wanted: Storage, data_id: str) -> None:
    renew_table(data_id)
    for kept in list_places():
        with disk_errors(), contextlib.suppress(FileNotFoundError), _use_table(kept, data_id, kept.open) as source:
            if _digest(source) != data_id:
                raise DataError(_DAMAGED)
            if kept is not wanted:
                source.seek(0)
                wanted.write(data_name(data_id), source.read(), once=True)
            return
    raise DataError(_GONE)


def renew_table(data_id: str) -> None:
    """Make a table that is kept as young as one just written, so that no sweep takes it before a link names it.

    Raises
    ------
    DataError
        it is not there any more, or the store cannot be written.
    """
    for kept in list_places():
        with disk_errors(), contextlib.suppress(FileNotFoundError):
            _use_table(kept, data_id, kept.touch)
            return
    raise DataError(_GONE)


def _use_table(kept: Storage, data_id: str, use: Callable[[str], _T]) -> _T:
    """Use a table where it is; put one back first that a sweep has set aside."""
    for _ in range(_TRIES):
        with contextlib.suppress(FileNotFoundError):
            return use(data_name(data_id))
        if kept.has(trash_name(data_id)):
            kept.move(trash_name(data_id), data_name(data_id))
    return use(data_name(data_id))


def load_table(data_id: str) -> pa.Table:
    """Return the table of a data id; its bytes are compared with their digest.

    Raises
    ------
    DataError
        It is not there, or damaged.
    """
    return _use_content(data_id, _read_table)


def copy_upload(data_id: str, path: Path) -> None:
    """Write the bytes of an upload that is kept to a new file; errors as `load_table`."""

    def write(kept: Storage, content: IO[bytes]) -> None:
        with path.open("xb") as target:
            shutil.copyfileobj(content, target)

    _use_content(data_id, write)


def _use_content(data_id: str, use: Callable[[Storage, IO[bytes]], _T]) -> _T:
    """Use what is kept under a data id, from its beginning, once its bytes are compared with their digest."""
    for kept in list_places():
        with contextlib.suppress(FileNotFoundError), disk_errors(), _use_table(kept, data_id, kept.open) as content:
            if _digest(content) != data_id:
                raise DataError(_DAMAGED)
            content.seek(0)
            return use(kept, content)
    raise DataError(_GONE)


def _read_table(kept: Storage, content: IO[bytes]) -> pa.Table:
    try:
        return _table(os.fspath(content.name) if isinstance(kept, Folder) else content)
    except pa.ArrowException:
        raise DataError(_DAMAGED) from None


def _digest(file: IO[bytes]) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def data_name(data_id: str) -> str:
    """Return the name of a table.

    Raises
    ------
    DataError
        no table's id looks like this: it becomes part of no name.

    >>> data_name("0" * 64)[:8]
    'data/000'
    """
    if not DATA_ID.fullmatch(data_id):
        raise DataError("This is not the name of a stored table; upload the file again.")
    return f"data/{data_id}.parquet"


def trash_name(data_id: str) -> str:
    """Return the name of a table that a sweep has set aside; errors as `data_name`.

    >>> trash_name("0" * 64)[:9]
    'trash/000'
    """
    return f"trash/{data_name(data_id).removeprefix('data/')}"


@contextlib.contextmanager
def disk_errors() -> Iterator[None]:
    """Turn what the disk or the object store refuses into one sentence without any path; a missing name stays one."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (FileExistsError, NotADirectoryError):
        raise NotNow(
            "The server's store is a file or lies in one, where a folder was wanted; tell whoever runs it."
        ) from None
    except OSError as error:
        reason = str(error) if isinstance(error, Unreachable) else "it cannot be reached"
        why = os.strerror(error.errno) if error.errno else reason
        raise NotNow(
            f"The server's store cannot be used at the moment ({why}); try again, or tell whoever runs it."
        ) from None


def place_at(url: str) -> Storage:
    """Return the place that a folder's path, or an object store's address, names.

    Raises
    ------
    OSError
        the address is of a kind for which nothing is installed.
    """
    if "://" not in url or url.startswith("file://"):
        return Folder(Path(url.removeprefix("file://")).absolute())
    from data.store.object_store import ObjectStore

    return ObjectStore(url)
