"""Cells of a column are those that Arrow takes, whatever the chunks and the number of rows."""

import numpy as np
import pyarrow as pa
import pytest

from data.rows.cells import FEW, take_cells


@pytest.mark.parametrize("n", [0, 1, FEW, FEW + 1])
def test_cells_are_those_arrow_takes(n):
    texts = pa.chunked_array([["a", None], [], ["b"] * 7, ["c", "ä"]])
    rows = np.random.default_rng(n).integers(len(texts), size=n)
    for column in (texts, texts.dictionary_encode(), pa.chunked_array([], pa.float64()) if n == 0 else texts):
        assert take_cells(column, rows).to_pylist() == column.take(pa.array(rows, pa.int64())).to_pylist()


@pytest.mark.parametrize("n", [1, FEW + 1])
@pytest.mark.parametrize("row", [-1, 2])
def test_cells_beyond_column_raise(n, row):
    with pytest.raises(IndexError):
        take_cells(pa.chunked_array([["a"], ["b"]]), np.array([0] * (n - 1) + [row]))
