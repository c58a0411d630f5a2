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

_UPLOADS = "compare.uploads"
"""Counts the files that were added: the next one gets an uploader of its own, which is empty."""
_FAILED_UPLOAD = "compare.failed"
"""The id of the uploaded file that could not be read, and why: it is read once only."""
_LINK = "compare.link"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_RELATED_SAMPLES = {
    "support-intents": ("support-intents-llm", "support-intents-run", "support-intents-first-400"),
    "support-intents-llm": ("support-intents", "support-intents-run"),
    "support-intents-run": ("support-intents", "support-intents-llm"),
    "support-intents-first-400": ("support-intents",),
}
"""Samples that have rows in common."""
_NOT_WITH_FILES = (
    "An engine counted this source, so its rows cannot be joined with those of a file. Add a file here to compare it "
    "on the page Slices, under “Another file”."
)
_CONTENTS = {"pred": "predictions", "raw": "answers", "score": "scores", "scores": "scores"}
"""Names what a column of each kind holds."""


def offer_second_run(evaluation: Evaluation) -> None:
    """Offer a second run where there is one only."""
    source_split.wait_for_columns(evaluation, "compare")
    columns = columns_to_add(evaluation)
    if columns:
        models = "another model" if len(columns) == 1 else "other models"
        st.markdown(f"This {_source_or_file(evaluation)} holds {models}:")
        with st.container(horizontal=True):
            for place, column in enumerate(columns):
                label = f"Compare with the {_CONTENTS[column.kind]} {md(column.name, 40)}"
                _add_button(label, f"column.{place}", column, evaluation, is_primary=place == 0)
    if list_joined_sources(evaluation):
        split = source_split.columns_to_split(evaluation)
        if split.problem:
            remark(split.problem)
        elif split.is_read and not columns:
            st.markdown("No other column is named like predictions or scores (pred, p_spam, …).")
    else:
        first_words = "… or add another file." if columns else "Add the predictions of the other model."
        st.markdown(f"{first_words} It needs the same ids, or the same rows in the same order:")
    _offer_other_runs(evaluation)


def more_runs_popover(evaluation: Evaluation) -> None:
    """Draw the button that adds a run."""
    key = f"compare.add.{len(others_in_view())}"  # with one run more it is another popover, which is closed
    with st.popover("Add a run", icon=":material/add:", key=key, width="content"):
        offer_more_runs(evaluation)


def offer_more_runs(evaluation: Evaluation) -> None:
    """Offer every way to one more run; nothing where there are ten."""
    if len(others_in_view()) >= MAX_OTHER_RUNS:
        st.caption(f"A comparison takes {MAX_OTHER_RUNS + 1} runs at most.")
        return
    source_split.wait_for_columns(evaluation, "compare.more")
    for place, column in enumerate(columns_to_add(evaluation)):
        label = f"The {_CONTENTS[column.kind]} {md(column.name, 40)} of this {_source_or_file(evaluation)}"
        _add_button(label, f"column.{place}", column, evaluation)
    _offer_other_runs(evaluation)


def _source_or_file(evaluation: Evaluation) -> str:
    return "source" if list_joined_sources(evaluation) else "file"


def _add_button(
    label: str, key: str, run: RunName, evaluation: Evaluation | None = None, *, is_primary: bool = False
) -> None:
    """Draw a button that adds a run; the evaluation where the run is a column of it."""
    st.button(label, key=f"compare.{key}", type="primary" if is_primary else "secondary",
              on_click=compared_runs.add, args=(run, evaluation))  # fmt: skip


def _offer_other_runs(evaluation: Evaluation) -> None:
    """Offer the runs that are not of the same file: a source, a file, a link or a sample."""
    if list_joined_sources(evaluation):
        choose_source(evaluation)
        st.markdown(_NOT_WITH_FILES)
    if people.may_change():
        _upload()
    _add_by_link()
    _offer_samples()


def _offer_samples() -> None:
    related = _RELATED_SAMPLES.get(url.get("run"), ())
    keys = [key for key in related if RunName(RUN, key) not in others_in_view()]
    if not keys:
        return
    titles = {sample.key: sample.title for sample in SAMPLES}
    st.markdown("Samples with rows in common:")
    with st.container(horizontal=True):
        for key in keys:
            _add_button(titles[key], f"sample.{key}", RunName(RUN, key))


def _upload() -> None:
    n_uploads = st.session_state.setdefault(_UPLOADS, 0)
    file = st.file_uploader("Another file of predictions", key=f"compare.file.{n_uploads}")
    with st.empty():
        if file is None:
            return
        failed_file, problem = st.session_state.get(_FAILED_UPLOAD, (None, ""))
        if failed_file == file.file_id:
            refuse(problem)
            return
        try:
            run = take_in([file])
        except DataError as error:
            st.session_state[_FAILED_UPLOAD] = file.file_id, str(error)
            refuse(str(error))
            return
    st.session_state[_UPLOADS] += 1
    compared_runs.add(RunName(RUN, run))
    st.rerun()


def _add_by_link() -> None:
    link = st.text_input("A link of this server", key=_LINK, placeholder="https://… or the part after run=")
    if not link:
        return
    token = read_link(link)
    if token is None:
        remark("This is no link to a run: copy it from the address bar, or from Shared links.")
    elif RunName(RUN, token) not in others_in_view() and token != url.get("run"):
        st.button("Add this run", key="compare.link.add", on_click=_add_link, args=(token,))


def _add_link(token: str) -> None:
    st.session_state[_LINK] = ""
    compared_runs.add(RunName(RUN, token))


def read_link(text: str) -> str | None:
    """Return the token of a link as a person pastes it; None where it has none.

    >>> read_link("https://host/overview?run=abc-1&t=0.3"), read_link("abc-1"), read_link("a b")
    ('abc-1', 'abc-1', None)
    """
    link = text.strip()
    token = parse_qs(urlsplit(link).query).get("run", [link])[0]
    return token if _TOKEN.fullmatch(token) else None


def list_runs(runs: Sequence[Run]) -> None:
    """List the runs, with a button each that removes one; the first is the page's own and stays."""
    st.caption("Runs")
    for place, run in enumerate(runs):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"compare.listed.{place}"):
            st.markdown(md(run.name, 40), width="stretch")
            if place:
                name = f"Remove {md(run.name, 40)}"
                st.button(name, key=f"icon.compare.remove.{place}", icon=":material/close:", type="tertiary", help=name,
                          on_click=compared_runs.remove, args=(place,))  # fmt: skip
