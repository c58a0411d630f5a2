"""Moments as a person reads them, by the clock of the browser."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import streamlit as st

from data.store import links
from text.numbers import count

_DAY, _HOUR = 86_400, 3_600


def moment(seconds: int, zone: tzinfo | None = None) -> str:
    """Return a moment as day and time.

    seconds : since 1970. zone : whose clock; None = the browser's, or UTC where that says nothing.

    >>> moment(0, UTC)
    '1 January 1970, 00:00 UTC'
    """
    there = datetime.fromtimestamp(seconds, zone or _browser_zone())
    return f"{there.day} {there:%B %Y, %H:%M}{' UTC' if there.tzinfo is UTC else ''}"


def _browser_zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "")
    except (ValueError, OSError, KeyError, TypeError):  # the browser may say anything
        return UTC


def time_left(ends: int) -> str:
    """Return the time until then, in the largest whole unit.

    >>> time_left(links.now() + 30 * _DAY + 60), time_left(links.now() + 80 * 60), time_left(0)
    ('in 30 days', 'in 1 hour', 'it has expired')
    """
    left = ends - links.now()
    if left <= 0:
        return "it has expired"
    if left < _HOUR:
        return f"in {count(max(1, left // 60), 'minute')}"
    return f"in {count(round(left / _HOUR), 'hour')}" if left < 2 * _DAY else f"in {count(round(left / _DAY), 'day')}"
