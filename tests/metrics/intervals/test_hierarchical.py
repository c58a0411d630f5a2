"""Numbers of labels in groups equal those of sets of ancestors, row by row."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from data.evaluation import Settings
from data.labels.label_tree import list_paths
from metrics.catalogue.registry import REGISTRY
from metrics.confusion.counts import UNPARSEABLE, confusion_counts
from metrics.intervals.joint_counts import joint_counts
from metrics.intervals.statistic import interval
from tests.metrics.intervals.test_influences import check_influence

KEYS = ("hierarchical_precision", "hierarchical_recall", "hierarchical_f1", "errors_within_family")
LABELS = ("a/b/c", "a/b/d", "a/e", "f/g", "f", "h")
PATHS = list_paths(LABELS, Settings(separator="/"))
codes = st.integers(0, 5)
rows = st.lists(st.tuples(codes, codes | st.just(UNPARSEABLE)), min_size=1, max_size=30)


def ancestors(code):
    """The label and all groups above it, as their whole beginnings."""
    parts = [] if code == UNPARSEABLE else LABELS[code].split("/")
    return {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}


def ratio(part, whole):
    return part / whole if whole else math.nan


def by_sets(pairs):
    shared = sum(len(ancestors(true) & ancestors(pred)) for true, pred in pairs)
    true, pred = (sum(len(ancestors(pair[side])) for pair in pairs) for side in (0, 1))
    wrong = [(true, pred) for true, pred in pairs if true != pred]
    near = [pair for pair in wrong if pair[1] >= 0 and LABELS[pair[0]][0] == LABELS[pair[1]][0]]
    return [ratio(shared, pred), ratio(shared, true), ratio(2 * shared, true + pred), ratio(len(near), len(wrong))]


@given(rows)
def test_numbers_equal_sets_of_ancestors(pairs):
    true, pred = np.array(pairs).T
    counts = confusion_counts(true, pred, labels=LABELS, paths=PATHS)
    found = [REGISTRY["multiclass", key].function(counts) for key in KEYS]
    np.testing.assert_allclose(found, by_sets(pairs), atol=1e-12)
    without = confusion_counts(true, pred, labels=LABELS)
    assert all(math.isnan(REGISTRY["multiclass", key].function(without)) for key in KEYS), "nobody gave groups"


@pytest.mark.parametrize("key", KEYS)
def test_influence_is_that_of_one_more_row(key):
    rng = np.random.default_rng(1)
    true = rng.integers(0, 6, 300)
    pred = np.where(rng.random(300) < 0.6, true, rng.integers(0, 6, 300))
    pred[:9] = UNPARSEABLE
    cells = joint_counts(true, [pred], n_labels=6)
    statistic = REGISTRY["multiclass", key].statistic
    check_influence(cells, lambda made: statistic(replace(made, paths=PATHS)))


def test_perfect_predictions_keep_a_bound():
    cells = replace(joint_counts(np.arange(30) % 6, [np.arange(30) % 6], n_labels=6), paths=PATHS)
    within = interval(REGISTRY["multiclass", "hierarchical_f1"].statistic(cells), cells)
    assert within.value == within.high == 1 and 0.8 < within.low < 0.95
