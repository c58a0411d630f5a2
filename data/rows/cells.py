"""Take the cells of some rows out of a column."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

FEW = 1000
"""So many rows are taken one by one: Arrow first copies a whole column of several chunks, such as 300 MB of texts."""


def take_cells(column: pa.ChunkedArray, rows: np.ndarray) -> pa.ChunkedArray:
    """Return the cells of rows, by their positions, in the order of the rows.

    Raises
    ------
    IndexError
        a position that the column does not have.

    >>> take_cells(pa.chunked_array([["a", "b"], ["c"]]), np.array([2, 0])).to_pylist()
    ['c', 'a']
    """
    if len(rows) > FEW:
        return column.take(pa.array(rows))
    if len(rows) and (rows.min() < 0 or rows.max() >= len(column)):
        raise IndexError(f"The column has {len(column):,} cells.")  # a slice beyond it would be empty
    cells = [chunk for row in rows.tolist() for chunk in column.slice(row, 1).chunks]
    return pa.chunked_array(cells, type=column.type)
