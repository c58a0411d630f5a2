"""Test that what the page draws adds up to the block it was made from, in few bytes, whatever the labels contain."""

import json
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from charts.matrix import matrix_payload, selected_runs
from metrics.confusion.axis import GROUP, Group
from metrics.confusion.counts import UNPARSEABLE, confusion_counts
from metrics.confusion.matrix import OTHER, Block, arrange
from tests.charts.random_counts import random_counts


def drawn(sent: dict) -> np.ndarray:
    """The table that the page makes of what it is sent, cell by cell."""
    table = np.zeros((sent["n_rows"], sent["n_cols"]), dtype=np.int64)
    column, rows = sent["cells"]["column"].to_numpy(), sent["cells"]["rows"].to_numpy()
    for i in range(sent["n_rows"]):
        for k in range(sent["starts"][i], sent["starts"][i + 1]):
            table[i, column[k]] += int(rows[k])
    return table


GROUPS = (Group("open", (0, 1, 2)), Group("shut", (3, 5, 7), True))


@pytest.mark.parametrize("options", [{}, {"worst": 4}, {"order": "cluster"}, {"groups": GROUPS}])
def test_every_cell_arrives_with_its_rows(options):
    counts = random_counts(12)
    block = arrange(counts, **options)
    np.testing.assert_array_equal(drawn(matrix_payload(block, counts.labels)), block.rows)


def test_row_without_cells_arrives_empty():
    counts = confusion_counts(np.array([0, 2]), np.array([2, 2]), labels=("a", "b", "c"))
    sent = matrix_payload(arrange(counts), counts.labels)
    assert sent["starts"] == [0, 1, 1, 2]


def test_places_in_the_order_follow_the_axis():
    counts = replace(random_counts(5), ranks=(0, 1, 2, 4, 5))
    assert matrix_payload(arrange(random_counts(5)), counts.labels)["ranks"] == []
    block = arrange(counts, order="support", worst=3)
    sent = matrix_payload(block, counts.labels)["ranks"]
    assert sent == [counts.ranks[code] if code >= 0 else -1 for code in block.col_codes.tolist()]
    assert -1 in sent


def test_nothing_counted_is_a_matrix_without_cells():
    counts = confusion_counts(np.array([], dtype=int), np.array([], dtype=int), labels=("a", "b"))
    sent = matrix_payload(arrange(counts), counts.labels)
    assert len(sent["cells"]) == 0 and sent["starts"] == [0, 0, 0]


def test_right_rows_follow_from_diagonal_and_mixed_cells():
    counts = random_counts(12)
    block = arrange(counts, worst=4, groups=())
    mixed = dict(matrix_payload(block, counts.labels)["mixed"])
    for i, j in np.ndindex(block.rows.shape):
        expected = mixed.get(i, block.rows[i, j]) if i == j else 0
        assert block.right[i, j] == expected


def test_names_follow_axes_and_mark_non_classes():
    counts = random_counts(5)
    sent = matrix_payload(arrange(counts, worst=2, order="worst"), counts.labels)
    assert sent["names"][2:] == ["other (3 classes)", "no label found"]
    assert sent["special"] == [2, 3] and sent["other"] == 2
    assert sent["n_rows"] == 3 and sent["n_cols"] == 4


def test_classes_inside_another_row_can_be_found():
    counts = random_counts(12)
    block = arrange(counts, groups=GROUPS, worst=None)
    sent = matrix_payload(block, counts.labels)
    at = block.row_codes.tolist().index(GROUP - 1)
    assert sent["inside"] == [[f"class {code}", at] for code in (3, 5, 7)]
    assert sent["groups"] == [[at, 1]]
    start, end, name, kind, group = next(outline for outline in sent["outlines"] if outline[3] == "group")
    assert (name, kind, group) == ("open", "group", 0)
    assert block.row_codes[start:end].tolist() == [0, 1, 2]


def test_smallest_integer_type_is_sent():
    for most, kind in ((200, "uint8"), (60_000, "uint16"), (4_000_000_000, "uint32"), (5_000_000_000, "float64")):
        table = np.diag([most, 1])
        sent = matrix_payload(Block(*2 * [np.arange(2)], table, table, np.arange(0)), ("a", "b"))
        assert sent["cells"]["rows"].dtype == kind
        assert sent["cells"]["rows"].tolist() == [most, 1]


def test_thousand_classes_stay_small():
    """The cells of a large file: some 4 bytes each."""
    random = np.random.default_rng(0)
    y_true = random.integers(0, 1000, 1_000_000)
    y_pred = np.where(random.random(1_000_000) < 0.8, y_true, (y_true + random.integers(0, 40, 1_000_000)) % 1000)
    labels = tuple(f"a label of usual length {i}" for i in range(1000))
    counts = confusion_counts(y_true, y_pred, labels=labels)
    sent = matrix_payload(arrange(counts), labels)
    size = sent["cells"].memory_usage(index=False).sum() + len(json.dumps(sent | {"cells": None}))
    assert len(sent["cells"]) >= 39_000
    assert size < 250_000


def test_digest_follows_counts_and_names_only():
    counts = random_counts(6)
    first = matrix_payload(arrange(counts), counts.labels)["id"]
    assert matrix_payload(arrange(counts), counts.labels)["id"] == first
    assert matrix_payload(arrange(counts, order="support"), counts.labels)["id"] != first
    assert matrix_payload(arrange(counts), (*counts.labels[:-1], "renamed"))["id"] != first
    block = arrange(counts)
    moved = pickle.loads(pickle.dumps(block))
    moved.rows[0, :2] += (1, -1)
    assert matrix_payload(moved, counts.labels)["id"] != first


def test_hostile_labels_are_shown_as_they_are():
    labels = ("a\nb", "re\u202efund", "x" * 4500, "")
    names = matrix_payload(arrange(random_counts(4)), labels)["names"]
    assert names[:2] == ["a\\nb", "re\\u202efund"]
    assert len(names[2]) == 160 and "…" in names[2]
    assert names[3] == "(empty)"


def test_short_names_leave_what_is_no_class_alone():
    labels = tuple(f"https://example.org/topics/{name}" for name in ("cats", "dogs", "birds", "fish", "cows"))
    sent = matrix_payload(arrange(random_counts(5), worst=2, order="worst"), labels)
    assert sent["short"][0][2:] == ["other (3 classes)", "no label found"]
    assert set(sent["short"][0][:2]) < {"cats", "dogs", "birds", "fish", "cows"}
    assert matrix_payload(arrange(random_counts(4)), ("a", "b", "c", "d"))["short"] == [None, [*"abcd", "no label"]]


def test_spans_name_neighbours_whose_labels_begin_alike():
    labels = tuple(f"{group}_{i}" for group in ("account", "card", "refund", "top-up") for i in range(4))
    counts = random_counts(16)
    assert matrix_payload(arrange(counts), labels)["spans"] == [
        [0, 4, "account"], [4, 8, "card"], [8, 12, "refund"], [12, 16, "top-up"],
    ]  # fmt: skip
    assert matrix_payload(arrange(counts), tuple(f"class{i}" for i in range(16)))["spans"] == []
    mixed = tuple(f"{('a', 'b', 'c', 'd')[i % 4]}_{i}" for i in range(16))
    assert matrix_payload(arrange(counts), mixed)["spans"] == [], "they do not stand together"
    assert matrix_payload(arrange(counts, groups=GROUPS), labels)["spans"] == []


def test_chosen_codes_are_runs_of_positions():
    counts = random_counts(8)
    block = arrange(counts, order="worst")
    chosen = {1, 4, 6}
    runs = selected_runs(block, chosen, block.row_codes)
    inside = {position for start, end in runs for position in range(start, end)}
    assert {int(block.row_codes[position]) for position in inside} == chosen
    assert all(start < end for start, end in runs)
    assert all(end < start for (_, end), (start, _) in pairwise(runs)), "neighbours are one run"


def test_group_is_chosen_with_all_its_classes():
    counts = random_counts(12)
    block = arrange(counts, groups=GROUPS)
    at = block.row_codes.tolist().index(GROUP - 1)
    assert selected_runs(block, (3, 5, 7), block.row_codes) == [(at, at + 1)]
    assert selected_runs(block, (3, 5), block.row_codes) == []
    folded = arrange(counts, worst=9)
    position = folded.row_codes.tolist().index(OTHER)
    assert selected_runs(folded, folded.members(OTHER), folded.row_codes) == [(position, position + 1)]


def test_no_code_means_any():
    counts = random_counts(4)
    block = arrange(counts)
    assert selected_runs(block, (), block.row_codes) is None
    assert selected_runs(block, (UNPARSEABLE,), block.col_codes) == [(4, 5)]
    assert selected_runs(block, (UNPARSEABLE,), block.row_codes) == []
