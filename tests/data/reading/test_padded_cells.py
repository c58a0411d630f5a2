"""Spaces that fill up every cell of a column are no part of its values; a space that tells values apart is."""

import pytest

from data.process.limits import Limits
from data.reading.csv.delimited import read_delimited

PAIRS = [("cat", "cat"), ("dog", "horse"), ("horse", "cat")]
SAID = "Spaces at the ends of the cells of"


@pytest.mark.parametrize("row", ["{},{}", "{}, {}", " {} , {} ", "{},{:<5}", "{},{} ", "{:>8},{:>6}", "{:<8},\u00a0{}"])
def test_padded_labels_are_read_without_spaces(row: str) -> None:
    text = "y_true,y_pred\n" + "".join(row.format(*pair) + "\n" for pair in PAIRS * 5)
    read = read_delimited(text.encode(), Limits())
    assert [*zip(*read.table.to_pydict().values(), strict=True)] == PAIRS * 5
    assert any(SAID in warning for warning in read.warnings) == (row != "{},{}")


@pytest.mark.parametrize("labels", [["cat ", "dog"], [" a", "a "], [" a", "  a"], ["a b", "c d"], ["", " a", "b"]])
def test_spaces_of_single_labels_stay(labels: list[str]) -> None:
    text = "id,y_true\n" + "".join(f"{number},{label}\n" for number, label in enumerate(labels * 5))
    read = read_delimited(text.encode(), Limits())
    assert read.table.column("y_true").to_pylist() == [label or None for label in labels] * 5
    assert not any(SAID in warning for warning in read.warnings)
