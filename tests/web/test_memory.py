"""Test when results are let go, and that nothing of them stays."""

import gc

import streamlit as st
from streamlit.runtime.caching.cache_resource_api import _resource_caches

from data.evaluation import Evaluation
from tests.opened_pages import open_page, run_app
from ui.view.pages import PAGES
from web.memory import Shortage, Visits, forget_locks, release


def test_visits_end_once_nobody_returns():
    visits = Visits()
    for connected, begun, waiting, ended in [
        (0, 0, 0, False),  # a server that was just started
        (2, 2, 0, False),
        (0, 2, 2, False),  # a tab may be reloading
        (0, 2, 2, True),
        (0, 2, 2, False),
        (0, 2, 0, True),  # what those who left had open is gone, too
        (0, 2, 0, False),
        (0, 3, 0, True),  # somebody came and left between two looks
        (1, 4, 0, False),
        (1, 4, 0, False),
        (0, 4, 1, False),
        (1, 4, 0, False),
        (0, 5, 0, False),
        (0, 5, 0, True),
    ]:
        assert visits.have_ended(connected, begun, waiting) is ended


def test_shortage_is_told_again_once_memory_grew():
    """Otherwise uploads would be refused for results that nobody looks at, or results computed every half minute."""
    shortage = Shortage()
    looks = [
        (749, False),
        (751, True),
        (760, False),
        (760, False),
        (830, False),
        (840, True),
        (500, False),
        (751, True),
    ]
    assert [shortage.has_come(resident, 1000) for resident, _ in looks] == [expected for _, expected in looks]


def test_release_leaves_no_evaluation():
    """Whoever came and left holds nothing: no session, no result."""
    release()
    before = count_evaluations()
    for run in ("screening", "support-intents-llm"):
        open_page("overview", run=run)
    gc.collect()
    assert count_evaluations() >= before + 2
    release()
    assert count_evaluations() == before


def test_tab_keeps_no_earlier_evaluation():
    """Streamlit keeps what the controls of earlier pages call, and so what that is about."""
    release()
    before = count_evaluations()
    tab = open_page("thresholds", run="screening")
    for page, run in (("confusion", "support-intents"), ("classes", "digits"), ("glossary", "digits")):
        tab.switch_page(PAGES[page].script)
        run_app(tab, run=run)
    tab.run()
    release()
    assert count_evaluations() == before


def test_locks_of_lost_results_go():
    keep = st.cache_resource(max_entries=3)(lambda number: number)
    for number in range(7):
        keep(number)
    (cache,) = (cache for cache in _resource_caches._function_caches[None].values() if cache.max_entries == 3)
    assert len(cache._value_locks) == 7
    cache._value_locks["computed now"].acquire()
    forget_locks()
    assert set(cache._value_locks) == {*cache._mem_cache, "computed now"} and len(cache._mem_cache) == 3
    assert keep(6) == 6


def count_evaluations() -> int:
    return sum(isinstance(held, Evaluation) for held in gc.get_objects())
