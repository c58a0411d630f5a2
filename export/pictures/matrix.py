"""The confusion matrix as a picture: correct rows blue, errors orange, every name readable."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from export.limits import MAX_PICTURED_CLASSES
from export.pictures.svg import ACCENT, MODEL, Canvas, strength
from export.pictures.words import width
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts
from metrics.confusion.matrix import OTHER, Block, arrange
from text.numbers import count, percent
from text.visible import show

ORDERED_FROM = 21
"""From so many classes on, those that are taken for each other stand together."""
_NAME = 26  # characters of a name on the axis
_HEAD = 22  # room for an axis title


class Drawn(NamedTuple):
    """A matrix and what has to be said about it: the order of the classes, and what was folded."""

    canvas: Canvas
    block: Block
    notes: tuple[str, ...]


def matrix_picture(counts: ConfusionCounts, title: str) -> Drawn:
    """Draw a confusion matrix: rows are the truth, columns the prediction, colours shares of the true class's rows."""
    k = len(counts.labels)
    ordered = "cluster" if k >= ORDERED_FROM else "label"
    block = arrange(counts, order=ordered, worst=MAX_PICTURED_CLASSES if k > MAX_PICTURED_CLASSES else None)  # type: ignore[arg-type]
    return Drawn(_draw(block, counts.labels, title), block, tuple(_notes(block, ordered)))


def _notes(block: Block, ordered: str) -> list[str]:
    said = ["Rows are the truth, columns the prediction. Colour: share of the true class's rows."]
    if ordered == "cluster":
        said.append("Classes that are confused with each other stand together; a frame holds those often confused.")
    if len(block.folded):
        said.append(
            f"The {block.n_classes:,} classes with the most errors are drawn; the other {len(block.folded):,} are one "
            "row and one column, “other”. The table of classes holds all."
        )
    return said


def axis_name(code: int, labels: tuple[str, ...], limit: int | None = _NAME) -> str:
    """Return the name of a row or column."""
    return {OTHER: "other", UNPARSEABLE: "no label found"}.get(code) or show(labels[code], limit)


def _draw(block: Block, labels: tuple[str, ...], title: str) -> Canvas:
    row_names = [axis_name(int(code), labels) for code in block.row_codes]
    col_names = [axis_name(int(code), labels) for code in block.col_codes]
    cell = _cell(len(col_names))
    size = min(12.0, max(7.0, cell * 0.82))
    left = _HEAD + 8 + max(width(n, size) for n in row_names)
    longest = max(width(n, size) for n in col_names)
    flat = longest <= cell - 6
    top = _HEAD + 8 + (size if flat else longest)
    canvas = Canvas(
        left + cell * len(col_names) + 12, top + cell * len(row_names) + 12, title,
        "A confusion matrix. The table under it holds the same numbers.",
    )  # fmt: skip
    middle = left + cell * len(col_names) / 2
    canvas.words(middle, 14, "predicted", anchor="middle", kind="quiet")
    canvas.words(14, top + cell * len(row_names) / 2, "true", anchor="middle", kind="quiet", turn=-90)
    for j, shown in enumerate(col_names):
        x, full = left + (j + 0.5) * cell, axis_name(int(block.col_codes[j]), labels, 160)
        if flat:
            canvas.words(x, top - 6, shown, anchor="middle", size=size, hover=full)
        else:
            canvas.words(x + size * 0.35, top - 6, shown, turn=-90, size=size, hover=full)
    for i, shown in enumerate(row_names):
        y = top + (i + 0.5) * cell + size * 0.35
        canvas.words(left - 6, y, shown, anchor="end", size=size, hover=axis_name(int(block.row_codes[i]), labels, 160))
    _grid(canvas, left, top, cell, len(row_names), len(col_names))
    _cells(canvas, block, labels, left, top, cell)
    for outline in block.outlines:
        at, long = outline.start * cell, (outline.end - outline.start) * cell
        canvas.rect(left + at, top + at, long, long, kind="frame")
    return canvas


def _cell(n_columns: int) -> float:
    """Return pixels of a cell: large enough for its number with few classes, for its name with many."""
    return float(np.clip((520 if n_columns < ORDERED_FROM else 1000) / n_columns, 11, 96))


def _grid(canvas: Canvas, left: float, top: float, cell: float, n_rows: int, n_cols: int) -> None:
    for j in range(n_cols + 1):
        canvas.line(left + j * cell, top, left + j * cell, top + n_rows * cell)
    for i in range(n_rows + 1):
        canvas.line(left, top + i * cell, left + n_cols * cell, top + i * cell)


def _cells(canvas: Canvas, block: Block, labels: tuple[str, ...], left: float, top: float, cell: float) -> None:
    shares, support = block.shares("row"), block.rows.sum(axis=1)
    highest = _highest(block, shares)
    for i, j in zip(*np.nonzero(block.rows), strict=True):
        right = block.row_codes[i] == block.col_codes[j] and block.row_codes[i] >= 0
        share = float(shares[i, j])
        opacity = strength(share / highest[int(right)])
        x, y = left + j * cell, top + i * cell
        canvas.rect(
            x, y, cell, cell, fill=MODEL if right else ACCENT, opacity=opacity,
            hover=sentence(block, labels, int(i), int(j), int(support[i])),
        )  # fmt: skip
        count = f"{block.rows[i, j]:,}"
        size = min(14.0, cell * 0.34)
        if size >= 8 and width(count, size) < cell - 2:
            ink = "on-strong" if opacity > 0.8 else ""
            canvas.words(x + cell / 2, y + cell / 2 + size * 0.35, count, anchor="middle", kind=ink, size=size)


def _highest(block: Block, shares: np.ndarray) -> tuple[float, float]:
    """Return the largest share among the errors and among the correct cells: each kind has a scale of its own."""
    same = (block.row_codes[:, None] == block.col_codes[None, :]) & (block.row_codes[:, None] >= 0)
    kinds = (np.nan_to_num(np.where(same, 0.0, shares)), np.nan_to_num(np.where(same, shares, 0.0)))
    errors, correct = (float(kind.max(initial=0.0)) or 1.0 for kind in kinds)
    return errors, correct


def sentence(block: Block, labels: tuple[str, ...], i: int, j: int, support: int) -> str:
    """Return a cell in words, plain text."""
    n, true = int(block.rows[i, j]), axis_name(int(block.row_codes[i]), labels, 80)
    predicted = axis_name(int(block.col_codes[j]), labels, 80)
    return f"{n:,} of {count(support)} of {true} predicted as {predicted} ({percent(n / support)})"
