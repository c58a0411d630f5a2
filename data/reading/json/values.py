"""JSON as a strict reader takes it: one value at a time out of a larger text, with sentences for what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from data.evaluation import DataError
from data.reading.text_bytes import SAVE_AS_UTF8
from text.upload_text import quoted

_MAX_DIGITS = 400
_SPACES = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_NOT_A_NUMBER = float("nan")


class _ValueProblem(ValueError):
    """What is wrong with a value, without its place."""


def utf8(data: bytes) -> str:
    """The text of a whole file.

    Raises
    ------
    DataError
        naming the line of the first byte that is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"line {line:,} is not UTF-8 text (byte {data[error.start]:#04x}); {SAVE_AS_UTF8}.") from None


def skim(text: str, at: int, where: str) -> tuple[Any, int]:
    """One value as `decode` gives it, quickly: repeated keys and infinite numbers pass, integers become floats.

    Raises
    ------
    DataError
        not JSON, or nested too deeply.

    >>> skim("[1, 2]", 1, "the number")
    (1.0, 2)
    """
    try:
        return _skim(text, at)
    except (StopIteration, json.JSONDecodeError, RecursionError):
        return decode(text, at, where, cut_off=True, infinite=True)


def past_space(text: str, at: int) -> int:
    """The next place that holds no JSON white space.

    >>> past_space("a  b", 1)
    3
    """
    return _SPACES.match(text, at).end()  # type: ignore[union-attr]


def is_blank(text: str, at: int) -> bool:
    """Whether nothing but white space follows.

    >>> is_blank("{} ", 2)
    True
    """
    return past_space(text, at) == len(text)


def decode(text: str, at: int, where: str, *, cut_off: bool = False, infinite: bool = False) -> tuple[Any, int]:
    """One value, and the place behind it. NaN is read as such; what it means is the caller's to say.

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
        value, end = (_LENIENT if infinite else _STRICT).raw_decode(text, at)
        if _ESCAPED_SURROGATE.search(text, at, end):
            _check_surrogates(value)
        return value, end
    except _ValueProblem as problem:
        raise DataError(f"{where}: {problem}") from None
    except RecursionError:
        raise too_deep(where) from None
    except json.JSONDecodeError as error:
        raise _not_json(text, at, where, error, cut_off=cut_off) from None


def _not_json(text: str, at: int, where: str, error: json.JSONDecodeError, *, cut_off: bool) -> DataError:
    wrong = error.msg.removesuffix(" at")
    cut = "; the file seems to be cut off" if cut_off and is_blank(text, error.pos) else ""
    return DataError(f"{where} is not valid JSON ({wrong} at its character {error.pos - at + 1:,}){cut}.")


def too_deep(where: str) -> DataError:
    """The sentence for a value that is nested beyond what can be read."""
    return DataError(f"{where} is nested too deeply to be read.")


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
        raise _ValueProblem(
            f"{quoted(key)} holds half of a surrogate pair (such as \\ud800), not a character; correct it."
        )


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object with each key once.

    >>> unique([("a", 1)])
    {'a': 1}
    """
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _ValueProblem(f"the key {quoted(twice)} occurs twice in one object; give each key once.")
    return made


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise _ValueProblem(f"a number of {len(digits):,} digits is too long; write it as text.")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _ValueProblem(f"the number {quoted(digits, 20)} is too large.")
    return value


def _constant(name: str) -> float:
    if name != "NaN":
        raise _ValueProblem(f"{name} is not valid JSON; write null (or leave the key out) where there is no value.")
    return _NOT_A_NUMBER


_STRICT = json.JSONDecoder(object_pairs_hook=unique, parse_int=_integer, parse_float=_float, parse_constant=_constant)
_skim: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder(parse_int=float).scan_once  # type: ignore[attr-defined]
_LENIENT = json.JSONDecoder(object_pairs_hook=unique, parse_int=_integer, parse_float=_float)
