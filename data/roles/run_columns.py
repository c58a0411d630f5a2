"""Ask which of several evaluations in a file counts (filters, epochs, repetitions, prompts), and take its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

from data.columns.column import Column, Distinct, distinct, find_first_rows
from data.columns.role_names import CLUSTERS, REPEAT_COLUMNS, RUN_PARTS, STEPS, fold
from data.errors import ChoiceNeeded, DataError
from data.evaluation import MISSING, ColumnRole
from data.limits import MAX_RUNS
from data.roles.search import Search
from text.numbers import count
from text.quoting import list_briefly, list_items, quote

ALL_ROWS = ("", "")
"""`Settings.only` of a person who wants every row counted by itself."""
_RANK = {fold(name): rank for rank, name in enumerate(REPEAT_COLUMNS)}
"""The place of each name of a column that repeats questions: of several such columns, the first asks."""
_TOLD_APART = 0.9  # a few rows may be in the file twice
_LEAST_ROWS = 8  # of a part: fewer have the same labels by chance


def ask_for_rows(columns: Iterable[Column], id_column: Column) -> ChoiceNeeded | None:
    """Ask which rows to evaluate, if ids repeat and one of the columns tells the repetitions apart.

    >>> table = pa.table({"id": ["1", "1", "2", "2"], "epoch": ["1", "2", "1", "2"]})
    >>> found = ask_for_rows([Column(table, "epoch")], Column(table, "id"))
    >>> found.column, found.values
    ('epoch', ('1', '2'))
    """
    candidates = [column for column in columns if _may_tell_apart(column)]
    if not candidates:
        return None
    ids = id_column.distinct
    known = ids.codes != MISSING
    n_known = int(known.sum())
    if len(ids.values) == n_known:
        return None
    candidates.sort(key=lambda column: _RANK[fold(column.name)])
    codes = [column.distinct.codes[known] for column in candidates]
    if _count_different(ids.codes[known], *codes) < _TOLD_APART * n_known:
        return None
    apart = [_count_different(ids.codes[known], codes_of_column) for codes_of_column in codes]
    rest = "" if max(apart) == n_known else " (ids repeat within one of them, too)"
    return _ask_which(candidates[apart.index(max(apart))], f"the same {quote(id_column.name)}{rest}")


def ask_for_part(columns: Iterable[Column], truth: Column) -> ChoiceNeeded | None:
    """Ask which rows to evaluate, if a column parts them into equal true labels in equal order, as of several models.

    >>> table = pa.table({"model": [*"aaaaaaaabbbbbbbb"], "y": [*"0101100101011001"]})
    >>> ask_for_part([Column(table, "model")], Column(table, "y")).values
    ('a', 'b')
    """
    labels = truth.distinct.codes
    for column in columns:
        if not _may_tell_apart(column):
            continue
        codes = column.distinct.codes
        parts = [labels[codes == code] for code in range(len(column.distinct.values))]
        is_same = all(np.array_equal(parts[0], part) for part in parts) and len(parts) * len(parts[0]) == len(labels)
        if is_same and len(parts[0]) >= _LEAST_ROWS and not _is_regular(parts[0]):
            return _ask_which(column, "the same true labels in the same order")
    return None


def _is_regular(labels: np.ndarray) -> bool:
    """Return whether labels are sorted, or take turns: those of different rows may be in the same order, too."""
    n_labels = len(np.unique(labels))
    is_sorted = np.count_nonzero(np.diff(labels)) < n_labels
    return bool(is_sorted) or np.array_equal(labels[n_labels:], labels[:-n_labels])


def _may_tell_apart(column: Column) -> bool:
    """Return whether a column is named like one that repeats questions, and has a few values."""
    if fold(column.name) not in _RANK or column.is_continuous:
        return False
    return 2 <= len(column.distinct.values) <= MAX_RUNS


def _count_different(*codes: np.ndarray) -> int:
    """Count the rows that are left if each combination of codes (MISSING is one of them) counts once."""
    groups = codes[0].astype(np.int64)
    for more in codes[1:]:
        groups = np.unique(groups * (int(more.max(initial=0)) + 2) + more + 1, return_inverse=True)[1]
    return len(np.unique(groups))


def _ask_which(column: Column, repeated: str) -> ChoiceNeeded:
    values = list_in_file_order(column.distinct)
    return ChoiceNeeded(
        f"The file holds {count(len(values), 'value')} of {quote(column.name)} ({list_briefly(values)}) for "
        f"{repeated}: counting them together would count rows several times. Choose which one is evaluated.",
        column.name,
        values,
    )


def list_in_file_order(distinct: Distinct) -> tuple[str, ...]:
    """Return the distinct values in the order in which they first occur."""
    first = find_first_rows(distinct.codes, len(distinct.values))[:-1]
    return tuple(distinct.values[code] for code in np.argsort(first, kind="stable").tolist())


def training_epochs(table: pa.Table, column: str, *, named: bool = False) -> tuple[str, ...] | None:
    """Return the epochs of one training in ascending order; None where a column tells something else apart.

    Epochs of a training have a step each, and numbers that grow with it; the last one is the model that was trained.
    named : whether a person said that the column holds epochs; else its name must.

    >>> training_epochs(pa.table({"epoch": ["2", "1", "2"], "step": [20.0, 10.0, 20.0]}), "epoch")
    ('1', '2')
    """
    step = next((name for name in table.column_names if fold(name) in STEPS), None)
    if step is None or not (named or fold(column) == "epoch"):
        return None
    epochs, steps = distinct(table.column(column)), distinct(table.column(step))
    pairs = set(zip(epochs.codes.tolist(), steps.codes.tolist(), strict=True))
    if MISSING in {code for pair in pairs for code in pair} or not len(pairs) == len(epochs.values) == len(
        steps.values
    ):
        return None
    try:
        numbered = sorted((float(epochs.values[a]), float(steps.values[b]), epochs.values[a]) for a, b in pairs)
    except ValueError:
        return None
    grows = all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(numbered))
    return tuple(name for *_, name in numbered) if grows and len(numbered) > 1 else None


def ask_for_column(tool: str, columns: Sequence[str]) -> ChoiceNeeded:
    """Ask which column of answers is evaluated; its `column` is empty, its values are columns."""
    return ChoiceNeeded(
        f"The {tool} file holds the answers of {len(columns)} prompts or scorers ({list_briefly(columns)}): choose the "
        "column that is evaluated.",
        "",
        tuple(columns),
    )


def select_run(table: pa.Table, only: tuple[str, str] | None) -> tuple[pa.Table, np.ndarray | None]:
    """Return the rows with `only`'s value in `only`'s column, and their numbers (from 0); None = all rows.

    Raises
    ------
    DataError
        no such column, or no row with the value.

    >>> rows, numbers = select_run(pa.table({"epoch": ["1", "2", "1"], "y": ["a", "b", "c"]}), ("epoch", "1"))
    >>> rows.column("y").to_pylist(), numbers.tolist()
    (['a', 'c'], [0, 2])
    """
    if only is None or tuple(only) == ALL_ROWS:
        return table, None
    column, value = only
    if column not in table.column_names:
        raise DataError(
            f"There is no column {quote(column)} to choose rows by; the file has "
            f"{list_items(table.column_names, 6, 24)}."
        )
    values_of_column = distinct(table.column(column))
    if value not in values_of_column.values:
        held = list_briefly(list_in_file_order(values_of_column))
        raise DataError(
            f"No row has {quote(value)} in column {quote(column)}, which holds {held}: choose one of these."
        )
    numbers = np.flatnonzero(values_of_column.codes == values_of_column.values.index(value)).astype(np.int64)
    return table.take(pa.array(numbers)), numbers


def note_on_rows(only: tuple[str, str] | None, n_chosen: int, n_all: int) -> list[str]:
    """Return the receipt's sentence about rows that were left out."""
    if only is None or tuple(only) == ALL_ROWS:
        return []
    column, value = only
    return [
        f"Only the {n_chosen:,} of {n_all:,} rows with {quote(column)} = {quote(value)} are evaluated. Row numbers "
        "here count these rows only; the page Rows shows those of the file."
    ]


LEAST_CLUSTERS = 10
_REPEATED = 1.25  # rows a value has, on average


def find_groupings(search: Search) -> None:
    """Give columns without a role that of the cluster, epoch, seed or fold: by their name, if their values repeat.

    A column of clusters that a person named takes its role instead, unless it has another.
    """
    order = {name: place for place, name in enumerate(CLUSTERS)}
    named = [column for column in search.open() if fold(column.name) in order and _repeats(column)]
    given = search.given.cluster
    if given is not None:
        named = []
        if given and given not in search.roles:
            search.take(given, "cluster", "named by you")
    if named:
        first = min(named, key=lambda column: order[fold(column.name)])
        n = count(len(first.distinct.values), "value")
        search.take(first.name, "cluster", f"by its name; {n} repeat, so intervals count these rows together")
    for column in search.open():
        role = RUN_PARTS.get(fold(column.name))
        if role and role not in dict(search.given.run_parts) and may_be_part(column):
            search.take(column.name, role, "by its name")


def warn_of_uncounted(roles: Sequence[ColumnRole], columns: Sequence[str]) -> tuple[str, ...]:
    """Warn of clusters that were found in a source whose counts are not split by them.

    >>> warn_of_uncounted([ColumnRole("doc", "cluster", "by its name")], ["y"])[0][:36]
    "Rows of one 'doc' belong together, b"
    """
    left = [role.column for role in roles if role.role == "cluster" and role.column not in columns]
    return tuple(
        f"Rows of one {quote(name)} belong together, by its name. The counts are not split by it, so intervals take "
        "every row by itself."
        for name in left
    )


def take_named_parts(search: Search) -> None:
    """Give the columns that a person named their role of epoch, seed or fold.

    Raises
    ------
    DataError
        the values of such a column cannot be parts of a run.
    """
    for role, name in search.given.run_parts:
        if not name:
            continue
        if not may_be_part(search.columns[name]):
            n = count(len(search.columns[name].distinct.values), "value")
            raise DataError(
                f"Column {quote(name)} cannot hold the {role}s: it has {n}, and 2 to {MAX_RUNS} short ones are needed; "
                "name another column."
            )
        search.take(name, role, "named by you")


def may_be_part(column: Column) -> bool:
    """Return whether a column may hold epochs, seeds or folds: a few short values."""
    return not column.is_free and 2 <= len(column.distinct.values) <= MAX_RUNS


def _repeats(column: Column) -> bool:
    """Return whether a column holds enough clusters, of more than one row each on average."""
    n = len(column.distinct.values)
    return n >= LEAST_CLUSTERS and n * _REPEATED <= len(column.distinct.codes)
