"""The confusion page's pieces: the heatmap, the confusions in words, the rows behind a cell, the table twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from charts import confusion as charts
from data.evaluation import UNPARSEABLE, Evaluation
from metrics import confusions, multilabel
from metrics.counts import ConfusionCounts
from metrics.matrix import OTHER, Block, arrange
from ui import blocks, cache, controls, drill, state, url
from ui.blocks import md, percent, rows, show

_NORMALISE = {"none": "Counts", "row": "Share of truth", "column": "Share of prediction", "all": "Share of all"}
BESIDE = 30
"""With more classes the matrix takes the whole width and the confusions in words stand below it."""
_ORDER = {"label": "Label", "support": "Support", "worst": "Worst", "cluster": "Confused together"}


def controls_row(counts: ConfusionCounts) -> Block:
    """The choices above the heatmap, and the arranged matrix."""
    n = len(counts.labels)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        normalise = controls.choose(
            "norm", "Colour shows", _NORMALISE, help="Rows are the truth, columns the prediction."
        )
        order = controls.choose("order", "Order of classes", _ORDER)
    worst = 0
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        about = "Leaves the diagonal empty, so that the mistakes fill the colour scale."
        errors_only = controls.tick("errors", "Errors only", help=about)
        if n > 2:
            about = "The other classes are added up in one row and one column named “other”. 0 shows all classes."
            worst = controls.whole_number("worst", f"Only the worst k of {n:,} classes", 0, min(n, 1000), help=about)
    return arrange(counts, order=order, normalise=normalise, errors_only=errors_only, worst=worst or None)


@st.cache_resource(show_spinner="Drawing the matrix …", max_entries=32)
def _figure(fingerprint: str, key: str, _counts: ConfusionCounts, _block: Block) -> Any:
    return charts.confusion_heatmap(_block, _counts.labels)


def heatmap(evaluation: Evaluation, counts: ConfusionCounts, block: Block) -> None:
    """The heatmap; a click on a cell puts the cell into the view."""
    key = "|".join(str(url.get(name)) for name in ("norm", "order", "errors", "worst"))
    drawn = _figure(evaluation.fingerprint, key, counts, block)
    if not charts.clickable(block):
        st.plotly_chart(drawn, key="matrix.still", config={"displaylogo": False})
        st.caption(
            f"At {rows(block.n_classes, 'class')} a click would not be exact: "
            "choose a cell with the two lists below, or show fewer classes."
        )
        return
    st.plotly_chart(drawn, key="matrix", on_select=_clicked, selection_mode="points", config={"displaylogo": False})
    st.caption(_clicked_cell() or "Click a cell to see its rows.")


def _clicked_cell() -> str:
    """Where the rows of the chosen cell are, as they may lie below the screen; empty with no cell chosen."""
    chosen = [
        f"{name} {md(url.get(key), 40)}" for name, key in (("truth", "true"), ("prediction", "pred")) if url.get(key)
    ]
    return f":material/arrow_downward: The rows with {', '.join(chosen)} are listed below." if chosen else ""


def _clicked() -> None:
    """Put the clicked cell into the view."""
    points = st.session_state["matrix"]["selection"]["points"]
    if not points:
        return
    true, pred = (int(code) for code in points[0]["customdata"][:2])
    evaluation = state.evaluation()
    if evaluation is None or OTHER in (true, pred):
        return
    names = evaluation.labels
    if pred == UNPARSEABLE:
        url.put(true=names[true], pred="", only="unparseable")
    else:
        url.put(true=names[true], pred=names[pred], only="all")


def worst_in_words(counts: ConfusionCounts, columns: int = 1) -> None:
    """The confusions, ranked, as sentences; each leads to its rows."""
    ranked = confusions.confusions(counts, limit=10)
    st.subheader("In words")
    if not ranked:
        st.markdown("No confusions: every scored row got its true label.")
        return
    places = st.columns(columns, gap="large")
    for i, confusion in enumerate(ranked):
        with places[i * columns // len(ranked)]:
            _in_words(counts, confusion)


def _in_words(counts: ConfusionCounts, confusion: confusions.Confusion) -> None:
    true = counts.labels[confusion.true]
    gone = confusion.pred == UNPARSEABLE
    called = "could not be parsed" if gone else f"called {md(counts.labels[confusion.pred], 40)}"
    view = {"true": true, "only": "unparseable"} if gone else {"true": true, "pred": counts.labels[confusion.pred]}
    text, button = st.columns([0.84, 0.16], vertical_alignment="center")
    support = int(counts.support[confusion.true])
    text.markdown(f"**{confusion.rows:,} of {support:,}** {md(true, 40)} {called} ({percent(confusion.share)})")
    key = f"pair.{confusion.true}.{confusion.pred}"
    button.button("", key=key, icon=":material/table_rows:", on_click=_show_cell, kwargs=view, help="Show these rows")


def _show_cell(true: str, pred: str = "", only: str = "all") -> None:
    url.put(true=true, pred=pred, only=only)


def chosen_cell(evaluation: Evaluation, counts: ConfusionCounts) -> None:
    """Two lists that choose a cell, and the rows in it."""
    st.subheader("The rows of a cell")
    names = ["", *evaluation.labels]
    left, right = st.columns(2)
    with left:
        true = controls.choose_of_many("true", "True label", names, lambda name: show(name, 80) if name else "any")
    with right:
        pred = controls.choose_of_many("pred", "Predicted label", names, lambda name: show(name, 80) if name else "any")
    if not true and not pred and url.get("only") == "all":
        st.caption("Choose labels here, or a sentence, or (up to 80 classes) click a cell of the matrix.")
        return
    drill.behind(evaluation, true=true, pred=pred, only=url.get("only"), key="cell", limit=200)


def table_twin(counts: ConfusionCounts, block: Block) -> None:
    """The same matrix as a table to read and to download."""
    with st.expander("The same as a table", icon=":material/table:"):
        st.caption("Rows are the truth, columns the prediction; counts of rows.")
        frame = matrix_frame(counts, block)
        if frame.shape[1] <= 150:
            st.dataframe(frame, key="matrix.table")
        else:
            st.caption(
                f"{frame.shape[0]:,} rows and {frame.shape[1]:,} columns "
                "are too wide to show; the download holds them all."
            )
        blocks.download(frame.reset_index(names="truth"), "confusion_matrix")
        cells = charts.confusion_table(block, counts.labels)
        shown = cells.head(1000).assign(
            true=[show(name) for name in cells["true"][:1000]],
            predicted=[show(name) for name in cells["predicted"][:1000]],
        )
        st.dataframe(shown, hide_index=True, key="matrix.cells")
        if len(cells) > 1000:
            st.caption(f"The first 1,000 of {len(cells):,} pairs; the download holds all.")
        blocks.download(cells, "confusions")


def matrix_frame(counts: ConfusionCounts, block: Block) -> pd.DataFrame:
    """A block as a frame of counts, with readable row and column names."""

    def named(codes: np.ndarray) -> list[str]:
        special = {OTHER: "(other)", UNPARSEABLE: "(unparseable)"}
        return [special.get(int(code)) or show(counts.labels[code]) for code in codes]

    frame = pd.DataFrame(block.rows, columns=pd.Index(named(block.col_codes)), index=pd.Index(named(block.row_codes)))
    return frame.loc[:, ~frame.columns.duplicated()] if frame.columns.has_duplicates else frame


def one_label_at_a_time(evaluation: Evaluation) -> None:
    """Several labels a row have no single matrix: one two-by-two table a label."""
    counts = cache.multilabel(evaluation)
    st.markdown(
        "With several labels a row there is no single confusion matrix: every label has its own two-by-two table."
    )
    names = list(evaluation.labels)
    name = controls.choose_of_many("true", "Label", names, lambda text: show(text, 80))
    code = names.index(name)
    tp, fp, fn, tn = (int(part[code]) for part in (counts.tp, counts.fp, counts.fn, counts.tn))
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        st.plotly_chart(
            charts.two_by_two(tp, fp, fn, tn, show(name, 40)), key="two_by_two", config={"displaylogo": False}
        )
    with right:
        per = multilabel.per_label(counts)
        st.markdown(
            f"- {md(name)} is true in {rows(tp + fn)}; {tp:,} of them were "
            f"found (recall {blocks.number(per.recall[code])}).\n"
            f"- It was predicted for {rows(tp + fp)}; {tp:,} of them rightly "
            f"(precision {blocks.number(per.precision[code])}).\n"
            f"- {percent(per.accuracy[code])} of the decisions about it are right; "
            f"saying never would give {percent((fp + tn) / counts.n)}."
        )
    outcome = st.segmented_control(
        "Rows",
        ["fn", "fp", "tp", "tn"],
        default="fn",
        format_func={"fn": "Missed", "fp": "Wrongly predicted", "tp": "Found", "tn": "Rightly left out"}.__getitem__,
        required=True,
    )
    drill.behind(evaluation, true=name, only=outcome, key="label", limit=200)
