"""Rates at a threshold, look-ups and best thresholds, against scikit-learn and slow obvious versions."""

from time import thread_time
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from metrics.scores.curves import roc_auc, score_counts
from metrics.thresholds import threshold_metrics
from metrics.thresholds.choose import Rule, choose
from metrics.thresholds.roc_hull import upper_hull
from metrics.thresholds.threshold_metrics import COUNTS, RATES, best_thresholds, rates, rates_at
from tests.metrics.pairs import matthews

SCORE = st.floats(-5, 5) | st.sampled_from([-1.0, 0.0, 0.5, 1.0])


@st.composite
def scored_rows(draw, min_size=1):
    n = draw(st.integers(min_size, 40))
    return draw(hnp.arrays(bool, n)), draw(hnp.arrays(np.float64, n, elements=SCORE))


pytestmark = pytest.mark.filterwarnings("ignore:A single label was found")  # the oracle of MCC, on purpose


def by_hand(y_true, y_score, threshold):
    """Every rate straight from its definition, undefined where it is 0/0."""
    pred = y_score >= threshold
    tp, fp, fn, tn = (int(x.sum()) for x in (y_true & pred, ~y_true & pred, y_true & ~pred, ~y_true & ~pred))

    def share(part, whole):
        return part / whole if whole else np.nan

    recall, specificity = share(tp, tp + fn), share(tn, tn + fp)
    columns = [
        *(threshold, tp, fp, fn, tn, share(tp, tp + fp), recall, specificity),
        *(share(fp, fp + tn), share(tn, tn + fn), share(tp + tn, len(y_true)), (recall + specificity) / 2),
        *(share(2 * tp, 2 * tp + fp + fn), recall + specificity - 1),
        matthews(y_true.tolist(), pred.tolist()),
        share(tp + fp, len(y_true)),
    ]
    return SimpleNamespace(**dict(zip((*COUNTS, *RATES), columns, strict=True)))


@given(scored_rows())
def test_every_rate_at_every_score_is_its_definition(rows):
    table = rates(score_counts(*rows)).to_dict()
    for i, threshold in enumerate(table["threshold"]):
        expected = vars(by_hand(*rows, threshold))
        assert list(table) == list(expected)
        np.testing.assert_allclose([column[i] for column in table.values()], [*expected.values()], atol=1e-12)


@given(scored_rows(), st.floats(-6, 6) | st.sampled_from([np.inf, -np.inf]))
def test_look_up_equals_its_definition(rows, threshold):
    found, expected = rates_at(score_counts(*rows), threshold).to_dict(), vars(by_hand(*rows, threshold))
    np.testing.assert_allclose([*found.values()], [*expected.values()], atol=1e-12)


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.9])
def test_rates_equal_scikit_learn(threshold):
    rng = np.random.default_rng(1)
    y_true = rng.random(2000) < 0.3
    y_score = np.clip(rng.normal(0.4, 0.2, 2000) + 0.2 * y_true, 0, 1).round(2)
    found, pred = rates_at(score_counts(y_true, y_score), threshold), y_score >= threshold
    assert [found.tn, found.fp, found.fn, found.tp] == oracle.confusion_matrix(y_true, pred).ravel().tolist()
    for name, function in {
        "precision": oracle.precision_score,
        "recall": oracle.recall_score,
        "f1": oracle.f1_score,
        "accuracy": oracle.accuracy_score,
        "balanced_accuracy": oracle.balanced_accuracy_score,
        "mcc": oracle.matthews_corrcoef,
    }.items():
        assert getattr(found, name) == pytest.approx(function(y_true, pred), abs=1e-12), name


def test_a_score_equal_to_the_threshold_is_positive():
    counts = score_counts(np.array([True, False]), np.array([0.5, np.nextafter(0.5, 0)]))
    assert (rates_at(counts, 0.5).tp, rates_at(counts, 0.5).fp) == (1, 0)


def test_a_look_up_gives_plain_numbers():
    found = rates_at(score_counts(np.array([True, False]), np.array([0.5, 0.25])), 0.3)
    assert [type(value) for value in found.to_dict().values()] == [float] + [int] * 4 + [float] * 11


def test_no_rows_leave_every_rate_undefined():
    found = rates_at(score_counts(np.array([], bool), np.array([])), 0.5)
    assert [*found.to_dict().values()][1:5] == [0, 0, 0, 0]
    assert np.isnan([*found.to_dict().values()][5:]).all()
    columns = rates(score_counts(np.array([], bool), np.array([]))).to_dict()
    assert [len(column) for column in columns.values()] == [0] * 16


def test_a_threshold_of_nan_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        rates_at(score_counts(np.array([True]), np.array([0.5])), float("nan"))


def test_look_up_in_a_million_scores_is_fast():
    rng = np.random.default_rng(0)
    counts = score_counts(rng.random(1_000_000) < 0.3, rng.random(1_000_000))
    seconds = []
    for threshold in rng.random(300).tolist():
        start = thread_time()
        rates_at(counts, threshold)
        seconds.append(thread_time() - start)
    assert np.median(seconds) < 1e-4


@given(scored_rows(), st.sampled_from([0.0, 1.0, 5.0]), st.sampled_from([0.0, 3.0]), st.sampled_from([2, 5, 256]))
def test_best_thresholds_are_highest_of_equals(rows, cost_fp, cost_fn, run):
    y_true, y_score = rows
    with patch.object(threshold_metrics, "_RUN", run):
        best = best_thresholds(score_counts(y_true, y_score), cost_fp=cost_fp, cost_fn=cost_fn)
    tried = [by_hand(y_true, y_score, t) for t in [np.inf, *sorted(set(y_score.tolist()), reverse=True)]]
    values = {name: [getattr(at, name) for at in tried] for name in ("f1", "youden_j", "balanced_accuracy")}
    values["cost"] = [-(cost_fp * at.fp + cost_fn * at.fn) / len(y_true) for at in tried]
    for name, value in values.items():
        if (name == "f1" and not y_true.any()) or (name in ("youden_j", "balanced_accuracy") and len(set(y_true)) < 2):
            assert np.isnan(best[name]).all()
            continue
        highest = next(i for i, v in enumerate(value) if v >= max(value) - 1e-12)
        assert abs(best[name].value) == pytest.approx(abs(max(value)), abs=1e-12), name
        assert best[name].threshold == tried[highest].threshold, name


def test_billions_of_rows_give_the_same_numbers():
    y_true, y_score = np.array([True, False, True, False]), np.array([0.9, 0.8, 0.4, 0.1])
    few, many = (score_counts(y_true, y_score, np.full(4, rows)) for rows in (1, 3_000_000_000))
    assert roc_auc(many) == roc_auc(few) == 0.75
    assert best_thresholds(many) == best_thresholds(few)
    assert choose(many, Rule("youden_j")) == choose(few, Rule("youden_j"))
    np.testing.assert_allclose(rates(many).mcc, rates(few).mcc)
    assert upper_hull(many.fp, many.tp).tolist() == upper_hull(few.fp, few.tp).tolist()


def test_costlier_misses_lower_the_threshold():
    counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    assert best_thresholds(counts, cost_fp=3.0)["cost"] == (0.9, 0.25)
    assert best_thresholds(counts, cost_fn=3.0)["cost"] == (0.4, 0.25)


@pytest.mark.parametrize(
    ("is_true", "score", "cost"),
    [
        ([False, False, True], [0.9, 0.8, 0.1], 1 / 3),
        ([False, False], [np.inf, 0.5], 0.5),  # the infinite score stays positive, and costs
    ],
)
def test_cheapest_threshold_may_be_infinite(is_true, score, cost):
    counts = score_counts(np.array(is_true), np.array(score))
    assert best_thresholds(counts)["cost"] == (np.inf, pytest.approx(cost))


@pytest.mark.parametrize("cost", [-1.0, np.inf, np.nan])
def test_costs_that_mean_nothing_are_refused(cost):
    with pytest.raises(ValueError, match="costs"):
        best_thresholds(score_counts(np.array([True]), np.array([0.5])), cost_fn=cost)
