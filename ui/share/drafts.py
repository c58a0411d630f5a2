"""Say where the evaluation in view is kept and until when, and delete an upload for good."""

from __future__ import annotations

import streamlit as st

from data import environment
from data.errors import DataError
from data.runs.load import Draft
from data.runs.source_counts import is_source_sample
from data.runs.source_rows import has_source
from data.samples import SAMPLES, is_sample
from data.sharing import share
from data.store import links
from text.numbers import count, verb
from ui.text.local_time import moment
from ui.text.markdown import md
from ui.text.messages import Asked, refuse
from ui.view import open_runs, state
from ui.view.pages import FIRST, PAGES

ITS_TABLE = "Its table is removed from the server, unless another link keeps the same content."
"""Sentence about the table of a deleted link. Never which of the two: that would tell whoever uploads a guess
that somebody has exactly this content."""
_ASKED, _TOLD = Asked("drafts.asked"), "drafts.told"


def name_link(run: str) -> str:
    """Name the link in view for the bar at the top; empty where there is nothing to say."""
    if not run or is_sample(run):
        return "Sample" if run else ""
    try:
        link = links.open_link(run)
    except DataError:
        return ""
    if link.kind == "share":
        return "Shared link, read-only"
    return describe_storage(run, link)


def describe_storage(run: str, link: links.Link) -> str:
    """Say what an own upload is, where it is kept and until when."""
    what = "Your own copy of a shared link" if link.of else _name_upload(run)
    in_memory = environment.value("BLINDSPOT_DRAFT_HOURS") == 0
    kept = "held in this server's memory only" if in_memory else f"kept until {moment(link.ends)}"
    return f"{what}, {kept}"


def _name_upload(run: str) -> str:
    """Name what is kept for a person: counts or a sample of a source, a sample as it was corrected, or an upload."""
    if _is_source():
        return "Source on this server"
    draft = open_runs.draft(run)
    if is_source_sample(draft):
        return "Sample of a source"
    files = tuple(file.name for file in draft.files)
    return (
        "Corrected sample"
        if (draft.name, files) in {(sample.title, sample.files) for sample in SAMPLES}
        else "Your upload"
    )


def _is_source() -> bool:
    try:
        evaluation = state.evaluation()
    except DataError:  # an upload that cannot be used yet
        return False
    return evaluation is not None and has_source(evaluation)


def shared_line(run: str) -> None:
    """Draw one line about a shared link, or a copy of one: its title, its end, and what was left out."""
    try:
        link, draft = (None, None) if is_sample(run) or not run else (links.open_link(run), open_runs.draft(run))
    except DataError:
        return
    if link is None or draft is None or not (link.kind == "share" or draft.leaves_out):
        return
    facts = [md(link.title, 48)] if link.title else []
    facts += [f"shared, expires on {moment(link.ends)}"] if link.kind == "share" else ["your copy of a shared link"]
    if draft.leaves_out:
        facts.append("without rows" if draft.counts_only else f"{count(draft.n_hidden, 'column')} left out")
    with st.container(key="shared-line"):
        st.markdown(f":material/link: {' · '.join(facts)}")


def left_out(draft: Draft) -> str:
    """Name what whoever shared a draft left out of it, as the end of a sentence; empty = nothing."""
    if draft.counts_only:
        return "the rows are left out"
    return f"{count(draft.n_hidden, 'column')} {verb(draft.n_hidden, 'is')} left out" if draft.n_hidden else ""


def notice(run: str) -> None:
    """For how long an upload is kept and for whom, and the way to delete it; nothing for samples and shared links."""
    try:
        link = None if is_sample(run) else links.open_link(run)
    except DataError:
        return
    if link is None or link.kind != "draft":
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="draft.notice"):
        st.caption(f":material/lock: {_describe_keeping(link)}", width="content")
        st.button(
            "Delete now",
            key="draft.delete",
            icon=":material/delete:",
            type="tertiary",
            on_click=_ASKED.open,
            args=(run,),
        )
    if _ASKED.is_open(run):
        _confirm(run)


def _describe_keeping(link: links.Link) -> str:
    """Say how long a draft is kept, in one sentence."""
    until = moment(link.ends)
    if environment.value("BLINDSPOT_DRAFT_HOURS") == 0:
        return (
            f"Held in this server's memory only, until it stops (at most until {until}), reachable only by this "
            "address."
        )
    if link.of:
        return (
            f"Your own copy of a shared link: what was shared is as it was. Kept here until {until}, and no longer "
            "than the shared link, reachable only by this address."
        )
    hours = count(round((link.ends - link.made) / 3600), "hour")
    return f"Kept here for {hours} (until {until}), reachable only by this address."


@st.dialog("Delete this evaluation?", icon=":material/delete:", on_dismiss=_ASKED.close)
def _confirm(run: str) -> None:
    what = "The counts of {}" if _is_source() else "{} and everything that you corrected in it"
    st.markdown(
        f"{what.format(md(open_runs.draft(run).name))} are removed from the server; this address then opens nothing. "
        "Links that you shared go on. This cannot be undone."
    )
    yes, no = st.columns(2)
    if no.button("Keep it", key="draft.keep", width="stretch"):
        _ASKED.close()
        st.rerun()
    if yes.button("Delete for good", key="draft.sure", type="primary", icon=":material/delete:", width="stretch"):
        try:
            st.session_state[_TOLD] = _delete(run)
        except DataError as error:
            refuse(str(error), title="Nothing was deleted")
            return
        _ASKED.close()
        open_runs.open_run("")
        st.switch_page(PAGES[FIRST].script)


def _delete(run: str) -> str:
    """Delete an upload; returns what happened."""
    draft = open_runs.draft(run)
    share.delete_upload(run)
    open_runs.forget_draft(draft)
    return f"The upload was deleted: its address opens nothing any more. {ITS_TABLE}"


def draw_deletion() -> str:
    """Say once that an upload was just deleted, and what became of its tables."""
    return str(st.session_state.pop(_TOLD, ""))
