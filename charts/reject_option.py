"""Accuracy on the decided rows against the share decided: what leaving uncertain rows undecided gains."""

from __future__ import annotations

import html

import numpy as np
import plotly.graph_objects as go

from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, caption, figure, note, percent_ticks
from metrics.scores.curve_thinning import thin
from metrics.thresholds.reject_option import Band, Frontier
from text.numbers import percent, write_threshold

DRAWN_POINTS = 1000


def coverage_accuracy_figure(best: Frontier, now: Band, all_decided: Band) -> go.Figure:
    """Return the best bands as a line, the band in force as a diamond, and what deciding every row gives.

    Parameters
    ----------
    best : the bands that nothing beats, as `frontier` gives them.
    now : the band in force.
    all_decided : the band of no width at the upper threshold.
    """
    defined = ~np.isnan(best.accuracy)
    if not defined.any():
        return note(figure("Nothing to decide"), "No row has a score for this class.")
    fig = figure(_takeaway(now, all_decided), height=380, wrap=56)
    thinned = thin(Frontier(*(column[defined] for column in best)), DRAWN_POINTS)
    _line_of_all(fig, all_decided)
    drawn = thinned.curve
    fig.add_trace(
        go.Scatter(
            x=drawn.coverage,
            y=drawn.accuracy,
            name="best bands",
            mode="lines" if len(drawn.coverage) > 60 else "lines+markers",
            line={"color": MODEL, "width": 2.5},
            marker={"size": 5},
            customdata=[
                [write_threshold(low), write_threshold(high), percent(share), percent(right)]
                for low, high, share, right in zip(drawn.low, drawn.high, drawn.coverage, drawn.accuracy, strict=True)
            ],
            hovertemplate="undecided from %{customdata[0]} to %{customdata[1]}<br>decided %{customdata[2]}<br>"
            "right of those %{customdata[3]}<extra></extra>",
        )
    )
    _mark(fig, now)
    fig.update_xaxes(title_text="share of the rows decided", range=[-0.01, 1.02], **percent_ticks(0, 1))
    seen = _range(drawn.accuracy, now, all_decided)
    fig.update_yaxes(title_text="share of them right", range=seen, **percent_ticks(*seen))
    notes = ["Each corner is a pair of thresholds.", "No other pair decides as many rows with fewer errors."]
    if thinned.shown < thinned.total:
        notes.append(f"Drawn with {thinned.shown:,} of {thinned.total:,} points, chosen to keep the shape.")
    return caption(fig, *notes)


def _takeaway(now: Band, all_decided: Band) -> str:
    if np.isnan(now.accuracy):
        return "Every row is left undecided"
    if not now.n_open:
        return f"No row is left undecided: {percent(now.accuracy)} are right"
    change = "lifts" if now.accuracy > all_decided.accuracy else "takes"
    return (
        f"Leaving {percent(1 - now.coverage)} of the rows undecided {change} accuracy from "
        f"{percent(all_decided.accuracy)} to {percent(now.accuracy)} of the rest"
    )


def _line_of_all(fig: go.Figure, all_decided: Band) -> None:
    line = {"color": REFERENCE, "dash": "dash", "width": 1.5}
    y = all_decided.accuracy
    fig.add_trace(go.Scatter(x=[0, 1], y=[y, y], mode="lines", name="all decided", line=line, hoverinfo="skip"))
    text = f"all rows decided: {html.escape(percent(y))}"
    fig.add_annotation(x=0.01, y=y, text=text, showarrow=False, xanchor="left",
                       yanchor="top", font={"color": PAGE_TEXT, "size": 12})  # fmt: skip


def _mark(fig: go.Figure, now: Band) -> None:
    if np.isnan(now.accuracy):
        return
    text = f"undecided from {write_threshold(now.low)} to {write_threshold(now.high)}"
    fig.add_trace(
        go.Scatter(
            x=[now.coverage],
            y=[now.accuracy],
            mode="markers",
            name="band in force",
            cliponaxis=False,
            marker={"symbol": "diamond", "size": 14, "color": ACCENT, "line": {"width": 1.5, "color": "#ffffff"}},
            hovertemplate=f"{text}<br>decided {percent(now.coverage)}<br>right of those {percent(now.accuracy)}"
            "<extra></extra>",
        )
    )
    right = now.coverage < 0.5
    fig.add_annotation(x=now.coverage, y=now.accuracy, text=text, showarrow=False,
                       xanchor="left" if right else "right", xshift=12 if right else -12, yanchor="top",
                       yshift=-14, font={"color": PAGE_TEXT, "size": 12})  # fmt: skip


def _range(accuracy: np.ndarray, now: Band, all_decided: Band) -> list[float]:
    """Return the part of the scale where something happens; it need not begin at 0, because no bar stands on it."""
    seen = np.append(accuracy, [now.accuracy, all_decided.accuracy])
    low, high = float(np.nanmin(seen)), float(np.nanmax(seen))
    room = max(0.01, 0.08 * (high - low))
    return [low - 2 * room, min(high + room, 1.004)]
