"""The table of slices: rows, metric with its interval, difference to the rest, p; a click opens a slice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from charts.theme import ACCENT, MODEL
from data.comparison.filter_conditions import write_filter
from export.by_slice.slice_lines import Line
from export.by_slice.slice_results import name_slice
from text.visible import HOVER_LIMIT, show
from ui.slices import slice_texts
from ui.slices.slice_names import short_value
from ui.text.component import component, report_offered

_table = component(__file__, "slice_table", '<div class="table slices"></div>', tables=True)


def slice_table(
    lines: Sequence[Line], *, metric: str, is_share: bool, whole: float, opened: str, key: str,
    named_by: Sequence[str] = (), on_open: Callable[[str], None],
) -> None:  # fmt: skip
    """Draw slices in the given order; `on_open` is called with the filter of the one that was clicked.

    whole : the metric of all rows. opened : the filter of the open one. named_by : columns that need not be named.
    """
    axis = _axis(lines, whole)
    rows = [_row(line, named_by, axis, is_share=is_share) for line in lines]
    data = {
        "rows": rows, "open": opened, "metric": metric, "unit": " (points)" if is_share else "",
        "noun": ", ".join(show(name, 40) for name in named_by) or "Slice",
    }  # fmt: skip
    _table(data=data, key=key, on_chosen_change=report_offered(key, {row["id"] for row in rows}, on_open))


def _axis(lines: Sequence[Line], whole: float) -> tuple[float, float, float]:
    """Return the ends of the axis that all intervals share, and the metric of all rows."""
    ends = [end for end in (whole, *(end for line in lines for end in (line.low, line.high))) if not math.isnan(end)]
    return min(ends, default=0.0), max(ends, default=1.0), whole


def _bar(line: Line, axis: tuple[float, float, float], about: str) -> dict[str, Any]:
    """Return the interval of a slice on the axis of all, with the metric of all rows as a mark."""
    low, high, whole = axis

    def share(value: float) -> float | None:
        return None if math.isnan(value) else round((value - low) / (high - low), 4) if high > low else 0.5

    return {
        "low": share(line.low), "high": share(line.high), "value": share(line.value), "about": about,
        "colour": ACCENT if line.is_worse else MODEL, "marks": [] if math.isnan(whole) else [share(whole)],
    }  # fmt: skip


def _row(line: Line, named_by: Sequence[str], axis: tuple[float, float, float], *, is_share: bool) -> dict[str, Any]:
    whole_name, value = name_slice(line.conditions), slice_texts.value_text(line, is_share=is_share)
    short = ", ".join(short_value(value) for _, value in line.conditions) if named_by else whole_name
    return {
        "id": write_filter(line.conditions),
        "name": show(short, HOVER_LIMIT),
        "whole": show(whole_name, HOVER_LIMIT),
        "folded": line.folded,
        "n": line.n,
        "value": [value, _number(line.value)],
        "bar": _bar(line, axis, ", ".join(filter(None, [value, slice_texts.interval_text(line, is_share=is_share)]))),
        "difference": [slice_texts.difference_text(line, is_share=is_share), _number(line.difference)],
        "p": [slice_texts.p_text(line), _number(line.p)],
        "why": slice_texts.why_untested(line),
        "sure": "worse" if line.is_worse else "better" if line.is_better else "",
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
