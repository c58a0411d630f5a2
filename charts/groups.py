"""Draw a rate of every group with its interval and the gap between two of them, and what equal rates would cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, figure
from metrics.slices.fairness import DIFFERS, FOUR_FIFTHS, Gap, RateMark
from text.numbers import number, write_amount
from text.visible import plotly_text

_LINE, _HEAD, _ENDS = 40, 68, 100
"""Pixels of a group, above the groups, and above and below them."""
_BAR, _BAR_ENDS = 34, 92
"""Pixels of a bar of wrong rows, and above and below the bars."""
_NAME = 20
"""Characters of the name of a group."""


def rate_figure(
    marks: Sequence[RateMark], gap: Gap, title: str, takeaway: str, *, four_fifths: bool = False
) -> go.Figure:
    """Draw the groups from top to bottom; those with too few rows are hollow and grey.

    gap : of the rate; its two groups are marked. title, takeaway : the rate, and what is to be seen, plain text.
    four_fifths : whether a line stands at four fifths of the higher of the two.
    """
    fig = figure(title, height=_ENDS + _LINE * len(marks))
    second_line = f'<br><span style="font-size:12px;font-weight:400">{plotly_text(takeaway, 100)}</span>'
    fig.update_layout(title_text=f"{plotly_text(title)}{second_line}", title_pad_t=18, margin_t=_HEAD)
    drawn = [line for line, mark in enumerate(marks) if not math.isnan(mark.rate.value)]
    for few, colour, symbol in ((False, MODEL, "circle"), (True, REFERENCE, "circle-open")):
        places = [line for line in drawn if marks[line].few is few]
        rates = [marks[line].rate for line in places]
        fig.add_scatter(
            x=[rate.value for rate in rates], y=places, mode="markers",
            marker={"size": 10, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}},
            error_x={"array": [_length(rate.high - rate.value) for rate in rates],
                     "arrayminus": [_length(rate.value - rate.low) for rate in rates],
                     "color": colour, "thickness": 2, "width": 0},
            customdata=[plotly_text(marks[line].about, 200) for line in places],
            hovertemplate="%{customdata}<extra></extra>",
        )  # fmt: skip
    lines = {mark.place: line for line, mark in enumerate(marks)}
    if gap.lower in lines and gap.higher in lines:
        _mark_gap(fig, lines[gap.lower], lines[gap.higher], marks, gap)
        if four_fifths:
            _mark_four_fifths(fig, marks[lines[gap.higher]])
    names = [_name(mark) for mark in marks]
    fig.update_yaxes(tickvals=[*lines.values()], ticktext=names, range=[len(marks) - 0.4, -0.6], showgrid=False)
    return fig.update_xaxes(tickformat=".3~g", nticks=6)


def _length(distance: float) -> float:
    """Return the length of an error bar: none where an end of the interval is undefined."""
    return 0.0 if math.isnan(distance) else max(0.0, distance)


def _name(mark: RateMark) -> str:
    """Return the name of a group and its rows in two lines, grey where the rows are too few."""
    name, base = plotly_text(mark.name, _NAME), plotly_text(mark.base, 40)
    return f'<span style="color:{REFERENCE}">{name}<br>{base}</span>' if mark.few else f"<b>{name}</b><br>{base}"


def _mark_gap(fig: go.Figure, lower: int, higher: int, marks: Sequence[RateMark], gap: Gap) -> None:
    """Draw a bracket between the two groups, below the upper of them: orange where the gap is no chance."""
    colour = ACCENT if gap.verdict == DIFFERS else REFERENCE
    ends = [marks[line].rate.value for line in (lower, higher)]
    y = min(lower, higher) + 0.5
    fig.add_scatter(
        x=ends, y=[y, y], mode="lines+markers", line={"color": colour, "width": 2}, hoverinfo="skip",
        marker={"symbol": "line-ns", "size": 9, "line": {"width": 2, "color": colour}},
    )  # fmt: skip
    fig.add_annotation(x=max(ends), y=y, text=number(gap.difference), showarrow=False, xanchor="left", xshift=6,
                       font={"color": PAGE_TEXT, "size": 12})  # fmt: skip


def _mark_four_fifths(fig: go.Figure, highest: RateMark) -> None:
    """Draw the line under which a group is selected less than four fifths as often."""
    limit = FOUR_FIFTHS * highest.rate.value
    fig.add_vline(x=limit, line={"color": PAGE_TEXT, "dash": "dash", "width": 1})
    fig.add_annotation(
        x=limit, y=1, yref="paper", yanchor="bottom", showarrow=False, font={"color": PAGE_TEXT, "size": 11},
        text=f"four fifths of {plotly_text(highest.name, _NAME)}",
    )  # fmt: skip


def wrong_rows_figure(wrong: Sequence[tuple[str, float]], title: str, *, is_weighted: bool = False) -> go.Figure:
    """Draw wrong rows, or their weight, as bars: now first, in grey, then with the same rate in every group.

    Names are our own words.
    """
    fig = figure(title, height=_BAR_ENDS + _BAR * len(wrong))
    names, rows = [name for name, _ in wrong], [n for _, n in wrong]
    written = [write_amount(n) if is_weighted else f"{n:,}" for n in rows]
    hover = "wrong rows weigh %{text}" if is_weighted else "%{text} wrong rows"
    fig.add_bar(
        x=rows, y=names, orientation="h", marker_color=[REFERENCE, *[MODEL] * (len(wrong) - 1)],
        text=written, textposition="outside", textfont={"color": PAGE_TEXT}, cliponaxis=False,
        hovertemplate=f"%{{y}}: {hover}<extra></extra>",
    )  # fmt: skip
    fig.update_yaxes(autorange="reversed", showgrid=False)
    axis = {"title": "weight of wrong rows"} if is_weighted else {"title": "wrong rows", "tickformat": ",d"}
    return fig.update_xaxes(range=[0, 1.15 * (max(rows) or 1)], **axis)
