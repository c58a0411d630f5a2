"""What the matrix says in other forms: names of its rows and columns, its cells as a table, one label's four outcomes.

The matrix itself is drawn by a component (`charts.matrix`, `ui.matrix_view`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from charts.text import hover_text, plotly_text
from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, figure, sequential_scale, strength
from metrics.axis import GROUP
from metrics.counts import UNPARSEABLE
from metrics.matrix import OTHER, Block


def code_name(code: int, labels: Sequence[str], n_folded: int = 0) -> str:
    """The name of a code, as plain text; "other" says how many classes are in it.

    >>> code_name(1, ("ham", "spam")), code_name(OTHER, (), 67), code_name(UNPARSEABLE, ())
    ('spam', 'other (67 classes)', 'unparseable')
    """
    if code == OTHER:
        return f"other ({n_folded:,} class{'' if n_folded == 1 else 'es'})"
    return "unparseable" if code == UNPARSEABLE else labels[code]


def name_of(code: int, block: Block, labels: Sequence[str]) -> str:
    """The name of a row or a column of a block, as plain text; a collapsed group says how many classes are in it.

    >>> from metrics.axis import Group
    >>> codes, table = np.array([GROUP]), np.zeros((1, 1), int)
    >>> name_of(GROUP, Block(codes, codes, table, table, codes[:0], groups=(Group("card", (0, 1), True),)), ())
    'card (2 classes)'
    """
    if code > GROUP:
        return code_name(code, labels, len(block.folded))
    n = len(block.members(code))
    return f"{block.groups[GROUP - code].name} ({n:,} class{'' if n == 1 else 'es'})"


def confusion_table(block: Block, labels: Sequence[str]) -> pd.DataFrame:
    """The non-empty cells of a block as a table, most rows first; correct cells included unless errors only.

    Columns: true, predicted, rows, share_of_true, share_of_predicted, share_of_all. Labels as in the file. The
    lines stand in the order of `Block.fullest`.
    """
    i, j = block.fullest()
    kept = (block.rows - block.right if block.errors_only else block.rows)[i, j]
    table = pd.DataFrame(
        {
            "true": [name_of(code, block, labels) for code in block.row_codes[i].tolist()],
            "predicted": [name_of(code, block, labels) for code in block.col_codes[j].tolist()],
            "rows": kept,
        }
    )
    totals = block.rows.sum(axis=1)[i], block.rows.sum(axis=0)[j], block.n
    for name, total in zip(("share_of_true", "share_of_predicted", "share_of_all"), totals, strict=True):
        table[name] = kept / total
    return table


def two_by_two(tp: int, fp: int, fn: int, tn: int, name: str) -> go.Figure:
    """The four outcomes of one class or label against the rest: counts in the cells, shares on hover.

    Rows are the truth, columns the prediction; right decisions are framed and have a scale of their own.
    """
    rows = np.array([[tn, fp], [fn, tp]], dtype=np.int64)
    right = np.eye(2, dtype=bool)
    fig = figure(f"{fp + fn:,} of {int(rows.sum()):,} decisions are wrong", height=320, wrap=84, showlegend=False)
    for colour, part in ((MODEL, right), (ACCENT, ~right)):
        fig.add_trace(_cells(rows, part, colour, (f"not {name}", name)))
    for i, j in np.ndindex(2, 2):
        share = float(rows[i, j]) / max(int(rows[right == right[i, j]].max()), 1)
        font = {"size": 14, "color": "#ffffff" if strength(share) > 0.7 else PAGE_TEXT}
        fig.add_annotation(x=j, y=i, text=f"{rows[i, j]:,}", showarrow=False, font=font)
    for at in (0, 1):
        edges = {"x0": at - 0.49, "x1": at + 0.49, "y0": at - 0.49, "y1": at + 0.49}
        fig.add_shape(type="rect", **edges, line={"color": REFERENCE, "width": 1})
    ticks = {"tickvals": [0, 1], "ticktext": [plotly_text(f"not {name}"), plotly_text(name)], "showgrid": False}
    fig.update_xaxes(title_text="prediction", fixedrange=True, range=[-0.5, 1.5], **ticks)
    return fig.update_yaxes(title_text="truth", fixedrange=True, range=[1.5, -0.5], **ticks)


def _cells(rows: np.ndarray, part: np.ndarray, colour: str, names: Sequence[str]) -> go.Heatmap:
    """The cells of one colour, the others left out."""
    shares = [rows / np.maximum(rows.sum(axis=axis, keepdims=True), 1) for axis in (1, 0)]
    asked = [np.broadcast_to(rows.sum(axis=axis, keepdims=True) > 0, rows.shape) for axis in (1, 0)]
    of_truth, of_prediction = (
        np.where(seen, np.char.mod("%.1f %%", 100 * share), "undefined share (0/0)")
        for share, seen in zip(shares, asked, strict=True)
    )
    named = np.array([hover_text(name) for name in names], dtype=object)
    truth, prediction = np.meshgrid(named, named, indexing="ij")
    return go.Heatmap(
        z=np.where(part, rows, np.nan),
        zmin=0,
        zmax=max(int(rows[part].max()), 1),
        colorscale=sequential_scale(colour),
        showscale=False,
        xgap=2,
        ygap=2,
        hoverongaps=False,
        customdata=np.stack([truth, prediction, of_truth, of_prediction], axis=-1),
        hovertemplate=(
            "truth: %{customdata[0]}<br>prediction: %{customdata[1]}<br><b>%{z:,} decisions</b>"
            "<br>%{customdata[2]} of this truth<br>%{customdata[3]} of this prediction<extra></extra>"
        ),
    )
