"""Compare what a tool's log says of each row (right or wrong) with what is read from it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.evaluation import FileFacts, Settings
from text.numbers import count, number
from text.quoting import quote

_RIGHT = ("c", "1", "1.0", "true", "pass", "correct")
_WRONG = ("i", "n", "0", "0.0", "false", "fail", "incorrect")
_VERDICTS = dict.fromkeys(_RIGHT, 1.0) | dict.fromkeys(_WRONG, 0.0)
_COLUMNS = {"lm-evaluation-harness": ("acc", "exact_match"), "OpenAI Evals": ("correct",),
            "Every Eval Ever": ("correct",)}  # fmt: skip
"""Columns of a tool's verdicts, the first that a log has."""
_NAMED = 5
"""Rows that a warning names."""
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
        renamed = (pred.removesuffix("_answer"), re.sub("^answer_", "value_", pred))
        columns = [name for name in renamed if name != pred]
        if not columns:  # predictions of no scorer: the verdicts of those that give no answer of their own
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
    return cells.spread([_VERDICTS.get(text.casefold(), np.nan) for text in cells.values], np.nan)


def choose_verdict(table: pa.Table, names: Sequence[str], right: np.ndarray) -> tuple[str, np.ndarray] | None:
    """Return the column of verdicts that agrees with most rows, and its verdicts; None where none says anything.

    right : bool (n,), the rows that are right as they are read.
    """
    by_column = {name: read_verdicts(table.column(name)) for name in names}
    n_agreeing = {name: int((by_column[name] == right).sum()) for name in names if not np.isnan(by_column[name]).all()}
    best = max(n_agreeing, key=n_agreeing.__getitem__, default=None)
    return None if best is None else (best, by_column[best])


def warn_of_verdict(
    table: pa.Table, settings: Settings, files: Sequence[FileFacts], y_true: np.ndarray, y_pred: np.ndarray,
    scored: np.ndarray,
) -> list[str]:  # fmt: skip
    """Return a sentence where a log's own verdicts differ from the labels read; else an empty list.

    Only of one log, with one label a row that no threshold predicts.

    Parameters
    ----------
    y_true, y_pred : codes of the labels as they are read. scored : bool (n,), rows that count.

    >>> table = pa.table({"y": ["a", "b"], "correct": ["true", "true"]})
    >>> files = [FileFacts("log", "JSON lines", 2, ("y", "correct"), 9, "0", source="OpenAI Evals")]
    >>> codes = np.array([0, 1]), np.array([0, 0])
    >>> warn_of_verdict(table, Settings(truth="y", pred="p"), files, *codes, np.array([True, True]))[0][:61]
    "The log's own verdict in 'correct' differs in 1 of 2 rows (fi"
    """
    pred = settings.pred or settings.raw
    if len(files) != 1 or pred is None or y_true.ndim != 1 or settings.threshold is not None:
        return []
    right = y_true == y_pred
    verdict = choose_verdict(table, find_verdict_columns(table.column_names, files[0].source, pred), right)
    if verdict is None:
        return []
    name, verdicts = verdict
    compared = scored & ~np.isnan(verdicts)
    right_by_log = verdicts == 1
    differing = np.flatnonzero(compared & (right_by_log != right))
    if not len(differing):
        return []
    n = int(compared.sum())
    by_log = int((compared & right_by_log).sum())
    here = int((compared & right).sum())
    rows = ", ".join(f"{row + 1:,}" for row in differing[:_NAMED].tolist())
    return [
        f"The log's own verdict in {quote(name)} differs in {len(differing):,} of {count(n, 'row')} "
        f"(first: {'row' if len(differing) == 1 else 'rows'} {rows}). "
        f"By the log {by_log:,} of them are right ({number(by_log / n)}), as read here {here:,} ({number(here / n)})."
    ]
