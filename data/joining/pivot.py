"""Lines of (id, label, …) turned into one row per id: sets of labels as JSON lists, scores as a column a label."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import Column, Distinct
from data.columns.plain_names import free_name
from data.columns.table_metadata import ALL, EQUAL, FIRST, with_warnings
from data.environment import raise_it, value
from data.errors import DataError
from data.evaluation import LeftOut
from data.labels.spelling import sort_labels
from data.limits import MAX_PIVOT_CELLS
from text.numbers import count, verb
from text.quoting import list_items, quote

_TRUE = frozenset(["1", "1.0", "true"])


@dataclass(frozen=True)
class Lines:
    """The columns of a table in long form by what they hold.

    id, label : names of columns. score : the column of numbers, if there is one. flags : columns of 0 and 1.
    ids, labels : the first two as codes; a label may be missing where there are neither scores nor flags.
    """

    id: str
    label: str
    score: str | None
    flags: tuple[str, ...]
    ids: Distinct
    labels: Distinct

    @property
    def values(self) -> list[str]:
        """Return the columns of the score and of the flags."""
        return [name for name in (self.score, *self.flags) if name is not None]

    @property
    def is_bare(self) -> bool:
        """Return whether a line says no more than that an id has a label."""
        return self.score is None and not self.flags

    @cached_property
    def pairs(self) -> np.ndarray:
        """Return every line as one number, int64 (n,); -1 where the label is empty."""
        codes = self.ids.codes.astype(np.int64) * len(self.labels.values) + self.labels.codes
        return np.where(self.labels.codes < 0, -1, codes)

    @cached_property
    def n_pairs(self) -> int:
        """Count the different pairs of id and label; an id without a label counts as one."""
        return len(np.unique(self.pairs[self.pairs >= 0])) + int((self.pairs < 0).sum())

    def id_texts(self) -> list[str]:
        """Return the id of every line."""
        return np.array(self.ids.values, dtype=object)[self.ids.codes].tolist()  # type: ignore[no-any-return]


def pivot(table: pa.Table, lines: Lines) -> tuple[pa.Table, str]:
    """Return one row per id, in the order of their first lines, and a sentence about it for the receipt.

    The id and every column that has one value per id stay. `score` becomes `score_<label>` (float64, null where an id
    has no line of that label); each of `flags`, or else the labels themselves, become JSON lists in label order. One
    flag with one true label per id, beside scores that add up to 1, becomes that label.

    Raises
    ------
    DataError
        an id has a label twice and the lines differ; more than 5,000 labels or `MAX_PIVOT_CELLS` scores.

    >>> table = pa.table({"id": ["x", "x", "y"], "tag": ["b", "a", "b"]})
    >>> lines = Lines("id", "tag", None, (), Column(table, "id").distinct, Column(table, "tag").distinct)
    >>> pivot(table, lines)[0].to_pylist()
    [{'id': 'x', 'tag': '["a", "b"]'}, {'id': 'y', 'tag': '["b"]'}]
    """
    _check_size(lines)
    repeats = _find_repeats(table, lines)
    if repeats.differs.any():
        raise _different(table, lines, repeats)
    rows, first = _order_lines(lines.ids)
    order = sort_labels(lines.labels.values)
    place = {label: code for code, label in enumerate(order)}
    columns = lines.labels.spread((place[label] for label in lines.labels.values), -1)
    used = {lines.id, lines.label, lines.score, *lines.flags}
    kept = [name for name in table.column_names if name == lines.id or name not in used]
    result = table.select(kept).replace_schema_metadata(None).take(pa.array(first))
    scores = _build_matrix(table, lines, rows, columns, len(first), len(order)) if lines.score else None
    has_one = len(lines.flags) == 1 and _has_one_a_row(rows[_applies(table, lines.flags[0])], len(first))
    is_single = has_one and scores is not None and _adds_up(scores)
    empty: list[str] = []
    for name in lines.flags or ((lines.label,) if lines.score is None else ()):
        applies = columns >= 0 if name == lines.label else _applies(table, name)
        write = _write_labels if is_single else _write_sets
        result = result.append_column(name, write(rows[applies], columns[applies], order, len(first)))
        empty += (
            sorted(set(order) - {order[code] for code in np.unique(columns[applies])})
            if lines.flags[:1] == (name,)
            else []
        )
    if scores is not None:
        result = _with_scores(result, scores, order)
    if has_one and not is_single:
        result = with_warnings(result, [_warn_of_one(lines)])
    return result, _note(table, lines, len(first), len(repeats.again), empty) + _SINGLE * is_single


_SINGLE = " Each has one true label and scores that add up to 1: one label per row."


def _warn_of_one(lines: Lines) -> str:
    return (
        f"Every {quote(lines.id)} has exactly one true label in its lines. If it can have only one, give one row per "
        "id, with the label's name."
    )


def _has_one_a_row(rows: np.ndarray, n_rows: int) -> bool:
    """Return whether every row occurs once."""
    return len(rows) == n_rows and len(np.unique(rows)) == n_rows


def _adds_up(scores: np.ndarray) -> bool:
    """Return whether nearly all rows of scores, (n, k) with k from 2, add up to 1, but for rounding."""
    sums = np.nansum(scores, axis=1)
    return scores.shape[1] > 1 and bool(np.mean(np.abs(sums - 1) <= max(0.002, 0.0006 * scores.shape[1])) > 0.98)


def _check_size(lines: Lines) -> None:
    n_ids, n_labels = len(lines.ids.values), len(lines.labels.values)
    if n_labels > value("BLINDSPOT_CLASSES"):
        raise DataError(
            f"Column {quote(lines.label)} holds {count(n_labels, 'different label')} in lines of id and label; at "
            f"most {value('BLINDSPOT_CLASSES'):,} are shown. Is it an id or free text? If not, "
            f"{raise_it('BLINDSPOT_CLASSES')}."
        )
    if lines.score is not None and n_ids * n_labels > MAX_PIVOT_CELLS:
        raise DataError(
            f"{count(n_ids, 'id')} of {quote(lines.id)} with {count(n_labels, 'label')} each make more than "
            f"{MAX_PIVOT_CELLS:,} scores. Give fewer rows, or only the lines of the labels that matter."
        )


def settle_lines(
    table: pa.Table, lines: Lines, repeated: str, side: str
) -> tuple[pa.Table, Lines, tuple[LeftOut, ...], tuple[str, ...]]:
    """Settle lines that repeat a pair of id and label with another score or flag.

    Parameters
    ----------
    repeated : one of `REPEATED`: with "equal" the ids of such pairs are left out; with "first" and "last" one line of
        every pair counts; with "all" nothing is settled, and `pivot` refuses.
    side : "predictions" or "labels", for the rows of the ids that were left out.

    Returns
    -------
    The table and its lines, the ids that were left out, and what was done, as sentences.

    Raises
    ------
    DataError
        no id would be left.
    """
    repeats = _find_repeats(table, lines)
    if repeated == ALL or not repeats.differs.any():
        return table, lines, (), ()
    if repeated == EQUAL:
        gone = np.isin(lines.ids.codes, lines.ids.codes[repeats.again[repeats.differs]])
        if gone.all():
            raise DataError(f"No {quote(lines.id)} is left. {_different(table, lines, repeats)}")
        return (*_keep_lines(table, lines, ~gone), _ids(lines, gone, side), ())
    stays = np.ones(len(table), dtype=bool)
    stays[repeats.again if repeated == FIRST else repeats.before] = False
    n = int((~stays).sum())
    problem = (
        f"Only the {repeated} line of a repeated pair of {quote(lines.id)} and {quote(lines.label)} counts, as you "
        "chose"
    )
    return (
        *_keep_lines(table, lines, stays),
        (),
        (f"{problem}: {count(n, 'line')} {verb(n, 'does')} not count.",),
    )


def _keep_lines(table: pa.Table, lines: Lines, stays: np.ndarray) -> tuple[pa.Table, Lines]:
    kept = table.filter(pa.array(stays))
    ids, labels = (Column(kept, name).distinct for name in (lines.id, lines.label))
    return kept, dataclasses.replace(lines, ids=ids, labels=labels)


def _ids(lines: Lines, gone: np.ndarray, side: str) -> tuple[LeftOut, ...]:
    rows: dict[int, list[int]] = {}
    for row in np.flatnonzero(gone).tolist():
        rows.setdefault(int(lines.ids.codes[row]), []).append(row + 1)
    return tuple(LeftOut(lines.ids.values[code], **{side: tuple(line_numbers)}) for code, line_numbers in rows.items())


class _Repeats(NamedTuple):
    """Lines that repeat the pair of an earlier line, and the line before each with that pair, int64 each.

    column : place among score and flags of the first in which the two differ, int64; -1 where they are equal.
    """

    again: np.ndarray
    before: np.ndarray
    column: np.ndarray

    @property
    def differs(self) -> np.ndarray:
        """Return which lines differ from the line before, bool."""
        return np.asarray(self.column >= 0)


def _find_repeats(table: pa.Table, lines: Lines) -> _Repeats:
    known = np.flatnonzero(lines.pairs >= 0)
    order = known[np.argsort(lines.pairs[known], kind="stable")]
    same = lines.pairs[order[1:]] == lines.pairs[order[:-1]]
    again, before = order[1:][same], order[:-1][same]
    column = np.full(len(again), -1)
    for place, name in reversed([*enumerate(lines.values)]) if len(again) else ():
        values = Column(table, name).numbers if name == lines.score else Column(table, name).distinct.codes
        column[~np.isclose(values[again], values[before], rtol=0, atol=0, equal_nan=True)] = place
    return _Repeats(again, before, column)


def _different(table: pa.Table, lines: Lines, repeats: _Repeats) -> DataError:
    """Return the error that names the first line that differs in score, or else in the first flag where any does."""
    place = repeats.column[repeats.differs].min()
    repeat = min(np.flatnonzero(repeats.column == place), key=repeats.again.__getitem__)
    first, second, name = int(repeats.before[repeat]), int(repeats.again[repeat]), lines.values[place]
    cells = table.column(name)
    key, label = lines.ids.values[lines.ids.codes[first]], lines.labels.values[lines.labels.codes[first]]
    return DataError(
        f"{quote(key)} has the label {quote(label)} twice with different values of {quote(name)}: "
        f"{cells[first].as_py()} in row {first + 1:,} and {cells[second].as_py()} in row {second + 1:,}. "
        f"Give each pair of {quote(lines.id)} and {quote(lines.label)} one line, or have the first or the last "
        "count (--repeated)."
    )


def _order_lines(ids: Distinct) -> tuple[np.ndarray, np.ndarray]:
    """Return the row that every line goes to, and the first line of every row, int64 each."""
    _, first, codes = np.unique(ids.codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[codes], first[order]


def _applies(table: pa.Table, name: str) -> np.ndarray:
    cells = Column(table, name).distinct
    return cells.spread((value.casefold() in _TRUE for value in cells.values), False)


def _write_sets(rows: np.ndarray, columns: np.ndarray, order: list[str], n_rows: int) -> pa.Array:
    """Return JSON lists of the labels of every row, in label order, each once; `[]` where there is none."""
    pairs = np.unique(rows.astype(np.int64) * max(1, len(order)) + columns)
    words = pa.array([json.dumps(label, ensure_ascii=False) for label in order], pa.string())
    labels = words.take(pa.array(pairs % max(1, len(order))))
    offsets = np.searchsorted(pairs, np.arange(n_rows + 1, dtype=np.int64) * max(1, len(order)))
    lists = pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), labels)
    inside = pc.binary_join(lists, ", ")
    return pc.binary_join_element_wise("[", inside, "]", "")


def _write_labels(rows: np.ndarray, columns: np.ndarray, order: list[str], n_rows: int) -> pa.Array:
    """Return the one label of every row."""
    codes = np.empty(n_rows, dtype=np.int64)
    codes[rows] = columns
    return pa.array(order, pa.string()).take(pa.array(codes))


def _build_matrix(
    table: pa.Table, lines: Lines, rows: np.ndarray, columns: np.ndarray, n_rows: int, n_labels: int
) -> np.ndarray:
    assert lines.score is not None
    matrix = np.full((n_rows, n_labels), np.nan, order="F")
    matrix[rows, columns] = Column(table, lines.score).numbers
    return matrix


def _with_scores(table: pa.Table, matrix: np.ndarray, order: list[str]) -> pa.Table:
    for place, label in enumerate(order):
        name = free_name(f"score_{label}", table.column_names, " (label)")
        table = table.append_column(name, pa.array(matrix[:, place], from_pandas=True))
    return table


def _note(table: pa.Table, lines: Lines, n_ids: int, repeated: int, empty: list[str]) -> str:
    n_labels = len(lines.labels.values)
    text = (
        f"{count(len(table), 'line')} of {quote(lines.id)} and {quote(lines.label)} were read as "
        f"{count(n_ids, 'id')} × {count(n_labels, 'label')}"
    )
    if lines.score is not None and (without := n_ids * n_labels - lines.n_pairs):
        text += f"; {count(without, 'pair')} without a line {verb(without, 'has')} no score"
    if repeated:
        text += f"; {count(repeated, 'line')} that only {verb(repeated, 'repeats')} another counted once"
    if empty:
        text += f"; {list_items(empty, 3)} {verb(len(empty), 'applies')} to no id"
    unknown = [name for name in lines.flags if Column(table, name).distinct.n_missing]
    if unknown:
        n = sum(Column(table, name).distinct.n_missing for name in unknown)
        text += f"; {count(n, 'empty cell')} of {list_items(unknown)} taken as not applying"
    return text + "."
