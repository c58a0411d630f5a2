"""A source of rows: a name, how its files are recognised, and how rows are made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from data.errors import DataError
from data.reading.json.outline import Outline
from data.reading.json.streams import Stream
from data.reading.record_columns import as_json
from text.numbers import count
from text.quoting import list_items

Row = dict[str, Any]
Given = TypeVar("Given")


@dataclass
class Remarks:
    """The notes and warnings of a source about the rows it made; above : the text above a sheet's table."""

    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    above: str = ""

    def add_count(self, key: str, text: str, *, noun: str = "row", warn: bool = False) -> None:
        """Say `text` after the number of rows that were counted under `key`, if there are any.

        >>> remarks = Remarks(counts=Counter(lost=2))
        >>> remarks.add_count("lost", "no answer.")
        >>> remarks.notes
        ['2 rows: no answer.']
        """
        if self.counts[key]:
            (self.warnings if warn else self.notes).append(f"{count(self.counts[key], noun)}: {text}")


class Source(NamedTuple, Generic[Given]):
    """One tool's layout.

    name : the tool, for `FileFacts.source`; None = a layout that many write.
    recognises : whether a file is one, from its first records or its outline.
    rows : the rows; they are asked for once, and what there is to say about them is said by the end.
    """

    name: str | None
    recognises: Callable[[Any], bool]
    rows: Callable[[Given, Remarks], Iterator[Row]]


StreamSource = Source[Stream]
DocumentSource = Source[Outline]


def require_mapping(value: Any, row: int, what: str = "row", needed: Iterable[str] = ()) -> Row:
    """Return the value as an object with all needed keys.

    Raises
    ------
    DataError
        It is none, or lacks one of them.
    """
    if not isinstance(value, dict):
        raise DataError(f"{what} {row:,} is not an object as in the rows before; correct it or leave it out.")
    missing = [key for key in needed if key not in value]
    if missing:
        raise DataError(
            f"{what} {row:,} has no {list_items(missing)}, which rows of this tool have; write the file again."
        )
    return value


def get_inside(value: Any, *keys: str) -> Any:
    """Return the value under some keys; None where there is no such thing.

    >>> get_inside({"response": {"output": "x"}}, "response", "output")
    'x'
    """
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def plain_cell(value: Any) -> Any:
    """Return one cell: a list of one is its element, a longer list or an object is JSON text.

    >>> plain_cell(["a"]), plain_cell(["a", "b"]), plain_cell({"k": 1}), plain_cell([]), plain_cell(2)
    ('a', '["a","b"]', '{"k":1}', None, 2)
    """
    if isinstance(value, list):
        return plain_cell(value[0]) if len(value) == 1 else (as_json(value) if value else None)
    return as_json(value) if isinstance(value, dict) else value


def name_left_out(keys: set[str]) -> str:
    """Name the keys that are not in the table: the end of a note."""
    return f"; left out: {list_items(sorted(keys), 12)}." if keys else "."
