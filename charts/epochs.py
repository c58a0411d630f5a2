"""Draw metrics over the epochs of a training, the best epoch of each marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from charts.theme import LINES, REFERENCE, figure
from text.visible import plotly_text

HEIGHT = 220


def epochs_figure(
    epochs: Sequence[str], metrics: Sequence[tuple[str, np.ndarray, int | None]], in_view: str
) -> go.Figure:
    """Draw a line a metric; a star marks its best epoch, a dotted upright line the epoch in view.

    metrics : (title, value of every epoch, place of the best one or None), at most six. epochs : numbers as text.
    """
    x = [float(name) for name in epochs]
    fig = figure(height=HEIGHT, legend_rows=-(-len(metrics) // 2))
    for (title, values, best), (colour, dash) in zip(metrics, LINES, strict=False):
        name = plotly_text(title)
        fig.add_scatter(
            x=x, y=values, mode="lines+markers", name=name, line={"color": colour, "dash": dash, "width": 2},
            marker={"size": 5, "color": colour}, hovertemplate="epoch %{x}: %{y:.3f}<extra>" + name + "</extra>",
        )  # fmt: skip
        if best is not None:
            fig.add_scatter(
                x=[x[best]], y=[values[best]], mode="markers", showlegend=False, hoverinfo="skip",
                marker={"symbol": "star", "size": 15, "color": colour},
            )  # fmt: skip
    fig.add_vline(x=float(in_view), line={"color": REFERENCE, "dash": "dot", "width": 1})
    fig.update_xaxes(title_text="epoch", dtick=1 if len(x) <= 25 and all(one.is_integer() for one in x) else None)
    return fig
