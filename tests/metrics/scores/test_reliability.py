"""Bins hold the rows that they say, never split a score, and give scikit-learn's calibration curve."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.calibration import calibration_curve

from metrics.scores.curves import score_counts
from metrics.scores.reliability import per_score, reliability, weigh_bins

BY = ("mass", "width")


@st.composite
def tied_rows(draw):
    """A few rows with many ties; probabilities in tenths, so that they also lie on the edges of bins."""
    n = draw(st.integers(1, 60))
    tenths = draw(st.lists(st.integers(0, 10), min_size=n, max_size=n))
    truths = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return np.array(truths), np.array(tenths) / 10


def continuous(n=1000, seed=0):
    rng = np.random.default_rng(seed)
    score = rng.beta(0.7, 1.3, n)
    return rng.random(n) < score**1.5, score


@pytest.mark.parametrize(("by", "strategy"), [("mass", "quantile"), ("width", "uniform")])
@pytest.mark.parametrize("bins", [2, 5, 10, 20])
def test_the_curve_is_scikit_learns(by, strategy, bins):
    y_true, score = continuous()
    found = reliability(score_counts(y_true, score), bins=bins, by=by)
    share, mean = calibration_curve(y_true, score, n_bins=bins, strategy=strategy)
    np.testing.assert_allclose(found.positive_share[found.n > 0], share)
    np.testing.assert_allclose(found.mean_score[found.n > 0], mean)


@given(tied_rows(), st.integers(1, 20), st.sampled_from(BY))
def test_bin_numbers_equal_a_loop(rows, bins, by):
    y_true, score = rows
    found = reliability(score_counts(y_true, score), bins=bins, by=by)
    assert found.n.sum() == len(score)
    for i in np.flatnonzero(found.n):
        inside = (score >= found.score_low[i]) & (score <= found.score_high[i])
        assert (found.n[i], found.n_positive[i]) == (inside.sum(), y_true[inside].sum())
        assert found.mean_score[i] == pytest.approx(score[inside].mean())
        assert found.variance[i] == pytest.approx(score[inside].var(), abs=1e-12)
        covariance = np.mean((score[inside] - score[inside].mean()) * (y_true[inside] - y_true[inside].mean()))
        assert found.covariance[i] == pytest.approx(covariance, abs=1e-12)


@given(tied_rows(), st.integers(1, 20))
def test_equal_mass_bins_split_no_score(rows, bins):
    found = reliability(score_counts(*rows), bins=bins)
    assert 1 <= len(found.n) <= bins and (found.n > 0).all()
    assert (found.score_high[:-1] < found.score_low[1:]).all()
    assert found.edges.tolist() == [*found.score_low.tolist(), found.score_high[-1]]


def test_equal_mass_bins_hold_equal_rows_without_ties():
    y_true, score = continuous(1003)
    assert set(reliability(score_counts(y_true, score), bins=10).n) == {100, 101}


def test_score_of_half_the_rows_is_one_bin():
    score = np.array([0.0] * 50 + list(np.linspace(0.5, 1, 50)))
    found = reliability(score_counts(score > 0.7, score), bins=10)
    assert found.n[0] == 50 and len(found.n) == 6


def test_tenth_belongs_to_the_bin_it_begins():
    score = np.arange(11) / 10
    assert reliability(score_counts(score > 0.5, score), by="width").n.tolist() == [1] * 9 + [2]


def test_empty_bin_is_undefined():
    found = reliability(score_counts(np.array([True, False]), np.array([0.9, 0.95])), bins=2, by="width")
    assert found.n.tolist() == [0, 2]
    assert np.isnan([found.mean_score[0], found.positive_share[0], found.gap[0], found.score_low[0]]).all()
    assert np.isnan([bound[0] for bound in found.interval()]).all()


@pytest.mark.parametrize("by", BY)
def test_logits_are_binned_by_their_sigmoid(by):
    y_true, score = continuous()
    logit = np.log(score / (1 - score))
    of_logits = reliability(score_counts(y_true, logit), by=by, from_logits=True)
    of_scores = reliability(score_counts(y_true, score), by=by)
    assert of_logits.n.tolist() == of_scores.n.tolist()
    np.testing.assert_allclose(of_logits.mean_score, of_scores.mean_score)
    np.testing.assert_allclose(1 / (1 + np.exp(-of_logits.score_low)), of_scores.score_low)


def test_huge_logits_are_certain():
    found = reliability(score_counts(np.array([True, False]), np.array([np.inf, -1e4])), bins=2, from_logits=True)
    assert found.mean_score.tolist() == [0.0, 1.0] and found.positive_share.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("score", [[], [np.nan, np.nan], [0.5, 1.5], [-0.1, 0.5]])
@pytest.mark.parametrize("by", BY)
def test_without_probabilities_there_are_no_bins(score, by):
    found = reliability(score_counts(np.ones(len(score), bool), np.array(score, float)), by=by)
    assert len(found.n) == len(found.gap) == 0


def test_no_bins_and_an_unknown_way_are_refused():
    counts = score_counts(np.array([True]), np.array([0.5]))
    for wrong in ({"bins": 0}, {"by": "chance"}):
        with pytest.raises(ValueError, match="At least one bin"):
            reliability(counts, **wrong)


def test_rows_per_score_equal_the_score_counts():
    counts = score_counts(*continuous(300))
    n, positive = per_score(counts)
    assert np.cumsum(positive).tolist() == counts.tp.tolist()
    assert np.cumsum(n - positive).tolist() == counts.fp.tolist()


@pytest.mark.parametrize("unit", [1e-90, 1e90])
def test_bins_of_huge_weights_tell_as_much(unit):
    rng = np.random.default_rng(4)
    score, units = rng.random(400).round(2), rng.integers(1, 4, 400)
    is_true = rng.random(400) < score
    bins = reliability(score_counts(is_true, score, units))
    lines = is_true, score, units**2.0, np.ones(400, dtype=np.int64)
    small, scaled = (weigh_bins(bins, *lines, each) for each in (1.0, unit))
    assert scaled.effective_n == pytest.approx(small.effective_n) and (scaled.is_few == small.is_few).all()
    assert np.array(scaled.interval()) == pytest.approx(np.array(small.interval()), nan_ok=True)
    assert scaled.n == pytest.approx(small.n * unit)
