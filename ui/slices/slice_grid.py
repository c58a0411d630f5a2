"""Two columns crossed as a grid: the metric of every pair of values, paler where there is less to tell."""

from __future__ import annotations

import math
from collections.abc import Callable

from charts.theme import ACCENT, MODEL
from data.comparison.filter_conditions import write_filter
from export.by_slice.slice_search import SearchedSlices
from metrics.slices.worst import Place
from text.visible import HOVER_LIMIT, show
from ui.limits import MAX_GRID_VALUES
from ui.slices import slice_lines
from ui.slices.slice_lines import Line
from ui.slices.slice_names import short_value, slice_name
from ui.text.grid import Cell, Head, grid

_FAINTEST = 0.005
_NOTE = (
    "Orange is worse than the rest after correction, blue better. Grey numbers: too few rows to tell. "
    "Grey boxes: no rows."
)


def slice_grid(
    found: SearchedSlices, table: int, *, is_share: bool, opened: str, on_open: Callable[[str], None]
) -> None:
    """Draw every slice of two crossed columns; a click opens it. Nothing is drawn where there are too many values."""
    first, second = (found.ways[cut] for cut in found.search.tables[table].cuts)
    across = len(second.values)
    if max(len(first.values), across) > MAX_GRID_VALUES:
        return
    lines = [
        [slice_lines.line_of(found, Place(table, row * across + column)) for column in range(across)]
        for row in range(len(first.values))
    ]
    most = max((_shade(line) for row in lines for line in row), default=0.0)
    heads = [[_head(value) for (value,) in way.values] for way in (first, second)]
    names = show(first.columns[0], 60), show(second.columns[0], 60)
    cells = [[_cell(line, most, is_share) for line in row] for row in lines]
    grid(f"{names[0]} and {names[1]}", heads[0], heads[1], cells, key="slices.grid", opened=opened,
         on_choose=on_open, corner=f"{names[0]} ↓  {names[1]} →", note=_NOTE)  # fmt: skip


def _head(value: str | None) -> Head:
    name = show(short_value(value or ""), HOVER_LIMIT)
    return Head(name, name)


def _shade(line: Line) -> float:
    """Return the end of a difference that is nearest to 0, where p is below 0.05; else 0."""
    nearest = min(abs(line.difference_low), abs(line.difference_high))
    return max(nearest, _FAINTEST) if line.is_worse or line.is_better else 0.0


def _cell(line: Line, most: float, is_share: bool) -> Cell:
    if not line.n:
        return Cell()
    value, between = slice_lines.value_text(line, is_share=is_share), slice_lines.interval_text(line, is_share=is_share)
    about = show(f"{slice_name(line.conditions)}: {value} ({between}), {line.n:,} rows", HOVER_LIMIT)
    shade, colour = _shade(line), ACCENT if line.is_worse else MODEL
    strength = 12 + 48 * math.sqrt(shade / most) if shade else 0.0
    return Cell(value, about, colour, strength, write_filter(line.conditions), told=not math.isnan(line.p))
