"""A search runs beside the page: done once for all, ended when nobody waits, and its mistakes are told."""

from threading import Event

import pytest

from data.errors import DataError
from ui.rows.duplicate_search import Search
from ui.view.cache import limit_time

LONG = 30.0
"""Seconds that nothing here takes."""


def test_result_is_kept_and_searched_once():
    begun = []

    def work(report):
        begun.append(1)
        report(0.5)
        return "found"

    search = Search(work)
    assert search.found is None and not search.done
    assert search.ask(LONG) and search.found == "found" and search.share == 0.5
    assert search.ask() and begun == [1]


def test_page_shows_progress_without_waiting():
    on, seen = Event(), Event()

    def work(report):
        report(0.25)
        seen.set()
        on.wait(LONG)
        return "found"

    search = Search(work)
    assert not search.ask()
    assert seen.wait(LONG) and not search.ask() and search.share == 0.25
    on.set()
    assert search.ask(LONG)


def test_search_ends_without_viewers_and_restarts():
    begun, ended = [], Event()

    def work(report):
        begun.append(1)
        try:
            while len(begun) == 1:
                report(0.5)
        finally:
            ended.set()
        return "found"

    search = Search(work, patience=0.05)
    assert not search.ask()
    assert ended.wait(LONG), "nobody has asked again"
    while not search.ask(LONG):
        pass
    assert search.found == "found" and len(begun) == 2


def test_a_mistake_is_told_to_whoever_asks():
    def work(report):
        raise ValueError("no text")

    with pytest.raises(ValueError, match="no text"):
        Search(work).ask(LONG)


def test_too_long_search_is_stopped_for_good(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SECONDS", "1")
    begun = []

    def work(report):
        begun.append(1)
        limited = limit_time("Looking", report)
        while True:
            limited(0.5)

    search = Search(work)
    for _ in range(2):
        with pytest.raises(DataError, match=r"longer than 1 seconds and was stopped.*BLINDSPOT_SECONDS"):
            search.ask(LONG)
    assert begun == [1]
