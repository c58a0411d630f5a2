"""Columns that follow from scores or predictions are named; those that say something of the rows are searched."""

import itertools

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.comparison import derived_columns
from data.comparison.slice_columns import can_be_sliced, cut_columns
from data.evaluation import Settings

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
    assert found.why_derived == found.left_out and len(found.every) == len(columns)
    return dict(found.left_out)


def reasons_of_classes(columns):
    cells = {name: [str(cell) for cell in values] for name, values in columns.items()}
    table = pa.table({"y": OF_CLASSES.astype(str), "p": PREDICTED.astype(str), **cells})
    return dict(cut_columns(build(table, Settings(truth="y", pred="p"), name="d", content_sha256="0")).left_out)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (ALERT, SCORES),
        (BY_HAND, SCORES),
        (np.ceil(SCORE * 10).astype(int), SCORES),
        ((SCORE * 100).round(1), SCORES),
        (np.where(abs(SCORE - 0.5) < 0.1, "uncertain", "sure"), SCORES),
        (RIGHT, WHERE_RIGHT),
        (1 - RIGHT, WHERE_RIGHT),
        (np.where(RIGHT, "hit", "miss"), WHERE_RIGHT),
        (OUTCOME, "follows from the true and the predicted label"),
        ((SCORE >= 0.3) == TRUE, "follows from the score and the true label"),
        (abs(TRUE - SCORE).round(3), "follows from the score and the true label"),
    ],
    ids=["alert", "by hand", "decile", "percent", "fold", "right", "wrong", "words", "outcome", "other cut", "error"],
)
def test_column_of_the_score_is_named(values, why):
    assert reasons({"x": values}) == {"x": why}


@pytest.mark.parametrize(
    "values",
    [
        AGREED,
        draw(8).integers(0, 2, N),
        np.where(draw(9).random(N) < 0.02, "a", "b"),
        np.where(RIGHT, "site A", "site B"),
        [f"2026-{1 + i // 60:02}-{1 + i % 28:02}" for i in range(N)],
        (SCORE + draw(10).normal(0, 0.1, N)).round(3),
    ],
    ids=["another judge", "random", "rare", "sites", "dates", "near"],
)
def test_column_of_the_rows_is_searched(values):
    assert reasons({"x": values}) == {}


def test_columns_of_several_classes_are_told_apart():
    columns = {
        "group": np.array(list("aabbcc"))[OF_CLASSES],
        "queue": np.array(list("aabbcc"))[PREDICTED],
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
    table = pa.table({"y": TRUE.astype(str), "s": SCORE.round(1), "x": (SCORE >= 0.39).astype(str)})
    settings = Settings(truth="y", scores=(("s", "1"),), positive="1")
    for rows in (table, table.take(order), table.sort_by("x")):
        found = cut_columns(build(rows, settings, name="d", content_sha256="0"))
        assert [way.columns[0] for way in found.ways] == ["x"]  # a rounded score mixes too many rows of both


def test_lines_of_counts_weigh_as_their_rows():
    cells = [("a", "a", "True", 300), ("a", "b", "False", 100), ("b", "a", "False", 90), ("b", "b", "True", 10)]
    y, p, right, n = map(list, zip(*cells, strict=True))
    table = pa.table({"y": y, "p": p, "correct": right, "n": [float(rows) for rows in n]})
    found = cut_columns(build(table, Settings(truth="y", pred="p", counts="n"), name="d", content_sha256="0"))
    assert found.left_out == (("correct", WHERE_RIGHT),) and not found.ways


def test_nothing_is_searched_without_other_columns():
    table = pa.table({"y": TRUE.astype(str), "s": SCORE, "alert": ALERT})
    evaluation = build(table, Settings(truth="y", scores=(("s", "1"),), positive="1"), name="d", content_sha256="0")
    assert not can_be_sliced(evaluation)


def test_changes_are_those_of_all_orders():
    """Ties have no order: the changes are the mean over all orders of the rows of each score."""
    scores, values = [0, 0, 0, 1, 1, 2], [0, 1, 1, 0, 0, 1]
    orders = [
        [*map(values.__getitem__, (*first, *second, 5))]
        for first in itertools.permutations(range(3))
        for second in itertools.permutations(range(3, 5))
    ]
    slow = np.mean([sum(a != b for a, b in itertools.pairwise(order)) for order in orders])
    cells = np.zeros((3, 2))
    np.add.at(cells, (scores, values), 1)
    assert derived_columns.count_changes(cells, is_ordered=True) == pytest.approx(slow)
