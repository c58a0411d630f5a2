"""Draw a metric over periods: a mark a period with its interval, the metric before and after a time as lines across."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, figure, percent_ticks
from metrics.drift.periods import Periods
from text.visible import plotly_text

_HEIGHT, _NAMED, _ROOM, _HEAD = 280, 6, 0.06, 18


def over_time_figure(periods: Periods) -> go.Figure:
    """Draw the metric of every period, in their order; where it is undefined, the line has a gap."""
    fig, marks = figure(periods.title, height=_HEIGHT), periods.marks
    line = {"color": MODEL, "width": 1.5}
    fig.add_scatter(y=[mark.value for mark in marks], mode="lines", line=line, hoverinfo="skip")
    for is_worse, colour, symbol in ((False, MODEL, "circle"), (True, ACCENT, "diamond")):
        places = [place for place, mark in enumerate(marks) if mark.is_worse is is_worse]
        fig.add_scatter(
            x=places, y=[marks[place].value for place in places], mode="markers",
            marker={"size": 10 if is_worse else 8, "color": colour, "symbol": symbol},
            error_y={"array": [_length(marks[place].high - marks[place].value) for place in places],
                     "arrayminus": [_length(marks[place].value - marks[place].low) for place in places],
                     "color": colour, "thickness": 1.5, "width": 0},
            customdata=[plotly_text(marks[place].about, 200) for place in places],
            hovertemplate="%{customdata}<extra></extra>",
        )  # fmt: skip
    _draw_levels(fig, periods)
    named = range(0, len(marks), max(1, -(-len(marks) // _NAMED)))
    first = [marks[place].name.split(" to ")[0] for place in named]  # both days would take the height of the chart
    fig.update_xaxes(tickvals=[*named], ticktext=[plotly_text(name, 24) for name in first], showgrid=False)
    fig.update_xaxes(range=(-0.5, len(marks) - 0.5))
    if any(" to " in mark.name for mark in marks):
        fig.update_xaxes(title="first day")
    if periods.ends is not None:
        low, high = periods.ends
        room = _ROOM * ((high - low) or 1.0)
        fig.update_yaxes(range=(low - room, high + room))
        if periods.is_share:
            fig.update_yaxes(**percent_ticks(low - room, high + room))
    return fig


def _length(distance: float) -> float:
    return 0.0 if math.isnan(distance) else abs(distance)


def _draw_levels(fig: go.Figure, periods: Periods) -> None:
    """Draw the metric of all rows as a line across, in two parts where a time divides them."""
    for start, end, value in periods.spans:
        if math.isnan(value):
            continue
        fig.add_shape(
            type="line", x0=start, x1=end, y0=value, y1=value, line={"color": REFERENCE, "dash": "dot", "width": 1.5}
        )
    if periods.cut:
        fig.add_vline(x=periods.cut - 0.5, line={"color": PAGE_TEXT, "dash": "dash", "width": 1})
        fig.add_annotation(
            x=periods.cut - 0.5, y=1, yref="paper", yanchor="bottom", showarrow=False,
            font={"color": PAGE_TEXT, "size": 11}, text=f"from {plotly_text(periods.marks[periods.cut].name, 24)} on",
        )  # fmt: skip
        fig.update_layout(margin_t=fig.layout.margin.t + _HEAD)
