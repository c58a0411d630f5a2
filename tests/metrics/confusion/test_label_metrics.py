"""Per-class and overall numbers equal scikit-learn's, and are undefined where it warns."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import binomtest
from sklearn import metrics as sk
from sklearn.dummy import DummyClassifier

from metrics.confusion import label_metrics
from metrics.confusion.counts import UNPARSEABLE, confusion_counts_from_matrix
from metrics.outcomes import F1, PRECISION, RECALL, SPECIFICITY
from tests.metrics.pairs import many_classes, matthews, pairs, pairs_of, scikit_learn

EMPTY = pairs_of(["a", "b"], 2, [], [])


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def check_per_class(p):
    counts, names = p.counts, list(p.names)
    expected = sk.precision_recall_fscore_support(p.truth, p.answer, labels=names, zero_division=np.nan)
    rates = (formula.value(counts) for formula in (PRECISION, RECALL, F1))
    for rate, oracle in zip((*rates, counts.support), expected, strict=True):
        assert_close(rate, oracle)
    tn, fp, fn, tp = sk.multilabel_confusion_matrix(p.truth, p.answer, labels=names).reshape(-1, 4).T
    assert (counts.tp == tp).all() and (counts.fp == fp).all() and (counts.fn == fn).all()
    with np.errstate(invalid="ignore"):
        assert_close(SPECIFICITY.value(counts), tn / (tn + fp))


@given(pairs())
def test_every_class_as_scikit_learn(p):
    if p.truth:
        check_per_class(p)


def check_overall(p):
    counts, truth, answer = p.counts, p.truth, p.answer
    assert_close(label_metrics.accuracy(counts), sk.accuracy_score(truth, answer))
    assert_close(label_metrics.balanced_accuracy(counts), scikit_learn(sk.balanced_accuracy_score, truth, answer))
    assert_close(label_metrics.cohen_kappa(counts), scikit_learn(sk.cohen_kappa_score, truth, answer))
    assert_close(label_metrics.matthews_correlation(counts), matthews(truth, answer))
    recalls = sk.recall_score(truth, answer, labels=sorted(set(truth)), average=None)
    assert_close(label_metrics.geometric_mean_of_recalls(counts), np.prod(recalls) ** (1 / len(recalls)))
    right, most = int(counts.correct.sum()), max(Counter(truth).values()) / len(truth)
    expected = binomtest(right, counts.n, most, alternative="greater").pvalue
    np.testing.assert_allclose(label_metrics.p_of_baseline(counts), expected, rtol=1e-9, atol=1e-300)
    majority = DummyClassifier(strategy="most_frequent").fit(np.zeros((len(truth), 1)), truth)
    assert_close(label_metrics.baseline_accuracy(counts), majority.score(np.zeros((len(truth), 1)), truth))


@given(pairs())
def test_overall_numbers_match_scikit_learn_with_unparseable(p):
    if p.truth:
        check_overall(p)


def test_numbers_of_thousand_classes_equal_scikit_learn():
    check_per_class(many_classes())
    check_overall(many_classes())


@given(pairs())
def test_parsed_accuracy_leaves_unparseable_rows_out(p):
    parsed = [(t, a) for t, a, code in zip(p.truth, p.answer, scored_codes(p), strict=True) if code != UNPARSEABLE]
    expected = np.mean([t == a for t, a in parsed]) if parsed else math.nan
    assert_close(label_metrics.accuracy_parsed(p.counts), expected)


def scored_codes(p):
    return [q for t, q in zip(p.y_true.tolist(), p.y_pred.tolist(), strict=True) if t >= 0 and q != -1]


def test_kappa_and_mcc_are_exact_with_billions():
    n = 5 * 10**9
    nearly_one_class = confusion_counts_from_matrix([[n, 1], [1, 1]], ("a", "b"))
    # 1 of 2 rows of the rare class is found and 1 of 2 calls of it is right; chance would find none.
    assert label_metrics.cohen_kappa(nearly_one_class) == pytest.approx(0.5, abs=1e-9)
    assert label_metrics.matthews_correlation(nearly_one_class) == pytest.approx(0.5, abs=1e-9)


def test_perfect_and_reversed_predictions_stay_inside_the_range():
    for n in (3, 10, 49, 1_000_003):
        perfect = confusion_counts_from_matrix(np.diag([n, 2 * n, 5]), ("a", "b", "c"))
        reverse = confusion_counts_from_matrix([[0, n], [n, 0]], ("a", "b"))
        assert label_metrics.matthews_correlation(perfect) == label_metrics.cohen_kappa(perfect) == 1.0
        assert label_metrics.matthews_correlation(reverse) == label_metrics.cohen_kappa(reverse) == -1.0


@pytest.mark.parametrize(
    ("support", "share", "evenness"),
    [
        ([5, 5], 0.5, 1.0),
        ([5, 5, 0], 0.5, 1.0),  # the absent class has no part in the evenness
        ([3, 1], 0.75, -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))),
        ([7, 0], 1.0, math.nan),
        ([0, 0], math.nan, math.nan),
        ([40] * 77, 1 / 77, 1.0),
    ],
)
def test_class_balance(support, share, evenness):
    counts = confusion_counts_from_matrix(np.diag(support), [str(i) for i in range(len(support))])
    balance = label_metrics.baseline_accuracy(counts), label_metrics.evenness(counts)
    assert_close(balance, (share, evenness))
    assert not balance[1] > 1.0


def test_without_rows_everything_is_undefined():
    counts = EMPTY.counts
    overall = (
        label_metrics.accuracy,
        label_metrics.accuracy_parsed,
        label_metrics.baseline_accuracy,
        label_metrics.balanced_accuracy,
        label_metrics.cohen_kappa,
        label_metrics.matthews_correlation,
    )
    assert all(math.isnan(number(counts)) for number in overall)
    assert np.isnan([formula.value(counts) for formula in (PRECISION, RECALL, F1, SPECIFICITY)]).all()
    assert counts.support.tolist() == counts.predicted.tolist() == counts.correct.tolist() == [0, 0]


def test_geometric_mean_of_many_classes_is_positive():
    matrix = np.diag(np.full(1000, 4)) + np.roll(np.diag(np.full(1000, 6)), 1, axis=1)
    counts = confusion_counts_from_matrix(matrix, tuple(map(str, range(1000))))
    assert_close(label_metrics.geometric_mean_of_recalls(counts), 0.4)
