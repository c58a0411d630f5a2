"""Sentences of a comparison hold for every table of changed rows."""

import numpy as np

from export.compare.comparison_text import pair_sentence, smallest_shown
from metrics.comparison.comparison import Comparison
from metrics.comparison.runs import Runs


def test_clusters_that_move_alike_have_a_smallest_difference():
    """The standard error by clusters is 0 but for rounding, which no number of rows explains."""
    a, b = np.tile([1, 0, 0, 1, 1, 1, 1], 3), np.tile([0, 1, 1, 1, 1, 1, 1], 3)
    runs = Runs(("a", "b"), ("n", "y"), 2, "multiclass", np.ones(21, int), (a, b), cluster=np.repeat(np.arange(3), 7))
    found = Comparison(runs)
    alone = Comparison(Runs(("a", "b"), ("n", "y"), 2, "multiclass", np.ones(21, int), (a, b)))
    assert smallest_shown(found, 0, 1) == smallest_shown(alone, 0, 1) > 0
    assert "fixes 6 rows and breaks 3" in pair_sentence(found, 0, 1)
