"""Test what a table takes once every repeated text is written out."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.columns.column_memory import count_row_bytes, estimate_memory
from data.errors import DataError
from data.evaluation import Settings

texts = st.lists(st.none() | st.text(max_size=5), max_size=30)


def coded(cells, chunks=1):
    parts = np.array_split(np.arange(len(cells)), chunks)
    arrays = [pa.array([cells[i] for i in part], pa.string()).dictionary_encode() for part in parts]
    return pa.chunked_array(arrays, pa.dictionary(pa.int32(), pa.string()))


@given(texts, st.integers(1, 4), st.integers(0, 6), st.data())
def test_row_bytes_are_those_of_every_cell(cells, chunks, longest, data):
    table = pa.table({"coded": coded(cells, chunks), "plain": pa.array(cells, pa.string())})
    bytes_of = [len((cell or "").encode()) for cell in cells]
    assert count_row_bytes(table).tolist() == [2 * n for n in bytes_of]
    assert count_row_bytes(table, longest=longest).tolist() == [2 * min(n, longest) for n in bytes_of]
    rows = data.draw(st.lists(st.integers(0, len(cells) - 1), max_size=10)) if cells else []
    assert count_row_bytes(table, np.array(rows, np.int64)).tolist() == [2 * bytes_of[row] for row in rows]


def test_numbers_and_tables_without_rows_are_measured():
    assert count_row_bytes(pa.table({"p": [0.5, None], "n": [1, 2]})).tolist() == [16, 16]
    assert count_row_bytes(pa.table({"y": pa.array([], pa.string())}), np.array([], np.int64)).tolist() == []


def test_memory_counts_repeated_texts_every_time(monkeypatch):
    """200 kB of codes that stand for 50 MB."""
    monkeypatch.setenv("BLINDSPOT_EVALUATION_MB", "16")
    n = 50_000
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), ["x" * 1_000])
    table = pa.table({"y": ["a", "b"] * (n // 2), "y_pred": ["a", "b"] * (n // 2), "text": text})
    assert table.nbytes < 1 << 20 < estimate_memory(table)
    with pytest.raises(DataError) as refused:
        build(table, Settings(truth="y", pred="y_pred"), name="bomb", content_sha256="0")
    assert str(refused.value) == (
        "With repeated texts written out, this evaluation takes some 48.8 MB of memory; the limit is 16 MB. The "
        "largest column is 'text' with 47.9 MB. Give fewer rows, labels or text columns, or whoever runs the server "
        "can raise it with BLINDSPOT_EVALUATION_MB."
    )
