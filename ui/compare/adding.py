"""Add a run to the comparison: another column of the file, another file, a sample or a share link."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from data.comparison.named_sources import list_joined_sources
from data.comparison.run_names import RUN, RunName
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_OTHER_RUNS
from data.samples import SAMPLES
from ui.compare import runs as compared_runs
from ui.compare.runs import Run, columns_to_add, others_in_view
from ui.compare.source_choice import choose_source
from ui.open import source_split
from ui.open.again.uploads import take_in
from ui.person import people
from ui.text.markdown import md
from ui.text.messages import refuse, remark
from ui.view import url

_TURN = "compare.turn"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SAMPLES = {
    "support-intents": ("support-intents-llm", "support-intents-run", "support-intents-first-400"),
    "support-intents-llm": ("support-intents", "support-intents-run"),
    "support-intents-run": ("support-intents", "support-intents-llm"),
    "support-intents-first-400": ("support-intents",),
}
"""Samples that have rows in common."""
_APART = (
    "An engine counted this source, so its rows cannot be joined with those of a file. Add a file here to compare it "
    "on the page Slices, under “Another file”."
)
_KINDS = {"pred": "predictions", "raw": "answers", "score": "scores", "scores": "scores"}


def offer(evaluation: Evaluation) -> None:
    """Offer a second run where there is one only."""
    source_split.wait_for_columns(evaluation, "compare")
    addable, what = columns_to_add(evaluation), "source" if list_joined_sources(evaluation) else "file"
    if addable:
        st.markdown(f"This {what} holds another model:" if len(addable) == 1 else f"This {what} holds other models:")
        with st.container(horizontal=True):
            for place, run in enumerate(addable):
                st.button(f"Compare with the {_KINDS[run.kind]} {md(run.name, 40)}", key=f"compare.column.{place}",
                          type="primary" if place == 0 else "secondary", on_click=compared_runs.add,
                          args=(run, evaluation))  # fmt: skip
    if list_joined_sources(evaluation):
        columns = source_split.columns_to_split(evaluation)
        if columns.problem:
            remark(columns.problem)
        elif columns.is_read and not addable:
            st.markdown("No other column is named like predictions or scores (pred, p_spam, …).")
    elif addable:
        st.markdown("… or add another file. It needs the same ids, or the same rows in the same order:")
    else:
        st.markdown(
            "Add the predictions of the other model. It needs the same ids, or the same rows in the same order:"
        )
    _ways(evaluation)


def popover(evaluation: Evaluation) -> None:
    """Draw the button that adds a run."""
    key = f"compare.add.{len(others_in_view())}"  # with one run more it is another popover, which is closed
    with st.popover("Add a run", icon=":material/add:", key=key, width="content"):
        more(evaluation)


def more(evaluation: Evaluation) -> None:
    """Offer every way to one more run; nothing where there are ten."""
    if len(others_in_view()) >= MAX_OTHER_RUNS:
        st.caption(f"A comparison takes {MAX_OTHER_RUNS + 1} runs at most.")
        return
    source_split.wait_for_columns(evaluation, "compare.more")
    for place, run in enumerate(columns_to_add(evaluation)):
        what = "source" if list_joined_sources(evaluation) else "file"
        st.button(f"The {_KINDS[run.kind]} {md(run.name, 40)} of this {what}", key=f"compare.column.{place}",
                  on_click=compared_runs.add, args=(run, evaluation))  # fmt: skip
    _ways(evaluation)


def _ways(evaluation: Evaluation) -> None:
    if list_joined_sources(evaluation):
        choose_source(evaluation)
        st.markdown(_APART)
    if people.may_change():
        _upload()
    _link()
    run = url.get("run")
    keys = [key for key in _SAMPLES.get(run, ()) if RunName(RUN, key) not in others_in_view()]
    if keys:
        named = {sample.key: sample.title for sample in SAMPLES}
        st.markdown("Samples with rows in common:")
        with st.container(horizontal=True):
            for key in keys:
                st.button(named[key], key=f"compare.sample.{key}", on_click=compared_runs.add,
                          args=(RunName(RUN, key),))  # fmt: skip


def _upload() -> None:
    turn = st.session_state.setdefault(_TURN, 0)
    file = st.file_uploader("Another file of predictions", key=f"compare.file.{turn}")
    with st.empty():
        if file is None:
            return
        failed = st.session_state.get("compare.failed")
        if failed is not None and failed[0] == file.file_id:
            refuse(failed[1])
            return
        try:
            run = take_in([file])
        except DataError as error:
            st.session_state["compare.failed"] = file.file_id, str(error)
            refuse(str(error))
            return
    st.session_state[_TURN] += 1
    compared_runs.add(RunName(RUN, run))
    st.rerun()


def _link() -> None:
    text = st.text_input("A link of this server", key="compare.link", placeholder="https://… or the part after run=")
    if text:
        token = read_link(text)
        if token is None:
            remark("This is no link to a run: copy it from the address bar, or from Shared links.")
        elif RunName(RUN, token) not in others_in_view() and token != url.get("run"):
            st.button("Add this run", key="compare.link.add", on_click=_add_link, args=(token,))


def _add_link(token: str) -> None:
    st.session_state["compare.link"] = ""
    compared_runs.add(RunName(RUN, token))


def read_link(text: str) -> str | None:
    """Return the token of a link as a person pastes it; None where it has none.

    >>> read_link("https://host/overview?run=abc-1&t=0.3"), read_link("abc-1"), read_link("a b")
    ('abc-1', 'abc-1', None)
    """
    named = parse_qs(urlsplit(text.strip()).query).get("run", [text.strip()])[0]
    return named if _TOKEN.fullmatch(named) else None


def run_list(runs: Sequence[Run]) -> None:
    """List the runs, with a button each that removes one."""
    st.caption("Runs")
    for place, run in enumerate(runs):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"compare.listed.{place}"):
            st.markdown(md(run.name, 40), width="stretch")
            if place:
                name = f"Remove {md(run.name, 40)}"
                st.button(name, key=f"icon.compare.remove.{place}", icon=":material/close:", type="tertiary", help=name,
                          on_click=compared_runs.remove, args=(place,))  # fmt: skip
