"""Write rows as a CSV or Parquet file, batch by batch: no more of them is in memory than one batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow.parquet as pq

from data import environment
from data.columns.column_memory import count_row_bytes
from data.environment import raise_it
from data.errors import DataError
from data.evaluation import Evaluation
from data.process.limits import Progress, format_size
from data.rows.exports import safe_csv
from data.rows.row_table import build_rows_frame, build_rows_table, find_rows_by_number, row_numbers

if TYPE_CHECKING:
    import pandas as pd

SMALL = 64 << 20
"""Bytes of rows in memory up to which they are written in the server's own process, with one click."""
CELL = 64
"""Bytes that a cell takes beside its text."""
_BATCH = 8 << 20
_ROWS_OF_PARQUET = 1 << 20


def is_small(evaluation: Evaluation, rows: np.ndarray, cell: int = CELL, longest: int | None = None) -> bool:
    """Return whether rows take so little memory, repeated texts written out, that no process of their own is needed.

    cell : bytes that a cell takes beside its text. longest : bytes of its text that count; None = all.
    """
    beside = len(rows) * (evaluation.rows.num_columns + 3) * cell
    return beside <= SMALL and bool(beside + count_text_bytes(evaluation, rows, longest).sum() <= SMALL)


def count_text_bytes(evaluation: Evaluation, rows: np.ndarray, longest: int | None = None) -> np.ndarray:
    """Return the bytes of every row with repeated texts written out: columns of the file, truth, prediction."""
    n_bytes = count_row_bytes(evaluation.rows, rows, longest)
    lengths = np.array([len(label.encode("utf-8", "replace")) for label in evaluation.labels] + [0, 0], np.int64)
    for codes in (evaluation.y_true, evaluation.y_pred):
        if evaluation.task == "multilabel":
            n_bytes += codes[rows] @ lengths[:-2]
        else:
            n_bytes += lengths[codes[rows]]  # codes -1 and -2 are the two last places
    return n_bytes


def check_size(n_bytes: int, what: str, advice: str) -> None:
    """Refuse a file before it is written.

    Raises
    ------
    DataError
        it would be larger than BLINDSPOT_EXPORT_MB: what was found, the limit, what to do.
    """
    most = environment.value("BLINDSPOT_EXPORT_MB") << 20
    if n_bytes > most:
        raise DataError(
            f"{what} would be a file of some {format_size(n_bytes)}; the limit is {format_size(most)}: {advice}, or "
            f"{raise_it('BLINDSPOT_EXPORT_MB')}."
        )


def check_csv(evaluation: Evaluation, rows: np.ndarray) -> None:
    """Refuse rows that as CSV, with repeated texts written out, would be larger than a file may be."""
    n_separators = len(rows) * (evaluation.rows.num_columns + 3)
    advice = "filter the rows, leave columns out, choose Parquet"
    check_size(int(count_text_bytes(evaluation, rows).sum()) + n_separators, f"{len(rows):,} rows as CSV", advice)


def frame_of(evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str]) -> pd.DataFrame:
    """Return the rows at some positions as a table, with marks and notes where there are any.

    notes : by row number, from 1 as in the file.
    """
    return build_rows_frame(evaluation, rows, _by_place(evaluation, notes) or None)


def _by_place(evaluation: Evaluation, notes: Mapping[int, str]) -> dict[int, str]:
    places = find_rows_by_number(evaluation, np.array(sorted(notes), dtype=np.int64))
    numbers = row_numbers(evaluation, places)
    return {place: notes[number] for place, number in zip(places.tolist(), numbers.tolist(), strict=True)}


def write_csv(evaluation: Evaluation, path: Path, options: Mapping[str, Any], rows: np.ndarray, say: Progress) -> None:
    """Write rows as `safe_csv` would, batch by batch.

    options : "notes", pairs of row number and note.

    Raises
    ------
    DataError
        the file would be, or becomes, larger than BLINDSPOT_EXPORT_MB.
    """
    check_csv(evaluation, rows)
    notes = _by_place(evaluation, dict(options["notes"])) or None
    with path.open("wb") as out:
        for part in _batches(evaluation, rows, say):
            out.write(safe_csv(build_rows_frame(evaluation, part, notes), header=out.tell() == 0))
            if out.tell() > 2 * (environment.value("BLINDSPOT_EXPORT_MB") << 20):  # apostrophes and quotes double it
                check_size(out.tell(), f"{len(rows):,} rows as CSV", "filter the rows, choose Parquet")


def _batches(evaluation: Evaluation, rows: np.ndarray, say: Progress) -> Iterator[np.ndarray]:
    """Yield the rows in parts of some megabytes; at least one part, be it empty."""
    ends = np.cumsum(count_text_bytes(evaluation, rows) + CELL * (evaluation.rows.num_columns + 3))
    start = 0
    while start < max(1, len(rows)):
        say("writing", start / max(1, len(rows)))
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + _BATCH, side="right")))
        yield rows[start:end]
        start = end


def write_parquet(
    evaluation: Evaluation, path: Path | BinaryIO, options: Mapping[str, Any], rows: np.ndarray, say: Progress
) -> None:
    """Write rows as Parquet, text exactly as it is: a cell with a type of its own is never run as a formula.

    A repeated text is written once for many rows.

    options : "notes", pairs of row number and note.
    """
    notes = _by_place(evaluation, dict(options["notes"])) or None
    writer = None
    try:
        for start in range(0, max(1, len(rows)), _ROWS_OF_PARQUET):
            say("writing", start / max(1, len(rows)))
            part = rows[start : start + _ROWS_OF_PARQUET]
            table = build_rows_table(evaluation, part, notes)
            writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd", store_schema=False)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()
