"""The matrix in other forms: its cells as a table, whatever the labels contain."""

import numpy as np
import pytest

from charts.confusion import confusion_table, name_of
from metrics.confusion.axis import Group
from metrics.confusion.counts import UNPARSEABLE, confusion_counts
from metrics.confusion.matrix import Block, arrange
from tests.charts.random_counts import random_counts


def test_table_holds_every_row_once():
    counts = random_counts(8)
    table = confusion_table(arrange(counts, worst=3), counts.labels)
    assert table["rows"].sum() == counts.n
    assert table["rows"].is_monotonic_decreasing
    np.testing.assert_allclose(table.groupby("true")["share_of_true"].sum(), 1)
    np.testing.assert_allclose(table["share_of_all"].sum(), 1)


def test_the_table_of_errors_holds_the_errors():
    counts = random_counts(8)
    table = confusion_table(arrange(counts, worst=3), counts.labels, errors_only=True)
    assert table["rows"].sum() == counts.n - counts.correct.sum()


def test_table_line_says_what_its_cell_holds():
    counts = confusion_counts(np.array([0, 0, 0, 1]), np.array([0, 1, 1, UNPARSEABLE]), labels=("a", "b"))
    first, *_, last = confusion_table(arrange(counts), counts.labels).itertuples(index=False)
    assert tuple(first) == ("a", "b", 2, pytest.approx(2 / 3), 1.0, 0.5)
    assert tuple(last) == ("b", "no label found", 1, 1.0, 1.0, 0.25)


def test_collapsed_group_is_named():
    counts = random_counts(20)
    block = arrange(counts, groups=(Group("few", (0, 1), False), Group("many", tuple(range(2, 14)), True)))
    names = [name_of(int(code), block, counts.labels) for code in block.row_codes]
    assert "many (12 classes)" in names
    table = confusion_table(block, counts.labels)
    assert table["rows"].sum() == counts.n
    assert table["true"].isin(names).all()


def test_name_tells_other_and_no_label_from_classes():
    counts = random_counts(5)
    block = arrange(counts, worst=2)
    assert [name_of(int(code), block, counts.labels) for code in block.col_codes[2:]] == [
        "other (3 classes)",
        "no label found",
    ]


def test_nothing_counted_gives_an_empty_table():
    empty = Block(*2 * [np.arange(2)], *2 * [np.zeros((2, 2), dtype=np.int64)], np.arange(0))
    assert len(confusion_table(empty, ("a", "b"))) == 0
