"""Read a table of costs: a row for every true class, a column for every predicted one."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence

import numpy as np

from data.errors import DataError
from data.labels.number_rows import read_rows
from text.quoting import list_items, quote

_MOST = 1e12


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
    try:
        cost = float(cell)
    except ValueError:
        cost = math.nan
    if not abs(cost) <= _MOST:
        of_pair = f"true {quote(true)} predicted as {quote(predicted)}"
        raise DataError(f"The cost of {of_pair} is {quote(cell)}; a number was wanted.")
    return cost


def read_costs(text: str) -> np.ndarray:
    """Return the table that `write_rows` wrote, float64 (K, K).

    Raises
    ------
    ValueError
        it is none.
    """
    costs = read_rows(text)
    if costs.shape[0] != costs.shape[1] or not (np.abs(costs) <= _MOST).all():
        raise ValueError("as many rows of numbers as each has were wanted, such as 0,1;20,0")
    return costs
