"""Join the rows of several evaluations: by an id, by an engine, or by row order where the truths are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from data.columns.column import find_first_rows
from data.columns.name_ranks import names_rows
from data.comparison.label_union import LabelUnion, predictions_in, truth_in
from data.engines.join_query import JoinedLines
from data.errors import DataError
from data.evaluation import Evaluation
from data.joining.key_columns import find_key
from data.joining.key_matching import (
    check_pairs,
    choose_key_column,
    encode_keys,
    find_repeated_rows,
    read_key,
    read_key_texts,
)
from text.numbers import count
from text.quoting import list_briefly

_COUNTS_APART = (
    "Files of counts do not say which rows two runs share. Put the predictions of all runs into one file, a column "
    "each, or compare files of their rows."
)


class Joined(NamedTuple):
    """Rows of several evaluations side by side, and what did not join; places, how : as in `AlignedRuns`."""

    places: list[np.ndarray]
    only_in: dict[str, int]
    repeated: int
    how: str
    warnings: tuple[str, ...]


def join_rows(
    evaluations: Sequence[Evaluation],
    names: Sequence[str],
    labels: LabelUnion,
    *,
    key: str | None,
    same_file: bool,
    lines: JoinedLines | None,
) -> Joined:
    """Join the rows of several evaluations; key, same_file, lines : as in `align_runs`.

    Raises
    ------
    DataError
        no or one row is shared, there is no such column, or nothing says which rows are the same.
    """
    if lines is not None:
        return _by_engine(names, lines)
    pairs = () if same_file else _key_pairs(evaluations, labels, key)
    if pairs:
        return _by_id(evaluations, names, labels, _id_codes(evaluations, names, pairs))
    return _by_order(evaluations, names, labels, same_file=same_file)


def count_joined(evaluations: Sequence[Evaluation], places: Sequence[np.ndarray]) -> np.ndarray:
    """Count the rows that every joined line stands for, int64 (n,).

    Raises
    ------
    DataError
        a line stands for more rows in one file of counts than in another.
    """
    counts: list[np.ndarray] = [e.rows_per_line[place] for e, place in zip(evaluations, places, strict=True)]
    if any(not np.array_equal(counts[0], other) for other in counts[1:]):
        raise DataError(_COUNTS_APART)
    return counts[0]


def _key_pairs(evaluations: Sequence[Evaluation], labels: LabelUnion, key: str | None) -> Sequence[tuple[str, str]]:
    """Return the columns to join on, as a person named them or found; none = row order.

    Truths, predictions and scores name no row. Where no column fits, one that is named like an id says why, unless
    the rows are the same in their order.
    """
    if key is not None:
        first, second = evaluations[0].rows, evaluations[1].rows
        pairs = read_key(key, first.column_names, second.column_names)
        check_pairs(first, second, pairs)
        return pairs
    tables = [e.rows.drop_columns(_columns_of_roles(e)) for e in evaluations[:2]]
    key_found = find_key(*tables)
    if key_found is not None:
        return key_found.pairs
    named = [name for name in tables[0].column_names if names_rows(name) and name in tables[1].column_names]
    return ((named[0], named[0]),) if named and not _are_alike(evaluations, labels) else ()


def _columns_of_roles(evaluation: Evaluation) -> list[str]:
    roles = {role.column for role in evaluation.receipt.roles if role.role.startswith(("truth", "prediction", "score"))}
    return [name for name in evaluation.rows.column_names if name in roles]


def _are_alike(evaluations: Sequence[Evaluation], labels: LabelUnion) -> bool:
    """Return whether all runs have the same true labels in the same order."""
    first = truth_in(evaluations[0], labels)
    return all(np.array_equal(first, truth_in(other, labels)) for other in evaluations[1:])


def _id_codes(
    evaluations: Sequence[Evaluation], names: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> list[np.ndarray]:
    """Return equal ids as equal numbers, int64 (n,) a run, -1 where a part is empty."""
    sides = []
    for place, (evaluation, name) in enumerate(zip(evaluations, names, strict=True)):
        there = evaluation.rows.column_names
        columns = [choose_key_column(pair[:: -1 if place else 1], there, name) for pair in pairs]
        sides.append([read_key_texts(evaluation.rows, column) for column in columns])
    return encode_keys(sides)


def _by_id(
    evaluations: Sequence[Evaluation], names: Sequence[str], labels: LabelUnion, codes: Sequence[np.ndarray]
) -> Joined:
    """Join by ids, without those whose rows repeat them and differ; codes : of every run, as `_id_codes` gives them."""
    n_ids = 1 + max(int(ids.max(initial=-1)) for ids in codes)
    repeated, contradicted = np.zeros((2, n_ids), dtype=bool)
    first_rows = np.array([find_first_rows(ids, n_ids)[:-1] for ids in codes])
    for evaluation, ids in zip(evaluations, codes, strict=True):
        again, before = find_repeated_rows(ids)
        if len(again):
            repeated[ids[again]] = True
            contradicted[ids[again[_differ(evaluation, labels, again, before)]]] = True
    in_run = first_rows >= 0
    shared = in_run.all(axis=0)
    _check_shared(int(shared.sum()), names)
    chosen = np.flatnonzero(shared & ~contradicted)
    chosen = chosen[np.argsort(first_rows[0, chosen], kind="stable")]  # in the order of the first run
    only_in = {name: int((ids & ~shared).sum()) for name, ids in zip(names, in_run, strict=True)}
    repeats = _describe_repeats(int(repeated.sum()), int((shared & contradicted).sum()))
    empty = _describe_empty(names, [int((ids < 0).sum()) for ids in codes])
    return Joined(list(first_rows[:, chosen]), only_in, int(repeated.sum()), "id", (*repeats, *empty))


def _differ(evaluation: Evaluation, labels: LabelUnion, again: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return rows that repeat an id with another truth, prediction or score; bool."""
    parts = [truth_in(evaluation, labels), predictions_in(evaluation, labels)]
    parts += [] if evaluation.y_score is None else [np.nan_to_num(evaluation.y_score, nan=-np.inf)]
    differs = np.zeros(len(again), dtype=bool)
    for part in parts:
        unequal = part[again] != part[before]
        differs |= unequal if unequal.ndim == 1 else unequal.any(axis=1)
    return differs


def _by_engine(names: Sequence[str], lines: JoinedLines) -> Joined:
    """Return what an engine joined, one place for all rows of the same lines."""
    _check_shared(int(lines.rows.sum()) + lines.left_out, names)
    remarks = (*_describe_repeats(lines.repeated, lines.left_out), *_describe_empty(names, lines.without_id))
    return Joined(list(lines.places), dict(zip(names, lines.only_in, strict=True)), lines.repeated, "id", remarks)


def _check_shared(n: int, names: Sequence[str]) -> None:
    """Refuse runs that share fewer than two ids."""
    if not n:
        problem = f"The runs share no id: {names[0]} and {names[1]} have no value in common."
        raise DataError(f"{problem} Name the column of the ids to join on.")
    if n == 1:
        raise DataError("The runs share one row only: two are needed at least. Name the ids to join on.")


def _describe_empty(names: Sequence[str], without_id: Sequence[int]) -> list[str]:
    return [f"{name}: {count(n)} without an id, left out." for name, n in zip(names, without_id, strict=True) if n]


def _describe_repeats(n: int, n_left_out: int) -> tuple[str, ...]:
    if not n:
        return ()
    return (
        f"{count(n, 'id')} repeat{'s' * (n == 1)}: equal rows count once, and {count(n_left_out, 'id')} whose rows "
        "differ are left out.",
    )


def _by_order(
    evaluations: Sequence[Evaluation], names: Sequence[str], labels: LabelUnion, *, same_file: bool
) -> Joined:
    if not same_file and any(evaluation.weights is not None for evaluation in evaluations):
        raise DataError(_COUNTS_APART)
    lengths = {evaluation.n_lines for evaluation in evaluations}
    if not _are_alike(evaluations, labels):
        why = "they differ in length" if len(lengths) > 1 else "their true labels differ in this order"
        raise DataError(
            f"No column names the rows of {list_briefly(names)}, and row order does not fit: {why}. Name the column of "
            "the ids to join on."
        )
    rows = np.arange(lengths.pop())
    remarks = () if same_file else ("The runs were joined by row order: their true labels are the same.",)
    return Joined([rows] * len(evaluations), dict.fromkeys(names, 0), 0, "row order", remarks)
