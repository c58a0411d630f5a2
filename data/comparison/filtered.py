"""Keep the rows of an evaluation that have a value in a column."""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np
import pyarrow as pa

from data.columns.run_columns import list_in_file_order
from data.comparison.row_groups import column_values
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from text.numbers import count
from text.quoting import list_briefly, quote


def read_filter(text: str) -> tuple[str, str]:
    """Return (column, value) of a filter as a person writes it.

    >>> read_filter("region=eu")
    ('region', 'eu')
    """
    column, equals, value = text.partition("=")
    if not column or not equals:
        raise DataError(f"--filter {text!r} says no value; write region=eu.")
    return column, value


def filter_rows(evaluation: Evaluation, column: str, value: str) -> Evaluation:
    """Return the evaluation of the rows with a value; an empty value keeps the rows without one.

    Labels stay those of the whole file, so that a class without rows here is still seen.

    Raises
    ------
    DataError
        no such column, or no row has the value.
    """
    found = column_values(evaluation.rows, column, "to choose rows by")
    code = MISSING if value == "" else found.place.get(value)
    kept = np.flatnonzero(found.codes == code) if code is not None else np.array([], dtype=np.int64)
    if not len(kept):
        held = list_briefly(list_in_file_order(found))
        raise DataError(
            f"No row has {quote(value)} in column {quote(column)}, which holds {held}: choose one of these."
        )
    e, text = evaluation, f"Only the {count(len(kept), 'line')} with {quote(column)} = {quote(value)} count."
    no_truth, no_pred = _missing(evaluation, kept)
    score, answers = e.y_score, e.answers
    return dataclasses.replace(
        e,
        y_true=e.y_true[kept],
        y_pred=e.y_pred[kept],
        scored=e.scored[kept],
        n_missing_truth=no_truth,
        n_missing_pred=no_pred,
        rows=e.rows.take(pa.array(kept)),
        fingerprint=hashlib.sha256(f"{e.fingerprint} {column}={value}".encode()).hexdigest(),
        receipt=dataclasses.replace(e.receipt, notes=(text, *e.receipt.notes)),
        y_score=None if score is None else np.asfortranarray(score[kept]),
        answers=None if answers is None else dataclasses.replace(answers, codes=answers.codes[kept]),
        row_numbers=kept if e.row_numbers is None else e.row_numbers[kept],
        weights=None if e.weights is None else e.weights[kept],
    )


def _missing(evaluation: Evaluation, kept: np.ndarray) -> tuple[int, int]:
    """Rows without a truth, and without a prediction, among those that are kept."""
    weights = np.ones(len(kept), dtype=np.int64) if evaluation.weights is None else evaluation.weights[kept]
    if evaluation.task == "multilabel":  # sets do not say what was missing; the whole file's counts do
        n = int(weights[~evaluation.scored[kept]].sum())
        return (n, 0) if evaluation.n_missing_truth else (0, n)
    no_truth = evaluation.y_true[kept] == MISSING
    no_pred = ~evaluation.scored[kept] & ~no_truth
    return int(weights[no_truth].sum()), int(weights[no_pred].sum())
