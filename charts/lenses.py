"""Five small pictures of one set of predictions: each true, each telling another story.

Made for a narrow column: no title, no legend, the numbers written on them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, figure, hatch, note, sequential_scale
from metrics.confusion.matrix import Block
from text.numbers import number, percent
from text.visible import plotly_text

HEIGHT = 170


def accuracy_lens(accuracy: float, baseline: float | None, names: tuple[str, str] = ("model", "majority")) -> go.Figure:
    """A share of right answers, beside what a fixed answer would give, as the most frequent class (None: no such bar).

    `names` stand below the two bars.
    """
    bars = [(names[0], accuracy, MODEL, "")]
    return _columns(bars if baseline is None else [*bars, (names[1], baseline, REFERENCE, "/")], _percent)


def macro_micro_lens(micro: float, macro: float) -> go.Figure:
    """The mean over rows beside the mean over classes."""
    return _columns([("micro", micro, MODEL, ""), ("macro", macro, MODEL, "/")], number)


def parse_lens(parsed: float) -> go.Figure:
    """The share of answers that hold a label, and the share that hold none."""
    if np.isnan(parsed):
        return note(figure(height=HEIGHT), "No scored rows.")
    fig = figure(height=HEIGHT, barmode="stack", showlegend=False)
    for name, share, colour, pattern in (("parsed", parsed, MODEL, ""), ("no label", 1 - parsed, ACCENT, "/")):
        fig.add_trace(
            go.Bar(
                x=[0],
                y=[share],
                width=0.6,
                marker={"color": colour, "pattern": hatch(pattern)},
                hovertemplate=f"{name}: %{{y:.2%}}<extra></extra>",
            )
        )
    fig.add_annotation(
        x=0,
        y=parsed / 2,
        text=f"<b>{plotly_text(percent(parsed))}</b><br>parsed",
        showarrow=False,
        font_color="#ffffff",
    )
    if parsed < 1:
        fig.add_annotation(x=0, y=1, yanchor="bottom", text=f"{_percent(1 - parsed)} no label", showarrow=False,
                           font={"color": PAGE_TEXT, "size": 12})  # fmt: skip
    fig.update_xaxes(visible=False, range=[-0.5, 0.5], fixedrange=True)
    return fig.update_yaxes(visible=False, range=[0, 1.16], fixedrange=True)


def f1_lens(f1: np.ndarray) -> go.Figure:
    """F1 of every class, worst first; a class whose F1 is undefined has no bar and is counted below the rest."""
    defined = np.sort(f1[~np.isnan(f1)])
    n = len(defined)
    if not n:
        return note(figure(height=HEIGHT), "F1 is undefined for every class.")
    fig = figure(height=HEIGHT, bargap=0.15 if n <= 40 else 0)
    fig.add_trace(
        go.Bar(
            x=np.arange(n),
            y=defined,
            marker={"color": MODEL, "line": {"width": 0}},
            customdata=np.arange(1, n + 1),
            hovertemplate=f"F1 %{{y:.3f}}, number %{{customdata}} of {n:,} from the worst<extra></extra>",
        )
    )
    zeros = int((defined == 0).sum())
    said = [f"{zeros:,} at 0"] * (zeros > 0) + [f"{len(f1) - n:,} undefined"] * (len(f1) > n)
    if said:
        fig.add_annotation(x=0, y=1, xref="paper", yref="paper", xanchor="left", yanchor="top", showarrow=False,
                           text=", ".join(said), font={"color": PAGE_TEXT, "size": 12})  # fmt: skip
    fig.update_xaxes(showticklabels=False, showgrid=False, range=[-0.6, n - 0.4], fixedrange=True,
                     title={"text": "worst → best class" if n > 1 else "", "font": {"size": 11}})  # fmt: skip
    return fig.update_yaxes(range=[0, 1.02], tickvals=[0, 0.5, 1], fixedrange=True)


def confusion_lens(block: Block) -> go.Figure:
    """The matrix as a thumbnail: shares of the true class, right ones blue and wrong ones orange; no names."""
    shares, right = block.shares("row"), block.right > 0
    shares = np.where(right, shares * block.right / np.maximum(block.rows, 1), shares)
    fig = figure(height=HEIGHT)
    for kind, colour in ((right, MODEL), (~right, ACCENT)):
        part = np.where(kind, shares, np.nan)
        fig.add_trace(
            go.Heatmap(
                z=part,
                zmin=0,
                zmax=float(np.nanmax(part, initial=0)) or 1,
                colorscale=sequential_scale(colour),
                showscale=False,
                xgap=1,
                ygap=1,
                hovertemplate="%{z:.1%} of this truth<extra></extra>",
            )
        )
    fig.update_xaxes(showticklabels=False, showgrid=False, ticks="", fixedrange=True,
                     title={"text": "prediction", "font": {"size": 11}})  # fmt: skip
    return fig.update_yaxes(showticklabels=False, showgrid=False, ticks="", autorange="reversed", fixedrange=True,
                            title={"text": "truth", "font": {"size": 11}})  # fmt: skip


def _columns(bars: list[tuple[str, float, str, str]], written: Callable[[float], str]) -> go.Figure:
    """Upright bars on 0..1 with their value above; an undefined one has the word and no bar."""
    fig = figure(height=HEIGHT, showlegend=False)
    names, values, colours, patterns = zip(*bars, strict=True)
    fig.add_trace(
        go.Bar(
            x=names,
            y=[None if np.isnan(value) else value for value in values],
            width=0.62,
            marker={"color": colours, "pattern": hatch(list(patterns))},
            hovertemplate="%{x}: %{y:.4f}<extra></extra>",
        )
    )
    for name, value in zip(names, values, strict=True):
        text = written(value)
        fig.add_annotation(x=name, y=0 if np.isnan(value) else max(value, 0), text=f"<b>{text}</b>", showarrow=False,
                           yanchor="bottom", font={"color": PAGE_TEXT, "size": 13})  # fmt: skip
    fig.update_xaxes(showgrid=False, fixedrange=True, type="category")
    return fig.update_yaxes(visible=False, range=[min(0, *np.nan_to_num(values)), 1.16], fixedrange=True)


def _percent(share: float) -> str:
    return plotly_text(percent(share))
