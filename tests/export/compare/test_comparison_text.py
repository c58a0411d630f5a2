"""Sentences of a comparison hold for every table of changed rows."""

from typing import get_args

import numpy as np

from export.compare.comparison_text import pair_words, smallest_shown
from export.result.kinds import Words
from export.result.written import write_words
from metrics.catalogue.metric import Task
from metrics.catalogue.registry import ROWS
from metrics.comparison.comparison import Comparison
from metrics.comparison.runs import Runs
from metrics.comparison.tiers import tiers


def test_clusters_that_move_alike_have_a_smallest_difference():
    """The standard error by clusters is 0 but for rounding, which no number of rows explains."""
    a, b = np.tile([1, 0, 0, 1, 1, 1, 1], 3), np.tile([0, 1, 1, 1, 1, 1, 1], 3)
    runs = Runs(("a", "b"), ("n", "y"), 2, "multiclass", np.ones(21, int), (a, b), cluster=np.repeat(np.arange(3), 7))
    found = Comparison(runs)
    alone = Comparison(Runs(("a", "b"), ("n", "y"), 2, "multiclass", np.ones(21, int), (a, b)))
    assert smallest_shown(found, 0, 1) == smallest_shown(alone, 0, 1) > 0
    assert "fixes 6 rows and breaks 3" in "".join(map(str, pair_words(found, 0, 1).whole))


def test_pair_verdict_is_that_of_the_tiers():
    """Of two runs the second is better; beside a third, Holm's correction leaves that open."""
    y, a = np.ones(100, int), np.repeat([0, 1], [20, 80])
    two = Comparison(Runs(("a", "b"), ("n", "y"), 2, "multiclass", y, (a, np.where(np.arange(100) < 5, 1, a))))
    third = np.where(np.arange(100) < 3, 1, a)
    three = Comparison(Runs(("a", "b", "c"), ("n", "y"), 2, "multiclass", y, (*two.runs.preds, third)))
    assert len(tiers(two, "accuracy").tiers) == 2 and len(tiers(three, "accuracy").tiers) == 1
    assert " is better: " in write(pair_words(two, 0, 1).whole)
    assert " looks better: " in write(pair_words(three, 0, 1).whole)


def write(words: Words) -> str:
    return write_words(words, str)


def test_compared_metrics_are_named_in_words():
    for task in get_args(Task):
        compared = [row for row in ROWS if task in row.tasks and row.influence and not row.eats.endswith("one class")]
        names = [row.name for row in compared]
        keys = {"roc", "auc", "npv", "ovo", "supported", "space", "parsed", "f05", "f1", "f2", "jaccard", "hamming"}
        assert {name for name in names if keys & set(name.split())} == set()
        assert len(set(names)) == len(names)
