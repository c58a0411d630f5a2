"""The open page's pieces: the upload, and what has to be said before a file can be used."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from data import environment
from data.columns.written_numbers import list_comma_readings
from data.errors import DataError, NotUsableYet
from data.evaluation import Evaluation, Settings
from data.reading.formats import NAMED
from data.reading.options import DETECT
from data.runs import draft_changes, load
from data.runs.limited_reading import prepare_to_read
from ui.limits import MAX_TEXT_CHARS
from ui.open import correction, joining, rater_lines, run_choice
from ui.open.again.split import draw_split, offer_split
from ui.open.again.uploads import add_labels, take_in, take_in_again
from ui.open.repair import bad_rows, leaving_out
from ui.person import people
from ui.share import drafts
from ui.text.markdown import md
from ui.text.messages import refuse, refuse_error, remark
from ui.view import open_runs, state, url
from ui.view.address import go_to
from ui.view.open_runs import show_run


def title() -> str:
    """Return the page's title: its purpose, or that the file in view needs a choice."""
    if not _asks():
        return "See what accuracy hides"
    rows = open_runs.draft(url.get("run")).bad_rows
    return "Your file needs a choice first" if rows is None else bad_rows.title(rows)


def _asks() -> bool:
    """Return whether the file in view needs a choice before it can be used."""
    run: str = url.get("run")
    return bool(run) and isinstance(open_runs.problem(run), NotUsableYet)


def draw_way_out() -> None:
    """Draw the button to other files while the one in view asks: it stays in view wherever the menu leads."""
    if _asks() and people.may_change():
        st.button("Open another file or sample", key="open.other", icon=":material/upload_file:",
                  on_click=open_runs.open_run, args=("",))  # fmt: skip


def tell_problems() -> None:
    """Say once what was wrong with the link that was opened."""
    for sentence in url.problems():
        remark(sentence)
    deleted = drafts.draw_deletion()
    if deleted:
        remark(deleted, "info")
    failed = st.session_state.pop("open.failed", None)
    if failed:
        refuse(failed)


def run_in_view() -> str | None:
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


def evaluation_in_view(run: str) -> Evaluation | None:
    """Return what the run's files were understood to be; None where the person is asked something first."""
    problem = open_runs.problem(run)
    if problem is None:
        return state.original()
    draft = open_runs.draft(run)
    if not people.may_change():
        refuse_error(problem)
    elif draft.bad_rows is not None:
        leaving_out.draw(run)
    elif not draft.is_read:
        refuse(str(problem))
        draw_split(run)
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
    if open_runs.draft(run).without_scores:
        if st.button(
            "Read without the scores", type="primary", icon=":material/remove_selection:", key="by_hand.scores"
        ):
            show_run(draft_changes.drop_scores(run))
        st.caption("Every page, report and share link will say that scores were not read.")
    _offer_decimals(run)
    for warning in load.list_reading_warnings(run):
        remark(warning)
    offer_split(run)
    if len(load.draft_of(run).files) == 1:
        _offer_labels(run)
    _choose_roles(run)


def _offer_decimals(run: str) -> None:
    """Draw a button for each number that the commas of the refused column may mean; nothing where they are clear."""
    draft = open_runs.draft(run)
    if not draft.comma or not draft.uploads:
        return
    n_files, chosen = len(draft.uploads), None
    options_of_files = draft.given.how_to_read(n_files) or (DETECT,) * n_files
    with st.container(horizontal=True):
        for mark, number in list_comma_readings(draft.comma).items():
            if st.button(f"Read {draft.comma} as {number}", key=f"by_hand.decimal.{mark}"):
                chosen = tuple(dataclasses.replace(options, decimal=mark) for options in options_of_files)
    take_in_again(run, chosen)


def _choose_roles(run: str) -> None:
    """Draw the form that says which column is what, filled with what was guessed."""
    st.markdown("Choose what each column is:")
    draft, rows = load.draft_of(run), load.read_first_rows(run, correction.SEEN_ROWS)
    given, settings = draft.given, draft.settings
    chosen = dataclasses.replace(
        given.settings(Settings()), label_set=given.labels(), task=given.task, cluster=given.cluster,
        run_parts=given.run_parts, weights=given.weights,
    )  # fmt: skip
    scores = tuple((column, label) for column, label in settings.scores if column in rows.column_names)
    guess = dataclasses.replace(
        chosen, truth=settings.truth, pred=settings.pred, raw=settings.raw, scores=scores, counts=settings.counts
    )
    if guess != chosen:
        st.caption("The form shows our best guess. Check it, then press Apply.")
    correction.ask_roles(run, chosen, guess, rows)


def _offer_labels(run: str) -> None:
    """Draw the place for a file of what is missing: the true labels, or the predictions."""
    settings = load.draft_of(run).settings
    predicted = settings.pred or settings.raw or settings.scores
    if settings.truth and predicted:
        return
    st.markdown(f"Are the {'predictions' if settings.truth else 'true labels'} in another file? Add it:")
    labels = st.file_uploader("The other file", key="by_hand.labels", label_visibility="collapsed")
    with st.empty():
        if labels is None:
            return
        try:
            added = add_labels(run, labels)
        except DataError as error:
            refuse(str(error))
        else:
            show_run(added)


def draw_open_file(evaluation: Evaluation) -> None:
    """Say which file is open, and the way to it; what is missing where nothing of it can be scored."""
    if not evaluation.n_scored:
        refuse("No row has both a true and a predicted label. Correct the columns below.", title="Nothing to score yet")
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"{md(evaluation.name, 60)} is open.", width="content")
        go_to("overview", "To its overview", icon=":material/visibility:")
    st.header("Open another file or sample")


def draw_upload() -> None:
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
    with st.empty():  # the bar, then what is wrong: the samples below keep their place
        _read_uploads(predictions, truth, pasted)


def _read_uploads(predictions: Any, truth: Any, pasted: str) -> None:
    """Read what was uploaded and show it; say what is missing or wrong."""
    if predictions is None:
        prepare_to_read()
        if truth is not None:
            remark(
                "The predictions are missing. Upload them, too, or upload one file with both under Predictions.", "info"
            )
        return
    files = [file for file in (predictions, truth) if file is not None]
    signature = (*(file.file_id for file in files), pasted)
    if st.session_state.get("upload.failed") == signature:  # what failed once is not read at every rerun
        refuse(st.session_state["upload.failure"])
        return
    try:
        run = take_in(files, pasted, keep_unread=True)
    except DataError as error:
        st.session_state.update({"upload.failed": signature, "upload.failure": str(error)})
        refuse(str(error))
        return
    st.session_state["upload.turn"] += 1  # empties the two uploaders: what was read lives in the store now
    show_run(run)
