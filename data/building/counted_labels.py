"""Labels of a source that an engine counts: their columns, their lines, and a check of every cell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import FLAGS, distinct
from data.columns.counted_metadata import describe_all_rows
from data.engines.label_lists import is_number
from data.engines.query import HIGH, LOW, ROWS
from data.errors import DataError
from data.evaluation import ColumnRole, Settings
from data.labels.cell_sets import parse_list
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


def check_columns(columns: Iterable[str], names: Collection[str]) -> None:
    """Refuse columns that a source does not have."""
    for column in columns:
        if column not in names:
            raise DataError(f"There is no column {quote(column)}; the source has {list_items(names, 6, 24)}.")


def check_joinable(settings: Settings) -> None:
    """Refuse to join what predicts by scores."""
    if settings.scores and settings.pred is None and not settings.pred_columns:
        raise DataError(
            "An engine joins runs by their predicted labels, and this source has scores only: add a column of "
            "predicted labels."
        )
    if settings.scores and settings.threshold is not None:
        raise DataError(
            "An engine joins runs by their predicted labels, and this source predicts by a threshold: leave the "
            "threshold out."
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


def check_cells(counts: pa.Table, settings: Settings, rows: np.ndarray) -> None:
    """Refuse cells of any row that hold no set of labels.

    counts : canonical. rows : how many rows each of its lines stands for.

    Raises
    ------
    DataError
        a cell that is no list, or neither 0 nor 1, and how many rows have it.
    """
    for encoding, names in _sides(settings):
        for name in names:
            cells = distinct(counts.column(name))
            wrong = [code for code, value in enumerate(cells.values) if not _is_set(value, encoding)]
            if wrong:
                n = int(cells.rows(rows)[wrong[0]])
                wanted = "neither 0 nor 1" if encoding == "multi_hot" else "no list of labels"
                raise DataError(
                    f"Column {quote(name)} holds {quote(cells.values[wrong[0]])} in {count(n)}, {wanted}: correct "
                    "these cells."
                )


def _sides(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    """Yield how truth and predictions hold several labels, and those of their columns whose cells may hold no set.

    Any text is a delimited set, an empty one, too: such a side has no columns here.
    """
    sides = (
        (settings.encoding, settings.truth, settings.truth_columns),
        (settings.pred_encoding or settings.encoding, settings.pred, settings.pred_columns),
    )
    for encoding, column, pairs in sides:
        if encoding == "multi_hot":
            yield encoding, [name for name, _ in pairs]
        else:
            yield encoding, [] if column is None or encoding == "delimited" else [column]


def _is_set(value: str, encoding: str) -> bool:
    if encoding == "multi_hot":
        return value.casefold() in FLAGS
    return parse_list(value) is not None


def describe_left_out_scores(settings: Settings, n_classes: int | None = None) -> str:
    """Say that scores of several classes, or labels, are not counted; n_classes : None = several labels a row."""
    columns = list_items([column for column, _ in settings.scores], 3)
    whose = "each label" if n_classes is None else count(n_classes, "class")
    return f"The scores in {columns} are of {whose}: Thresholds counts them when asked."


def describe_no_scores(counts: str) -> str:
    """Say that lines of many rows with predictions are counted without scores; counts : the column of their rows."""
    return f"{quote(counts)} says how many rows each line stands for: scores beside the predictions are not counted."


def describe_cells(counts: pa.Table, settings: Settings) -> str:
    """Say over all rows of a source how many lack a label, and between which numbers the scores lie."""
    lowest = counts.column(LOW) if settings.scores else None
    highest = counts.column(HIGH) if settings.scores else None
    cells = {**label_cells(counts, settings), "score": lowest}
    return describe_all_rows(counts.column(ROWS), cells, highest)


def label_cells(counts: pa.Table, settings: Settings) -> dict[str, pa.ChunkedArray | None]:
    """Return truth and prediction of every line, null where a cell is empty; a delimited set never is."""
    if settings.encoding == "single":
        return {
            "true label": counts.column(settings.truth) if settings.truth else None,
            "predicted label": counts.column(settings.pred) if settings.pred else None,
        }
    true, predicted = (_mark_filled(counts, names) for _, names in _sides(settings))
    return {"true labels": true, "predicted labels": predicted}


def _mark_filled(counts: pa.Table, names: Sequence[str]) -> pa.ChunkedArray:
    """Return True for every line whose cells in these columns are all filled, null for the others."""
    is_filled = np.ones(len(counts), bool)
    for name in names:
        is_filled &= pc.is_valid(counts.column(name)).to_numpy()
    return pa.chunked_array([pa.array(is_filled, mask=~is_filled)])


def rows_by_text(counts: pa.Table, column: str | None, limits: Limits) -> dict[str, int]:
    """Return how many rows have each value of a column, as text."""
    if column is None:
        return {}
    texts = distinct(make_canonical(counts.select([column]), limits)[0].column(0))
    return dict(zip(texts.values, texts.rows(counts.column(ROWS).to_numpy()).tolist(), strict=True))


def find_written(cells: pa.ChunkedArray, column: str, value: str, limits: Limits) -> tuple[Any, ...]:
    """Return the cells of a column that are written as a value; DataError where there is none."""
    texts = distinct(make_canonical(pa.table({"k0": cells}), limits)[0].column("k0"))
    codes = zip(cells.to_pylist(), texts.codes.tolist(), strict=True)
    written = tuple(cell for cell, code in codes if code >= 0 and texts.values[code] == value)
    if not written:
        raise DataError(f"No row has {quote(value)} in column {quote(column)}: choose another value.")
    return written


def sort_lines(counts: pa.Table) -> pa.Table:
    """Return canonical counts in one order, whichever order an engine gave them in.

    >>> sort_lines(pa.table({"y": ["b", None, "a", "b"], LOW: [0.5, 0.1, 0.2, None]})).to_pydict()
    {'y': ['a', 'b', 'b', None], 'low': [0.2, 0.5, None, 0.1]}
    """
    order = np.arange(len(counts))
    # the last column first: a stable sort by the one before keeps its order where that one is equal
    for name in reversed([name for name in counts.column_names if name not in (HIGH, ROWS)]):
        column = counts.column(name)
        key = column.to_numpy(zero_copy_only=False) if is_number(column.type) else _places(column)
        order = order[np.argsort(key[order], kind="stable")]
    return counts.take(pa.array(order))


def _places(column: pa.ChunkedArray) -> np.ndarray:
    """Return the place of each text among all texts of a column; no text comes last."""
    cells = distinct(column, keep_blank=True)
    n = len(cells.values)
    place = np.full(n + 1, n, np.int16 if n < 2**15 else np.int32)  # sorting small numbers takes a tenth of the time
    place[sorted(range(n), key=cells.values.__getitem__)] = np.arange(n)
    return np.asarray(place[cells.codes])


def join_samples(tables: Iterable[pa.Table]) -> pa.Table:
    """Return canonical tables of one source as one, texts written out."""
    return pa.concat_tables(map(_write_out, tables), promote_options="permissive")


def _write_out(table: pa.Table) -> pa.Table:
    """Return a table whose texts are not encoded."""
    columns = [cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells for cells in table]
    return pa.table(columns, table.column_names)


def column_roles(
    columns: Sequence[str], settings: Settings, source_roles: Sequence[ColumnRole], predicted: Collection[str], *,
    rows: str, counted_by: str, upper: str | None,
) -> tuple[ColumnRole, ...]:  # fmt: skip
    """Return the role of every column of a table of counts.

    source_roles : the roles of the source's columns. predicted : columns of predictions that were made of scores.
    rows : the column of how many rows a line stands for. upper : the column of highest scores.
    """
    roles = {column: ColumnRole(column, "other", "splits the counts") for column in columns}
    used = {*label_columns(settings), *(column for column, _ in settings.scores)}
    roles |= {column: ColumnRole(column, "other", "") for column in used}
    roles |= {role.column: role for role in source_roles if role.column in used}
    labels = dict(settings.pred_columns)
    for column in predicted:
        if column in labels:
            roles[column] = ColumnRole(column, f"prediction of {labels[column]}", "by its score")
        else:
            roles[column] = ColumnRole(column, "prediction", "the class of the highest score")
    roles[rows] = ColumnRole(rows, "rows per line", counted_by)
    if upper is not None:
        roles[upper] = ColumnRole(upper, "highest score", "of a line's bin")
    return tuple(roles[column] for column in columns)
