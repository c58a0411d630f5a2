"""Long form, one line per row and label, read as one row per id: a set of labels, and a score per label.

It is read only where it cannot be anything else: the labels of the lines must be those of the other file (as sets, as
names of columns, or as lines again); or the file itself must say which of its labels are true. Several predictions of
one label for an id (epochs) are no long form and stay the rows that they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import Column
from data.columns.column_names import parse_name
from data.columns.name_ranks import names_rows, rank
from data.columns.role_names import BESIDE_IDS, fold
from data.columns.table_metadata import EQUAL, with_left_out, with_notes
from data.joining.key_matching import read_key
from data.joining.pivot import Lines, pivot, settle_lines
from data.labels.cell_sets import find_set_encoding, read_members
from data.limits import MAX_LONG_FORM_COLUMNS, MAX_LONG_FORM_LABELS

_MOST_REPEATED = 0.1  # of the lines; more, and an id says the same thing several times
_UNNAMED = re.compile(r"column \d+( \((?:predictions|labels)\))?")
_LABEL_NAMES = frozenset(
    re.split(
        r"\s+",
        "label labels labelname labelid class classes classname classid category categoryname categoryid tag tags "
        "topic genre intent emotion species concept code attribute term event eventlabel diagnosis disease finding",
    )
)


@dataclass(frozen=True)
class Found:
    """A table that may be in long form, and how it would be read."""

    table: pa.Table
    lines: Lines

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of its lines."""
        return self.lines.labels.values

    @property
    def is_named(self) -> bool:
        """Return whether the column of labels is called so, or has no name."""
        name = self.lines.label
        named = fold(name) in _LABEL_NAMES or rank(name, "truth") is not None or rank(name, "prediction") is not None
        return named or bool(_UNNAMED.fullmatch(name))

    @property
    def is_varied(self) -> bool:
        """Return whether (nearly) every line is another pair of id and label."""
        return self.lines.n_pairs >= (1 - _MOST_REPEATED) * len(self.table)

    @property
    def is_complete(self) -> bool:
        """Return whether every id has a line for every label."""
        return self.is_varied and self.lines.n_pairs == len(self.lines.ids.values) * len(self.labels)


def widen_tables(tables: Sequence[pa.Table], key: str | None = None, repeated: str = EQUAL) -> list[pa.Table]:
    """Turn tables in long form into one row per id; `notes_of` says what was done.

    Parameters
    ----------
    tables : one file, or predictions and labels.
    key : the key to join on as a person wrote it: with row order, or with the column of labels in it, lines are rows.
    repeated : which lines count where they repeat a pair of id and label: one of `table_metadata.REPEATED`.

    Raises
    ------
    DataError
        with "all", one id has a label twice with different scores; more labels, or cells, than can be shown.

    >>> predictions = pa.table({"id": ["x", "x", "y", "y"], "tag": ["a", "b", "a", "b"], "score": [0.9, 0.1, 0.2, 0.7]})
    >>> labels = pa.table({"id": ["x", "y"], "tags": ["a;b", "b;a"]})
    >>> widen_tables([predictions, labels])[0].to_pylist()
    [{'id': 'x', 'score_a': 0.9, 'score_b': 0.1}, {'id': 'y', 'score_a': 0.2, 'score_b': 0.7}]
    """
    long_tables = _read_alone(tables[0]) if len(tables) == 1 else _read_two(tables, key)
    sides = ("predictions", "labels")
    return [
        table if long_table is None else _make_one_row_each(long_table, repeated, side)
        for table, long_table, side in zip(tables, long_tables, sides, strict=False)
    ]


def _make_one_row_each(long_form: Found, repeated: str, side: str) -> pa.Table:
    """Return the table of one row per id, with its notes and the ids that it lacks."""
    table, lines, left_out, repeat_notes = settle_lines(long_form.table, long_form.lines, repeated, side)
    result, note = pivot(table, lines)
    return with_left_out(
        with_notes(result, [note, *repeat_notes]), left_out, repeated=repeated if left_out or repeat_notes else ""
    )


# -- one file ---------------------------------------------------------------------------------------


def _read_alone(table: pa.Table) -> list[Found | None]:
    """Read a file as long form by itself if it says for pairs of id and label whether the label is true."""
    if not any(names_rows(name) for name in table.column_names) or not _has_flagged_labels(table):
        return [None]
    for candidate in find_candidates(table):
        lines = candidate.lines
        predicted = lines.score is not None or len(lines.flags) > 1
        if lines.flags and predicted and candidate.is_named and names_rows(lines.id) and candidate.is_varied:
            return [candidate]
    return [None]


def _has_flagged_labels(table: pa.Table) -> bool:
    """Return whether a column is called like labels beside one of 0 and 1, before values are counted."""
    named = {name for name in table.column_names if fold(name) in _LABEL_NAMES}
    if not named or table.num_columns > MAX_LONG_FORM_COLUMNS:
        return False
    flags = {column.name for column in _find_columns(table) if column.is_flag}
    return bool(flags) and not named <= flags


# -- two files --------------------------------------------------------------------------------------


def _read_two(tables: Sequence[pa.Table], key: str | None) -> list[Found | None]:
    predictions, labels = tables
    pairs = None if key is None else read_key(key, predictions.column_names, labels.column_names)
    if pairs == ():
        return [None, None]
    named = [{pair[place] for pair in pairs or ()} for place in (0, 1)]
    ours, theirs = (
        [candidate for candidate in find_candidates(table) if candidate.lines.label not in taken]
        for table, taken in zip(tables, named, strict=True)
    )
    for candidate, label_lines in product(ours, theirs):
        if _do_meet(candidate, label_lines):
            return [candidate, label_lines]
    for candidate in ours:
        if _fits(candidate, labels):
            return [candidate, None]
    for label_lines in theirs:
        if label_lines.lines.score is None and _fits(label_lines, predictions, single=False):
            return [None, label_lines]
    return [None, None]


def _do_meet(predictions: Found, labels: Found) -> bool:
    """Return whether the lines of both files are about the same labels, and do not go side by side as rows."""
    if not (predictions.is_varied and labels.is_varied) or labels.lines.score is not None:
        return False
    if not same_labels(predictions.labels, labels.labels):
        return False
    if labels.lines.flags and not (predictions.is_named and labels.is_named):
        return False  # perhaps a verdict for every pair of two other things
    if not (predictions.lines.is_bare and labels.lines.is_bare) or len(predictions.table) != len(labels.table):
        return True
    return predictions.lines.id_texts() != labels.lines.id_texts()


def _fits(long_form: Found, other: pa.Table, *, single: bool = True) -> bool:
    """Return whether the other file, of one row an id, has the labels: several a row, or one beside all scores.

    As many rows without a usual id are in the order of the other file: what repeats there is a feature.
    """
    if len(long_form.table) == len(other) and not names_rows(long_form.lines.id):
        return False
    if any(same_labels(long_form.labels, labels) for labels in _list_several(other)):
        return long_form.lines.score is not None or long_form.is_varied
    if not single or long_form.lines.score is None or not long_form.is_complete or not _has_one_row_each(other):
        return False
    return any(same_labels(long_form.labels, labels) for labels in _list_one_each(other))


def _has_one_row_each(table: pa.Table) -> bool:
    """Return whether some column names every row of the table once."""
    columns = (column for column in _find_columns(table) if not column.is_continuous)
    return any(_count_values(column) == len(table) for column in columns)


def same_labels(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether two lists of labels have half of the shorter one in common, two at least.

    >>> same_labels(["Child speech", "music"], ["child_speech", "music", "noise"]), same_labels(["a"], ["a"])
    (True, False)
    """
    left, right = ({fold(label) for label in labels} for labels in (first, second))
    return len(left & right) >= max(2, min(len(left), len(right)) / 2)


def _list_several(table: pa.Table) -> Iterator[list[str]]:
    """Yield labels of which a row of the table may have several: members of sets, or names of columns of numbers."""
    groups: dict[str, list[str]] = {}
    for column in _find_columns(table):
        if column.is_number or column.is_flag:
            for reading in parse_name(column.name):
                groups.setdefault(reading.affix, []).append(reading.stem)
        elif (encoding := find_set_encoding(column.sample.values)) is not None:
            cells = [read_members(value, encoding) or () for value in column.sample.values]
            yield list({label for cell in cells for label in cell})
    yield from groups.values()


def _list_one_each(table: pa.Table) -> Iterator[list[str]]:
    """Yield labels of which a row of the table has one."""
    yield from (list(column.sample.values) for column in _find_columns(table) if not column.is_continuous)


def _find_columns(table: pa.Table) -> Iterator[Column]:
    return (Column(table, name) for name in table.column_names)


# -- what may be long form --------------------------------------------------------------------------


def find_candidates(table: pa.Table) -> list[Found]:
    """Return ways to read a table as lines of id and label, likeliest first: names of ids, then many values.

    One column repeats (the id), one other column of labels differs within it. What else differs is one column of
    scores, or one or two of 0 and 1.
    """
    if not 2 <= table.num_columns <= MAX_LONG_FORM_COLUMNS or len(table) < 4:
        return []
    columns = list(_find_columns(table))
    sizes = {c.name: _count_values(c) for c in columns if not _holds_fractions(c)}
    ids = [c for c in columns if 2 <= sizes.get(c.name, 0) < len(table) and not c.is_flag and not c.array.null_count]
    ids = [c for c in ids if names_rows(c.name) or (rank(c.name, "truth") is None is rank(c.name, "prediction"))]
    ids.sort(key=lambda column: (not names_rows(column.name), -sizes[column.name]))
    lines_by_id = (_find_lines(column, columns, sizes) for column in ids[:4])
    return [Found(table, lines) for lines in lines_by_id if lines is not None]


def _count_values(column: Column) -> int:
    """Count the different values of a column, without making texts of them."""
    kind = column.array.type
    if pa.types.is_dictionary(kind):
        return len(column.distinct.values)
    return int(pc.count_distinct(column.array, mode="only_valid").as_py())


def _find_lines(key: Column, columns: Sequence[Column], sizes: dict[str, int]) -> Lines | None:
    """Return the lines if `key` is the id: within an id only the label and its values may differ."""
    others = [c for c in columns if c.name != key.name]
    if not any(c.name in sizes and _may_be_label(c, sizes[c.name]) for c in others) or key.distinct.n_missing:
        return None
    n_ids = sizes[key.name]
    differing = [c for c in others if sizes.get(c.name, 0) > n_ids or not _is_constant(key.distinct.codes, c)]
    labels = [c for c in differing if c.name in sizes and _may_be_label(c, sizes[c.name])]
    labels = [c for c in labels if not c.is_number] or labels
    rest = [c for c in differing if c.name != labels[0].name] if labels else []
    rest += [c for c in others if c not in differing and _never_varies(c)] if labels else []
    flags = [column.name for column in others if column.is_flag and column in rest]
    scores = [column.name for column in rest if not column.is_flag and _may_be_score(column)]
    if len(labels) != 1 or len(flags) + len(scores) != len(rest) or len(scores) > 1 or len(flags) > 2:
        return None
    label = labels[0].distinct
    if label.n_missing and (scores or flags):
        return None
    return Lines(key.name, labels[0].name, scores[0] if scores else None, tuple(flags), key.distinct, label)


def _never_varies(column: Column) -> bool:
    """Return whether a column is named as truth or prediction and holds 0 in every line, or 1 in every line."""
    named = rank(column.name, "truth") is not None or rank(column.name, "prediction") is not None
    return named and column.is_flag and len(column.distinct.values) == 1


def _is_constant(codes: np.ndarray, column: Column) -> bool:
    """Return whether every id has one value of the column."""
    values = column.numbers if column.is_continuous else column.distinct.codes
    any_of = np.zeros(int(codes.max()) + 1, dtype=values.dtype)
    any_of[codes] = values
    return bool(np.array_equal(values, any_of[codes], equal_nan=values.dtype.kind == "f"))


def _may_be_label(column: Column, n_values: int) -> bool:
    """Return whether a column may hold labels: these recur, are few, and are called neither an id nor an epoch."""
    if not 2 <= n_values <= min(MAX_LONG_FORM_LABELS, column.n_rows - 1) or column.is_flag:
        return False
    named = names_rows(column.name) and fold(column.name) not in _LABEL_NAMES
    return not named and fold(column.name) not in BESIDE_IDS and not _is_score_name(column)


def _may_be_score(column: Column) -> bool:
    """Return whether a column may hold scores: fractions; whole numbers only where the name says so."""
    return _holds_fractions(column) or (
        column.is_number and (_is_score_name(column) or bool(_UNNAMED.fullmatch(column.name)))
    )


def _holds_fractions(column: Column) -> bool:
    """Return whether a column holds fractions; with decimal commas only where it is named like a score."""
    return column.is_continuous or (column.is_written_number and rank(column.name, "score") is not None)


def _is_score_name(column: Column) -> bool:
    return column.is_number and rank(column.name, "score") is not None
