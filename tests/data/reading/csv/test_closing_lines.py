"""Lines below a table of two columns that are no rows are asked about; rows that could be predictions are not."""

import random

import pytest

from data.bad_rows import CLOSING, BadRowsFound
from data.process.limits import Limits
from data.reading.csv.delimited import read_delimited
from data.reading.options import ReadOptions

COLUMNS = {
    "labels": ("y_true,y_pred", ["cat", "dog", "owl"], ["cat", "dog", "owl"]),
    "numbers": ("y_true,y_pred", ["0", "1"], ["0", "1"]),
    "ids": ("id,label", [f"r{number}" for number in range(60)], ["cat", "dog"]),
    "scores": ("id,prob", [f"r{number}" for number in range(60)], [f"0.{number:03}" for number in range(1, 400)]),
}


def draw_rows(kind: str) -> str:
    header, first, second = COLUMNS[kind]
    dice = random.Random(0)
    keys = first if len(first) == 60 else [dice.choice(first) for _ in range(60)]
    return header + "\n" + "".join(f"{key},{dice.choice(second)}\n" for key in keys)


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "lines",
    [
        ["Rows,600"],
        ["", "Rows,600"],
        ["Total,600", "Correct,450"],
        ["Generated on,2024-01-02"],
        ["Rows,9", "", "Accuracy,0.77"],
    ],
)
def test_closing_lines_are_asked_about(kind: str, end: str, lines: list[str]) -> None:
    content = (draw_rows(kind) + "\n".join(lines)).replace("\n", end).encode()
    with pytest.raises(BadRowsFound) as question:
        read_delimited(content, Limits())
    written = [line for line in lines if line]
    rows = question.value.rows
    assert (rows.kinds, rows.n_rows) == (((CLOSING, len(written)),), 60 + len(written))
    assert [row.lines for row in rows.examples] == [(line,) for line in written]
    assert [row.line for row in rows.examples] == [62 + lines.index(line) for line in written]
    read = read_delimited(content, Limits(), options=ReadOptions(skip_bad_rows=True))
    assert read.table.equals(read_delimited(draw_rows(kind).replace("\n", end).encode(), Limits()).table)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("labels", "bird,cat"), ("labels", "bird,crow"), ("labels", "NA,7"),
        ("numbers", "2,7"), ("numbers", "NA,NA"), ("ids", "r600,bird"), ("ids", "r600,owl2"),
        ("scores", "r600,0.99951"), ("labels", "Rows,"),
    ],
)  # fmt: skip
def test_rows_that_may_be_predictions_stay(kind: str, line: str) -> None:
    assert read_delimited((draw_rows(kind) + line).encode(), Limits()).table.num_rows == 61


def test_short_files_have_no_closing_lines() -> None:
    assert read_delimited(b"y_true,y_pred\ncat,dog\ncat,cat\nA1,8\n", Limits()).table.num_rows == 3
