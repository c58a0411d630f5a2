"""Keep the heap of the C library small: of all threads together, and when much of it is free."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

HEAPS = 2
"""Heaps of a process. Else each thread may get its own, up to eight a core, and each keeps what it once needed."""
_M_ARENA_MAX = -8  # of malloc.h


def share_heaps() -> None:
    """Have all threads of this process share its heaps."""
    _call_c_library("mallopt", _M_ARENA_MAX, HEAPS)


def return_free_memory() -> None:
    """Return what is free in the heaps to the system."""
    _call_c_library("malloc_trim", 0)


def _call_c_library(name: str, *numbers: int) -> None:
    """Call a function that glibc has; others (macOS, musl) may lack it and need none."""
    function: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    if function is not None:
        function(*numbers)
