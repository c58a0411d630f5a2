"""The rows behind lines of counts, asked of the engine: which they are follows from the lines, how many is known."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import types as kinds

from data.columns.column import distinct
from data.columns.counted_table import Counted, read_counted
from data.engines.parquet_folder import is_key
from data.engines.query import Condition, Part, RowQuery
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from data.limits import MAX_ROW_CONDITIONS
from data.runs.sources import Report, asked, find_source
from text.quoting import quote

ORDERS = {"file": "in file order", "highest": "highest score first", "lowest": "lowest score first",
          "closest": "closest to the threshold first"}  # fmt: skip
"""Orders of the rows of a source; the last three need a score."""
ROWS_AT_ONCE = 200


def has_source(evaluation: Evaluation) -> bool:
    """Return whether the rows can be asked of a source of this server."""
    counted = read_counted(evaluation.rows)
    return counted is not None and counted.source is not None


def read_source_rows(
    evaluation: Evaluation, lines: np.ndarray, report: Report, *, order: str = "file", offset: int = 0,
    person: str = "", groups: Collection[str] = (),
) -> pa.Table:  # fmt: skip
    """Return up to 200 rows that some lines stand for, with all columns of the source that hold values.

    lines : positions of lines, int64 (m,). order : a key of `ORDERS`.

    Raises
    ------
    DataError
        the source is gone, has changed since it was counted, or does not open for this person; too many combinations.
    """
    counted = read_counted(evaluation.rows)
    assert counted is not None and counted.source is not None
    source = find_source(counted.source, person, groups)
    folder = source.open_folder()
    if folder.snapshot != counted.snapshot:
        raise DataError(
            f"The source {quote(source.name)} has changed since it was counted, so its rows are not shown: open the "
            "source again."
        )
    schema = folder.schema
    query = RowQuery(
        where=tuple(
            Condition(name, tuple(_raw(value, schema.field(name).type) for value in values))
            for name, values in counted.only
        ),
        either=_parts(evaluation, counted, lines, schema),
        by=counted.columns.get(counted.score or "") if order != "file" else None,
        order=order, to=_threshold(evaluation, counted), offset=offset, n=ROWS_AT_ONCE,
    )  # fmt: skip
    with asked(source, folder, report) as engine:
        found = engine.rows(query)
    return found.select([field.name for field in found.schema if is_key(field.type)])


def _parts(evaluation: Evaluation, counted: Counted, lines: np.ndarray, schema: pa.Schema) -> tuple[Part, ...]:
    """Return one alternative for every combination of keys among the lines, with its range of scores."""
    whole_file, table = evaluation.filtered is None, evaluation.rows
    if whole_file and len(lines) == evaluation.n_lines:
        return ()
    settings, columns = evaluation.settings, (counted.rows, counted.score, counted.upper)
    labels = [name for name in (settings.truth, settings.pred) if name is not None]
    for keys in (labels, [name for name in table.column_names if name not in columns]):
        cells = [distinct(table.column(name), keep_blank=True) for name in keys]
        codes = np.stack([cell.codes for cell in cells], axis=1)
        group = np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1)
        whole = np.bincount(group)
        own = np.bincount(group[lines], minlength=len(whole))
        if whole_file and ((own == 0) | (own == whole)).all():  # slices and scores need not be named
            break
    if np.count_nonzero(own) > MAX_ROW_CONDITIONS:
        raise DataError("These rows have too many combinations of labels to be asked for: choose a class or a cell.")
    parts = []
    for place in np.unique(group[lines]):
        own = lines[group[lines] == place]
        where = tuple(
            Condition(counted.columns[name], (_value(cell.values, codes[own[0], i], schema, counted.columns[name]),))
            for i, (name, cell) in enumerate(zip(keys, cells, strict=True))
        )
        every = whole_file and len(own) == whole[place]
        scores = None if every or counted.score is None else _range(table, counted, own)
        parts.append(Part(where, *(scores or (None, None, None))))
    return _merged(parts)


def _merged(parts: list[Part]) -> tuple[Part, ...]:
    """Return parts that differ in the values of their last column only as one part each: far fewer to look at a row."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for part in parts:
        last = part.where[-1]
        found.setdefault((part.where[:-1], last.column, part[1:]), []).extend(last.values)
    return tuple(
        Part((*first, Condition(column, tuple(values))), *scores) for (first, column, scores), values in found.items()
    )


def _range(table: pa.Table, counted: Counted, lines: np.ndarray) -> tuple[str, float, float]:
    """Return the column of the score, and the smallest and the largest score of lines."""
    assert counted.score is not None
    low, high = (
        table.column(name).take(pa.array(lines)).to_numpy(zero_copy_only=False)
        for name in (counted.score, counted.upper or counted.score)
    )
    if np.isnan(low).all():  # the lines without a score
        return counted.columns[counted.score], np.nan, np.nan
    return counted.columns[counted.score], float(np.nanmin(low)), float(np.nanmax(high))


def _value(values: tuple[str, ...], code: int, schema: pa.Schema, column: str) -> Any:
    return None if code == MISSING else _raw(values[code], schema.field(column).type)


def _raw(text: str, kind: pa.DataType) -> Any:
    """Return the value that was written as a text when labels were read."""
    kind = kind.value_type if kinds.is_dictionary(kind) else kind
    if kinds.is_string(kind) or kinds.is_large_string(kind):
        return text
    if kinds.is_boolean(kind):
        return text == "true"
    if kinds.is_integer(kind):
        return int(text)
    if kinds.is_floating(kind):
        return float(text)
    raise DataError(f"Rows cannot be asked for by values of type {kind}: write this column as text.")


def _threshold(evaluation: Evaluation, counted: Counted) -> float:
    threshold = evaluation.effective_threshold
    high = evaluation.rows.column(counted.score).to_numpy(zero_copy_only=False) if counted.score else np.zeros(1)
    per_cent = evaluation.scale == "probability" and np.nanmax(high, initial=0) > 1
    return 0.0 if np.isnan(threshold) else float(threshold * 100 if per_cent else threshold)
