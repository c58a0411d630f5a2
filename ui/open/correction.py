"""Correct how we read the file: one form of its columns, scores, labels and rows, and what applying it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import streamlit as st

from data.columns.column import Column
from data.columns.role_names import PART_ROLES
from data.columns.weight_columns import NOT_USED
from data.comparison.row_groups import clusters_in_use, run_parts
from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.labels.class_names import Names, label_of, read_class_names
from data.labels.label_order import propose_order
from data.labels.label_tree import propose_separator, read_tree
from data.roles.run_columns import may_be_part
from data.roles.search import Pairs
from data.runs import draft_changes, load
from data.runs.written_options import read_labels, read_small_file
from text.numbers import count
from text.visible import show
from ui.limits import MAX_TEXT_CHARS
from ui.open import run_choice
from ui.rows.left_out import rows_left_out
from ui.text.messages import refuse, remark
from ui.view import cache
from ui.view.open_runs import show_run

SCALES = {
    "probability": "probabilities (0 to 1, or per cent)",
    "logit": "logits (any number)",
    "score": "on a scale of their own (such as 1 to 10)",
}

_TASKS = {None: "as found in the cells", "single": "one label", "multilabel": "several labels, or none"}

_COLUMNS = {
    "truth": ("True label", "The column with the right answer."),
    "pred": (
        "Predicted label",
        "The column with the predicted label; none = predicted from the scores or the raw answers.",
    ),
    "raw": ("Raw answer", "Free text from which a label is read. Used if there is no predicted label."),
}

_TURN = "correct.turn"
_BY_TREE = "\0"
"""Stands among the separators for a tree; no cell of a file holds it."""
SEEN_ROWS, _VALUES = 100, 3
"""The pickers show three values of each column, of its first hundred rows."""
_WITH_VALUES = 3
"""So many chosen columns of one picker show their values; of more, the names alone, or none would be seen."""


class _Subject(NamedTuple):
    """The file that a form is about: what it is filled with, its columns with a few values, and what was made of it.

    evaluation : None where none could be built yet.
    """

    run: str
    settings: Settings
    columns: Mapping[str, str]
    evaluation: Evaluation | None = None


def correct(run: str, evaluation: Evaluation) -> None:
    """Draw the form over an evaluation, to be changed without uploading again."""
    if not rows_left_out(evaluation):  # the page says so
        settings = evaluation.settings
        _form(_Subject(run, settings, columns_with_values(evaluation.rows), evaluation), settings)


def ask_roles(run: str, asked: Settings, guess: Settings, rows: pa.Table) -> None:
    """Draw the form over a file whose roles could not be found.

    asked : what a person asked for before. guess : what the form is filled with. rows : the first rows.
    """
    _form(_Subject(run, guess, columns_with_values(rows)), asked)


def columns_with_values(rows: pa.Table) -> dict[str, str]:
    """Return the names of the columns, each as a picker shows it: with the first values that differ.

    >>> columns_with_values(pa.table({"sick": ["no", "no", "yes"], "note": ["", None, ""]}))
    {'sick': 'sick — no, yes', 'note': 'note — no values'}
    """
    first = rows.slice(0, SEEN_ROWS)
    return {name: f"{show(name, 60)} — {_first_values(first.column(name))}" for name in rows.column_names}


def _first_values(cells: pa.ChunkedArray) -> str:
    texts = (str(cell) for cell in cells.to_pylist() if cell is not None)
    values = list(dict.fromkeys(text for text in texts if text))[:_VALUES]
    return ", ".join(show(value, 16) for value in values) or "no values"


def _form(subject: _Subject, asked: Settings) -> None:
    """Draw the form in its groups; once it is sent, apply what was chosen."""
    given: dict[str, Any] = {}
    with st.form("correct", border=False):
        for title, draw in _GROUPS.items():
            name, place = st.columns([1, 7])
            name.markdown(f"**{title}**")
            with place:
                given |= draw(subject)
        foot = st.container(horizontal=True, key="correct-foot")
        with foot:
            sent = st.form_submit_button("Apply", type="primary", icon=":material/check:")
            swapped = _swap_button(subject.settings)
    if swapped:
        given |= {"truth": given["pred"], "pred": given["truth"]}
    if sent or swapped:
        st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1  # a file counts once
        with foot:  # a refusal is seen where the button was pressed: the form is longer than a screen
            apply(subject.run, asked, given)


def _swap_button(settings: Settings) -> bool:
    """Draw the button that applies the form with true and predicted labels the other way round."""
    if settings.truth is None or settings.pred is None:
        return False
    return st.form_submit_button("Swap true and predicted labels", icon=":material/swap_horiz:")


def _pick(subject: _Subject, title: str, now: str | None, help: str, none: str = "none") -> str:
    """Draw the picker of a column; return its name, or "" for none."""
    options = ["", *subject.columns]
    index = options.index(now) if now in options else 0
    return st.selectbox(
        title, options, index, format_func=lambda name: subject.columns[name] if name else none, help=help
    )


def _pick_many(subject: _Subject, title: str, now: Pairs, help: str | None = None) -> tuple[str, ...]:
    """Draw the picker of several columns; return their names."""
    chosen = [column for column, _ in now if column in subject.columns]
    titles = dict(subject.columns)
    if len(chosen) > _WITH_VALUES:
        titles |= {name: show(name, 60) for name in chosen}
    return tuple(st.multiselect(title, [*subject.columns], chosen, format_func=titles.__getitem__, help=help))


def _draw_columns(subject: _Subject) -> dict[str, Any]:
    """Draw the columns of labels, true and predicted."""
    now = subject.settings
    given: dict[str, Any] = {}
    for place, (role, (title, help)) in zip(st.columns(3), _COLUMNS.items(), strict=True):
        with place:
            given[role] = _pick(subject, title, getattr(now, role), help)
    if now.encoding == "multi_hot":
        left, right = st.columns(2)
        with left:
            given["truth_columns"] = _pick_many(subject, "Columns of true labels (0/1)", now.truth_columns)
        with right:
            given["pred_columns"] = _pick_many(subject, "Columns of predicted labels (0/1)", now.pred_columns)
    return given


def _draw_scores(subject: _Subject) -> dict[str, Any]:
    """Draw the columns of scores, and their scale; a scale that nobody says is found again."""
    settings, evaluation = subject.settings, subject.evaluation
    left, right = st.columns([2, 1])
    with left:
        help = "One column for the positive class, or one for each class."
        given: dict[str, Any] = {"score_columns": _pick_many(subject, "Scores", settings.scores, help)}
    scales = dict(SCALES)
    one_score = evaluation is not None and evaluation.task == "binary" and len(settings.scores) == 1
    if settings.scale == "confidence" or one_score:
        scales["confidence"] = "the score of whichever label was predicted"
    known = evaluation is not None and bool(settings.scores)
    scale = right.selectbox(
        "Scores are", list(scales), list(scales).index(settings.scale) if known else None,
        format_func=scales.__getitem__, placeholder="found by names and values",
        help="Log loss, Brier score and calibration need probabilities or logits. "
        "Ranking metrics such as ROC AUC work on every scale.",
    )  # fmt: skip
    return given if scale is None else given | {"scale": scale}


def _draw_labels(subject: _Subject) -> dict[str, Any]:
    """Draw the positive class, the number of labels of a row, the list of labels and their names."""
    settings, evaluation = subject.settings, subject.evaluation
    places = iter(st.columns(3))
    given: dict[str, Any] = {}
    if evaluation is not None and evaluation.task == "binary":
        given["positive"] = next(places).selectbox(
            "Positive class", evaluation.labels, evaluation.positive or 0,
            format_func=lambda name: show(cache.class_name(evaluation, name), 80),
            help="Precision, recall, ROC and thresholds are about this class. A single score column holds its score.",
        )  # fmt: skip
        given["positive"] = label_of(given["positive"], settings.class_names)
    if evaluation is None or evaluation.answers is None:
        given["task"] = next(places).selectbox(
            "Labels per row", list(_TASKS), list(_TASKS).index(settings.task), format_func=_TASKS.__getitem__,
            help="With several labels, a|b in a cell is two labels, and an empty cell is none.",
        )  # fmt: skip
    space = next(places)
    left, middle, right = st.columns(3)
    given |= label_space_fields(settings, space, left)
    given["class_names"] = _class_names(settings, middle, right)
    if evaluation is not None and evaluation.task != "multilabel":
        given |= _structure_fields(evaluation)
    return given


def _structure_fields(evaluation: Evaluation) -> dict[str, Any]:
    """Draw the order of the labels, and what gives them groups; nothing while all stay."""
    left, middle, right = st.columns(3)
    with left:
        order = _order_field(evaluation)
    return order | _groups_field(evaluation.settings, evaluation.labels[: evaluation.n_space], middle, right)


def _groups_field(settings: Settings, labels: Sequence[str], left: Any, right: Any) -> dict[str, Any]:
    """Draw the separator of groups, proposed or written, and a place for a tree instead; nothing while both stay."""
    now = _BY_TREE if settings.tree else settings.separator
    words = {"": "none: labels have no groups", _BY_TREE: f"none: a tree of {count(len(settings.tree))} is used"}
    separators = list(dict.fromkeys(["", now, propose_separator(labels)]))
    chosen = left.selectbox(
        "Separator of groups", separators, separators.index(now),
        format_func=lambda text: words.get(text) or show(text, 20), accept_new_options=True,
        help="In animal/dog it is /. Errors within a group are then told apart from others.",
    )  # fmt: skip
    file = right.file_uploader(
        "… or a tree of labels", key=f"correct.tree.{st.session_state.get(_TURN, 0)}", max_upload_size=1,
        help='CSV of label,parent or JSON such as {"dog": "animal"}, in UTF-8. It is used instead of a separator.',
    )  # fmt: skip
    if file is not None:
        return {"separator": "", "tree": (file.getvalue(), file.name)}
    return {} if chosen == now else {"separator": chosen, "tree": ()}


def _order_field(evaluation: Evaluation) -> dict[str, Any]:
    """Draw the order of the labels: none, the one that is proposed, or one that is written; nothing while it stays."""
    now, proposal = evaluation.settings.order, propose_order(evaluation.labels[: evaluation.n_space])
    orders = dict.fromkeys(["", *(", ".join(order) for order in (now, proposal) if order)])
    chosen = st.selectbox(
        "Order of the labels", list(orders), list(orders).index(", ".join(now)),
        format_func=lambda text: show(text, 200) if text else "none: no label is more than another",
        accept_new_options=True,
        help="Choose the order, or write the labels from the lowest to the highest: low, medium, high. Errors are "
        "then measured in steps.",
    )  # fmt: skip
    if chosen == ", ".join(now):
        return {}
    return {"order": _read_order(chosen, (now, proposal)) if chosen else ()}


def _read_order(text: str, known: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Read an order as it was written; a label of a known one may hold a comma."""
    for order in known:
        if ", ".join(order) == text:
            return order
    return read_labels(text)


def _draw_rows(subject: _Subject) -> dict[str, Any]:
    """Draw the rows that count, how many rows a line stands for, and which rows belong together."""
    settings, evaluation = subject.settings, subject.evaluation
    help = "This column says how many rows each line stands for; none = every line is one row."
    given: dict[str, Any] = {"counts": _pick(subject, "Rows per line", settings.counts, help)}
    if evaluation is None:
        return given
    given |= run_choice.switch(subject.run, settings)
    given |= _cluster_field(subject, evaluation)
    given |= _part_fields(evaluation)
    return given | _weights_field(subject, evaluation)


_GROUPS: Mapping[str, Callable[[_Subject], dict[str, Any]]] = {
    "Columns": _draw_columns,
    "Scores": _draw_scores,
    "Labels": _draw_labels,
    "Rows": _draw_rows,
}


def _weights_field(subject: _Subject, evaluation: Evaluation) -> dict[str, Any]:
    """Draw the choice of the column of weights; nothing is given while it stays as it is, or while nobody says."""
    now = evaluation.settings.weights
    is_asked = now is None and any(role.role == NOT_USED for role in evaluation.receipt.roles)
    options = ["", *subject.columns]
    index = options.index(now) if now in options else 0
    chosen = st.selectbox(
        "Weights of rows", options, None if is_asked else index,
        format_func=lambda name: subject.columns[name] if name else "none: every row counts once",
        placeholder="not chosen: every row counts once",
        help="A column of numbers from 0. Every number then counts each row by its weight.",
    )  # fmt: skip
    stays = chosen == (now or "") and not is_asked
    return {} if chosen is None or stays else {"weights": chosen}


def _cluster_field(subject: _Subject, evaluation: Evaluation) -> dict[str, Any]:
    """Draw the choice of the column of clusters; nothing is given while it stays as it is."""
    clusters = clusters_in_use(evaluation)
    now = "" if clusters is None else clusters.column
    help = "A column of templates, patients or sessions, for example. Intervals then count clusters, not rows."
    chosen = _pick(subject, "Rows with the same value belong together", now, help, "none: every row is independent")
    return {} if chosen == now else {"cluster": chosen}


@cache.kept(16)
def _part_columns(evaluation: Evaluation) -> list[str]:
    """Return the columns that may hold epochs, seeds or folds, and have no other role."""
    free = ("other", "cluster", *PART_ROLES)
    names = [role.column for role in evaluation.receipt.roles if role.role in free]
    return [name for name in names if may_be_part(Column(evaluation.rows, name))]


def _part_fields(evaluation: Evaluation) -> dict[str, Any]:
    """Draw the choice of the columns of epochs, seeds and folds, where there may be one; return what was changed."""
    now, columns = run_parts(evaluation), _part_columns(evaluation)
    if not (now or columns):
        return {}
    chosen: dict[str, str] = {}
    for place, role in zip(st.columns(3), PART_ROLES, strict=True):
        column = now.get(role, "")
        options = list(dict.fromkeys(["", column, *columns]))
        chosen[role] = place.selectbox(
            f"{role.capitalize()}s", options, options.index(column),
            format_func=lambda name: show(name, 80) if name else "none", help=f"The column of the {PART_ROLES[role]}.",
        )  # fmt: skip
    changed = {role: name for role, name in chosen.items() if name != now.get(role, "")}
    if not changed:
        return {}
    parts = dict(evaluation.settings.run_parts) | changed
    return {"run_parts": tuple(parts.items())}


def _class_names(settings: Settings, left: Any, right: Any) -> str | tuple[bytes, str]:
    """Draw the names of the classes as a list to write, and a place for a file of them; return the file or the text."""
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
    return text if file is None else (file.getvalue(), file.name)


def label_space_fields(settings: Settings, place: Any, below: Any) -> dict[str, Any]:
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


def _read_names(names: str | tuple[bytes, str]) -> Names:
    """Read names of classes from a text, or from the bytes of a file and its name."""
    text = names if isinstance(names, str) else read_small_file(*names)
    return read_class_names(text) if text.strip() else ()


def apply(run: str, settings: Settings, given: dict[str, Any]) -> None:
    """Keep the corrected settings as a new draft over the same data, and look at it."""
    try:
        if "class_names" in given:
            given = given | {"class_names": _read_names(given["class_names"])}
        if given.get("tree"):
            given = given | {"tree": read_tree(read_small_file(*given["tree"]))}
        corrected = draft_changes.correct(run, settings, given)
    except DataError as error:
        refuse(str(error), title="This correction cannot be applied")
        return
    before, after = load.draft_of(run), load.draft_of(corrected)
    if not before.problem and (before.settings, before.question) == (after.settings, after.question):
        remark("The form holds what is in use, so no number changes. Choose another value first.", "info")
        return
    st.toast("Corrected. All pages use it now.", icon=":material/check:")
    show_run(corrected)
