"""Keep the rows of an evaluation that have values in columns."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pyarrow as pa

from data.building.build import CONTENT
from data.building.rescoring import find_unknown_truth
from data.columns.table_metadata import rows_left_out
from data.comparison.ordered_columns import Ordered, read_ordered, read_range
from data.comparison.row_groups import check_grouping, column_values
from data.errors import DataError
from data.evaluation import MISSING, Evaluation, Filtered
from data.limits import MAX_FILTERS
from data.roles.run_columns import list_in_file_order
from text.numbers import count
from text.quoting import list_briefly, quote

Conditions = tuple[tuple[str, str], ...]
"""(column, value) pairs that all hold; the value "" means the rows without one."""


def read_condition(text: str, option: str = "--filter") -> tuple[str, str]:
    """Return (column, value) of a filter as a person writes it; option : what a DataError names.

    >>> read_condition("region=eu")
    ('region', 'eu')
    """
    column, equals, value = text.partition("=")
    if not column or not equals:
        example = "region=eu" if option == "--filter" else "day=2026-05"
        raise DataError(f"{option} {quote(text)} says no value; write {example}.")
    return column, value


def write_filter(conditions: Conditions) -> str:
    """Return conditions as one text, for an address.

    >>> write_filter((("country", "DE"), ("age", "18 to 29")))
    'country=DE&age=18+to+29'
    """
    return urlencode(conditions)


def read_filter(text: str) -> Conditions:
    """Return what `write_filter` wrote.

    Raises
    ------
    ValueError
        the text holds no pairs of column and value.
    """
    pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, max_num_fields=MAX_FILTERS) if text else []
    return tuple(dict.fromkeys(pairs))


def describe_filter(conditions: Conditions) -> str:
    """Return conditions for a person, quoted.

    >>> describe_filter((("country", "DE"), ("age", "")))
    "'country' = 'DE' and 'age' is missing"
    """
    return " and ".join(
        f"{quote(column)} = {quote(value)}" if value else f"{quote(column)} is missing" for column, value in conditions
    )


def filter_rows(evaluation: Evaluation, conditions: Sequence[tuple[str, str]]) -> Evaluation:
    """Return the evaluation of the rows that fulfil every condition.

    A value is one of the column, or a range of its numbers ("18 to 29") or dates ("2026-03", "2026-01-05 to
    2026-01-11"). It is "" for the rows without one. Labels stay those of the whole file, so that a class without rows
    here is still seen.

    Raises
    ------
    DataError
        no such column, no row has the value, or the rows were left out of a share.
    """
    if not conditions:
        return evaluation
    if rows_left_out(evaluation):
        raise DataError("Whoever shared this left the rows out, so no filter can choose among them.")
    inside = np.ones(evaluation.n_lines, dtype=bool)
    for column, value in conditions:
        inside &= find_rows_with(evaluation.rows, column, value)
    if not inside.any():
        raise DataError(f"No row has {describe_filter(tuple(conditions))} together: remove one of these.")
    return keep_rows(evaluation, np.flatnonzero(inside), tuple(conditions))


def find_rows_with(table: pa.Table, column: str, value: str) -> np.ndarray:
    """Return which rows have a value of a column, or one within a range, bool (n,); raises DataError as above."""
    check_grouping(table, column, "to choose rows by")
    cells = table.column(column)
    ordered = read_ordered(cells) if value else None
    inside = None if ordered is None else _in_range(ordered, value)
    is_period = ordered is not None and ordered.kind == "date" and inside is not None and inside.any()
    if not is_period and (not pa.types.is_floating(cells.type) or not value):  # a slice may hold 2026Q1 and 2026-Q1
        distinct_cells = column_values(table, column)
        code = MISSING if value == "" else distinct_cells.place.get(value)
        if code is not None and (distinct_cells.codes == code).any():
            return np.asarray(distinct_cells.codes == code)
    if inside is None or not inside.any():
        held = list_briefly(list_in_file_order(column_values(table, column)))
        problem = (
            f"No row has {quote(value)} in column {quote(column)}" if value else f"Column {quote(column)} has no gaps"
        )
        raise DataError(f"{problem}, which holds {held}: choose one of these.")
    return inside


def _in_range(ordered: Ordered, value: str) -> np.ndarray | None:
    ends = read_range(ordered.kind, value)
    if ends is None:
        return None
    inside = (ordered.values >= ends[0]) & (ordered.values <= ends[1])
    return np.asarray(np.append(inside, False)[ordered.codes])


def keep_rows(e: Evaluation, kept: np.ndarray, conditions: Conditions) -> Evaluation:
    """Return the evaluation of some rows, int (m,), in their order; conditions : what they fulfil."""
    no_truth, no_pred = _missing(e, kept)
    score, answers, before = e.y_score, e.answers, e.filtered
    text = f"Only the {count(len(kept), 'line')} with {describe_filter(conditions)} count."
    every = conditions if before is None else (*before.conditions, *conditions)
    return dataclasses.replace(
        e,
        y_true=e.y_true[kept],
        y_pred=e.y_pred[kept],
        scored=e.scored[kept],
        n_missing_truth=no_truth,
        n_missing_pred=no_pred,
        rows=_table_of(e, kept, conditions),
        fingerprint=hashlib.sha256(f"{e.fingerprint} {write_filter(conditions)}".encode()).hexdigest(),
        receipt=dataclasses.replace(e.receipt, notes=(text, *e.receipt.notes)),
        y_score=None if score is None else np.asfortranarray(score[kept]),
        answers=None if answers is None else dataclasses.replace(answers, codes=answers.codes[kept]),
        row_numbers=kept if e.row_numbers is None else e.row_numbers[kept],
        weights=None if e.weights is None else e.weights[kept],
        units=None if e.units is None else e.units[kept],
        score_upper=None if e.score_upper is None else e.score_upper[kept],
        filtered=Filtered(every, e.n_rows if before is None else before.n_rows, e.listed),
    )


def _table_of(e: Evaluation, kept: np.ndarray, conditions: Conditions) -> pa.Table:
    """Return the rows as a table of their own, so that its fingerprint differs from that of all rows."""
    about = e.rows.schema.metadata or {}
    content = about.get(CONTENT, e.fingerprint.encode()) + b" " + write_filter(conditions).encode()
    rows = e.rows.take(pa.array(kept))
    return rows.replace_schema_metadata({**about, CONTENT: hashlib.sha256(content).hexdigest().encode()})


def _missing(evaluation: Evaluation, kept: np.ndarray) -> tuple[int, int]:
    """Return rows without a truth, and without a prediction, among those that are kept."""
    if evaluation.task == "multilabel":
        no_truth = find_unknown_truth(evaluation)[kept]
    else:
        no_truth = evaluation.y_true[kept] == MISSING
    no_pred = ~evaluation.scored[kept] & ~no_truth & evaluation.has_weight[kept]
    weights = evaluation.rows_per_line[kept]
    return int(weights[no_truth].sum()), int(weights[no_pred].sum())
