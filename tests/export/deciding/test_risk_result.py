"""Rows left to people, in words and numbers, against the rows of a sample."""

import dataclasses

import numpy as np
import pytest

from export.deciding.risk_result import risk_result
from export.measurement import measure
from export.result.terminal import write_terminal
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


def test_risk_counts_weighted_rows_once():
    e = open_run("digits")
    units = np.arange(1, e.n_lines + 1)
    weighted = dataclasses.replace(e, units=units, settings=dataclasses.replace(e.settings, weights="w"))
    plain, once = (risk_result(measure(each), 0.05) for each in (e, weighted))
    assert once.numbers == plain.numbers and once.notes[-1][0].startswith("Not weighted")


def test_risk_that_cannot_be_promised_is_said():
    assert "No confidence promises at most 0.1 % wrong rows" in write_terminal(
        risk_result(measure(open_run("digits")), 0.001)
    )


def test_risk_needs_probabilities():
    assert "No row has a probability" in write_terminal(risk_result(measure(open_run("movie-genres")), 0.05))
