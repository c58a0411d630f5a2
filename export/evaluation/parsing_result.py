"""Say in how many answers no label was found: accuracy with and without them, and what became of the answers."""

from __future__ import annotations

from data.answers.outcomes import count_outcomes
from data.answers.parsing import OUTSIDE, outcome_title
from data.evaluation import Evaluation
from export.measurement import Measurement
from export.result.kinds import Column, Count, Result, Share, Table, Words
from text.numbers import count, percent

MEANINGS = {
    "exact": "The text is exactly a label.",
    "normalised": "The text is a label apart from case, quotes, markup or punctuation.",
    "alias": "The text is another name that the parser gives a label.",
    "letter": "The text is the letter of a choice.",
    "mentioned": "A label occurs somewhere in the text. Check that it is the answer.",
    "several labels": "Several labels occur in the text, and no rule says which one counts.",
    OUTSIDE: "The text reads like a label, but the label list does not have it. It counts as a wrong prediction.",
    "refusal": "The model declines or says that it does not know.",
    "empty": "There is no text.",
    "truncated": "The text seems to be cut off before a label.",
    "echo of the prompt": "The text repeats the prompt, or most of the labels.",
    "unparseable": "There is text, but no rule finds a label in it.",
}


def has_answers(measured: Measurement) -> bool:
    """Return whether answers were parsed, or rows have no label."""
    return not measured.many and (measured.evaluation.answers is not None or bool(measured.confusion.n_unparsed))


def parsing_result(measured: Measurement) -> Result:
    """Return accuracy with and without the rows in which no label was found, and the outcomes of the answers."""
    tables = [parsed_accuracies(measured), *outcome_tables(measured.evaluation)]
    headline = parsing_headline(measured)
    return Result("unparseable", ("Answers without a label",), (), tables, (), {}, headline)


def parsing_headline(measured: Measurement) -> Words:
    """Say in how many rows no label was found, and what that means for accuracy."""
    counts = measured.confusion
    if not counts.n_unparsed:
        return (f"A label was found in all {count(counts.n)}",)
    strict, lenient = (percent(measured.number(key).value) for key in ("accuracy", "accuracy_parsed"))
    right = f"No label was found in {counts.n_unparsed:,} of {count(counts.n)}: {strict} are right"
    return (right if counts.n_unparsed == counts.n else f"{right}, or {lenient} without those rows",)


def parsed_accuracies(measured: Measurement) -> Table:
    """Return accuracy with the rows that have no label, without them, and how many they are."""
    counts = measured.confusion
    columns = (Column("number", str), Column("value", Share), Column("over", str))
    every = f"Over all {count(counts.n)}."
    parsed = f"Over {count(counts.n - counts.n_unparsed)}. It leaves out rows without a label."
    unparsed = f"{counts.n_unparsed:,} of {count(counts.n)}."
    rows = [
        ("Accuracy", Share(measured.number("accuracy").value), every),
        ("Accuracy where a label was found", Share(measured.number("accuracy_parsed").value), parsed),
        ("No label found", Share(counts.n_unparsed / counts.n), unparsed),
    ]
    return Table("parsed-accuracies", "Accuracy and parsing", columns, rows, "number", in_order=True, tiled=True)


def outcome_tables(evaluation: Evaluation) -> list[Table]:
    """Return a line for each outcome of the answers; no table where there are no answers."""
    if evaluation.answers is None:
        return []
    outcomes = count_outcomes(evaluation)
    n_rows = sum(outcome.rows for outcome in outcomes)
    columns = (
        Column("outcome", str), Column("rows", Count), Column("share", Share), Column("distinct answers", Count),
        Column("meaning", str),
    )  # fmt: skip
    rows = [
        (outcome_title(outcome.name), Count(outcome.rows), Share(outcome.rows / n_rows), Count(outcome.answers),
         MEANINGS[outcome.name])
        for outcome in outcomes
    ]  # fmt: skip
    return [Table("outcomes", "How the answers were read", columns, rows, "outcome")] if rows else []
