"""Find columns that follow from the scores, as predictions do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from data.columns.column import Column
from data.columns.column_checks import are_recoded, measure_kappa
from data.columns.name_ranks import names_confidence, rank, sort_by_role
from data.labels.encode import build_label_space
from data.labels.positive_class import choose_by_convention
from data.roles.score_blocks import find_score_block
from data.roles.score_cuts import (
    NEARLY_ALL,
    find_sides,
    is_separated,
    match_highest,
    measure_area,
    measure_cut,
    measure_highest,
)
from data.roles.search import Search, find_score_columns
from text.quoting import list_items, quote

_ALL_BUT_TIES = 0.99  # of the rows; a rounded score may be a tie
_FEWEST_OF_CUT = 5  # rows of either label: fewer lie at one end of a score by chance now and then
_CHANCES = 100  # so many ways to choose the rows of one label, where only two lie at the ends of a score


@dataclass(frozen=True)
class Follower:
    """A column that follows from the scores.

    is_sure : whether there are rows enough. is_alike : whether its words are the truth's labels, in some spelling.
    agrees : whether it agrees with the truth no less often than by chance.
    is_same : whether the scores predict the same in every row: of two classes, cut at 0.5.
    """

    column: Column
    is_sure: bool
    is_alike: bool
    agrees: bool
    is_same: bool


def choose_followers(search: Search, truth: Column, columns: Sequence[Column], labels: Sequence[str]) -> list[Column]:
    """Return the column of the truth's labels that follows from the scores; [] where none does, or several do.

    Several are cuts of a score at several thresholds, and which of them decides is not to be seen. A warning names
    the columns that follow from the scores and are not used. What other words mean, only a person knows: read by
    their side of the score, those of a bad model would be exchanged.
    """
    followers = _list_followers(search, truth, columns, labels)
    sure = [follower for follower in followers if follower.is_sure and follower.is_alike and follower.agrees]
    if sure and all(are_recoded(sure[0].column, follower.column) for follower in followers):
        return [sure[0].column]
    if len(followers) == 1:
        is_same = followers[0].is_same
        (search.notes if is_same else search.warnings).append(_describe_unused(followers[0], truth))
    elif followers:
        search.warnings.append(
            f"{list_items([follower.column.name for follower in followers], 4, 24)} follow from the scores and were "
            "not used. If one of them holds the predictions, choose it (--pred)."
        )
    return []


def _describe_unused(follower: Follower, truth: Column) -> str:
    """Say that a column follows from the scores, why it is not used, and what to do."""
    name, words = quote(follower.column.name), list_items(sorted(follower.column.distinct.values), 2, 24)
    if follower.is_same:
        return f"{name} was not used: the scores at 0.5 give the same predictions."
    why, remedy = ": too few rows tell", "choose it (--pred)"
    if not follower.is_alike:
        why = f": its labels are not those of {quote(truth.name)}"
        remedy += " and say which label each of its words means (--merge)"
    elif not follower.agrees:
        why = f": it agrees with {quote(truth.name)} less often than by chance"
    return f"{name} ({words}) follows from the scores and was not used{why}. If it holds the predictions, {remedy}."


def _list_followers(search: Search, truth: Column, columns: Sequence[Column], labels: Sequence[str]) -> list[Follower]:
    """Return the columns that may hold labels of every row, are no scores, and follow from the scores."""
    no_numbers = [column for column in columns if not column.is_continuous and rank(column.name, "id") is None]
    block = find_score_block(no_numbers, labels)
    of_classes = {name for name, _ in block.pairs} if block is not None else set()
    scores = of_classes | {column.name for column in find_score_columns(no_numbers)}
    followers = []
    for column in no_numbers:
        if column.name in of_classes and len(of_classes) > 1:
            continue
        if column.name in scores and not set(column.sample.values) <= set(labels):
            continue
        if not _has_labels(column, labels) or are_recoded(truth, column):
            continue
        follower = _follow(search, truth, column, labels)
        if follower is not None:
            followers.append(follower)
    return followers


def _has_labels(column: Column, labels: Sequence[str]) -> bool:
    """Return whether nearly every row has one of at most as many words as labels.

    A label of few rows is a correction, or an audit's.
    """
    has_words = 2 <= len(column.sample.values) <= len(labels)
    return has_words and bool((column.distinct.codes >= 0).mean() > NEARLY_ALL)


def _follow(search: Search, truth: Column, column: Column, labels: Sequence[str]) -> Follower | None:
    """Return a column that a threshold on the score makes, or of several labels the highest score; None for others."""
    label_of_word = _read_words(column.distinct.values, labels)
    is_alike = len(label_of_word) == len(column.distinct.values)
    agrees = not measure_kappa(truth, column) < 0  # an undefined kappa says nothing against it
    if len(labels) > 2:
        follows = _is_highest(search, column, labels, is_alike=is_alike)
        return Follower(column, True, is_alike, agrees, False) if follows else None
    score = _find_score(search)
    if score is None or not score.is_finite:
        return None
    evidence = _weigh_cut(score, column)
    if not evidence:
        return None
    label_above = label_of_word.get(find_sides(score, column)[1])
    positive_labels = _label_of_score(score, labels), choose_by_convention(labels)
    is_cut = measure_cut(score, column, 0.5) == 1 and score.is_in_unit_range
    is_same = is_cut and label_above is not None and label_above in positive_labels
    if is_cut and is_alike and not (is_same or agrees):
        return None  # the opposite of what is predicted, as approved is beside default
    return Follower(column, evidence == "sure", is_alike, agrees, is_same)


def _label_of_score(score: Column, labels: Sequence[str]) -> str | None:
    """Return the label in the name of a score; None where it names none."""
    block = find_score_block([score], labels)
    return next((label for _, label in block.pairs), None) if block is not None else None


def _is_highest(search: Search, column: Column, labels: Sequence[str], *, is_alike: bool) -> bool:
    """Return whether a column of several labels names that of the highest score, in some words, in nearly all rows."""
    given = [search.columns[name] for name in search.given.score_columns()]
    block = find_score_block(given or search.open(), labels)
    pairs = block.pairs if block is not None and len(block.pairs) == len(labels) else ()
    if not pairs:
        return False
    if is_alike:
        return measure_highest(search.columns, pairs, column) >= _ALL_BUT_TIES
    label_of_word = match_highest(search.columns, pairs, column)
    is_one_to_one = len({*label_of_word.values()}) == len(label_of_word)
    second_largest = sorted(column.distinct.counts)[-2]
    if not is_one_to_one or second_largest < _FEWEST_OF_CUT:
        return False
    return measure_highest(search.columns, pairs, column, label_of_word) >= _ALL_BUT_TIES


def _find_score(search: Search) -> Column | None:
    """Return the score that a person named, or that has the best name; others are other models', or features."""
    given = [search.columns[name] for name in search.given.score_columns()]
    scores = given or [score for score in find_score_columns(search.open()) if not names_confidence(score.name)]
    named = sort_by_role([score.name for score in scores], "score") or [score.name for score in scores]
    return search.columns[named[0]] if named else None


def _weigh_cut(score: Column, column: Column) -> str:
    """Return whether one threshold on a score makes both labels of a column: "sure", "perhaps" where rows are few, "".

    Few rows lie on the threshold itself: of a score that is often 0, a column may be so by chance.
    """
    counts = column.distinct.counts
    if len(counts) != 2 or not is_separated(score, column):
        return ""
    area, _ = measure_area(column, score)
    if min(counts) >= _FEWEST_OF_CUT and min(area, 1 - area) < 1 - _ALL_BUT_TIES:
        return "sure"
    is_rare = math.comb(int(sum(counts)), int(min(counts))) >= _CHANCES
    return "perhaps" if is_rare and is_separated(score, column, ties=False) else ""


def _read_words(words: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Return the labels that words are spellings of, such as 1 for True; other words are not among them."""
    space = build_label_space({"truth": labels, "predictions": words}, space=["truth"])
    spelling_of_word = space.spelling["predictions"]
    label_of_spelling = {spelling: label for label, spelling in space.spelling["truth"].items()}
    labels_of_words = {word: label_of_spelling.get(spelling_of_word[word]) for word in words}
    return {word: label for word, label in labels_of_words.items() if label is not None}
