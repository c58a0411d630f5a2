"""Costs of predictions, in words and numbers, against loops over the rows of a sample."""

from dataclasses import replace

import numpy as np
import pytest

from export.deciding.cost_result import costs_result
from export.measurement import measure
from export.result.terminal import write_terminal
from tests.opened_runs import open_run


@pytest.fixture(scope="module")
def costs():
    return np.random.default_rng(1).integers(1, 30, (10, 10)) * (1.0 - np.eye(10))


def digits(**changes):
    return measure(replace(open_run("digits"), **changes))


def test_costs_are_those_of_every_row(costs):
    measured = digits()
    e = measured.evaluation
    found = costs_result(measured, costs).numbers["costs"]
    assert found["expected_cost"]["value"] == pytest.approx(costs[e.y_true, e.y_pred].mean())
    constants = [costs[e.y_true, code].mean() for code in range(10)]
    assert found["best_constant"]["label"] == e.labels[int(np.argmin(constants))]
    assert found["best_constant"]["value"] == pytest.approx(min(constants))
    least = [int(np.argmin([row @ costs[:, code] for code in range(10)])) for row in e.y_score]
    before, after = costs[e.y_true, e.y_pred], costs[e.y_true, least]
    assert found["least_expected_cost"]["value"] == pytest.approx(after.mean())
    less = found["least_expected_cost"]["less"]
    assert less["value"] == pytest.approx((before - after).mean())
    assert less["se"] == pytest.approx((before - after).std(ddof=1) / np.sqrt(len(before)), rel=2e-3)


def test_tables_add_up_to_the_total(costs):
    result = costs_result(digits(), costs)
    total = result.numbers["costs"]["total"]
    pairs, changes = result.tables
    assert sum(row[4].value for row in pairs.rows) == pytest.approx(total)
    saved = sum(row[3].value - row[4].value for row in changes.rows)
    n = open_run("digits").n_scored
    assert saved == pytest.approx(n * result.numbers["costs"]["least_expected_cost"]["less"]["value"])


def test_probabilities_that_cannot_decide_are_said(costs):
    text = write_terminal(costs_result(digits(y_score=None, score_codes=()), costs))
    assert "need probabilities: the file has no scores." in text
    sharp = np.asarray(open_run("digits").y_score) ** 0.1
    flat = sharp / sharp.sum(axis=1, keepdims=True)
    assert "Do not trust these predictions." in write_terminal(costs_result(digits(y_score=flat), costs))


def test_weights_count_like_repeated_rows(costs):
    e = open_run("digits")
    weights = np.arange(e.n_lines) % 3
    counted = costs_result(digits(units=weights.astype(np.int64), scored=e.scored & (weights > 0)), costs)
    mean = np.average(costs[e.y_true, e.y_pred], weights=weights)
    assert counted.numbers["costs"]["expected_cost"]["value"] == pytest.approx(mean)
    assert [column.title for column in counted.tables[0].columns][2] == "weight"


def test_two_classes_have_a_threshold():
    costs = np.array([[0.0, 2000.0], [50.0, 0.0]])
    result = costs_result(measure(open_run("screening")), costs[:: 1 - 2 * open_run("screening").positive])
    assert "probability ≥ 0.02439." in write_terminal(result)
