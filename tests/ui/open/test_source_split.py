"""Test that a count of a source shows its own progress, whatever other count has begun."""

from threading import Event

import pyarrow as pa
import pytest
import streamlit as st

from data.errors import DataError
from data.runs.engine_turns import stop_unwanted
from tests.ceiling import CEILING_SECONDS
from tests.opened_runs import open_run
from ui.open import source_split
from ui.rows.duplicate_search import Search
from ui.view import url


@pytest.fixture
def drawn(monkeypatch) -> list[tuple]:
    """Return what every progress bar is given: what finds its work, and what its button does."""
    bars: list[tuple] = []
    monkeypatch.setattr(st, "session_state", {url.VIEW: {"run": "r"}})
    monkeypatch.setattr(source_split, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(source_split, "progress_bar", lambda find, _, cancel, key: bars.append((find, cancel)))
    return bars


def test_progress_bar_knows_only_its_count(drawn):
    end = Event()
    counts = [source_split._Count("r", Search(lambda report: end.wait(5)), lambda found: {}) for _ in range(2)]
    for counting in counts:
        st.session_state[source_split._STATE] = counting
        assert source_split.wait()
    (find_first, cancel_first), (find_second, cancel_second) = drawn
    assert find_first() is None and find_second() is counts[1].work
    cancel_first()
    assert find_second() is counts[1].work, "the button of the first count leaves the second alone"
    cancel_second()
    assert find_second() is None
    end.set()


def test_columns_are_read_beside_the_page(drawn, monkeypatch):
    """The page is drawn while a source is read; ending it stops the source, and the columns can be asked for again."""
    end, stopped = Event(), Event()

    def read(evaluation, person, groups, report):
        if not end.is_set():
            with stop_unwanted(stopped.set, report):
                assert end.wait(CEILING_SECONDS)
                raise DataError("It was cancelled.")
        return pa.table({"region": ["n", "s"] * 20})

    monkeypatch.setattr(source_split, "read_few_rows", read)
    monkeypatch.setattr(source_split, "counts_one_source", lambda evaluation: True)
    monkeypatch.setattr(source_split.people, "may_change", lambda: True)
    monkeypatch.setattr(st, "button", lambda *texts, **given: None)
    evaluation = open_run("screening")
    assert source_split.wait_for_columns(evaluation, "k") and source_split.columns_to_split(evaluation).slices == ()
    [(find, cancel)] = drawn
    reading = find()
    cancel()
    assert find() is None and source_split.wait_for_columns(evaluation, "k") and len(drawn) == 1
    assert stopped.wait(CEILING_SECONDS), "nobody waits, so the source stops"
    end.set()
    st.session_state.pop(source_split._UNREAD)
    while not source_split.columns_to_split(evaluation).is_read:
        reading.ask(CEILING_SECONDS)
    assert source_split.columns_to_split(evaluation).slices == ("region",)
