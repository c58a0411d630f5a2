"""Curves and areas equal scikit-learn's wherever it defines them, and are undefined where it warns."""

import warnings

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from metrics.scores.curves import (
    average_precision,
    precision_recall_curve,
    roc_auc,
    roc_curve,
    score_counts,
)
from tests.metrics.scores.one_vs_rest import one_vs_rest

FINITE = st.floats(-1e300, 1e300, allow_nan=False)
HEAVY_TIES = st.sampled_from([-2.0, -1.0, -0.0, 0.0, 0.25, 0.5, 1.0, 5e-324, -5e-324])


@st.composite
def scored_rows(draw, score=FINITE | HEAVY_TIES, min_size=1):
    n = draw(st.integers(min_size, 60))
    return draw(hnp.arrays(bool, n)), draw(hnp.arrays(np.float64, n, elements=score))


@given(scored_rows(score=FINITE | HEAVY_TIES | st.sampled_from([np.inf, -np.inf, np.nan]), min_size=0))
def test_counts_equal_comparing_every_row_and_score(rows):
    y_true, y_score = rows
    counts = score_counts(y_true, y_score)
    known = ~np.isnan(y_score)
    assert counts.score.tolist() == sorted(set(y_score[known].tolist()), reverse=True)
    assert counts.tp.tolist() == [int((y_true & (y_score >= t)).sum()) for t in counts.score]
    assert counts.fp.tolist() == [int((~y_true & (y_score >= t)).sum()) for t in counts.score]
    assert counts.n_pos == (y_true & known).sum()
    assert counts.n_neg == (~y_true & known).sum()
    assert counts.n_without_score == (~known).sum()


@given(scored_rows())
def test_curves_and_areas_equal_scikit_learn(rows):
    y_true, y_score = rows
    counts = score_counts(y_true, y_score)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fpr, tpr, threshold = oracle.roc_curve(y_true, y_score, drop_intermediate=False)
        precision, recall, pr_threshold = oracle.precision_recall_curve(y_true, y_score)
    roc, pr = roc_curve(counts), precision_recall_curve(counts)
    np.testing.assert_allclose(roc.fpr, fpr, atol=1e-12)
    np.testing.assert_allclose(roc.tpr, tpr, atol=1e-12)
    np.testing.assert_array_equal(roc.threshold, threshold)
    np.testing.assert_allclose(pr.precision, precision[-2::-1], atol=1e-12)
    np.testing.assert_array_equal(pr.threshold, pr_threshold[::-1])
    if y_true.any():
        np.testing.assert_allclose(pr.recall, recall[-2::-1], atol=1e-12)
        assert average_precision(counts) == pytest.approx(oracle.average_precision_score(y_true, y_score), abs=1e-12)
    if y_true.any() and not y_true.all():
        assert roc_auc(counts) == pytest.approx(oracle.roc_auc_score(y_true, y_score), abs=1e-12)


@pytest.mark.parametrize("kind", ["probabilities", "logits", "ties", "float32", "integers", "strided"])
def test_large_arrays_equal_scikit_learn(kind):
    rng = np.random.default_rng(5)
    y_true = rng.random(50_000) < 0.2
    y_score = rng.normal(size=50_000) + y_true
    y_score = {
        "probabilities": 1 / (1 + np.exp(-y_score)),
        "logits": y_score,
        "ties": y_score.round(1),
        "float32": y_score.astype(np.float32),
        "integers": (y_score * 10).astype(int),
        "strided": np.stack([y_score, y_score], axis=1)[:, 0],
    }[kind]
    counts = score_counts(y_true, y_score)
    fpr, tpr, threshold = oracle.roc_curve(y_true, y_score, drop_intermediate=False)
    np.testing.assert_allclose(roc_curve(counts).fpr, fpr, atol=1e-12)
    np.testing.assert_allclose(roc_curve(counts).tpr, tpr, atol=1e-12)
    np.testing.assert_array_equal(roc_curve(counts).threshold, threshold)
    assert roc_auc(counts) == pytest.approx(oracle.roc_auc_score(y_true, y_score), abs=1e-12)
    assert average_precision(counts) == pytest.approx(oracle.average_precision_score(y_true, y_score), abs=1e-12)


@pytest.mark.parametrize("last", [0.5, -0.0, 1.0, np.nan, 1.5, np.inf, -0.25, 0.12345, np.nextafter(0.5, 1)])
@pytest.mark.parametrize("decimals", [1, 4])
def test_rounded_scores_are_counted_like_others(decimals, last):
    draw = np.random.default_rng(decimals)
    y_true, y_score = draw.random(20_001) < 0.3, np.append(draw.random(20_000).round(decimals), last)
    counts, lines = score_counts(y_true, y_score), score_counts(y_true, y_score, np.ones(20_001, int))
    for column, expected in zip(counts, lines, strict=True):
        np.testing.assert_array_equal(column, expected)
    if not np.isnan(last):
        assert roc_auc(counts) == pytest.approx(oracle.roc_auc_score(y_true, np.clip(y_score, -9, 9)), abs=1e-12)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_scores_differing_in_the_last_bit_stay_apart(sign):
    scores = sign * np.array([0.5, np.nextafter(0.5, 1), 0.5, np.nextafter(0.5, 0), 1e300, np.nextafter(1e300, 0)])
    assert len(score_counts(np.ones(6, bool), scores).score) == 5


def test_minus_zero_is_zero():
    counts = score_counts(np.array([True, False, True]), np.array([0.0, -0.0, -1.0]))
    assert counts.score.tolist() == [0.0, -1.0]
    assert not np.signbit(counts.score[0])
    assert counts.tp.tolist() == [1, 2]


def test_counting_leaves_the_scores_as_they_were():
    scores = np.array([0.25, -0.0, 0.75])
    score_counts(np.array([True, False, True]), scores)
    assert scores.tolist() == [0.25, 0.0, 0.75] and np.signbit(scores[1])


def test_areas_without_one_of_the_classes_are_undefined():
    only_positives, only_negatives = (
        score_counts(np.full(3, kind), np.array([0.1, 0.2, 0.3])) for kind in (True, False)
    )
    assert np.isnan([roc_auc(only_positives), roc_auc(only_negatives), average_precision(only_negatives)]).all()
    assert average_precision(only_positives) == 1.0
    assert np.isnan(roc_curve(only_positives).fpr).all() and roc_curve(only_positives).tpr[-1] == 1.0
    assert np.isnan(roc_curve(only_negatives).tpr).all()
    assert np.isnan(precision_recall_curve(only_negatives).recall).all()


def test_no_rows_give_undefined_areas():
    counts = score_counts(np.array([], bool), np.array([]))
    assert np.isnan([roc_auc(counts), average_precision(counts)]).all()
    curve = roc_curve(counts)
    assert np.isnan([*curve.fpr, *curve.tpr]).all() and curve.threshold.tolist() == [np.inf]


@pytest.mark.parametrize(
    ("y_true", "y_score", "error", "said"),
    [
        ([0, 1, 2], [0.1, 0.2, 0.3], TypeError, "bool"),
        ([True], ["0.5"], TypeError, "numbers"),
        ([True, False], [0.5], ValueError, "equally long"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(y_true, y_score, error, said):
    with pytest.raises(error, match=said):
        score_counts(np.array(y_true), np.array(y_score))


@pytest.fixture
def three_classes():
    rng = np.random.default_rng(11)
    y_true = rng.choice(3, size=400, p=[0.6, 0.3, 0.1])
    scores = rng.dirichlet(np.ones(3), size=400).round(2) + 0.3 * np.eye(3)[y_true]
    return y_true, scores / scores.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_one_against_the_rest_equals_scikit_learn(three_classes, average):
    y_true, y_score = three_classes
    result = one_vs_rest(y_true, y_score, (0, 1, 2))
    expected = oracle.roc_auc_score(y_true, y_score, multi_class="ovr", average=average)
    assert getattr(result, f"{average}_auc") == pytest.approx(expected, abs=1e-12)
    assert result.n_pos.tolist() == np.bincount(y_true).tolist()


def test_columns_may_stand_in_any_order(three_classes):
    y_true, y_score = three_classes
    straight, turned = one_vs_rest(y_true, y_score, (0, 1, 2)), one_vs_rest(y_true, y_score[:, [2, 0, 1]], (2, 0, 1))
    assert turned.auc.tolist() == straight.auc[[2, 0, 1]].tolist()
    assert turned.macro_ap == pytest.approx(straight.macro_ap, abs=1e-15)


def test_class_without_true_rows_leaves_the_average(three_classes):
    y_true, y_score = three_classes
    some = y_true != 2
    result = one_vs_rest(y_true[some], y_score[some], (0, 1, 2))
    assert np.isnan(result.auc[2]) and np.isnan(result.average_precision[2])
    assert result.macro_auc == pytest.approx(result.auc[:2].mean(), abs=1e-15)
    assert result.weighted_auc == pytest.approx(np.average(result.auc[:2], weights=result.n_pos[:2]), abs=1e-15)


def test_incomplete_rows_take_no_part(three_classes):
    y_true, y_score = three_classes
    more_true, more_score = np.append(y_true, [-1, 0]), np.vstack([y_score, [0.9, 0.05, 0.05], [np.nan] * 3])
    result, expected = one_vs_rest(more_true, more_score, (0, 1, 2)), one_vs_rest(y_true, y_score, (0, 1, 2))
    assert result.auc.tolist() == expected.auc.tolist()
    assert result.n_without_score.tolist() == [1, 1, 1]


def test_label_sets_are_judged_label_by_label():
    rng = np.random.default_rng(3)
    y_true, y_score = rng.random((300, 4)) < 0.3, rng.random((300, 4)).round(1)
    result = one_vs_rest(y_true, y_score, (0, 1, 2, 3))
    assert result.macro_auc == pytest.approx(oracle.roc_auc_score(y_true, y_score, average="macro"), abs=1e-12)
    assert result.weighted_auc == pytest.approx(oracle.roc_auc_score(y_true, y_score, average="weighted"), abs=1e-12)
    assert result.macro_ap == pytest.approx(oracle.average_precision_score(y_true, y_score), abs=1e-12)


def test_everything_undefined_gives_undefined_averages():
    result = one_vs_rest(np.array([0, 0]), np.array([[0.5], [0.6]]), (0,))
    assert np.isnan([result.macro_auc, result.weighted_auc]).all()
    assert result.macro_ap == 1.0


def test_score_columns_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="y_score must be"):
        one_vs_rest(np.array([0, 1]), np.ones((2, 3)), (0, 1))
