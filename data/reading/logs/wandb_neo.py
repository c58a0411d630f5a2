"""Counts instead of rows: {"actual": […], "observed": […], "count": …}, a confusion matrix as Neo reads it.

Source: Neo's README and `Confusion` in its `src/confusions.ts`: both sides are lists, of one label path ("fruit:lemon")
or of one for every output; in its CSV files a comma joins these, and so it does here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from data.reading.json.streams import Stream
from data.reading.logs.source import Row, Said, mapping

_NEO = {"actual", "observed", "count"}


def recognises(head: list[Any]) -> bool:
    """Whether the first record has Neo's three keys and no other."""
    return isinstance(head[0], dict) and head[0].keys() == _NEO


def read_rows(stream: Stream, said: Said) -> Iterator[Row]:
    """Give actual and observed as one text each, and count."""
    for row, value in stream:
        record = mapping(value, row)
        said.counts["several"] += any(isinstance(cell, list) and len(cell) > 1 for cell in record.values())
        yield {key: _joined(cell) for key, cell in record.items()}
    said.notes.append(
        "Neo: actual is the true label, observed the predicted one, count how many rows each line is for."
    )
    said.counted("several", "several outputs at once; their labels were joined with commas.", warn=True)


def _joined(cell: Any) -> Any:
    return ",".join(map(str, cell)) if isinstance(cell, list) else cell
