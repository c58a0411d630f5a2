"""Rows left to people, in words and numbers, against the rows of a sample."""

import dataclasses

import numpy as np
import pytest

from export.deciding.risk_result import risk_result
from export.measurement import measure
from export.result.terminal import write_terminal
from metrics.shares import critical_value, wilson
from tests.opened_runs import open_run


def test_risk_is_counted_from_the_rows():
    e = open_run("digits")
    sure, wrong = np.asarray(e.y_score).max(axis=1), e.y_true != e.y_pred
    result = risk_result(measure(e), 0.05, 10_000)
    numbers = result.numbers["risk_coverage"]
    order = np.argsort(-sure, kind="stable")
    assert numbers["aurc"] == pytest.approx(np.mean(np.cumsum(wrong[order]) / np.arange(1, len(sure) + 1)), abs=1e-3)
    kept = sure >= numbers["promised"]["threshold"]
    assert numbers["promised"]["rows"] == kept.sum() and wrong[kept].mean() < 0.05
    left = 10_000 * (1 - kept.mean())
    assert f"{left:,.0f} of 10,000 rows a day are left to people." in write_terminal(result)
    assert result.tables[0].rows[-1][2].value == pytest.approx(wrong.mean())


def weigh(e, units, unit=1.0):
    settings = dataclasses.replace(e.settings, weights="w")
    return risk_result(measure(dataclasses.replace(e, units=units, unit=unit, settings=settings)), 0.05)


def test_weighted_risk_is_that_of_repeated_rows():
    e = open_run("digits")
    times = np.random.default_rng(1).integers(1, 4, e.n_lines)
    found = weigh(e, times)
    sure, wrong = np.repeat(np.asarray(e.y_score).max(axis=1), times), np.repeat(e.y_true != e.y_pred, times)
    for (share, least, risk, left), said in zip(
        found.tables[0].rows, found.numbers["risk_coverage"]["coverages"], strict=True
    ):
        decided = sure >= least.value
        assert (share.value, risk.value) == pytest.approx((decided.mean(), wrong[decided].mean()))
        assert left.value == pytest.approx(times.sum() - decided.sum())
        assert (said["weight"], said["wrong_weight"]) == (decided.sum(), wrong[decided].sum())
        kept = np.asarray(e.y_score).max(axis=1) >= least.value
        assert (said["rows"], said["wrong"]) == (kept.sum(), (e.y_true != e.y_pred)[kept].sum())
    assert found.numbers["risk_coverage"]["error"] == pytest.approx(wrong.mean())


def test_equal_weights_leave_the_risk_of_rows():
    """Their unit cancels, also in the intervals; a promise would count rows, so there is none."""
    e = open_run("digits")
    plain, found = risk_result(measure(e), 0.05), weigh(e, np.full(e.n_lines, 5), 0.5)
    for one, other in zip(plain.tables[0].rows, found.tables[0].rows, strict=True):
        assert one[2][:3] == pytest.approx(other[2][:3], rel=2e-3)  # variances of n and n - 1 rows
    numbers = found.numbers["risk_coverage"]
    assert numbers["aurc"] == pytest.approx(plain.numbers["risk_coverage"]["aurc"])
    assert numbers["rows_a_day"] == 2.5 * e.n_lines and numbers["promised"] is None
    assert "No risk is promised where rows have weights: its test counts every row once." in write_terminal(found)


def test_share_of_wrong_rows_has_wilsons_interval():
    e = open_run("digits")
    numbers, table = (part := risk_result(measure(e), 0.05)).numbers, part.tables[0]
    for said, line in zip(numbers["risk_coverage"]["coverages"], table.rows, strict=True):
        assert (line[2].low, line[2].high) == pytest.approx(wilson(said["wrong"], said["rows"], critical_value(0.95)))


def test_risk_that_cannot_be_promised_is_said():
    assert "No confidence promises at most 0.1 % wrong rows" in write_terminal(
        risk_result(measure(open_run("digits")), 0.001)
    )


def test_risk_needs_probabilities():
    assert "No row has a probability" in write_terminal(risk_result(measure(open_run("movie-genres")), 0.05))
