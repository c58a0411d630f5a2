"""Finding the truth by a name that says it only together with other columns: is_fraud beside fraud_score."""

from __future__ import annotations

from collections.abc import Sequence

from data.answers.parsing import normalise
from data.columns.column import Column
from data.columns.column_names import fold, rank, ranked, readings, says_score, unaccented
from data.columns.role_names import VERDICTS
from data.labels.cell_sets import SetEncoding, encoding_like, members, set_encoding
from data.roles.agreement import shared_labels
from data.roles.column_blocks import flag_block, score_block
from data.roles.search import Search
from data.roles.set_columns import labels_of, proposed_predictions
from text.sentences import quoted

_TRIED = 1_000  # different answers
_MOST_NAMED = 0.5  # of the answers that name a label


def truth_only(name: str) -> str:
    """The warning that no name told the truth."""
    return (
        f"The truth was found by its values only: {quoted(name)}. Check it, and choose another column if it is wrong."
    )


def fits_predictions(search: Search, column: Column) -> bool:
    """Return whether something predicted fits a column as its truth: labels, scores of its labels, or answers."""
    sets = set_encoding(column.sample.values)
    labels = labels_of(column, sets)
    others = [other for other in search.open() if other.name != column.name]
    given = search.given.pred
    names = [given] if given is not None else proposed_predictions(search, others)
    if any(_holds_labels(search.columns[name], column, labels, sets) for name in names):
        return True
    if sets is not None:
        return bool(score_block(others, labels) or flag_block(others, labels))
    if len(labels) > 1 and score_block(others, labels):
        return True
    if len(labels) == 2 and (search.given.score_columns() or score_columns(others)):
        return True
    return any(mostly_named(search.columns[name], labels) for name in ranked([o.name for o in others], "raw"))


def _holds_labels(pred: Column, truth: Column, labels: Sequence[str], sets: SetEncoding | None) -> bool:
    if sets is None:
        return not pred.is_continuous and shared_labels(truth, pred) > 0
    way, space = encoding_like(pred.sample.values, labels, sets), set(labels)
    return any(space.intersection(members(cell, way) or ()) for cell in pred.sample.values)


def mostly_named(column: Column, labels: Sequence[str]) -> bool:
    """Return whether most of the different texts of a column name a label."""
    if column.is_number:
        return False
    texts = [f" {normalise(text)} " for text in column.sample.values[:_TRIED]]
    words = [f" {normalise(label)} " for label in labels]
    named = sum(any(word in text for word in words) for text in texts)
    return bool(texts) and named >= _MOST_NAMED * len(texts)


def score_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of numbers that are named like a score, of whatever."""
    return [c for c in columns if c.is_number_like and (rank(c.name, "score") is not None or _score_stems(c))]


def _score_stems(column: Column) -> set[str]:
    """Return what a column is named as the score of: fraud, for fraud_score and p_fraud."""
    found = [r for r in readings(column.name) if r.kind == "score"]
    return {_compared(r.stem) for r in found if says_score(r.affix) or r.affix.startswith("p_")}


def _compared(stem: str) -> str:
    return unaccented(fold(stem))


def score_of(search: Search, column: Column) -> Column | None:
    """Return the column of numbers that is named as the score of another column, or of what that asks."""
    stems = {_compared(column.name), *_asked(column)}
    others = (other for other in search.open() if other is not column and other.is_number_like)
    return next((other for other in others if stems & _score_stems(other)), None)


def named_in_score(search: Search, like: Sequence[Column]) -> Column | None:
    """Return the only column of two values whose name, or question, has a score: is_fraud beside fraud_score."""
    if search.given.pred is not None or search.given.raw is not None:
        return None
    found = [(c, score) for c in like if len(c.sample.values) <= 2 and (score := score_of(search, c)) is not None]
    if len({column.name for column, _ in found}) != 1:
        return None
    truth, score = found[0]
    search.take(truth.name, "truth", f"{quoted(score.name)} is named as its score")
    return truth


def _asked(column: Column) -> set[str]:
    """Return what a column of two values asks of a row: fraud, for is_fraud; nothing, where that is no label."""
    stems = {_compared(r.stem) for r in readings(column.name) if r.kind == "question"}
    return stems - VERDICTS if len(column.sample.values) <= 2 else set()


def asks_question(column: Column) -> bool:
    """Return whether a column of 0 and 1 is named as a question whose answer may be a label."""
    return column.is_flag and bool(_asked(column))


def only_question(search: Search, like: Sequence[Column]) -> Column | None:
    """Return the only column that asks a question, in a file with a score and no other truth; told in a warning."""
    questions = [column for column in like if asks_question(column)]
    scored = search.given.score_columns() or score_columns(search.open())
    if len(questions) != 1 or not scored:
        return None
    name = search.take(questions[0].name, "truth", "the only column that asks a question, beside a score")
    search.warnings.append(truth_only(name))
    return questions[0]
