"""Judge a best guess of the columns' roles before a person sees it, and list the columns where there is none."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.errors import Guess
from data.evaluation import Evaluation
from text.quoting import MESSAGE_CHARS, list_items, quote

_LISTED = 6  # columns
_Z = 1.959964  # of a 95 % interval


def is_complete(guess: Guess) -> bool:
    """Return whether a guess names a truth and something predicted.

    >>> is_complete(Guess("y", score="p")), is_complete(Guess("y"))
    (True, False)
    """
    return guess.truth is not None and any(name is not None for name in guess[1:])


def agrees_by_chance(evaluation: Evaluation) -> bool:
    """Return whether the 95 % interval of Cohen's kappa holds 0, or kappa is undefined; False without one label a row.

    The interval is Wilson's of the agreement, beside the agreement by chance.
    """
    if evaluation.y_true.ndim > 1 or not evaluation.has_predictions:
        return False
    rows = evaluation.scored
    true, predicted, weights = evaluation.y_true[rows], evaluation.y_pred[rows], evaluation.rows_per_line[rows]
    n = int(weights.sum())
    if not n:
        return True
    shares = [_measure_shares(side, weights, len(evaluation.labels)) for side in (true, predicted)]
    return _find_lower_bound(weights[true == predicted].sum() / n, n) <= float(shares[0] @ shares[1])


def _measure_shares(codes: np.ndarray, weights: np.ndarray, n_labels: int) -> np.ndarray:
    known = codes >= 0
    counts: np.ndarray = np.bincount(codes[known], weights=weights[known], minlength=n_labels)
    return np.asarray(counts / weights.sum())


def _find_lower_bound(share: float, n: int) -> float:
    """Return Wilson's lower bound of a share of n rows."""
    middle = share + _Z**2 / (2 * n)
    spread = _Z * float(np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)))
    return (middle - spread) / (1 + _Z**2 / n)


def list_columns_with_values(table: pa.Table, room: int = MESSAGE_CHARS) -> str:
    """Return the columns of a table with three values of each, as many as there is room for; "" if none fits.

    room : in characters.

    >>> list_columns_with_values(pa.table({"ref": ["a", "b"], "empty": ["", None]}))
    "'ref' ('a', 'b'), 'empty' (no values)"
    """
    columns = list(_describe_columns(table))
    lists = (list_items(columns, n, quoted=False) for n in range(_LISTED, 0, -1))
    return next((text for text in lists if len(text) <= room), "")


def _describe_columns(table: pa.Table) -> Iterable[str]:
    for place, name in enumerate(table.column_names):
        values = Column(table, name).sample.values if place < _LISTED else ()
        shown = ", ".join(quote(value, 16) for value in values[:3]) + ", …" * (len(values) > 3)
        yield f"{quote(name, 24)} ({shown or 'no values'})"
