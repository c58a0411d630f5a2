"""Numbers of one class against the rest are scikit-learn's, or those of a count by hand; 0/0 is undefined."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn import metrics as sk

from metrics import outcomes
from metrics.catalogue.registry import REGISTRY, class_formulas, formulas_of_each, rows_of_each
from metrics.confusion.counts import confusion_counts
from metrics.confusion.one_vs_rest import one_against_rest
from metrics.outcomes import FourCounts
from metrics.thresholds.threshold_metrics import ThresholdRates
from tests.metrics.pairs import many_classes

FOUR = st.builds(FourCounts, *[st.integers(0, 12)] * 4).filter(lambda counts: sum(counts) > 0)


def rows_of(counts):
    """Return truth and predictions of the four counts, 1 = the class."""
    truth, pred = np.repeat([[1, 0, 1, 0], [1, 1, 0, 0]], np.array(counts), axis=1)
    return truth, pred


@given(FOUR)
def test_likelihood_ratios_are_scikit_learns(counts):
    truth, pred = rows_of(counts)
    positive, negative = sk.class_likelihood_ratios(truth, pred, labels=[0, 1])
    if not counts.tp + counts.fn:  # scikit-learn warns that both are undefined
        positive = negative = math.nan
    found = [outcomes.POSITIVE_LIKELIHOOD_RATIO, outcomes.NEGATIVE_LIKELIHOOD_RATIO]
    values = [formula.value(counts) for formula in found]
    np.testing.assert_allclose(values, [positive, negative], atol=1e-12)


@given(FOUR)
def test_correlation_is_scikit_learns(counts):
    truth, pred = rows_of(counts)
    varied = len(set(truth)) == len(set(pred)) == 2
    expected = sk.matthews_corrcoef(truth, pred) if varied else math.nan
    np.testing.assert_allclose(outcomes.CORRELATION.value(counts), expected, atol=1e-12)


@given(FOUR)
def test_geometric_mean_is_that_of_two_recalls(counts):
    truth, pred = rows_of(counts)
    both = set(truth) == {0, 1}
    recalls = [sk.recall_score(truth, pred, pos_label=side) for side in (0, 1)] if both else [math.nan]
    expected = np.sqrt(np.prod(recalls))
    np.testing.assert_allclose(outcomes.GEOMETRIC_MEAN.value(counts), expected, atol=1e-12)


def test_numbers_of_one_class_by_hand():
    counts = FourCounts(tp=8, fp=2, fn=4, tn=16)
    values = {name: formula.value(counts) for name, formula in formulas_of_each().items()}
    assert values == pytest.approx({
        "f2": 5 * 8 / (5 * 8 + 4 * 4 + 2),
        "f05": 1.25 * 8 / (1.25 * 8 + 0.25 * 4 + 2),
        "specificity": 16 / 18,
        "false_positive_rate": 2 / 18,
        "youden_j": 8 / 12 + 16 / 18 - 1,
        "predicted_share": 10 / 30,
        "npv": 16 / 20,
        "jaccard": 8 / 14,
        "mcc": (8 * 16 - 2 * 4) / math.sqrt(10 * 12 * 18 * 20),
        "g_mean": math.sqrt(8 / 12 * 16 / 18),
        "positive_likelihood_ratio": (8 / 12) / (2 / 18),
        "negative_likelihood_ratio": (4 / 12) / (16 / 18),
    })  # fmt: skip


@pytest.mark.parametrize("row", rows_of_each().values(), ids=rows_of_each())
def test_thousand_classes_at_once_are_each_class(row):
    counts = many_classes(n=3_000).counts
    assert row.of_outcomes is not None
    every = row.of_outcomes.value(counts)
    some = [0, 17, 500, 999]
    alone = [row.function(one_against_rest(counts, code)) for code in some]
    np.testing.assert_allclose(every[some], alone, atol=1e-12)


def test_perfect_class_has_no_infinite_ratio():
    counts = confusion_counts(np.array([0, 1, 1]), np.array([0, 1, 1]), labels=("no", "yes"))
    second = one_against_rest(counts, 1)
    assert math.isnan(REGISTRY["binary", "positive_likelihood_ratio"].function(second))
    assert REGISTRY["binary", "negative_likelihood_ratio"].function(second) == 0


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_numbers_without_errors_or_hits_are_whole(n_pos, n_neg):
    formulas = class_formulas("multiclass") | formulas_of_each()
    del formulas["predicted_share"]
    for counts in (FourCounts(n_pos, 0, 0, n_neg), FourCounts(0, n_neg, n_pos, 0)):
        values = {name: float(formula.value(counts)) for name, formula in formulas.items()}
        at_threshold = ThresholdRates(0.5, counts.tp, counts.fp, n_pos, n_neg)
        assert at_threshold.mcc == values["mcc"]
        assert {name: value for name, value in values.items() if value not in (-1, 0, 1) and value == value} == {}
