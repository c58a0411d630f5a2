"""Test what is kept in memory of the evaluations that were opened."""

import gc
import weakref

import pytest

from data import environment
from tests.opened_runs import keep_text
from ui.view import open_runs

pytestmark = pytest.mark.usefixtures("own_store")


def test_evaluations_are_held_up_to_the_setting(tmp_path):
    kept, seen = environment.value("BLINDSPOT_KEPT"), []
    for number in range(kept + 3):
        run = keep_text(tmp_path / f"{number}.csv", f"truth,pred,score\na,b,0.{number}\n" + "a,a,0.5\nb,b,0.2\n" * 5)
        seen.append(weakref.ref(open_runs.evaluation_of(run)))
    gc.collect()
    assert [one() is not None for one in seen] == [False] * 3 + [True] * kept
