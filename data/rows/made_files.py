"""Keep files for download on the disk for some minutes, under names nobody can guess."""

from __future__ import annotations

import atexit
import secrets
import shutil
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from data.errors import DataError
from data.limits import MADE_FILE_SECONDS, MAX_MADE_FILES
from data.samples import is_sample
from data.store import links, store

GONE = "This file is not kept any more: make it again."


@dataclass(frozen=True)
class MadeFile:
    """A file that waits for its download.

    token : what its address ends in. path : where it lies, in a folder of its own.
    name : what it is called when it is downloaded. run : the link that it was made of.
    """

    token: str
    path: Path
    name: str
    run: str
    n_bytes: int


_KEPT: OrderedDict[str, MadeFile] = OrderedDict()
_LOCK = threading.Lock()


def keep(path: Path, name: str, run: str) -> MadeFile:
    """Move a file to where it waits for its download; of many files the oldest goes."""
    folder = store.scratch_folder()
    made = MadeFile(secrets.token_urlsafe(32), folder / path.name, name, run, path.stat().st_size)
    shutil.move(path, made.path)
    with _LOCK:
        _KEPT[made.token] = made
        over = list(_KEPT)[:-MAX_MADE_FILES]
    for token in over:
        drop(token)
    timer = threading.Timer(MADE_FILE_SECONDS, drop, [made.token])
    timer.daemon = True
    timer.start()
    return made


def find(token: str) -> MadeFile:
    """Return a file that is kept.

    Raises
    ------
    DataError
        it is not kept any more, or the link that it was made of opens nothing any more.
    """
    made = _KEPT.get(token)
    if made is None or not made.path.is_file():
        raise DataError(GONE)
    if made.run and not is_sample(made.run):
        links.open_link(made.run)
    return made


def is_kept(made: MadeFile) -> bool:
    """Return whether a file still waits for its download."""
    return made.token in _KEPT


def drop(token: str) -> None:
    """Remove a file; one that is being downloaded is downloaded whole."""
    with _LOCK:
        made = _KEPT.pop(token, None)
    if made is not None:
        shutil.rmtree(made.path.parent, ignore_errors=True)


@atexit.register
def drop_all() -> None:
    """Remove every file."""
    for token in list(_KEPT):
        drop(token)
