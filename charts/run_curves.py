"""Draw the ROC and the precision–recall curves of two runs over each other, and metrics over the epochs of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from charts.theme import LINES, REFERENCE, RUNS, figure
from metrics.scores.curve_thinning import thin
from metrics.scores.curves import NamedScores, ScoreCounts, precision_recall_curve, roc_curve
from text.numbers import write_threshold
from text.visible import plotly_text

_DRAWN_POINTS = 800
_DASHES = ("solid", "dash")
_HEIGHT, _EPOCHS_HEIGHT = 380, 220
_AXES = {"roc": ("false positive rate", "recall"), "pr": ("recall", "precision")}


def run_curves(kind: Literal["roc", "pr"], runs: Sequence[NamedScores], title: str) -> go.Figure:
    """Draw both curves, with a mark where each run's threshold lies, and the line of no skill.

    title : the takeaway, plain text.
    """
    fig = figure(title, height=_HEIGHT, legend_rows=2, wrap=58)
    n_pos, n = runs[0].counts.n_pos, runs[0].counts.n
    skill = ([0, 1], [0, 1]) if kind == "roc" else ([0, 1], [n_pos / n if n else 0] * 2)
    fig.add_trace(go.Scatter(x=skill[0], y=skill[1], mode="lines", name="no skill", hoverinfo="skip",
                             line={"color": REFERENCE, "dash": "dot", "width": 1.5}))  # fmt: skip
    for run, colour, dash in zip(runs, RUNS, _DASHES, strict=False):
        x, y = _points(kind, run.counts)
        name = plotly_text(run.name, 43)
        fig.add_trace(go.Scatter(x=x, y=y, mode="lines", name=name, line={"color": colour, "dash": dash, "width": 2},
                                 line_shape="linear" if kind == "roc" else "hv", hoverinfo="skip"))  # fmt: skip
        point = _mark(kind, run)
        if point is not None:
            written = write_threshold(run.threshold)
            fig.add_trace(go.Scatter(x=[point[0]], y=[point[1]], mode="markers", showlegend=False,
                                     marker={"color": colour, "size": 10, "line": {"width": 1, "color": "#ffffff"}},
                                     hovertemplate=f"threshold {written}<extra></extra>"))  # fmt: skip
    across, up = _AXES[kind]
    fig.update_xaxes(title_text=across, range=[-0.02, 1.02])
    fig.update_yaxes(title_text=up, range=[-0.02, 1.02])
    return fig


def _points(kind: str, counts: ScoreCounts) -> tuple[np.ndarray, np.ndarray]:
    if kind == "roc":
        curve = thin(roc_curve(counts), _DRAWN_POINTS).curve
        return curve.fpr, curve.tpr
    curve = thin(precision_recall_curve(counts), _DRAWN_POINTS).curve
    return curve.recall, curve.precision


def _mark(kind: str, run: NamedScores) -> tuple[float, float] | None:
    """Return the place of a run's threshold on its curve; None where it has none, or predicts nothing."""
    if np.isnan(run.threshold):
        return None
    tp, fp = run.counts.at(run.threshold)
    if not tp + fp or not run.counts.n_pos or not run.counts.n_neg:
        return None
    recall = tp / run.counts.n_pos
    return (fp / run.counts.n_neg, recall) if kind == "roc" else (recall, tp / (tp + fp))


def epochs_figure(
    epochs: Sequence[str], metrics: Sequence[tuple[str, np.ndarray, int | None]], in_view: str
) -> go.Figure:
    """Draw a line a metric; a star marks its best epoch, a dotted upright line the epoch in view.

    metrics : (title, value of every epoch, place of the best one or None), at most six. epochs : numbers as text.
    """
    x = [float(name) for name in epochs]
    fig = figure(height=_EPOCHS_HEIGHT, legend_rows=-(-len(metrics) // 2))
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
    fig.update_xaxes(title_text="epoch", dtick=1 if len(x) <= 25 and all(epoch.is_integer() for epoch in x) else None)
    return fig
