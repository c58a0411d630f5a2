"""Labels of a source that an engine counts: their columns, predictions made of scores, and a check of every cell."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import distinct
from data.engines.label_lists import is_number
from data.engines.query import ROWS, AtLeast, Key
from data.errors import DataError
from data.evaluation import ColumnRole, Settings
from data.labels.cell_sets import FLAGS, parse_list
from data.process.limits import Limits
from data.reading.binary.parquet import make_canonical
from text.numbers import count
from text.quoting import list_items, quote


def check_countable(settings: Settings) -> None:
    """Refuse tasks whose numbers need every row.

    Raises
    ------
    DataError
        predictions that have to be read from answers.
    """
    if settings.encoding == "single" and settings.pred is None and settings.raw is not None:
        raise DataError(
            f"The answers in {quote(settings.raw)} have to be read one by one, which an engine does not do. Score a "
            "file of them, or name a column of predicted labels with --pred."
        )


def check_numbers(columns: Iterable[str], names: Mapping[str, str], schema: pa.Schema) -> None:
    """Refuse scores that are written as text; names : the name that each column has in the files."""
    for column in columns:
        if not is_number(schema.field(names[column]).type):
            raise DataError(f"Column {quote(column)} holds text: write the scores as numbers.")


def label_columns(settings: Settings) -> tuple[str, ...]:
    """Return the columns of truth and prediction.

    >>> label_columns(Settings(truth_columns=(("t_a", "a"),), pred="p"))
    ('t_a', 'p')
    """
    flags = (column for column, _ in (*settings.truth_columns, *settings.pred_columns))
    named = dict.fromkeys([settings.truth, *flags, settings.pred])
    return tuple(name for name in named if name is not None)


def predicts_by_scores(settings: Settings) -> bool:
    """Return whether the labels of a row are predicted by its scores."""
    own = settings.pred is not None or settings.pred_columns
    return bool(settings.scores) and (not own or settings.threshold is not None)


def with_predicted_columns(settings: Settings) -> Settings:
    """Return settings whose score columns are columns of predictions, which the engine makes from the scores."""
    return dataclasses.replace(
        settings, pred=None, pred_columns=settings.scores, pred_encoding="multi_hot", pred_delimiter=None, scores=(),
        scale="probability", threshold=None,
    )  # fmt: skip


def threshold_keys(columns: Sequence[str], names: Mapping[str, str], cut: float) -> dict[str, Key]:
    """Return the key of every column of predictions: a row has no prediction where it has no score at all.

    names : the name that each column has in the files.
    """
    every = tuple(names[column] for column in columns)
    return {column: AtLeast(names[column], cut, every if place == 0 else ()) for place, column in enumerate(columns)}


def check_cells(counts: pa.Table, settings: Settings, rows: np.ndarray) -> None:
    """Refuse cells of any row that hold no set of labels.

    counts : canonical. rows : how many rows each of its lines stands for.

    Raises
    ------
    DataError
        a cell that is no list, or neither 0 nor 1, and how many rows have it.
    """
    for encoding, names in _sides(settings):
        for name in () if encoding == "delimited" else names:
            cells = distinct(counts.column(name))
            good = [_is_set(value, encoding) for value in cells.values]
            if not all(good):
                n = int(cells.rows(rows)[good.index(False)])
                wanted = "neither 0 nor 1" if encoding == "multi_hot" else "no list of labels"
                found = quote(cells.values[good.index(False)])
                raise DataError(f"Column {quote(name)} holds {found} in {count(n)}, {wanted}: correct these cells.")


def _sides(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    """Yield how truth and predictions hold several labels, and their columns."""
    sides = (
        (settings.encoding, settings.truth, settings.truth_columns),
        (settings.pred_encoding or settings.encoding, settings.pred, settings.pred_columns),
    )
    for encoding, column, pairs in sides:
        yield encoding, [name for name, _ in pairs] if encoding == "multi_hot" else [column] if column else []


def _is_set(value: str, encoding: str) -> bool:
    return value.casefold() in FLAGS if encoding == "multi_hot" else parse_list(value) is not None


def describe_left_out_scores(settings: Settings) -> str:
    """Say that scores of several labels are not counted."""
    columns = list_items([column for column, _ in settings.scores], 3)
    return f"The scores in {columns} are of each label: Thresholds counts them when asked."


def describe_cut(settings: Settings, cut: float) -> str:
    """Say what made predictions of scores."""
    columns = list_items([column for column, _ in settings.pred_columns], 3)
    return (
        f"A label is predicted where its score in {columns} is at least {cut:g}. Thresholds counts "
        "the scores themselves when asked."
    )


def label_cells(counts: pa.Table, settings: Settings) -> dict[str, pa.ChunkedArray | None]:
    """Return truth and prediction of every line, null where a cell is empty; a delimited set never is."""
    if settings.encoding == "single":
        return {
            "true label": counts.column(settings.truth) if settings.truth else None,
            "predicted label": counts.column(settings.pred) if settings.pred else None,
        }
    return {
        what: _where_all_are_there(counts, [] if encoding == "delimited" else names)
        for what, (encoding, names) in zip(("true labels", "predicted labels"), _sides(settings), strict=True)
    }


def _where_all_are_there(counts: pa.Table, names: Sequence[str]) -> pa.ChunkedArray:
    there = np.ones(len(counts), bool)
    for name in names:
        there &= pc.is_valid(counts.column(name)).to_numpy()
    return pa.chunked_array([pa.array(there, mask=~there)])


def rows_by_text(counts: pa.Table, column: str | None, limits: Limits) -> dict[str, int]:
    """Return how many rows have each value of a column, as text."""
    if column is None:
        return {}
    found = distinct(make_canonical(counts.select([column]), limits)[0].column(0))
    return dict(zip(found.values, found.rows(counts.column(ROWS).to_numpy()).tolist(), strict=True))


def join_samples(tables: Iterable[pa.Table]) -> pa.Table:
    """Return canonical tables of one source as one, texts written out."""
    plain = [
        pa.table(
            {
                name: cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
                for name, cells in zip(table.column_names, table.columns, strict=True)
            }
        )
        for table in tables
    ]
    return pa.concat_tables(plain, promote_options="permissive")


def column_roles(
    columns: Sequence[str], settings: Settings, found: Sequence[ColumnRole], cuts: Collection[str],
    rows: tuple[str, str], upper: str | None,
) -> tuple[ColumnRole, ...]:  # fmt: skip
    """Return the role of every column of a table of counts.

    found : the roles of the source's columns. cuts : columns that scores made.
    rows : the column of how many rows a line stands for, and who counted them. upper : the column of highest scores.
    """
    why = {role.column: role for role in found}
    used = {*label_columns(settings), *(column for column, _ in settings.scores)}
    made = dict(settings.pred_columns)
    others = {rows[0]: ("rows per line", rows[1]), upper: ("highest score", "of a line's bin")}
    others |= {column: (f"prediction of {made[column]}", "by its score") for column in cuts}
    roles = []
    for column in columns:
        if column in used and column not in others:
            roles.append(why.get(column, ColumnRole(column, "other", "")))
        else:
            roles.append(ColumnRole(column, *others.get(column, ("other", "splits the counts"))))
    return tuple(roles)
