"""Ask the engine for the rows behind lines of counts; the counts say how many there are."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.building.counted_labels import label_columns
from data.columns.column import distinct
from data.columns.counted_metadata import Counted, read_counted, require_counted
from data.columns.score_scale import find_source_cut
from data.engines.parquet_folder import select_keys
from data.engines.query import Key, Score
from data.engines.row_query import Among, RowQuery
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_ROW_CONDITIONS
from data.runs.class_scores.source_keys import find_key, find_score, read_conditions, read_raw_value
from data.runs.engine_turns import Report, open_in_turn
from data.runs.score_runs.row_keys import find_score_keys
from data.runs.sources import find_unchanged

ORDERS = {"file": "in file order", "highest": "highest score first", "lowest": "lowest score first",
          "closest": "closest to the threshold first"}  # fmt: skip
"""Orders of the rows of a source; the last three need a score."""
ROWS_AT_ONCE = 200
_DEEP = 2_000  # rows; beyond them the counts say where a part lies


def has_source(evaluation: Evaluation) -> bool:
    """Return whether the rows can be asked of a source of this server."""
    counted = read_counted(evaluation.rows)
    return counted is not None and counted.source is not None


def counts_one_source(evaluation: Evaluation) -> bool:
    """Return whether a source of this server can be counted again, by more or by other columns."""
    counted = read_counted(evaluation.rows)
    return counted is not None and counted.source is not None and counted.join is None


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
    counted = require_counted(evaluation.rows)
    assert counted.source is not None and counted.join is None
    source, folder = find_unchanged(counted, person, groups, "its rows are not shown")
    schema = folder.schema
    lines, offset = _near_part(evaluation, counted, lines, order, offset)
    if not len(lines):
        return schema.empty_table()
    query = RowQuery(
        where=read_conditions(counted, schema),
        among=_combinations(evaluation, counted, lines, schema),
        by=find_score(counted) if order != "file" else None,
        order=order, to=_threshold(evaluation, counted), offset=offset, n=ROWS_AT_ONCE,
    )  # fmt: skip
    with open_in_turn(source, folder, report) as engine:
        return select_keys(engine.rows(query))


def _combinations(evaluation: Evaluation, counted: Counted, lines: np.ndarray, schema: pa.Schema) -> Among | None:
    """Return the combinations of keys among the lines, or those that are not, and their ranges of scores."""
    whole_file, table = evaluation.filtered is None, evaluation.rows
    if whole_file and len(lines) == evaluation.n_lines:
        return None
    settings, columns = evaluation.settings, (
        counted.rows, counted.score, counted.upper, *counted.more_scores, *counted.more_scores.values(),
    )  # fmt: skip
    labels = list(label_columns(settings))
    others = [name for name in table.column_names if name not in (*columns, *labels)]
    every = {name: distinct(table.column(name), keep_blank=True) for name in (*labels, *others)}
    made: dict[str, Key] = {}
    if counted.more_scores:
        group = _groups(np.stack([cell.codes for cell in every.values()], axis=1))[1]
        usual = _threshold(evaluation, counted)
        for name, (key, texts) in find_score_keys(table, counted, lines, group, usual).items():
            made[name], every[name] = key, distinct(texts, keep_blank=True)
    same = [name for name in labels if len(lines) and np.ptp(every[name].codes[lines]) == 0]
    fewer = [*([same] if same else []), labels, *([*labels, name] for name in others)] if whole_file else []
    for keys in (*fewer, list(every)):
        cells = [every[name] for name in keys]
        codes = np.stack([cell.codes for cell in cells], axis=1)
        first, group = _groups(codes)
        wanted_rows = np.bincount(group[lines], minlength=len(first))
        whole = whole_file and bool(((wanted_rows == 0) | (wanted_rows == np.bincount(group))).all())
        if whole:  # slices and scores need not be named
            break
    negated = bool(whole and 2 * np.count_nonzero(wanted_rows) > len(wanted_rows))
    chosen = np.flatnonzero((wanted_rows == 0) if negated else (wanted_rows > 0))
    score: Score | None = None
    low, high = np.zeros(0), np.zeros(0)
    if not whole and counted.score is not None:
        score = find_score(counted)
        chosen, low, high = _ranges(table, counted, lines, group)
    if len(chosen) > MAX_ROW_CONDITIONS:
        raise DataError("These rows have too many combinations of labels to be asked for: choose a class or a cell.")
    names = [made.get(name) or find_key(counted, name) for name in keys]
    values = [
        [read_raw_value(cell.values, code, schema, name) for code in codes[first[chosen], i].tolist()]
        for i, (name, cell) in enumerate(zip(names, cells, strict=True))
    ]
    return Among(
        tuple(names), tuple(zip(*values, strict=True)), score, tuple(low.tolist()), tuple(high.tolist()), negated
    )


def _groups(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first line of every combination of codes, and each line's combination."""
    group = np.zeros(len(codes), np.int64)
    first = np.zeros(1, np.int64)
    for column in codes.T.astype(np.int64):
        _, first, group = np.unique(group * (column.max() + 2) + column + 1, return_index=True, return_inverse=True)
    return first, group


def _ranges(
    table: pa.Table, counted: Counted, lines: np.ndarray, group: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return groups of lines with the smallest and the largest score of their lines; NaN, NaN = lines without a score.

    A group is there once for every run of its lines that no other of its lines interrupts.
    """
    low, high = _ends(table, counted)
    chosen = np.zeros(len(low), bool)
    chosen[lines] = True
    order = np.lexsort((low, group))  # NaN comes last
    group, chosen, low, high = group[order], chosen[order], low[order], high[order]
    changes = (np.diff(group) != 0) | np.diff(np.isnan(low))
    if (~changes & np.diff(chosen) & ~(np.diff(low) > 0)).any():
        raise DataError("These rows depend on the scores of both models: choose thresholds of their own to see rows.")
    begins = np.append(True, changes | np.diff(chosen))
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(low)) - 1
    kept = chosen[starts]
    return group[starts][kept], low[starts][kept], high[ends][kept]


def _ends(table: pa.Table, counted: Counted) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest score of every line."""
    assert counted.score is not None
    low, high = (
        table.column(name).to_numpy(zero_copy_only=False).astype(np.float64)
        for name in (counted.score, counted.upper or counted.score)
    )
    return low, high


def _near_part(
    evaluation: Evaluation, counted: Counted, lines: np.ndarray, order: str, offset: int
) -> tuple[np.ndarray, int]:
    """Return the lines among which a deep part of the sorted rows lies, and how many of their rows stand before it.

    The counts say how many rows have a score before that of a line, so that an engine need not sort them.
    """
    if offset < _DEEP or order == "file" or counted.score is None:
        return lines, offset
    low, high = (ends[lines] for ends in _ends(evaluation.rows, counted))
    to = _threshold(evaluation, counted)
    if order == "highest":
        low, high = -high, -low
    elif order == "closest":
        crossed = (low <= to) & (to <= high)
        low, high = np.minimum(abs(low - to), abs(high - to)), np.maximum(abs(low - to), abs(high - to))
        low = np.where(crossed, 0.0, low)
    low, high = np.nan_to_num(low, nan=np.inf), np.nan_to_num(high, nan=np.inf)
    assert evaluation.weights is not None
    rows = evaluation.weights[lines]
    first = _key_at(low, rows, offset)  # no row before it has a larger key
    last = _key_at(high, rows, offset + ROWS_AT_ONCE - 1)
    before = high < first
    return lines[~before & (low <= last)], offset - int(rows[before].sum())


def _key_at(keys: np.ndarray, rows: np.ndarray, rank: int) -> float:
    """Return the smallest key up to which more than `rank` rows are counted; infinite where there are not so many."""
    order = np.argsort(keys)
    place = int(np.searchsorted(np.cumsum(rows[order]), rank, side="right"))
    return float(keys[order[place]]) if place < len(keys) else np.inf


def _threshold(evaluation: Evaluation, counted: Counted) -> float:
    high = pc.max(evaluation.rows.column(counted.score)).as_py() if counted.score else None
    return find_source_cut(evaluation.scale, evaluation.effective_threshold, high) or 0.0
