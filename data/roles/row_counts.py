"""Find that the lines of a file stand for many rows each, as in a confusion matrix written cell by cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.count_columns import read_row_counts
from data.columns.name_ranks import is_vague_count, names_counts, rank, sort_by_role
from data.columns.role_names import COUNT_OF_MANY_CELLS, fold
from data.columns.weight_columns import find_weights
from data.errors import DataError
from data.joining.matrix_file import PREDICTED, TURNED
from data.labels.cell_sets import find_set_encoding
from data.labels.positive_class import choose_positive
from data.roles.search import Search
from text.quoting import quote

_BY_CHANCE = 0.1
_SURE = "npredictions"  # Weights & Biases' confusion matrix; no other column is called that


def find_matrix_cells(search: Search) -> tuple[Column, Column, Column] | None:
    """Find truth, prediction and counts of a table that has these three columns and no other, by their names.

    Such a table may have hardly more lines than classes, so what its labels look like is not asked.
    """
    given, columns = search.given, search.columns
    if given.counts is not None or given.task == "multilabel":
        return None
    counts = [column for column in search.open() if names_counts(column.name) and _may_count(column)]
    if len(columns) != 3 or len(counts) != 1 or given.raw is not None or given.score_columns():
        return None
    names = [name for name in columns if name != counts[0].name]
    truth = given.truth or next(iter(sort_by_role([name for name in names if name != given.pred], "truth")), None)
    pred = given.pred or next(iter(sort_by_role([name for name in names if name != truth], "prediction")), None)
    if truth is None or pred is None or {truth, pred} != set(names):
        return None
    if not columns[truth].distinct.values or (
        given.task is None and find_set_encoding(columns[truth].distinct.values) is not None
    ):
        return None
    cells = columns[truth], columns[pred], counts[0]
    if is_vague_count(counts[0].name) and not _are_whole(counts[0]):
        return None
    may_be_other = _is_first(search, counts[0]) or not _as_in_a_matrix(counts[0], cells[0])
    if fold(counts[0].name) in COUNT_OF_MANY_CELLS and may_be_other:
        return None
    is_ours = PREDICTED in names or set(names) == {*TURNED}
    return cells if _occur_once(*cells[:2]) and (is_ours or not _is_row_number(counts[0])) else None


def find_counts(search: Search, truth: Column, pred: Column) -> Column | None:
    """Find the column that says how many rows a line stands for: the one that was named, or by its name.

    A name alone tells it where every pair of labels occurs once; else a warning asks.
    """
    if search.given.counts is not None:
        return search.columns[search.given.counts] if search.given.counts else None
    for column in filter(_may_count, search.open()):
        if _are_counts(search, column, truth, pred):
            return column
        _doubt(search, column, truth, pred)
    return None


def _are_counts(search: Search, column: Column, truth: Column, pred: Column) -> bool:
    """Return whether the name of a column, its place and its values say that it counts rows."""
    if not names_counts(column.name) or _is_row_number(column):
        return False
    if _as_in_a_matrix(column, truth) and _are_cells_of_groups(search, column, truth, pred):
        return True
    if _is_rather_a_feature(search, column):
        return False
    is_sure = fold(column.name) == _SURE or (len(search.columns) == 3 and not is_vague_count(column.name))
    return (is_sure or _as_in_a_matrix(column, truth)) and _occur_once(truth, pred)


def _are_cells_of_groups(search: Search, counts: Column, truth: Column, pred: Column) -> bool:
    """Return whether no pair of labels stands twice in a group of the further columns, as of rows some would.

    So it is where a query counted rows by truth, prediction and region.
    """
    used = (counts.name, truth.name, pred.name)
    further = [column.sample_codes for column in search.columns.values() if column.name not in used]
    true, predicted = truth.sample_codes, pred.sample_codes
    n = len(true)
    if not further or n < truth.n_rows:
        return False
    n_lines = len(np.unique(np.stack([*further, true, predicted]), axis=1).T)
    if n_lines < n:
        return False
    return max(_measure_chance([*further, true], predicted), _measure_chance([*further, predicted], true)) < _BY_CHANCE


def _measure_chance(group: Sequence[np.ndarray], labels: np.ndarray) -> float:
    """Return how likely labels drawn at random differ in all lines of a group: 1 where each group has one line.

    A plan such as each class once a subject makes groups of one line: its lines differ, and are rows.
    """
    sizes = np.unique(np.stack(group), axis=1, return_counts=True)[1]
    n_labels = max(len(np.unique(labels)), sizes.max())
    n_before = np.concatenate([np.arange(size) for size in sizes])  # lines of the group that have a label already
    return float(np.prod(1 - n_before / n_labels))


def _doubt(search: Search, column: Column, truth: Column, pred: Column) -> None:
    """Warn of a column that may count rows by its name, or by its values where it is alone beside the labels."""
    is_counts_name = names_counts(column.name) and not _is_row_number(column)
    if is_counts_name and _is_rather_a_feature(search, column):
        return
    if not names_counts(column.name) and (not _as_in_a_matrix(column, truth) or _has_other_role(column)):
        return
    is_alone = len(search.columns) == 3 and _occur_once(truth, pred)
    if is_alone or is_counts_name:
        _warn_undecided(search, column, is_alone=is_alone)


def _is_rather_a_feature(search: Search, column: Column) -> bool:
    """Return whether a vague name such as `size` stands before the labels, or beside further columns."""
    is_elsewhere = len(search.columns) > 3 or _is_first(search, column)
    return fold(column.name) in COUNT_OF_MANY_CELLS and is_elsewhere


def find_counts_of_flags(search: Search) -> Column | None:
    """Return the named column of rows per line of a file of 0/1 columns; without a name, a warning asks."""
    if search.given.counts is not None:
        return search.columns[search.given.counts] if search.given.counts else None
    for column in search.open():
        if names_counts(column.name) and column.is_number and not _is_row_number(column):
            _warn_undecided(search, column)
    return None


def _warn_undecided(search: Search, column: Column, *, is_alone: bool = False) -> None:
    """Warn of a column that may count rows; is_alone : it stands beside truth and prediction, each pair once."""
    if (is_alone or not is_vague_count(column.name)) and _are_several(column):
        name = quote(column.name)
        search.warnings.append(
            f"{name} may say how many rows each line stands for. Every line counts as one row here: if it stands "
            f"for more, choose {name} as rows per line."
        )


def _as_in_a_matrix(counts: Column, truth: Column) -> bool:
    """Return whether whole numbers from 0 stand in every line, and there are more lines than classes."""
    return _are_several(counts) and 4 <= truth.n_rows > len(truth.distinct.values)


def _has_other_role(column: Column) -> bool:
    """Return whether a column is an id, a score or a weight by its name, or holds row numbers."""
    roles = [rank(column.name, role) for role in ("id", "score")]
    return any(place is not None for place in roles) or bool(find_weights([column])) or _is_row_number(column)


def _is_first(search: Search, column: Column) -> bool:
    """Return whether a column stands before truth and prediction, as the number of a row does."""
    return next(iter(search.columns)) == column.name


def _may_count(column: Column) -> bool:
    """Return whether a column holds numbers, and half of them or more are whole: a fraction among them is a fault."""
    if not column.is_number:
        return False
    numbers = column.sample_numbers
    n_whole, n = np.count_nonzero(numbers % 1 == 0), np.count_nonzero(~np.isnan(numbers))
    return bool(2 * n_whole >= n)


def _are_whole(counts: Column) -> bool:
    return counts.is_whole and not counts.distinct.n_missing and counts.range[0] >= 0


def _are_several(counts: Column) -> bool:
    """Return whether a column holds whole numbers from 0, of which some exceed 1."""
    return _are_whole(counts) and counts.range[1] > 1


def _occur_once(truth: Column, pred: Column) -> bool:
    """Return whether no pair of labels stands in two lines."""
    if truth.n_rows > (len(truth.distinct.values) + 1) * (len(pred.distinct.values) + 1):
        return False
    pairs = truth.distinct.codes.astype(np.int64) * (len(pred.distinct.values) + 1) + pred.distinct.codes
    return len(np.unique(pairs)) == len(pairs)


def _is_row_number(column: Column) -> bool:
    """Return whether a column holds 0, 1, 2, … or 1, 2, 3, … in order: a row number, whatever its name is."""
    if fold(column.name) == _SURE or not column.is_whole or column.distinct.n_missing:
        return False
    numbers = column.numbers
    return len(numbers) > 2 and numbers[0] in (0, 1) and bool(np.all(np.diff(numbers) == 1))


def choose_positive_of_counts(search: Search, truth: Column, counts: Column, labels: Sequence[str]) -> str | None:
    """Return the positive class of a binary file of counts, by the rows and not by the lines."""
    if len(labels) != 2 or search.given.positive is not None:
        return search.given.positive
    try:
        rows = truth.distinct.rows(read_row_counts(pa.table({counts.name: counts.array}), counts.name))
    except DataError:  # building says what is wrong with the counts
        return None
    positive, why = choose_positive(labels, dict(zip(truth.distinct.values, rows.tolist(), strict=True)))
    search.notes.append(f"The positive class is {quote(positive)}: {why}.")
    return positive
