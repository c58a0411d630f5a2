"""Take uploaded files in: read them with a progress bar, keep them, and read them again in another way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import draft_changes, load
from data.runs.uploads.kept import keep_later_upload, read_again, read_and_keep
from data.runs.written_options import label_set_from_text
from data.sharing import quota
from data.store import store
from ui.person import people
from ui.text.messages import refuse
from ui.view import open_runs

_STAGES = {
    "starting": "Starting the reader",
    "reading": "Reading the rows",
    "writing": "Keeping a copy",
    "understanding": "Finding out what each column is",
}


def take_in(files: list[Any], pasted: str = "", *, keep_unread: bool = False) -> str:
    """Read uploaded files in the child process and keep the draft; returns its run.

    keep_unread : whether a file that cannot be read is kept, to be split in another way; else its error is raised.
    """
    label_set = label_set_from_text(pasted) if pasted.strip() else None
    with _on_disk(files) as sources:
        draft, evaluation = read_and_keep(sources, load.Given(label_set=label_set), _draw_progress(len(files)))
    if not (draft.is_read or keep_unread):
        raise DataError(draft.problem)
    run = _keep(draft, evaluation)
    _free(files)
    return run


def take_in_again(run: str, reading: tuple[load.ReadOptions, ...] | None) -> None:
    """Read the uploads of a run in another way, without a new upload, and open that; or say why that cannot be.

    reading : the options of each file; None : nothing was asked, and the bar has its place for later.
    """
    with st.empty():
        if reading is None:
            return
        try:
            again = _keep(*read_again(run, reading, _draw_progress(len(reading))))
        except DataError as error:
            refuse(str(error))
            return
    open_runs.show_run(again)


def add_labels(run: str, file: Any) -> str:
    """Join a file of labels to predictions that were uploaded before; returns the new run."""
    with _on_disk([file]) as sources:
        draft = draft_changes.add_labels(run, sources[0], progress=_draw_progress(1))
        added = load.keep(keep_later_upload(draft, load.draft_of(run), sources[0]))
    _free([file])
    return added


def _keep(draft: load.Draft, evaluation: Evaluation | None) -> str:
    if evaluation is not None:
        open_runs.remember(draft, evaluation)
    return load.keep(draft)


def _free(files: list[Any]) -> None:
    """Free uploaded bytes that the store holds now: a browser asks for that only where a person removes the file."""
    context = get_script_run_ctx()
    assert context is not None
    manager = context.uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)
    for file in files:
        manager.remove_file(context.session_id, file.file_id)


def _draw_progress(n_files: int) -> load.Progress:
    """Draw a bar for the reading of so many files, which count for this person; returns what moves it.

    page.css lays it over what stands above. In an `st.empty` of every run, it takes the place of nothing below.
    """
    for _ in range(n_files):
        quota.take(people.usage_name(), "files")
    bar = st.container(key="progress").progress(0.0, "Starting the reader")

    def progress(stage: str, share: float) -> None:
        bar.progress(min(1.0, max(0.0, share)), _STAGES.get(stage, "Reading"))

    return progress


@contextmanager
def _on_disk(files: list[Any]) -> Iterator[list[load.Source]]:
    """Uploaded bytes in a private folder."""
    with store.scratch() as folder:
        sources = []
        for i, file in enumerate(files):
            path = folder / f"upload-{i}"  # the uploaded name never becomes a path
            with store.disk_errors(), path.open("wb") as out:
                out.write(file.getvalue())  # a buffer would copy all of it first, and for good
            sources.append((path, file.name))
        yield sources
