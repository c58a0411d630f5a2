"""Averages that hold an undefined value are undefined, and scikit-learn's figure stands beside them."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn import metrics as sk

from metrics.catalogue.registry import with_influence
from metrics.confusion.average_numbers import ZERO, average_rows
from metrics.confusion.counts import confusion_counts_from_matrix
from metrics.multilabel.set_metrics import MultilabelCounts, multilabel_counts
from tests.metrics.pairs import pairs, scikit_learn_rates


def overall_numbers(counts):
    """Every number of the registry over all classes, with 0/0 left undefined and with 0/0 as 0."""
    many = isinstance(counts, MultilabelCounts)
    rows = with_influence("multi-label counts" if many else "confusion counts")
    filled = {key + ZERO: row.function(counts, zero_division=0.0) for key, row in rows.items() if row.zero_division}
    return {key: row.function(counts) for key, row in rows.items()} | filled


def agree(found, name, wanted):
    """The filled figure is scikit-learn's; ours is the same or undefined."""
    assert found[name + ZERO] == pytest.approx(wanted, abs=1e-12), name
    assert math.isnan(found[name]) or found[name] == pytest.approx(wanted, abs=1e-12), name


def agree_rates(found, average, end, truth, pred, **options):
    """Compare precision, recall and F1 of one average."""
    for which, wanted in scikit_learn_rates(truth, pred, average=average, zero_division=0, **options).items():
        agree(found, f"{average}_{which}{end}", wanted)


@given(pairs(min_rows=1))
def test_zero_division_0_is_scikit_learns(p):
    found, names = overall_numbers(p.counts), list(p.names)
    if not p.counts.n:
        assert all(math.isnan(value) for value in found.values())
        return
    true, seen = [n for n in names if n in set(p.truth)], [n for n in names if n in {*p.truth, *p.answer}]
    for end, over in (("", seen), ("_supported", true), ("_label_space", names[: p.n_space])):
        agree_rates(found, "macro", end, p.truth, p.answer, labels=over)
    agree_rates(found, "weighted", "", p.truth, p.answer, labels=true)


@given(st.lists(st.tuples(*[st.booleans()] * 8), min_size=1, max_size=20), st.integers(2, 4))
def test_zero_division_0_equals_scikit_learn_for_sets(rows, n_space):
    table = np.array(rows, dtype=bool)
    truth, pred = table[:, :4], table[:, 4:]
    found = overall_numbers(multilabel_counts(truth, pred, tuple("wxyz"), n_space=n_space))
    lists = {
        "": np.flatnonzero((truth | pred).any(axis=0)),
        "_supported": np.flatnonzero(truth.any(axis=0)),
        "_label_space": np.arange(n_space),
    }
    for end, over in lists.items():
        if len(over):
            agree_rates(found, "macro", end, truth, pred, labels=over)
    if truth.any():
        agree_rates(found, "weighted", "", truth, pred)
    for which, wanted in scikit_learn_rates(truth, pred, average="samples", zero_division=0).items():
        assert found[f"samples_{which}"] == pytest.approx(wanted)  # rows of 0/0 count as 0 under the name itself
    agree(found, "jaccard_macro", sk.jaccard_score(truth, pred, average="macro", zero_division=0))


def test_a_line_is_added_only_below_undefined_ones():
    whole = average_rows(overall_numbers(confusion_counts_from_matrix([[3, 1], [1, 2]], ("a", "b"))), "class")
    assert not any("zero_division" in row.title for row in whole)
    holes = average_rows(overall_numbers(confusion_counts_from_matrix([[3, 0], [1, 0]], ("a", "b"))), "class")
    assert [row.title for row in holes if "zero_division" in row.title] == [
        "Macro, classes seen, zero_division=0",
        "Macro, classes with true rows, zero_division=0",
        "Macro, all listed classes, zero_division=0",
        "Weighted by true rows, zero_division=0",
    ]
