"""Prediction sets against a loop over the rows, against figures of the package crepes 0.9.1, and by simulation."""

import math

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from metrics.thresholds.prediction_sets import conformal_quantile, predict_sets, set_limits

N_CLASSES, N_CALIBRATING = 4, 120


def drawn(random, n=300):
    probabilities = random.dirichlet(np.full(N_CLASSES, 0.6), n)
    return probabilities, np.array([random.choice(N_CLASSES, p=row) for row in probabilities])


@pytest.mark.parametrize(
    ("coverage", "by_class", "of_class", "of_size"),
    [
        (0.8, False, [62, 65, 64, 64], [0, 107, 71, 2, 0]),
        (0.9, False, [88, 91, 86, 86], [0, 44, 101, 35, 0]),
        (0.8, True, [53, 70, 85, 71], [0, 90, 81, 9, 0]),
        (0.9, True, [66, 106, 152, 82], [0, 23, 95, 55, 7]),
    ],
)
def test_sets_equal_those_of_crepes(coverage, by_class, of_class, of_size):
    probabilities, truth = drawn(np.random.default_rng(5))
    calibrating = slice(0, N_CALIBRATING)
    limits = set_limits(probabilities[calibrating], truth[calibrating], coverage, by_class=by_class)
    sets = predict_sets(probabilities[N_CALIBRATING:], limits)
    assert sets.sum(axis=0).tolist() == of_class
    assert np.bincount(sets.sum(axis=1), minlength=N_CLASSES + 1).tolist() == of_size


@pytest.mark.parametrize("decimals", [1, 9])
@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95])
def test_drawn_sets_equal_those_of_crepes(coverage, decimals):
    """With ties and without; crepes adds a class whose p is exactly 1 - coverage, the definition does not."""
    crepes = pytest.importorskip("crepes", reason="crepes is not installed (requirements-tools.txt)")
    random = np.random.default_rng(6)
    for turn in range(40):
        probabilities, truth = drawn(random, int(random.choice([40, 60, 200])))
        probabilities, new, known = probabilities.round(decimals), slice(0, 20), slice(20, None)
        sets = predict_sets(probabilities[new], set_limits(probabilities[known], truth[known], coverage,
                                                           by_class=bool(turn % 2)))  # fmt: skip
        away = 1 - probabilities
        for code in range(N_CLASSES):
            of_class = (truth[known] == code) | (turn % 2 == 0)
            reference = away[known][np.arange(len(of_class)), truth[known]][of_class]
            if not len(reference):
                continue
            p = (1 + (reference[:, None] >= away[new, code]).sum(axis=0)) / (1 + len(reference))
            theirs = (
                crepes.ConformalClassifier()
                .fit(reference)
                .predict_set(away[new, [code]][:, None], confidence=coverage, smoothing=False)
            )
            is_edge = np.isclose(p, 1 - coverage)
            assert sets[~is_edge, code].tolist() == theirs[~is_edge, 0].astype(bool).tolist()
            assert not sets[is_edge, code].any()


class Given(ClassifierMixin, BaseEstimator):
    """Return the probabilities that it is given."""

    def fit(self, probabilities, truth):
        self.classes_ = np.unique(truth)
        return self

    def predict_proba(self, probabilities):
        return probabilities

    def predict(self, probabilities):
        return probabilities.argmax(axis=1)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95])
@pytest.mark.filterwarnings("ignore")
def test_drawn_sets_equal_those_of_mapie(coverage, ties):
    mapie = pytest.importorskip("mapie.classification", reason="mapie is not installed (requirements-tools.txt)")
    random, n_compared = np.random.default_rng(7), 0
    for _ in range(40):
        probabilities, truth = drawn(random, 120)
        probabilities = random.multinomial(8, probabilities) / 8 if ties else probabilities
        new, known = slice(0, 20), slice(20, None)
        if len(np.unique(truth[known])) < N_CLASSES:
            continue
        model = Given().fit(probabilities[known], truth[known])
        split = mapie.SplitConformalClassifier(model, confidence_level=coverage, conformity_score="lac", prefit=True)
        theirs = split.conformalize(probabilities[known], truth[known]).predict_set(probabilities[new])[1][:, :, 0]
        sets = predict_sets(probabilities[new], set_limits(probabilities[known], truth[known], coverage))
        assert sets.tolist() == theirs.tolist()
        n_compared += 1
    assert n_compared > 30


def test_class_is_in_unless_few_are_stranger():
    """By the definition: fewer than (n + 1) · 0.1 rows, itself counted, are as far from 1 as the class is."""
    probabilities, truth = drawn(np.random.default_rng(1), 60)
    limits = set_limits(probabilities[:40], truth[:40], 0.9)
    away = [1 - row[code] for row, code in zip(probabilities[:40], truth[:40], strict=True)]
    for row, inside in zip(probabilities[40:], predict_sets(probabilities[40:], limits), strict=True):
        for code in range(N_CLASSES):
            as_strange = sum(one >= 1 - row[code] for one in away) + 1
            assert inside[code] == (as_strange > 0.1 * 41)


@pytest.mark.parametrize("by_class", [False, True])
def test_promise_is_kept_on_new_rows(by_class):
    random = np.random.default_rng(3)
    held = []
    for _ in range(400):
        probabilities, truth = drawn(random, 80)
        limits = set_limits(probabilities[:60], truth[:60], 0.9, by_class=by_class)
        held += predict_sets(probabilities[60:], limits)[np.arange(20), truth[60:]].tolist()
    assert np.mean(held) > 0.9 - 3 * math.sqrt(0.09 / len(held))


def test_too_few_rows_promise_nothing_but_every_class():
    assert math.isinf(conformal_quantile(np.array([0.1] * 8), 0.9))
    assert conformal_quantile(np.array([0.1] * 9), 0.9) == 0.1, "10 · 0.9 is the ninth, not the tenth"
    limits = set_limits(np.eye(3)[[0, 0]], np.array([0, 0]), 0.6, by_class=True)
    assert limits[0] == 0 and np.isinf(limits[1:]).all(), "classes without rows"
