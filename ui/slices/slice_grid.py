"""Two columns crossed as a grid: the metric of every pair of values, paler where there is less to tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import streamlit as st

from charts.theme import ACCENT, MODEL
from data.comparison.filter_conditions import write_filter
from export.by_slice.slice_search import SearchedSlices
from metrics.slices.worst import Place
from text.visible import HOVER_LIMIT, show
from ui.limits import MAX_GRID_VALUES
from ui.slices import slice_lines
from ui.slices.slice_names import short_value, slice_name
from ui.text.component import component

_FAINTEST = 0.005
_grid = component(__file__, "slice_grid", '<div class="grid"></div>')


def slice_grid(
    found: SearchedSlices, table: int, *, is_share: bool, opened: str, on_open: Callable[[str], None]
) -> None:
    """Draw every slice of two crossed columns; a click opens it. Nothing is drawn where there are too many values."""
    first, second = (found.ways[cut] for cut in found.search.tables[table].cuts)
    if max(len(first.values), len(second.values)) > MAX_GRID_VALUES:
        return
    cells = [
        [
            _cell(found, Place(table, row * len(second.values) + column), is_share)
            for column in range(len(second.values))
        ]
        for row in range(len(first.values))
    ]
    known = {cell["id"] for row in cells for cell in row}

    def clicked() -> None:
        sent = st.session_state["slices.grid"]["opened"]
        if isinstance(sent, str) and sent in known:
            on_open(sent)

    most = max((abs(cell["shade"]) for row in cells for cell in row), default=0.0)
    data = {
        "down": show(first.columns[0], 60), "across": show(second.columns[0], 60),
        "rows": [show(short_value(value or ""), HOVER_LIMIT) for (value,) in first.values],
        "columns": [show(short_value(value or ""), HOVER_LIMIT) for (value,) in second.values],
        "cells": cells, "most": most, "open": opened, "colours": {"better": MODEL, "worse": ACCENT},
    }  # fmt: skip
    _grid(data=data, key="slices.grid", on_opened_change=clicked)


def _cell(found: SearchedSlices, place: Place, is_share: bool) -> dict[str, Any]:
    """Return a cell: its text, and as its shade the end of its difference nearest to 0, where p is below 0.05."""
    line = slice_lines.line_of(found, place)
    ends = line.difference_low, line.difference_high
    told = not math.isnan(line.p)
    nearest = min(map(abs, ends)) if line.is_worse or line.is_better else 0.0
    shade = math.copysign(max(nearest, _FAINTEST), line.difference) if nearest else 0.0
    value, between = slice_lines.value_text(line, is_share=is_share), slice_lines.interval_text(line, is_share=is_share)
    about = f"{slice_name(line.conditions)}: {value} ({between}), {line.n:,} rows" if line.n else "no rows"
    text = value if line.n else ""
    conditions = write_filter(line.conditions) if line.n else ""
    return {"id": conditions, "text": text, "about": show(about, HOVER_LIMIT), "shade": shade, "told": told}
