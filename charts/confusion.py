"""The confusion matrix as a picture: rows truth, columns prediction.

Plotly's heatmap never reports a click, so up to `CLICKABLE_CLASSES` classes an invisible marker lies on
the middle of every cell and takes both the hover and the click; a click's `customdata` is
[true code, predicted code]. What is selected is drawn by the browser: the figure does not depend on it,
because Streamlit forgets a selection as soon as the figure changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from charts.text import TICK_LIMIT, hover_text, plotly_text, show
from charts.theme import ACCENT, FAINTEST, PAGE_TEXT, REFERENCE, figure, sequential_scale, strength
from metrics.counts import UNPARSEABLE
from metrics.matrix import OTHER, Block

CLICKABLE_CLASSES = 80
"""Up to so many rows and columns a click on the picture finds its cell (measured: 20 of 20 at 10 and at 77)."""
NUMBERED_CLASSES = 15
LABELLED_CLASSES = 120

_OUTLINED_CLASSES = 300  # above, a cell is a pixel or two and an outline would hide it
_NOUN = {"none": "rows", "row": "share of the true class", "column": "share of the prediction", "all": "share of all"}


def clickable(block: Block) -> bool:
    """Whether a click on this block's picture selects a cell; if not, offer pickers or the table."""
    return bool(max(block.rows.shape) <= CLICKABLE_CLASSES + 2)  # "other" and "unparseable" on top


def code_name(code: int, labels: Sequence[str], n_folded: int = 0) -> str:
    """The name of a code, as plain text; "other" says how many classes are in it.

    >>> code_name(1, ("ham", "spam")), code_name(OTHER, (), 67), code_name(UNPARSEABLE, ())
    ('spam', 'other (67 classes)', 'unparseable')
    """
    if code == OTHER:
        return f"other ({n_folded:,} class{'' if n_folded == 1 else 'es'})"
    return "unparseable" if code == UNPARSEABLE else labels[code]


def confusion_heatmap(
    block: Block,
    labels: Sequence[str],
    *,
    title: str | None = None,
    outlined: tuple[int, int] | None = None,
    height: int | None = None,
) -> go.Figure:
    """A block as a heatmap with the count and its three shares on hover.

    Parameters
    ----------
    labels : the names of all classes, as they came from the file.
    title : plain text; None composes one. That tick labels are hidden is said in any case.
    outlined : (true code, predicted code) of a cell to frame, as when a link arrives with one. It is part
        of the figure: change it and Streamlit drops the reader's selection.
    height : pixels; None grows with the number of classes.

    Colours are one hue whose strength follows the square root of the value; zero and undefined are empty.
    The row and the column "other" do not stretch the scale.
    Numbers stand in the cells up to 15 classes, tick labels beside them up to 120.
    """
    n = max(block.rows.shape)
    fig = figure(_title(block, title, n), height=height or _height(n), wrap=84)
    fig.add_trace(_heatmap(block, n))
    if clickable(block):
        fig.update_traces(hoverinfo="skip", hovertemplate=None)
        fig.add_trace(_click_layer(block))
        fig.update_layout(hoverdistance=-1, clickmode="event+select")
    if n <= _OUTLINED_CLASSES:
        fig.add_shape(type="path", path=_diagonal_path(block), line={"color": REFERENCE, "width": 1}, layer="above")
    if outlined is not None:
        _outline(fig, block, *outlined)
    if n <= NUMBERED_CLASSES:
        fig.update_layout(annotations=_numbers(block))
    return _axes(fig, block, labels, n)


def two_by_two(tp: int, fp: int, fn: int, tn: int, name: str) -> go.Figure:
    """The four outcomes of one class or label against the rest; counts in the cells, shares of the truth on hover."""
    names = (f"not {name}", name)
    block = Block(
        np.arange(2), np.arange(2), np.array([[tn, fp], [fn, tp]]), np.diag([tn, tp]), np.arange(0), "none", False
    )
    return confusion_heatmap(block, names, title=f"{fp + fn:,} of {block.n:,} decisions are wrong")


def confusion_table(block: Block, labels: Sequence[str]) -> pd.DataFrame:
    """The non-empty cells of a block as a table, most rows first; correct cells included unless errors only.

    Columns: true, predicted, rows, share_of_true, share_of_predicted, share_of_all. Labels as in the file.
    """
    kept = block.rows - block.right if block.errors_only else block.rows
    at = np.nonzero(kept)
    at = tuple(axis[np.argsort(-kept[at], kind="stable")] for axis in at)
    table = pd.DataFrame(
        {
            "true": [code_name(int(c), labels, len(block.folded)) for c in block.row_codes[at[0]]],
            "predicted": [code_name(int(c), labels, len(block.folded)) for c in block.col_codes[at[1]]],
            "rows": kept[at],
        }
    )
    totals = block.rows.sum(axis=1)[at[0]], block.rows.sum(axis=0)[at[1]], block.n
    for name, total in zip(("share_of_true", "share_of_predicted", "share_of_all"), totals, strict=True):
        table[name] = kept[at] / total
    return table


def _title(block: Block, title: str | None, n: int) -> str:
    if title is None:
        right, total = int(block.right.sum()), block.n
        what = f"{total - right:,} of {total:,} rows are off the diagonal" if total else "No scored rows"
        title = f"{what} (colour: {_NOUN[block.normalise]}{', errors only' if block.errors_only else ''})"
    hidden = " · too many classes for labels here: hover for names" if n > LABELLED_CLASSES else ""
    return title + hidden


def _height(n: int) -> int:
    """Square-ish: room for a readable label per row as long as there are labels."""
    if n > LABELLED_CLASSES:
        return 820
    return int(np.clip(210 + 44 * n, 320, 700)) if n <= 15 else max(700, 220 + 11 * n)


def _largest(block: Block) -> float:
    """The value with the full colour: the largest outside "other", whose many classes would drown the rest."""
    values = block.values
    own = (block.row_codes != OTHER)[:, None] & (block.col_codes != OTHER)
    values = values[np.isfinite(values) & own]
    return float(values.max(initial=0.0)) or 1.0


def _heatmap(block: Block, n: int) -> go.Heatmap:
    largest = _largest(block)
    percent = block.normalise != "none"
    share = f"<br>%{{z:.2%}} ({_NOUN[block.normalise]})" if percent else ""
    return go.Heatmap(
        z=block.values.astype(np.float32),
        zmin=0,
        zmax=largest,
        colorscale=sequential_scale(faintest=FAINTEST if n <= LABELLED_CLASSES else 0.6),  # a cell of a pixel
        xgap=1 if n <= 40 else 0,
        ygap=1 if n <= 40 else 0,
        hoverongaps=False,
        customdata=block.rows,
        hovertemplate=f"truth: %{{y}}<br>prediction: %{{x}}<br><b>%{{customdata:,}} rows</b>{share}<extra></extra>",
        colorbar={
            "tickformat": (".0%" if largest >= 0.05 else ".2%") if percent else ",d",
            "nticks": 6,
            "thickness": 12,
            "outlinewidth": 0,
            "len": 0.9,
        },
    )


def _click_layer(block: Block) -> go.Scatter:
    n = max(block.rows.shape)
    y, x = (axis.ravel() for axis in np.indices(block.rows.shape))
    return go.Scatter(
        x=x,
        y=y,
        xaxis="x2",  # its ticks are the full names, for the hover: sent once per class and not once per cell
        yaxis="y2",
        mode="markers",
        # the nearest centre is that of the cell pointed at, so the size only matters for the look of a selection
        marker={"size": 2, "opacity": 0, "symbol": "square-open", "color": ACCENT, "line": {"width": 2}},
        selected={"marker": {"opacity": 1, "size": int(np.clip(400 / n, 8, 36))}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
        customdata=_cells(block),
        hovertemplate=(
            "truth: <b>%{y}</b><br>prediction: <b>%{x}</b><br><b>%{customdata[2]}</b><br>%{customdata[3]} of this truth"
            "<br>%{customdata[4]} of this prediction<br>%{customdata[5]} of all<extra></extra>"
        ),
    )


def _cells(block: Block) -> list[list[int | str]]:
    """[true code, predicted code, rows, share of truth, of prediction, of all] of every cell, row by row."""
    shares = [[_percent(share) for share in block.shares(of).ravel()] for of in ("row", "column", "all")]
    true, pred = (codes.ravel().tolist() for codes in np.meshgrid(block.row_codes, block.col_codes, indexing="ij"))
    rows = [_count(n, right, t == OTHER == p) for n, right, t, p in
            zip(block.rows.ravel().tolist(), block.right.ravel().tolist(), true, pred, strict=True)]  # fmt: skip
    return [list(cell) for cell in zip(true, pred, rows, *shares, strict=True)]


def _count(rows: int, right: int, mixed: bool) -> str:
    return f"{rows:,} row{'' if rows == 1 else 's'}" + (f", {right:,} of them right" if mixed else "")


def _percent(share: float) -> str:
    return "undefined share (0/0)" if np.isnan(share) else f"{share:.1%}"


def _diagonal_path(block: Block) -> str:
    """One outline of all diagonal cells, as an SVG path: one shape instead of one per class."""
    return " ".join(f"M{i - 0.5},{i - 0.5} H{i + 0.5} V{i + 0.5} H{i - 0.5} Z" for i in range(min(block.rows.shape)))


def _outline(fig: go.Figure, block: Block, true: int, pred: int) -> None:
    at = np.flatnonzero(block.row_codes == true), np.flatnonzero(block.col_codes == pred)
    if len(at[0]) and len(at[1]):
        y, x = int(at[0][0]), int(at[1][0])
        fig.add_shape(type="rect", x0=x - 0.5, x1=x + 0.5, y0=y - 0.5, y1=y + 0.5, line={"color": ACCENT, "width": 3})


def _numbers(block: Block) -> list[dict[str, Any]]:
    """The number of every cell that has one; white where the cell is strong, else the page's text colour."""
    values = block.values
    largest, size = _largest(block), 13 if max(values.shape) <= 10 else 11
    percent = block.normalise != "none"
    return [
        {
            "x": int(j),
            "y": int(i),
            "text": _short_percent(values[i, j]) if percent else f"{values[i, j]:,.0f}",
            "showarrow": False,
            "font": {"size": size, "color": "#ffffff" if strength(values[i, j] / largest) > 0.7 else PAGE_TEXT},
            "opacity": 1.0 if values[i, j] else 0.4,
        }
        for i, j in np.argwhere(np.isfinite(values))
    ]


def _short_percent(share: float) -> str:
    """A whole percentage that never rounds something to nothing, or nearly all to all."""
    if 0 < share < 0.005:
        return "&lt;1%"
    return "&gt;99%" if 0.995 <= share < 1 else f"{share:.0%}"


def _axes(fig: go.Figure, block: Block, labels: Sequence[str], n: int) -> go.Figure:
    """Every row and column labelled while there is room; with more classes the labels serve the hover only."""
    n_rows, n_cols = block.rows.shape
    for axis, codes, name in (("xaxis", block.col_codes, "prediction"), ("yaxis", block.row_codes, "truth")):
        fig.update_layout({axis: _named_axis(codes, block, labels, n) | {"title_text": name}})
        if clickable(block):
            hidden = {"overlaying": axis[0], "matches": axis[0], "showticklabels": False}
            fig.update_layout({f"{axis}2": hidden | _ticks(codes, block, labels, None)})
    # the bounds keep a double click, which two quick clicks are too, from zooming out beyond the cells
    fig.update_xaxes(range=[-0.5, n_cols - 0.5], minallowed=-0.5, maxallowed=n_cols - 0.5, fixedrange=n <= 30)
    fig.update_yaxes(range=[n_rows - 0.5, -0.5], minallowed=-0.5, maxallowed=n_rows - 0.5, fixedrange=n <= 30)
    fig.update_xaxes(tickangle=0 if n <= 3 else -45 if n <= 15 else -90)
    return fig.update_layout(dragmode=False if n <= 30 else "zoom", showlegend=False)


def _named_axis(codes: np.ndarray, block: Block, labels: Sequence[str], n: int) -> dict[str, Any]:
    labelled = n <= LABELLED_CLASSES
    limit = (TICK_LIMIT if n <= 3 else 24) if labelled else None  # long names must leave room for the cells
    font = {"size": 12 if n <= 30 else 9 if n <= 60 else 8, "color": PAGE_TEXT}
    return {"showticklabels": labelled, "tickfont": font} | _ticks(codes, block, labels, limit)


def _ticks(codes: np.ndarray, block: Block, labels: Sequence[str], limit: int | None) -> dict[str, Any]:
    """Tick texts cut at `limit`, None = for the hover; "other" and "unparseable" in italics, as no class is."""
    names = [code_name(int(code), labels, len(block.folded)) for code in codes]
    texts = [plotly_text(name, limit) if limit else hover_text(name) for name in names]
    texts = [f"<i>{text}</i>" if code < 0 else text for text, code in zip(texts, codes, strict=True)]
    bare = {"showgrid": False, "zeroline": False, "ticks": "", "ticklabelstandoff": 4}
    return {"tickmode": "array", "tickvals": np.arange(len(codes)), "ticktext": texts} | bare


def outcome_sentence(block: Block, labels: Sequence[str], true: int, pred: int) -> str:
    """One cell as a sentence, plain text: "12 of the 40 rows that are a were called b".

    >>> block = Block(*2 * [np.arange(2)], np.array([[3, 1], [0, 2]]), np.diag([3, 2]), np.arange(0))
    >>> outcome_sentence(block, ("ham", "spam"), 0, 1)
    '1 of the 4 rows that are ham was called spam'
    """
    i, j = (int(np.flatnonzero(codes == code)[0]) for codes, code in ((block.row_codes, true), (block.col_codes, pred)))
    truth, called = (show(code_name(code, labels, len(block.folded)), TICK_LIMIT) for code in (true, pred))
    rows, total = int(block.rows[i, j]), int(block.rows[i].sum())
    return f"{rows:,} of the {total:,} rows that are {truth} {'was' if rows == 1 else 'were'} called {called}"
