"""Show the matrix in other forms: names of its rows and columns, its cells as a table.

The matrix itself is drawn by a component (`charts.matrix`, `ui.matrix.matrix_view`).
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from metrics.confusion.axis import GROUP
from metrics.confusion.counts import UNPARSEABLE
from metrics.confusion.matrix import OTHER, Block
from text.numbers import count

NO_LABEL = "no label found"
"""The name of the column of rows in which no label was found."""


def code_name(code: int, labels: Sequence[str], n_folded: int = 0) -> str:
    """Return the name of a code, as plain text; "other" says how many classes are in it.

    >>> code_name(1, ("ham", "spam")), code_name(OTHER, (), 67), code_name(UNPARSEABLE, ())
    ('spam', 'other (67 classes)', 'no label found')
    """
    if code == OTHER:
        return f"other ({count(n_folded, 'class')})"
    return NO_LABEL if code == UNPARSEABLE else labels[code]


def name_of(code: int, block: Block, labels: Sequence[str]) -> str:
    """Return the name of a row or a column of a block, as plain text; a collapsed group says how many classes are in
    it.

    >>> import numpy as np
    >>> from metrics.confusion.axis import Group
    >>> codes, table = np.array([GROUP]), np.zeros((1, 1), int)
    >>> name_of(GROUP, Block(codes, codes, table, table, codes[:0], groups=(Group("card", (0, 1), True),)), ())
    'card (2 classes)'
    """
    if code > GROUP:
        return code_name(code, labels, len(block.folded))
    n = len(block.members(code))
    return f"{block.groups[GROUP - code].name} ({count(n, 'class')})"


def confusion_table(block: Block, labels: Sequence[str], errors_only: bool = False) -> pd.DataFrame:
    """Return the non-empty cells of a block as a table, most rows first; correct cells included unless errors only.

    Columns: true, predicted, rows, share_of_true, share_of_predicted, share_of_all. Where rows have weights,
    sum_of_weights stands after rows, and shares are of it. Labels as in the file, lines as in `Block.fullest`.
    """
    i, j = block.fullest(errors_only)
    kept = block.choose_rows(errors_only)[i, j]
    table = pd.DataFrame(
        {
            "true": [name_of(code, block, labels) for code in block.row_codes[i].tolist()],
            "predicted": [name_of(code, block, labels) for code in block.col_codes[j].tolist()],
            "rows": (block.counted or block).choose_rows(errors_only)[i, j],
        }
    )
    if block.counted is not None:
        table["sum_of_weights"] = block.weigh(kept)
    totals = block.rows.sum(axis=1)[i], block.rows.sum(axis=0)[j], block.n
    for name, total in zip(("share_of_true", "share_of_predicted", "share_of_all"), totals, strict=True):
        table[name] = kept / total
    return table
