"""Test what stands out in a matrix, against a slow reading of the dense table."""

import numpy as np
from hypothesis import given, strategies as st

from metrics.confusion.counts import ConfusionCounts, confusion_counts_from_matrix
from metrics.confusion.standouts import STREAK_CLASSES, STREAK_ROWS, STREAK_TIMES, empty, mutual_confusions, streaks


def counted(matrix) -> ConfusionCounts:
    matrix = np.asarray(matrix)
    return confusion_counts_from_matrix(matrix, tuple(f"class {i}" for i in range(len(matrix))))


@st.composite
def matrices(draw):
    k, width = draw(st.integers(1, 7)), draw(st.integers(0, 1))
    cells = st.sampled_from([0, 0, 0, 1, 2, 3, 5, 9])
    return np.array(draw(st.lists(cells, min_size=k * (k + width), max_size=k * (k + width)))).reshape(k, k + width)


@given(matrices())
def test_streaks_equal_a_slow_reading(matrix):
    k = len(matrix)
    wrong = matrix[:, :k] * (1 - np.eye(k, dtype=int))
    expected = {}
    for code in range(k):
        column = [int(n) for n in wrong[:, code] if n]
        mean = sum(int(n) for n in wrong.ravel()) / k
        bright = sum(column) >= STREAK_TIMES * mean and sum(column) >= STREAK_ROWS
        if bright and len(column) >= STREAK_CLASSES and max(column) <= sum(column) / 2:
            expected[code] = (sum(column), len(column), {i for i in range(k) if wrong[i, code]})
    found = streaks(counted(matrix))
    assert {s.code: (s.rows, s.classes, set(s.true)) for s in found} == expected
    assert [s.rows for s in found] == sorted((s.rows for s in found), reverse=True)


@given(matrices())
def test_the_three_kinds_of_empty_are_told_apart(matrix):
    k = len(matrix)
    table, found = matrix[:, :k], empty(counted(matrix))
    for code in range(k):
        has_truth, is_said = matrix[code].any(), table[:, code].any()
        assert (code in found.absent) == (not has_truth)
        assert (code in found.never_predicted) == (has_truth and not is_said)
        assert (code in found.never_right) == (has_truth and is_said and not table[code, code])


@given(matrices(), st.integers(1, 3))
def test_mutual_pairs_have_rows_both_ways(matrix, at_least):
    k = len(matrix)
    expected = {
        frozenset((i, j)): {(i, j): int(matrix[i, j]), (j, i): int(matrix[j, i])}
        for i in range(k)
        for j in range(i)
        if min(matrix[i, j], matrix[j, i]) >= at_least
    }
    found = mutual_confusions(counted(matrix), at_least=at_least)
    assert {
        frozenset((p.first, p.second)): {(p.first, p.second): p.there, (p.second, p.first): p.back} for p in found
    } == expected
    assert all(p.there >= p.back for p in found)
    assert [p.back for p in found] == sorted((p.back for p in found), reverse=True)


def test_one_neighbour_is_no_streak():
    matrix = np.diag([20] * 6)
    matrix[1:, 0] = [30, 1, 1, 0, 0]
    assert streaks(counted(matrix)) == []
    assert mutual_confusions(counted(matrix)) == []


def test_the_issue_s_example_absorbs_its_rows():
    matrix = np.diag([50] * 60)
    matrix[1:42, 0] = [8] * 25 + [7] * 16
    assert [(s.code, s.rows, s.classes) for s in streaks(counted(matrix))] == [(0, 312, 41)]


def test_nothing_stands_out_where_nothing_is_wrong():
    counts = counted(np.diag([3, 4]))
    assert streaks(counts) == mutual_confusions(counts) == []
    assert all(not len(codes) for codes in empty(counts))
    assert streaks(counted(np.zeros((2, 2), int))) == []
