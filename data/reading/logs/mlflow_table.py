"""Tables with their column names apart: {"columns": […], "data": [[…], …]}.

MLflow's eval_results_table.json is written so (pandas' orient="split", without an index), and so are the tables of
W&B, which add `column_types`, or `ncols` and `nrows`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from data.errors import DataError
from data.reading.json.outline import Outline
from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, require_mapping
from text.numbers import count
from text.quoting import list_items

_WANDB = ("column_types", "ncols", "nrows")


def recognises(document: Outline) -> bool:
    """Return whether an object has a list of column names and a list of rows."""
    names, rows = document.lists.get(("columns",)), document.lists.get(("data",))
    return names is not None and rows is not None and names.n > 0 and all(isinstance(row, list) for row in rows.head)


def is_wandb(document: Outline) -> bool:
    """Return whether it is a table that W&B wrote."""
    return recognises(document) and any(key in document.keys for key in _WANDB)


def read_rows(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Yield the rows with the names of their columns."""
    names = [_name(value) for _, value in document.each("columns")]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"column names occur twice: {list_items(twice)}; give each column a name of its own.")
    for row, cells in document.each("data"):
        if not isinstance(cells, list) or len(cells) != len(names):
            raise DataError(f"row {row:,} of its data is no list of {count(len(names), 'cell')}, one a column.")
        yield dict(zip(names, cells, strict=True))
    remarks.notes.append('The file holds its column names under "columns" and its rows under "data".')


def _name(value: Any) -> str:
    if isinstance(value, list):  # pandas' columns of several levels
        return ".".join(map(str, value))
    return str(value)


_NEO = {"actual", "observed", "count"}


def is_neo(head: list[Any]) -> bool:
    """Return whether the first record has Neo's three keys and no other."""
    return isinstance(head[0], dict) and head[0].keys() == _NEO


def neo_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Give actual and observed as one text each, and count."""
    for row, value in stream:
        record = require_mapping(value, row)
        remarks.counts["several"] += any(isinstance(cell, list) and len(cell) > 1 for cell in record.values())
        yield {key: ",".join(map(str, cell)) if isinstance(cell, list) else cell for key, cell in record.items()}
    remarks.notes.append(
        "Neo: actual is the true label, observed the predicted one, count how many rows each line is for."
    )
    remarks.add_count("several", "several outputs at once; their labels were joined with commas.", warn=True)
