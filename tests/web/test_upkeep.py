"""The store is swept while the server runs, and a sweep that fails is logged and tried again."""

import asyncio
import logging

import pytest

from data.store import expiry
from web import start


def run_until(times: int, monkeypatch: pytest.MonkeyPatch, results: list[object]) -> int:
    """Let the upkeep go round a few times without waiting; returns how often it swept."""
    calls = []

    def swept() -> object:
        calls.append(1)
        result = results[len(calls) - 1]
        if isinstance(result, Exception):
            raise result
        return result

    async def no_wait(_seconds: float) -> None:
        if len(calls) >= times:
            raise asyncio.CancelledError

    monkeypatch.setattr(expiry, "sweep", swept)
    monkeypatch.setattr(start.asyncio, "sleep", no_wait)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(start.clear_store())
    return len(calls)


def test_failed_sweep_is_logged_and_repeated(monkeypatch, caplog):
    with caplog.at_level(logging.INFO, logger="blindspot"):
        assert (
            run_until(4, monkeypatch, [OSError("unreachable"), expiry.Swept(), KeyError("x"), expiry.Swept(2, 1, 0)])
            == 4
        )
    assert "could not be swept: unreachable" in caplog.text and "KeyError" in caplog.text
    assert "Swept: 2 links, 1 tables, 0 leftovers" in caplog.text
