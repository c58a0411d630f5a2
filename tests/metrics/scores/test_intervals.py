"""Intervals of the AUC and bands of the curves, against definitions written out and plain resampling of rows."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from metrics.scores import intervals
from metrics.scores.curves import ScoreCounts, roc_auc, score_counts
from metrics.scores.intervals import GROUPS, auc_interval, auc_standard_error, pr_band, roc_band


def rows(rng, n, *, ties=False, share=0.4):
    truth = rng.random(n) < share
    truth[:2], truth[2:4] = True, False
    score = rng.normal(size=n) + truth
    return truth, np.round(score) if ties else score


def delong(truth, score):
    """The variance of DeLong, DeLong & Clarke-Pearson 1988 as they define it: every pair compared."""
    pos, neg = score[truth], score[~truth]
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    return wins.mean(axis=1).var(ddof=1) / len(pos) + wins.mean(axis=0).var(ddof=1) / len(neg)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [5, 30, 300])
def test_standard_error_equals_the_definition(n, ties):
    truth, score = rows(np.random.default_rng(n), n, ties=ties)
    assert auc_standard_error(score_counts(truth, score)) ** 2 == pytest.approx(delong(truth, score), abs=1e-14)


def test_infinite_scores_are_scores_like_others():
    truth = np.array([True, False, True, False, True])
    score = np.array([np.inf, -np.inf, 0.5, 0.5, -np.inf])
    rank = np.array([3.0, 1.0, 2.0, 2.0, 1.0])
    assert auc_standard_error(score_counts(truth, score)) ** 2 == pytest.approx(delong(truth, rank))


def test_interval_covers_the_auc_at_its_level():
    truth = np.arange(200) < 60
    hits = 0
    for seed in range(400):
        score = np.random.default_rng(seed).normal(size=200) + 1.5 * truth
        found = auc_interval(score_counts(truth, score))
        hits += found.low <= 0.8555778168 <= found.high  # the normal distribution function at 1.5 / sqrt(2)
    assert 0.92 <= hits / 400 <= 0.98


def test_wider_level_gives_a_wider_interval():
    counts = score_counts(*rows(np.random.default_rng(3), 12))
    some, more = auc_interval(counts, level=0.8), auc_interval(counts, level=0.99)
    assert 0 < more.low < some.low < some.auc < some.high < more.high < 1
    assert some.auc == roc_auc(counts) and "DeLong" in some.method


@pytest.mark.parametrize(
    ("truth", "score"),
    [([True, False, False], [0.9, 0.1, 0.95]), ([True] * 4, [0.1, 0.2, 0.3, 0.4]), ([], [])],
)
def test_bounds_need_two_rows_of_each_class(truth, score):
    found = auc_interval(score_counts(np.array(truth, dtype=bool), np.array(score, dtype=float)))
    assert np.isnan([found.low, found.high, found.standard_error]).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_separated_sides_have_auc_without_interval(sign):
    truth = np.arange(20) >= 10
    found = auc_interval(score_counts(truth, sign * np.arange(20.0)))
    assert found.auc == (sign == 1) and np.isnan([found.low, found.high]).all()


def resampled(truth, score, read, replicates=800):
    """The same band by drawing rows, each side by itself."""
    rng = np.random.default_rng(1)
    pos, neg = score[truth], score[~truth]
    found = []
    for _ in range(replicates):
        p, n = rng.choice(pos, len(pos)), rng.choice(neg, len(neg))
        found.append(read(p, n))
    return np.quantile(found, [0.025, 0.975], axis=0)


def recall_at(p, n, x):
    """The highest recall of a threshold whose false positive rate is at most x, for x reached exactly."""
    thresholds = np.unique(np.concatenate([p, n, [np.inf]]))
    return max((p >= t).mean() for t in thresholds if (n >= t).mean() <= x + 1e-12)


def precision_at(p, n, x):
    threshold = max(t for t in np.unique(p) if (p >= t).mean() >= x - 1e-12)
    return (p >= threshold).sum() / ((p >= threshold).sum() + (n >= threshold).sum())


@pytest.mark.parametrize("x", [0.0, 0.2, 0.5, 0.8])
def test_the_bands_are_those_of_drawing_rows_again(x):
    rng = np.random.default_rng(7)
    truth = np.arange(200) < 100
    score = np.round(rng.normal(size=200) + truth, 3)
    counts = score_counts(truth, score)
    at = round(200 * x)
    for band, read in ((roc_band(counts), recall_at), (pr_band(counts), precision_at)):
        expected = resampled(truth, score, lambda p, n, read=read: read(p, n, x))
        assert band.x[at] == pytest.approx(x)
        assert [band.low[at], band.high[at]] == pytest.approx(expected, abs=0.035)


def test_band_is_stable_for_a_seed():
    counts = score_counts(*rows(np.random.default_rng(5), 100))
    once, again, other = roc_band(counts), roc_band(counts), roc_band(counts, seed=1)
    assert (once.low == again.low).all() and (once.low != other.low).any()
    assert (once.seed, once.replicates, once.level) == (0, 500, 0.95) and "bootstrap" in once.method


def test_scores_are_drawn_singly_up_to_1000():
    counts = score_counts(*rows(np.random.default_rng(2), 1000))
    assert roc_band(counts, replicates=2).n_groups == len(counts.score) == 1000


@pytest.mark.parametrize("band", [roc_band, pr_band])
def test_groups_of_scores_give_the_same_band(monkeypatch, band):
    counts = score_counts(*rows(np.random.default_rng(2), 4000, share=0.1))
    grouped = band(counts)
    monkeypatch.setattr(intervals, "GROUPS", 10_000)
    single = band(counts)
    assert 500 <= grouped.n_groups <= 1000 < single.n_groups == grouped.n_distinct
    beyond = slice(4, None)  # of 400 positives the first few decide the precision at the very lowest recalls
    for side in ("low", "high"):
        assert np.abs(getattr(grouped, side) - getattr(single, side))[beyond].max() < 0.05


def test_the_curve_itself_lies_inside_its_band():
    counts = score_counts(*rows(np.random.default_rng(8), 5000))
    band = roc_band(counts)
    curve = np.interp(band.x, counts.fp / counts.n_neg, counts.tp / counts.n_pos)
    assert ((band.low <= curve + 1e-9) & (curve <= band.high + 1e-9)).mean() > 0.98


@pytest.mark.parametrize("band", [roc_band, pr_band])
def test_without_positives_a_band_is_undefined(band):
    for truth in ([], [False, False]):
        found = band(score_counts(np.array(truth, dtype=bool), np.arange(len(truth), dtype=float)), replicates=5)
        assert np.isnan(found.low).all() and np.isnan(found.high).all()


def test_the_auc_beside_the_interval_is_scikit_learns():
    truth, score = rows(np.random.default_rng(11), 500, ties=True)
    assert auc_interval(score_counts(truth, score)).auc == pytest.approx(roc_auc_score(truth, score))


def test_adversarial_ties_stay_within_the_groups():
    n = 3000  # every distinct score holds one row, but one score holds half of the positives
    score = np.arange(n, 0, -1, dtype=float)
    tp = np.cumsum(np.where(np.arange(n) == 1500, 100_000, 1))
    fp = np.cumsum(np.ones(n, dtype=np.int64))
    band = roc_band(ScoreCounts(score, tp, fp, int(tp[-1]), n), replicates=20)
    assert band.n_groups <= GROUPS and band.high[-1] == 1
