"""Say how far the run in view is while it goes on, and show its newest predictions."""

from __future__ import annotations

import dataclasses
import time

import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import load
from data.runs.draft import Draft, unpack_draft
from data.store import links
from data.store.run_progress import RunProgress, read_progress
from text.numbers import percent
from ui.frame import open_files
from ui.view import open_runs, url
from ui.view.address import end_page

_AGAIN = 5.0
_SILENT = 180.0
"""Seconds after which a run that says nothing is taken to have ended: it writes every minute."""


def line(evaluation: Evaluation) -> None:
    """Draw how far the run is, and refresh the page while it goes on; nothing where the file is no run in progress."""
    if not any(file.run for file in evaluation.receipt.files) or not _upload_in_view():
        return
    progress = read_progress(_upload_in_view())
    if progress is None or (progress.ended and not _is_newer(progress)):
        return
    _refresh()


@st.fragment(run_every=_AGAIN)
def _refresh() -> None:
    progress = read_progress(_upload_in_view())
    if progress is None:
        return
    if _is_newer(progress):
        _open_newest(progress)
        st.rerun()
    if progress.ended:
        st.rerun()
    with st.container(key="run-progress"):
        st.progress(min(1.0, progress.done / max(1, progress.total)), text=_write_progress(progress))


def _write_progress(progress: RunProgress) -> str:
    """Write how far the run is, and what to do where it seems to have ended."""
    share = percent(progress.done / max(1, progress.total), 0)
    rows = f"{progress.done:,} of {progress.total:,} rows are answered ({share})."
    if time.time() - progress.written > _SILENT:
        return f"{rows} The run has been silent for {_SILENT / 60:.0f} minutes: run the same command again to go on."
    return f"{rows} The run goes on, and this page refreshes itself."


def _upload_in_view() -> str:
    """Return the id of the upload that the link in view stems from; "" where it is none."""
    try:
        link = links.open_link(url.get("run"))
    except DataError:
        return ""
    return link.upload if link.kind == "draft" else ""


def _newest(progress: RunProgress) -> Draft:
    return Draft.from_json(unpack_draft(dict(progress.draft)))


def _is_newer(progress: RunProgress) -> bool:
    """Return whether the run has written more than is in view."""
    try:
        return _newest(progress).data_ids != open_runs.draft(url.get("run")).data_ids
    except (DataError, ValueError, KeyError, TypeError):
        return False


def _open_newest(progress: RunProgress) -> None:
    """Look at the newest predictions; the view stays as it is."""
    upload = _upload_in_view()
    open_files.forget(url.get("run"))
    url.put(run=load.keep(dataclasses.replace(_newest(progress), upload=upload)))
    end_page(url.page())  # else the address of a first visit would win
