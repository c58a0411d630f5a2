"""Prediction sets in words and numbers, against the rows of a sample; without probabilities they say why."""

import dataclasses

import numpy as np
import pytest

from export.deciding.sets_result import draw_half, rows_with, sets_result
from export.measurement import measure
from export.result.terminal import write_terminal
from tests.opened_runs import open_run


def by_loop(e, coverage, calibrates):
    """Sets of the rows that do not calibrate, each a set of codes, with its true code."""
    away = sorted(1 - e.y_score[row][e.y_true[row]] for row in np.flatnonzero(calibrates))
    limit = away[int(np.ceil((len(away) + 1) * coverage)) - 1]
    judged = np.flatnonzero(~calibrates)
    return [({code for code in range(10) if 1 - e.y_score[row][code] <= limit}, e.y_true[row]) for row in judged]


def test_sets_count_rows_with_a_weight_once():
    e = open_run("digits")
    units = np.arange(e.n_lines) % 3
    found = sets_result(measure(dataclasses.replace(e, units=units, scored=e.scored & (units > 0))), 0.9)
    numbers = found.numbers["prediction_sets"]
    assert numbers["n"] == (units > 0).sum() and numbers["by_weight"] is False
    assert found.notes[-1] == (
        "Every row counts once here: by weight, the promise would need the weight of each new row.",
    )


def test_sets_are_counted_from_the_rows():
    e = open_run("digits")
    measured = measure(e)
    result = sets_result(measured, 0.95)
    numbers = result.numbers["prediction_sets"]
    half = draw_half(measured)
    sets = by_loop(e, 0.95, half) + by_loop(e, 0.95, ~half)
    assert numbers["n"] == len(sets) == numbers["n_calibrating"] == len(e.y_true)
    assert numbers["held"]["value"] == pytest.approx(np.mean([true in found for found, true in sets]))
    assert numbers["mean_size"] == pytest.approx(np.mean([len(found) for found, _ in sets]))
    assert numbers["rows_of_size"] == np.bincount([len(found) for found, _ in sets]).tolist()
    single = [found == {true} for found, true in sets if len(found) == 1]
    text = write_terminal(result)
    assert f"{100 * len(single) / len(sets):.1f} % of the rows get one label alone" in text
    assert f"{100 * np.mean(single):.1f} % of them are right" in text
    assert sum(row[1].n for row in result.tables[1].rows) == len(sets)


def test_promise_for_each_class_says_so():
    result = sets_result(measure(open_run("digits")), 0.9, by_class=True)
    assert "in 90.0 % of new rows of each class" in write_terminal(result)
    assert len(set(result.numbers["prediction_sets"]["least_probability"].values())) > 1


def test_column_says_which_rows_fix_sets():
    e = open_run("screening")
    calibrating = rows_with(e, "site", "mobile unit")
    result = sets_result(measure(e), 0.9, calibrating)
    assert result.numbers["prediction_sets"]["n_calibrating"] == calibrating.marks.sum() == 999
    assert "those with 'site' = 'mobile unit'" in write_terminal(result)


@pytest.mark.parametrize(("sample", "why"), [("movie-genres", "several labels"), ("support-intents", "no scores")])
def test_sets_need_probabilities(sample, why):
    assert why in write_terminal(sets_result(measure(open_run(sample)), 0.9))
