"""The local store: canonical tables under their content's own name, drafts under an unguessable token.

Layout below the root (environment variable BLINDSPOT_STORE, else `.blindspot` in the working directory):

    data/<sha256 of the file>.parquet    one table, identical content once
    link/<sha256 of the token>.json      what a token stands for: data ids, name, settings, receipt
    tmp/                                 files on their way

Nothing is ever changed in place: a correction is a new draft that names the same data. No name and no path from
outside is opened: a token is checked and hashed, a data id is checked, before either becomes part of a path.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from data.evaluation import DataError

VERSION = 1
MAX_DRAFT_BYTES = 64 << 10
_TOKEN_BYTES = 24
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)
_DATA_ID = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ROW_GROUP = 1 << 20
_CHUNK = 1 << 20


def root() -> Path:
    """The store's folder, made if it is not there; it asks git to leave it alone."""
    folder = Path(os.environ.get("BLINDSPOT_STORE") or ".blindspot").absolute()
    if not (folder / "tmp").is_dir():
        for part in ("data", "link", "tmp"):
            (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder of one's own for files on their way into the store, removed afterwards."""
    folder = Path(tempfile.mkdtemp(dir=root() / "tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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
        table = pq.read_table(path, memory_map=True, page_checksum_verification=True)
    except FileNotFoundError:
        raise DataError("The stored table is not there any more; upload the file again.") from None
    except (pa.ArrowException, OSError):
        raise DataError("The stored table is damaged; upload the file again.") from None
    return table.unify_dictionaries()


def put_table(path: str | os.PathLike[str]) -> str:
    """Store a canonical Parquet file and return its data id, 64 hex digits over its bytes."""
    folder = root()
    with _disk_errors(), open(path, "rb") as source, _new_file(folder / "tmp") as (target, name):
        digest = hashlib.sha256()
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            target.write(chunk)
        data_id = digest.hexdigest()
        _publish(target, name, folder / "data" / f"{data_id}.parquet")
    return data_id


def load_table(data_id: str) -> pa.Table:
    """The table of a data id.

    Raises
    ------
    DataError
        It is not there, or damaged.
    """
    if not _DATA_ID.fullmatch(data_id):
        raise DataError("This is not the name of a stored table; upload the file again.")
    return read_canonical(root() / "data" / f"{data_id}.parquet")


def save_draft(draft: dict[str, Any]) -> str:
    """Store what a link stands for and return its token (32 characters, unguessable).

    Raises
    ------
    DataError
        The draft is larger than 64 kB, or the disk is full.
    """
    text = json.dumps({"version": VERSION, "draft": draft}, ensure_ascii=False, allow_nan=False).encode()
    if len(text) > MAX_DRAFT_BYTES:
        raise DataError(
            f"The choices and the receipt of this file take {len(text) >> 10:,} kB; at most {MAX_DRAFT_BYTES >> 10} kB"
            " can be kept: use fewer or shorter column names and labels."
        )
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    folder = root()
    with _disk_errors(), _new_file(folder / "tmp") as (target, name):
        target.write(text)
        _publish(target, name, _link(folder, token))
    return token


def load_draft(token: str) -> dict[str, Any]:
    """What a token stands for.

    Raises
    ------
    DataError
        There is no such draft, it is damaged, or a newer version of the program wrote it.
    """
    if not _TOKEN.fullmatch(token):
        raise DataError("This link is not complete; copy the whole address, or upload the file again.")
    try:
        with _link(root(), token).open("rb") as file:
            content = json.loads(file.read(MAX_DRAFT_BYTES + 1))
    except FileNotFoundError:
        raise DataError("There is nothing behind this link (any more); upload the file again.") from None
    except (ValueError, RecursionError):
        content = None
    return _checked(content)


def _checked(content: Any) -> dict[str, Any]:
    version = content.get("version") if isinstance(content, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise DataError("A newer version of Blindspot stored this; update the server, or upload the file again.")
    if version != VERSION or not isinstance(content.get("draft"), dict):
        raise DataError("What is stored behind this link is damaged; upload the file again.")
    draft: dict[str, Any] = content["draft"]
    return draft


def _link(folder: Path, token: str) -> Path:
    return folder / "link" / f"{hashlib.sha256(token.encode()).hexdigest()}.json"


@contextlib.contextmanager
def _new_file(folder: Path) -> Iterator[tuple[IO[bytes], str]]:
    """A temporary file that is gone afterwards unless it was published."""
    number, name = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(number, "wb") as file:
            yield file, name
    finally:
        Path(name).unlink(missing_ok=True)


def _publish(file: IO[bytes], name: str, final: Path) -> None:
    """Give a complete file its final name, so that it survives a power cut and is never seen half-written."""
    file.flush()
    os.fsync(file.fileno())
    os.replace(name, final)
    directory = os.open(final.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


@contextlib.contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(
            f"The server could not store this ({os.strerror(error.errno or 5)}); tell whoever runs it."
        ) from None
