"""Columns that follow from scores or predictions are named; those that say something of the rows are searched."""

import math

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.comparison.sliceable_columns import can_be_sliced, cut_columns
from data.evaluation import Settings
from export.by_slice.slice_results import NOTHING_SEARCHED, find_worst_slices
from export.result.terminal import write_terminal

N = 600


def draw(seed):
    return np.random.default_rng(seed)


TRUE = draw(1).integers(0, 2, N)
SCORE = np.clip(draw(2).normal(0.35 + 0.3 * TRUE, 0.2), 0.001, 0.999).round(3)
RIGHT = (SCORE >= 0.5) == TRUE
ALERT = np.where(SCORE >= 0.3, "alarm", "ok")
BY_HAND = np.where(draw(3).random(N) < 0.005, "ok", ALERT)
AGREED = np.where(draw(4).random(N) < 0.1, "ok", ALERT)
OF_CLASSES = draw(5).integers(0, 6, N)
PREDICTED = np.where(draw(6).random(N) < 0.6, OF_CLASSES, draw(7).integers(0, 6, N))
OUTCOME = np.array(["TN", "FP", "FN", "TP"])[2 * TRUE + (SCORE >= 0.5)]
SCORES = "follows from the score"
WHERE_RIGHT = "says where the prediction is right"


def reasons(columns):
    """Return why each column is not searched."""
    cells = {name: [str(cell) for cell in values] for name, values in columns.items()}
    table = pa.table({"y": TRUE.astype(str), "s": SCORE, **cells})
    settings = Settings(truth="y", scores=(("s", "1"),), positive="1")
    found = cut_columns(build(table, settings, name="d", content_sha256="0"))
    return dict(found.left_out)


def reasons_of_classes(columns):
    cells = {name: [str(cell) for cell in values] for name, values in columns.items()}
    table = pa.table({"y": OF_CLASSES.astype(str), "p": PREDICTED.astype(str), **cells})
    return dict(cut_columns(build(table, Settings(truth="y", pred="p"), name="d", content_sha256="0")).left_out)


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("alert", ALERT, SCORES),
        ("decile", np.ceil(SCORE * 10).astype(int), SCORES),
        ("percent", (SCORE * 100).round(1), SCORES),
        ("band", np.where(abs(SCORE - 0.5) < 0.1, "uncertain", "sure"), SCORES),
        ("is_correct", RIGHT, WHERE_RIGHT),
        ("wrong", 1 - RIGHT, WHERE_RIGHT),
        ("x", np.where(RIGHT, "hit", "miss"), WHERE_RIGHT),
        ("x", OUTCOME, "follows from the true and the predicted label"),
        ("action", np.where(SCORE >= 0.5, "call", "none"), "the same as the predicted label"),
    ],
    ids=["alert", "decile", "percent", "band", "right", "wrong", "words", "outcome", "decision"],
)
def test_column_of_the_score_is_named(name, values, why):
    assert reasons({name: values}) == {name: why}


@pytest.mark.parametrize(
    "values",
    [
        BY_HAND,
        AGREED,
        draw(8).integers(0, 2, N),
        np.where(draw(9).random(N) < 0.02, "a", "b"),
        np.where(RIGHT, "site A", "site B"),
        np.where(RIGHT, "no", "yes"),
        np.where(draw(15).random(N) < 0.03, "yes", np.where(RIGHT, "no", "yes")),
        np.where((TRUE == 1) & (SCORE < 0.5), "scanner B", "scanner A"),
        [f"2026-{1 + i // 60:02}-{1 + i % 28:02}" for i in range(N)],
        (SCORE + draw(10).normal(0, 0.1, N)).round(3),
    ],
    ids=[
        "by hand", "another judge", "random", "rare", "sites", "flag", "nearly", "all misses", "dates", "near",
    ],
)  # fmt: skip
def test_column_of_the_rows_is_searched(values):
    assert reasons({"x": values}) == {}


@pytest.mark.parametrize("stuck", [0.0, math.nan])
def test_stuck_or_missing_scores_are_searched(stuck):
    """A scanner whose score is stuck is no column that follows from the score: it is what a person looks for."""
    is_stuck = draw(16).random(N) < 0.2
    score = np.where(is_stuck, stuck, SCORE)
    table = pa.table({"y": TRUE.astype(str), "p": (score >= 0.5).astype(int).astype(str), "s": score,
                      "scanner": np.where(is_stuck, "B", "A")})  # fmt: skip
    settings = Settings(truth="y", pred="p", scores=(("s", "1"),), positive="1")
    assert not cut_columns(build(table, settings, name="d", content_sha256="0")).left_out


@pytest.mark.parametrize("n", [100, 500, 2_000])
def test_groups_whose_scores_differ_are_searched(n):
    group = draw(n).integers(0, 3, n)
    score = np.clip(draw(17).normal(0.15 + 0.25 * group, 0.02), 0, 1)
    true = (draw(18).random(n) < score).astype(int)
    table = pa.table({"y": true.astype(str), "s": score, "group": group.astype(str)})
    settings = Settings(truth="y", scores=(("s", "1"),), positive="1")
    assert not cut_columns(build(table, settings, name="d", content_sha256="0")).left_out


def test_dates_are_always_compared():
    date = np.where(SCORE < 0.4, "2026-01-01", "2026-02-01")
    assert reasons({"date": date}) == {}


def test_columns_of_several_classes_are_told_apart():
    columns = {
        "group": np.array(list("aabbcc"))[OF_CLASSES],
        "queue": np.array(list("aabbcc"))[PREDICTED],
        "language": np.where(PREDICTED == 5, "de", "en"),
        "is_correct": OF_CLASSES == PREDICTED,
        "random": draw(11).integers(0, 3, N),
    }
    assert reasons_of_classes(columns) == {"queue": "follows from the predicted label", "is_correct": WHERE_RIGHT}


def test_score_may_follow_from_a_column():
    """A model of two features gives each of their values few scores, and where it differs is what a person asks."""
    region, plan = draw(12).integers(0, 3, N), draw(13).integers(0, 2, N)
    score = 0.3 * region + 0.1 * plan + 0.05
    table = pa.table({"y": TRUE.astype(str), "s": score, "region": region.astype(str)})
    settings = Settings(truth="y", scores=(("s", "1"),), positive="1")
    assert not cut_columns(build(table, settings, name="d", content_sha256="0")).left_out


def test_order_of_rows_changes_nothing():
    order = draw(14).permutation(N)
    for rounded, cut in ((SCORE, ["x"]), (SCORE.round(1), [])):
        table = pa.table({"y": TRUE.astype(str), "s": rounded, "x": (SCORE >= 0.39).astype(str)})
        settings = Settings(truth="y", scores=(("s", "1"),), positive="1")
        for rows in (table, table.take(order), table.sort_by("x")):
            columns = cut_columns(build(rows, settings, name="d", content_sha256="0"))
            assert [way.columns[0] for way in columns.derived] == cut, "a score that holds both values is no cut"


def test_lines_of_counts_weigh_as_their_rows():
    cells = [("a", "a", "True", 300), ("a", "b", "False", 100), ("b", "a", "False", 90), ("b", "b", "True", 10)]
    y, p, right, n = map(list, zip(*cells, strict=True))
    table = pa.table({"y": y, "p": p, "correct": right, "n": [float(rows) for rows in n]})
    found = cut_columns(build(table, Settings(truth="y", pred="p", counts="n"), name="d", content_sha256="0"))
    assert found.left_out == (("correct", WHERE_RIGHT),) and not found.ways


def test_column_that_is_not_searched_may_be_chosen():
    table = pa.table({"y": TRUE.astype(str), "s": SCORE, "alert": ALERT})
    evaluation = build(table, Settings(truth="y", scores=(("s", "1"),), positive="1"), name="d", content_sha256="0")
    assert can_be_sliced(evaluation) and not cut_columns(evaluation).ways


def test_weights_are_no_groups_unasked():
    weights = draw(19).choice([0.5, 1.0, 4.0], N)
    table = pa.table({"y": TRUE.astype(str), "p": (SCORE >= 0.5).astype(int).astype(str), "w": weights})
    columns = cut_columns(build(table, Settings(truth="y", pred="p", weights="w"), name="d", content_sha256="0"))
    assert columns.left_out == (("w", "weighs the rows"),) and columns.every


def test_search_of_no_column_claims_nothing():
    table = pa.table({"y": TRUE.astype(str), "s": SCORE, "alert": ALERT})
    evaluation = build(table, Settings(truth="y", scores=(("s", "1"),), positive="1"), name="d", content_sha256="0")
    text = write_terminal(find_worst_slices(evaluation))
    assert NOTHING_SEARCHED in text and "'alert' (follows from the score)" in text and "Benjamini" not in text
