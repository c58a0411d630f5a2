"""The ROC curve of one class of many, small: shape, AUC and interval at a glance, for a wall of them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from charts.theme import MODEL, REFERENCE, figure, note
from metrics.scores.curve_thinning import Thinned, thin
from metrics.scores.curves import RocCurve

POINTS = 160
"""At most so many points of a small curve are drawn."""

_FILL = "rgba(63, 120, 196, 0.14)"  # MODEL, faint


def small_curve(curve: RocCurve) -> Thinned:
    """The points of a curve that a small picture can show."""
    return thin(curve, POINTS)


def small_roc_figure(thinned: Thinned, *, auc: float, low: float, high: float, height: int = 190) -> go.Figure:
    """Recall over the false positive rate, filled down to the axis, the line of no skill dashed.

    thinned : as `small_curve` gives it. `auc` NaN means that one side is missing: the figure says so. `low` and
    `high` are the bounds of the AUC's interval, NaN where it has none.
    """
    if np.isnan(auc):
        return note(figure("AUC undefined", height=height), "It needs rows of the class and rows of the rest.")
    between = "no interval" if np.isnan(low) else f"{low:.3f} to {high:.3f}"
    fig = figure(f"AUC {auc:.3f} ({between})", height=height)
    fig.update_layout(title_font_size=13, margin={"l": 4, "r": 8, "t": 30, "b": 4})
    fig.add_trace(
        go.Scatter(x=[0, 1], y=[0, 1], mode="lines", line={"color": REFERENCE, "dash": "dash", "width": 1},
                   hoverinfo="skip")
    )  # fmt: skip
    drawn = thinned.curve
    fig.add_trace(
        go.Scatter(
            x=drawn.fpr,
            y=drawn.tpr,
            mode="lines",
            line={"color": MODEL, "width": 2},
            fill="tozeroy",
            fillcolor=_FILL,
            customdata=[f"{at:.6g}" if np.isfinite(at) else "above every score" for at in drawn.threshold],
            hovertemplate="threshold %{customdata}<br>recall %{y:.3f}<br>false positive rate %{x:.3f}<extra></extra>",
        )
    )
    ticks = {"tickvals": [0, 0.5, 1], "ticktext": ["0", "½", "1"]}
    fig.update_xaxes(range=[-0.02, 1.02], **ticks)
    fig.update_yaxes(range=[-0.02, 1.04], **ticks)
    return fig
