"""An object store as a place of named bytes, through fsspec (an optional extra: requirements-object-store.txt).

Tested against S3 (`s3://bucket/folder`). Credentials, region and endpoint come from the environment as every S3 client
reads them (AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_ENDPOINT_URL_S3 …), never from the address.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib
import os
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from data.limits import MAX_REMEMBERED, REMEMBERED_SECONDS, STORE_ANSWER_SECONDS, STORE_CONNECT_SECONDS, YOUNG_SECONDS
from data.store.storage import Entry, Unreachable
from data.version import install_command

_MD5 = 32  # digits of the digest that S3 gives an object which came in one piece
_ALL = 5 << 40  # bytes: more than an object can hold
_TRIES = 3
_NOT_NEW = ("PreconditionFailed", "ConditionalRequestConflict", "NotImplemented")  # answers to If-None-Match
_WRITTEN = ("LastModified", "mtime", "modified", "last_modified", "updated", "created")  # as stores name it


class _NoSuchRange(OSError):
    """An object without bytes has no first one."""


class ObjectStore:
    """A bucket, or a folder in one, that several servers may share."""

    def __init__(self, url: str) -> None:
        scheme = url.partition("://")[0]
        try:
            core = importlib.import_module("fsspec.core")
            self._files, self._root = core.url_to_fs(url, **_options(scheme))
        except (ImportError, ValueError):
            raise Unreachable(
                f"nothing is installed that reads {scheme}:// addresses, run {install_command('object-store')}"
            ) from None
        self._files.retries = _TRIES
        self._remembered: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._n_forgotten = 0
        self._lock = threading.Lock()

    def write(self, name: str, content: bytes | Path, *, once: bool = False) -> None:
        """Write with one PUT; what is written `once` with If-None-Match, so that nothing there is written over.

        Unless it differs from what it should be: then it is damaged, and healed.
        """
        self._forget(name)
        if once and self._put(name, content, "create"):
            return
        with contextlib.suppress(FileNotFoundError):  # somebody removed it since: it is written after all
            if once and self._same(name, content):
                self.touch(name)
                return
        self._put(name, content, "overwrite")

    def _put(self, name: str, content: bytes | Path, mode: str) -> bool:
        """Return whether it was put; not, where it is there already and may only be created."""
        try:
            with _translate_errors():
                if isinstance(content, bytes):
                    self._files.pipe_file(self._path(name), content, mode=mode)
                else:
                    self._files.put_file(str(content), self._path(name), mode=mode)
        except FileExistsError:
            return False
        return True

    def _same(self, name: str, content: bytes | Path) -> bool:
        """Compare by the digest that S3 gives what came in one piece; False where there is none."""
        try:
            etag = str(self._facts(name).get("ETag", "")).strip('"')
        except FileNotFoundError:  # the store refused the condition, not the name
            return False
        if len(etag) != _MD5:
            return False
        data = content if isinstance(content, bytes) else content.read_bytes()
        return etag == hashlib.md5(data, usedforsecurity=False).hexdigest()

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Return the content; a link's is remembered for some seconds."""
        with self._lock:
            when, content = self._remembered.get(name, (float("-inf"), b""))
            n_forgotten = self._n_forgotten
        if time.monotonic() - when >= REMEMBERED_SECONDS:
            content = self._asked_for(name, limit)
            if name.startswith("link/"):
                self._remember(name, content, n_forgotten)
        return content[:limit]

    def _asked_for(self, name: str, limit: int | None) -> bytes:
        """Read with one GET: without a limit the client would ask for the size first."""
        try:
            with _translate_errors():
                return bytes(self._files.cat_file(self._path(name), start=0, end=limit or _ALL))
        except _NoSuchRange:
            return b""

    def _remember(self, name: str, content: bytes, n_forgotten: int) -> None:
        """Remember an answer, unless something was forgotten since it was asked for: it may have been removed."""
        with self._lock:
            if n_forgotten != self._n_forgotten:
                return
            self._remembered[name] = (time.monotonic(), content)
            while len(self._remembered) > MAX_REMEMBERED:
                self._remembered.popitem(last=False)

    def _forget(self, name: str) -> None:
        with self._lock:
            self._n_forgotten += 1
            self._remembered.pop(name, None)

    def open(self, name: str) -> IO[bytes]:
        """Return the content in a temporary file, which has no name."""
        with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
            local = Path(folder) / "content"
            with _translate_errors():
                self._files.get_file(self._path(name), str(local))
            return local.open("rb")

    def entries(self, folder: str) -> Iterator[Entry]:
        """List a folder with one request."""
        try:
            with _translate_errors():
                listed = self._files.find(self._path(folder), detail=True)
        except FileNotFoundError:
            listed = {}
        return iter([Entry(path.removeprefix(self._root).strip("/"), _read_time(listed[path])) for path in listed])

    def remove(self, name: str) -> bool:
        """Look, and remove with one DELETE."""
        self._forget(name)
        if not self.has(name):
            return False
        with _translate_errors(), contextlib.suppress(FileNotFoundError):
            self._files.rm_file(self._path(name))
        self._forget(name)
        return True

    def has(self, name: str) -> bool:
        """Check with one HEAD."""
        try:
            return bool(self._facts(name))
        except FileNotFoundError:
            return False

    def _facts(self, name: str) -> dict[str, Any]:
        with _translate_errors():
            facts: dict[str, Any] = self._files.info(self._path(name))
        if facts["type"] != "file":
            raise FileNotFoundError(name)
        return facts

    def touch(self, name: str) -> None:
        """Copy it onto itself in the store, where it is not young anyway."""
        if time.time() - _read_time(self._facts(name)) < YOUNG_SECONDS:
            return
        path = self._path(name)
        with _translate_errors():
            if not hasattr(self._files, "call_s3"):
                self._files.pipe_file(path, self._files.cat_file(path))
                return
            bucket, key, _ = self._files.split_path(path)
            source = {"Bucket": bucket, "Key": key}
            self._files.call_s3("copy_object", **source, CopySource=source, MetadataDirective="REPLACE")

    def move(self, name: str, to: str) -> bool:
        """Move with a copy, made by the store, and a DELETE: after a crash in between it is at both."""
        try:
            with _translate_errors():
                self._files.cp_file(self._path(name), self._path(to))
        except FileNotFoundError:
            return False
        return self.remove(name)

    def clock(self) -> float:
        """Return this machine's clock: S3 answers nobody whose clock is a quarter of an hour off."""
        return time.time()

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"


def _options(scheme: str) -> dict[str, Any]:
    """Return the client's options: nothing remembered, and an end to all waiting, so that a lost store shows soon."""
    if scheme not in ("s3", "s3a"):
        return {}
    waits = {
        "connect_timeout": STORE_CONNECT_SECONDS,
        "read_timeout": STORE_ANSWER_SECONDS,
        "retries": {"total_max_attempts": 1},
    }
    return {"use_listings_cache": False, "skip_instance_cache": True, "config_kwargs": waits}


def _read_time(facts: Mapping[str, Any]) -> float:
    when = next((facts[key] for key in _WRITTEN if facts.get(key)), None)
    if when is None:
        return time.time()  # a store that does not say is never swept
    return float(when.timestamp()) if hasattr(when, "timestamp") else float(when)


@contextlib.contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise whatever the libraries of a store raise as the OSError that a folder would raise."""
    try:
        yield
    except Exception as error:
        raise _as_os_error(error, _code(error)) from None


def _code(error: BaseException) -> str:
    """Return the store's own name for the error; empty where it gave no answer."""
    answer = getattr(error.__cause__ or error, "response", None) or {}
    return str(answer.get("Error", {}).get("Code", "")) if isinstance(answer, Mapping) else ""


def _as_os_error(error: Exception, code: str) -> OSError:
    if isinstance(error, FileExistsError) or code in _NOT_NEW:
        return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    if code in ("InvalidRange", "416"):
        return _NoSuchRange()
    if code == "NoSuchBucket":
        return Unreachable("the bucket is not there")
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if isinstance(error, PermissionError):
        return PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return Unreachable("the object store does not answer as it should")
