"""Pictures are found by their values and sizes, and drawn from bytes of our own making."""

import base64

import numpy as np
import pyarrow as pa
import pytest

from data.pictures import LARGEST, Pictures, find_pictures, parse_numbers, read_pictures
from data.samples import FOLDER
from tests.opened_runs import open_run


def inks(side: int, high: int, n: int = 3) -> np.ndarray:
    return np.random.default_rng(side).integers(0, high + 1, (n, side * side)) | (np.arange(side * side) == 0) * high


def bytes_of(table: pa.Table, row: int = 0) -> list[int]:
    found = find_pictures(table)
    assert found is not None
    return list(base64.b64decode(read_pictures(table, found, np.array([row]))[0]))


def test_digits_are_those_of_scikit_learn():
    from sklearn.datasets import load_digits

    evaluation, images = open_run("digits"), load_digits().images
    found = find_pictures(evaluation.rows, ["label", "predicted", *(f"p_{k}" for k in range(10))])
    assert found == Pictures(("pixels",), 8, 16)
    ids = evaluation.rows.column("id").to_pylist()
    for row, drawn in enumerate(read_pictures(evaluation.rows, found, np.arange(len(ids)))):
        assert list(base64.b64decode(drawn)) == np.rint(images[int(ids[row])].ravel() * 255 / 16).astype(int).tolist()
    assert (FOLDER / "digits.csv").stat().st_size < 300_000


@pytest.mark.parametrize("write", [str, lambda cell: " ".join(map(str, cell)), list, lambda cell: [cell[:8], cell[8:]]])
def test_lists_may_be_written_in_many_ways(write):
    pixels = inks(4, 255)
    assert bytes_of(pa.table({"x": [write(row.tolist()) for row in pixels]}), 1) == pixels[1].tolist()


def test_numbered_columns_are_pixels_in_order():
    pixels = inks(8, 255)
    names = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)]
    shuffled = np.random.default_rng(1).permutation(64)
    table = pa.table({"label": ["a", "b", "c"]} | {names[at]: pixels[:, at] for at in shuffled})
    assert bytes_of(table) == pixels[0].tolist()
    assert bytes_of(pa.table({f"pixel{at}": pixels[:, at] for at in shuffled})) == pixels[0].tolist()


@pytest.mark.parametrize(
    "cells",
    [
        [[0.5, -0.1] * 32] * 3,  # a vector that a model computed
        [[1.5, 2.25] * 32] * 3,
        [[0, 300] * 32] * 3,
        [[0] * 64] * 3,
        [[1, 0, 0, 1]] * 3,
        [[1] * 63] * 3,
        [[1] * 16, [1] * 25, [1] * 16],
        [[1] * (LARGEST + 1) ** 2] * 3,
        ["[" * 5_000 + "1" + "]" * 5_000] * 3,
        ["nan " * 16] * 3,
        ["1e999 " * 16] * 3,
        ["http://host/x.png"] * 3,
    ],
)
def test_other_lists_are_no_pictures(cells):
    assert find_pictures(pa.table({"x": pa.array(cells)})) is None


def test_rows_of_another_kind_have_no_picture():
    cells = ["[" + "1," * 15 + "9]"] * 2_000
    cells[7], cells[8], cells[9] = "<svg onload=alert(1)>", "1 " * 1_000_000, "inf " * 16
    table = pa.table({"x": cells})
    found = find_pictures(table)
    assert found is not None
    drawn = read_pictures(table, found, np.array([6, 7, 8, 9]))
    assert len(base64.b64decode(drawn[0])) == 16 and drawn[1:] == ["", "", ""]


def test_no_column_no_picture():
    assert find_pictures(pa.table({})) is None and find_pictures(pa.table({"x": pa.array([], pa.string())})) is None
    assert parse_numbers(None) is None and parse_numbers({"a": 1}) is None and parse_numbers([[1, 2], [3]]) is None
