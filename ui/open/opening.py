"""The open page's pieces: the upload, and what has to be said before a file can be used."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data import environment
from data.errors import DataError, NotUsableYet
from data.evaluation import Evaluation, Settings
from data.reading.formats import NAMED
from data.runs import draft_changes, load
from data.runs.written_options import label_set_from_text
from data.sharing import quota
from data.store import store
from ui.limits import MAX_TEXT_CHARS
from ui.open import correction, joining, rater_lines, reading_options, run_choice
from ui.person import people
from ui.share import drafts
from ui.text.markdown import md
from ui.text.messages import refuse, refuse_error, remark
from ui.view import open_runs, state, url
from ui.view.address import go_to
from ui.view.open_runs import show_run

_STAGES = {
    "starting": "Starting the reader",
    "reading": "Reading the rows",
    "writing": "Keeping a copy",
    "understanding": "Finding out what each column is",
}


def title() -> str:
    """Return the page's title: its purpose, or that the file in view needs a choice."""
    run: str = url.get("run")
    asks = bool(run) and isinstance(open_runs.problem(run), NotUsableYet)
    return "Your file needs a choice first" if asks else "See what accuracy hides"


def problems() -> None:
    """Say once what was wrong with the link that was opened."""
    for sentence in url.problems():
        remark(sentence)
    deleted = drafts.draw_deletion()
    if deleted:
        remark(deleted, "info")
    failed = st.session_state.pop("open.failed", None)
    if failed:
        refuse(failed)


def loaded() -> str | None:
    """Return the run in view, or None; a link that leads nowhere says so."""
    run: str = url.get("run")
    if not run:
        return None
    problem = open_runs.problem(run)
    if problem is None or isinstance(problem, NotUsableYet):
        drafts.notice(run)
        return run
    refuse_error(problem)
    return None


def evaluation(run: str) -> Evaluation | None:
    """Return what the run's files were understood to be; None where the person is asked something first."""
    problem = open_runs.problem(run)
    if problem is None:
        return state.original()
    if not people.may_change():
        refuse_error(problem)
    elif not run_choice.question(run):
        _choose_by_hand(run, str(problem))
    return None


def _choose_by_hand(run: str, problem: str) -> None:
    """Draw the columns of a file whose roles could not be found: the person says which is what."""
    files = load.list_columns_by_file(run)
    if files is not None:
        refuse(problem, title="These two files are not joined yet")
        st.markdown("Both files are kept. Choose the columns that name a row in each of them.")
        joining.choose_key(run, files[0], files[1], draft_changes.propose_pairs(run))
        return
    rater_lines.offer(run)
    refuse(problem)
    for warning in load.list_reading_warnings(run):
        remark(warning)
    if len(load.draft_of(run).files) == 1:
        _offer_labels(run)
    _choose_roles(run)


def _choose_roles(run: str) -> None:
    """Draw the form that says which column is what, filled with what was guessed."""
    st.markdown("Or choose what each column is:")
    draft, rows = load.draft_of(run), load.read_first_rows(run, correction.SEEN_ROWS)
    given, found = draft.given, draft.settings
    said = dataclasses.replace(
        given.settings(Settings()), label_set=given.labels(), task=given.task, cluster=given.cluster,
        run_parts=given.run_parts, weights=given.weights,
    )  # fmt: skip
    scores = tuple((column, label) for column, label in found.scores if column in rows.column_names)
    guess = dataclasses.replace(
        said, truth=found.truth, pred=found.pred, raw=found.raw, scores=scores, counts=found.counts
    )
    if guess != said:
        st.caption("The form shows our best guess. Check it, then press Apply.")
    correction.ask_roles(run, said, guess, rows)


def _offer_labels(run: str) -> None:
    """Draw the place for a file of true labels."""
    st.markdown("Are the true labels in another file? Add it:")
    labels = st.file_uploader("True labels", key="by_hand.labels", label_visibility="collapsed")
    if labels is not None:
        try:
            added = _add_labels(run, labels)
        except DataError as error:
            refuse(str(error))
        else:
            show_run(added)


def is_open(evaluation: Evaluation) -> None:
    """Say which file is open, and the way to it; what is missing where nothing of it can be scored."""
    if not evaluation.n_scored:
        refuse("No row has both a true and a predicted label. Correct the columns below.", title="Nothing to score yet")
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"{md(evaluation.name, 60)} is open.", width="content")
        go_to("overview", "To its overview", icon=":material/visibility:")
    st.subheader("Open another file or sample")


def other_files(asking: str | None) -> DeltaGenerator:
    """Place what opens another file: out of the way, while one that is kept needs a choice."""
    return st.expander("Open another file or sample", icon=":material/upload_file:") if asking else st.container()


def upload() -> None:
    """Draw one file, or two; read as soon as they are there."""
    st.markdown(
        "Drop the predictions of a classifier: a table with the true label, and a predicted label, scores or raw "
        "answers. CSV, JSON lines, Excel, Parquet, NumPy and logs of evaluation tools work. Every number is computed "
        "from it."
    )
    left, right = st.columns(2)
    turn = st.session_state.setdefault("upload.turn", 0)
    with left:
        predictions = st.file_uploader(
            "Predictions",
            key=f"upload.predictions.{turn}",
            help=f"{NAMED}. Logs of known tools, such as lm-evaluation-harness or Inspect (.eval), are recognised. "
            f"At most {environment.value('BLINDSPOT_UPLOAD_MB'):,} MB; "
            f"{environment.raise_it('BLINDSPOT_UPLOAD_MB')}.",
        )
    with right:
        truth = st.file_uploader(
            "True labels, if they are in another file",
            key=f"upload.labels.{turn}",
            help="Joined on a shared id column, or by row order.",
        )
    with st.expander("Are the answers free text? Give the label list first", icon=":material/label:"):
        pasted = st.text_area(
            "Label list",
            key="upload.label_set",
            max_chars=MAX_TEXT_CHARS,
            placeholder="one label a line, or a JSON list",
            help="Labels are searched for in raw answers. Without a list, the true labels are used.",
        )
    how = reading_options.options(turn, two_files=truth is not None)
    if predictions is None:
        return
    signature = (predictions.file_id, truth.file_id if truth is not None else None, pasted, how)
    if st.session_state.get("upload.failed") == signature:
        refuse(st.session_state["upload.failure"])
        return
    try:
        run = take_in([file for file in (predictions, truth) if file is not None], pasted, how)
    except DataError as error:
        st.session_state["upload.failed"], st.session_state["upload.failure"] = signature, str(error)
        refuse(str(error))
        return
    st.session_state["upload.turn"] += 1  # empties the two uploaders: what was read lives in the store now
    show_run(run)


def take_in(files: list[Any], pasted: str = "", how: tuple[load.ReadOptions, ...] = ()) -> str:
    """Read uploaded files in the child process and keep the draft; returns its run."""
    label_set = label_set_from_text(pasted) if pasted.strip() else None
    given = load.Given(label_set=label_set, reading=how)
    with _on_disk(files) as (sources, progress):
        draft, evaluation = load.read_and_build(sources, given, progress=progress)
    if evaluation is not None:
        open_runs.remember(draft, evaluation)
    return load.keep(draft)


def _add_labels(run: str, file: Any) -> str:
    """Join a file of labels to predictions that were uploaded before; returns the new run."""
    with _on_disk([file]) as (sources, progress):
        return load.keep(draft_changes.add_labels(run, sources[0], progress=progress))


@contextmanager
def _on_disk(files: list[Any]) -> Iterator[tuple[list[load.Source], load.Progress]]:
    """Uploaded bytes in a private folder, and a progress bar for reading them."""
    for _ in files:
        quota.take(people.usage_name(), "files")
    bar = st.progress(0.0, "Starting the reader")

    def progress(stage: str, share: float) -> None:
        bar.progress(min(1.0, max(0.0, share)), _STAGES.get(stage, "Reading"))

    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        sources = []
        for i, file in enumerate(files):
            path = Path(folder) / f"upload-{i}"  # the uploaded name never becomes a path
            with store.disk_errors(), path.open("wb") as out:
                out.write(file.getbuffer())
            sources.append((path, file.name))
        try:
            yield sources, progress
        finally:
            bar.empty()
