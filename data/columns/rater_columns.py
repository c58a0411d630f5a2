"""Find the raters of a file: columns that give the same units the same categories, or lines of unit, rater, rating."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pyarrow as pa

from data.columns.column import Column
from data.columns.column_names import parse_name, says_score
from data.columns.name_ranks import name_strength, rank
from data.columns.plain_names import split_words
from data.columns.role_names import ACTUAL_WORDS, EXPECTED_WORDS, HAND_WORDS, MODEL_WORDS, NO_LABEL_WORDS, fold
from data.evaluation import Evaluation

MOST_CATEGORIES, MOST_RATERS = 20, 50
MOST_PAIR_CATEGORIES = 5
_ANSWERS = ({"a", "b"}, {"1", "2"}, {"x", "y"}, {"first", "second"}, {"left", "right"}, {"one", "two"})
"""Names of the two answers of a pair that are no names of classes."""
_RATER = re.compile(
    r"(?:^|[^a-z])(?:rater|annotator|annotation|judge|human|person|coder|reviewer|expert|grader|evaluator|labell?er|"
    r"worker|assessor|crowd|majority|consensus)s?(?:[^a-z]|$)",
)
_MODEL = re.compile(
    r"(?:^|[^a-z])(?:judge|model|llm|ai|gpt|chatgpt|claude|llama|gemini|mistral|mixtral|qwen|deepseek|command|phi|classifier)"
    r"(?:[^a-z]|$)"
)
_LINES = (
    ("unit", "unitid", "item", "itemid", "id", "example", "exampleid", "document", "doc", "docid", "question",
     "questionid", "subject", "case", "task", "taskid", "text"),
    ("rater", "raterid", "annotator", "annotatorid", "judge", "coder", "coderid", "reviewer", "worker", "workerid",
     "grader", "labeler", "labeller", "evaluator", "assessor", "expert"),
    ("rating", "label", "category", "verdict", "vote", "annotation", "score", "grade", "code", "judgement",
     "judgment", "preference"),
)  # fmt: skip

ORDERS = ("first", "shownfirst", "presentedfirst", "order", "position")
"""Names of columns that say which answer of a pair stood first."""
SWAPPED = re.compile(r"[ _.-](?:swapped|swap|reversed|reverse|flipped)$", re.IGNORECASE)
"""The end of the name of a rater who was asked again, with the answers in the other order."""


class RaterColumns(NamedTuple):
    """Name the columns of ratings: a column a rater, or lines of (unit, rater, rating).

    Exactly one of them is not empty.
    """

    columns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def find_raters(table: pa.Table) -> RaterColumns | None:
    """Find the raters of a file; None where it has no several ones that show.

    Columns are raters where at least two share their categories, and the name of one says rater, judge, model or so;
    columns that are named like a truth, a prediction or an id are none.

    >>> find_raters(pa.table({"rater_1": ["y", "n"] * 2, "rater_2": ["y", "n"] * 2, "text": list("abcd")})).columns
    ('rater_1', 'rater_2')
    """
    lines = _find_lines(table)
    if lines is not None:
        return RaterColumns(lines=lines)
    if not any(map(says_rater, table.column_names)):  # most files: no cell is looked at
        return None
    columns = [Column(table, name) for name in table.column_names]
    possible = [column for column in columns if _holds_ratings(column)]
    groups = [
        [other for other in possible if _share_categories(other, named)] for named in possible if says_rater(named.name)
    ]
    best = max(groups, key=len, default=[])
    return RaterColumns(tuple(rater.name for rater in best)) if 2 <= len(best) <= MOST_RATERS else None


def other_raters(evaluation: Evaluation) -> frozenset[str]:
    """Return the columns of raters where truth or prediction is one of them.

    Others rated the same: slices by them only say where raters disagree, as the page Agreement does.
    """
    used = {evaluation.settings.truth, evaluation.settings.pred}
    raters = find_raters(evaluation.rows)
    return frozenset(raters.columns) if raters is not None and used & set(raters.columns) else frozenset()


def says_rater(name: str) -> bool:
    """Return whether a name is one of a rater: a person of some kind, or a model.

    >>> says_rater("rater_1"), says_rater("gpt-4 verdict"), says_rater("region")
    (True, True, False)
    """
    spaced = _space_words(name)
    return bool(_RATER.search(spaced) or _MODEL.search(spaced))


def is_person(name: str) -> bool:
    """Return whether a name is that of somebody who labels, and not of a model.

    >>> is_person("annotator_2"), is_person("judge_large"), is_person("human_label"), is_person("majority_vote")
    (True, False, True, True)
    """
    spaced = _space_words(name)
    return bool(_RATER.search(spaced)) and not _MODEL.search(spaced)


def is_model(name: str) -> bool:
    """Return whether a rater's name is that of a model.

    >>> is_model("judge_large"), is_model("GPT4"), is_model("anna")
    (True, True, False)
    """
    return bool(_MODEL.search(_space_words(name)))


def find_counterparts(names: Iterable[str]) -> dict[str, str]:
    """Map columns that are named as the predictions of another to that one, the truth.

    An actual label beside an expected one is predicted only where no other name is surely that of predictions.

    >>> find_counterparts(["intent", "top_intent", "text"]), find_counterparts(["expected", "actual"])
    ({'top_intent': 'intent'}, {'actual': 'expected'})
    >>> find_counterparts(["human", "model"]), find_counterparts(["expected", "actual", "y_pred"])
    ({'model': 'human'}, {})
    """
    words = {name: frozenset(split_words(name)) for name in names}
    words = {name: of for name, of in words.items() if not of & NO_LABEL_WORDS}
    places = {of - {word for word in of if is_person(word)}: name for name, of in reversed(words.items())}
    places |= {of.difference(HAND_WORDS.split()): name for name, of in words.items()}
    places |= {of: name for name, of in words.items()}
    has_prediction = any(name_strength(name, "prediction") == "sure name" for name in words)
    counterparts = {}
    for name, of in words.items():
        truths = [of - {word for word in of if word in MODEL_WORDS or is_model(word)}]
        if of & ACTUAL_WORDS and not has_prediction:
            truths += [of - ACTUAL_WORDS | {word} for word in EXPECTED_WORDS]
        known = [places[truth] for truth in truths if truth in places and truth != of and (truth or is_model(name))]
        if known:
            counterparts[name] = known[0]
    return counterparts


def _space_words(name: str) -> str:
    return re.sub(r"(?<=[a-zA-Z])(?=\d)", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).casefold()


def _find_lines(table: pa.Table) -> tuple[str, ...] | None:
    """Return the columns of unit, rater and rating: each by its name, and units that more than one line is about."""
    names = {fold(name): name for name in reversed(table.column_names)}
    columns = [next((names[word] for word in words if word in names), None) for words in _LINES]
    unit, rater, rating = columns
    if unit is None or rater is None or rating is None:
        return None
    units, raters = (Column(table, name).distinct for name in (unit, rater))
    repeated = len(units.values) < len(table) and 2 <= len(raters.values) <= MOST_RATERS
    return (unit, rater, rating) if repeated else None


def _holds_ratings(column: Column) -> bool:
    if len(column.sample.values) > MOST_CATEGORIES:  # texts and ids of a large file are not gone through
        return False
    no_label = column.is_continuous or column.is_free or not 2 <= len(column.distinct.values) <= MOST_CATEGORIES
    if no_label or len(column.distinct.values) * 2 > len(column.distinct.codes) or fold(column.name) in ORDERS:
        return False
    if any(says_score(reading.affix) for reading in parse_name(column.name)):
        return False  # human_score is the score of a class
    return says_rater(column.name) or all(rank(column.name, role) is None for role in ("truth", "prediction", "id"))


def _share_categories(column: Column, other: Column) -> bool:
    a, b = set(column.distinct.values), set(other.distinct.values)
    return len(a & b) * 2 >= len(a | b)


class Sides(NamedTuple):
    """Name the two categories of a pair of answers, and the columns that say something of each answer.

    stems : what two columns have in common → (column of one category, column of the other).
    """

    first: str
    second: str
    stems: dict[str, tuple[str, str]]


def find_sides(table: pa.Table, categories: Sequence[str], raters: Sequence[str] = ()) -> Sides | None:
    """Find columns that say something of the two answers of a pair: one each, that ends in the category's name.

    categories : of the ratings; a pair has few: its two answers, ties, both bad.
    raters : columns that are raters, and so say nothing of an answer.

    >>> find_sides(pa.table({"words_a": [1], "words_b": [2], "id": [1]}), ["a", "b", "tie"])
    Sides(first='a', second='b', stems={'words': ('words_a', 'words_b')})
    """
    if len(categories) > MOST_PAIR_CATEGORIES:
        return None
    columns = [name for name in table.column_names if name not in raters]
    stems_of = {category: _stems(columns, category) for category in categories}
    for place, this in enumerate(categories):
        for other in categories[place + 1 :]:
            shared = [stem for stem in stems_of[this] if stem in stems_of[other]]
            stems = {stem: (stems_of[this][stem], stems_of[other][stem]) for stem in shared}
            if _are_answers(table, this, other, stems):
                return Sides(this, other, stems)
    return None


def _stems(columns: Sequence[str], category: str) -> dict[str, str]:
    """Return the columns whose names end in a category, by what stands before it."""
    ending = re.compile(rf"(.+)[ _.-]{re.escape(category)}", re.IGNORECASE | re.DOTALL)
    matches = {name: ending.fullmatch(name) for name in columns}
    return {match[1]: name for name, match in matches.items() if match}


def _are_answers(table: pa.Table, category: str, other: str, stems: dict[str, tuple[str, str]]) -> bool:
    """Return whether two categories are answers, and no classes: p_yes beside p_no are scores of classes."""
    if not stems or fold(category) == fold(other):
        return False
    if {category.casefold(), other.casefold()} in _ANSWERS:
        return True
    return any(Column(table, first).is_free and Column(table, second).is_free for first, second in stems.values())
