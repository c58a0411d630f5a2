"""Counting equals counting by hand, whichever way round it is done."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import confusion_matrix

from metrics.confusion import counts as module
from metrics.confusion.counts import (
    MISSING,
    UNPARSEABLE,
    ConfusionCounts,
    confusion_counts,
    confusion_counts_from_matrix,
)
from tests.metrics.pairs import many_classes, pairs

LABELS = ("ham", "spam", "made up")


def cells(counts):
    return dict(zip(zip(counts.true.tolist(), counts.pred.tolist(), strict=True), counts.rows.tolist(), strict=True))


def by_hand(p):
    return Counter((t, q) for t, q in zip(p.y_true.tolist(), p.y_pred.tolist(), strict=True) if MISSING not in (t, q))


@given(pairs())
def test_every_pair_is_counted_once(p):
    counts, expected = p.counts, by_hand(p)
    assert cells(counts) == expected
    assert list(cells(counts)) == sorted(expected)
    assert counts.n == len(p.truth)
    assert counts.n_unparsed == sum(n for (_, pred), n in expected.items() if pred == UNPARSEABLE)


@given(pairs())
def test_class_sums_equal_row_sums(p):
    counts, k = p.counts, len(p.names)
    right, true, pred = np.zeros((3, k), dtype=np.int64)
    for (t, q), n in by_hand(p).items():
        true[t] += n
        if q != UNPARSEABLE:
            pred[q] += n
            right[t] += n if t == q else 0
    for found, expected in ((counts.correct, right), (counts.support, true), (counts.predicted, pred)):
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, expected)


@settings(max_examples=50)
@given(pairs(min_rows=1))
def test_matrix_equals_scikit_learn_with_unparseable_column(p):
    if not p.truth:
        assert p.counts.matrix().sum() == 0
        return
    names, unreadable = list(p.names), "no label could be read" if isinstance(p.names[0], str) else -7
    expected = confusion_matrix(p.truth, p.answer, labels=[*names, unreadable])
    np.testing.assert_array_equal(p.counts.matrix(), expected[:-1])


@given(pairs())
def test_a_matrix_taken_back_is_the_same_table(p):
    counts = p.counts
    again = confusion_counts_from_matrix(counts.matrix(), p.labels, p.n_space)
    assert cells(again) == cells(counts) and list(cells(again)) == list(cells(counts))
    assert (again.labels, again.n_space) == (counts.labels, counts.n_space)


@given(pairs())
def test_sorting_and_table_counting_agree(p):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "DENSE_CELLS", 0)
        sparse = p.counts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "DENSE_CELLS", 10**9)
        patch.setattr(module, "_BLOCK", 10**9)
        dense = p.counts
    assert cells(sparse) == cells(dense) == by_hand(p)


def test_counting_in_several_turns_changes_nothing(monkeypatch):
    p = many_classes()
    expected = cells(p.counts)
    monkeypatch.setattr(module, "_BLOCK", 7)
    few = confusion_counts(p.y_true % 3, p.y_pred % 3, labels=LABELS)
    assert cells(few) == Counter(zip((p.y_true % 3).tolist(), (p.y_pred % 3).tolist(), strict=True))
    assert cells(p.counts) == expected == by_hand(p)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64])
def test_any_integer_holds_a_code(dtype):
    counts = confusion_counts(np.array([0, 1, 2, 2], dtype), np.array([0, 0, 2, 1], dtype), labels=LABELS)
    assert cells(counts) == {(0, 0): 1, (1, 0): 1, (2, 1): 1, (2, 2): 1}


def test_small_integers_do_not_overflow_with_many_classes():
    labels = [str(i) for i in range(127)]
    codes = np.full(3, 126, dtype=np.int8)
    assert cells(confusion_counts(codes, codes, labels=labels)) == {(126, 126): 3}


def test_rows_are_truth_and_columns_prediction():
    counts = confusion_counts_from_matrix([[1, 4, 0, 2], [0, 3, 0, 0], [0, 5, 0, 0]], LABELS)
    assert [part.tolist() for part in counts.row(0)] == [[1, UNPARSEABLE, 0], [4, 2, 1]]
    assert [part.tolist() for part in counts.column(1)] == [[2, 0, 1], [5, 4, 3]]
    assert [part.tolist() for part in counts.column(UNPARSEABLE)] == [[0], [2]]
    assert [part.tolist() for part in counts.column(2)] == [[], []]


def test_counts_are_frozen_and_inputs_unchanged():
    y_true, y_pred = np.array([0, 1, MISSING]), np.array([UNPARSEABLE, 1, 0])
    counts = confusion_counts(y_true, y_pred, labels=LABELS)
    assert (y_true.tolist(), y_pred.tolist()) == ([0, 1, MISSING], [UNPARSEABLE, 1, 0])
    for array in (counts.true, counts.pred, counts.rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_the_sums_hold_for_a_billion_rows():
    counts = confusion_counts_from_matrix([[3 * 10**9, 1], [2, 4 * 10**9]], ("a", "b"))
    assert counts.n == 7 * 10**9 + 3
    assert counts.support.tolist() == [3 * 10**9 + 1, 4 * 10**9 + 2]
    assert counts.predicted.tolist() == [3 * 10**9 + 2, 4 * 10**9 + 1]


def test_the_label_space_is_all_labels_unless_told():
    none = np.array([], dtype=np.int32)
    assert confusion_counts(none, none, labels=LABELS).n_space == 3
    assert confusion_counts(none, none, labels=LABELS, n_space=2).n_space == 2
    assert isinstance(confusion_counts(none, none, labels=(), n_space=0), ConfusionCounts)


@pytest.mark.parametrize(
    ("y_true", "y_pred", "n_space", "message"),
    [
        ([0, 3], [0, 0], None, "y_true holds codes from 0 to 3; with 3 labels they go from -1 to 2"),
        ([0, 0], [0, 3], None, "y_pred holds codes from 0 to 3; with 3 labels they go from -2 to 2"),
        ([UNPARSEABLE], [0], None, "y_true holds codes from -2"),
        ([0], [-3], None, "y_pred holds codes from -3"),
        ([0, 1], [0], None, "one code a row"),
        ([[0], [1]], [[0], [1]], None, "one code a row"),
        ([0.0], [0.0], None, "integer codes, not float64"),
        ([0], [0], -1, "n_space must be 0 to 3"),
        ([0], [0], 4, "n_space must be 0 to 3"),
    ],
)
def test_codes_that_are_no_labels_are_told(y_true, y_pred, n_space, message):
    with pytest.raises(ValueError, match=message):
        confusion_counts(np.array(y_true), np.array(y_pred), labels=LABELS, n_space=n_space)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 2]], "2 × 2 or 2 × 3, not 1 × 2"),
        ([[1, -2], [0, 0]], "none below 0"),
        ([[1, 0.5], [0, 0]], "whole numbers"),
        ([[1, np.nan], [0, 0]], "whole numbers"),
        ([[1, np.inf], [0, 0]], "whole numbers"),
    ],
)
def test_a_matrix_that_is_none_is_told(matrix, message):
    with pytest.raises(ValueError, match=message):
        confusion_counts_from_matrix(matrix, ("a", "b"))
