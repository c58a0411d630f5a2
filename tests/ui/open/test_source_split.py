"""Test that a count of a source shows its own progress, whatever other count has begun."""

from threading import Event

import pytest
import streamlit as st

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
