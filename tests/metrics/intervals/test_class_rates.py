"""Intervals of all classes at once are those of one class at a time."""

import numpy as np
import pytest

from metrics.intervals.class_rates import class_bounds
from metrics.intervals.joint_counts import joint_counts
from metrics.intervals.rates import of_class
from metrics.intervals.statistic import interval
from tests.metrics.intervals.made import FORMULAS, predictions


def test_bounds_of_all_classes_equal_those_of_one():
    truth, pred = predictions(3, 300, 5, unread=0.1)
    truth[truth == 4] = 0
    cells = joint_counts(truth, [np.where(pred == 3, 0, pred)], n_labels=6)
    found = {key: class_bounds(cells.totals(), formula, 0.9) for key, formula in FORMULAS.items()}
    for key, formula in FORMULAS.items():
        for code in range(6):
            own = cells.one_vs_rest(code)
            wanted, got = interval(of_class(own, formula=formula), own, level=0.9), found[key].of(code)
            assert got[:3] == pytest.approx(wanted[:3], nan_ok=True), (key, code)
            if not np.isnan(wanted.low):
                assert (got.method, got.n, got.clusters) == (wanted.method, wanted.n, wanted.clusters)
