"""A server whose every touch of files, programs and the network stands in a log.

Python's audit events see what Python itself opens. What Arrow and DuckDB open inside their libraries they do not see,
nor the process that reads an upload: `data/process/child_process.py` starts it with `-E`, so nothing is put into it.
"""

import contextlib
import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.driver import ROOT, Server, start_server

HOOK_FOLDER = "hook"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_NO_PATH = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.add_dll_directory")
_TWO_PATHS = ("os.rename", "os.link", "os.symlink", "shutil.copyfile", "shutil.move", "shutil.copytree")
# Python runs this before anything of the server.
_HOOK = """
import json, os, sys
LOG = os.open({log!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
FIRST = ("open", "os.", "shutil.", "subprocess.Popen", "socket.connect", "socket.getaddrinfo", "socket.gethostby",
         "socket.sendto", "ctypes.dlopen", "glob.glob", "tempfile.")
SILENT = ("os.putenv", "os.unsetenv", "os.fwalk", "os.walk", "os.kill")
def hook(event, arguments):
    if not event.startswith(FIRST) or event in SILENT:
        return
    folder = os.getcwd()
    if event in ("os.remove", "os.rmdir") and arguments[1] != -1:  # a name in an open folder
        folder = os.readlink("/proc/self/fd/" + str(arguments[1]))
    shown = [os.fsdecode(a) if isinstance(a, bytes) else os.fspath(a) if hasattr(a, "__fspath__") else a
             for a in arguments]
    shown = [a if isinstance(a, (str, int, type(None))) else repr(a) for a in shown]
    os.write(LOG, (json.dumps([event, folder, *shown]) + "\\n").encode())
sys.addaudithook(hook)
"""


class Event(NamedTuple):
    """Hold what happened, in which folder, and with what."""

    name: str
    folder: str
    arguments: tuple[str | int | None, ...]

    @property
    def paths(self) -> list[Path]:
        """The files it is about; none where it is about an open one."""
        if not self.name.startswith(("open", "os.", "shutil.", "tempfile.", "glob.")) or self.name in _NO_PATH:
            return []
        named = self.arguments[: 2 if self.name in _TWO_PATHS else 1]
        return [Path(os.path.realpath(os.path.join(self.folder, one))) for one in named if isinstance(one, str)]

    @property
    def writes(self) -> bool:
        """Return whether it changes something on the disk, or may."""
        if self.name == "open":
            flags = self.arguments[2]
            return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))
        return self.name not in ("os.listdir", "os.scandir", "os.chdir", "glob.glob", "os.getxattr", "os.listxattr")


class Audited(NamedTuple):
    """A running server, the only folders that it may write to, and the log."""

    server: Server
    own: Path
    log: Path

    def events(self) -> list[Event]:
        """Everything so far."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [Event(name, folder, tuple(rest)) for name, folder, *rest in map(json.loads, lines)]


@contextlib.contextmanager
def audited(folder: Path, **environment: str) -> Iterator[Audited]:
    """A server with its store, its temporary files and its home below `folder`/own, watched from its first line on."""
    own, hook, log = folder / "own", folder / HOOK_FOLDER, folder / "log.jsonl"
    for made in (own / "tmp", own / "home", hook):
        made.mkdir(parents=True)
    (hook / "sitecustomize.py").write_text(_HOOK.format(log=str(log)), encoding="utf-8")
    told = {
        "PYTHONPATH": str(hook),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(own / "tmp"),
        "HOME": str(own / "home"),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**told, **environment}.items():
            patch.setenv(name, value)
        with start_server(ROOT, own / "store") as running:
            yield Audited(running, own, log)


def installed() -> list[Path]:
    """Return where Python and its packages are, and what the system tells every program."""
    paths = {sys.prefix, sys.base_prefix, sys.exec_prefix, *map(str, sysconfig.get_paths().values())}
    return [Path(os.path.realpath(path)) for path in paths]


def below(path: Path, folders: list[Path]) -> bool:
    """Return whether a path is one of these or lies in one of them."""
    return any(path == folder or folder in path.parents for folder in folders)
