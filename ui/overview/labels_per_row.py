"""Draw how many labels the truth and the model give a row, and the rows behind every bar."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from charts import label_sets
from data.evaluation import Evaluation
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import LabelsPerRow
from text.numbers import count
from ui.rows import rows_behind
from ui.text.chart import draw_chart
from ui.view import cache
from ui.view.data_table import table_twin

CHART, BOX = "per_row", "per_row.bar"
Side = Literal["true", "pred"]
_SIDES: tuple[Side, Side] = ("true", "pred")


def section(evaluation: Evaluation) -> None:
    """Draw the picture, its table, and the rows of the bar that was chosen."""
    per_row = set_metrics.labels_per_row(cache.multilabel(evaluation))
    st.header("Labels per row")
    draw_chart(label_sets.labels_per_row_figure(per_row), CHART,
               on_select=lambda: _take_click(per_row), selection_mode="points")  # fmt: skip
    table_twin(
        pd.DataFrame({
            "labels in a row": per_row.n_labels,
            "rows by true labels": per_row.true_rows,
            "rows predicted": per_row.pred_rows,
        }),
        "labels_per_row",
    )  # fmt: skip
    bars = bars_of(per_row)
    if st.session_state.get(BOX) not in range(len(bars)):
        st.session_state[BOX] = None
    place = st.selectbox("Rows of a bar", range(len(bars)), None, key=BOX, width=320, placeholder="choose a bar",
                         format_func=lambda place: _words(per_row, *bars[place]))  # fmt: skip
    if place is not None:
        side, n = bars[place]
        st.markdown(f"**{_words(per_row, side, n)}**")
        rows_behind.draw_listed_rows(evaluation, rows_with(evaluation, side, n), key="per_row.rows")


def bars_of(per_row: LabelsPerRow) -> list[tuple[Side, int]]:
    """Return the bars that stand for any rows, as (side, labels in a row): those of the truth first."""
    counted = zip(_SIDES, (per_row.true_rows, per_row.pred_rows), strict=True)
    return [(side, int(n)) for side, rows_by_number in counted for n in per_row.n_labels[rows_by_number > 0]]


def rows_with(evaluation: Evaluation, side: Side, n: int) -> np.ndarray:
    """Return positions of the scored rows with n labels, true or predicted ones, in file order."""
    sets = evaluation.y_true if side == "true" else evaluation.y_pred
    return np.flatnonzero(evaluation.scored & (sets.sum(axis=1) == n))


def _words(per_row: LabelsPerRow, side: Side, n: int) -> str:
    rows_by_number = per_row.true_rows if side == "true" else per_row.pred_rows
    kind = "true" if side == "true" else "predicted"
    return f"{count(int(rows_by_number[n]))} with {count(n, f'{kind} label') if n else f'no {kind} label'}"


def _take_click(per_row: LabelsPerRow) -> None:
    points = st.session_state[CHART]["selection"]["points"]
    if points:
        # not by its x, which for bars beside each other is off the whole number
        bar = (_SIDES[points[0]["curve_number"]], int(per_row.n_labels[points[0]["point_index"]]))
        bars = bars_of(per_row)
        st.session_state[BOX] = bars.index(bar) if bar in bars else None
