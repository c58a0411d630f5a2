"""Thresholds for several labels, against every threshold tried one by one and scikit-learn's F1."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from metrics.scores.curves import score_counts
from metrics.thresholds import label_thresholds
from metrics.thresholds.label_thresholds import best_each, best_for_all, label_scores, plainest_threshold


def rows(seed, n=40, n_labels=4, *, digits=2):
    """Truth and scores with ties, a rare label, a label of no true row, and rows without some scores."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n, n_labels)) < np.array([0.5, 0.3, 0.08, 0.0])[:n_labels]
    score = np.round(np.clip(0.3 * truth + rng.random((n, n_labels)) * 0.7, 0, 1), digits)
    score[rng.random(score.shape) < 0.05] = np.nan
    return truth, score


def every_threshold(score):
    return [*np.unique(score[~np.isnan(score)])[::-1], np.inf]


@pytest.mark.parametrize("seed", range(6))
def test_best_per_label_equals_trying_every_score(seed):
    truth, score = rows(seed)
    found = best_each(label_scores(truth, score, range(4)))
    for label in range(3):
        if not (truth[:, label] & ~np.isnan(score[:, label])).any():
            continue
        tried = {t: f1_score(truth[:, label], score[:, label] >= t, zero_division=0)
                 for t in every_threshold(score[:, label])}  # fmt: skip
        assert found.f1[label] == pytest.approx(max(tried.values()))
        assert found.threshold[label] == max(t for t, f1 in tried.items() if f1 >= max(tried.values()) - 1e-12)
    assert np.isnan(found.threshold[3]) and np.isnan(found.f1[3])


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("seed", range(6))
def test_best_for_all_equals_trying_every_score(monkeypatch, seed, average):
    truth, score = rows(seed)
    true = np.flatnonzero(truth.any(axis=0))
    tried = {}
    for t in every_threshold(score):
        guess = score >= t
        tried[t] = (
            f1_score(truth, guess, average="micro", zero_division=0)
            if average == "micro"
            else np.mean([f1_score(truth[:, i], guess[:, i], zero_division=0) for i in true])
        )
    for block in (1 << 16, 8):
        monkeypatch.setattr(label_thresholds, "_BLOCK", block)
        found = best_for_all(label_scores(truth, score, range(4)), average)
        assert found.value == pytest.approx(max(tried.values()), abs=1e-12)
        assert found.threshold == max(t for t, f1 in tried.items() if f1 >= max(tried.values()) - 1e-12)


def test_labels_without_score_count_as_never_predicted():
    truth, score = rows(1)
    scores = label_scores(truth, score[:, :2], (0, 1))
    guess = np.zeros_like(truth)
    for average in ("micro", "macro"):
        found = best_for_all(scores, average)
        guess[:, :2] = score[:, :2] >= found.threshold
        true = np.flatnonzero(truth.any(axis=0)) if average == "macro" else range(4)
        expected = f1_score(truth[:, true], guess[:, true], average=average, zero_division=0)
        assert found.value == pytest.approx(expected)


def test_infinite_scores_can_be_thresholds():
    truth = np.array([[True], [True], [False]])
    scores = label_scores(truth, np.array([[np.inf], [-np.inf], [-np.inf]]), (0,))
    assert best_each(scores).threshold.tolist() == [-np.inf]
    assert best_for_all(scores, "micro").threshold == -np.inf
    top = label_scores(truth[[0, 2]], np.array([[np.inf], [0.0]]), (0,))
    assert best_for_all(top, "macro") == (np.inf, 1.0)


def test_without_a_true_row_no_threshold_is_best():
    truth = np.zeros((5, 2), dtype=bool)
    scores = label_scores(truth, np.arange(10.0).reshape(5, 2), (0, 1))
    assert np.isnan(best_each(scores).threshold).all()
    assert all(np.isnan(best_for_all(scores, average)).all() for average in ("micro", "macro"))


def test_own_thresholds_are_never_worse_in_macro_f1():
    truth, score = rows(4, n=200)
    scores = label_scores(truth, score, range(4))
    each, one = best_each(scores), best_for_all(scores, "macro")
    assert np.nanmean(each.f1) >= one.value


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scale", [1.0, 1e-7, 1e6, -3.0])
def test_plainest_threshold_predicts_the_same_rows(seed, scale):
    rng = np.random.default_rng(seed)
    columns = [rng.normal(size=30) * scale for _ in range(2)]
    counts = [score_counts(np.arange(30) % 2 == 0, column) for column in columns]
    for threshold in columns[0]:
        plain = plainest_threshold(counts, threshold)
        for column in columns:
            assert ((column >= plain) == (column >= threshold)).all()
        assert len(repr(plain)) <= len(repr(float(threshold))) or threshold == min(map(min, columns))


def test_threshold_has_no_more_digits_than_its_score():
    """The nearest double of 0.62 is a little lower: cut from that, 0.62 above 0.619 read 0.6199."""
    scores = np.arange(1, 1_000) / 1_000
    counts = [score_counts(scores > 0.5, scores)]
    assert all(plainest_threshold(counts, score) == score for score in scores[1:].tolist())


def test_zero_and_infinite_thresholds_stay_what_they_are():
    counts = [score_counts(np.array([True, False, True]), np.array([0.0, -1.0, np.inf]))]
    assert plainest_threshold(counts, 0.0) == 0.0
    assert plainest_threshold(counts, np.inf) == np.inf
    assert plainest_threshold(counts, -np.inf) == -np.inf
