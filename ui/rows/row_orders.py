"""The order of the rows behind a number: computed once, with its assumptions and its facts about a row."""

from __future__ import annotations

import numpy as np

from data.evaluation import Evaluation
from data.rows.label_issues import ABOUT, find_label_issues
from data.rows.near_duplicates import NearDuplicates
from data.rows.order import MISTAKES, ORDERS, order_rows
from data.rows.row_scores import confidence
from data.rows.row_table import row_numbers
from data.rows.selection import Which, find_rows, is_right
from data.rows.similar_texts import MEASURE
from text.numbers import count
from ui.rows import duplicate_search
from ui.text.markdown import md
from ui.view import cache
from ui.view.cache import class_names

NAMED = 10
"""Near-duplicates that are named beside a row."""


@cache.kept(16, "Finding the rows …")
def _order_rows(evaluation: Evaluation, which: Which, by: str, _twins: NearDuplicates | None) -> np.ndarray:
    doubted = issues(evaluation) if by == "issue" else None
    return order_rows(evaluation, find_rows(evaluation, which), by, issues=doubted, twins=_twins)


def ordered(evaluation: Evaluation, which: Which, by: str = MISTAKES) -> np.ndarray:
    """Return the positions of the rows behind a number, in an order of `data.rows.order`; cached: do not change them.

    by : "twin" only when the near-duplicates have been found.
    """
    return _order_rows(evaluation, which, by, near_duplicate_groups(evaluation) if by == "twin" else None)


issues = cache.kept(8, "Looking for label errors …")(find_label_issues)
"""Return the likely label errors; None without scores."""


def near_duplicate_groups(evaluation: Evaluation) -> NearDuplicates | None:
    """Return the groups of rows with nearly the same text; None without a column of text, and before they are found."""
    return duplicate_search.search(evaluation).found


def order_in_words(evaluation: Evaluation, by: str, rows: np.ndarray) -> str:
    """Return an order as half a sentence; rows : positions in this order, which need not hold a wrong one."""
    if by != MISTAKES:
        return ORDERS[by]
    has_mistakes = not len(rows) or bool(evaluation.scored[rows[0]] and not is_right(evaluation, rows[:1])[0])
    if evaluation.task == "multilabel":
        return "the most wrong labels first" if has_mistakes else "in file order"
    unsure = confidence(evaluation, np.zeros(0, dtype=np.int64)) is None
    if has_mistakes:
        return "mistakes first" if unsure else ORDERS[by]
    return ORDERS["file" if unsure else "sure"]


def describe_order(evaluation: Evaluation, by: str) -> str:
    """Say what a computed order assumes, and how many rows it compared; empty where there is nothing to say."""
    doubted = issues(evaluation) if by == "issue" else None
    if doubted is not None:
        rest = f"; {count(doubted.n_left_out)} without truth or score left out" if doubted.n_left_out else ""
        rows = count(len(np.unique(doubted.rows)), "such row")
        return f"{ABOUT} The whole file has {rows} among {doubted.n_looked:,}{rest}."
    groups = near_duplicate_groups(evaluation) if by == "twin" else None
    if groups is None:
        return ""
    return (
        f"The same or nearly the same text in {md(groups.column, 40)} ({MEASURE} at least "
        f"{groups.similarity:g}): {count(len(groups), 'group')} in the whole file, those with "
        f"different truths first. {groups.n_compared:,} of {groups.n_texts:,} different texts were compared with "
        "others; equal texts were all found."
    )


def describe_row(evaluation: Evaluation, row: int, by: str) -> list[tuple[str, str]]:
    """Return what an order says of the row at a position, as (name, value) of text that may quote the file."""
    if by == "issue":
        return _describe_doubts(evaluation, row)
    return _describe_duplicates(evaluation, row) if by == "twin" else []


def _describe_doubts(evaluation: Evaluation, row: int) -> list[tuple[str, str]]:
    doubted = issues(evaluation)
    if doubted is None:
        return []
    facts = []
    for place in np.flatnonzero(doubted.rows == row).tolist():
        given, better = int(doubted.given[place]), int(doubted.suggested[place])
        if better >= 0:
            facts.append(("suggested label (higher score)", class_names(evaluation)[better]))
        elif given >= 0:
            facts.append(("label in doubt (low score)", class_names(evaluation)[given]))
    return facts


def _describe_duplicates(evaluation: Evaluation, row: int) -> list[tuple[str, str]]:
    groups = near_duplicate_groups(evaluation)
    group = None if groups is None else groups.group_of(row)
    if groups is None or group is None:
        return [("near-duplicates", "none")]
    numbers = row_numbers(evaluation, groups.group(group)).tolist()
    listed = ", ".join(f"{number:,}" for number in numbers[:NAMED])
    more = f" and {len(numbers) - NAMED:,} more" if len(numbers) > NAMED else ""
    return [("near-duplicates", f"rows {listed}{more} ({'different truths' if groups.differ[group] else 'one truth'})")]
