"""Files of many rows hold what files of few rows hold, and are refused before they are written."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.errors import DataError
from data.evaluation import Settings
from data.process.limits import ignore_progress
from data.rows import row_files
from data.rows.exports import safe_csv
from data.rows.row_files import check_csv, count_text_bytes, frame_of, is_small, write_csv, write_parquet
from data.rows.row_table import build_rows_table
from tests.data.few_rows import EVERY, evaluate

NOTES = {2: "=look", 4: ""}
CLASH = evaluate(
    {"y": ["a", "b", None], "y_pred": ["a", "-b", "b"], "row": ["=1", "x\r\n", 'say "no"'], "n": [1, None, 3]},
    Settings(truth="y", pred="y_pred"),
)
ALL = {**EVERY, "clash": CLASH}


def repeated(n, length=1_000):
    """Rows that all repeat one long text: some bytes each in memory."""
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), ["x" * length])
    table = pa.table({"y": ["a", "b"] * (n // 2), "y_pred": ["a", "b"] * (n // 2), "text": text})
    return evaluate(table, Settings(truth="y", pred="y_pred"))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("notes", [{}, NOTES])
@pytest.mark.parametrize("batch", [1, 400, 1 << 20])
def test_csv_in_batches_is_byte_identical(name, notes, batch, monkeypatch, tmp_path):
    evaluation = ALL[name]
    monkeypatch.setattr(row_files, "_BATCH", batch)
    for rows in (np.arange(evaluation.n_lines)[::-1], np.array([1]), np.arange(0)):
        write_csv(evaluation, tmp_path / "out", {"notes": list(notes.items())}, rows, ignore_progress)
        assert (tmp_path / "out").read_bytes() == safe_csv(frame_of(evaluation, rows, notes))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("notes", [{}, NOTES])
@pytest.mark.parametrize("batch", [2, 1 << 20])
def test_parquet_in_batches_holds_the_same_cells(name, notes, batch, monkeypatch, tmp_path):
    evaluation = ALL[name]
    monkeypatch.setattr(row_files, "_ROWS_OF_PARQUET", batch)
    rows = np.arange(evaluation.n_lines)[::-1]
    write_parquet(evaluation, tmp_path / "out", {"notes": list(notes.items())}, rows, ignore_progress)
    made = pq.read_table(tmp_path / "out")
    wanted = build_rows_table(evaluation, rows, {number - 1: note for number, note in notes.items()} or None)
    assert made.to_pydict() == wanted.to_pydict() and made.schema.metadata is None


@pytest.mark.parametrize("name", ALL)
def test_text_bytes_are_those_of_the_cells(name):
    evaluation = ALL[name]
    rows = np.arange(evaluation.n_lines)
    frame = frame_of(evaluation, rows, {}).drop(columns=["row", "confidence"], errors="ignore")
    for at, row in enumerate(frame.itertuples(index=False)):
        cells = [len(str(cell).replace(" | ", "").encode()) for cell in row if isinstance(cell, str)]
        numbers = sum(pa.types.is_floating(kind) or pa.types.is_integer(kind) for kind in evaluation.rows.schema.types)
        slack = len("(no label found)")  # it counts as no text, and " | " neither
        assert sum(cells) - slack <= count_text_bytes(evaluation, rows)[at] - 8 * numbers <= sum(cells)


def test_repeated_texts_count_every_time():
    evaluation = repeated(100_000)
    assert is_small(evaluation, np.arange(10_000)) and not is_small(evaluation, np.arange(100_000))
    assert evaluation.rows.nbytes < 2 << 20
    assert not is_small(evaluation, np.arange(10_000), cell=2_000)
    assert is_small(evaluation, np.arange(100_000), longest=100)


def test_rows_over_the_limit_are_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("BLINDSPOT_EXPORT_MB", "16")
    evaluation = repeated(20_000)
    check_csv(evaluation, np.arange(16_000))
    for refuse in (
        lambda: check_csv(evaluation, np.arange(20_000)),
        lambda: write_csv(evaluation, tmp_path / "out", {"notes": []}, np.arange(20_000), ignore_progress),
    ):
        with pytest.raises(DataError) as refused:
            refuse()
        assert str(refused.value) == (
            "20,000 rows as CSV would be a file of some 19.3 MB; the limit is 16 MB: filter the rows, leave columns "
            "out, choose Parquet, or whoever runs the server can raise it with BLINDSPOT_EXPORT_MB."
        )
    assert not (tmp_path / "out").exists()


def test_parquet_writes_a_repeated_text_once(tmp_path):
    write_parquet(repeated(100_000), tmp_path / "out", {"notes": []}, np.arange(100_000), ignore_progress)
    assert (tmp_path / "out").stat().st_size < 1 << 20
