"""Find columns that follow from the scores, as predictions do, and the labels that their words stand for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.columns.column import Column
from data.columns.column_checks import are_recoded
from data.columns.column_names import names_confidence, rank, sort_by_role
from data.columns.evidence import SURE_ERRORS
from data.labels.encode import build_label_space
from data.labels.positive_class import choose_by_convention, match_yes_and_no
from data.labels.spelling import any_alike
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
from data.roles.search import Pairs, Search, find_score_columns
from text.quoting import list_items, quote

_ALL_BUT_TIES = 0.99  # of the rows; a rounded score may be a tie
_FEWEST_OF_CUT = 5  # rows of either label: fewer lie at one end of a score by chance now and then
_CHANCES = 100  # so many ways to choose the rows of one label, where only two lie at the ends of a score


@dataclass(frozen=True)
class Follower:
    """A column that follows from the scores.

    labels : each of its words -> the label of the truth that it stands for by the scores.
    is_sure : whether there are rows enough. is_alike : whether its words say the same.
    is_same : whether the scores predict the same in every row: of two classes, cut at 0.5.
    """

    column: Column
    labels: Mapping[str, str]
    is_sure: bool
    is_alike: bool
    is_same: bool


def choose_followers(search: Search, truth: Column, columns: Sequence[Column], labels: Sequence[str]) -> list[Column]:
    """Return the column of the truth's labels that follows from the scores; [] where none does, or several do.

    Several are cuts of a score at several thresholds, and which of them decides is not to be seen. A warning names
    the columns that follow from the scores and are not used.
    """
    followers = _list_followers(search, truth, columns, labels)
    sure = [follower for follower in followers if follower.is_sure and follower.is_alike]
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
    words, labels = sorted(follower.column.distinct.values), {*follower.labels.values()}
    if follower.is_same:
        return f"{quote(follower.column.name)} was not used: the scores predict the same in every row."
    why, remedy = f": its labels are not those of {quote(truth.name)}", "choose it (--pred)"
    if follower.is_alike:
        why = ": too few rows tell"
    elif labels == {*words}:
        why, remedy = f": it says {quote(words[0])} for {quote(follower.labels[words[0]])}", "exchange its labels first"
    return (
        f"{quote(follower.column.name)} ({list_items(words, 2, 24)}) follows from the scores and was not used{why}. If "
        f"it holds the predictions, {remedy}."
    )


def _list_followers(search: Search, truth: Column, columns: Sequence[Column], labels: Sequence[str]) -> list[Follower]:
    block = find_score_block(columns, labels)
    scores = {name for name, _ in block.pairs} if block is not None else set()
    scores |= {column.name for column in find_score_columns(columns)}
    like = [c for c in columns if c.name not in scores and not c.is_continuous and rank(c.name, "id") is None]
    like = [c for c in like if 2 <= len(c.sample.values) <= len(labels) and _is_filled(c)]
    like = [column for column in like if not are_recoded(truth, column)]
    followers = (_follow(search, truth, column, labels) for column in like)
    return [follower for follower in followers if follower is not None]


def _is_filled(column: Column) -> bool:
    """Return whether nearly every row has a label; a label of few rows is a correction, or an audit's."""
    return bool((column.distinct.codes >= 0).mean() > NEARLY_ALL)


def _follow(search: Search, truth: Column, column: Column, labels: Sequence[str]) -> Follower | None:
    """Return a column that a threshold on the score makes, or of several labels the highest score; None for others."""
    if len(labels) > 2:
        named, share = _match_classes(search, column, labels)
        is_sure, is_same = True, share == 1
    else:
        score = _find_score(search)
        if score is None or not score.is_finite or not (evidence := _weigh_cut(score, column)):
            return None
        named, share, is_sure = _match_sides(truth, column, score, labels), 1.0, evidence == "sure"
        named = named or _read_alike(column.distinct.values, labels)
        is_same = measure_cut(score, column, 0.5) == 1 and 0 <= score.range[0] <= score.range[1] <= 1
    is_alike = bool(named) and _read_alike(column.distinct.values, labels) == named
    return Follower(column, named, is_sure, is_alike, is_same) if share >= _ALL_BUT_TIES else None


def _match_classes(search: Search, column: Column, labels: Sequence[str]) -> tuple[Mapping[str, str], float]:
    """Return the label of the highest score for each word of a column, and the share of rows in which it is highest."""
    given = [search.columns[name] for name in search.given.score_columns()]
    block = find_score_block(given or search.open(), labels)
    pairs = block.pairs if block is not None and len(block.pairs) == len(labels) else ()
    if not pairs:
        return {}, 0.0
    if set(column.distinct.values) <= set(labels):
        return {label: label for label in column.distinct.values}, measure_highest(search.columns, pairs, column)
    named = match_highest(search.columns, pairs, column)
    if len({*named.values()}) < len(named) or sorted(column.distinct.counts)[-2] < _FEWEST_OF_CUT:
        return {}, 0.0
    return named, measure_highest(search.columns, pairs, column, named)


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


def _match_sides(truth: Column, column: Column, score: Column, labels: Sequence[str]) -> dict[str, str]:
    """Return the label of the truth for the word of low scores, and for that of high ones; {} where neither is sure.

    The score is that of the label in its name, or else of the label whose rows surely have the higher scores.
    """
    block = find_score_block([score], labels)
    of_score = [label for _, label in block.pairs] if block is not None else []
    area, error = measure_area(truth, score) if len(truth.distinct.values) == 2 else (math.nan, math.nan)
    of_truth = [find_sides(score, truth)[1]] if abs(area - 0.5) > SURE_ERRORS * error else []
    high = next((label for label in (*of_score, *of_truth, choose_by_convention(labels)) if label in labels), None)
    if high is None:
        return {}
    return dict(zip(find_sides(score, column), sorted(labels, key=lambda label: label == high), strict=True))


def _read_alike(words: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Return the labels that words surely mean: the same ones, 1 for True, or yes for 1; {} for other words."""
    space = build_label_space({"truth": labels, "predictions": words}, space=["truth"])
    labels_of = space.spelling["predictions"]
    known = {spelled: label for label, spelled in space.spelling["truth"].items()}
    meant = {word: known[labels_of[word]] for word in words if labels_of[word] in known}
    if len(meant) == len(words) or any_alike(words, labels):
        return meant if len(meant) == len(words) else {}
    return match_yes_and_no(words, labels)


def match_words(search: Search, truth: Column, pred: Column, labels: Sequence[str]) -> Pairs:
    """Return predicted words with the truth's labels that they stand for by the scores, and warn; () where none is.

    Words that look like labels are left for a person to merge.
    """
    space = build_label_space({"truth": labels, "predictions": pred.distinct.values}, space=["truth"])
    known = set(space.labels[: space.n_space])
    strange = [word for word in pred.distinct.values if space.spelling["predictions"][word] not in known]
    if not strange or not 2 <= len(pred.distinct.values) <= len(labels) or any_alike(strange, labels):
        return ()
    follower = _follow(search, truth, pred, labels)
    if follower is None or not follower.labels:
        return ()
    pairs = tuple((word, follower.labels[word]) for word in sorted(strange))
    if len({*follower.labels.values()}) < len(follower.labels) or any(
        space.spelling["predictions"][word] != label for word, label in follower.labels.items() if word not in strange
    ):
        return ()
    read = ", ".join(f"{quote(word)} as {quote(label)}" for word, label in pairs[:4]) + ", …" * (len(pairs) > 4)
    search.warnings.append(
        f"The labels of {quote(pred.name)} were read as those of {quote(truth.name)} by the scores: {read}. Choose "
        "another column (--pred) if that is wrong."
    )
    return pairs
