"""Rows that changed from A to B: fixed, broken, and wrong in both; each opens its rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from charts.theme import ACCENT, FAINT, MODEL, REFERENCE
from data.columns.table_metadata import answers_left_out
from data.comparison.run_names import names_column
from data.evaluation import MISSING, UNPARSEABLE, Evaluation
from data.rows.row_scores import order_by_confidence
from data.rows.row_table import row_numbers
from data.rows.selection import safe_csv
from data.runs.source_rows import has_source
from metrics.comparison.flips import Flips
from metrics.comparison.runs import Runs
from text.numbers import count
from text.visible import show
from ui.compare.run_comparison import Compared
from ui.compare.runs import others_in_view
from ui.rows import first_rows, left_out, rows_view
from ui.rows.rows_behind import draw_listed_rows
from ui.text.component import component
from ui.text.markdown import md
from ui.view import controls, panel, url
from ui.view.data_table import hand_out
from ui.view.panel import Item, Label, Pages, Section

AT_ONCE = 5
_ANSWER_CHARS = 200
_bar = component(__file__, "flips", '<div class="flips"></div>')
_FROM = "compare.from"
KINDS = {
    "broken": "right in A, wrong in B",
    "fixed": "wrong in A, right in B",
    "alike": "wrong in both, with the same prediction",
    "differently": "wrong in both, with different predictions",
}


def changes(compared: Compared) -> None:
    """Draw how many rows changed, and the rows of the chosen kind."""
    flips = compared.comparison.flips(compared.a, compared.b)
    if flips is None:
        st.markdown("A run has scores but no predictions: choose a threshold for it on the page Thresholds.")
        return
    _bar(data={"parts": _parts(flips)}, key="compare.flips")
    numbers = {"broken": flips.broken, "fixed": flips.fixed, "alike": flips.wrong_alike,
               "differently": flips.both_wrong - flips.wrong_alike}  # fmt: skip
    same = "Same wrong labels" if compared.comparison.runs.many else "Same wrong label"
    names = {"broken": "Broken", "fixed": "Fixed", "alike": same, "differently": "Different wrong labels"}
    kind = controls.choose_chip(
        "flip", "Rows", {kind_of_row: f"{names[kind_of_row]} **{n:,}**" for kind_of_row, n in numbers.items()}
    )
    with st.container(border=True, key="panel-changed", gap="small"):
        _rows(compared, kind)


def _parts(flips: Flips) -> list[list[str]]:
    """Return the parts of the bar, each [per cent of its width, rows, word, colour]."""
    parts = (
        (flips.both_right, "both right", FAINT),
        (flips.fixed, "fixed", MODEL),
        (flips.broken, "broken", ACCENT),
        (flips.both_wrong, "both wrong", REFERENCE),
    )
    return [[f"{100 * n / max(1, flips.n):.2f}", f"{n:,}", word, colour] for n, word, colour in parts]


def chosen_rows(compared: Compared, kind: str) -> np.ndarray:
    """Return which joined rows are of a kind, and of the class or the cell in view; bool (n,)."""
    runs = compared.comparison.runs
    right_a, right_b = runs.right(compared.a), runs.right(compared.b)
    same = runs.preds[compared.a] == runs.preds[compared.b]
    same = same.all(axis=1) if runs.many else same
    is_shown = {
        "broken": right_a & ~right_b,
        "fixed": ~right_a & right_b,
        "alike": ~right_a & ~right_b & same,
        "differently": ~right_a & ~right_b & ~same,
    }[kind]
    name = url.get("class")
    if name in runs.labels:
        code = runs.labels.index(name)
        if not runs.many:
            return np.asarray(is_shown & (runs.y_true == code))
        moved = [runs.preds[model][:, code] != runs.y_true[:, code] for model in (compared.a, compared.b)]
        return np.asarray(is_shown & (moved[0] | moved[1]))
    return np.asarray(is_shown)


def cell_rows(compared: Compared, true: int, pred: int) -> np.ndarray:
    """Return the joined rows of a true class that one of the two predicts as a class, and the other not; bool (n,)."""
    runs = compared.comparison.runs
    as_a, as_b = (runs.preds[model] == pred for model in (compared.a, compared.b))
    return np.asarray((runs.y_true == true) & (as_a != as_b))


def _rows(compared: Compared, kind: str) -> None:
    evaluation = compared.aligned.evaluations[compared.a]
    chosen, words = _rows_in_view(compared, kind)
    weights = compared.comparison.runs.weights
    n = int(chosen.sum() if weights is None else weights[chosen].sum())
    panel.heading(f"{count(n)} {words}")
    if url.get("class") or url.get("true"):
        panel.draw_way_back("All rows of this kind", lambda: url.put(row=0, **{"class": "", "true": "", "pred": ""}),
                   key="compare.all", icon=":material/close:")  # fmt: skip
    if not n:
        st.markdown("There are no such rows.")
        return
    if left_out.note(evaluation):
        return
    if has_source(evaluation):
        draw_listed_rows(evaluation, compared.aligned.places[compared.a][chosen], key="compare.asked")
        return
    joined = np.flatnonzero(chosen)
    run_b, rows_of_b = compared.aligned.evaluations[compared.b], compared.aligned.places[compared.b]
    places = joined[order_by_confidence(run_b, rows_of_b[joined])]  # of which B is surest, first
    rows = compared.aligned.places[compared.a][places]
    opened = first_rows.find_open_row(evaluation, rows)
    if opened is not None:
        extra = _say_predictions(compared, int(places[opened]))
        first_rows.draw_open_row(evaluation, rows, opened, "compare", extra)
        return
    _list(compared, places, rows, f"{kind}.{url.get('class')}.{url.get('true')}.{url.get('pred')}")
    title = f"All {count(len(places), 'row' if evaluation.weights is None else 'line')} as CSV"
    hand_out(title, lambda: safe_csv(frame_of(compared, places)), "compared-rows.csv", key="compare.csv")


def _say_predictions(compared: Compared, place: int) -> list[tuple[str, str]]:
    """Return what A and B predict in a joined row, and B's raw answer, which the columns of A's file do not show."""
    predictions = [(f"Predicted by {letter}", _label(compared, model, place) or "no label found")
             for letter, model in (("A", compared.a), ("B", compared.b))]  # fmt: skip
    answer = answer_of(compared, compared.b, place)
    return predictions + ([("Answer of B", answer)] if answer else [])


def _rows_in_view(compared: Compared, kind: str) -> tuple[np.ndarray, str]:
    """Return the rows in view, and what they are, as Markdown."""
    labels = compared.comparison.runs.labels
    true, pred = url.get("true"), url.get("pred")
    if true in labels and pred in labels and not compared.comparison.runs.many:
        rows = cell_rows(compared, labels.index(true), labels.index(pred))
        names = [md(compared.short[name], 40) for name in (true, pred)]
        return rows, f"of {names[0]} that only one run predicts as {names[1]}"
    of = f" of {md(compared.short[url.get('class')], 40)}" if url.get("class") in labels else ""
    return chosen_rows(compared, kind), f"{of} {KINDS[kind]}".strip()


def _list(compared: Compared, places: np.ndarray, rows: np.ndarray, name: str) -> None:
    pages, evaluation = Pages(_FROM, name, len(rows), AT_ONCE), compared.aligned.evaluations[compared.a]
    shown = pages.shown

    numbers = row_numbers(evaluation, rows[shown]).tolist()
    texts = _texts(evaluation, rows[shown])
    right = [compared.comparison.runs.right(model) for model in (compared.a, compared.b)]
    pictures = rows_view.draw_pictures(evaluation, rows[shown])
    items = [
        Item((text or f"Row {number:,}",), note=_note(compared, int(place), right), chosen=str(number),
             picture=picture)
        for text, number, place, picture in zip(texts, numbers, places[shown], pictures, strict=True)
    ]  # fmt: skip
    panel.item_list([Section("", items, "", pages.more)], key="compare.rows", on_choose=pages.choose_row)


def _texts(evaluation: Evaluation, rows: np.ndarray) -> list[str]:
    """Return what tells a person which row each is; empty where only columns that are compared are left."""
    texts = rows_view.texts_of(evaluation)
    if not texts or any(names_column(run, column) for run in others_in_view() for column in texts[0]):
        return [""] * len(rows)
    return rows_view.brief_texts(evaluation, rows, answers=False)


def _note(compared: Compared, place: int, right: Sequence[np.ndarray]) -> tuple[str | Label, ...]:
    """Say of a row its truth and what the runs predict that are wrong; `right` : the rows that A and B have right."""
    true, preds = _true_label(compared, place), compared.comparison.runs.preds
    models = (("A", compared.a), ("B", compared.b))
    wrong = [
        (by, _label(compared, model, place)) for (by, model), rows in zip(models, right, strict=True) if not rows[place]
    ]
    if len(wrong) == 2 and np.array_equal(preds[compared.a][place], preds[compared.b][place]):
        wrong = [("both", wrong[0][1])]
    parts: list[str | Label] = [_named(compared, true) if true else Label("no label"), " predicted as "]
    for place_of_wrong, (by, name) in enumerate(wrong):
        parts += [*([", "] if place_of_wrong else []), _named(compared, name) if name else "no label", f" by {by}"]
    for by, model in models:
        answer = answer_of(compared, model, place)
        parts += [f" · {by}’s answer: “{show(answer, _ANSWER_CHARS)}”"] if answer else []
    return tuple(parts)


def answer_of(compared: Compared, model: int, place: int) -> str:
    """Return the raw answer of a run in a joined row; "" where its predictions are labels or scores."""
    evaluation = compared.aligned.evaluations[model]
    answers = evaluation.answers
    if answers is None or answers_left_out(evaluation):
        return ""
    code = int(answers.codes[compared.aligned.places[model][place]])
    return "" if code == MISSING else str(answers.texts[code].as_py())


def _named(compared: Compared, name: str) -> Label:
    return Label(compared.short.get(name, name), name)


def _true_label(compared: Compared, place: int) -> str:
    return _write_label(compared.comparison.runs, compared.comparison.runs.y_true[place])


def _label(compared: Compared, model: int, place: int) -> str:
    return _write_label(compared.comparison.runs, compared.comparison.runs.preds[model][place])


def _write_label(runs: Runs, code: np.ndarray) -> str:
    """Return the label of a row, or its labels; code : int, or bool (n_labels,)."""
    if runs.many:
        return ", ".join(label for label, has in zip(runs.labels, code, strict=True) if has)
    return "" if code == UNPARSEABLE else runs.labels[int(code)]


def frame_of(compared: Compared, places: np.ndarray) -> pd.DataFrame:
    """Return joined rows as a table: the row of A's file, what tells it, the truth, and every run's prediction."""
    evaluation = compared.aligned.evaluations[compared.a]
    rows = compared.aligned.places[compared.a][places]
    columns: dict[str, object] = {"row": row_numbers(evaluation, rows)}
    for name in evaluation.rows.column_names:
        columns[name] = evaluation.rows.column(name).take(rows).to_pylist()
    columns["true label"] = [_true_label(compared, int(place)) for place in places]
    for model, name in enumerate(compared.names):
        answers = [answer_of(compared, model, int(place)) for place in places]
        if model != compared.a and any(answers):
            columns[f"answer of {name}"] = answers
        columns[f"predicted by {name}"] = [_label(compared, model, int(place)) for place in places]
    return pd.DataFrame(columns)
