"""Read the costs of confusions and the shares of classes that a person gives; write either as one line of a link."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence

import numpy as np

from data.errors import DataError
from text.name_lists import read_names
from text.quoting import list_items, quote

ESTIMATE = "estimate"
"""The word for shares that are estimated from scores."""
_CLOSE, _MOST = 1e-3, 1e12


def write_rows(rows: np.ndarray) -> str:
    """Return rows of numbers, float64 (n, m), as one line.

    >>> write_rows(np.array([[0.0, 1.5], [20.0, 0.0]]))
    '0,1.5;20,0'
    """
    return ";".join(",".join(f"{number:.10g}" for number in row) for row in rows.tolist())


def _read_rows(text: str) -> np.ndarray:
    """Return the rows that `write_rows` wrote, float64 (n, m).

    Raises
    ------
    ValueError
        a cell is no number, or rows are of different lengths.

    >>> _read_rows("0,1.5;20,0").tolist()
    [[0.0, 1.5], [20.0, 0.0]]
    """
    return np.array([[float(cell) for cell in row.split(",")] for row in text.split(";")])


def read_cost_table(text: str, labels: Sequence[str]) -> np.ndarray:
    r"""Return the costs of a CSV text by the labels of the label space, float64 (K, K), true × predicted.

    The first line names the predicted classes, the first column the true ones. An empty cell on the diagonal costs 0.

    Raises
    ------
    DataError
        a class is missing, repeated or unknown, or a cell is no number.

    >>> read_cost_table("true,yes,no\nno,1,\nyes,,20", ["no", "yes"]).tolist()
    [[0.0, 1.0], [20.0, 0.0]]
    """
    lines = [[cell.strip() for cell in line] for line in csv.reader(text.splitlines()) if any(map(str.strip, line))]
    predicted, true = (lines[0][1:] if lines else []), [line[0] for line in lines[1:]]
    for names, what in ((predicted, "columns"), (true, "rows")):
        _check_names(names, labels, what)
    costs = np.empty((len(labels), len(labels)))
    for row, label in enumerate(true):
        cells = lines[row + 1][1:]
        if len(cells) != len(predicted):
            raise DataError(f"The costs of {quote(label)} have {len(cells)} cells; {len(predicted)} were wanted.")
        for column, cell in enumerate(cells):
            cost = _read_cost(cell, label, predicted[column])
            costs[labels.index(label), labels.index(predicted[column])] = cost
    return costs


def _check_names(names: Sequence[str], labels: Sequence[str], what: str) -> None:
    missing = [label for label in labels if label not in names]
    unknown = [name for name in names if name not in labels]
    if missing:
        raise DataError(f"The {what} of the table of costs lack {list_items(missing)}: name each class once.")
    if unknown:
        raise DataError(f"The {what} of the table of costs name {list_items(unknown)}, which is no class of this file.")
    if len(names) > len(labels):
        raise DataError(f"The {what} of the table of costs name a class twice.")


def _read_cost(cell: str, true: str, predicted: str) -> float:
    if not cell and true == predicted:
        return 0.0
    cost = _read_number(cell)
    if not abs(cost) <= _MOST:
        of_pair = f"true {quote(true)} predicted as {quote(predicted)}"
        raise DataError(f"The cost of {of_pair} is {quote(cell)}; a number was wanted.")
    return cost


def _read_number(text: str) -> float:
    """Return the number that a text is; NaN where it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def read_costs(text: str) -> np.ndarray:
    """Return the table that `write_rows` wrote, float64 (K, K).

    Raises
    ------
    ValueError
        it is none.
    """
    costs = _read_rows(text)
    if costs.shape[0] != costs.shape[1] or not (np.abs(costs) <= _MOST).all():
        raise ValueError("as many rows of numbers as each has were wanted, such as 0,1;20,0")
    return costs


def read_priors(text: str | None, labels: Sequence[str]) -> np.ndarray | None:
    """Return the share of every class of the label space, float64 (K,); None where none is given, or to estimate.

    Raises
    ------
    DataError
        a class is missing, repeated or unknown, or the shares are no numbers that sum to 1.

    >>> read_priors("b=0.25,a=0.75", ["a", "b"]).tolist()
    [0.75, 0.25]
    >>> read_priors('"cat, big"=0.25,dog=0.75', ["cat, big", "dog"]).tolist()
    [0.25, 0.75]
    """
    if text in (None, "", ESTIMATE):
        return None
    pairs = [part.rpartition("=") for part in read_names(str(text), is_typed=True)]
    names = [name.strip() for name, _, _ in pairs]
    if sorted(names) != sorted(labels):
        wrong = [name for name in labels if names.count(name) != 1] or [name for name in names if name not in labels]
        every = "".join(labels)
        advice = 'Write a name with a comma in quotation marks: "a, b"=0.3.' if "," in every else ""
        advice = "Write each quotation mark of a name twice, the name in quotation marks." if '"' in every else advice
        names_wanted = "The shares must name every class once, as a=0.3,b=0.7; this differs"
        raise DataError(f"{names_wanted}: {list_items(wrong)}. {advice}".rstrip())
    shares = np.array([_read_number(pairs[names.index(label)][2]) for label in labels])
    if not (shares >= 0).all() or abs(shares.sum() - 1) > _CLOSE:
        raise DataError("The shares of the classes must be numbers from 0 that sum to 1, such as a=0.3,b=0.7.")
    return np.asarray(shares / shares.sum())


def read_parts(text: str) -> np.ndarray:
    """Return the parts of classes that `write_rows` wrote, float64 (1 or 2, K): in use, and in training.

    Raises
    ------
    ValueError
        it is none.
    """
    parts = _read_rows(text)
    if len(parts) > 2 or not ((parts >= 0) & (parts <= _MOST)).all() or not parts.sum(axis=1).all():
        raise ValueError("a number from 0 for each class was wanted, such as 0.2,0.3,0.5")
    return parts
