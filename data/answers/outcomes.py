"""Count what became of free text answers: by outcome, by answer, and between two parsers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from data.answers.parsed_answers import count_distinct_answers
from data.answers.parsing import OUTCOMES, normalise
from data.columns.column import Column, holds_text
from data.columns.name_ranks import sort_by_role
from data.columns.table_metadata import answers_left_out
from data.evaluation import MISSING, UNPARSEABLE, Answers, Evaluation

SAMPLED = 200
"""Texts of a column that are looked at to tell whether it could hold answers."""

ANSWERS_PER_PAGE = 20


class OutcomeRows(NamedTuple):
    """One outcome: its name, its scored rows, and the distinct answers among them (null counts as one)."""

    name: str
    rows: int
    answers: int


def count_answer_rows(evaluation: Evaluation) -> np.ndarray:
    """Count the scored rows of every distinct answer: int64 (m + 1,), the last place for cells without text."""
    answers = _require_answers(evaluation)
    codes = answers.codes[evaluation.scored]
    m = len(answers.texts)
    rows = evaluation.rows_per_line[evaluation.scored]
    return np.bincount(np.where(codes == MISSING, m, codes), rows, minlength=m + 1).astype(np.int64)


def outcome_names(evaluation: Evaluation) -> np.ndarray:
    """Return the outcome of every distinct answer and, last, of no text: int8 (m + 1,), index into `OUTCOMES`."""
    return np.append(_require_answers(evaluation).outcomes, np.int8(OUTCOMES.index("empty")))


def count_outcomes(evaluation: Evaluation) -> list[OutcomeRows]:
    """Count rows and distinct answers of the outcomes that occur, in the order of `OUTCOMES`.

    >>> import pyarrow as pa
    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["ham", "spam", "spam"], "output": ["ham", "Spam.", ""]})
    >>> found = build(table, Settings(truth="y", raw="output"), name="demo", content_sha256="0")
    >>> [tuple(one) for one in count_outcomes(found)]
    [('exact', 1, 1), ('normalised', 1, 1), ('empty', 1, 1)]
    """
    rows, which = count_answer_rows(evaluation), outcome_names(evaluation)
    total = np.bincount(which, rows, minlength=len(OUTCOMES)).astype(np.int64)
    distinct = np.bincount(which[rows > 0], minlength=len(OUTCOMES))
    n_answers = dict(zip(OUTCOMES, distinct.tolist(), strict=True))
    if answers_left_out(evaluation):  # of a share: its table says how many there were
        n_answers = count_distinct_answers(evaluation)
    n_rows = zip(OUTCOMES, total.tolist(), strict=True)
    return [OutcomeRows(name, n, n_answers.get(name, 0)) for name, n in n_rows if n]


def find_answers(evaluation: Evaluation, outcome: str) -> np.ndarray:
    """Return the distinct answers with an outcome, most rows first: int64, index into the texts; m = no text."""
    rows, which = count_answer_rows(evaluation), outcome_names(evaluation)
    chosen = np.flatnonzero((which == OUTCOMES.index(outcome)) & (rows > 0))
    return chosen[np.argsort(-rows[chosen], kind="stable")]


def find_answer_rows(evaluation: Evaluation, code: int) -> np.ndarray:
    """Return the scored rows that hold one distinct answer (m = no text at all), in file order."""
    answers = _require_answers(evaluation)
    wanted = MISSING if code == len(answers.texts) else code
    return np.flatnonzero(evaluation.scored & (answers.codes == wanted))


def text_of(evaluation: Evaluation, code: int) -> str:
    """Return a distinct answer; no text at all is empty."""
    texts = _require_answers(evaluation).texts
    return str(texts[int(code)].as_py()) if code < len(texts) else ""


def label_of(evaluation: Evaluation, code: int) -> str | None:
    """Return the label that was read from a distinct answer; None where none was."""
    answers = _require_answers(evaluation)
    label_code = int(answers.labels[code]) if code < len(answers.texts) else UNPARSEABLE
    return evaluation.labels[label_code] if label_code >= 0 else None


def count_truths(evaluation: Evaluation, code: int) -> Counter[str]:
    """Count the true labels of the rows that hold one distinct answer."""
    rows = find_answer_rows(evaluation, code)
    codes, places = np.unique(evaluation.y_true[rows], return_inverse=True)
    weights = None if evaluation.weights is None else evaluation.weights[rows]
    counts = np.bincount(places, weights, minlength=len(codes)).astype(int)
    return Counter({evaluation.labels[code]: n for code, n in zip(codes.tolist(), counts.tolist(), strict=True)})


class Reread(NamedTuple):
    """Differences between two parsers on the same answers, in scored rows.

    rows : another label is read, or one of them none. gained, lost : become right, are no longer right.
    codes : the distinct answers that are read differently, those with the most rows first.
    """

    rows: int
    gained: int
    lost: int
    codes: np.ndarray


def compare_readings(before: Evaluation, after: Evaluation) -> Reread:
    """Compare what two parsers read from the answers of one file."""
    code_of = {label: code for code, label in enumerate(dict.fromkeys((*before.labels, *after.labels)))}
    differs = np.flatnonzero(_read_labels(before, code_of) != _read_labels(after, code_of))
    rows = count_answer_rows(after)[differs]
    right_before = before.scored & (before.y_true == before.y_pred)
    right_after = after.scored & (after.y_true == after.y_pred)
    gained = after.count_rows(right_after & ~right_before)
    lost = after.count_rows(right_before & ~right_after)
    return Reread(int(rows.sum()), gained, lost, differs[np.argsort(-rows, kind="stable")])


def _read_labels(evaluation: Evaluation, code_of: Mapping[str, int]) -> np.ndarray:
    """Return the code of the label that was read from every distinct answer; UNPARSEABLE where none was."""
    codes = np.array([*(code_of[label] for label in evaluation.labels), UNPARSEABLE])
    labels = np.maximum(_require_answers(evaluation).labels, -1)  # -1, the last place: no label
    return np.asarray(codes[labels])


def find_answer_columns(evaluation: Evaluation) -> list[str]:
    """Return columns of text that could hold raw answers although they are not read: fitting names first.

    After them comes free text in which labels occur; a message or a prompt that names none is not offered.
    """
    settings = evaluation.settings
    taken = {settings.truth, settings.pred, settings.raw, settings.id, *(column for column, _ in settings.scores)}
    texts = [field.name for field in evaluation.rows.schema if field.name not in taken and holds_text(field.type)]
    named = sort_by_role(texts, "raw")
    return named + [name for name in texts if name not in named and _names_labels(evaluation, name)]


def _names_labels(evaluation: Evaluation, name: str) -> bool:
    """Return whether a column is free text, and one in ten of a sample of its texts holds a label."""
    column = Column(evaluation.rows, name)
    if not column.is_free:
        return False
    texts = [f" {normalise(text)} " for text in column.sample.values[:SAMPLED]]
    labels = [f" {normalise(label)} " for label in evaluation.labels]
    return 10 * sum(any(label in text for label in labels) for text in texts) >= len(texts)


def _require_answers(evaluation: Evaluation) -> Answers:
    if evaluation.answers is None:
        raise ValueError("predictions that are labels or scores have no answers")
    return evaluation.answers
