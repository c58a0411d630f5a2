"""The displayed matrix against sums written as loops, and against scikit-learn."""

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from metrics.counts import MISSING, UNPARSEABLE, ConfusionCounts, confusion_counts
from metrics.matrix import OTHER, Block, arrange, most_errors

ORDERS = ("label", "support", "worst", "cluster")


def count(y_true, y_pred, k: int) -> ConfusionCounts:
    return confusion_counts(
        np.array(y_true, dtype=int), np.array(y_pred, dtype=int), labels=tuple(f"class {i}" for i in range(k))
    )


def random_counts(k: int, n: int, seed: int = 0, wrong: float = 0.4) -> ConfusionCounts:
    random = np.random.default_rng(seed)
    y_true = random.integers(0, k, n)
    y_pred = np.where(random.random(n) < wrong, random.integers(UNPARSEABLE + 1, k, n), y_true)
    return count(y_true, np.where(y_pred == MISSING, UNPARSEABLE, y_pred), k)


@st.composite
def pairs(draw):
    k = draw(st.integers(1, 7))
    truth = st.integers(0, k - 1)
    pred = st.one_of(truth, st.just(UNPARSEABLE))
    return k, draw(st.lists(st.tuples(truth, pred), max_size=40))


def slow_block(rows: list[tuple[int, int]], block: Block) -> Counter:
    """The block again, one row of the file at a time."""
    own = set(block.row_codes.tolist()) - {OTHER}
    name = {UNPARSEABLE: UNPARSEABLE}
    return Counter(
        (true if true in own else OTHER, name.get(pred, pred if pred in own else OTHER)) for true, pred in rows
    )


@settings(max_examples=150, deadline=None)
@given(pairs(), st.sampled_from(ORDERS), st.one_of(st.none(), st.integers(1, 8)))
def test_every_row_is_in_the_cell_where_one_would_look_for_it(data, order, worst):
    k, rows = data
    counts = count([t for t, _ in rows], [p for _, p in rows], k)
    block = arrange(counts, order=order, worst=worst)
    slow = slow_block(rows, block)
    for i, true in enumerate(block.row_codes.tolist()):
        for j, pred in enumerate(block.col_codes.tolist()):
            assert block.rows[i, j] == slow.pop((true, pred), 0)
    assert not slow, "cells that the block has no place for"
    assert block.n == counts.n == len(rows)
    assert block.right.sum() == sum(t == p for t, p in rows)


@settings(max_examples=80, deadline=None)
@given(pairs(), st.sampled_from(ORDERS), st.one_of(st.none(), st.integers(1, 8)))
def test_every_class_has_one_place_on_both_sides_or_is_folded(data, order, worst):
    k, rows = data
    block = arrange(count([t for t, _ in rows], [p for _, p in rows], k), order=order, worst=worst)
    own = block.row_codes[block.row_codes >= 0].tolist()
    assert sorted([*own, *block.folded.tolist()]) == list(range(k))
    assert len(own) == (k if worst is None else min(k, worst)) == block.n_classes
    assert (OTHER in block.row_codes) == (len(block.folded) > 0)
    assert block.col_codes[: len(block.row_codes)].tolist() == block.row_codes.tolist()
    assert (UNPARSEABLE in block.col_codes) == any(pred == UNPARSEABLE for _, pred in rows)


@pytest.mark.parametrize(("ours", "theirs"), [("row", "true"), ("column", "pred"), ("all", "all"), ("none", None)])
@pytest.mark.parametrize("k", [2, 5, 40])
def test_shares_equal_scikit_learn(ours, theirs, k):
    random = np.random.default_rng(k)
    y_true, y_pred = random.integers(0, k, 500), random.integers(0, k, 500)
    block = arrange(count(y_true, y_pred, k), normalise=ours)
    np.testing.assert_allclose(
        block.values, confusion_matrix(y_true, y_pred, normalize=theirs, labels=range(k)), atol=1e-12
    )


def test_unparseable_as_a_text_label_for_scikit_learn():
    y_true, y_pred = np.array([0, 0, 1, 1, 1]), np.array([0, UNPARSEABLE, 1, UNPARSEABLE, 0])
    expected = confusion_matrix(y_true, np.where(y_pred < 0, 2, y_pred), labels=[0, 1, 2], normalize="true")
    np.testing.assert_allclose(arrange(count(y_true, y_pred, 2), normalise="row").values, expected[:2])


def test_a_share_of_nothing_is_undefined_where_scikit_learn_says_zero():
    block = arrange(count([0, 0], [0, 1], 3), normalise="row")
    assert np.isnan(block.values[1:]).all()
    assert np.isnan(block.shares("column")[:, 2]).all()
    assert np.isnan(arrange(count([], [], 2)).shares("all")).all()


def test_support_order_puts_the_most_frequent_truth_first_and_keeps_ties_in_label_order():
    counts = count([0, 1, 1, 2, 2, 3], [0, 1, 1, 2, 2, 3], 5)
    assert arrange(counts, order="support").row_codes.tolist() == [1, 2, 0, 3, 4]


def test_worst_order_counts_errors_on_both_sides():
    # class 2 is never wrong itself, but swallows three rows of others
    counts = count([0, 0, 1, 1, 2, 3], [2, 2, 2, 1, 2, 3], 4)
    assert most_errors(counts).tolist() == [2, 0, 1, 3]
    assert arrange(counts, order="worst").row_codes.tolist() == [2, 0, 1, 3]
    assert arrange(counts, worst=2).row_codes.tolist() == [0, 2, OTHER], "chosen by errors, shown in label order"


def test_an_unparseable_answer_is_an_error_of_its_class():
    counts = count([0, 1, 1], [0, UNPARSEABLE, 1], 2)
    assert most_errors(counts).tolist() == [1, 0]


def test_worst_k_adds_the_others_up_in_one_row_and_one_column():
    counts = count([0, 0, 1, 2, 3, 3], [1, 1, 0, 2, 0, UNPARSEABLE], 4)
    block = arrange(counts, worst=2)
    assert block.row_codes.tolist() == [0, 1, OTHER]
    assert block.col_codes.tolist() == [0, 1, OTHER, UNPARSEABLE]
    assert block.rows.tolist() == [[0, 2, 0, 0], [1, 0, 0, 0], [1, 0, 1, 1]]
    assert block.folded.tolist() == [2, 3]


def test_errors_only_empties_the_diagonal_and_takes_right_rows_out_of_other():
    counts = count([0, 0, 0, 1, 2, 2, 2, 3], [0, 0, 1, 0, 2, 2, 3, 0], 4)
    block = arrange(counts, worst=2, errors_only=True, normalise="row")
    assert np.isnan(np.diag(block.values)[:2]).all()
    at_other = block.values[2, 2]
    assert at_other == pytest.approx(1 / 4), "of the four rows of classes 2 and 3, one stays among them and is wrong"
    assert block.rows[2, 2] == 3
    assert block.right[2, 2] == 2
    assert block.n == counts.n


def test_errors_keep_the_share_that_they_have_with_the_diagonal():
    counts = random_counts(6, 400)
    everything, errors = arrange(counts, normalise="row"), arrange(counts, normalise="row", errors_only=True)
    off = ~np.eye(6, 7, dtype=bool)
    np.testing.assert_array_equal(errors.values[off], everything.values[off])


def test_without_unparseable_the_block_is_that_of_the_parsed_rows():
    y_true, y_pred = np.array([0, 0, 1, 1]), np.array([0, UNPARSEABLE, 1, 0])
    block = arrange(count(y_true, y_pred, 2), with_unparseable=False, normalise="row")
    parsed = y_pred >= 0
    np.testing.assert_allclose(block.values, confusion_matrix(y_true[parsed], y_pred[parsed], normalize="true"))


def test_clustering_puts_classes_side_by_side_that_are_taken_for_each_other():
    random = np.random.default_rng(3)
    partner = {0: 5, 5: 0, 1: 7, 7: 1, 2: 4, 4: 2}  # 3 and 6 are never confused
    y_true = random.integers(0, 8, 4000)
    swap = random.random(4000) < 0.3
    y_pred = np.array([partner.get(t, t) if s else t for t, s in zip(y_true.tolist(), swap.tolist(), strict=True)])
    order = arrange(count(y_true, y_pred, 8), order="cluster").row_codes.tolist()
    assert order[6:] == [3, 6], "classes without a confusion stand last, in label order"
    for a, b in ((0, 5), (1, 7), (2, 4)):
        assert abs(order.index(a) - order.index(b)) == 1


def test_a_rare_class_stands_beside_the_one_it_is_taken_for():
    # a hundred rows of noise between 0 and 1 against two rows that show what class 3 is taken for
    counts = count([0] * 100 + [1] * 900 + [2] * 900 + [3] * 2, [0] * 90 + [1] * 910 + [2] * 895 + [0] * 5 + [2] * 2, 4)
    order = arrange(counts, order="cluster").row_codes.tolist()
    assert abs(order.index(3) - order.index(2)) == 1


@pytest.mark.parametrize(
    ("options", "words"), [({"order": "name"}, "order"), ({"normalise": "true"}, "normalise"), ({"worst": 0}, "worst")]
)
def test_an_unknown_option_is_named(options, words):
    with pytest.raises(ValueError, match=words):
        arrange(count([0], [0], 1), **options)


@pytest.mark.parametrize("order", ORDERS)
def test_a_thousand_classes_take_less_than_a_second(order):
    counts = random_counts(1000, 100_000)
    arrange(random_counts(5, 50), order=order)  # the first use imports
    start = time.perf_counter()
    block = arrange(counts, order=order, normalise="row")
    assert block.values.shape == (1000, 1001)
    assert time.perf_counter() - start < 1.0
