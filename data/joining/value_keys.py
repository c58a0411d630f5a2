"""Find the columns of two files that hold the same ids by their values, whatever the columns are called."""

from __future__ import annotations

import shlex
from itertools import islice, product
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import holds_text
from data.columns.name_ranks import may_name_rows, names_rows
from data.columns.role_names import fold
from data.errors import DataError
from data.joining.key_matching import Match, Pair, find_repeated_rows, match, read_key_texts, write_key
from data.limits import MAX_TRIED_KEYS
from text.numbers import count
from text.quoting import quote

_FEW = 10
"""Fewer shared values may be a chance."""
_RESPELLED_CELLS = 1_000_000
"""So many cells of pairs of columns are tried in other spellings, whatever the columns are called."""
_ENOUGH = 10
"""One in so many of the smaller file's values has to be shared before a key is proposed."""
_SPREAD = 4
"""Whole numbers that lie closer than this, on average, count rows: any two files share them."""


class Proposal(NamedTuple):
    """A key that values show. doubt : why a person has to confirm it, as the end of a sentence; "" = sure."""

    match: Match
    doubt: str


def propose_key(predictions: pa.Table, labels: pa.Table) -> Proposal | None:
    """Return the pair of columns with unique values that shares the most, or None where none shares a value.

    It is sure where half of the smaller file's values are shared, none repeats, and these are no running numbers. No
    other such pair may join the rows differently.

    >>> tables = pa.table({"case": [f"c{i}" for i in range(20)]}), pa.table({"no": [f"c{i}" for i in range(9, 29)]})
    >>> propose_key(*tables).match.n_shared, propose_key(*tables).doubt
    (11, '')
    """
    pairs = _list_pairs(predictions, labels)
    every = [match(predictions, labels, (pair,)) for pair in pairs]
    matches = [matched for matched in every if not (has_unnamed_index(matched) and numbers_rows(matched))]
    if not any(matched.shares_half and not counts_rows(matched) for matched in matches):
        few = len(pairs) * (len(predictions) + len(labels)) <= _RESPELLED_CELLS
        matches = [_respell(predictions, labels, matched, few=few) for matched in matches]
    possible = [matched for matched in matches if _ENOUGH * matched.n_shared >= matched.n_fewest > 0]
    best = max(possible, key=_rank_match, default=None)
    return None if best is None else Proposal(best, _doubt(best, possible))


def _rank_match(matched: Match) -> tuple[bool, bool, bool, int]:
    numbered = _are_row_numbers(matched.left[0]) or _are_row_numbers(matched.right[0])
    return not counts_rows(matched), not numbered, matched.shares_half, matched.n_shared


def _respell(predictions: pa.Table, labels: pa.Table, matched: Match, *, few: bool) -> Match:
    """Return the match in another spelling, where names or values show that the columns may hold the same ids.

    few : whether there are so few cells that each pair is tried.
    """
    left_name, right_name = matched.pairs[0]
    are_named_alike = fold(left_name) == fold(right_name) or (names_rows(left_name) and names_rows(right_name))
    if few or are_named_alike or matched.n_shared:
        return match(predictions, labels, matched.pairs, respelled=True)
    return matched


def find_rival(predictions: pa.Table, labels: pa.Table, matched: Match) -> Proposal | None:
    """Return a key that joins the rows differently than running numbers that names show, or None."""
    if not counts_rows(matched):
        return None
    rival = propose_key(predictions, labels)
    if rival is None or counts_rows(rival.match) or _join_alike(matched, rival.match):
        return None
    if not (rival.match.shares_half or numbers_rows(matched)):
        return None
    left_name, right_name = matched.pairs[0]
    return Proposal(rival.match, f", but {_name_pair(left_name, right_name)}, which count rows, join them differently")


def numbers_rows(matched: Match) -> bool:
    """Return whether a key holds the number of the row in both files: joining on it is joining by row order."""
    return _are_row_numbers(matched.left[0]) and _are_row_numbers(matched.right[0])


def _are_row_numbers(values: pa.Array) -> bool:
    """Return whether values are 0, 1, 2, … or 1, 2, 3, … in this order."""
    first = values[0].as_py() if len(values) else None
    if first not in ("0", "1"):
        return False
    numbers = pa.array(np.arange(len(values)) + int(first)).cast(pa.string())
    return bool(numbers.equals(values.cast(pa.string())))


def has_unnamed_index(matched: Match) -> bool:
    """Return whether one side of a key is the index that pandas writes without a name, the numbers of the rows."""
    sides = zip(matched.pairs[0], (matched.left[0], matched.right[0]), strict=True)
    return any(fold(name) == "unnamed:0" and _are_row_numbers(values) for name, values in sides)


def allows_row_order(matched: Match) -> bool:
    """Return whether a key in doubt says nothing against the row order: its rows keep it, or are numbers by chance."""
    return _keeps_row_order(matched) or (counts_rows(matched) and not matched.shares_half)


def _keeps_row_order(matched: Match) -> bool:
    """Return whether the rows that share a value stand in the same place of both files."""
    n = min(len(matched.left_codes), len(matched.right_codes))
    left, right = matched.left_codes[:n], matched.right_codes[:n]
    return int(((left == right) & (left >= 0)).sum()) >= matched.n_shared


def counts_rows(matched: Match) -> bool:
    """Return whether a key holds whole numbers that lie close together."""
    return all(_are_close(values[0]) for values in (matched.left, matched.right))


def _are_close(values: pa.Array) -> bool:
    if not pc.all(pc.match_substring_regex(values, r"^-?[0-9]{1,15}$"), min_count=1).as_py():
        return False
    bounds = pc.min_max(values.cast(pa.int64())).as_py()
    return bool(bounds["max"] - bounds["min"] < _SPREAD * len(values))


def _doubt(best: Match, matches: list[Match]) -> str:
    """Return why a key is not sure, or ""."""
    if best.how == "spelling":
        return f", but only if differences in {best.ignored} are ignored"
    if not best.shares_half:
        return ", less than half of either file"
    if counts_rows(best):
        return ", but these only count rows, as in any two files"
    if repeat := _describe_repeat(best):
        return repeat
    if best.n_shared < _FEW:
        return ", which may be chance"
    for other in matches:
        if other is not best and other.shares_half and not counts_rows(other) and not _join_alike(best, other):
            return f", but both have {other.n_shared:,} of {_name_pair(*other.pairs[0])}, which join other rows"
    return ""


def _describe_repeat(matched: Match) -> str:
    """Return a key that repeats as the end of a sentence; "" where none does."""
    sides: tuple[tuple[Literal["left", "right"], np.ndarray, str], ...] = (
        ("left", matched.left_codes, "predictions"), ("right", matched.right_codes, "labels")
    )  # fmt: skip
    for side, codes, name in sides:
        again, _ = find_repeated_rows(codes)
        if len(again):
            return f", but {quote(matched.text(side, int(again[0])))} repeats in the {name}"
    return ""


def _join_alike(matched: Match, other: Match) -> bool:
    """Return whether the rows that one key joins have one value of the other, where both files have that value."""
    partners = _find_partners(matched)
    have_both = (partners >= 0) & (_find_partners(other) >= 0)
    return bool((other.left_codes[have_both] == other.right_codes[partners[have_both]]).all())


def _find_partners(matched: Match) -> np.ndarray:
    """Return the row of the labels for each row of the predictions, int64 (n,); -1 = none."""
    rows = np.full(max(len(matched.left_counts), len(matched.right_counts)) + 1, -1, dtype=np.int64)
    rows[matched.right_codes] = np.arange(len(matched.right_codes))
    rows[-1] = -1  # the place of an empty key
    return np.asarray(rows[matched.left_codes])


def _list_pairs(predictions: pa.Table, labels: pa.Table) -> list[Pair]:
    """Return pairs of columns whose values hardly repeat: names of ids first, then equal names."""
    left, right = _list_distinct(predictions), _list_distinct(labels)
    pairs = sorted(product(left, right), key=_rank_pair)
    return list(islice(pairs, MAX_TRIED_KEYS))


def _rank_pair(pair: Pair) -> tuple[bool, bool]:
    left_name, right_name = pair
    return not (names_rows(left_name) and names_rows(right_name)), fold(left_name) != fold(right_name)


def _list_distinct(table: pa.Table) -> list[str]:
    """Return the columns whose texts or whole numbers hardly repeat, and that are called like nothing else."""
    # as many as are tried are looked at, since counting the values of a large column takes time
    names = (name for name in table.column_names if may_name_rows(name) and _may_hold_ids(table, name))
    return list(islice(names, MAX_TRIED_KEYS))


def _may_hold_ids(table: pa.Table, name: str) -> bool:
    """Return whether a column holds texts or whole numbers of which more than half differ."""
    column = table.column(name)
    if not (holds_text(column.type) or _is_whole(column)):
        return False
    values = read_key_texts(table, name)
    return bool(2 * pc.count_distinct(values, mode="only_valid").as_py() > len(values))


def _is_whole(column: pa.ChunkedArray) -> bool:
    """Return whether a column holds whole numbers, written as fractions."""
    return bool(pa.types.is_floating(column.type) and pc.all(pc.equal(pc.floor(column), column), min_count=1).as_py())


def _name_pair(name: str, other: str) -> str:
    return quote(name) if name == other else f"{quote(name)} and {quote(other)}"


def key_question(proposal: Proposal, *, by_order: bool) -> DataError:
    """Return the error that asks whether a key is right: what was found, why it is in doubt, and what to say.

    by_order : whether the rows could be joined by their order, too.
    """
    [(left_name, right_name)] = proposal.match.pairs
    key = write_key([(left_name, right_name)], [left_name], [right_name])
    shared = f"{count(proposal.match.n_shared, 'value')} of {_name_pair(left_name, right_name)}"
    order = ", on other columns, or by row order (--join '')" if by_order else " or on other columns"
    return DataError(
        f"Both files have {shared}{proposal.doubt}. Join on them if they name the same rows "
        f"(--join {shlex.quote(key)}){order}."
    )
