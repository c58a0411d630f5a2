"""Give memory back to the system: results that can be computed again, once nobody needs them."""

from __future__ import annotations

import gc

import pyarrow as pa
import streamlit as st
from streamlit import runtime
from streamlit.runtime.caching.cache_resource_api import _resource_caches

from data.answers.parsing import forget_answers
from web.limits import RELEASE_GROWTH, RELEASE_SHARE


def release() -> None:
    """Let go of every result that can be computed again, and return what is free to the system."""
    st.cache_resource.clear()
    st.cache_data.clear()
    forget_answers()
    if runtime.exists():
        runtime.get_instance().media_file_mgr.remove_orphaned_files()
    gc.collect()
    pa.default_memory_pool().release_unused()  # and all that is free in the heaps of the C library


def forget_locks() -> None:
    """Drop the locks of results that are gone: Streamlit keeps one for each key that a cache ever had."""
    for cache in list(_resource_caches._function_caches.get(None, {}).values()):
        with cache._value_locks_lock:
            for key, lock in list(cache._value_locks.items()):
                if key not in cache._mem_cache and not lock.locked():  # locked: it is being computed
                    del cache._value_locks[key]


class Shortage:
    """Tell when memory runs short, and again only once it has grown since: what sessions hold stays."""

    def __init__(self) -> None:
        self._has_begun = False
        self._left = 0.0

    def has_come(self, resident: int, limit: int) -> bool:
        """Return whether results are to be let go, by the bytes of this process and those it may have."""
        if self._has_begun:
            self._has_begun, self._left = False, resident
            return False
        self._has_begun = resident > max(RELEASE_SHARE * limit, RELEASE_GROWTH * self._left)
        return self._has_begun


class Visits:
    """Tell once, each time that somebody was there, that nobody is there any more."""

    def __init__(self) -> None:
        self._was_connected = False
        self._released = (0, 0)

    def have_ended(self, connected: int, begun: int, waiting: int) -> bool:
        """Return whether nobody was connected at this look and the last, and sessions came or went since the last True.

        begun : sessions that ever were. waiting : sessions that a lost tab may still find again.
        """
        was_connected, self._was_connected = self._was_connected, connected > 0
        if connected or was_connected or self._released == (begun, waiting):
            return False
        self._released = (begun, waiting)
        return True
