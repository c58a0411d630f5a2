"""Correct how we read the file: the forms for columns and their meanings, and what applying them does."""

from __future__ import annotations

from typing import Any

import streamlit as st

from data.columns.column import Column
from data.columns.column_names import COUNT
from data.columns.role_names import PART_ROLES, fold
from data.columns.weight_columns import NOT_USED
from data.comparison.row_groups import clusters_in_use, run_parts
from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.labels.class_names import label_of, read_class_names
from data.roles.run_columns import may_be_part
from data.runs import draft_changes
from data.runs.written_options import read_small_file
from text.visible import show
from ui.limits import MAX_TEXT_CHARS
from ui.open import run_choice
from ui.rows.left_out import rows_left_out
from ui.text.markdown import md
from ui.text.messages import refuse
from ui.view.open_runs import show_run

SCALES = {
    "probability": "probabilities (0 to 1, or per cent)",
    "logit": "logits (any number)",
    "score": "on a scale of their own (such as 1 to 10)",
}

_TASKS = {None: "as found in the cells", "single": "one label", "multilabel": "several labels, or none"}

_PART_HELP = {
    "epoch": "The column of the epochs of a training, or of the repetitions of each question.",
    "seed": "The column of the seeds under which each question was asked. Intervals then count questions.",
    "fold": "The column of the folds of a cross-validation.",
}

_TURN = "correct.turn"


def correct(run: str, evaluation: Evaluation) -> None:
    """Draw every role, the positive class and the label space, to be changed without uploading again."""
    if rows_left_out(evaluation):  # the page says so
        return
    doubtful = not evaluation.n_scored or bool(evaluation.receipt.warnings)
    with st.expander("Is something wrong? Correct it", icon=":material/edit:", expanded=doubtful):
        settings = evaluation.settings
        columns = list(evaluation.rows.column_names)
        with st.form("correct", border=False):
            given = run_choice.switch(run, settings)
            given |= roles_form(settings, columns)
            given |= _meaning_form(settings, evaluation)
            given |= _cluster_form(evaluation)
            given |= _part_form(evaluation)
            sent = st.form_submit_button("Apply", type="primary", icon=":material/check:")
        if sent:
            st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1  # a file counts once
            apply(run, settings, given)


def roles_form(settings: Settings, columns: list[str]) -> dict[str, Any]:
    """Draw a picker for every role, filled with the settings; return the choices."""
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
            "The column with the predicted label; none = predicted from the scores or the raw answers.",
        ),
        "raw": pick(
            third,
            "Raw answer",
            settings.raw,
            "Free text from which a label is read. Used if there is no predicted label.",
        ),
    }
    if settings.counts is not None or _may_count(columns):
        given["counts"] = pick(
            st,
            "Rows per line",
            settings.counts,
            "This column says how many rows each line stands for; none = every line is one row.",
        )
    given["score_columns"] = tuple(
        st.multiselect(
            "Scores",
            columns,
            [column for column, _ in settings.scores],
            format_func=lambda name: show(name, 80),
            help="One column for the positive class, or one for each class.",
        )
    )
    if settings.encoding == "multi_hot":
        given |= _hot_columns(settings, columns)
    return given


def scale_form() -> dict[str, Any]:
    """Picker for the scale of scores, where detection found none that fits; {} = find it again."""
    scale = st.selectbox(
        "Scores are", list(SCALES), None, format_func=SCALES.__getitem__, placeholder="found by names and values"
    )
    return {} if scale is None else {"scale": scale}


def _hot_columns(settings: Settings, columns: list[str]) -> dict[str, Any]:
    """Pickers for the 0/1 columns of several labels a row."""
    chosen = (
        ("truth_columns", "Columns of true labels (0/1)", settings.truth_columns),
        ("pred_columns", "Columns of predicted labels (0/1)", settings.pred_columns),
    )
    return {
        name: tuple(
            place.multiselect(title, columns, [column for column, _ in now], format_func=lambda name: show(name, 80))
        )
        for place, (name, title, now) in zip(st.columns(2), chosen, strict=True)
    }


def _may_count(columns: list[str]) -> bool:
    """Return whether a column has the name of a column of counts."""
    return any(fold(name) in COUNT for name in columns)


def _meaning_form(settings: Settings, evaluation: Evaluation) -> dict[str, Any]:
    places = iter(st.columns(4))
    given: dict[str, Any] = {}
    names = list(evaluation.labels)
    if evaluation.task == "binary":
        index = evaluation.positive or 0
        given["positive"] = next(places).selectbox(
            "Positive class",
            names,
            index,
            format_func=lambda name: show(name, 80),
            help="Precision, recall, ROC and thresholds are about this class. A single score column holds its score.",
        )
        given["positive"] = label_of(given["positive"], settings.class_names)
    scales = dict(SCALES)
    if settings.scale == "confidence" or (evaluation.task == "binary" and len(settings.scores) == 1):
        scales["confidence"] = "the score of whichever label was predicted"
    if settings.scores:
        given["scale"] = next(places).selectbox(
            "Scores are", list(scales), list(scales).index(settings.scale), format_func=scales.__getitem__,
            help="Log loss, Brier score and calibration need probabilities or logits. "
            "Ranking metrics such as ROC AUC work on every scale.",
        )  # fmt: skip
    if settings.encoding != "multi_hot" and evaluation.answers is None:
        given["task"] = next(places).selectbox(
            "Labels per row", list(_TASKS), list(_TASKS).index(settings.task), format_func=_TASKS.__getitem__,
            help="With several labels, a|b in a cell is two labels, and an empty cell is none.",
        )  # fmt: skip
    given |= _label_space(settings, next(places), st) | _weights_form(evaluation)
    return given | {"class_names": _class_names(settings)}


def _weights_form(evaluation: Evaluation) -> dict[str, Any]:
    """Draw the confirmation that no weights are used, where a column is named like weights."""
    names = [role.column for role in evaluation.receipt.roles if role.role == NOT_USED]
    if not names:
        return {}
    confirmed = st.checkbox(
        f"Use no weights from {md(names[0], 40)}", evaluation.settings.weights is not None,
        help="Every row counts once. With a tick, no warning names the column.",
    )  # fmt: skip
    return {"weights": "" if confirmed else None}


def _cluster_form(evaluation: Evaluation) -> dict[str, Any]:
    """Draw the choice of the column of clusters; nothing is given while it stays as it is."""
    found = clusters_in_use(evaluation)
    now, options = "" if found is None else found.column, ["", *evaluation.rows.column_names]
    chosen = st.selectbox(
        "Rows with the same value belong together", options, options.index(now),
        format_func=lambda name: show(name, 80) if name else "none: every row is independent",
        help="A column of templates, patients or sessions, for example. Intervals then count clusters, not rows.",
    )  # fmt: skip
    return {} if chosen == now else {"cluster": chosen}


@st.cache_data(show_spinner=False, max_entries=16)
def _part_columns(fingerprint: str, _evaluation: Evaluation) -> list[str]:
    """Return the columns that may hold epochs, seeds or folds, and have no other role."""
    free = ("other", "cluster", *PART_ROLES)
    names = [role.column for role in _evaluation.receipt.roles if role.role in free]
    return [name for name in names if may_be_part(Column(_evaluation.rows, name))]


def _part_form(evaluation: Evaluation) -> dict[str, Any]:
    """Draw the choice of the columns of epochs, seeds and folds, where there may be one; return what was changed."""
    now, columns = run_parts(evaluation), _part_columns(evaluation.fingerprint, evaluation)
    if not (now or columns):
        return {}
    chosen: dict[str, str] = {}
    for place, role in zip(st.columns(3), PART_ROLES, strict=True):
        column = now.get(role, "")
        options = list(dict.fromkeys(["", column, *columns]))
        chosen[role] = place.selectbox(
            f"{role.capitalize()}s", options, options.index(column),
            format_func=lambda name: show(name, 80) if name else "none", help=_PART_HELP[role],
        )  # fmt: skip
    changed = {role: name for role, name in chosen.items() if name != now.get(role, "")}
    return {"run_parts": tuple((dict(evaluation.settings.run_parts) | changed).items())} if changed else {}


def _class_names(settings: Settings) -> str | bytes:
    """Draw the names of the classes as a list to write, and a place for a file of them; return the file or the text."""
    left, right = st.columns([3, 2])
    text = left.text_area(
        "Names of classes, one a line",
        "\n".join(f"{label}={name}" for label, name in settings.class_names),
        height=100,
        max_chars=MAX_TEXT_CHARS,
        placeholder="0=cat\n1=dog",
        help="Write a label and its name, such as 2=cat, or JSON. Every page then shows the name.",
    )
    file = right.file_uploader(
        "… or a file of names",
        key=f"correct.names.{st.session_state.get(_TURN, 0)}",
        max_upload_size=1,
        help='Lines such as 2,cat or JSON such as {"2": "cat"}, in UTF-8. It is used instead of the list.',
    )
    return text if file is None else file.getvalue()


def _text_of(names: str | bytes) -> str:
    if isinstance(names, str):
        return names
    try:
        return names.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError("The file of names is not UTF-8. Save it as UTF-8 and add it again.") from error


def _label_space(settings: Settings, place: Any, below: Any) -> dict[str, Any]:
    """Draw where the labels come from, and the list of them."""
    spaces = {
        "seen": "every label in the file",
        "truth": "the true labels only",
        "set": "the list below",
    }
    current = "set" if settings.label_set is not None else settings.label_space
    space = place.selectbox(
        "Label list",
        list(spaces),
        list(spaces).index(current),
        format_func=spaces.__getitem__,
        help="The labels that the model may predict. Any other label is “not in the label list”.",
    )
    text = below.text_area(
        "List of labels, one a line",
        "\n".join(settings.label_set or ()),
        height=100,
        max_chars=MAX_TEXT_CHARS,
        help="Used when the label list is “the list below”.",
    )
    return {"space": space, "label_set": text}


def label_space(run: str, evaluation: Evaluation) -> None:
    """Draw the form of the label list alone: from the truth, pasted, or from a file with one label on each line."""
    settings = evaluation.settings
    with st.expander("Use other labels", icon=":material/label:"), st.form("label_space", border=False):
        left, right = st.columns(2)
        given = _label_space(settings, left, left)
        turn = st.session_state.setdefault("label_space.turn", 0)
        file = right.file_uploader(
            "… or a file of labels",
            key=f"label_space.file.{turn}",
            max_upload_size=1,
            help="One label a line, or a JSON list, in UTF-8; it is used instead of the choice on the left.",
        )
        if st.form_submit_button("Use these labels", type="primary", icon=":material/check:"):
            st.session_state["label_space.turn"] += 1  # a file counts once: it must not overrule the next choice
            _use_labels(run, settings, given, file)


def _use_labels(run: str, settings: Settings, given: dict[str, Any], file: Any) -> None:
    """Apply the chosen label space, or that of a file where there is one."""
    if file is not None:
        try:
            given = {"space": "set", "label_set": read_small_file(file.getvalue(), file.name)}
        except DataError as error:
            refuse(str(error), title="This file holds no label list")
            return
    apply(run, settings, given)


def apply(run: str, settings: Settings, given: dict[str, Any]) -> None:
    """Keep the corrected settings as a new draft over the same data, and look at it."""
    try:
        if "class_names" in given:
            names = _text_of(given["class_names"])
            given = given | {"class_names": read_class_names(names) if names.strip() else ()}
        corrected = draft_changes.correct(run, settings, given)
    except DataError as error:
        refuse(str(error), title="This correction cannot be applied")
        return
    st.toast("Corrected. All pages use it now.", icon=":material/check:")
    show_run(corrected)
