"""Classes against the rest: the numbers of the single functions, and scikit-learn's, in one table."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from metrics.scores.curves import score_counts
from metrics.scores.intervals import auc_interval
from metrics.scores.ranking import join_rankings, ranking


def classes(seed=0, n=300, k=5):
    rng = np.random.default_rng(seed)
    truth = rng.integers(k - 1, size=n)  # the last class has no true row
    return truth, rng.random((n, k)) + (truth[:, None] == np.arange(k)) * np.linspace(0, 1, k)


def counted(truth, score):
    return [score_counts(truth == code, score[:, code]) for code in range(score.shape[1])]


def test_every_class_equals_scikit_learn_with_interval():
    truth, score = classes()
    found = ranking(counted(truth, score))
    for code in range(4):
        assert found.auc[code] == pytest.approx(roc_auc_score(truth == code, score[:, code]))
        assert found.average_precision[code] == pytest.approx(average_precision_score(truth == code, score[:, code]))
        single = auc_interval(score_counts(truth == code, score[:, code]))
        assert (found.low[code], found.high[code]) == (single.low, single.high)
    assert np.isnan([found.auc[4], found.low[4], found.average_precision[4]]).all()
    assert found.n_pos.tolist() == np.bincount(truth, minlength=5).tolist()


def test_weakest_comes_first_and_undefined_last():
    truth, score = classes()
    found = ranking(counted(truth, score))
    ranked = found.auc[found.weakest_first]
    assert (np.diff(ranked[:4]) >= 0).all() and np.isnan(ranked[4])


def test_smallest_of_equals_comes_first():
    few, many = (score_counts(np.arange(n) % 2 == 0, np.zeros(n)) for n in (4, 40))
    assert ranking([many, few]).weakest_first.tolist() == [1, 0]


def test_parts_joined_are_the_whole():
    counts = counted(*classes())
    whole, parts = ranking(counts), join_rankings([ranking(counts[:2]), ranking(counts[2:])])
    assert all(np.array_equal(one, other, equal_nan=True) for one, other in zip(whole, parts, strict=True))


def test_class_without_scores_is_undefined():
    assert np.isnan(ranking([None]).auc).all() and ranking([None]).n_pos.tolist() == [0]
    assert len(ranking([]).auc) == 0 and np.isnan(ranking([]).macro_auc)
