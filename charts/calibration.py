"""Draw calibration: the scores beside what came true, and how right the surest predictions are."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from charts.theme import ACCENT, AXIS_TEXT, FAINT, MODEL, REFERENCE, caption, figure, hatch, percent_ticks
from metrics.findings.calibration import describe_clearest_gap
from metrics.scores.calibration import ConfidenceCurve
from metrics.scores.curve_thinning import thin
from metrics.scores.reliability import FEW_ROWS, FEW_WEIGHTED, Reliability
from text.intervals import bounds, name_level
from text.numbers import percent, signed, write_amount, write_mean_score, write_threshold

DRAWN_POINTS = 1000
"""At most so many points of the confidence curve are drawn."""
_TICKS = 10
"""At most so many labels stand below the bars."""
_LONG_TICKS = 4
"""The same where most of them are long, such as 0.00014."""
_SHORT_TICK = 4
"""A label of more characters is long."""
_MOST_DIGITS = 6
_DOMINATES = 5
"""Times the rows of the next bin, from which the bars have a logarithmic axis."""
LEVEL = 0.95
"""Of the interval of each bin."""


def key_to_marks(share: str, *, is_weighted: bool = False) -> str:
    """Say what the marks and bars of the diagram mean, in one line."""
    of_bins, few = ("weight", FEW_WEIGHTED) if is_weighted else ("rows", FEW_ROWS)
    return (
        f"◆: outside the bin's {name_level(LEVEL)} Wilson interval, as 1 bin of 20 is by chance. ●: inside. "
        f"Hollow: {few}. "
        f"Bars: the {of_bins} of each bin. Solid: {share}; striped: not."
    )


def reliability_diagram(reliability: Reliability, *, by: str, share: str = "positive") -> go.Figure:
    """Draw the share that came true against the mean score of every bin, the line of perfect calibration, and the rows.

    Every mark and bar carries the number of its bin first in its customdata. A bin whose mean score lies outside the
    interval of its share is a diamond, the others are circles; a bin of few rows is hollow.
    """
    is_log = _is_dominated(reliability)
    fig = figure(
        describe_clearest_gap(reliability, share), height=470, barmode="overlay" if is_log else "stack", bargap=0
    )
    bins = np.flatnonzero(reliability.n)
    means, shares = reliability.mean_score[bins], reliability.positive_share[bins]
    fig.add_trace(go.Scatter(x=[0, 1], y=[0, 1], mode="lines", name="perfectly calibrated", hoverinfo="skip",
                             line={"color": REFERENCE, "dash": "dash", "width": 1.5}))  # fmt: skip
    fig.add_trace(go.Scatter(x=means, y=shares, mode="lines", hoverinfo="skip",
                             name="scores", line={"color": MODEL, "width": 1.5}))  # fmt: skip
    low, high = reliability.interval(LEVEL)
    is_outside = (means < low[bins]) | (means > high[bins])
    fig.add_trace(_marks(reliability, bins[~is_outside], MODEL, "circle", share))
    fig.add_trace(_marks(reliability, bins[is_outside], ACCENT, "diamond", share))
    fig.add_trace(_bars(reliability, bins, reliability.n_positive, MODEL, "", share, 0 if is_log else None))
    fig.add_trace(_bars(reliability, bins, reliability.n - reliability.n_positive, REFERENCE, "/", f"not {share}",
                        1 if is_log else None))  # fmt: skip
    window = _window(reliability)
    amount = "weight" if reliability.is_weighted else "rows"
    fig.update_layout(
        xaxis={"range": window, "title": {"text": "mean score of the bin", "standoff": 4}, **percent_ticks(*window)},
        yaxis={"range": window, "domain": [0.38, 1], "title_text": f"share {share}", **percent_ticks(*window)},
        xaxis2={"range": [-0.02, 1.02] if by == "mass" else window, "anchor": "y2", "showgrid": False,
                "automargin": True, **AXIS_TEXT, **_bin_ticks(reliability, by)},
        yaxis2={"domain": [0, 0.2], "anchor": "x2", "title_text": f"{amount} (log)" if is_log else amount, **AXIS_TEXT,
                "type": "log" if is_log else "linear", "gridcolor": FAINT, "nticks": 4,
                "automargin": True, "ticklabelstandoff": 5, "zeroline": False},
    )  # fmt: skip
    return fig


def _window(reliability: Reliability) -> list[float]:
    """Return the part of 0..1 on both axes: all of it, unless marks and intervals fill less than half."""
    filled = reliability.n > 0
    shown = reliability.mean_score[filled], reliability.positive_share[filled]
    lows, highs = (ends[filled] for ends in reliability.interval(LEVEL))
    low = np.nanmin([lows, *shown], initial=1.0)
    high = np.nanmax([highs, *shown], initial=0.0)
    width = high - low
    if width < 0.5:
        return [float(max(-0.02 * width, low - 0.08 * width)), float(min(1 + 0.02 * width, high + 0.08 * width))]
    return [-0.02, 1.02]


def _marks(reliability: Reliability, bins: np.ndarray, colour: str, symbol: str, share: str) -> go.Scatter:
    low, high = reliability.interval(LEVEL)
    shares = reliability.positive_share[bins]
    return go.Scatter(
        x=reliability.mean_score[bins],
        y=shares,
        mode="markers",
        name=share,
        cliponaxis=False,
        marker={
            "color": colour,
            "size": 12 if symbol == "diamond" else 10,
            "symbol": [symbol + ("-open" if few else "") for few in reliability.is_few[bins]],
            "line": {"width": 1.5, "color": colour},
        },
        unselected={"marker": {"opacity": 0.4}},
        error_y={"array": high[bins] - shares, "arrayminus": shares - low[bins], "color": colour, "thickness": 1.2,
                 "width": 3},
        customdata=_bin_table(reliability, bins),
        hovertemplate=f"<b>%{{customdata[5]}} {share}</b> (%{{customdata[6]}})<br>"
        "mean score %{customdata[4]}, gap %{customdata[7]}<br>%{customdata[3]} rows with a score of "
        "%{customdata[1]} to %{customdata[2]}<extra></extra>",
    )  # fmt: skip


def _bin_table(reliability: Reliability, bins: np.ndarray) -> list[list[object]]:
    """Return for each bin its number, lowest and highest score, rows, mean score, share, interval, gap."""
    low, high = reliability.interval(LEVEL)
    return [
        [
            int(i),
            write_threshold(reliability.score_low[i]),
            write_threshold(reliability.score_high[i]),
            f"{reliability.rows[i]:,}",
            write_mean_score(reliability.mean_score[i]),
            percent(reliability.positive_share[i]),
            bounds(low[i], high[i], share=True) or "too few rows to tell",
            _gap(reliability.gap[i]),
        ]
        for i in bins
    ]


def _gap(gap: float) -> str:
    """Write a gap in points with its sign, and with as many decimals as one below a twentieth of a point needs."""
    decimals = -math.floor(math.log10(100 * abs(gap))) if 0 < abs(gap) < 0.0005 else 1
    return f"{signed(100 * gap, decimals)} points"


def _is_dominated(reliability: Reliability) -> bool:
    """Tell whether one bin has so many rows that the others could not be read beside it on a linear axis."""
    rows = np.sort(reliability.n)
    return bool(len(rows) > 1 and rows[-1] > _DOMINATES * max(1, rows[-2]))


def _bars(
    reliability: Reliability, bins: np.ndarray, rows: np.ndarray, colour: str, pattern: str, name: str, side: int | None
) -> go.Bar:
    """Draw the rows of every bin, evenly spaced: bins of equal mass can be narrower than a pixel.

    side : 0 or 1 stands beside the other one, as bars on a logarithmic axis cannot be stacked; None = stacked.
    """
    bin_width = 1 / len(reliability.n)
    middle, width = (0.5, 0.9) if side is None else ((0.275, 0.725)[side], 0.43)  # parts of the bin's width
    amounts = [f"weight {write_amount(n)}" if reliability.is_weighted else f"{n:,} rows" for n in rows[bins].tolist()]
    return go.Bar(
        x=(bins + middle) * bin_width,
        y=rows[bins],
        width=width * bin_width,
        name=name,
        xaxis="x2",
        yaxis="y2",
        marker={"color": colour, "line": {"width": 0}, "pattern": hatch(pattern)},
        unselected={"marker": {"opacity": 0.4}},
        customdata=[[*cells[:3], amount] for cells, amount in zip(_bin_table(reliability, bins), amounts, strict=True)],
        hovertemplate=f"<b>%{{customdata[3]}} {name}</b><br>score %{{customdata[1]}} to %{{customdata[2]}}"
        "<extra></extra>",
    )


def _write_edge(edge: float) -> str:
    """Write where a bin ends with two digits, and close to 1 with as many as keep it apart from 1.

    >>> _write_edge(0.3841), _write_edge(0.99966), _write_edge(1.0), _write_edge(4.9e-7)
    ('0.38', '0.9997', '1', '0.00000049')
    """
    if not 0.9 < edge < 1:
        return f"{Decimal(f'{edge:.2g}'):f}"
    return f"{edge:.{min(_MOST_DIGITS, -math.floor(math.log10(1 - edge)))}f}"


def _bin_ticks(reliability: Reliability, by: str) -> dict[str, object]:
    """Return where bins begin and end: the score axis for equal width, else the edges at even distances."""
    if by == "width":
        return {"title": {"text": "score", "standoff": 4}}
    n_bins = len(reliability.n)
    texts = [_write_edge(edge) for edge in reliability.edges.tolist()]
    most = _LONG_TICKS if np.median([len(text) for text in texts]) > _SHORT_TICK else _TICKS
    places = np.arange(0, n_bins + 1, math.ceil(n_bins / most))
    amount = "as much weight" if reliability.is_weighted else "as many rows"
    return {
        "tickvals": places / n_bins,
        "ticktext": [texts[place] for place in places],
        "title": {"text": f"bins by score, {amount} each as ties allow", "standoff": 4},
    }


def confidence_figure(curve: ConfidenceCurve, of: str = "rows") -> go.Figure:
    """Return the accuracy against the share of rows kept, the surest first; of : what it is a share of."""
    half = int(np.searchsorted(curve.coverage, 0.5))
    of_half, of_all = float(curve.accuracy[half]), float(curve.accuracy[-1])
    kept = "half" if abs(curve.coverage[half] - 0.5) < 0.005 else percent(curve.coverage[half])
    title = f"{percent(of_half)} of the most confident {kept} are right, {percent(of_all)} of all {of}"
    fig = figure(title, height=470, margin_r=22)  # room for half of “100%” beside the axis
    thinned = thin(curve, DRAWN_POINTS)
    coverage, accuracy, threshold = thinned.curve
    points = zip(threshold, coverage, accuracy, strict=True)
    fig.add_trace(go.Scatter(x=[0, 1], y=[of_all, of_all], mode="lines", hoverinfo="skip", name="all rows",
                             line={"color": REFERENCE, "dash": "dash", "width": 1.5}))  # fmt: skip
    fig.add_trace(
        go.Scatter(
            x=coverage,
            y=accuracy,
            mode="lines" if len(coverage) > 30 else "lines+markers",
            name="accuracy",
            line={"color": MODEL, "width": 2.5},
            customdata=[[write_threshold(score), percent(part), percent(right)] for score, part, right in points],
            hovertemplate="<b>%{customdata[2]} right</b><br>of the %{customdata[1]} with a confidence of at least "
            "%{customdata[0]}<extra></extra>",
        )
    )
    bottom = max(0.0, float(np.min(curve.accuracy)) - 0.05)
    fig.update_xaxes(title_text=f"share of {of}, the most confident first", range=[-0.01, 1.01],
                     **percent_ticks(0, 1))  # fmt: skip
    fig.update_yaxes(title_text="accuracy of these rows", range=[bottom, 1 + 0.03 * (1 - bottom)],
                     **percent_ticks(bottom, 1))  # fmt: skip
    lines = ["Dashed: the accuracy of all rows."]
    if thinned.shown < thinned.total:
        lines.append(f"Drawn with {thinned.shown:,} of {thinned.total:,} points, chosen to keep the shape.")
    return caption(fig, *lines)


def confidence_table(curve: ConfidenceCurve, of: str = "rows") -> pd.DataFrame:
    """Return the table of the curve: every distinct confidence, highest first; of : as in `confidence_figure`."""
    return pd.DataFrame(
        {"confidence at least": curve.threshold, f"share of {of}": curve.coverage, "accuracy": curve.accuracy}
    )
