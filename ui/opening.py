"""The open page's pieces: the upload, the first look, the receipt and its correction."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from data import intake
from data.evaluation import DataError, Evaluation, NotUsableYet, Receipt, Settings
from data.samples import SAMPLES
from metrics import labels, multilabel
from ui import blocks, cache, correction, state, url
from ui.blocks import md, percent, rows, show

ROLES = 100
"""At most so many columns with a role are listed."""
_STAGES = {
    "starting": "Starting the reader",
    "reading": "Reading the rows",
    "writing": "Keeping a copy",
    "understanding": "Finding out which column is what",
}


def problems() -> None:
    """What was wrong with the link that was opened, told once."""
    for sentence in url.problems():
        blocks.remark(sentence)
    failed = st.session_state.pop("open.failed", None)
    if failed:
        blocks.refuse(failed)


def loaded() -> str | None:
    """The run in view, or None; a link that leads nowhere says so."""
    run: str = url.get("run")
    if not run:
        return None
    problem = state.problem(run)
    if problem is None:
        return run
    blocks.refuse_error(problem)
    if isinstance(problem, NotUsableYet):
        _choose_by_hand(run)
    return None


def _choose_by_hand(run: str) -> None:
    """The columns of a file whose roles could not be found: the person says which is what."""
    st.markdown(
        "The file is kept, so nothing has to be uploaded again. Add the true labels if they are in another file:"
    )
    labels = st.file_uploader("True labels", key="by_hand.labels", label_visibility="collapsed")
    if labels is not None:
        try:
            added = _add_labels(run, labels)
        except DataError as error:
            blocks.refuse(str(error))
        else:
            state.open_run(added)
            st.rerun()
    st.markdown("… or say which column is what:")
    with st.form("by_hand"):
        given = correction.roles_form(Settings(), list(intake.columns_of(run)))
        given |= {"space": "seen"}
        sent = st.form_submit_button("Apply", type="primary", icon=":material/check:")
    if sent:
        correction.apply(run, Settings(), given)


def upload() -> None:
    """One file, or two; read as soon as they are there."""
    st.markdown(
        "Drop the predictions of any classifier: a table with the true label and the predicted one, scores, or raw "
        "answers, as CSV, TSV, JSON lines, JSON or Parquet. Everything is recomputed from it, exactly."
    )
    left, right = st.columns(2)
    turn = st.session_state.setdefault("upload.turn", 0)
    with left:
        predictions = st.file_uploader(
            "Predictions",
            key=f"upload.predictions.{turn}",
            help="CSV, TSV, JSON lines, JSON or Parquet; .gz is fine.",
        )
    with right:
        truth = st.file_uploader(
            "True labels, if they are in another file",
            key=f"upload.labels.{turn}",
            help="Joined on a shared id column, or by row order.",
        )
    with st.expander("The answers are free text? Give the label set first", icon=":material/label:"):
        pasted = st.text_area(
            "Label set",
            key="upload.label_set",
            placeholder="one label a line, or a JSON list",
            help="Raw answers are parsed against these labels. Without it the labels of the truth are used.",
        )
    if predictions is None:
        return
    signature = (predictions.file_id, truth.file_id if truth is not None else None, pasted)
    if st.session_state.get("upload.failed") == signature:
        blocks.refuse(st.session_state["upload.failure"])
        return
    try:
        run = _take_in([file for file in (predictions, truth) if file is not None], pasted)
    except DataError as error:
        st.session_state["upload.failed"], st.session_state["upload.failure"] = signature, str(error)
        blocks.refuse(str(error))
        return
    st.session_state["upload.turn"] += 1  # empties the two uploaders: what was read lives in the store now
    state.open_run(run)
    st.rerun()


def _take_in(files: list[Any], pasted: str) -> str:
    """Read uploaded files in the child process and keep the draft; returns its run."""
    given = intake.Given(label_set=intake.label_set_from_text(pasted) if pasted.strip() else None)
    with _on_disk(files) as (sources, progress):
        return intake.keep(intake.read_draft(sources, given, progress=progress))


def _add_labels(run: str, file: Any) -> str:
    """Join a file of labels to predictions that were uploaded before; returns the new run."""
    with _on_disk([file]) as (sources, progress):
        return intake.keep(intake.add_labels(run, sources[0], progress=progress))


@contextmanager
def _on_disk(files: list[Any]) -> Iterator[tuple[list[intake.Source], intake.Progress]]:
    """Uploaded bytes in a private folder, and a progress bar for reading them."""
    bar = st.progress(0.0, "Starting the reader")

    def progress(stage: str, share: float) -> None:
        bar.progress(min(1.0, max(0.0, share)), _STAGES.get(stage, "Reading"))

    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        sources = []
        for i, file in enumerate(files):
            path = Path(folder) / f"upload-{i}"  # the uploaded name never becomes a path
            with path.open("wb") as out:
                out.write(file.getbuffer())
            sources.append((path, file.name))
        yield sources, progress
    bar.empty()


def first_look(evaluation: Evaluation) -> None:
    """The most important thing at once, and the way to the rest."""
    blocks.headline(evaluation)
    _about_the_sample()
    if not evaluation.n_scored:
        blocks.refuse(
            "No row has both a truth and a prediction. Correct the columns below.", title="Nothing to score yet"
        )
        return
    if evaluation.task == "multilabel":
        counts = cache.multilabel(evaluation)
        line = (
            f"**{percent(multilabel.subset_accuracy(counts))}** of rows are right in every label; "
            f"**{percent(multilabel.per_label_accuracy(counts))}** of single decisions are."
        )
    else:
        confusion = cache.confusion(evaluation)
        line = (
            f"Accuracy **{percent(labels.accuracy(confusion))}**; always giving the most frequent "
            f"answer would score **{percent(labels.baseline_accuracy(confusion))}**."
        )
    st.markdown(line)
    found = cache.found(evaluation)
    blocks.finding_list(found[:1], here="open")
    blocks.go_to(
        "overview",
        "See everything the accuracy hides" if len(found) < 2 else f"See all {len(found)} findings",
        icon=":material/visibility:",
    )


def _about_the_sample() -> None:
    """What to look at first in a sample, and what must not be overlooked about it; nothing for an upload."""
    for sample in SAMPLES:
        if sample.key == url.get("run"):
            notice = f" {sample.notice}" if sample.notice else ""
            st.markdown(f":blue[:material/lightbulb:] **Look at this first.** {sample.look_first}{notice}")


def receipt(evaluation: Evaluation) -> None:
    """What was understood of the file, column by column, and what was done to it."""
    paper = evaluation.receipt
    st.subheader("What was understood")
    for warning in paper.warnings:
        blocks.remark(warning)
    for file in paper.files:
        facts = [
            file.format,
            *([f"separated by {_delimiter(file.delimiter)}"] if file.delimiter else []),
            *([file.encoding] if file.encoding else []),
            *([file.compression] if file.compression else []),
        ]
        st.markdown(
            f"{md(file.name)}: {rows(file.n_rows)}, {rows(len(file.columns), 'column')}, "
            f"{_size(file.n_bytes)} · {' · '.join(facts)}"
        )
        for note in file.notes:
            blocks.remark(note, "info")
    for note in ([paper.join.text] if paper.join is not None else []) + list(paper.notes):
        blocks.remark(note, "info")
    _columns(paper)


def _columns(paper: Receipt) -> None:
    """Which column plays which role, and why; the columns without a role by name."""
    played = [role for role in paper.roles if role.role != "other"]
    others = [role.column for role in paper.roles if role.role == "other"]
    names = {"column": "column", "role": "role", "why": "because"}
    st.dataframe(
        {title: [show(getattr(role, field)) for role in played[:ROLES]] for field, title in names.items()},
        hide_index=True,
        column_config={"because": st.column_config.TextColumn(width="large")},
        height="content" if len(played) <= 6 else 250,
        key="receipt.roles",
    )
    if len(played) > ROLES:
        st.caption(f"… and {len(played) - ROLES:,} more columns with a role.")
    if others:
        more = f" and {len(others) - 12:,} more" if len(others) > 12 else ""
        st.caption(f"Kept for the rows page: {', '.join(md(name, 40) for name in others[:12])}{more}.")


def _delimiter(character: str) -> str:
    return {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", " ": "space"}.get(character, md(character))


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:.1f} kB"
