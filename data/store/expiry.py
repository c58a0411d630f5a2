"""Remove what has expired and what no link names, while others save and open; never what is being made.

A table that no link names is set aside first (`trash/`), and removed an hour later if still no link names it: a link
that came in between finds its table again, also after a crash at any moment. Ages are told by the store's own clock.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from data.errors import DataError
from data.limits import GRACE_SECONDS, LATE_SECONDS
from data.store import links, run_progress, store
from data.store.records import Damaged
from data.store.storage import Entry, Folder, Storage

_LOG = logging.getLogger(__name__)


class Swept(NamedTuple):
    """The number of things that a sweep has removed."""

    links: int = 0
    tables: int = 0
    leftovers: int = 0


def sweep() -> Swept:
    """Remove links an hour after their end, then tables that no link names, and files left on their way.

    Several servers may sweep one store at once. A damaged link is left where it is, and so are all tables while there
    is one: it may name any of them.

    Raises
    ------
    DataError
        the store cannot be used; what was not removed is at the next sweep.
    """
    with store.disk_errors():
        ended = sum(_remove_ended(kept) for kept in links.list_places())
        for kept in links.list_places():
            _set_unnamed_aside(kept)
            for entry in list(kept.entries(run_progress.FOLDER)):
                if kept.clock() - entry.written > GRACE_SECONDS:
                    kept.remove(entry.name)
        tables = sum(_empty_trash(kept) for kept in links.list_places())
        return Swept(ended, tables, _remove_leftovers(store.place()))


def _remove_ended(kept: Storage) -> int:
    """Remove links whose time is over, or whose shared link is gone; then notes about links long gone."""
    time = kept.clock()
    entries, revoked = list(kept.entries("link")), list(kept.entries("gone"))
    gone = {entry.stem for entry in revoked}
    n = sum(_remove_if_over(kept, entry, time, entry.stem in gone) for entry in entries)
    there = {entry.stem for entry in entries}
    listed = [entry for entry in kept.entries("owner") if entry.stem not in there]
    for entry in [*revoked, *listed]:
        if time - entry.written > GRACE_SECONDS:
            kept.remove(entry.name)
    return n


def _remove_if_over(kept: Storage, entry: Entry, time: float, revoked: bool) -> bool:
    try:
        link = links.read(entry.stem)
        over = link is not None and (revoked or links.is_over(link, time - LATE_SECONDS))
    except Damaged:  # when it ends cannot be read; no link lasts longer than the longest after it was written
        return time - entry.written > (max(links.DAYS) + 1) * GRACE_SECONDS and kept.remove(entry.name)
    except DataError:
        return False
    if link is not None and over:
        links.remove(entry.stem, link)
    return over


def _set_unnamed_aside(kept: Storage) -> None:
    """Move tables that are old and that no link names out of the way, and back those that one names by then."""
    time = kept.clock()
    tables = [entry for entry in kept.entries("data") if store.DATA_ID.fullmatch(entry.stem)]
    old = [entry.stem for entry in tables if time - entry.written > GRACE_SECONDS]
    named = _list_named(LATE_SECONDS) if old else None
    if named is not None:
        for data_id in set(old) - named:
            _set_aside(kept, data_id)


def _set_aside(kept: Storage, data_id: str) -> bool:
    """Set a table aside, touched first: in the trash its age is how long it has been there."""
    with contextlib.suppress(FileNotFoundError):
        kept.touch(store.data_name(data_id))
        return kept.move(store.data_name(data_id), store.trash_name(data_id))
    return False


def _empty_trash(kept: Storage) -> int:
    """Remove what has been in the trash for long enough; what a link names goes back to where it was."""
    trash = list(kept.entries("trash"))
    time = kept.clock()
    named = _list_named(LATE_SECONDS) if trash else None
    return 0 if named is None else sum(_restore_from_trash(kept, entry, named, time) for entry in trash)


def _restore_from_trash(kept: Storage, entry: Entry, named: Collection[str], time: float) -> bool:
    if entry.stem in named:
        kept.move(entry.name, store.data_name(entry.stem))
        return False
    return time - entry.written > LATE_SECONDS and kept.remove(entry.name)


def forget(data_ids: Collection[str]) -> bool:
    """Remove tables at once, unless a link still names one; whether all are gone.

    Whoever is just sharing the very same table is told that it is not there any more (`links.share` looks again).

    Raises
    ------
    DataError
        the store cannot be used.
    """
    with store.disk_errors():
        return all([_forget(kept, data_id) for kept in links.list_places() for data_id in data_ids])


def _forget(kept: Storage, data_id: str) -> bool:
    named = _list_named()
    if named is None or data_id in named:
        return not kept.has(store.data_name(data_id))
    _set_aside(kept, data_id)
    again = _list_named()  # a link that came in between finds its table again
    if again is None or data_id in again:
        kept.move(store.trash_name(data_id), store.data_name(data_id))
        return False
    kept.remove(store.trash_name(data_id))
    return True


def _list_named(late: float = 0.0) -> set[str] | None:
    """Return the data ids that links name; None where a link cannot be read, so that nobody knows.

    late : seconds for which a link still counts after its end; it may be extended at that moment.
    """
    named: set[str] = set()
    for kept in links.list_places():
        time = kept.clock() - late
        for entry in list(kept.entries("link")):
            try:
                link = links.read(entry.stem)
                named |= set() if link is None or links.is_over(link, time) else set(link.data_ids)
            except DataError as error:
                _LOG.warning("A link keeps tables from being swept (%s): %s", error, entry.name)
                return None
    return named


def _remove_leftovers(kept: Storage) -> int:
    """Remove what a process left that was ended on its way."""
    folder = kept.scratch_root() if isinstance(kept, Folder) else Path(tempfile.gettempdir())
    n = 0
    for path in folder.glob("*" if isinstance(kept, Folder) else f"{store.SCRATCH}*"):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            if kept.clock() - path.stat().st_mtime > GRACE_SECONDS:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                n += 1
    return n
