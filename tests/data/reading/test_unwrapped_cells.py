"""Values are read without what a library wrote around them, where every cell of the column has it, and that is said."""

import json

import pytest

from data.process.limits import Limits
from data.reading.csv.delimited import read_delimited

NUMBERS = ["0.25", "0.5", "0.125"]


def read_column(cells: list[str]) -> tuple[list[object], tuple[str, ...]]:
    quoted = (cell.replace('"', '""') for cell in cells)
    read = read_delimited(("id,x\n" + "".join(f'a{n},"{cell}"\n' for n, cell in enumerate(quoted))).encode(), Limits())
    return read.table.column("x").to_pylist(), read.warnings


@pytest.mark.parametrize(
    "written",
    [
        "tensor({})", "tensor({}, device='cuda:0')", "tensor({}, grad_fn=<SelectBackward0>)", "np.float64({})",
        "tensor({}, device='cuda:0', grad_fn=<NllLossBackward0>)", "[{}]", "[ {} ]", "tensor([{}])",
        "array([{}], dtype=float32)", "[np.float32({})]", "b'{}'", 'b"{}"',
    ],
)  # fmt: skip
def test_value_inside_is_read(written: str) -> None:
    cells = [written.format(number) for number in NUMBERS]
    values, warnings = read_column(cells)
    assert values == NUMBERS
    assert [warning for warning in warnings if cells[0][:20] in warning and "read as '0.25'" in warning]


def test_lists_inside_are_lists() -> None:
    values, _ = read_column(["[np.float64(0.25), np.float64(0.75)]", "tensor([0.5, 0.5])"])
    assert [json.loads(str(value)) for value in values] == [[0.25, 0.75], [0.5, 0.5]]


def test_bytes_are_read_as_utf8() -> None:
    assert read_column([str("Bär".encode()), str(b"Hund")])[0] == ["Bär", "Hund"]


@pytest.mark.parametrize(
    "cells",
    [
        ["tensor(0.5)", "0.5"], ["[1]", "[2]"], ["['a']", "['b']"], ["call(1)", "call(2)"], ["b'\\xff'", "b'\\xfe'"],
        ["tensor(1", "tensor(2"], ["np.float64", "np.int64"],
    ],
)  # fmt: skip
def test_other_cells_stay_as_they_are(cells: list[str]) -> None:
    assert read_column(cells) == (cells, ())


@pytest.mark.parametrize("other", ["", " ", "failed"])
@pytest.mark.parametrize("place", [0, 2])
def test_other_cells_between_are_kept(other: str, place: int) -> None:
    cells = ["b'cat'", "b'dog'", "b'cat'"]
    cells.insert(place if other != "failed" else 2, other)
    wanted = [(cell or "").strip().removeprefix("b'").removesuffix("'") or None for cell in cells]
    assert read_column(cells)[0] == wanted


def test_values_inside_never_join_others() -> None:
    assert read_column(["b'cat'", "b'dog'", "cat"])[0] == ["b'cat'", "b'dog'", "cat"]
    assert read_column(["[0.5]", "[0.25]", "[0.5, 0.25]"])[0] == ["[0.5]", "[0.25]", "[0.5, 0.25]"]


def test_cells_of_another_column_keep_their_form() -> None:
    lists = 'y_true,y_pred\n[1.0],"[1.0, 2.0]"\n[2.0],[2.0]\n'
    assert read_delimited(lists.encode(), Limits()).table.column("y_true").to_pylist() == ["[1.0]", "[2.0]"]
    padded = "y_true,y_pred\nyes,yes\nno ,no \nmaybe,no \n"
    assert read_delimited(padded.encode(), Limits()).table.column("y_pred").to_pylist() == ["yes", "no ", "no "]
