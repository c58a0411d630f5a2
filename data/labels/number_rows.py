"""Write rows of numbers as one line, for a link, and read them again."""

from __future__ import annotations

import numpy as np


def write_rows(rows: np.ndarray) -> str:
    """Return rows of numbers, float64 (n, m), as one line.

    >>> write_rows(np.array([[0.0, 1.5], [20.0, 0.0]]))
    '0,1.5;20,0'
    """
    return ";".join(",".join(f"{number:.10g}" for number in row) for row in rows.tolist())


def read_rows(text: str) -> np.ndarray:
    """Return the rows that `write_rows` wrote, float64 (n, m).

    Raises
    ------
    ValueError
        a cell is no number, or rows are of different lengths.

    >>> read_rows("0,1.5;20,0").tolist()
    [[0.0, 1.5], [20.0, 0.0]]
    """
    return np.array([[float(cell) for cell in row.split(",")] for row in text.split(";")])
