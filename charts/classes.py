"""One class from both sides: what its rows are taken for, and what is taken for it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from charts.confusion import code_name
from charts.theme import ACCENT, MODEL, REFERENCE, figure, hatch, note
from metrics.confusion.counts import UNPARSEABLE, Cells, ConfusionCounts
from text.visible import hover_text, plotly_text, show

SHOWN_BARS = 12
"""At most so many bars; the rest are added up in one."""


def taken_for(counts: ConfusionCounts, code: int, *, bars: int = SHOWN_BARS) -> go.Figure:
    """What the true rows of a class were called: itself (solid) and its mistakes (hatched), most rows first."""
    support, name = int(counts.support[code]), show(counts.labels[code], 40)
    if not support:
        return note(figure(f"What {name} is taken for", height=220), "The file has no true row of this class.")
    right = int(counts.correct[code])
    title = f"{right:,} of the {support:,} rows of {name} are recognised ({right / support:.0%})"
    return _bars(counts, counts.row(code), code, support, title, bars, "of its rows")


def taken_from(counts: ConfusionCounts, code: int, *, bars: int = SHOWN_BARS) -> go.Figure:
    """What the rows called this class truly are: itself (solid) and others (hatched), most rows first."""
    predicted, name = int(counts.predicted[code]), show(counts.labels[code], 40)
    if not predicted:
        return note(figure(f"What is taken for {name}", height=220), "The model never predicts this class.")
    right = int(counts.correct[code])
    title = f"{right:,} of the {predicted:,} rows called {name} are it ({right / predicted:.0%})"
    return _bars(counts, counts.column(code), code, predicted, title, bars, "of the rows called so")


def taken_for_table(counts: ConfusionCounts, code: int) -> pd.DataFrame:
    """The table of `taken_for`, all of it: predicted, rows, share (of the class's rows). Labels as in the file."""
    return _table(counts, counts.row(code), "predicted")


def taken_from_table(counts: ConfusionCounts, code: int) -> pd.DataFrame:
    """The table of `taken_from`, all of it: true, rows, share (of the rows called so). Labels as in the file."""
    return _table(counts, counts.column(code), "true")


def _table(counts: ConfusionCounts, cells: Cells, side: str) -> pd.DataFrame:
    names = [code_name(int(code), counts.labels) for code in cells.code]
    return pd.DataFrame({side: names, "rows": cells.rows, "share": cells.rows / max(int(cells.rows.sum()), 1)})


def _bars(
    counts: ConfusionCounts, cells: Cells, code: int, total: int, title: str, bars: int, of_what: str
) -> go.Figure:
    kept, rest = slice(0, bars), slice(bars, None)
    codes = [int(c) for c in cells.code[kept]]
    rows = [int(n) for n in cells.rows[kept]]
    names = [code_name(c, counts.labels) for c in codes]
    if len(cells.code) > bars:
        codes, rows = [*codes, UNPARSEABLE], [*rows, int(cells.rows[rest].sum())]
        names.append(f"{len(cells.code) - bars:,} more")
    fig = figure(title, height=110 + 26 * len(rows))
    colour = [MODEL if c == code else REFERENCE if c < 0 else ACCENT for c in codes]
    fig.add_trace(
        go.Bar(
            x=rows,
            y=np.arange(len(rows)),
            orientation="h",
            marker={"color": colour, "pattern": hatch(["" if c == code else "/" for c in codes])},
            text=[
                f"{n:,} ({n / total:.0%})" if n >= 0.005 * total else f"{n:,} (<1%)".replace("<", "&lt;") for n in rows
            ],
            textposition="outside",
            cliponaxis=False,
            customdata=[[hover_text(name), f"{n:,}", f"{n / total:.1%}"] for name, n in zip(names, rows, strict=True)],
            hovertemplate="%{customdata[0]}<br><b>%{customdata[1]} rows</b>, %{customdata[2]} "
            + of_what
            + "<extra></extra>",
        )
    )
    texts = [
        f"<i>{plotly_text(name, 30)}</i>" if c < 0 else plotly_text(name, 30)
        for name, c in zip(names, codes, strict=True)
    ]
    fig.update_yaxes(
        tickmode="array", tickvals=np.arange(len(rows)), ticktext=texts, autorange="reversed", showgrid=False
    )
    return fig.update_xaxes(title_text="rows", range=[0, 1.4 * max(rows)], rangemode="tozero")
