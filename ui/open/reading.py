"""Say how we read your file: one line on Overview, which opens in place to all of it and to its corrections."""

from __future__ import annotations

import streamlit as st

from data.columns.table_metadata import is_part
from data.evaluation import Evaluation, Receipt
from data.samples import SAMPLES
from export import file_reading
from text.numbers import count
from text.visible import show
from ui.open import correction, joining, source_columns
from ui.open.again.split import offer_split
from ui.open.labels import merging
from ui.open.repair import leaving_out
from ui.person import people
from ui.share import drafts
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import address, cache, measurement, state, url


def line(evaluation: Evaluation) -> None:
    """Draw the line, and below it all of it where it was opened."""
    is_open, n_warnings = url.get("reading"), len(_list_warnings(evaluation))
    with st.container(key="reading-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"How we read your file: {summary(evaluation)}", width="content")
        if n_warnings:
            shown = f":orange[{count(n_warnings, 'warning')}]"
            st.button(shown, key="reading.warnings", type="tertiary", on_click=url.put, kwargs={"reading": True})
        label = "Close" if is_open else "Change" if people.may_change() else "Show"
        st.button(label, key="reading.open", type="tertiary", on_click=url.put, kwargs={"reading": not is_open})
        measurement.choose_level(evaluation, key="overview.level")
    if is_open:
        with st.container(border=True, key="reading"):
            panel(url.get("run"), state.original() or evaluation)


def summary(evaluation: Evaluation) -> str:
    """Return the columns used, where predictions come from, and whether there are warnings, as Markdown."""
    return file_reading.summary(evaluation, lambda name: md(name, 30), len(_list_warnings(evaluation)))


def _list_warnings(evaluation: Evaluation) -> list[str]:
    """Return the warnings of reading, and those about rows that belong together."""
    return [*evaluation.receipt.warnings, *measurement.cluster_warnings(evaluation)]


def panel(run: str, evaluation: Evaluation) -> None:
    """Draw what to look at, the form that corrects how the file was read, and below it what was understood."""
    for sample in SAMPLES:
        if sample.key == run:
            st.markdown(f":blue[:material/lightbulb:] **Look at this first.** {sample.look_first} {sample.notice}")
    drafts.notice(run)
    _warnings(evaluation)
    if people.may_change():  # corrections are of the file, whatever rows of it are chosen
        whole = state.unfiltered_evaluation() or evaluation
        correction.correct(run, whole)
        leaving_out.offer_undo(run)
        offer_split(run)
        joining.panel(run, whole)
        merging.panel(run, whole)
        source_columns.choose_columns(whole)
    _understood(evaluation)


def _warnings(evaluation: Evaluation) -> None:
    """Draw the warnings; the panel of the join says its own."""
    told = file_reading.join_sentences(evaluation.receipt.join)
    for warning in _list_warnings(evaluation):
        if warning not in told:
            remark(warning)


def _understood(evaluation: Evaluation) -> None:
    """Draw how the file was read: what decides the numbers, and on demand every column with a role and every note."""
    paper = evaluation.receipt
    st.header("How we read your file")
    for file in paper.files:
        st.markdown(f"{md(file.name)}: {file_reading.file_facts(file, part=is_part(evaluation))}")
    st.markdown("\n".join(f"- {fact.term}: {fact.sentence(md)}" for fact in file_reading.facts(evaluation)))
    _columns(evaluation)
    _notes(paper)
    if cache.raters_of(evaluation) is not None:
        address.go_to("agreement", "Compare all raters", icon=":material/groups:")


def _notes(paper: Receipt) -> None:
    """List the notes on how the files were read; warnings stand elsewhere."""
    notes = file_reading.notes(paper)
    if not notes:
        return
    what = "file was" if len(paper.files) == 1 else "files were"
    with st.expander(f"How the {what} read: {count(len(notes), 'note')}", icon=":material/receipt_long:"):
        for note in notes:
            st.text(note)


def _columns(evaluation: Evaluation) -> None:
    """List the role of each column, and why; the columns without a role by name."""
    played = file_reading.roles(evaluation.receipt)[: file_reading.ROLES]
    st.dataframe(
        {
            "column": [show(role.column) for role in played],
            "role": [show(file_reading.name_role(role)) for role in played],
            "because": [show(role.why) for role in played],
        },
        hide_index=True,
        column_config={"because": st.column_config.TextColumn(width="large")},
        height="content" if len(played) <= 6 else 250,
        key="receipt.roles",
    )
    for sentence in (
        file_reading.more_roles(evaluation.receipt),
        file_reading.kept_columns(evaluation, lambda name: md(name, 40)),
    ):
        if sentence:
            st.caption(sentence)
