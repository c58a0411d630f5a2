"""Judge columns as candidates for truth and prediction: by their names, by shared labels, and by the best guess."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from data.answers.vocabulary import normalise
from data.columns.column import Column, comma_question
from data.columns.column_checks import are_copies
from data.columns.column_names import parse_name
from data.columns.name_ranks import name_strength, names_confidence, rank, sort_by_role
from data.columns.plain_labels import share_labels
from data.columns.plain_names import split_side
from data.columns.rater_columns import is_model
from data.columns.role_names import VERDICTS
from data.errors import DataError, Guess, RolesNeeded
from data.labels.cell_sets import SetEncoding, find_set_encoding, find_similar_encoding, read_members
from data.labels.encode import list_labels
from data.labels.flag_columns import find_flag_block
from data.limits import MAX_COMPARED_COLUMNS
from data.roles.score_blocks import find_score_block
from data.roles.search import (
    Search,
    find_score_columns,
    is_label_like,
    list_score_stems,
    propose_predictions,
    reduce_stem,
)
from text.numbers import verb
from text.quoting import list_items, quote

_NUMBERED = re.compile(r"(?P<name>.+?)(?:\.\d{1,3}| \(\d{1,3}\))", re.DOTALL)
"""Endings of a name that occurs twice in a file: pandas adds .1, our readers add (2)."""


def measure_overlap(first: Column, second: Column) -> float:
    """Return how far two columns hold the same labels (0.5 to 1) plus how often they agree (0 to 1); 0 if hardly."""
    values, place = share_labels(first.sample.values, second.sample.values)
    overlap = len(place.keys() & values) / max(1, min(len(values), len(place)))
    return overlap + measure_agreement(first, second) if overlap >= 0.5 else 0.0


def measure_agreement(first: Column, second: Column, among: np.ndarray | None = None) -> float:
    """Return the share of the rows of the sample in which two columns hold the same label; 0 of no rows.

    among : bool (n,): only these rows.
    """
    values, place = share_labels(first.sample.values, second.sample.values)
    lookup = np.array([*(place.get(value, -2) for value in values), -3])
    same = lookup[first.sample_codes] == second.sample_codes
    counted = same if among is None else same[among]
    return float(counted.mean()) if len(counted) else 0.0


def is_second_name(name: str, other: str) -> bool:
    """Return whether one name is that of a column and the other that of its second occurrence.

    >>> is_second_name("score", "score.1"), is_second_name("label (2)", "label (3)"), is_second_name("a", "b")
    (True, True, False)
    """
    first, second = _without_number(name), _without_number(other)
    return (first != "" and first in (other, second)) or (second != "" and second == name)


def _without_number(name: str) -> str:
    """Return the name without its number, or "" where it has none."""
    match = _NUMBERED.fullmatch(name)
    return match["name"] if match else ""


_TRIED = 1_000  # different answers
_MOST_NAMED = 0.5  # of the answers that name a label


def fits_predictions(search: Search, column: Column, predicted: Sequence[Column]) -> str:
    """Return what is predicted that fits a column as its truth, as a key of `WEIGHTS`; "" where nothing does.

    "labels": its labels, scores of them, or answers that name them; "two labels": a score of whatever; "other labels":
    what is predicted are other labels.
    """
    sets = find_set_encoding(column.sample.values)
    labels = list_labels(column.distinct.values, sets)
    others = [other for other in search.open() if other.name != column.name]
    if any(_holds_labels(pred, column, labels, sets) for pred in predicted):
        return "labels"
    if sets is not None:
        return "labels" if find_score_block(others, labels) or find_flag_block(others, labels) else ""
    if len(labels) > 1 and find_score_block(others, labels):
        return "labels"
    if any(names_labels(search.columns[name], labels) for name in sort_by_role([o.name for o in others], "raw")):
        return "labels"
    if predicted:
        return "other labels"
    return "two labels" * (len(labels) == 2 and bool(search.given.score_columns() or find_score_columns(others)))


def _holds_labels(pred: Column, truth: Column, labels: Sequence[str], sets: SetEncoding | None) -> bool:
    if sets is None:
        return not pred.is_continuous and measure_overlap(truth, pred) > 0
    way, space = find_similar_encoding(pred.sample.values, labels, sets), set(labels)
    return any(space.intersection(read_members(cell, way) or ()) for cell in pred.sample.values)


def drop_flags(columns: Sequence[Column], most: int = 2) -> list[Column]:
    """Return the columns without those of 0 and 1, if these are so many that any two of them would do."""
    flags = [column for column in columns if column.is_flag]
    return [column for column in columns if column not in flags] if len(flags) > most else list(columns)


def names_labels(column: Column, labels: Sequence[str]) -> bool:
    """Return whether most of the different texts of a column name a label."""
    if column.is_number:
        return False
    texts = [f" {normalise(text)} " for text in column.sample.values[:_TRIED]]
    words = [f" {normalise(label)} " for label in labels]
    named = sum(any(word in text for word in words) for text in texts)
    return bool(texts) and named >= _MOST_NAMED * len(texts)


def turn_files(columns: Mapping[str, Column]) -> list[str]:
    """Exchange the files of columns whose names say that truth and predictions are the wrong way round; warn of it.

    >>> import pyarrow as pa
    >>> table = pa.table({"y_true": ["a"], "y_pred": ["b"]})
    >>> columns = {name: Column(table, name) for name in table.column_names}
    >>> columns["y_true"].file, columns["y_pred"].file = "predictions", "labels"
    >>> turn_files(columns) != [], columns["y_true"].file
    (True, 'labels')
    """
    of_predictions, of_labels = (
        [column for column in columns.values() if column.file == file] for file in ("predictions", "labels")
    )
    truths, predicted = _list_truths(of_predictions), _list_predicted(of_labels)
    if not predicted and not _list_predicted(of_predictions):
        predicted = _list_scores_alone(of_labels)
        truths = truths or _list_labels_of_other_kinds(of_predictions, of_labels) if predicted else []
    if not (truths and predicted) or _list_truths(of_labels) or _list_predicted(of_predictions):
        return []
    for column in columns.values():
        if not column.is_key:  # it counts as of the predictions, whichever file they are in
            column.file = {"predictions": "labels", "labels": "predictions"}.get(column.file, column.file)
    return [
        f"The two files are the wrong way round by the names of their columns: {quote(truths[0])} is taken as the "
        f"truth, and {quote(predicted[0])} as what is predicted. Give the predictions first if that is right."
    ]


def _list_scores_alone(columns: Sequence[Column]) -> list[str]:
    """Return the columns named like a score, from 0 to 1; a confidence may be a person's."""
    scores = [c for c in find_score_columns(columns) if c.is_continuous and not names_confidence(c.name)]
    return [column.name for column in scores if column.is_in_unit_range]


def _list_labels_of_other_kinds(columns: Sequence[Column], others: Sequence[Column]) -> list[str]:
    """Return the one column of two labels or more, unless the other file has a column with its labels, or a score."""
    like = [column for column in columns if _repeats_labels(column)]
    shared = any(measure_overlap(column, other) for column in like for other in others if _repeats_labels(other))
    return [] if shared or len(like) != 1 or find_score_columns(columns) else [like[0].name]


def _repeats_labels(column: Column) -> bool:
    """Return whether a column that only one of two files has holds two values or more, of which one occurs again."""
    alone = not split_side(column.name)[1] and rank(column.name, "id") is None and not column.is_continuous
    return alone and column.repeats_labels


def _list_truths(columns: Sequence[Column]) -> list[str]:
    """Return the columns that are named like a truth, surely or as other roles are, too."""
    return [c.name for c in columns if name_strength(c.name, "truth") not in (None, "weak name")]


def _list_predicted(columns: Sequence[Column]) -> list[str]:
    """Return the columns that are named like predictions and like no truth, or like scores of several classes."""
    scores = [column.name for column in find_score_columns(columns)]
    named = [c.name for c in columns if name_strength(c.name, "prediction") or is_model(c.name)]
    hard = [name for name in named if not name_strength(name, "truth")]
    return hard or (scores if len(scores) > 1 else [])


def find_scored(search: Search, columns: Sequence[Column]) -> list[Column]:
    """Return the columns after which, or after what they ask, a column of numbers is named as their score."""
    stems: dict[str, set[str]] = {}
    for score in search.open():
        for stem in list_score_stems(score) if score.is_number_like else ():
            stems.setdefault(stem, set()).add(score.name)
    names = {column.name: {reduce_stem(column.name), *_find_asked(column)} for column in columns}
    return [c for c in columns if any(stems.get(stem, set()) - {c.name} for stem in names[c.name])]


def _find_asked(column: Column) -> set[str]:
    """Return the label that a column of two values asks about: fraud, for is_fraud; empty where it is no label."""
    stems = {reduce_stem(r.stem) for r in parse_name(column.name) if r.kind == "question"}
    return stems - VERDICTS if len(column.sample.values) <= 2 else set()


def asks_question(column: Column) -> bool:
    """Return whether a column of 0 and 1 is named as a question whose answer may be a label."""
    return column.is_flag and bool(_find_asked(column))


def missing_role_error(what: str, search: Search) -> DataError:
    """Return the question for a truth, or for predictions: what was found, what is missing, what to do."""
    for column in find_score_columns(search.open()) if what == "prediction" else ():
        question = comma_question(column.array, column.name)
        if question is not None:
            return question
    guess = guess_roles(search)
    empty = [name for name, column in search.columns.items() if not column.distinct.values]
    hint = f" {list_items(empty, 2, 24)} {verb(len(empty), 'is')} empty in every row." if empty else ""
    truth = next((name for name, (role, _) in search.roles.items() if role == "truth"), None)
    if what == "prediction" and truth is not None:
        text = f"True labels found in {quote(truth)}. Predictions are missing: upload them or choose a column."
        return RolesNeeded(text + _describe_others(search, truth, "y_pred, output, p_spam") + hint, guess)
    named = [
        (word, names[0])
        for word, names in zip(
            ("Predictions", "Scores", "Answers"), _find_predicted(search, _find_usable(search)), strict=True
        )
        if names
    ]
    fractions = [column.name for column in search.columns.values() if column.is_continuous]
    if what == "truth" and (of_truth := sort_by_role(fractions, "truth")):
        return RolesNeeded(
            f"{quote(of_truth[0])} is named like true labels, but holds fractions, as scores do. Choose the column of "
            "true labels; choose this one if each of its numbers is a label.",
            guess,
        )
    if what == "truth" and named:
        word, name = named[0]
        text = f"{word} found in {quote(name)}. True labels are missing: upload them or choose a column."
        return RolesNeeded(text + _describe_others(search, name, "truth, label, y_true") + hint, guess)
    text = (
        "No column looks like true labels (y_true, label), and none like predictions (y_pred, output, p_spam). "
        "Choose both columns, or upload the file that holds them."
    )
    return RolesNeeded(text + hint, guess)


def _describe_others(search: Search, column: str, names: str) -> str:
    """Return which columns were looked at in vain, and the names that would have been found."""
    others = [name for name in search.columns if name != column]
    return f" No other column is named like one ({names})" + (f": {list_items(others, 4, 24)}." if others else ".")


def guess_roles(search: Search, copies: Sequence[Column] = ()) -> Guess:
    """Return the roles that fit best, however weakly; None = nothing fits.

    copies : two columns of which one repeats the other; the second counts only where nothing else is left.
    """
    columns = [column for column in _find_usable(search) if column not in copies[1:]]
    preds, scores, raws = _find_predicted(search, columns)
    pred = next(iter(preds), None)
    truth = _guess_truth(search, columns, pred, _list_flags(columns, pred) if scores else copies[:1])
    if not (preds or scores or raws) and truth is not None:
        pred = _find_partner(search.columns[truth], columns) or (copies[1].name if copies else None)
    fractions = [column.name for column in columns if column.is_continuous and column.is_in_unit_range]
    if not (preds or scores or raws or truth) and len(fractions) == 1:  # no name says anything
        scores = fractions
        truth = next((column.name for column in _list_flags(columns, None)), None)
    score = next((name for name in scores if name != truth), None)
    raw = raws[0] if raws and pred is None and score is None else None
    return Guess(truth, pred, raw, score)


def _find_usable(search: Search) -> list[Column]:
    """Return the columns that hold something and name no rows."""
    return [c for c in search.columns.values() if c.distinct.values and rank(c.name, "id") is None]


def _find_predicted(search: Search, columns: Sequence[Column]) -> tuple[list[str], list[str], list[str]]:
    """Return the columns of predictions, of scores and of answers, as given or by their names, the best first."""
    given = search.given
    taken = [given.truth, *_list_found_truth(search)]
    proposed = propose_predictions(search, columns)
    proposed = [name for name in proposed if is_label_like(search.columns[name], search.label_set)]
    preds = [given.pred] if given.pred is not None else [n for n in proposed if n not in taken]
    scores = given.score_columns() or [column.name for column in find_score_columns(columns)]
    free = [column.name for column in columns if column.is_free and not column.is_number]
    return preds, scores, [given.raw] if given.raw is not None else sort_by_role(free, "raw")


def _guess_truth(search: Search, columns: Sequence[Column], pred: str | None, last: Sequence[Column]) -> str | None:
    """Return the truth: as given or found, by its name, as a question, by what it shares, or one of the `last`."""
    truths = _list_found_truth(search)
    like = [c for c in columns if c.name != pred and is_label_like(c, search.label_set)]
    named = sort_by_role([c.name for c in like], "truth")
    questions = [c.name for c in like if asks_question(c)]
    shared = [partner] if pred and (partner := _find_partner(search.columns[pred], like)) else []
    given = [search.given.truth] if search.given.truth else []
    return next(iter([*given, *truths, *named, *questions, *shared, *(column.name for column in last)]), None)


def _list_found_truth(search: Search) -> list[str]:
    return [name for name, (role, _) in search.roles.items() if role == "truth" and name not in search.by_values]


def _list_flags(columns: Sequence[Column], pred: str | None) -> list[Column]:
    """Return the columns of two values, the last first: tables often end with their label."""
    return [c for c in reversed(columns) if c.name != pred and len(c.distinct.values) == 2 and not c.is_continuous]


def _find_partner(column: Column, others: Sequence[Column]) -> str | None:
    """Return the column that shares the most labels with another, and is no copy of it."""
    shares = {
        other.name: measure_overlap(column, other)
        for other in others[:MAX_COMPARED_COLUMNS]
        if other is not column and not other.is_continuous and not are_copies(column, other)
    }
    best = max(shares, key=lambda name: shares[name], default=None)
    return best if best is not None and shares[best] else None


def free_text_question(error: DataError, search: Search) -> RolesNeeded:
    """Return the error for a truth of free text as a question with a guess."""
    return RolesNeeded(str(error), guess_roles(search))
