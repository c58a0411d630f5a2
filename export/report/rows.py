"""The rows of the file in the report, only where somebody asked for them, and always with how many of how many."""

from __future__ import annotations

import numpy as np

from data.columns.table_metadata import rows_left_out
from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.row_files import check_size, count_text_bytes, is_small
from data.rows.row_table import build_rows_frame
from data.rows.selection import is_right
from export.limits import MAX_CELL_CHARS
from export.pictures.words import text
from export.report import markup
from export.report.markup import Cell
from text.numbers import count
from text.visible import show


def choose_rows(evaluation: Evaluation, at_most: int | None) -> np.ndarray:
    """Return the positions of the rows that go in: all, or the wrong ones first and then the others, in file order."""
    everything = np.arange(evaluation.n_lines)
    if at_most is None or evaluation.n_lines <= at_most:
        return everything
    wrong = evaluation.scored & ~is_right(evaluation)
    ordered = np.concatenate([everything[wrong], everything[~wrong]])
    picked: np.ndarray = np.sort(ordered[: max(0, at_most)])
    return picked


_CELL_IN_MEMORY = 512
"""Bytes that a cell of the report takes beside its text while it is written."""


def are_small(evaluation: Evaluation, at_most: int | None) -> bool:
    """Return whether the rows take so little memory that no process of their own is needed."""
    return is_small(evaluation, choose_rows(evaluation, at_most), _CELL_IN_MEMORY, MAX_CELL_CHARS)


def check_rows(evaluation: Evaluation, at_most: int | None) -> None:
    """Refuse rows that would make the report larger than a file may be.

    Raises
    ------
    DataError
        one sentence: what was found, the limit, what to do.
    """
    picked = choose_rows(evaluation, at_most)
    n_bytes = int(count_text_bytes(evaluation, picked, MAX_CELL_CHARS).sum())
    n_bytes += len(picked) * (evaluation.rows.num_columns + 3) * len("<td></td>")
    check_size(n_bytes, f"A report with {count(len(picked))}", "put fewer rows in")


def section(evaluation: Evaluation, at_most: int | None) -> str:
    """Return the rows as a table, and what was left out.

    Raises
    ------
    DataError
        the rows were left out by whoever shared the evaluation, or are too many for a file.
    """
    if rows_left_out(evaluation):
        raise DataError("Whoever shared this left the rows out, so no report can hold them: make it without rows.")
    check_rows(evaluation, at_most)
    picked = choose_rows(evaluation, at_most)
    frame = build_rows_frame(evaluation, picked)
    what = "row" if evaluation.weights is None else "line"
    total = evaluation.n_lines
    all_in = len(picked) == total
    wrong = f"{count(len(picked), what)} of {total:,}: wrong ones before right ones, shown in the order of the file."
    note = f"All {count(total, what)} of the file." if all_in else wrong
    cut = [0]
    body = [[_cell(value, cut) for value in row] for row in frame.itertuples(index=False, name=None)]
    cells = f" {count(cut[0], 'cell')} cut at {MAX_CELL_CHARS} characters." if cut[0] else ""
    table = markup.table("rows-table", note, [show(str(name), 80) for name in frame.columns], body)
    return f'<p class="lead">{note}{cells} It may hold personal texts: take care who gets this file.</p>{table}'


def _cell(value: object, cut: list[int]) -> Cell:
    if value is None or value != value:
        return Cell("")
    if isinstance(value, bool | np.bool_):
        return Cell(str(bool(value)).lower())
    if isinstance(value, int | float | np.integer | np.floating):
        return Cell(f"{value:.6g}" if isinstance(value, float | np.floating) else str(value), float(value))
    shown = str(value)
    cut[0] += len(shown) > MAX_CELL_CHARS
    return Cell(text(shown, MAX_CELL_CHARS) if shown else "")
