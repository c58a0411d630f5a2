"""The displayed matrix against sums written as loops, and against scikit-learn."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import confusion_matrix

from metrics.confusion.axis import GROUP, Group
from metrics.confusion.class_order import most_errors
from metrics.confusion.counts import MISSING, UNPARSEABLE, ConfusionCounts, confusion_counts
from metrics.confusion.matrix import OTHER, arrange

ORDERS = ("label", "support", "recall", "worst", "cluster")


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


@st.composite
def arrangements(draw):
    """Rows of a file, and any choice of order, classes, worst and groups for them."""
    k, rows = draw(pairs())
    group_of = draw(st.lists(st.one_of(st.none(), st.integers(0, 2)), min_size=k, max_size=k))
    groups = [
        Group(f"group {g}", tuple(code for code in range(k) if group_of[code] == g), draw(st.booleans()))
        for g in range(3)
    ]
    options = {
        "order": draw(st.sampled_from(ORDERS)),
        "worst": draw(st.one_of(st.none(), st.integers(1, 8))),
        "classes": draw(st.one_of(st.none(), st.lists(st.integers(0, k - 1), min_size=1, max_size=k))),
        "groups": groups,
    }
    return rows, count([t for t, _ in rows], [p for _, p in rows], k), options


@given(pairs(), st.sampled_from(ORDERS), st.one_of(st.none(), st.integers(1, 8)))
def test_every_class_has_one_place_or_is_folded(data, order, worst):
    k, rows = data
    block = arrange(count([t for t, _ in rows], [p for _, p in rows], k), order=order, worst=worst)
    own = block.row_codes[block.row_codes >= 0].tolist()
    assert sorted([*own, *block.folded.tolist()]) == list(range(k))
    assert len(own) == (k if worst is None else min(k, worst)) == block.n_classes
    assert (OTHER in block.row_codes) == (len(block.folded) > 0)
    assert block.col_codes[: len(block.row_codes)].tolist() == block.row_codes.tolist()
    assert (UNPARSEABLE in block.col_codes) == any(pred == UNPARSEABLE for _, pred in rows)


@given(arrangements())
def test_arrangement_keeps_rows_in_their_cells(data):
    rows, counts, options = data
    block = arrange(counts, **options)
    place_of = {code: code for code in range(len(counts.labels))}
    for folded in block.folded.tolist():
        place_of[folded] = OTHER
    for g, group in enumerate(options["groups"]):
        for code in group.codes:
            if group.collapsed and place_of[code] != OTHER:
                place_of[code] = GROUP - g
    slow = Counter((place_of[true], place_of.get(pred, UNPARSEABLE)) for true, pred in rows)
    right = Counter((place_of[true], place_of[pred]) for true, pred in rows if true == pred)
    for i, true in enumerate(block.row_codes.tolist()):
        for j, pred in enumerate(block.col_codes.tolist()):
            assert block.rows[i, j] == slow.pop((true, pred), 0)
            assert block.right[i, j] == right[true, pred]
    assert not slow, "cells that the block has no place for"
    assert block.n == len(rows)


@given(arrangements())
def test_arrangement_places_every_class_once(data):
    _, counts, options = data
    block = arrange(counts, **options)
    inside = [code for place in block.row_codes.tolist() for code in block.members(place)]
    assert sorted(inside) == list(range(len(counts.labels)))
    assert block.col_codes[: len(block.row_codes)].tolist() == block.row_codes.tolist()
    assert [(group.name, group.collapsed) for group in block.groups] == [
        (group.name, group.collapsed) for group in options["groups"]
    ]


@given(arrangements())
def test_expanded_group_holds_its_classes_together(data):
    _, counts, options = data
    block = arrange(counts, **options)
    framed = {outline.name: outline for outline in block.outlines if outline.kind == "group"}
    for group in block.groups:
        assert (group.name in framed) == (bool(group.codes) and not group.collapsed)
        if group.name in framed:
            start, end = framed[group.name].start, framed[group.name].end
            assert block.row_codes[start:end].tolist() == list(group.codes)
    edges = [edge for outline in block.outlines for edge in (outline.start, outline.end)]
    assert edges == sorted(edges), "frames overlap or stand in another order than the axis"


def test_collapsed_group_adds_up_its_classes():
    counts = count([0, 0, 1, 2, 2, 3], [2, 1, 1, 0, 2, UNPARSEABLE], 4)
    block = arrange(counts, groups=[Group("card", (0, 2), collapsed=True)])
    assert block.row_codes.tolist() == [GROUP, 1, 3]
    assert block.rows.tolist() == [[3, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    assert block.right[0, 0] == 1, "of three rows that stay within the group, one was called what it is"
    assert block.members(GROUP) == (0, 2)
    assert block.n_classes == 2


def test_group_stands_where_its_merged_class_would():
    # truth: class 0 once, 1 twice, 2 five times, 3 four times; the group of 0 and 3 has five, a tie with class 2
    truth = [0] + [1] * 2 + [2] * 5 + [3] * 4
    block = arrange(count(truth, truth, 4), order="support", groups=[Group("g", (0, 3))])
    assert block.row_codes.tolist() == [3, 0, 2, 1]
    assert [(o.start, o.end, o.name, o.kind) for o in block.outlines] == [(0, 2, "g", "group")]
    closed = arrange(count(truth, truth, 4), order="support", groups=[Group("g", (0, 3), True)])
    assert closed.row_codes.tolist() == [GROUP, 2, 1]


@pytest.mark.parametrize("options", [{"classes": (1, 0)}, {"worst": 2}])
def test_classes_left_out_are_the_other_row(options):
    counts = count([0, 0, 1, 2, 3, 3], [1, 1, 0, 2, 0, UNPARSEABLE], 4)
    block = arrange(counts, **options)
    assert block.row_codes.tolist() == [0, 1, OTHER]
    assert block.col_codes.tolist() == [0, 1, OTHER, UNPARSEABLE]
    assert block.rows.tolist() == [[0, 2, 0, 0], [1, 0, 0, 0], [1, 0, 1, 1]]
    assert block.members(OTHER) == (2, 3)
    assert arrange(counts, classes=(1, 0), worst=1).folded.tolist() == [1, 2, 3], "the worst of those that were chosen"


def test_recall_order_puts_lowest_first():
    # recall: class 0 is 1/2, 1 is undefined, 2 is 0 of 1, 3 is 0 of 2, 4 is 1
    counts = count([0, 0, 2, 3, 3, 4], [0, 4, 0, 0, 0, 4], 5)
    assert arrange(counts, order="recall").row_codes.tolist() == [3, 2, 0, 4, 1]


def test_cell_list_is_complete_and_sorted():
    block = arrange(random_counts(7, 60))
    i, j = block.fullest()
    held = block.rows[i, j].tolist()
    assert held == sorted((n for n in block.rows.ravel().tolist() if n), reverse=True)
    wrong = block.fullest(errors_only=True)
    assert not [code for code in zip(*(axis.tolist() for axis in wrong), strict=True) if code[0] == code[1]]


@pytest.mark.parametrize(("ours", "theirs"), [("row", "true"), ("column", "pred"), ("all", "all"), ("none", None)])
@pytest.mark.parametrize("k", [2, 5, 40])
def test_shares_equal_scikit_learn(ours, theirs, k):
    random = np.random.default_rng(k)
    y_true, y_pred = random.integers(0, k, 500), random.integers(0, k, 500)
    shares = arrange(count(y_true, y_pred, k)).shares(ours)
    expected = confusion_matrix(y_true, y_pred, normalize=theirs, labels=range(k))
    np.testing.assert_allclose(shares, expected, atol=1e-12)


def test_unparseable_as_a_text_label_for_scikit_learn():
    y_true, y_pred = np.array([0, 0, 1, 1, 1]), np.array([0, UNPARSEABLE, 1, UNPARSEABLE, 0])
    expected = confusion_matrix(y_true, np.where(y_pred < 0, 2, y_pred), labels=[0, 1, 2], normalize="true")
    np.testing.assert_allclose(arrange(count(y_true, y_pred, 2)).shares("row"), expected[:2])


def test_share_of_nothing_is_undefined():
    block = arrange(count([0, 0], [0, 1], 3))
    assert np.isnan(block.shares("row")[1:]).all()
    assert np.isnan(block.shares("column")[:, 2]).all()
    assert np.isnan(arrange(count([], [], 2)).shares("all")).all()


def test_support_order_is_stable():
    counts = count([0, 1, 1, 2, 2, 3], [0, 1, 1, 2, 2, 3], 5)
    assert arrange(counts, order="support").row_codes.tolist() == [1, 2, 0, 3, 4]


def test_worst_order_counts_errors_on_both_sides():
    # class 2 is never wrong itself, but swallows three rows of others
    counts = count([0, 0, 1, 1, 2, 3], [2, 2, 2, 1, 2, 3], 4)
    assert most_errors(counts).tolist() == [2, 0, 1, 3]
    assert arrange(counts, order="worst").row_codes.tolist() == [2, 0, 1, 3]
    assert arrange(counts, worst=2).row_codes.tolist() == [0, 2, OTHER], "chosen by errors, shown in label order"


def test_unparseable_answer_is_an_error_of_its_class():
    counts = count([0, 1, 1], [0, UNPARSEABLE, 1], 2)
    assert most_errors(counts).tolist() == [1, 0]


def test_clustering_joins_confused_classes():
    random = np.random.default_rng(3)
    partner = {0: 5, 5: 0, 1: 7, 7: 1, 2: 4, 4: 2}  # 3 and 6 are never confused
    y_true = random.integers(0, 8, 4000)
    swap = random.random(4000) < 0.3
    y_pred = np.array([partner.get(t, t) if s else t for t, s in zip(y_true.tolist(), swap.tolist(), strict=True)])
    order = arrange(count(y_true, y_pred, 8), order="cluster").row_codes.tolist()
    assert order[6:] == [3, 6], "classes without a confusion stand last, in label order"
    for a, b in ((0, 5), (1, 7), (2, 4)):
        assert abs(order.index(a) - order.index(b)) == 1


def test_rare_class_stands_beside_its_confusion():
    # a hundred rows of noise between 0 and 1 against two rows that show what class 3 is taken for
    counts = count([0] * 100 + [1] * 900 + [2] * 900 + [3] * 2, [0] * 90 + [1] * 910 + [2] * 895 + [0] * 5 + [2] * 2, 4)
    order = arrange(counts, order="cluster").row_codes.tolist()
    assert abs(order.index(3) - order.index(2)) == 1


def planted(sizes: list[int], alone: int, n: int = 6000, wrong: float = 0.4) -> tuple[ConfusionCounts, list[set[int]]]:
    """Families of classes that are taken for each other and for nothing else, their codes shuffled."""
    random = np.random.default_rng(11)
    codes = random.permutation(sum(sizes) + alone)
    families = np.split(codes[: sum(sizes)], np.cumsum(sizes)[:-1])
    family_of = {int(code): family for family in families for code in family}
    y_true = random.integers(0, len(codes), n)
    y_pred = [
        int(random.choice(family_of[t])) if t in family_of and random.random() < wrong else t for t in y_true.tolist()
    ]
    return count(y_true, y_pred, len(codes)), [set(family.tolist()) for family in families]


def test_clusters_frame_the_planted_families_only():
    counts, families = planted([2, 3, 5], alone=10)
    block = arrange(counts, order="cluster")
    framed = [set(block.row_codes[o.start : o.end].tolist()) for o in block.outlines]
    assert sorted(framed, key=min) == sorted(families, key=min)
    assert {outline.kind for outline in block.outlines} == {"cluster"}


def test_where_all_confusions_are_alike_nothing_is_framed():
    assert arrange(random_counts(12, 5000), order="cluster").outlines == ()
    assert arrange(count([0, 1, 2], [0, 1, 2], 3), order="cluster").outlines == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"order": "name"}, "order"),
        ({"worst": 0}, "worst"),
        ({"classes": ()}, "classes"),
        ({"classes": (1,)}, "no class 1"),
        ({"groups": [Group("a", (0,)), Group("b", (0,))]}, "one of the groups"),
        ({"groups": [Group("a", (-1,))]}, "no class -1"),
    ],
)
def test_an_unknown_option_is_named(options, words):
    with pytest.raises(ValueError, match=words):
        arrange(count([0], [0], 1), **options)


def test_collapsed_groups_of_thousand_classes_add_up():
    counts = random_counts(1000, 100_000)
    groups = [Group(f"group {g}", tuple(range(g, 1000, 25)), g % 3 == 0) for g in range(25)]
    block = arrange(counts, order="cluster", groups=groups)
    assert len(block.row_codes) == 1000 - 9 * 40 + 9
    assert block.n == counts.n
    assert block.right.sum() == counts.correct.sum()


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_places_a_thousand_classes(order):
    counts = random_counts(1000, 100_000)
    block = arrange(counts, order=order)
    assert block.shares("row").shape == (1000, 1001)
    assert sorted(block.row_codes.tolist()) == list(range(1000))
    assert block.n == counts.n
