"""Draw a metric over periods: a mark a period with its interval, the metric of all rows as a line across."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from charts.theme import ACCENT, MODEL, REFERENCE, figure, percent_ticks
from text.visible import plotly_text

_HEIGHT, _NAMED, _ROOM = 260, 10, 0.06


class PeriodMark(NamedTuple):
    """A period: its name, the metric with its interval (NaN = undefined), and whether it is worse than the others.

    about : what hovering says, plain text.
    """

    name: str
    value: float
    low: float
    high: float
    is_worse: bool
    about: str


def over_time_figure(periods: Sequence[PeriodMark], whole: float, title: str, *, is_share: bool) -> go.Figure:
    """Draw the metric of every period, in their order; where it is undefined, the line has a gap.

    whole : the metric of all rows. title : the takeaway, plain text. is_share : the axis is written as per cent.
    """
    fig = figure(title, height=_HEIGHT)
    x = list(range(len(periods)))
    up, down = ([0.0 if math.isnan(end) else abs(end - period.value) for end, period in zip(ends, periods, strict=True)]
                for ends in ([period.high for period in periods], [period.low for period in periods]))  # fmt: skip
    fig.add_scatter(
        x=x, y=[period.value for period in periods], mode="lines+markers", line={"color": MODEL, "width": 1.5},
        marker={"size": 8, "color": [ACCENT if period.is_worse else MODEL for period in periods],
                "symbol": ["diamond" if period.is_worse else "circle" for period in periods]},
        error_y={"array": up, "arrayminus": down, "color": MODEL, "thickness": 1.5, "width": 0},
        customdata=[plotly_text(period.about, 200) for period in periods], hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    if not math.isnan(whole):
        fig.add_hline(y=whole, line={"color": REFERENCE, "dash": "dot", "width": 1})
    every = max(1, -(-len(periods) // _NAMED))
    named = x[::every]
    first = [periods[place].name.split(" to ")[0] for place in named]  # both days would take the height of the chart
    fig.update_xaxes(tickvals=named, ticktext=[plotly_text(name, 24) for name in first], showgrid=False)
    if any(" to " in period.name for period in periods):
        fig.update_xaxes(title="first day")
    ends = [end for period in periods for end in (period.low, period.high, period.value) if not math.isnan(end)]
    if ends:
        room = _ROOM * ((max(ends) - min(ends)) or 1.0)
        fig.update_yaxes(range=(min(ends) - room, max(ends) + room))
        if is_share:
            fig.update_yaxes(**percent_ticks(min(ends), max(ends)))
    return fig
