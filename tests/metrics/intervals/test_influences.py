"""Values are those of the metrics, and influences are their derivatives, found by adding a little of every cell."""

import math

import numpy as np
import pytest

from metrics.catalogue.registry import over_joint_counts, with_influence
from metrics.confusion.counts import confusion_counts
from metrics.intervals.joint_counts import JointCounts, LabelJointCounts, joint_counts, label_joint_counts
from metrics.intervals.rates import of_class
from metrics.intervals.score_statistics import (
    auc_statistic,
    average_precision_statistic,
    brier_skill_statistic,
    mean_of_statistics,
)
from metrics.intervals.statistic import standard_error
from metrics.multilabel import set_metrics
from metrics.outcomes import RECALL
from metrics.scores.curves import score_counts
from metrics.scores.intervals import auc_standard_error
from metrics.scores.probabilities import brier_skill, read_probabilities
from tests.metrics.intervals.made import FORMULAS, predictions, sets

STEP = 1e-6


def weighed(cells, rows):
    """The same cells with other rows, which may be fractions."""
    kind = type(cells)
    made = kind(rows, None, cells.n_labels, cells.n_space, cells.true, cells.preds)
    object.__setattr__(made, "n", rows.sum())
    return made


def check_influence(cells, compute):
    at, rows = compute(cells), cells.rows.astype(float)
    for place in range(len(rows)):
        more = rows + STEP * (np.arange(len(rows)) == place)
        change = (compute(weighed(cells, more)).value - at.value) / STEP
        assert at.influence[place] == pytest.approx(change, abs=1e-6, rel=1e-5)  # one-sided: ratios bend


def single(unread: float):
    truth, pred = predictions(3, 120, 4, unread=unread)
    counts = confusion_counts(truth, pred, labels=("a", "b", "c", "d", "e"), n_space=5)
    return counts, joint_counts(truth, [pred], n_labels=5)


@pytest.mark.parametrize("unread", [0.0, 0.2])
def test_single_label_values_are_those_of_the_metrics(unread):
    counts, cells = single(unread)
    check_values(cells, counts)


def check_values(cells, counts):
    for key, metric in over_joint_counts(cells).items():
        assert metric.statistic(cells).value == pytest.approx(metric.function(counts), abs=1e-12, nan_ok=True), key
        if metric.zero_division:
            filled = metric.function(counts, zero_division=0.0)
            assert metric.statistic(cells, zero=True).value == pytest.approx(filled, abs=1e-12), key


@pytest.mark.parametrize("unread", [0.0, 0.2])
def test_single_label_influences_are_derivatives(unread):
    _, cells = single(unread)
    for name, metric in over_joint_counts(cells).items():
        if not math.isnan(metric.statistic(cells).value):
            check_influence(cells, metric.statistic)
            assert (cells.rows * metric.statistic(cells).influence).sum() == pytest.approx(0, abs=1e-9), name


def test_class_rates_are_those_of_one_class():
    counts, cells = single(0.1)
    for code in range(4):
        own = cells.one_vs_rest(code)
        for formula in FORMULAS.values():
            assert of_class(own, formula=formula).value == pytest.approx(formula.value(counts)[code])
            check_influence(own, lambda cells, formula=formula: of_class(cells, formula=formula))


def test_label_set_values_and_influences_are_right():
    truth, pred = sets(1, 40, 5)
    cells = label_joint_counts(truth, [pred])
    check_values(cells, set_metrics.multilabel_counts(truth, pred, "abcde"))
    for metric in over_joint_counts(cells).values():
        check_influence(cells, metric.statistic)


def test_blocks_of_label_sets_change_nothing(monkeypatch):
    truth, pred = sets(2, 50, 4)
    cells = label_joint_counts(truth, [pred])
    before = {name: metric.statistic(cells).influence for name, metric in over_joint_counts(cells).items()}
    monkeypatch.setattr("metrics.intervals.joint_counts._BLOCK_CELLS", 12)
    for name, metric in over_joint_counts(cells).items():
        assert metric.statistic(cells).influence == pytest.approx(before[name])


def scored(seed: int = 0, n: int = 150):
    random = np.random.default_rng(seed)
    is_true = random.random(n) < 0.3
    return is_true, np.round(random.normal(size=n) + is_true, 1)


def repeated(is_true, score, place, times):
    """Rows again, one of them once more than the others: a derivative of a metric that only takes whole rows."""
    index = np.append(np.repeat(np.arange(len(score)), times), place)
    return is_true[index], score[index]


@pytest.mark.parametrize("statistic", [auc_statistic, average_precision_statistic])
def test_influences_of_areas_are_derivatives(statistic):
    is_true, score = scored(n=60)
    at, times = statistic(is_true, score), 2_000
    for place in range(0, 60, 7):
        change = (statistic(*repeated(is_true, score, place, times)).value - at.value) * times
        assert at.influence[place] == pytest.approx(change, abs=2e-4)


def test_auc_variance_equals_delong_up_to_n():
    is_true, score = scored()
    influence = auc_statistic(is_true, score).influence
    n = np.where(is_true, is_true.sum(), (~is_true).sum())
    assert (influence**2 * n / (n - 1)).sum() ** 0.5 == pytest.approx(auc_standard_error(score_counts(is_true, score)))


def test_rows_without_a_score_have_no_influence():
    is_true, score = scored()
    score[:40] = np.nan
    for statistic in (auc_statistic, average_precision_statistic):
        found = statistic(is_true, score)
        assert not found.influence[:40].any()
        assert found.value == pytest.approx(statistic(is_true[40:], score[40:]).value)


@pytest.mark.parametrize("from_logits", [False, True])
def test_losses_are_those_of_the_metrics(from_logits):
    is_true, score = scored()
    score = score if from_logits else 1 / (1 + np.exp(-score))
    found = read_probabilities(is_true, score, from_logits=from_logits)
    random = np.random.default_rng(1)
    truth, proba = random.integers(0, 3, 50), random.dirichlet([1, 1, 1], 50)
    codes = (2, 0, 1)
    several = read_probabilities(truth, proba, score_codes=codes)
    for loss in with_influence("probabilities").values():
        assert loss.statistic(found).value == pytest.approx(loss.function(is_true, score, from_logits=from_logits))
        assert loss.statistic(several).value == pytest.approx(loss.function(truth, proba, score_codes=codes))


@pytest.mark.parametrize("several", [False, True])
def test_skill_moves_as_its_influence_says(several):
    random = np.random.default_rng(3)
    n, weights = 300, random.integers(1, 4, 300) * 1000
    if several:
        truth, score = random.integers(0, 3, n), random.dirichlet([1, 1, 1], n)
        skill = brier_skill_statistic(read_probabilities(truth, score, weights=weights))
    else:
        truth, score = random.random(n) < 0.3, random.random(n)
        score[0] = np.nan
        skill = brier_skill_statistic(read_probabilities(truth, score, weights=weights))
    assert skill.value == pytest.approx(brier_skill(truth, score, weights=weights))
    for row in (0, 5, 17):
        more = weights + (np.arange(n) == row)
        moved = brier_skill(truth, score, weights=more) - skill.value
        assert moved == pytest.approx(skill.influence[row], rel=1e-3, abs=1e-12)


def test_means_leave_undefined_statistics_out():
    is_true, score = scored()
    nothing = auc_statistic(np.zeros_like(is_true), score)
    found = mean_of_statistics([auc_statistic(is_true, score), nothing], [1.0, 1.0])
    assert found.value == auc_statistic(is_true, score).value


def test_joint_counts_hold_every_row_once():
    truth, pred = predictions(0, 500, 5, unread=0.1)
    other = np.roll(pred, 1)
    cells = joint_counts(truth, [pred, other], n_labels=5)
    assert cells.n == 500
    wanted = {(t, a, b): 0 for t, a, b in zip(truth, pred, other, strict=True)}
    for row in zip(truth, pred, other, strict=True):
        wanted[row] += 1
    found = zip(cells.true, *cells.preds, strict=True)
    assert dict(zip(found, cells.rows, strict=True)) == wanted


def test_many_models_and_missing_rows_are_counted():
    truth, pred = predictions(0, 300, 90)
    pred[:10] = -1
    preds = [np.roll(pred, place) for place in range(12)]
    cells = joint_counts(truth, preds, n_labels=90, cluster=np.arange(300) % 7)
    assert cells.n == 300 - 10 - 11
    assert cells.n_clusters == 7


def test_weights_are_rows():
    truth, pred = predictions(0, 60, 3)
    weights = np.arange(60)
    once = joint_counts(truth, [pred], n_labels=3, weights=weights)
    again = joint_counts(np.repeat(truth, weights), [np.repeat(pred, weights)], n_labels=3)
    for name, metric in over_joint_counts(once).items():
        error = standard_error(metric.statistic(again), again)
        assert standard_error(metric.statistic(once), once) == pytest.approx(error), name


def test_both_kinds_of_cells_give_one_class():
    truth, pred = sets(1, 30, 3)
    own = label_joint_counts(truth, [pred]).one_vs_rest(1)
    assert isinstance(own, JointCounts)
    assert of_class(own, formula=RECALL).value == (truth & pred)[:, 1].sum() / truth[:, 1].sum()
    assert isinstance(label_joint_counts(truth, [pred]), LabelJointCounts)
