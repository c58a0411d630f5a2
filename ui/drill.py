"""The rows behind a number: filters, the table page by page, the download."""

from __future__ import annotations

from typing import cast

import numpy as np
import streamlit as st

from data.counts import lines_and_rows
from data.evaluation import Evaluation
from data.rows import (
    Only,
    confidence,
    mistakes_first,
    most_confident_first,
    rows_frame,
    safe_csv,
    search_rows,
    select_rows,
)
from metrics.finding import rows as count_of
from ui import controls, state, url
from ui.blocks import md, show

PAGE = 100
CELL = 400
"""Characters of a cell on screen; the download holds all of them."""
_ONLY = {"all": "All", "errors": "Errors", "correct": "Right", "unparseable": "Unparseable", "missing": "Not scored"}
COUNTS = "This file holds counts, not rows: each line below stands for as many rows as “rows” says."
_WORDS = {
    "errors": "wrong",
    "correct": "right",
    "unparseable": "with an unparseable answer",
    "missing": "without a truth or a prediction",
    "tp": "where the label is true and predicted",
    "fp": "where the label is predicted but not true",
    "fn": "where the label is true but not predicted",
    "tn": "where the label is neither true nor predicted",
}


def filters(evaluation: Evaluation) -> None:
    """The choices above the table."""
    available = dict(_ONLY)
    if evaluation.task == "multilabel" or not evaluation.n_unparsed:
        del available["unparseable"]
    if evaluation.n_scored == evaluation.n_rows:
        del available["missing"]
    if url.get("only") in ("tp", "fp", "fn", "tn"):
        available[url.get("only")] = _WORDS[url.get("only")]
    names = ["", *evaluation.labels]
    first, second, third, fourth = st.columns([0.34, 0.22, 0.22, 0.22], vertical_alignment="bottom")
    with first:
        controls.choose("only", "Rows", available)
    with second:
        controls.choose_of_many("true", "True label", names, lambda name: show(name, 80) if name else "any")
    with third:
        controls.choose_of_many("pred", "Predicted label", names, lambda name: show(name, 80) if name else "any")
    with fourth:
        controls.search("q", "Search", "text in any column")


@st.cache_resource(show_spinner="Finding the rows …", max_entries=32)
def _found(
    fingerprint: str, true: int | None, pred: int | None, only: str, text: str, _evaluation: Evaluation
) -> np.ndarray:
    chosen = select_rows(_evaluation, true=true, pred=pred, only=cast(Only, only))
    return mistakes_first(_evaluation, most_confident_first(_evaluation, search_rows(_evaluation, chosen, text)))


def found(evaluation: Evaluation, true: str, pred: str, only: str, text: str = "") -> np.ndarray:
    """Row numbers, the most confident first."""
    codes = (state.code_of(evaluation, true), state.code_of(evaluation, pred))
    return _found(evaluation.fingerprint, *codes, only, text, evaluation)


def sentence(evaluation: Evaluation, chosen: np.ndarray, true: str, pred: str, only: str, text: str = "") -> str:
    """What the rows are: "312 rows: truth `refund`, predicted `billing`"."""
    about = [f"truth {md(true)}"] if true and only not in ("tp", "fp", "fn", "tn") else []
    about += [f"predicted {md(pred)}"] if pred else []
    about += [_WORDS[only].replace("the label", md(true))] if only in _WORDS else []
    about += [f"containing {md(text)}"] if text else []
    if evaluation.task == "multilabel":
        order = "most wrong labels first"
    else:
        order = "the most confident mistakes first" if evaluation.y_score is not None else "mistakes first"
    n = count_of(len(chosen)) if evaluation.weights is None else lines_and_rows(evaluation, chosen)
    return f"**{n}**{': ' if about else ''}{', '.join(about)} · {order}"


def table(evaluation: Evaluation) -> None:
    """The rows page: one page of rows, and all of them as a download."""
    view = {name: url.get(name) for name in ("true", "pred", "only")}
    text = url.get("q")
    chosen = found(evaluation, view["true"], view["pred"], view["only"], text)
    _say_counts(evaluation)
    st.markdown(sentence(evaluation, chosen, view["true"], view["pred"], view["only"], text))
    pages = max(1, -(-len(chosen) // PAGE))
    page = controls.whole_number("page", f"Page of {pages:,}", 1, pages) if pages > 1 else 1
    _frame(evaluation, chosen[(page - 1) * PAGE : page * PAGE], key="rows.table")
    _download(evaluation, chosen, key="rows.download")


def _say_counts(evaluation: Evaluation) -> None:
    if evaluation.weights is not None:
        st.caption(COUNTS)


def behind(
    evaluation: Evaluation, *, true: str = "", pred: str = "", only: str = "all", key: str, limit: int = PAGE
) -> None:
    """The rows behind one number, in place: the first few, and all of them as a download."""
    chosen = found(evaluation, true, pred, only)
    _say_counts(evaluation)
    st.markdown(sentence(evaluation, chosen, true, pred, only))
    listed(evaluation, chosen, key=key, limit=limit)


def listed(evaluation: Evaluation, chosen: np.ndarray, *, key: str, limit: int = PAGE) -> None:
    """Given rows: the first few, and all of them as a download."""
    if len(chosen) > limit:
        st.caption(f"The first {limit:,} are shown; the download holds all {len(chosen):,}.")
    _frame(evaluation, chosen[:limit], key=f"{key}.table")
    _download(evaluation, chosen, key=f"{key}.download")


def _frame(evaluation: Evaluation, chosen: np.ndarray, *, key: str) -> None:
    if not len(chosen):
        st.info("No rows match.")
        return
    frame = rows_frame(evaluation, chosen)
    for name in frame.columns[frame.dtypes.map(lambda kind: kind.kind in "OUT")]:
        frame[name] = [show(value, CELL) if isinstance(value, str) else value for value in frame[name]]
    shown = {"row": st.column_config.NumberColumn("row", help="Row of the file, counted from 1", format="%d")}
    if confidence(evaluation, chosen[:1]) is not None and evaluation.scale == "probability":
        shown["confidence"] = st.column_config.ProgressColumn("confidence", min_value=0.0, max_value=1.0, format="%.3f")
    st.dataframe(frame, hide_index=True, column_config=shown, key=key)


def _download(evaluation: Evaluation, chosen: np.ndarray, *, key: str) -> None:
    if len(chosen):
        st.download_button(
            f"Download {count_of(len(chosen), 'row' if evaluation.weights is None else 'line')} as CSV",
            lambda: safe_csv(rows_frame(evaluation, chosen)),
            "rows.csv",
            "text/csv",
            on_click="ignore",
            key=key,
            icon=":material/download:",
            help="Text that a spreadsheet would run as a formula gets an apostrophe in front.",
        )
