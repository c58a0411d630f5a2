"""Test what is kept in memory of the evaluations that were opened."""

import gc
import weakref

import pytest

from data import environment
from data.runs import load
from ui.view import open_runs

pytestmark = pytest.mark.usefixtures("own_store")


def test_evaluations_are_held_up_to_the_setting(tmp_path):
    kept, seen = environment.value("BLINDSPOT_KEPT"), []
    for number in range(kept + 3):
        path = tmp_path / f"{number}.csv"
        path.write_text(f"truth,pred,score\na,b,0.{number}\n" + "a,a,0.5\nb,b,0.2\n" * 5, encoding="utf-8")
        run = load.keep(load.read_draft([(path, path.name)], load.Given()))
        seen.append(weakref.ref(open_runs.evaluation_of(run)))
    gc.collect()
    assert [one() is not None for one in seen] == [False] * 3 + [True] * kept
