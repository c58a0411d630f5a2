"""Keep named bytes in a folder, an object store, or this process's memory, behind the same nine methods.

Names are ours only ("link/<64 hex digits>.json"): no text from outside becomes part of one. What is written is there
whole or not at all, and survives a power cut once the verb has returned.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import stat
import tempfile
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, Protocol


class Entry(NamedTuple):
    """A stored thing: its name, and when it was last written (seconds since 1970)."""

    name: str
    written: float

    @property
    def stem(self) -> str:
        """Return the name without its folder and its ending."""
        return self.name.rpartition("/")[2].partition(".")[0]


class Unreachable(OSError):
    """The place itself cannot be used, so that nobody can say what it holds; why, without any path or address."""


class Storage(Protocol):
    """The methods of every place; a name that is not there is a FileNotFoundError, all else that fails an OSError."""

    def write(self, name: str, content: bytes | Path, *, once: bool = False) -> None:
        """Put content under a name, in place of what is there.

        once : nothing else is ever written under this name, so what is there already may stay.
        """

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Return the content of a name, at most `limit` bytes of it."""

    def open(self, name: str) -> IO[bytes]:
        """Return the content of a name, to read as a file (a local one can be mapped)."""

    def entries(self, folder: str) -> Iterator[Entry]:
        """Yield what a folder holds, in no order."""

    def remove(self, name: str) -> bool:
        """Remove a name; whether it was there."""

    def has(self, name: str) -> bool:
        """Return whether a name is there."""

    def touch(self, name: str) -> None:
        """Make a name as young as one just written."""

    def move(self, name: str, to: str) -> bool:
        """Put what is under a name under another; whether it was there."""

    def clock(self) -> float:
        """Return the time by the clock that `Entry.written` is from."""


class Folder:
    """A folder on a disk that several processes, or several machines, may share."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def _path(self, name: str) -> Path:
        return self.root / name

    @contextlib.contextmanager
    def _there(self) -> Iterator[None]:
        """Tell a name that is missing from a disk that is: a mount point without its disk is empty."""
        try:
            yield
        except FileNotFoundError:
            if not self._holds_anything():
                raise Unreachable("the folder is not there") from None
            raise

    def _holds_anything(self) -> bool:
        try:
            return any(self.root.iterdir())
        except OSError:
            return False

    def _make_folder(self, folder: Path) -> Path:
        """Make a folder below the root where it is missing; never the root, nor one on a disk that was taken away.

        What was written there would be hidden once the disk is back.
        """
        if not folder.is_dir():
            if folder == self.root or not self._holds_anything():
                raise Unreachable("the folder is not there")
            self._make_folder(folder.parent)
            folder.mkdir(exist_ok=True, mode=0o700)
            _sync(folder.parent)
        return folder

    def write(self, name: str, content: bytes | Path, *, once: bool = False) -> None:
        """Write by a temporary file, fsync, rename, and fsync of the folder: seen whole, and kept, once this returns.

        Also what is written `once` is put in place of what is there: that may be damaged, and is young again then.
        """
        final = self._path(name)
        self._make_folder(final.parent)
        with self._there():
            temporary = self.scratch_root() / uuid.uuid4().hex
            try:
                self._write_synced(temporary, content)
                os.replace(temporary, final)
            finally:
                temporary.unlink(missing_ok=True)
            _sync(final.parent)

    def _write_synced(self, path: Path, content: bytes | Path) -> None:
        """Write content to the disk; a scratch file, which nobody changes any more, is linked and not copied."""
        if not (isinstance(content, Path) and content.is_relative_to(self.scratch_root()) and _link(content, path)):
            number = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode=0o600)
            with os.fdopen(number, "wb") as target, _opened(content) as source:
                shutil.copyfileobj(source, target)
        _sync(path)

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Open and read."""
        with self._there(), self._path(name).open("rb") as file:
            return file.read(-1 if limit is None else limit)

    def open(self, name: str) -> IO[bytes]:
        """Open the file itself."""
        with self._there():
            return self._path(name).open("rb")

    def entries(self, folder: str) -> Iterator[Entry]:
        """Yield the files; those that vanish meanwhile are passed over, an unreadable folder is an error."""
        try:
            with self._there():
                return iter(list(self._below(self._path(folder))))
        except FileNotFoundError:
            return iter(())

    def _below(self, folder: Path) -> Iterator[Entry]:
        with os.scandir(folder) as scanned:
            for item in scanned:
                with contextlib.suppress(FileNotFoundError):
                    if item.is_dir(follow_symlinks=False):
                        yield from self._below(Path(item.path))
                    elif item.is_file():
                        yield Entry(Path(item.path).relative_to(self.root).as_posix(), item.stat().st_mtime)

    def remove(self, name: str) -> bool:
        """Unlink, and fsync of the folder: what was revoked stays so after a power cut."""
        try:
            with self._there():
                self._path(name).unlink()
        except FileNotFoundError:
            return False
        _sync(self._path(name).parent)
        return True

    def has(self, name: str) -> bool:
        """Look for the file."""
        try:
            with self._there():
                return stat.S_ISREG(self._path(name).stat().st_mode)
        except FileNotFoundError:
            return False

    def touch(self, name: str) -> None:
        """Renew the time of the file."""
        with self._there():
            os.utime(self._path(name))

    def move(self, name: str, to: str) -> bool:
        """Rename, with fsync of the folder it went to and of the one it came from."""
        target = self._path(to)
        self._make_folder(target.parent)
        try:
            os.replace(self._path(name), target)
        except FileNotFoundError:
            return False
        _sync(target.parent)
        _sync(self._path(name).parent)
        return True

    def clock(self) -> float:
        """Return the time that a file written now gets: on a shared disk not that of this machine."""
        with tempfile.TemporaryFile(dir=self.scratch_root()) as file:
            return os.fstat(file.fileno()).st_mtime

    def scratch_root(self) -> Path:
        """Return the folder for files on their way: on the same disk, or a rename would copy."""
        return self._make_folder(self.root / "tmp")


class Memory:
    """The process's memory, up to a size: what was not used for longest goes first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def write(self, name: str, content: bytes | Path, *, once: bool = False) -> None:
        """Hold the bytes, and let go of what is over the size."""
        data = content.read_bytes() if isinstance(content, Path) else content
        with self._lock:
            self._held[name] = (time.time(), data)
            self._held.move_to_end(name)
            while len(self._held) > 1 and sum(len(held) for _, held in self._held.values()) > self._most:
                self._held.popitem(last=False)

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Return the bytes, which are then the ones used last."""
        with self._lock:
            if name not in self._held:
                raise FileNotFoundError(name)
            self._held.move_to_end(name)
            return self._held[name][1][:limit]

    def open(self, name: str) -> IO[bytes]:
        """Return the bytes as a file."""
        return io.BytesIO(self.read(name))

    def entries(self, folder: str) -> Iterator[Entry]:
        """Return a snapshot."""
        with self._lock:
            held = [Entry(name, written) for name, (written, _) in self._held.items()]
        return iter([entry for entry in held if entry.name.startswith(f"{folder}/")])

    def remove(self, name: str) -> bool:
        """Let go of it."""
        with self._lock:
            return self._held.pop(name, None) is not None

    def has(self, name: str) -> bool:
        """Return whether it is held."""
        with self._lock:
            return name in self._held

    def touch(self, name: str) -> None:
        """Renew the time beside the bytes."""
        if not self.move(name, name):
            raise FileNotFoundError(name)

    def move(self, name: str, to: str) -> bool:
        """Give the bytes another name."""
        with self._lock:
            held = self._held.pop(name, None)
            if held is not None:
                self._held[to] = (time.time(), held[1])
            return held is not None

    def clock(self) -> float:
        """Return the clock of this machine."""
        return time.time()


def _opened(content: bytes | Path) -> IO[bytes]:
    return io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")


def _link(file: Path, path: Path) -> bool:
    """Give a file a second name, as young and as private as a new one; False where the disk knows no such names."""
    try:
        os.utime(file)
        file.chmod(0o600)
        path.hardlink_to(file)
    except OSError:
        return False
    return True


def _sync(path: Path) -> None:
    """Have a file's content, or a folder's names, on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
