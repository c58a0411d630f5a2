"""Find the raters of a file: columns that give the same units the same categories, or lines of unit, rater, rating."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from data.columns.column import Column
from data.columns.column_names import rank
from data.columns.role_names import fold

MOST_CATEGORIES, MOST_RATERS = 20, 50
_RATER = re.compile(
    r"(?:^|[^a-z])(?:rater|annotator|annotation|judge|human|person|coder|reviewer|expert|grader|evaluator|labell?er|"
    r"worker|assessor|crowd|majority|consensus)s?(?:[^a-z]|$)",
)
_MODEL = re.compile(
    r"(?:^|[^a-z])(?:judge|model|llm|ai|gpt|chatgpt|claude|llama|gemini|mistral|mixtral|qwen|deepseek|command|phi)"
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
    columns = [Column(table, name) for name in table.column_names]
    possible = [column for column in columns if _holds_ratings(column)]
    groups = [
        [one for one in possible if _share_categories(one, named)] for named in possible if says_rater(named.name)
    ]
    best = max(groups, key=len, default=[])
    return RaterColumns(tuple(one.name for one in best)) if 2 <= len(best) <= MOST_RATERS else None


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


def _space_words(name: str) -> str:
    return re.sub(r"(?<=[a-zA-Z])(?=\d)", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).casefold()


def _find_lines(table: pa.Table) -> tuple[str, ...] | None:
    """Return the columns of unit, rater and rating: each by its name, and units that more than one line is about."""
    names = {fold(name): name for name in reversed(table.column_names)}
    found = [next((names[word] for word in words if word in names), None) for words in _LINES]
    unit, rater, rating = found
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
    return says_rater(column.name) or all(rank(column.name, role) is None for role in ("truth", "prediction", "id"))


def _share_categories(one: Column, other: Column) -> bool:
    a, b = set(one.distinct.values), set(other.distinct.values)
    return len(a & b) * 2 >= len(a | b)


def find_sides(table: pa.Table, categories: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Find columns that say something of the two answers of a pair: one each, that ends in the category's name.

    Returns
    -------
    dict
        what the two columns have in common → (column of one category, column of the other); categories are the
        first two that have such columns.

    >>> find_sides(pa.table({"words_a": [1], "words_b": [2], "id": [1]}), ["a", "b", "tie"])
    {'words': ('words_a', 'words_b')}
    """
    ends: dict[str, dict[str, str]] = {}
    for name in table.column_names:
        stem, _, end = name.rpartition("_") if "_" in name else name.rpartition(" ")
        if stem:
            ends.setdefault(stem, {})[fold(end)] = name
    for at, one in enumerate(categories):
        for other in categories[at + 1 :]:
            a, b = fold(one), fold(other)
            found = {stem: (of[a], of[b]) for stem, of in ends.items() if a in of and b in of}
            if found:
                return found
    return {}
