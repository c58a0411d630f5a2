"""Several labels a row as a picture: how many labels a row has."""

from __future__ import annotations

import plotly.graph_objects as go

from charts.theme import MODEL, REFERENCE, figure, hatch, note
from metrics.multilabel.set_metrics import LabelsPerRow


def labels_per_row_figure(per_row: LabelsPerRow) -> go.Figure:
    """Draw how many rows have 0, 1, 2 … true labels, and how many have so many predicted ones."""
    if not per_row.true_rows.sum():
        return note(figure("Labels per row"), "No scored rows.")
    title = f"A row has {per_row.mean_true:.2f} true and {per_row.mean_pred:.2f} predicted labels on average"
    fig = figure(title, barmode="group", legend_rows=1)
    for name, rows, colour, pattern in (
        ("true labels", per_row.true_rows, REFERENCE, "/"),
        ("predicted labels", per_row.pred_rows, MODEL, ""),
    ):
        fig.add_trace(
            go.Bar(
                x=per_row.n_labels,
                y=rows,
                name=name,
                marker={"color": colour, "pattern": hatch(pattern)},
                hovertemplate=f"<b>%{{y:,}} rows</b> with %{{x}} {name}<extra></extra>",
            )
        )
    fig.update_xaxes(title_text="labels in a row", dtick=1 if len(per_row.n_labels) <= 25 else None, showgrid=False)
    return fig.update_yaxes(title_text="rows")
