"""Rows that stand for no prediction are left out and named; a row that may be one stays."""

from __future__ import annotations

import pyarrow as pa
import pytest

from data.process.limits import Limits
from data.reading.csv.delimited import Delimited, read_delimited
from data.reading.csv.extra_rows import counts_rows, without_extra_rows

ROWS = "a1,cat,cat,0.5\na2,dog,cat,0.25\na3,cat,cat,1\n"


def read(text: str) -> Delimited:
    return read_delimited(text.encode(), Limits())


def last_row_stays(text: str) -> bool:
    return read(text).table.num_rows == text.count("\n") - 1


@pytest.mark.parametrize(
    "total",
    [
        "TOTAL,,,",
        "Total:,,,1.75",
        "Sum,3,3,1.75",
        "Grand total,3,,",
        " total ,,,0.5833",
        "Average,,,0.583333",
        "mean,,,0.58",
        "overall,,66.7%,",
        ",Total,,3",
        "total,,,30.5",
    ],
)
def test_closing_totals_row_is_left_out(total: str) -> None:
    found = read("id,y_true,y_pred,p\n" + ROWS + total + "\n")
    assert found.table.column("id").to_pylist() == ["a1", "a2", "a3"]
    (warning,) = found.warnings
    assert "holds totals and no prediction: row 4 was left out" in warning
    assert total.split(",")[0].strip() in warning


@pytest.mark.parametrize(
    "row",
    [
        "total,cat,dog,0.5",  # predicted
        "total,,dog,",  # predicted, without a truth
        "total,,,0.33",  # neither the sum nor the mean
        "a4,,,",  # no word for a total
        "totally,,,",
        "a1,total,cat,0.5",
    ],
)
def test_a_row_that_may_be_one_stays(row: str) -> None:
    assert last_row_stays("id,y_true,y_pred,p\n" + ROWS + row + "\n")


def test_a_class_called_total_stays() -> None:
    assert last_row_stays("y_true,y_pred\ncat,cat\ntotal,total\ncat,total\ntotal,\n")
    assert last_row_stays("y_true,y_pred\ncat,cat\ndog,dog\ntotal,total\n")
    assert last_row_stays("y\ncat\ndog\ncat\ntotal\n")


def test_sums_are_told_from_numeric_labels() -> None:
    rows = "id,y_true,y_pred\nr1,0,1\nr2,1,1\nr3,1,1\n"
    assert read(rows + "Total,2,3\n").table.num_rows == 3
    assert last_row_stays(rows + "Total,1,0\n")


def test_several_closing_rows_are_left_out() -> None:
    found = read("id,y_true,y_pred,p\n" + ROWS + "Total,,,1.75\nAverage,,,0.5833\n,,,\n,,,\n")
    assert found.table.num_rows == 3
    assert "2 empty rows at the end left out." in found.notes and len(found.warnings) == 2


def test_labels_of_left_out_rows_are_gone() -> None:
    found = read("y_true,y_pred\n" + "cat,dog\ndog,dog\n" * 20 + "Total,40\n")
    kinds = {name: set(found.table.column(name).unique().to_pylist()) for name in ("y_true", "y_pred")}
    assert kinds == {"y_true": {"cat", "dog"}, "y_pred": {"dog"}}
    assert all(set(chunk.dictionary.to_pylist()) <= {"cat", "dog"} for chunk in found.table.column("y_true").chunks)


def test_exact_repeated_header_is_left_out() -> None:
    table = pa.table({"word": ["y", "word", "word", "x"], "y": ["word", "a", "y", "y"]})
    kept, _, warnings = without_extra_rows(table)
    assert kept.to_pydict() == {"word": ["y", "word", "x"], "y": ["word", "a", "y"]}
    assert "row 3" in warnings[0]


@pytest.mark.parametrize(
    ("cells", "counted"),
    [
        (["0", "1", "2"], True),
        (["1", "2", "3"], True),
        (["2", "3"], False),
        (["0", "2"], False),
        (["0", None], False),
        (["0", "01"], False),
        ([None], False),
    ],
)
def test_a_column_that_counts_its_rows_is_told(cells: list[str | None], counted: bool) -> None:
    column = pa.chunked_array([pa.array(cells, pa.string())])
    assert counts_rows(column) == counts_rows(column.dictionary_encode()) == counted
