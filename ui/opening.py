"""The open page's pieces: the upload, the first look, the receipt and its correction."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import streamlit as st

from data import intake
from data.evaluation import DataError, Evaluation, Settings
from metrics import labels, multilabel
from ui import blocks, cache, state, url
from ui.blocks import md, percent, rows, show

TYPES = ["csv", "tsv", "txt", "jsonl", "ndjson", "json", "parquet", "gz"]
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
    blocks.refuse(problem, title="This link leads nowhere")
    return None


def upload() -> None:
    """One file, or two; read as soon as they are there."""
    st.markdown(
        "Drop the predictions of any classifier: a table with the true label and the predicted "
        "one, scores, or raw answers. Everything is recomputed from it, exactly."
    )
    left, right = st.columns(2)
    turn = st.session_state.setdefault("upload.turn", 0)
    with left:
        predictions = st.file_uploader(
            "Predictions",
            TYPES,
            key=f"upload.predictions.{turn}",
            help="CSV, TSV, JSON lines, JSON or Parquet; .gz is fine.",
        )
    with right:
        truth = st.file_uploader(
            "True labels, if they are in another file",
            TYPES,
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
    """Write the uploaded bytes to a private folder, read them in the child process, keep the draft."""
    bar = st.progress(0.0, "Starting the reader")

    def progress(stage: str, share: float) -> None:
        bar.progress(min(1.0, max(0.0, share)), _STAGES.get(stage, "Reading"))

    given = intake.Given(label_set=intake.label_set_from_text(pasted) if pasted.strip() else None)
    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        paths = []
        for i, file in enumerate(files):
            path = Path(folder) / f"upload-{i}"  # the uploaded name never becomes a path
            with path.open("wb") as out:
                out.write(file.getbuffer())
            paths.append((path, file.name))
        run = intake.keep(intake.read_draft(paths, given, progress=progress))
    bar.empty()
    return run


def first_look(evaluation: Evaluation) -> None:
    """The most important thing at once, and the way to the rest."""
    blocks.headline(evaluation)
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
    blocks.finding_list(found[:1], key="first")
    blocks.go_to(
        "overview",
        "See everything the accuracy hides" if len(found) < 2 else f"See all {len(found)} findings",
        icon=":material/visibility:",
    )


def receipt(evaluation: Evaluation) -> None:
    """What was understood of the file, column by column, and what was done to it."""
    paper = evaluation.receipt
    st.subheader("What was understood")
    for warning in paper.warnings:
        blocks.remark(warning)
    left, right = st.columns([0.55, 0.45], gap="large")
    with left:
        played = [role for role in paper.roles if role.role != "other"]
        others = [role.column for role in paper.roles if role.role == "other"]
        limit = 30
        st.dataframe(
            {
                "column": [show(role.column) for role in played[:limit]],
                "role": [show(role.role) for role in played[:limit]],
                "because": [show(role.why) for role in played[:limit]],
            },
            hide_index=True,
            key="receipt.roles",
        )
        if len(played) > limit:
            st.caption(f"… and {len(played) - limit:,} more columns with a role.")
        if others:
            more = f" and {len(others) - 12:,} more" if len(others) > 12 else ""
            st.caption(f"Kept for the rows page: {', '.join(md(name, 40) for name in others[:12])}{more}.")
    with right:
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
        if paper.join is not None:
            blocks.remark(paper.join.text, "info")
        for note in paper.notes:
            blocks.remark(note, "info")


def _delimiter(character: str) -> str:
    return {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", " ": "space"}.get(character, md(character))


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:.1f} kB"


def correct(run: str, evaluation: Evaluation) -> None:
    """Every role, the positive class and the label space, to be changed without uploading again."""
    with st.expander("Something is not right? Correct it", icon=":material/edit:", expanded=not evaluation.n_scored):
        settings = evaluation.settings
        columns = list(evaluation.rows.column_names)
        with st.form("correct", border=False):
            given = _roles_form(settings, columns)
            given |= _meaning_form(settings, evaluation)
            sent = st.form_submit_button("Apply", type="primary", icon=":material/check:")
        if sent:
            _apply(run, settings, given)


def _roles_form(settings: Settings, columns: list[str]) -> dict[str, Any]:
    options = ["", *columns]

    def pick(place: Any, title: str, now: str | None, help: str) -> str | None:
        index = options.index(now) if now in options else 0
        return (
            place.selectbox(
                title, options, index, format_func=lambda name: show(name, 80) if name else "none", help=help
            )
            or None
        )

    first, second, third = st.columns(3)
    given: dict[str, Any] = {
        "truth": pick(first, "True label", settings.truth, "The column with the right answer."),
        "pred": pick(
            second,
            "Predicted label",
            settings.pred,
            "The column with the model's answer; none = from the scores or the raw answers.",
        ),
        "raw": pick(
            third,
            "Raw answer",
            settings.raw,
            "Free text that is parsed into a label; used when there is no predicted label.",
        ),
    }
    given["score_columns"] = tuple(
        st.multiselect(
            "Scores",
            columns,
            [column for column, _ in settings.scores],
            format_func=lambda name: show(name, 80),
            help="One column for the positive class, or one a class.",
        )
    )
    if settings.encoding == "multi_hot":
        first, second = st.columns(2)
        given["truth_columns"] = tuple(
            first.multiselect(
                "Columns of true labels (0/1)",
                columns,
                [c for c, _ in settings.truth_columns],
                format_func=lambda name: show(name, 80),
            )
        )
        given["pred_columns"] = tuple(
            second.multiselect(
                "Columns of predicted labels (0/1)",
                columns,
                [c for c, _ in settings.pred_columns],
                format_func=lambda name: show(name, 80),
            )
        )
    return given


def _meaning_form(settings: Settings, evaluation: Evaluation) -> dict[str, Any]:
    first, second, third = st.columns(3)
    given: dict[str, Any] = {}
    names = list(evaluation.labels)
    if evaluation.task == "binary":
        index = names.index(settings.positive) if settings.positive in names else 0
        given["positive"] = first.selectbox(
            "Positive class",
            names,
            index,
            format_func=lambda name: show(name, 80),
            help="Precision, recall, ROC and thresholds are about this class.",
        )
    scales = {"probability": "probabilities (0 to 1)", "logit": "logits (any number)"}
    if settings.scores:
        given["scale"] = second.selectbox(
            "Scores are", list(scales), list(scales).index(settings.scale), format_func=scales.__getitem__
        )
    spaces = {
        "seen": "labels in truth, predictions or scores",
        "truth": "labels in the truth only",
        "set": "the list below",
    }
    current = "set" if settings.label_set is not None else settings.label_space
    given["space"] = third.selectbox(
        "Label space",
        list(spaces),
        list(spaces).index(current),
        format_func=spaces.__getitem__,
        help="Which labels the model may answer. Any other label is outside.",
    )
    text = "\n".join(settings.label_set or ())
    given["label_set"] = st.text_area(
        "List of labels, one a line", text, height=100, help="Used when the label space is “the list below”."
    )
    return given


def _apply(run: str, settings: Settings, given: dict[str, Any]) -> None:
    """Keep the corrected settings as a new draft over the same data, and look at it."""
    try:
        corrected = intake.correct(run, settings, given)
    except DataError as error:
        blocks.refuse(str(error), title="This correction cannot be applied")
        return
    state.open_run(corrected)
    st.rerun()
