"""Say of questions that were answered several times which are always right, and what several answers would give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from data.rows.cells import take_cells
from export.evaluation.repeats import KINDS, Questions, RepeatNumbers, count_questions, measure_repeats
from export.file_reading import NOT_WEIGHTED
from export.interval_text import interval_cell
from export.measurement import Measurement
from export.result.kinds import Column, Count, Label, Number, Result, Sentence, Share, Table, Unknown, Words
from text.intervals import name_interval, points
from text.numbers import count, percent, verb

LISTED_QUESTIONS = 200
"""Questions that are listed; the JSON has all of them."""


def repeats_result(measured: Measurement) -> Result | None:
    """Return what the answers of the same questions say; None where no question is known to have several."""
    questions = count_questions(measured)
    if questions is None:
        return None
    numbers, divided = measure_repeats(questions, measured.level), list_divided(measured, questions)
    questions_of_all = f"{len(divided):,} of {count(numbers.n, 'repeated question')}"
    headline = f"{questions_of_all} {verb(len(divided), 'is')} answered right only sometimes"
    gain = points(numbers.gain.value, numbers.gain.low, numbers.gain.high)
    single, vote = percent(numbers.one_answer.value), percent(numbers.kinds["majority_right"].share.value)
    sentence = f"The majority of the answers is right for {vote} of them, one answer for {single}: {gain}."
    tables = [
        _kinds_table(numbers, measured.level),
        _draws_table(numbers, measured.level),
        _divided_table(divided, measured.names),
    ]
    keys = {"repeats": _to_json(questions, numbers, divided)}
    return Result(
        "repeats", ("Repeated questions",), [(sentence,)], tables, _notes(measured, questions), keys, (headline,)
    )  # fmt: skip


def list_divided(measured: Measurement, questions: Questions) -> list[dict[str, Any]]:
    """List the questions with right and wrong answers, the most divided first; of equals, that of more answers."""
    from data.rows.row_table import label_names  # its imports take longer than a small file

    counts, e = questions.counts, measured.evaluation
    places = np.flatnonzero(counts.is_divided)
    apart = np.abs(counts.right[places] / counts.answers[places] - 0.5)
    places = places[np.lexsort((questions.rows[places], -counts.answers[places], apart))]
    ids = take_cells(e.rows.column(questions.named_by.column), questions.rows[places]).to_pylist()
    votes = label_names(e, e.y_pred, questions.vote_rows[places])
    columns = (column[places].tolist() for column in counts)
    return [
        {"question": str(name), "answers": answers, "right": right, "different": different,
         "majority": vote if code >= 0 else None}
        for name, vote, answers, right, different, code in zip(ids, votes, *columns, strict=True)
    ]  # fmt: skip


def _kinds_table(numbers: RepeatNumbers, level: float) -> Table:
    ends = name_interval(level)
    columns = (Column("of these questions", str), Column("questions", Count), Column("share", Share, ends))
    rows = [
        (KINDS[key], Count(part.questions), Share(*part.share[:3], about=part.share.method))
        for key, part in numbers.kinds.items()
    ]
    note = "The majority is the label of most answers. A tie has none and is not counted as right."
    title = f"{count(numbers.n, 'repeated question')}: how many are right"
    return Table("repeats-kinds", title, columns, rows, "kind", in_order=True, note=(note,))


def _draws_table(numbers: RepeatNumbers, level: float) -> Table:
    ends = name_interval(level)
    columns = (
        Column("answers, k", str), Column("questions", Count, about="With k answers or more"),
        Column("pass@k", Number, ends, about="The chance that one of k answers is right"),
        Column("pass^k", Number, ends, about="The chance that all k answers are right"),
    )  # fmt: skip
    rows = [
        (str(draw.k), Count(draw.questions), interval_cell(draw.one_right), interval_cell(draw.all_right))
        for draw in numbers.draws
    ]
    note = "Each question with k answers or more counts once. Those with fewer are left out of that line."
    return Table("repeats-draws", "One of k answers right, and all", columns, rows, "k", in_order=True, note=(note,))


def _divided_table(divided: list[dict[str, Any]], names: Mapping[str, str]) -> Table:
    """List the questions whose answers are right and wrong; the first of many."""
    columns = (
        Column("question", Label), Column("answers", Count), Column("right", Count),
        Column("different labels", Count), Column("majority", Label),
    )  # fmt: skip
    rows = [
        (Label(line["question"]), Count(line["answers"]), Count(line["right"]), Count(line["different"]),
         Unknown("no majority") if line["majority"] is None else Label(names.get(line["majority"], line["majority"])))
        for line in divided[:LISTED_QUESTIONS]
    ]  # fmt: skip
    first = f"The first {LISTED_QUESTIONS} of {len(divided):,} questions; the JSON has all."
    note = (first,) if len(divided) > LISTED_QUESTIONS else ()
    title = "Questions with right and wrong answers, the most divided first"
    return Table("repeats-divided", title, columns, rows, "question", in_order=True, note=note)


def _notes(measured: Measurement, questions: Questions) -> list[Words]:
    notes: list[Words] = [(Sentence(text),) for text in questions.named_by.warnings]
    if questions.n_not_scored:
        notes.append((f"{count(questions.n_not_scored, 'answer')} without a true label or a prediction are left out.",))
    if questions.n_mixed:
        notes.append((f"{count(questions.n_mixed, 'question')} with different true labels are left out.",))
    if not questions.is_nested:
        notes.append(("No intervals: the answers of a question lie in several clusters.",))
    return notes if measured.evaluation.units is None else [*notes, (NOT_WEIGHTED,)]


def _to_json(questions: Questions, numbers: RepeatNumbers, divided: list[dict[str, Any]]) -> dict[str, Any]:
    """Return every number of the questions by the names that they have in the JSON."""
    answers = questions.counts.answers
    return {
        "column": questions.named_by.column,
        "questions": len(answers),
        "answers": int(answers.sum()),
        "repeated_questions": numbers.n,
        "most_answers": int(answers.max()),
        "answers_not_scored": questions.n_not_scored,
        "questions_of_several_truths": questions.n_mixed,
        **{name: {"questions": part.questions, **part.share.with_value()} for name, part in numbers.kinds.items()},
        "one_answer": numbers.one_answer.with_value(),
        "majority_gain": numbers.gain.with_value(),
        "draws": [
            {"k": draw.k, "questions": draw.questions, "pass_at_k": draw.one_right.with_value(),
             "pass_hat_k": draw.all_right.with_value()}
            for draw in numbers.draws
        ],
        "divided": divided,
    }  # fmt: skip
