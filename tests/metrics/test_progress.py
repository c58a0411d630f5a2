"""Long computations tell how far they are, and end where whoever is told raises."""

import numpy as np
import pytest

from metrics.scores.curves import score_counts
from metrics.scores.intervals import pr_band, roc_band
from metrics.thresholds.choose import Rule
from metrics.thresholds.label_thresholds import best_for_all, cross_fitted, label_scores
from metrics.thresholds.optimism import optimism
from metrics.thresholds.reject_option import fitted_band

DRAWN = np.random.default_rng(0).random((2, 400, 3))
TRUTH, SCORE = DRAWN[0] < 0.3, DRAWN[1]
COUNTS, LABELS = score_counts(TRUTH[:, 0], SCORE[:, 0]), label_scores(TRUTH, SCORE, range(3))

LONG = {
    "roc_band": (lambda report: roc_band(COUNTS, report=report), 20),
    "pr_band": (lambda report: pr_band(COUNTS, report=report), 20),
    "optimism": (lambda report: optimism(COUNTS, Rule("f1"), folds=4, repeats=3, report=report), 12),
    "fitted_band": (lambda report: fitted_band(COUNTS, 0.8, folds=4, repeats=3, report=report), 12),
    "cross_fitted": (lambda report: cross_fitted(TRUTH, SCORE, range(3), otherwise=0.5, report=report), 15),
    "best_for_all": (lambda report: best_for_all(LABELS, "macro", report=report), 2),
}
"""Each with how often it tells at least."""


class Enough(Exception):
    pass


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr("metrics.thresholds.label_thresholds._BLOCK", 100)


@pytest.mark.parametrize("name", LONG)
def test_share_done_starts_at_0_and_grows(name):
    work, at_least = LONG[name]
    told = []
    work(told.append)
    assert told[0] == 0 and told == sorted(told) and 0.1 < told[-1] <= 1 and len(told) >= at_least


@pytest.mark.parametrize("name", LONG)
def test_exception_ends_the_work_at_once(name):
    told = []

    def report(share):
        told.append(share)
        if len(told) == 2:
            raise Enough

    with pytest.raises(Enough):
        LONG[name][0](report)
    assert len(told) == 2
