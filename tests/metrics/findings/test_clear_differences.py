"""A difference is told only where its interval leaves zero out: few rows tell less than many."""

from types import SimpleNamespace

import numpy as np
import pytest

from metrics.confusion.counts import confusion_counts_from_matrix
from metrics.findings.clear_differences import better_threshold_is_clear, gap_is_clear, gap_of_cells_is_clear
from metrics.findings.findings import Tables, findings, tables_of
from metrics.findings.single_label import over_baseline
from metrics.intervals.joint_counts import label_joint_counts
from metrics.scores.curves import score_counts
from metrics.shares import outnumbers
from metrics.thresholds.threshold_metrics import best_thresholds


def codes(matrix):
    counts = confusion_counts_from_matrix(matrix, tuple("abc"))
    return {finding.code for finding in findings(Tables(n_rows=counts.n, confusion=counts))}


@pytest.mark.parametrize(("times", "clear"), [(1, False), (20, True)])
def test_gap_needs_rows_enough(times, clear):
    matrix = np.array([[12, 0, 0], [2, 1, 0], [2, 0, 1]]) * times
    assert gap_is_clear(confusion_counts_from_matrix(matrix, tuple("abc"))) == clear
    assert ("macro_far_below_micro" in codes(matrix)) == clear


@pytest.mark.parametrize(("times", "clear"), [(1, False), (60, True)])
def test_gap_of_labels_needs_rows_enough(times, clear):
    of_a, missed = np.array([[1, 0, 0]] * 12), np.array([0, 1, 1])
    of_b, of_c = np.array([[0, 1, 0]] * 3), np.array([[0, 0, 1]] * 3)
    truth = np.tile(np.concatenate([of_a, of_b, of_c]), (times, 1)).astype(bool)
    pred = truth & ~np.tile(np.repeat([0, *missed, *missed], [12, 1, 1, 1, 1, 1, 1]).astype(bool), times)[:, None]
    p = SimpleNamespace(
        task="multilabel", labels=tuple("abc"), n_space=3, listed=None, y_true=truth, y_pred=pred, weights=None,
        scored=np.ones(18 * times, bool), positive=None, n_rows=18 * times, n_missing_truth=0, n_missing_pred=0,
        has_predictions=True, effective_threshold=0.5,
    )  # fmt: skip
    told = {finding.code for finding in findings(tables_of(p))}
    cells = label_joint_counts(truth, [pred], n_space=3)
    assert ("macro_far_below_micro" in told) == clear == gap_of_cells_is_clear(cells)


def test_baseline_is_compared_on_the_same_rows():
    counts = confusion_counts_from_matrix(np.array([[50, 0], [5, 5]]), ("a", "b"))
    found = over_baseline(counts)
    assert found.low > 0, "the five rows that only the model has right are no chance"
    few = over_baseline(confusion_counts_from_matrix(np.array([[49, 1], [8, 2]]), ("a", "b")))
    assert few.low < 0 < few.high and not outnumbers(3, 1)


@pytest.mark.parametrize(("n", "clear"), [(30, False), (3_000, True)])
def test_better_threshold_needs_rows_enough(n, clear):
    random = np.random.default_rng(4)
    truth = random.random(n) < 0.3
    scores = score_counts(truth, np.clip(0.3 * truth + random.normal(0.35, 0.2, n), 0, 1))
    best = best_thresholds(scores)["f1"].threshold
    assert better_threshold_is_clear(scores, 0.8, best) == clear
    assert not better_threshold_is_clear(scores, best, 0.8), "the other way round it is worse"
    told = {finding.code for finding in findings(Tables(n_rows=n, scores=scores, positive=1, threshold=0.8))}
    assert ("threshold_far_from_best" in told) == clear


def test_backwards_ranking_needs_rows_enough():
    for n, code in ((2, "chance_ranking"), (60, "reversed_score")):
        scores = score_counts(np.tile([True, True, False, False], n), np.tile([0.1, 0.5, 0.4, 0.6], n))
        assert findings(Tables(n_rows=n, scores=scores, positive=1, threshold=float("nan")))[0].code == code
