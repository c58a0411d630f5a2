"""Draw how two files were joined: the rows that met, the rows that did not, and the choice of another key."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from data.columns.table_metadata import ALL, EQUAL, FIRST, LAST, REPEATED, is_part, read_settlement
from data.errors import DataError
from data.evaluation import Evaluation, JoinReport
from data.joining.key_matching import FILES, Pair, read_key, write_key
from data.runs import draft_changes, load
from export.file_reading import join_sentences
from text.numbers import count
from text.visible import show
from ui.text.markdown import md
from ui.text.messages import refuse, remark
from ui.text.tile import tile, tile_row
from ui.view import fragment
from ui.view.open_runs import show_run

FOUND = "automatic columns"
CHOSEN = "the columns chosen below"
IN_ORDER = "row order"
WAYS = {
    EQUAL: "equal rows once, others left out",
    FIRST: "the first row of each",
    LAST: "the last row of each",
    ALL: "all rows",
}
"""Choices of the rows of a repeated id that count."""


def panel(run: str, evaluation: Evaluation) -> None:
    """Draw the report of the join and the way to change its key; nothing for one file."""
    report, files = evaluation.receipt.join, evaluation.receipt.files
    if report is None or len(files) != 2:
        if read_settlement(evaluation.rows) and not is_part(evaluation):
            with st.expander("Ids repeat. Choose which rows count", icon=":material/join_inner:"):
                choose_repeated_only(run)
        return
    st.header("How the two files were joined")
    doubtful = [text for text in join_sentences(report) if text in evaluation.receipt.warnings]
    for warning in doubtful:
        remark(warning)
    if report.text not in doubtful:
        st.text(report.text)
    if not _is_whole(report):
        tiles(report)
        examples(report)
    if not is_part(evaluation):  # else there is one table left of both
        with st.expander("Is the key wrong? Choose another one", icon=":material/join_inner:"):
            known = current_pairs(report, files[0].columns, files[1].columns)
            choose_key(run, files[0].columns, files[1].columns, known, report)


def _is_whole(report: JoinReport) -> bool:
    """Return whether every row met, each once, so that one sentence says it all."""
    repeated = report.n_repeated_predictions + report.n_repeated_labels
    return not (report.n_only_predictions + report.n_only_labels + repeated)


def _on(report: JoinReport) -> str:
    """Return the key in Markdown."""
    if report.key is None:
        return "on columns that were left out"
    left, two = report.key
    key = md(left) if left == two else f"{md(left)} = {md(two)}"
    return f"on {key}" + (", without folders and endings" if report.how == "file stem" else "")


def tiles(report: JoinReport) -> None:
    """Draw four numbers: rows that met, rows of one file only, and keys that occur more than once."""
    by = "by row order" if report.how == "row order" else _on(report)
    repeated = report.n_repeated_predictions + report.n_repeated_labels
    numbers = (
        ("Rows matched", report.n_matched, by),
        (f"Only in {name_file(report, 0)}", report.n_only_predictions, "kept, but without a label: not scored"),
        (f"Only in {name_file(report, 1)}", report.n_only_labels, "kept, but without a prediction: not scored"),
        ("Repeated ids", repeated, f"{report.n_repeated_predictions:,} in the predictions"),
    )
    with tile_row("join"):
        for label, number, note in numbers:
            tile(label, f"{number:,}", note if number or label == "Rows matched" else "none")


def name_file(report: JoinReport, place: int) -> str:
    """Return the name of one of the two files in Markdown; our own words where it is not known."""
    name = report.files[place]
    return name if name in FILES else md(name, 30)


def examples(report: JoinReport) -> None:
    """Draw keys without a partner and keys that repeat, a few of each; nothing where all is well."""
    keys_by_kind = {
        f"only in {report.files[0]}": (report.n_only_predictions, report.examples_only_predictions),
        f"only in {report.files[1]}": (report.n_only_labels, report.examples_only_labels),
        f"more than once in {report.files[0]}": (report.n_repeated_predictions, report.examples_repeated_predictions),
        f"more than once in {report.files[1]}": (report.n_repeated_labels, report.examples_repeated_labels),
    }
    lines = [(what, n, show(key)) for what, (n, keys) in keys_by_kind.items() for key in keys]
    if not lines:
        return
    what, numbers, keys = zip(*lines, strict=True)
    st.dataframe({"found": what, "in all": numbers, "for example": keys}, hide_index=True, key="join.examples")


@fragment.run_fragment
def choose_key(
    run: str,
    predictions: Sequence[str],
    labels: Sequence[str],
    known: Sequence[Pair] = (),
    report: JoinReport | None = None,
) -> None:
    """Pickers for the key, and what it would join; applying them makes a new run over the same stored files.

    known : the columns that are filled in.
    report : how they are joined now; None = they could not be, so what is automatic is no choice.
    """
    ways = [FOUND, CHOSEN, IN_ORDER] if report else [CHOSEN, IN_ORDER]
    now = ways.index(IN_ORDER if report and report.how == "row order" else CHOSEN)
    how = st.radio("Join on", ways, now, horizontal=True, key=f"join.how.{run}")
    lefts, two = _columns(run, predictions, labels, known) if how == CHOSEN else ([], [])
    counting = _choose_repeated(run)
    key = _write_choice(how, lefts, two, predictions, labels)
    if key is not None and (report is None or (tuple(zip(lefts, two, strict=True)) != tuple(known))):
        _preview(run, key, counting)
    if st.button("Join again" if report else "Join", key=f"join.apply.{run}", type="primary", icon=":material/check:"):
        _apply(run, how, lefts, two, key, counting)


def _write_choice(
    how: str, left: Sequence[str], right: Sequence[str], predictions: Sequence[str], labels: Sequence[str]
) -> str | None:
    """Return the key that was chosen; None where it is found, or not chosen yet."""
    if how == FOUND or (how == CHOSEN and (not left or len(left) != len(right))):
        return None
    return write_key(tuple(zip(left, right, strict=True)), predictions, labels)


def _preview(run: str, key: str, repeated: str) -> None:
    """Say what a key would join, before anybody applies it."""
    try:
        report = _report(run, key, repeated)
    except DataError as error:
        remark(str(error))
        return
    for sentence in join_sentences(report):
        remark(sentence, "info" if sentence == report.text else "warning")


@st.cache_data(show_spinner="Joining …", max_entries=32)
def _report(run: str, key: str, repeated: str) -> JoinReport:
    return draft_changes.preview_join(run, key, repeated)


def _choose_repeated(run: str) -> str:
    now = load.draft_of(run).given.repeated
    way: str = st.radio(
        "Rows that count where an id repeats", REPEATED, REPEATED.index(now), format_func=WAYS.__getitem__,
        horizontal=True, key=f"join.repeated.{run}",
    )  # fmt: skip
    return way


@fragment.run_fragment
def choose_repeated_only(run: str) -> None:
    """Draw the choice which lines of one file count where a pair of id and label repeats."""
    way = _choose_repeated(run)
    if st.button("Count again", key=f"join.apply.{run}", type="primary", icon=":material/check:"):
        _open(run, None, way)


def _columns(
    run: str, predictions: Sequence[str], labels: Sequence[str], known: Sequence[Pair]
) -> tuple[list[str], list[str]]:
    """Return the columns of either file that name a row."""
    left, right = st.columns(2)
    left_columns = _pick(left, "Columns of the predictions", predictions, [a for a, _ in known], f"join.left.{run}")
    two = _pick(right, "Columns of the labels", labels, [b for _, b in known], f"join.right.{run}")
    st.caption("If several columns name a row (an id and an epoch), choose them in the same order on both sides.")
    return left_columns, two


def _pick(place: object, title: str, options: Sequence[str], default: list[str], key: str) -> list[str]:
    chosen: list[str] = place.multiselect(  # type: ignore[attr-defined]
        title, list(options), default, format_func=lambda name: show(name, 80), key=key
    )
    return chosen


def current_pairs(report: JoinReport | None, predictions: Sequence[str], labels: Sequence[str]) -> tuple[Pair, ...]:
    """Return the columns that a report says the files were joined on; () for row order."""
    if report is None or report.key is None:
        return ()
    lefts, two = (
        [name for name, _ in read_key(text, columns, columns)]
        for text, columns in zip(report.key, (predictions, labels), strict=True)
    )
    known = len(lefts) == len(two) and set(lefts) <= set(predictions) and set(two) <= set(labels)
    return tuple(zip(lefts, two, strict=True)) if known else ()


def _apply(run: str, how: str, left: Sequence[str], right: Sequence[str], key: str | None, repeated: str) -> None:
    """Join again and look at the result, or say why that cannot be."""
    if how == CHOSEN and key is None:
        refuse(
            f"You chose {count(len(left), 'column')} of the predictions and {len(right)} of the labels. "
            "Choose the columns that name a row, as many of one file as of the other.",
            title="These files cannot be joined this way",
        )
        return
    _open(run, key, repeated)


def _open(run: str, key: str | None, repeated: str) -> None:
    """Join again and open the result, or say why that cannot be."""
    try:
        joined = draft_changes.rejoin(run, key, repeated)
    except DataError as error:
        refuse(str(error), title="These files cannot be joined this way")
        return
    show_run(joined)
