"""Colours and the bare layout shared by every picture.

Backgrounds are transparent and fonts are left to the page, so that one figure serves a light and a dark
page. The colours keep a contrast of 3 to 1 on both, and differ in lightness and form, not in hue alone.
"""

from __future__ import annotations

import html
import textwrap
from typing import Any

import plotly.graph_objects as go

from text.numbers import round_ticks
from text.visible import plotly_text

MODEL = "#3d76c2"
"""The model under examination, everywhere."""
ACCENT = "#c8620f"
"""The one thing to look at: the threshold, the selected cell, mistakes."""
RUNS = ("#8f6fd1", "#148a80")
"""Runs A and B of a comparison, everywhere; blue and orange say right and wrong there."""
REFERENCE = "#7c8494"
"""Reference lines: no skill, the majority class, the diagonal."""
PAGE_TEXT = "#000037"
"""Text on the page: Streamlit's own placeholder, which the page replaces by its text colour."""
AXIS_TEXT = {"tickfont_color": PAGE_TEXT, "title_font_color": PAGE_TEXT, "separatethousands": True}
"""Of every axis: Streamlit's own grey has a contrast of 3.7 to 1, and tables write 1,000."""
FAINT = "rgba(124, 132, 148, 0.28)"
"""Grid lines and outlines that should be felt rather than seen."""


def picture_button(title: str) -> dict[str, Any]:
    """Return the configuration of a chart's one button: its picture as a file, drawn in the browser.

    title : of the chart, as text of a figure. The button's name holds it: several charts may share a page. Plotly
    takes the name from a dictionary only, here of its default language.
    """
    name = f"Download as PNG: {html.unescape(title.replace('<br>', ' '))}"
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "png", "scale": 2},
        "locales": {"en-US": {"dictionary": {"Download plot as a PNG": name}}},
    }


LINES: tuple[tuple[str, str], ...] = (
    (MODEL, "solid"),
    (ACCENT, "dash"),
    (REFERENCE, "dot"),
    (RUNS[0], "dashdot"),
    (RUNS[1], "longdash"),
    ("#c25590", "longdashdot"),
)
"""Colour and dash of several lines in one picture, so that neither has to be told by colour alone."""

_TITLE = 14  # pixels


def figure(title: str = "", *, height: int = 360, wrap: int = 48, legend_rows: int = 0, **layout: Any) -> go.Figure:
    """Return an empty figure in the house's layout; `layout` overrides.

    `title` is plain text; it is escaped, and broken into lines of `wrap` characters because Plotly does
    not break them. An empty title takes no room. `legend_rows` is the room kept for a legend between the
    title and the picture, which Plotly does not keep by itself; 0 = no legend.
    """
    # a number and its per cent sign stay on one line
    lines = [line.replace("\u00a0", " ") for line in textwrap.wrap(title.replace(" %", "\u00a0%"), wrap)]
    # an empty template: importing Streamlit makes one of placeholder colours Plotly's default
    made = go.Figure(layout=go.Layout(template=go.layout.Template()))
    made.update_layout(
        title={
            "text": "<br>".join(plotly_text(line, 2 * wrap) for line in lines),
            "font": {"size": _TITLE},
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            # Plotly puts the top of a single line at the given place, but the foot of the first of several
            "pad": {"t": 8 if len(lines) < 2 else 8 + round(0.75 * _TITLE)},
        },
        height=height,
        margin={"l": 8, "r": 8, "t": 12 + 21 * len(lines) + 22 * legend_rows, "b": 8, "pad": 0},
        showlegend=legend_rows > 0,
        paper_bgcolor="rgba(0, 0, 0, 0)",
        plot_bgcolor="rgba(0, 0, 0, 0)",
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "xanchor": "left", "title": {"text": ""}},
        hovermode="closest",
        bargap=0.28,
    )
    axis = {"gridcolor": FAINT, "zeroline": False, "automargin": True, **AXIS_TEXT}
    made.update_xaxes(**axis).update_yaxes(**axis, ticklabelstandoff=5)
    made.update_layout(**layout)
    return made


def percent_ticks(low: float, high: float) -> dict[str, Any]:
    """Return the ticks of an axis of shares, written "80 %" as everywhere: Plotly itself leaves out the space.

    >>> percent_ticks(0.0, 1.0)["ticktext"], percent_ticks(0.9, 0.98)["ticktext"]
    (['0 %', '20 %', '40 %', '60 %', '80 %', '100 %'], ['90 %', '92 %', '94 %', '96 %', '98 %'])
    """
    values = [value for value in round_ticks(low, high) if 0 <= value <= 1]
    return {"tickvals": values, "ticktext": [f"{100 * value:.6g} %" for value in values]}


def hatch(shape: str | list[str]) -> dict[str, Any]:
    """Return stripes on a bar of full colour ("/", or "" for none), so that bars can be told apart without colour."""
    return {"shape": shape, "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.75)", "size": 7, "solidity": 0.22}


def caption(fig: go.Figure, *lines: str) -> go.Figure:
    """Return small lines under the axis title: what the marks mean, how many points of how many. Plain text."""
    size, gap = 11, 52
    fig.add_annotation(
        text="<br>".join(plotly_text(line, 300) for line in lines),
        x=0,
        y=0,
        xref="paper",
        yref="paper",
        yshift=-gap,
        xanchor="left",
        yanchor="top",
        align="left",
        showarrow=False,
        font={"size": size, "color": PAGE_TEXT},
    )
    return fig.update_layout(margin_b=gap + 6 + 15 * len(lines), height=fig.layout.height + 15 * len(lines))


def note(fig: go.Figure, text: str) -> go.Figure:
    """Return a figure that says in its middle why nothing is drawn. Plain text."""
    fig.update_xaxes(visible=False).update_yaxes(visible=False)
    return fig.add_annotation(
        text="<br>".join(plotly_text(line, 120) for line in textwrap.wrap(text, 44)),
        x=0.5,
        y=0.5,
        xref="paper",
        yref="paper",
        showarrow=False,
        font={"size": 13, "color": PAGE_TEXT},
    )
