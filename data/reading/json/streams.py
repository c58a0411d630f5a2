"""Rows out of a JSON text one by one, as often as they are asked for: a large file is never held as objects at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from data.evaluation import DataError
from data.reading.json.values import decode, is_blank, past_space
from data.reading.text_bytes import SAVE_AS_UTF8

RECORDS = "an array of objects or one object per line was wanted (pandas: to_json(orient='records', lines=True))"
_NOT_BLANK = re.compile(rb"\S")


class Stream:
    """The elements of an array, or the values on the lines of a file; every loop over it begins anew.

    Attributes
    ----------
    layout : "JSON lines" or "JSON".
    share : how much of the text the last loop has passed, 0 to 1.

    >>> [*array('[{"a": 1}, {"a": 2}]', 1)]
    [(1, {'a': 1}), (2, {'a': 2})]
    """

    def __init__(self, layout: str, values: Callable[[], Iterator[tuple[Any, float]]]) -> None:
        self.layout = layout
        self.share = 0.0
        self._values = values

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        """Number (from 1) and value of every row."""
        for row, (value, share) in enumerate(self._values(), 1):
            self.share = share
            yield row, value

    def head(self, n_rows: int) -> list[Any]:
        """The first values."""
        return [value for _, value in islice(self, n_rows)]


def lines(data: bytes) -> Stream:
    """One value on every line of UTF-8 text."""
    return Stream("JSON lines", lambda: _lines(data))


def array(text: str, at: int, where: str = "row", *, alone: bool = True, infinite: bool = False) -> Stream:
    """The elements of the array whose first one is looked for at `at`.

    Parameters
    ----------
    where : what messages call an element.
    alone : nothing may follow the array.
    """
    return Stream("JSON", lambda: _array(text, at, where, alone, infinite))


def _lines(data: bytes) -> Iterator[tuple[Any, float]]:
    end, start, row = len(data.rstrip()), 0, 0
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        row += 1
        yield _line(data[start:stop], row, last=stop == end), stop / end
        start = stop + 1


def _line(raw: bytes, row: int, *, last: bool) -> Any:
    try:
        line = raw.decode()
    except UnicodeDecodeError as error:
        wrong = raw[error.start]
        raise DataError(f"row {row:,} is not UTF-8 text (byte {wrong:#04x}); {SAVE_AS_UTF8}.") from None
    if not line.strip():
        raise DataError(f"row {row:,} is a blank line inside the file; fill it or delete it.")
    value, end = decode(line, past_space(line, 0), f"row {row:,}", cut_off=last)
    if not is_blank(line, end):
        raise DataError(f"row {row:,} is not valid JSON: more text follows the object; {RECORDS}.")
    return value


def _array(text: str, start: int, where: str, alone: bool, infinite: bool) -> Iterator[tuple[Any, float]]:
    at, row = past_space(text, start), 0
    while text[at : at + 1] != "]" or row:
        row += 1
        value, at = decode(text, at, f"{where} {row:,}", cut_off=True, infinite=infinite)
        yield value, at / len(text)
        at = past_space(text, at)
        if text[at : at + 1] == "]":
            break
        if text[at : at + 1] != ",":
            what = "a comma or the end of the array was wanted after it; the file is cut off"
            raise DataError(f"{where} {row:,}: {what}.")
        at = past_space(text, at + 1)
    if alone and not is_blank(text, at + 1):
        raise DataError(f"more text follows the array's end after {where} {row:,}; {RECORDS}.")


def holds_lines(data: bytes) -> bool:
    r"""Whether a text that begins with an object has more lines, of which the first is an object of its own.

    >>> holds_lines(b'{"a": 1}\n{"a": 2}\n'), holds_lines(b'{"a":\n1}'), holds_lines(b'{"a": 1}\n')
    (True, False, False)
    """
    end = data.find(b"\n", len(data) - len(data.lstrip()))
    if end < 0 or not _NOT_BLANK.search(data, end):
        return False
    try:
        _line(data[:end].strip(), 1, last=False)
    except DataError:
        return False
    return True
