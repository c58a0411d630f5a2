"""Open the evaluation that a page is about, or say why not and offer a sample."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.samples import SAMPLES
from ui.frame import chips, link_problems
from ui.frame.heading import heading
from ui.text.messages import refuse, refuse_error, remark
from ui.thresholds.own_scale import NOTHING_PREDICTED
from ui.view import open_runs, state, url
from ui.view.address import go_to
from ui.view.pages import FIRST, PAGES


def need_evaluation(what: str, *, scored: bool = True) -> Evaluation:
    """Return the evaluation in view; without one say why, offer the ways on, and stop.

    what : a sentence about what the page shows. scored : whether it needs rows with a true and a predicted label.
    """
    opened = _open()
    if opened.evaluation is not None and (opened.evaluation.n_scored or not scored):
        _tell(opened)
        return opened.evaluation
    st.title(_title(opened), anchor="title")
    _tell(opened)
    if opened.evaluation is not None and opened.evaluation.filtered is not None:
        chips.draw_filter(opened.evaluation)
        refuse("No row of this filter has both a true and a predicted label. Remove the filter.")
        st.stop()
    if opened.evaluation is not None:
        refuse("No row has both a true and a predicted label. Correct the columns.")
        go_to("open", "Correct the columns", icon=":material/edit:")
        st.stop()
    st.markdown(what)
    go_to("open", "Open your predictions file", icon=":material/upload_file:")
    st.markdown("… or look at a sample first:")
    sample_cards()
    st.stop()


def need_predictions(what: str) -> Evaluation:
    """Return the evaluation in view as `need_evaluation` does; where nothing is predicted yet, say so and stop."""
    evaluation = need_evaluation(what)
    if evaluation.has_predictions:
        return evaluation
    heading(f"{PAGES[url.page()].title}: nothing is predicted yet")
    remark(f"{NOTHING_PREDICTED} This page shows predictions, so it is empty until you give one.", "info")
    go_to("thresholds", "Choose a threshold", icon=":material/tune:")
    st.stop()


def _title(opened: _Opened) -> str:
    """Say what is missing; where the link was refused, the sentence about it follows the page's name."""
    if opened.refused is not None:
        return PAGES[url.page()].title
    return "Nothing is loaded yet" if opened.evaluation is None else "Nothing can be scored"


def evaluation_if_any() -> Evaluation | None:
    """Return the evaluation in view; None for pages that work without one; say where a link opens nothing."""
    opened = _open()
    _tell(opened)
    if opened.refused is not None:
        go_to("open", "Open a file or a sample", icon=":material/upload_file:")
    evaluation = opened.evaluation
    return evaluation if evaluation is not None and evaluation.n_scored else None


class _Opened(NamedTuple):
    """Hold what the link opens: an evaluation, or why it was refused, and what of the link cannot be used."""

    evaluation: Evaluation | None
    refused: DataError | None
    told: tuple[str, ...]


def _open() -> _Opened:
    told = url.problems()
    try:
        evaluation = state.evaluation()
    except DataError as error:
        return _Opened(None, error, tuple(told))
    if evaluation is not None and evaluation.n_scored:
        told += link_problems.ignored_parameters(evaluation)
    return _Opened(evaluation, None, tuple(told))


def _tell(opened: _Opened) -> None:
    for sentence in opened.told:
        remark(sentence)
    if opened.refused is not None:
        refuse_error(opened.refused)


def sample_cards() -> None:
    """Draw the samples, one click away."""
    columns = [column for _ in range(0, len(SAMPLES), 3) for column in st.columns(3)]
    for column, sample in zip(columns, SAMPLES, strict=False):
        with column.container(border=True, height="stretch", gap="xxsmall", key=f"card-{sample.key}"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{sample.title}**")
                pressed = st.button(f"Open this sample :gray[{sample.title}]", key=f"sample.{sample.key}")
            st.caption(sample.description + (f" {sample.notice}" if sample.notice else ""))
        if pressed:
            open_runs.open_run(sample.key)
            st.switch_page(PAGES["overview" if url.page() == FIRST else url.page()].script)
