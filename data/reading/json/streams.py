"""Read JSON strictly: single values out of a larger text, and rows one by one, never all held as objects at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from data.errors import DataError
from data.limits import MAX_JSON_DIGITS
from data.reading.options import SAVE_AS_UTF8
from text.quoting import quote

_SPACES = re.compile(r"[ \t\r\n]*")

_SURROGATE = re.compile(r"[\ud800-\udfff]")

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

_NOT_A_NUMBER = float("nan")


class _ValueProblem(ValueError):
    """A fault of a value, without its place."""


def utf8(data: bytes, where: str = "") -> str:
    """Return the text of bytes; where : what messages call them, "" = a whole file, of which they name the line.

    Raises
    ------
    DataError
        naming the first byte that is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        n_lines = data.count(b"\n", 0, error.start) + 1
        where = where or f"line {n_lines:,}"
        raise DataError(f"{where} is not UTF-8 text (byte {data[error.start]:#04x}). {SAVE_AS_UTF8}.") from None


def skim(text: str, start: int, where: str) -> tuple[Any, int]:
    """Decode one value quickly: repeated keys and infinite numbers pass, integers become floats.

    Raises
    ------
    DataError
        not JSON, or nested too deeply.

    >>> skim("[1, 2]", 1, "the number")
    (1.0, 2)
    """
    try:
        return _skim(text, start)
    except (StopIteration, json.JSONDecodeError, RecursionError):
        return decode(text, start, where, cut_off=True, infinite=True)


def past_space(text: str, place: int) -> int:
    """Return the next place that holds no JSON white space.

    >>> past_space("a  b", 1)
    3
    """
    return _SPACES.match(text, place).end()  # type: ignore[union-attr]


def is_blank(text: str, place: int) -> bool:
    """Return whether nothing but white space follows.

    >>> is_blank("{} ", 2)
    True
    """
    return past_space(text, place) == len(text)


def decode(text: str, start: int, where: str, *, cut_off: bool = False, infinite: bool = False) -> tuple[Any, int]:
    """Decode one value, and return the place behind it. NaN is read; the caller says what it means.

    Parameters
    ----------
    where : what messages call the value, "row 3".
    cut_off : where the text ends too early, the file does.
    infinite : Infinity is let through.

    Raises
    ------
    DataError
        not JSON, nested too deeply, a key twice in an object, a number beyond all measure, or half a character.

    >>> decode('[{"a": 1}, 2]', 1, "row 1")
    ({'a': 1}, 9)
    """
    try:
        value, end = (_LENIENT if infinite else _STRICT).raw_decode(text, start)
        if _ESCAPED_SURROGATE.search(text, start, end):
            _check_surrogates(value)
        return value, end
    except _ValueProblem as problem:
        raise DataError(f"{where}: {problem}") from None
    except RecursionError:
        raise too_deep(where) from None
    except json.JSONDecodeError as error:
        raise _not_json(text, start, where, error, cut_off=cut_off) from None


def _not_json(text: str, start: int, where: str, error: json.JSONDecodeError, *, cut_off: bool) -> DataError:
    wrong = error.msg.removesuffix(" at")
    cut = "; the file seems to be cut off" if cut_off and is_blank(text, error.pos) else ""
    return DataError(f"{where} is not valid JSON ({wrong} at its character {error.pos - start + 1:,}){cut}.")


def too_deep(where: str) -> DataError:
    """Return the sentence for a value that is nested beyond what can be read."""
    return DataError(f"{where} is nested too deeply to be read.")


def _check_surrogates(value: Any, key: str = "") -> None:
    """Refuse half of a character pair, a text that no page and no file can show."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_surrogates(name, name)
            _check_surrogates(inner, name)
    elif isinstance(value, list):
        for inner in value:
            _check_surrogates(inner, key)
    elif isinstance(value, str) and _SURROGATE.search(value):
        raise _ValueProblem(
            f"{quote(key)} holds half of a surrogate pair (such as \\ud800), not a character; correct it."
        )


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with each key once.

    >>> unique([("a", 1)])
    {'a': 1}
    """
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _ValueProblem(f"the key {quote(twice)} occurs twice in one object; give each key once.")
    return made


def _integer(digits: str) -> int:
    if len(digits) > MAX_JSON_DIGITS:
        raise _ValueProblem(f"a number of {len(digits):,} digits is too long; write it as text.")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _ValueProblem(f"the number {quote(digits, 20)} is too large.")
    return value


def _constant(name: str) -> float:
    if name != "NaN":
        raise _ValueProblem(f"{name} is not valid JSON; write null (or leave the key out) where there is no value.")
    return _NOT_A_NUMBER


_STRICT = json.JSONDecoder(object_pairs_hook=unique, parse_int=_integer, parse_float=_float, parse_constant=_constant)

_skim: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder(parse_int=float).scan_once  # type: ignore[attr-defined]

_LENIENT = json.JSONDecoder(object_pairs_hook=unique, parse_int=_integer, parse_float=_float)


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
        """Yield number (from 1) and value of every row."""
        for row, (value, share) in enumerate(self._values(), 1):
            self.share = share
            yield row, value

    def head(self, n_rows: int) -> list[Any]:
        """Return the first values."""
        return [value for _, value in islice(self, n_rows)]


def lines(data: bytes) -> Stream:
    """Yield the value of every line of UTF-8 text."""
    return Stream("JSON lines", lambda: _lines(data))


def array(text: str, start: int, where: str = "row", *, alone: bool = True, infinite: bool = False) -> Stream:
    """Return the elements of the array whose first one is looked for at `start`.

    Parameters
    ----------
    where : what messages call an element.
    alone : nothing may follow the array.
    """
    return Stream("JSON", lambda: _array(text, start, where, alone, infinite))


def _lines(data: bytes) -> Iterator[tuple[Any, float]]:
    end, start, row = len(data.rstrip()), 0, 0
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        row += 1
        yield decode_line(data[start:stop], row, last=stop == end), stop / end
        start = stop + 1


def decode_line(raw: bytes, row: int, *, last: bool) -> Any:
    """Return the value of a line; DataError where it holds none, or more than one.

    last : whether the file ends with it.
    """
    line = utf8(raw, f"row {row:,}")
    if not line.strip():
        raise DataError(f"row {row:,} is a blank line inside the file; fill it or delete it.")
    value, end = decode(line, past_space(line, 0), f"row {row:,}", cut_off=last)
    if not is_blank(line, end):
        raise DataError(f"row {row:,} is not valid JSON: more text follows the object; {RECORDS}.")
    return value


def _array(text: str, start: int, where: str, alone: bool, infinite: bool) -> Iterator[tuple[Any, float]]:
    place, row = past_space(text, start), 0
    while text[place : place + 1] != "]" or row:
        row += 1
        value, place = decode(text, place, f"{where} {row:,}", cut_off=True, infinite=infinite)
        yield value, place / len(text)
        place = past_space(text, place)
        if text[place : place + 1] == "]":
            break
        if text[place : place + 1] != ",":
            what = "a comma or the end of the array was wanted after it; the file is cut off"
            raise DataError(f"{where} {row:,}: {what}.")
        place = past_space(text, place + 1)
    if alone and not is_blank(text, place + 1):
        raise DataError(f"more text follows the array's end after {where} {row:,}; {RECORDS}.")


def holds_lines(data: bytes) -> bool:
    r"""Return whether a text that begins with an object has more lines, of which the first is an object of its own.

    >>> holds_lines(b'{"a": 1}\n{"a": 2}\n'), holds_lines(b'{"a":\n1}'), holds_lines(b'{"a": 1}\n')
    (True, False, False)
    """
    end = data.find(b"\n", len(data) - len(data.lstrip()))
    if end < 0 or not _NOT_BLANK.search(data, end):
        return False
    try:
        decode_line(data[:end].strip(), 1, last=False)
    except DataError:
        return False
    return True
