"""Have all threads share the heaps of the C library."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

HEAPS = 2
"""Heaps of a process. Else each thread may get its own, up to eight a core, and each keeps what it once needed."""
_M_ARENA_MAX = -8  # of malloc.h


def share_heaps() -> None:
    """Have all threads of this process share its heaps: those of glibc, for others (macOS, musl) need no such limit."""
    limit: Callable[[int, int], int] | None = getattr(ctypes.CDLL(None), "mallopt", None)
    if limit is not None:
        limit(_M_ARENA_MAX, HEAPS)
