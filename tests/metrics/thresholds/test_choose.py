"""Chosen thresholds against trying every threshold, with ties, infinite scores and one class only."""

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from metrics.outcomes import f_beta
from metrics.scores.curves import score_counts
from metrics.thresholds.choose import COUNTERPART, MEASURES, Rule, choose
from metrics.thresholds.threshold_metrics import expected_cost, rates, rates_at

SCORE = st.sampled_from([-np.inf, -1.0, 0.0, 0.25, 0.5, 0.5, 0.75, 1.0, np.inf]) | st.floats(-2, 2)


@st.composite
def scored_rows(draw):
    n = draw(st.integers(1, 25))
    return draw(hnp.arrays(bool, n)), draw(hnp.arrays(np.float64, n, elements=SCORE))


def tried(y_true, y_score):
    """Every threshold that separates the rows differently, descending, with the four counts there."""
    thresholds = sorted({np.inf, *y_score.tolist()}, reverse=True)
    for threshold in thresholds:
        pred = y_score >= threshold
        yield threshold, *(int(x.sum()) for x in (y_true & pred, ~y_true & pred, y_true & ~pred, ~y_true & ~pred))


def share(part, whole):
    return part / whole if whole else np.nan


def value(rule, tp, fp, fn, tn):
    """Return what a rule looks at, from the definitions; higher is better."""
    recall, specificity, precision = share(tp, tp + fn), share(tn, tn + fp), share(tp, tp + fp)
    b = rule.beta**2
    spread = np.sqrt(float((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))
    if rule.prevalence is None:
        cost = (rule.cost_fp * fp + rule.cost_fn * fn) / (tp + fp + fn + tn)
    else:
        missed, alarms = share(fn, tp + fn), share(fp, fp + tn)
        cost = rule.prevalence * rule.cost_fn * missed + (1 - rule.prevalence) * rule.cost_fp * alarms
    return {
        "f1": share(2 * tp, 2 * tp + fp + fn),
        "fbeta": share((1 + b) * tp, (1 + b) * tp + b * fn + fp),
        "youden_j": recall + specificity - 1,
        "balanced_accuracy": (recall + specificity) / 2,
        "mcc": (tp * tn - fp * fn) / spread if spread else np.nan,
        "accuracy": share(tp + tn, tp + fp + fn + tn),
        "cost": -cost,
        "recall": recall,
        "precision": precision,
        "specificity": specificity,
        "npv": share(tn, tn + fn),
    }


RULES = st.builds(
    Rule,
    st.sampled_from(MEASURES),
    beta=st.sampled_from([0.5, 1.0, 2.0]),
    cost_fp=st.sampled_from([0.0, 1.0, 3.0]),
    cost_fn=st.sampled_from([0.0, 1.0, 10.0]),
    prevalence=st.sampled_from([None, 0.0, 0.1, 0.5, 1.0]),
)


@given(scored_rows(), RULES)
def test_best_measure_takes_highest_of_equal_thresholds(rows, rule):
    y_true, y_score = rows
    chosen = choose(score_counts(y_true, y_score), rule)
    values = [(t, value(rule, *counts)[rule.by]) for t, *counts in tried(y_true, y_score)]
    without = (rule.by in ("f1", "fbeta", "mcc") and not y_true.any()) or (rule.by == "mcc" and y_true.all())
    if without or all(np.isnan(v) for _, v in values):
        assert np.isnan(chosen).all()
        return
    best = np.nanmax([v for _, v in values])
    assert abs(chosen.value) == pytest.approx(abs(best), abs=1e-12)
    assert chosen.threshold == next(t for t, v in values if v >= best - 1e-12)
    assert dict(values)[chosen.threshold] == pytest.approx(best, abs=1e-12)


@given(scored_rows(), st.sampled_from(sorted(COUNTERPART)), st.sampled_from([0.0, 0.3, 0.5, 0.75, 0.9, 1.0]))
def test_floor_is_kept_with_the_best_counterpart(rows, metric, floor):
    y_true, y_score = rows
    then = COUNTERPART[metric]
    chosen = choose(score_counts(y_true, y_score), Rule("at_least", metric=metric, floor=floor, then=then))
    seen = [(t, value(Rule(), *counts)) for t, *counts in tried(y_true, y_score)]
    allowed = [(t, v[then], v[metric]) for t, v in seen if v[metric] >= floor and not np.isnan(v[then])]
    if not allowed:
        assert np.isnan(chosen).all()
        return
    best = max(then for _, then, _ in allowed)
    kept = max(metric for _, then, metric in allowed if then == best)
    assert chosen.value == best
    assert chosen.threshold == max(t for t, a, b in allowed if a == best and b == kept)


@given(scored_rows(), st.integers(0, 30))
def test_capacity_is_used_up_to_ties(rows, most):
    y_true, y_score = rows
    chosen = choose(score_counts(y_true, y_score), Rule("capacity", most_rows=most))
    flagged = {t: int((y_score >= t).sum()) for t in {np.inf, *y_score.tolist()}}
    allowed = [n for n in flagged.values() if n <= most]
    if not allowed:
        assert np.isnan(chosen).all() and np.isinf(y_score).any()
        return
    assert chosen.value == max(allowed) == flagged[chosen.threshold]


@pytest.mark.parametrize(("share", "n", "flagged"), [(0.29, 100, 29), (0.1, 15, 1), (0.0, 10, 0), (1.0, 10, 10)])
def test_capacity_in_per_cent_rounds_down(share, n, flagged):
    counts = score_counts(np.arange(n) % 2 == 0, np.arange(n, dtype=float))
    assert choose(counts, Rule("capacity", most_share=share)).value == flagged


def test_f_beta_choice_equals_scikit_learn():
    random = np.random.default_rng(1)
    y_true = random.random(500) < 0.3
    y_score = (random.normal(size=500) + y_true).round(1)
    chosen = choose(score_counts(y_true, y_score), Rule("fbeta", beta=0.5))
    every = [oracle.fbeta_score(y_true, y_score >= t, beta=0.5) for t in sorted(set(y_score), reverse=True)]
    assert chosen.value == pytest.approx(max(every), abs=1e-12)
    assert oracle.fbeta_score(y_true, y_score >= chosen.threshold, beta=0.5) == pytest.approx(chosen.value, abs=1e-12)


def test_prevalence_in_use_reweights_rows():
    random = np.random.default_rng(2)
    y_true = np.arange(4000) < 2000
    y_score = (random.normal(size=4000) + y_true).round(1)
    # four negatives for every positive: the same as repeating each negative four times
    mixed = np.concatenate([y_true, np.zeros(6000, bool)]), np.concatenate([y_score, np.repeat(y_score[2000:], 3)])
    there = choose(score_counts(*mixed), Rule("cost", cost_fp=1, cost_fn=3))
    here = choose(score_counts(y_true, y_score), Rule("cost", cost_fp=1, cost_fn=3, prevalence=0.2))
    assert here.threshold == there.threshold and here.value == pytest.approx(there.value, abs=1e-12)
    assert here.threshold > choose(score_counts(y_true, y_score), Rule("cost", cost_fp=1, cost_fn=3)).threshold


def test_single_threshold_equals_the_table():
    random = np.random.default_rng(3)
    counts = score_counts(random.random(20_000) < 0.4, random.random(20_000))
    table = rates(counts)
    costs = expected_cost(table, cost_fp=1, cost_fn=7, prevalence=0.05), f_beta(2.5).value(table)
    for place in (0, 7, 16_383, 16_384, 19_999):
        at = rates_at(counts, counts.score[place])
        assert expected_cost(at, cost_fp=1, cost_fn=7, prevalence=0.05) == costs[0][place]
        assert f_beta(2.5).value(at) == costs[1][place]


def test_f1_is_f_beta_with_beta_one():
    random = np.random.default_rng(4)
    table = rates(score_counts(random.random(5000) < 0.4, random.random(5000)))
    assert (f_beta(1.0).value(table) == table.f1).all()


def test_meaningless_costs_and_betas_are_refused():
    at = rates_at(score_counts(np.array([True, False]), np.array([0.9, 0.1])), 0.5)
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="costs"):
            expected_cost(at, cost_fp=bad, cost_fn=1)
        with pytest.raises(ValueError, match="prevalence"):
            expected_cost(at, cost_fp=1, cost_fn=1, prevalence=bad)
    with pytest.raises(ValueError, match="beta"):
        f_beta(0.0)


def test_no_rows_have_no_best_threshold():
    empty = score_counts(np.array([], bool), np.array([]))
    for by in ("f1", "mcc", "accuracy", "cost", "at_least"):
        assert np.isnan(choose(empty, Rule(by))).all(), by
