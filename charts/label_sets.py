"""Several labels a row as pictures: how many labels a row has, and how well each label is found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, caption, figure, hatch, note
from metrics.multilabel.set_metrics import LabelsPerRow, PerLabel
from text.visible import hover_text, plotly_text

SHOWN_LABELS = 40


def labels_per_row_figure(per_row: LabelsPerRow) -> go.Figure:
    """How many rows truly have 0, 1, 2 … labels, and how many were given so many."""
    if not per_row.true_rows.sum():
        return note(figure("Labels per row"), "No scored rows.")
    title = f"A row has {per_row.mean_true:.2f} labels; the model gives it {per_row.mean_pred:.2f}"
    fig = figure(title, barmode="group", legend_rows=1)
    for name, rows, colour, pattern in (
        ("truth", per_row.true_rows, REFERENCE, "/"),
        ("model", per_row.pred_rows, MODEL, ""),
    ):
        fig.add_trace(
            go.Bar(
                x=per_row.n_labels,
                y=rows,
                name=name,
                marker={"color": colour, "pattern": hatch(pattern)},
                hovertemplate=f"{name}: <b>%{{y:,}} rows</b> with %{{x}} labels<extra></extra>",
            )
        )
    fig.update_xaxes(title_text="labels in a row", dtick=1 if len(per_row.n_labels) <= 25 else None, showgrid=False)
    return fig.update_yaxes(title_text="rows")


def label_bars(per: PerLabel, labels: Sequence[str], *, shown: int = SHOWN_LABELS) -> go.Figure:
    """Precision, recall and F1 of every label, weakest F1 first; at most `shown` labels, and it says so.

    A label whose F1 is undefined (neither true nor predicted anywhere) is left out and counted.
    """
    defined = np.flatnonzero(~np.isnan(per.f1))
    if not len(defined):
        return note(figure("F1 of every label"), "No label is true or predicted in any row.")
    order = defined[np.argsort(per.f1[defined], kind="stable")][:shown]
    weakest, strongest = per.f1[defined].min(), per.f1[defined].max()
    fig = figure(
        f"F1 goes from {weakest:.2f} to {strongest:.2f} over {len(defined):,} labels",
        height=150 + 24 * len(order),
        legend_rows=1,
    )
    y = np.arange(len(order))
    names = [hover_text(labels[code]) for code in order]
    fig.add_trace(go.Bar(x=per.f1[order], y=y, orientation="h", name="F1", marker_color=MODEL, opacity=0.5,
                         customdata=names, hovertemplate="%{customdata}<br>F1 %{x:.3f}<extra></extra>"))  # fmt: skip
    for name, values, symbol, colour in (
        ("precision", per.precision, "diamond", ACCENT),
        ("recall", per.recall, "circle-open", PAGE_TEXT),
    ):
        fig.add_trace(go.Scatter(x=values[order], y=y, mode="markers", name=name, customdata=names,
                                 marker={"symbol": symbol, "size": 9, "color": colour, "line_width": 2,
                                         "line_color": colour},
                                 hovertemplate=f"%{{customdata}}<br>{name} %{{x:.3f}}<extra></extra>"))  # fmt: skip
    fig.update_yaxes(
        tickvals=y, ticktext=[plotly_text(labels[code], 30) for code in order], autorange="reversed", showgrid=False
    )
    fig.update_xaxes(range=[0, 1.02])
    left_out = [f"the {len(order):,} weakest of {len(defined):,} labels"] * (len(order) < len(defined))
    left_out += [f"{len(labels) - len(defined):,} undefined"] * (len(defined) < len(labels))
    return caption(fig, "Shown: " + ", ".join(left_out) + ".") if left_out else fig
