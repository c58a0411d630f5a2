"""JSON records: one object per line, or one array of objects; one object is one row.

Everything becomes text (1 and "1" are the same label), except columns of numbers with fractions, which are
scores and become float64. Objects inside a row become dotted columns, lists stay as JSON text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

import pyarrow as pa

from data.evaluation import DataError
from data.readers.cells import check_names, tidy
from data.readers.limits import Limits, Progress
from data.readers.records import Records
from data.readers.text import SAVE_AS_UTF8
from data.readers.wording import quoted

_MAX_DIGITS = 400
_SPACE = " \t\r\n"
_SPACES = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_RECORDS = "an array of objects or one object per line was wanted (pandas: to_json(orient='records', lines=True))"
_REPORT_EVERY = 20_000


class _RowError(ValueError):
    """What is wrong with a row, without its number."""


def read_json(
    data: bytes, limits: Limits, progress: Progress, *, one_per_line: bool
) -> tuple[pa.Table, str, list[str], list[str]]:
    """Read UTF-8 JSON.

    Parameters
    ----------
    one_per_line : the name promised an object per line; an array is read all the same, with a warning.

    Returns
    -------
    table, format, notes, warnings : `format` is "JSON lines" or "JSON".

    Raises
    ------
    DataError
        One sentence that names the row, and the key if there is one.
    """
    if not data.strip():
        raise DataError("it is empty: there are no rows.")
    is_array = data.lstrip()[:1] == b"["
    records = Records(limits)
    objects = _array(data) if is_array else _lines(data)
    for row, (value, share) in enumerate(objects, 1):
        if share == 1 and row == 1 and not (is_array or one_per_line):
            _check_not_by_column(value)
        _add(records, row, value)
        if row % _REPORT_EVERY == 0:
            progress("reading", share)
    table = _finished(records, limits)
    table, notes, warnings = tidy(table, limits)
    if is_array and one_per_line:
        warnings.append("The file holds one JSON array, not one object per line; its elements were read as rows.")
    return table, "JSON" if is_array else "JSON lines", [*records.notes(), *notes], warnings


def _finished(records: Records, limits: Limits) -> pa.Table:
    if records.n_rows == 0:
        raise DataError("it holds no rows: the array is empty.")
    table = records.table()
    if table.num_columns == 0:
        raise DataError("its objects are all empty: there are no columns.")
    check_names(table.column_names, limits)
    return table


def _check_not_by_column(value: Any) -> None:
    """Refuse what pandas' `to_json` writes without options: one object that maps columns to cells."""
    if isinstance(value, dict) and value and all(isinstance(cells, dict | list) for cells in value.values()):
        held = [
            key for key, cells in value.items() if isinstance(cells, list) and all(isinstance(c, dict) for c in cells)
        ]
        what = f"with the rows under {quoted(held[0])}" if held and any(value[held[0]]) else "of columns"
        raise DataError(f"it holds one object {what}; {_RECORDS}.")


def _add(records: Records, row: int, value: Any) -> None:
    if isinstance(value, DataError):
        raise value
    if not isinstance(value, dict):
        raise DataError(f"row {row:,} is {_kind(value)}, not an object; {_RECORDS}.")
    try:
        records.add(value)
    except RecursionError:
        raise DataError(f"row {row:,} is nested too deeply to be read.") from None


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return "a list"
    return "null" if value is None else f"a single value ({quoted(str(value), 20)})"


def _lines(data: bytes) -> Iterator[tuple[Any, float]]:
    end, start, row = len(data.rstrip()), 0, 0
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        row += 1
        yield _parsed_line(data[start:stop], row, last=stop == end), stop / end
        start = stop + 1


def _parsed_line(raw: bytes, row: int, *, last: bool) -> Any:
    try:
        line = raw.decode()
    except UnicodeDecodeError as error:
        wrong = raw[error.start]
        raise DataError(f"row {row:,} is not UTF-8 text (byte {wrong:#04x}); {SAVE_AS_UTF8}.") from None
    if not line.strip():
        raise DataError(f"row {row:,} is a blank line inside the file; fill it or delete it.")
    value, end = _decode(line, _SPACES.match(line).end(), row, cut_off=last)  # type: ignore[union-attr]
    if line[end:].strip(_SPACE):
        raise DataError(f"row {row:,} is not valid JSON: more text follows the object; {_RECORDS}.")
    return value


def _array(data: bytes) -> Iterator[tuple[Any, float]]:
    """The elements of an array, one by one: a large array is never held as Python objects at once."""
    text = _utf8(data)
    at, row = _past_space(text, text.index("[") + 1), 0
    if text[at : at + 1] == "]":
        return
    while True:
        row += 1
        value, at = _decode(text, at, row, cut_off=True)
        yield value, at / len(text)
        at = _past_space(text, at)
        if text[at : at + 1] == "]":
            break
        if text[at : at + 1] != ",":
            raise DataError(f"row {row:,}: a comma or the end of the array was wanted after it; the file is cut off.")
        at = _past_space(text, at + 1)
    if text[at + 1 :].strip(_SPACE):
        raise DataError(f"more text follows the array's end after row {row:,}; {_RECORDS}.")


def _utf8(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"line {line:,} is not UTF-8 text (byte {data[error.start]:#04x}); {SAVE_AS_UTF8}.") from None


def _past_space(text: str, at: int) -> int:
    return _SPACES.match(text, at).end()  # type: ignore[union-attr]


def _decode(text: str, at: int, row: int, *, cut_off: bool) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
        if _ESCAPED_SURROGATE.search(text, at, end):
            _check_surrogates(value)
        return value, end
    except _RowError as error:
        raise DataError(f"row {row:,}: {error}") from None
    except RecursionError:
        raise DataError(f"row {row:,} is nested too deeply to be read.") from None
    except json.JSONDecodeError as error:
        wrong = error.msg.removesuffix(" at")
        cut = "; the file seems to be cut off" if cut_off and not text[error.pos :].strip(_SPACE) else ""
        raise DataError(
            f"row {row:,} is not valid JSON ({wrong} at its character {error.pos - at + 1:,}){cut}."
        ) from None


def _check_surrogates(value: Any, key: str = "") -> None:
    """Half of a character pair is text that no page and no file can show."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_surrogates(name, name)
            _check_surrogates(inner, name)
    elif isinstance(value, list):
        for inner in value:
            _check_surrogates(inner, key)
    elif isinstance(value, str) and _SURROGATE.search(value):
        raise _RowError(f"{quoted(key)} holds half of a surrogate pair (such as \\ud800), not a character; correct it.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _RowError(f"the key {quoted(twice)} occurs twice in one object; give each key once.")
    return made


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise _RowError(f"a number of {len(digits):,} digits is too long; write it as text.")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _RowError(f"the number {quoted(digits, 20)} is too large.")
    return value


def _constant(name: str) -> NoReturn:
    raise _RowError(f"{name} is not valid JSON; write null (or leave the key out) where there is no value.")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_float=_float, parse_constant=_constant)
