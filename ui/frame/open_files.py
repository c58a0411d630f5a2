"""The evaluations that this tab has open: remember them, and offer the others in the top bar."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from data.columns.counted_metadata import read_counted
from data.evaluation import Evaluation
from ui.limits import MAX_OPEN_FILES
from ui.text.markdown import md
from ui.view import open_runs, url
from ui.view.address import go_to

_OPEN = "frame.open_files"


def remember(evaluation: Evaluation) -> None:
    """Remember the evaluation in view; one of the same files, such as a correction, takes its place.

    A source that was counted by more columns is the same source.
    """
    files: dict[tuple[str, ...], tuple[str, str]] = st.session_state.setdefault(_OPEN, {})
    run = url.get("run")
    counted = read_counted(evaluation.rows)
    files_of = tuple(file.sha256 for file in evaluation.receipt.files)
    content = files_of or (run,)
    if counted is not None and counted.source is not None and counted.join is None:
        content = (counted.source, counted.snapshot)
    if files.get(content, ("",))[0] == run:
        return
    files[content] = (run, evaluation.name)
    while len(files) > MAX_OPEN_FILES:
        files.pop(next(known_content for known_content in files if known_content != content))


def forget(run: str) -> None:
    """Forget an evaluation, such as an older state of a run in progress."""
    files: dict[tuple[str, ...], tuple[str, str]] = st.session_state.get(_OPEN, {})
    for content in [content for content, (known_run, _) in files.items() if known_run == run]:
        del files[content]


def switcher(others: Sequence[tuple[str, str]], name: str) -> None:
    """Draw the name of the file in view as a list to choose another one of.

    others : runs and their names, as `other_files` gives them.
    """
    with st.popover(f"**{md(name, 40)}**", type="tertiary", key="bar-files"):
        for run, title in others:
            st.button(md(title, 60), key=f"bar-files.{run}", type="tertiary", on_click=open_runs.open_run, args=(run,))
        go_to("open", "Open another file", icon=":material/upload_file:")


def other_files() -> list[tuple[str, str]]:
    """Return the other evaluations that are open, as (run, name), without those whose link was taken back."""
    files = st.session_state.get(_OPEN, {}).values()
    return [(run, name) for run, name in files if run != url.get("run") and open_runs.is_open(run)]
