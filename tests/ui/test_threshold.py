"""The rows that a threshold gets wrong for one class of many."""

from dataclasses import replace

import numpy as np
import pytest

from data.intake import open_run
from metrics.thresholds import rates_at
from ui import cache
from ui.threshold import wrong_side


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(tmp_path_factory.mktemp("store")))
        yield open_run("digits")


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 1.1])
@pytest.mark.parametrize("code", [0, 7])
def test_they_are_as_many_as_the_counts_beside_them_say(digits, code, threshold):
    now = rates_at(cache.scores(digits, code), threshold)
    missed, alarms = (wrong_side(digits, code, threshold, side) for side in ("fn", "fp"))
    assert (len(missed), len(alarms)) == (now.fn, now.fp)
    assert (digits.y_true[missed] == code).all() and (digits.y_true[alarms] != code).all()


def test_the_row_farthest_from_the_threshold_comes_first(digits):
    found = wrong_side(digits, 7, 0.2, "fp")
    away = np.abs(digits.y_score[found, digits.score_codes.index(7)] - 0.2)
    assert len(found) > 1 and (np.diff(away) <= 0).all()


def test_a_row_without_a_score_takes_no_part(digits):
    bare = replace(digits, y_score=np.full_like(digits.y_score, np.nan))
    assert not len(wrong_side(bare, 7, 0.2, "fn")) and not len(wrong_side(bare, 7, 0.2, "fp"))
