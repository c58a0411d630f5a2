"""Draw a day where the model will run: which thresholds keep the limits, what each costs, and net benefit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.lab import bars
from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, caption, figure
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.deployed.feasible import Feasible
from metrics.thresholds.deployed.in_use import Place
from metrics.thresholds.deployed.net_benefit import Span, net_benefit
from metrics.thresholds.slider_stops import stops
from metrics.thresholds.threshold_metrics import ThresholdRates, expected_cost
from text.numbers import write_amount, write_threshold

_NAMES = {"recall": "recall", "precision": "precision", "predicted": "predicted a day", "cost": "cost of a day"}
_TICKS = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999)
_POINTS = 200
"""Threshold probabilities at which net benefit is drawn."""
_BAND = "rgba(61, 118, 194, 0.16)"


class _ScoreAxis:
    """Place thresholds along an axis: as they are, or by log-odds where one bar of the lab would hold most rows."""

    def __init__(self, scores: ScoreCounts) -> None:
        edges = bars(scores).edges
        self.low, self.high = float(edges[0]), float(edges[-1])
        self.highest_score = scores.score[0] if len(scores.score) else math.inf
        self.is_log_odds = bool(np.ptp(np.diff(edges)) > 1e-9 * np.ptp(edges))

    def place(self, threshold: float | np.ndarray) -> np.ndarray:
        inside = np.clip(np.asarray(threshold, dtype=np.float64), self.low, self.high)
        return np.log(inside / (1 - inside)) if self.is_log_odds else inside

    def layout(self) -> dict[str, object]:
        ends = self.place(np.array([self.low, self.high]))
        room = 0.02 * float(ends[1] - ends[0])
        if not self.is_log_odds:
            return {"range": [ends[0] - room, ends[1] + room], "title_text": "threshold"}
        ticks = np.array([tick for tick in _TICKS if self.low <= tick <= self.high])
        texts = [f"{tick:g}" for tick in ticks]
        return {"range": [ends[0] - room, ends[1] + room], "title_text": "threshold (log-odds scale)",
                "tickvals": self.place(ticks), "ticktext": texts}  # fmt: skip


class Mark(NamedTuple):
    """A threshold that is marked: what it is, and what a day costs there; is_chosen : whether it stands out."""

    name: str
    threshold: float
    cost: float
    is_chosen: bool


def limits_figure(scores: ScoreCounts, place: Place, feasible: Feasible, marks: Sequence[Mark]) -> go.Figure:
    """Return the thresholds that keep each limit as lines above what a day costs at every threshold."""
    axis = _ScoreAxis(scores)
    lines = [(_NAMES[name], ranges, MODEL) for name, ranges in feasible.each.items()]
    lines += [("all limits", feasible.every, PAGE_TEXT)] if len(lines) > 1 else []
    fig = figure(_takeaway(feasible), height=374 + 22 * len(lines), wrap=54, legend_rows=2 if marks else 0)
    share = 22 * len(lines) / (230 + 22 * len(lines))
    for row, (name, ranges, colour) in enumerate(lines):
        for run in ranges:
            ends = axis.place(np.array([run.low, run.high]))
            fig.add_trace(go.Scatter(
                x=ends, y=[-row, -row], yaxis="y2", mode="lines+markers", line={"color": colour, "width": 8},
                marker={"size": 8, "symbol": "square", "color": colour}, showlegend=False,
                hovertemplate=f"{name}: {write_threshold(run.low)} to {write_threshold(run.high)}<extra></extra>",
            ))  # fmt: skip
    for run in feasible.every if lines else ():
        ends = axis.place(np.array([run.low, run.high]))
        fig.add_vrect(x0=ends[0], x1=ends[1], fillcolor=_BAND, line_width=0, layer="below")
    shown = stops(scores)
    table = ThresholdRates(shown.score, shown.tp, shown.fp, scores.n_pos, scores.n_neg)
    cost = place.rows * expected_cost(
        table, cost_fp=place.cost_fp, cost_fn=place.cost_fn, prevalence=place.prevalence
    )  # fmt: skip
    fig.add_trace(go.Scatter(
        x=axis.place(shown.score), y=cost, mode="lines", line={"color": MODEL, "width": 2}, showlegend=False,
        customdata=[
            [write_threshold(cut), write_amount(float(value))] for cut, value in zip(shown.score, cost, strict=True)
        ],
        hovertemplate="score ≥ %{customdata[0]}<br>a day costs %{customdata[1]}<extra></extra>",
    ))  # fmt: skip
    for mark in marks:
        _draw_mark(fig, axis, mark)
    fig.update_xaxes(**axis.layout())
    top = float(np.nanmax(cost)) if len(cost) else 1.0
    fig.update_yaxes(title_text="cost of a day", range=[0, 1.08 * top], domain=[0, 1 - share])
    fig.update_layout(yaxis2={
        "domain": [1 - share + 0.03, 1] if lines else [0.99, 1], "tickvals": [-row for row in range(len(lines))],
        "ticktext": [name for name, _, _ in lines], "range": [-len(lines) + 0.5, 0.5], "showgrid": False,
        "automargin": True, "zeroline": False, "tickfont": {"color": PAGE_TEXT},
    })  # fmt: skip
    return fig


def _takeaway(feasible: Feasible) -> str:
    limits = "limits" if len(feasible.each) > 1 else "limit"
    if not feasible.each:
        return "The lowest cost of a day is chosen"
    if math.isnan(feasible.threshold):
        return f"No threshold keeps the {limits}"
    return f"The lowest cost within the {limits} is chosen"


def _draw_mark(fig: go.Figure, axis: _ScoreAxis, mark: Mark) -> None:
    """Draw a mark on the line of costs, and name it above the picture, where no line runs."""
    x, cost = float(axis.place(mark.threshold)), write_amount(mark.cost)
    position = (
        f"score ≥ {write_threshold(mark.threshold)}" if mark.threshold <= axis.highest_score else "above every score"
    )
    line = {"width": 2, "color": ACCENT if mark.is_chosen else REFERENCE}
    fig.add_trace(go.Scatter(
        x=[x], y=[mark.cost], mode="markers", name=f"{mark.name}: {cost}", cliponaxis=False,
        marker={"size": 12, "color": ACCENT if mark.is_chosen else "#ffffff", "line": line},
        hovertemplate=f"{mark.name}, {position}<br>a day costs {cost}<extra></extra>",
    ))  # fmt: skip


def benefit_figure(
    probabilities: ScoreCounts, place: Place, *, prevalence: float | None, useful: Sequence[Span], of_costs: float,
    title: str,
) -> go.Figure:  # fmt: skip
    """Return net benefit in a day over threshold probabilities, beside predicting every row and no row positive.

    probabilities : as they are where the model will run. prevalence : as given; None = as in the file.
    useful : where the model has the most. of_costs : the threshold probability of the costs; NaN = there is none.
    """
    low = max(1e-4, min((span.low for span in useful), default=0.01) / 2)
    high = min(0.99, 1.5 * max((span.high for span in useful), default=0.5))
    if not math.isnan(of_costs):
        low, high = min(low, max(1e-4, of_costs / 2)), max(high, min(0.99, 1.5 * of_costs))
    x = np.geomspace(low, high, _POINTS)
    benefits = [net_benefit(probabilities, float(probability), prevalence=prevalence) for probability in x]
    model = place.rows * np.array([benefit.model for benefit in benefits])
    every = place.rows * np.array([benefit.every for benefit in benefits])
    fig = figure(title, height=332, wrap=54, legend_rows=3)  # a phone has one entry a row
    for y, name, colour, dash in (
        (model, "the model", MODEL, "solid"), (every, "all predicted positive", ACCENT, "dash"),
        (np.zeros(_POINTS), "none predicted positive", REFERENCE, "dot"),
    ):  # fmt: skip
        fig.add_trace(go.Scatter(
            x=x, y=y, name=name, mode="lines", line={"color": colour, "dash": dash, "width": 2},
            hovertemplate=f"{name}: %{{y:.3g}} a day at %{{x:.3g}}<extra></extra>",
        ))  # fmt: skip
    for span in useful:
        if span.high <= low:
            continue
        fig.add_vrect(x0=max(span.low, low), x1=min(span.high, high), fillcolor=_BAND, line_width=0, layer="below")
    if not math.isnan(of_costs):
        fig.add_vline(x=of_costs, line={"color": REFERENCE, "width": 1})
    ticks = [tick for tick in (1e-4, 0.001, 0.01, 0.1, 0.5) if low <= tick <= high]
    ends = [math.log10(low), math.log10(high)]
    fig.update_xaxes(type="log", title_text="threshold probability", tickvals=ticks, tickangle=0, range=ends,
                     ticktext=[f"{tick:g}" for tick in ticks])  # fmt: skip
    most = max(float(np.nanmax(model)), 1e-9)
    fig.update_yaxes(title_text="net benefit a day", range=[-0.4 * most, 1.15 * most])
    return caption(fig, "Upright line: the threshold probability that the two costs give.")
