"""Count the uploaded files that Streamlit holds, and compare them with the limits.

Whatever removes a file (the person, the page once it has read it, the end of the session) thereby frees its place.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from data import environment
from data.store import access
from web.limits import SWEEP_SECONDS, WAITING_SECONDS
from web.login import has_login, has_own_login
from web.memory import Shortage, Visits, forget_locks, release
from web.middleware.session_owners import take_left_sessions

MB = 1024 * 1024
FRAMING = MB  # what a multipart body may have around its file; Streamlit allows the same


@dataclass(frozen=True)
class Limits:
    """Hold what the environment variables of the same names say."""

    upload_mb: int
    session_files: int
    session_mb: int
    uploads_at_once: int
    body_seconds: int
    slowest_kb: int
    memory_mb: int


def limits() -> Limits:
    """Return the limits that hold.

    >>> limits().session_files
    20
    """
    return Limits(**{name: environment.value(f"BLINDSPOT_{name.upper()}") for name in Limits.__dataclass_fields__})


def stored_bytes(session: str) -> dict[str, int]:
    """Return the bytes of each file that Streamlit keeps for a session."""
    if not runtime.exists():
        return {}
    manager = runtime.get_instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)
    return {file: len(record.data) for file, record in manager.file_storage.get(session, {}).copy().items()}


def may_upload(session: str) -> bool:
    """Return whether a tab may upload: every tab where nobody logs in, else one in which somebody is."""
    if not has_login() or not runtime.exists():
        return True
    info = runtime.get_instance()._session_mgr.get_session_info(session)
    user = info.session._user_info if info is not None else {}
    return bool(
        access.identify_person(user, header=bool(environment.value("BLINDSPOT_USER_HEADER")), login=has_own_login())
    )


def forget_ended(session: str) -> None:
    """Remove the files of a session that ended while one was on its way: Streamlit would keep them for ever."""
    if runtime.exists():
        instance = runtime.get_instance()
        if instance._session_mgr.get_session_info(session) is None:
            instance.uploaded_file_mgr.remove_session_files(session)


def resident_bytes() -> int:
    """Return the memory of this process.

    Linux says what it is now. macOS says only what it has been at most, so there a limit once met stays met until the
    server is started again.
    """
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def end_expired_sessions() -> None:
    """End the sessions whose tab has been gone for `server.disconnectedSessionTTL`, and free their files.

    Streamlit does so only when the next person comes: the files of the last one of a day would stay all night.
    """
    storage = getattr(runtime.get_instance()._session_mgr, "_session_storage", None)
    expire = getattr(getattr(storage, "_cache", None), "expire", None)
    if expire is not None:
        expire()


def end_left_sessions() -> None:
    """End the sessions whose tab was closed: only one whose connection was lost comes back."""
    instance = runtime.get_instance()
    for session in take_left_sessions():
        if not instance.is_active_session(session):
            instance.close_session(session)


def nobody_is_there(visits: Visits) -> bool:
    """Return whether the last sessions have ended since the last look."""
    manager = runtime.get_instance()._session_mgr
    assert isinstance(manager, WebsocketSessionManager)
    n_connected = len(manager.list_active_sessions())
    n_waiting = len(manager.list_sessions()) - n_connected
    return visits.have_ended(n_connected, manager._connect_count, n_waiting)


class Waiting:
    """The files that no page has taken over yet, and since when: a page does so within moments, or never will.

    What lies there longer is what a program has sent, or a file that could not be read.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since: dict[tuple[str, str], float] = {}

    def remove_old(self, manager: MemoryUploadedFileManager) -> None:
        """Let go of the files that have been seen `WAITING_SECONDS` ago, and are still there."""
        there = {(session, file) for session, files in list(manager.file_storage.items()) for file in list(files)}
        self._since = {key: self._since.get(key, self._now()) for key in there}
        for session, file in [key for key, since in self._since.items() if self._now() - since >= WAITING_SECONDS]:
            manager.remove_file(session, file)


async def sweep() -> None:
    """Let go of sessions, files and results that nobody needs, every half minute until cancelled."""
    waiting, visits, shortage = Waiting(), Visits(), Shortage()
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        with suppress(RuntimeError):  # another thread has changed the sessions meanwhile: the next round is soon
            end_left_sessions()
            end_expired_sessions()
            manager = runtime.get_instance().uploaded_file_mgr
            assert isinstance(manager, MemoryUploadedFileManager)
            waiting.remove_old(manager)
            forget_locks()
            is_short = shortage.has_come(resident_bytes(), limits().memory_mb * MB)
            if nobody_is_there(visits) or is_short:
                await asyncio.to_thread(release)
