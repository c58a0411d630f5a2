"""Compare what a tool's log says of each row (right or wrong) with what is read from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from text.numbers import count, number
from text.quoting import quote

_RIGHT = frozenset(["c", "1", "1.0", "true", "pass", "correct"])
_WRONG = frozenset(["i", "n", "0", "0.0", "false", "fail", "incorrect"])
_COLUMNS = {"lm-evaluation-harness": ("acc", "exact_match"), "OpenAI Evals": ("correct",),
            "Every Eval Ever": ("correct",)}  # fmt: skip
_NAMED = 5
AS_SCORED = "as the tool's scorer does"
"""Mark in the note of a file whose labels were read so: such a reading has a fingerprint of its own."""


def find_verdict_columns(names: Sequence[str], tool: str | None, pred: str) -> list[str]:
    """Return the columns that may hold a tool's verdict on the predictions of a column.

    >>> find_verdict_columns(["id", "value_match", "value_f1", "answer_f1"], "Inspect", "prediction")
    ['value_match']
    >>> find_verdict_columns(["[a] p", "Status"], "promptfoo", "[a] p")
    ['Status']
    """
    if tool == "Inspect":
        columns = [pred.removesuffix("_answer")] if pred.endswith("_answer") else []
        columns += [pred.replace("answer_", "value_", 1)] if pred.startswith("answer_") else []
        if not columns:
            scorers = [name.removeprefix("value_") for name in names if name.startswith("value_")]
            columns = [f"value_{scorer}" for scorer in scorers if f"answer_{scorer}" not in names]
        return [name for name in columns if name in names]
    if tool == "promptfoo":
        return [name for name in (f"Status ({pred})", "Status", "success", "pass") if name in names][:1]
    return [name for name in _COLUMNS.get(tool or "", ()) if name in names][:1]


def read_verdicts(column: pa.ChunkedArray) -> np.ndarray:
    """Return 1 for right, 0 for wrong, NaN for anything else, float64 (n,).

    >>> read_verdicts(pa.chunked_array([["C", "I", "P", None]])).tolist()
    [1.0, 0.0, nan, nan]
    """
    cells = distinct(column)
    rights = [
        1.0 if text.casefold() in _RIGHT else 0.0 if text.casefold() in _WRONG else np.nan for text in cells.values
    ]
    values: np.ndarray = np.array([*rights, np.nan])[cells.codes]
    return values


def choose_verdict(table: pa.Table, names: Sequence[str], right: np.ndarray) -> tuple[str, np.ndarray] | None:
    """Return the column of verdicts that agrees with most rows, and its verdicts; None where none says anything.

    right : bool (n,), the rows that are right as they are read.
    """
    verdicts = [(name, read_verdicts(table.column(name))) for name in names]
    verdicts = [(name, values_of_column) for name, values_of_column in verdicts if not np.isnan(values_of_column).all()]
    return max(verdicts, key=lambda one: int((one[1] == right).sum()), default=None)


def warn_of_verdict(
    table: pa.Table, tool: str | None, pred: str | None, right: np.ndarray, scored: np.ndarray
) -> list[str]:
    """Return a sentence where a log's own verdicts differ from the labels read; else an empty list.

    Parameters
    ----------
    pred : the column of the predictions, or of the answers they are read from.
    right, scored : bool (n,), rows that are right as they are read, and rows that count.

    >>> table = pa.table({"y": ["a", "b"], "correct": ["true", "true"]})
    >>> warn_of_verdict(table, "OpenAI Evals", "p", np.array([True, False]), np.array([True, True]))[0][:61]
    "The log's own verdict in 'correct' differs in 1 of 2 rows (fi"
    """
    verdict = choose_verdict(table, find_verdict_columns(table.column_names, tool, pred or ""), right)
    if verdict is None:
        return []
    name, by_log_values = verdict
    compared = scored & ~np.isnan(by_log_values)
    differing = np.flatnonzero(compared & ((by_log_values == 1) != right))
    if not len(differing):
        return []
    n, by_log, here = (int(rows.sum()) for rows in (compared, compared & (by_log_values == 1), compared & right))
    first = f"row{'s' * (len(differing) > 1)} {', '.join(f'{row + 1:,}' for row in differing[:_NAMED].tolist())}"
    return [
        f"The log's own verdict in {quote(name)} differs in {len(differing):,} of {count(n, 'row')} "
        f"(first: {first}). "
        f"By the log {by_log:,} of them are right ({number(by_log / n)}), as read here {here:,} ({number(here / n)})."
    ]
