"""Top-k accuracy, micro AUC and Hand and Till's M: scikit-learn's values, and influences that are derivatives."""

import math

import numpy as np
import pytest
from sklearn import metrics as sk

from metrics.catalogue.registry import with_influence
from metrics.intervals.class_scores import micro_auc, one_vs_one_auc, top_k_accuracy
from metrics.intervals.joint_counts import Cells

STATISTICS = {key: row.influence for key, row in with_influence("class scores").items()}


def cells(rows):
    return Cells(np.asarray(rows), None, 0, 0)


def made(seed: int = 0, n: int = 150, k: int = 4, *, decimals: int = 1):
    """Rows of k classes and their scores, many of which are equal; each row's add up to 1."""
    random = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(k), random.integers(0, k, n - k)])
    tenths = random.multinomial(10**decimals, random.dirichlet(np.ones(k)), n)
    tenths[np.arange(n), truth] += 10**decimals
    return truth, tenths / tenths.sum(axis=1, keepdims=True)


def test_values_are_those_of_scikit_learn():
    truth, score = made()
    rows, codes = cells(np.ones(150, int)), range(4)
    for k in (1, 2, 3):
        expected = sk.top_k_accuracy_score(truth, score, k=k)
        assert top_k_accuracy(rows, truth, score, codes, k=k).value == pytest.approx(expected, abs=1e-12)
    expected = sk.roc_auc_score(np.eye(4)[truth], score, average="micro")
    assert micro_auc(rows, truth, score, codes).value == pytest.approx(expected, abs=1e-12)
    expected = sk.roc_auc_score(truth, score, multi_class="ovo")
    assert one_vs_one_auc(rows, truth, score, codes).value == pytest.approx(expected, abs=1e-12)


def test_micro_auc_takes_several_labels():
    random = np.random.default_rng(1)
    truth, score = random.random((80, 3)) < 0.4, np.round(random.random((80, 3)), 1)
    expected = sk.roc_auc_score(truth, score, average="micro")
    assert micro_auc(cells(np.ones(80, int)), truth, score, range(3)).value == pytest.approx(expected, abs=1e-12)


def test_pairs_of_classes_compared_one_by_one():
    """Hand and Till's own definition: every pair of rows of two classes, by the score of each class in turn."""
    truth, score = made(2, n=40)
    areas = []
    for own in range(4):
        for other in range(4):
            pairs = [(a, b) for a in score[truth == own, own] for b in score[truth == other, own]]
            areas += [np.mean([(a > b) + 0.5 * (a == b) for a, b in pairs])] if own != other else []
    found = one_vs_one_auc(cells(np.ones(40, int)), truth, score, range(4))
    assert found.value == pytest.approx(np.mean(areas), abs=1e-12)


def test_hand_till_ignores_shares_of_classes():
    truth, score = made(3)
    weights = 1 / np.bincount(truth)[truth]
    balanced = [sk.roc_auc_score(truth == code, score[:, code], sample_weight=weights) for code in range(4)]
    again = np.concatenate([np.arange(150), *[np.flatnonzero(truth == 0)] * 5])
    for chosen in (np.arange(150), again):
        found = one_vs_one_auc(cells(np.ones(len(chosen), int)), truth[chosen], score[chosen], range(4))
        assert found.value == pytest.approx(np.mean(balanced), abs=1e-12)


@pytest.mark.parametrize("key", STATISTICS)
def test_influences_of_rows_are_derivatives(key):
    truth, score = made(4, n=60, k=6)
    score[5, 2] = np.nan
    rows, step = np.random.default_rng(5).integers(1, 4, 60).astype(float), 1e-6
    found = STATISTICS[key](cells(rows), truth, score, range(6))
    for place in range(60):
        more = STATISTICS[key](cells(rows + step * (np.arange(60) == place)), truth, score, range(6))
        assert found.influence[place] == pytest.approx((more.value - found.value) / step, abs=1e-6, rel=1e-4)


@pytest.mark.parametrize("key", STATISTICS)
def test_weights_are_rows_repeated(key):
    truth, score = made(6, n=50, k=6)
    times = np.random.default_rng(7).integers(0, 4, 50)
    again = np.repeat(np.arange(50), times)
    weighted = STATISTICS[key](cells(times), truth, score, range(6))
    repeated = STATISTICS[key](cells(np.ones(len(again), int)), truth[again], score[again], range(6))
    assert weighted.value == pytest.approx(repeated.value, abs=1e-12)


def test_equal_scores_count_the_later_label_first():
    truth, score = np.array([0, 2, 1]), np.full((3, 3), 0.5)
    found = top_k_accuracy(cells(np.ones(3, int)), truth, score, (0, 1, 2), k=2)
    assert found.value == pytest.approx(sk.top_k_accuracy_score(truth, score, k=2)) == pytest.approx(2 / 3)
    columns_reversed = top_k_accuracy(cells(np.ones(3, int)), truth, score, (2, 1, 0), k=2)
    assert columns_reversed.value == found.value


def test_class_without_scores_is_never_among_first():
    truth, score = np.array([0, 3, 3]), np.array([[0.9, 0.1, 0.0], [0.0, 0.1, 0.2], [0.3, 0.2, 0.1]])
    assert top_k_accuracy(cells(np.ones(3, int)), truth, score, (0, 1, 2), k=2).value == pytest.approx(1 / 3)
    two = np.array([0, 0, 1, 3]), np.array([[0.9, 0.1], [0.2, 0.4], [0.3, 0.7], [0.5, 0.5]])
    known = one_vs_one_auc(cells(np.ones(4, int)), *two, (0, 1))
    assert known.value == one_vs_one_auc(cells(np.ones(3, int)), *(side[:3] for side in two), (0, 1)).value


def test_areas_of_one_class_are_undefined():
    truth, score = np.zeros(5, int), made(8, n=5)[1]
    assert math.isnan(one_vs_one_auc(cells(np.ones(5, int)), truth, score, range(4)).value)
    assert not math.isnan(micro_auc(cells(np.ones(5, int)), truth, score, range(4)).value)
    nothing = np.zeros((5, 0))
    assert math.isnan(micro_auc(cells(np.ones(5, int)), truth, nothing, ()).value)
