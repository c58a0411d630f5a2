"""The confusion matrix as a picture, as the page Confusion draws it: correct rows blue, errors orange, all names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from export.limits import MAX_PICTURED_CLASSES
from export.pictures.svg import ACCENT, FAINTEST, MODEL, Canvas, strength
from export.pictures.words import width
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts
from metrics.confusion.matrix import OTHER, Block, arrange
from text.numbers import count, percent, write_amount
from text.visible import show

_NAME = 26  # characters of a name on the axis
_HEAD = 22  # room for an axis title
_LEGEND, _LINE = 50, 18  # room for the scales below the cells, and for each of them
_WIDEST = 1000.0  # pixels of names and cells: what a page has room for
_FILLED = 300.0  # pixels that a few classes fill
_LARGEST, _SMALLEST = 52.0, 9.0  # pixels of a cell, but of a few classes
_SCALE, _STEPS = 72, 24  # pixels of a scale of colours, and how many it has
_NARROWEST = 344  # pixels: the scale of errors with its words


class Drawn(NamedTuple):
    """A matrix and what has to be said about it: its colours, and what was folded."""

    canvas: Canvas
    block: Block
    notes: tuple[str, ...]


class Layout(NamedTuple):
    """Place of the first cell, and pixels of a cell."""

    left: float
    top: float
    cell: float


def matrix_picture(counts: ConfusionCounts, title: str) -> Drawn:
    """Draw a confusion matrix: rows are the truth, columns the prediction, colours shares of the true class's rows."""
    k = len(counts.labels)
    block = arrange(counts, worst=MAX_PICTURED_CLASSES if k > MAX_PICTURED_CLASSES else None)
    return Drawn(_draw(block, counts.labels, title), block, tuple(_notes(block)))


def _notes(block: Block) -> list[str]:
    by = "" if block.counted is None else ", by weight"
    notes = [f"The number in a cell is its share of the true class{by}."]
    if len(block.folded):
        notes.append(
            f"The {block.n_classes:,} classes with the most errors are drawn; the other {len(block.folded):,} are one "
            "row and one column, “other”. The table of classes holds all."
        )
    return notes


def axis_name(code: int, labels: tuple[str, ...], limit: int | None = _NAME) -> str:
    """Return the name of a row or column."""
    return {OTHER: "other", UNPARSEABLE: "no label found"}.get(code) or show(labels[code], limit)


def _draw(block: Block, labels: tuple[str, ...], title: str) -> Canvas:
    row_names = [axis_name(int(code), labels) for code in block.row_codes]
    col_names = [axis_name(int(code), labels) for code in block.col_codes]
    cell = _cell(len(col_names), max(width(name, 12) for name in row_names))
    size = min(12.0, max(7.0, cell * 0.82))
    left = _HEAD + 8 + max(width(name, size) for name in row_names)
    longest = max(width(name, size) for name in col_names)
    flat = longest <= cell - 6
    layout = Layout(left, _HEAD + 8 + (size if flat else longest), cell)
    wide, high = cell * len(col_names), cell * len(row_names)
    canvas = Canvas(
        max(layout.left + wide + 12, _NARROWEST), layout.top + high + _LEGEND, title,
        "A confusion matrix. The table under it holds the same numbers.",
    )  # fmt: skip
    canvas.words(layout.left + wide / 2, 14, "Predicted class", anchor="middle", kind="quiet")
    canvas.words(14, layout.top + high / 2, "True class", anchor="middle", kind="quiet", turn=-90)
    for j, shown in enumerate(col_names):
        x, full = layout.left + (j + 0.5) * cell, axis_name(int(block.col_codes[j]), labels, 160)
        if flat:
            canvas.words(x, layout.top - 6, shown, anchor="middle", size=size, hover=full)
        else:
            canvas.words(x + size * 0.35, layout.top - 6, shown, turn=-90, size=size, hover=full)
    for i, shown in enumerate(row_names):
        y, full = layout.top + (i + 0.5) * cell + size * 0.35, axis_name(int(block.row_codes[i]), labels, 160)
        canvas.words(layout.left - 6, y, shown, anchor="end", size=size, hover=full)
    canvas.rect(layout.left, layout.top, wide, high, kind="plane")
    _cells(canvas, block, labels, layout)
    _gaps(canvas, layout, len(row_names), len(col_names))
    _never_predicted(canvas, block, layout)
    _legend(canvas, block, layout.top + high + 22)
    return canvas


def _cell(n_columns: int, names: float) -> float:
    """Return pixels of a cell: large enough for its number with few classes, for its name with many."""
    wanted = max(_FILLED, _LARGEST * n_columns)
    room = min(wanted, _WIDEST - names - _HEAD)
    return max(_SMALLEST, room / n_columns)


def _gaps(canvas: Canvas, layout: Layout, n_rows: int, n_cols: int) -> None:
    """Draw gaps between the cells in the colour of the paper."""
    left, top, cell = layout
    right, bottom = left + n_cols * cell, top + n_rows * cell
    for j in range(1, n_cols):
        canvas.line(left + j * cell, top, left + j * cell, bottom, "gap")
    for i in range(1, n_rows):
        canvas.line(left, top + i * cell, right, top + i * cell, "gap")


def _cells(canvas: Canvas, block: Block, labels: tuple[str, ...], layout: Layout) -> None:
    shares, support = block.shares("row"), block.rows.sum(axis=1)
    errors, correct = _highest(block, shares)
    size = min(13.0, layout.cell * 0.4)
    fits = size >= 8.5 and width("> 99 %", size) < layout.cell - 4
    for i, j in zip(*np.nonzero(block.rows), strict=True):
        right = block.row_codes[i] == block.col_codes[j] and block.row_codes[i] >= 0
        share = float(shares[i, j])
        opacity = _linear(share / correct) if right else strength(share / errors)
        x, y = layout.left + j * layout.cell, layout.top + i * layout.cell
        canvas.rect(
            x, y, layout.cell, layout.cell, fill=MODEL if right else ACCENT, opacity=opacity,
            hover=sentence(block, labels, int(i), int(j), int(support[i])),
        )  # fmt: skip
        if fits:
            ink = "on-strong" if right and opacity > 0.8 else "on-colour" if opacity > 0.5 else ""
            middle = y + layout.cell / 2 + size * 0.35
            canvas.words(x + layout.cell / 2, middle, percent(share, 0), anchor="middle", kind=ink, size=size)


def _linear(share: float) -> float:
    """Return the opacity of a correct cell: linear, so that a weak class is pale."""
    return FAINTEST + (1 - FAINTEST) * min(share, 1.0)


def _never_predicted(canvas: Canvas, block: Block, layout: Layout) -> None:
    """Draw a frame where a class has true rows and is never predicted."""
    same = min(block.rows.shape)
    never = (block.rows.sum(axis=1)[:same] > 0) & (block.rows.sum(axis=0)[:same] == 0)
    for place in np.flatnonzero(never):
        x, y, size = layout.left + place * layout.cell, layout.top + place * layout.cell, layout.cell
        canvas.rect(x + 1, y + 1, size - 2, size - 2, kind="frame")


def _highest(block: Block, shares: np.ndarray) -> tuple[float, float]:
    """Return the largest share among the errors and among the correct cells: each kind has a scale of its own."""
    same = (block.row_codes[:, None] == block.col_codes[None, :]) & (block.row_codes[:, None] >= 0)
    kinds = (np.nan_to_num(np.where(same, 0.0, shares)), np.nan_to_num(np.where(same, shares, 0.0)))
    errors, correct = (float(kind.max(initial=0.0)) or 1.0 for kind in kinds)
    return errors, correct


def _legend(canvas: Canvas, block: Block, y: float) -> None:
    """Draw both scales of colours with their largest values."""
    errors, correct = _highest(block, block.shares("row"))
    _scale(canvas, y, "Correct", MODEL, percent(correct))
    _scale(canvas, y + _LINE, "Errors", ACCENT, f"{percent(errors)}, square-root scale")


def _scale(canvas: Canvas, y: float, word: str, colour: str, most: str) -> None:
    """Draw a word, the colours from 0 to the largest value, and that."""
    canvas.words(8, y, word, kind="heavy")
    x = 18 + width("Correct", 11)
    canvas.words(x, y, "0 %")
    x = round(x + width("0 %", 11) + 6)
    for step in range(_STEPS):
        share = (step + 0.5) / _STEPS
        canvas.rect(x + step * _SCALE / _STEPS, y - 9, _SCALE / _STEPS, 9, fill=colour, opacity=_linear(share))
    canvas.words(x + _SCALE + 6, y, most)


def sentence(block: Block, labels: tuple[str, ...], i: int, j: int, support: int) -> str:
    """Return a cell in words, plain text."""
    n, true = int(block.rows[i, j]), axis_name(int(block.row_codes[i]), labels, 80)
    predicted = axis_name(int(block.col_codes[j]), labels, 80)
    of = f"{n:,} of {count(support)}"
    if block.counted is not None:
        of = f"Weight {write_amount(n * block.unit)} of {write_amount(support * block.unit)}"
    return f"{of} of {true} predicted as {predicted} ({percent(n / support)})"
