"""Multi-label numbers equal scikit-learn's for every average, and are undefined where it warns."""

import warnings
from functools import partial

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given, strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from metrics.confusion.averages import macro, micro, weighted
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import multilabel_counts
from metrics.outcomes import F1, JACCARD, PRECISION, RECALL

AVERAGES = {
    "micro": micro,
    "macro": partial(macro, over="all"),
    "weighted": weighted,
    "samples": set_metrics.mean_over_rows,
}
SCORES = {
    "f1": (F1, oracle.f1_score),
    "precision": (PRECISION, oracle.precision_score),
    "recall": (RECALL, oracle.recall_score),
    "jaccard": (JACCARD, oracle.jaccard_score),
}


def counted(y_true, y_pred):
    return multilabel_counts(y_true, y_pred, tuple(f"label {i}" for i in range(y_true.shape[1])))


@st.composite
def label_sets(draw, max_labels=5):
    n, n_labels = draw(st.integers(1, 30)), draw(st.integers(2, max_labels))
    rng, share = np.random.default_rng(draw(st.integers(0, 2**32 - 1))), draw(st.sampled_from([0.1, 0.4, 0.9]))
    return rng.random((n, n_labels)) < share, rng.random((n, n_labels)) < share


@given(label_sets())
def test_accuracies_and_tables_equal_scikit_learn(sets):
    y_true, y_pred = sets
    counts = counted(y_true, y_pred)
    assert set_metrics.subset_accuracy(counts) == pytest.approx(oracle.accuracy_score(y_true, y_pred), abs=1e-12)
    assert set_metrics.hamming_loss(counts) == pytest.approx(oracle.hamming_loss(y_true, y_pred), abs=1e-12)
    assert set_metrics.per_label_accuracy(counts) == pytest.approx((y_true == y_pred).mean(), abs=1e-12)
    tables = oracle.multilabel_confusion_matrix(y_true, y_pred)
    mine = np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=1).reshape(-1, 2, 2)
    np.testing.assert_array_equal(mine, tables)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("average", AVERAGES)
@given(sets=label_sets())
def test_averages_equal_scikit_learn_or_are_undefined(name, average, sets):
    y_true, y_pred = sets
    mine, theirs = SCORES[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedMetricWarning)
        expected = theirs(y_true, y_pred, average=average)
    found = AVERAGES[average](counted(y_true, y_pred), mine)
    if average == "weighted":
        expected = np.nan if _undefined_where_it_has_weight(name, y_true, y_pred) else expected
    elif average != "samples" and caught:
        expected = np.nan
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def _undefined_where_it_has_weight(name, y_true, y_pred):
    """scikit-learn warns about labels without weight, too, and calls a mean without any weight 0."""
    supported = y_true.any(axis=0)
    return not supported.any() or (name == "precision" and not y_pred.any(axis=0)[supported].all())


@given(label_sets(max_labels=4))
def test_labels_a_row_are_counted(sets):
    y_true, y_pred = sets
    found = set_metrics.labels_per_row(counted(y_true, y_pred))
    assert found.true_rows.tolist() == [int((y_true.sum(axis=1) == k).sum()) for k in found.n_labels]
    assert found.pred_rows.tolist() == [int((y_pred.sum(axis=1) == k).sum()) for k in found.n_labels]
    assert found.true_rows.sum() == found.pred_rows.sum() == len(y_true)
    assert found.mean_true == pytest.approx(y_true.sum(axis=1).mean())
    assert found.mean_pred == pytest.approx(y_pred.sum(axis=1).mean())


@pytest.mark.parametrize("n_labels", [1, 20, 300])
@pytest.mark.parametrize("order", ["C", "F"])
def test_many_rows_are_counted_block_by_block(n_labels, order):
    rng = np.random.default_rng(n_labels)
    y_true, y_pred = (np.array(rng.random((9_001, n_labels)) < 0.97, order=order) for _ in range(2))
    counts = counted(y_true, y_pred)
    assert counts.tp.tolist() == (y_true & y_pred).sum(axis=0).tolist()
    assert counts.tn.tolist() == (~y_true & ~y_pred).sum(axis=0).tolist()
    sums = counts.row_sums
    assert counts.n == 9_001
    assert (sums.rows * sums.n_true).sum() == y_true.sum()
    assert (sums.rows * sums.union).sum() == (y_true | y_pred).sum()
    assert (sums.rows * sums.intersection).sum() == (y_true & y_pred).sum()
    assert counts.n_exact == (y_true == y_pred).all(axis=1).sum()


def test_no_rows_leave_everything_undefined():
    counts = counted(np.zeros((0, 3), bool), np.zeros((0, 3), bool))
    values = [
        set_metrics.subset_accuracy(counts),
        set_metrics.per_label_accuracy(counts),
        set_metrics.hamming_loss(counts),
    ]
    values += [average(counts, mine) for mine, _ in SCORES.values() for average in AVERAGES.values()]
    assert np.isnan(values).all()
    assert set_metrics.labels_per_row(counts).true_rows.tolist() == [0]


def test_wrong_arrays_are_refused():
    with pytest.raises(TypeError, match="bool"):
        counted(np.array([[0, 1]]), np.array([[0, 1]]))
    with pytest.raises(ValueError, match="2 labels"):
        multilabel_counts(np.zeros((1, 2), bool), np.zeros((1, 3), bool), ("a", "b"))
