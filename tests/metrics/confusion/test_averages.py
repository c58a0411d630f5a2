"""Averages equal scikit-learn's over the classes they name."""

import math

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics as sk

from metrics.confusion.averages import macro, macro_precision_predicted, micro, weighted
from metrics.confusion.counts import confusion_counts_from_matrix
from metrics.confusion.label_metrics import accuracy
from metrics.outcomes import F1, PRECISION, RECALL, SPECIFICITY
from tests.metrics.pairs import RATES, many_classes, pairs, pairs_of, scikit_learn_rates

FORMULAS = {"precision": PRECISION, "recall": RECALL, "f1": F1, "specificity": SPECIFICITY}


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def check_averages(p):
    counts, names = p.counts, np.array(p.names, dtype=object)
    supported = names[counts.support > 0].tolist()
    seen = names[counts.support + counts.predicted > 0].tolist()
    space = names[: p.n_space].tolist()

    def expected(average, classes, **options):
        return scikit_learn_rates(p.truth, p.answer, labels=classes, average=average, **options)

    over_seen, over_supported, over_space = (expected("macro", classes) for classes in (seen, supported, space))
    by_rows, by_support = expected("micro", names.tolist()), expected("weighted", supported)
    over_space["f1"] = expected("macro", space, zero_division=0)["f1"]  # the convention
    for which in RATES:
        assert_close(macro(counts, FORMULAS[which], over="seen"), over_seen[which])
        assert_close(macro(counts, FORMULAS[which], over="supported"), over_supported[which])
        assert_close(micro(counts, FORMULAS[which]), by_rows[which])
        assert_close(weighted(counts, FORMULAS[which]), by_support[which])
        assert_close(macro(counts, FORMULAS[which], over="space"), over_space[which])


@given(pairs())
def test_averages_as_scikit_learn_over_the_same_classes(p):
    if p.truth:
        check_averages(p)


def test_averages_of_a_thousand_classes_as_scikit_learn():
    check_averages(many_classes())


@given(pairs())
def test_specificity_is_averaged_like_the_others(p):
    counts = p.counts
    negatives, specificity = counts.n - counts.support, SPECIFICITY.value(counts)
    if counts.n:
        total = negatives.sum()
        assert_close(micro(counts, SPECIFICITY), (total - counts.fp.sum()) / total if total else math.nan)
        assert_close(macro(counts, SPECIFICITY, over="space"), specificity[: p.n_space].mean())
        asked = counts.support > 0
        assert_close(weighted(counts, SPECIFICITY), (specificity * counts.support)[asked].sum() / counts.n)


@given(pairs())
def test_micro_is_accuracy_if_every_answer_has_label(p):
    counts = p.counts
    if not counts.n_unparsed:
        for which in RATES:
            assert_close(micro(counts, FORMULAS[which]), accuracy(counts))
    assert_close(micro(counts, RECALL), accuracy(counts))
    assert_close(weighted(counts, RECALL), accuracy(counts))


def test_macro_precision_predicted_equals_scikit_learn():
    p = many_classes()
    used = [p.names[code] for code in np.flatnonzero(p.counts.predicted)]
    assert_close(
        macro_precision_predicted(p.counts), sk.precision_score(p.truth, p.answer, labels=used, average="macro")
    )


def test_classes_that_do_not_exist_are_told():
    with pytest.raises(ValueError, match="over must be one of all, seen, supported, space, not 'listed'"):
        macro(confusion_counts_from_matrix([[1]], ("a",)), F1, over="listed")


@pytest.mark.parametrize("n_space", [2, 0])
def test_without_rows_or_classes_averages_are_undefined(n_space):
    counts = pairs_of(["a", "b"], n_space, [], []).counts
    for which in (*RATES, "specificity"):
        found = [macro(counts, FORMULAS[which], over=over) for over in ("seen", "supported", "space")]
        assert np.isnan([*found, micro(counts, FORMULAS[which]), weighted(counts, FORMULAS[which])]).all()
    assert math.isnan(macro_precision_predicted(counts))
