"""Read numbers that are written as texts: plain ones, and with per cent signs, decimal commas or thousands."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_COMMA = re.compile(r"[+-]?(\d+(,\d+)?|,\d+)([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_POINT_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+", re.ASCII)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?", re.ASCII)
_MINUS = "\u2212"  # of typography
_LARGE = 100  # thousands stand beside numbers of some size; beside 0.5, 1,000 may be 1.000
# Possessive quantifiers: a cell may have any length, and backtracking over it would take too long.
_NUMBER = re.compile(r"[+-]?(\d++(\.\d*+)?|\.\d++)([eE][+-]?\d++)?|[+-]?(inf|infinity)|nan", re.IGNORECASE | re.ASCII)
_LIKE_A_NUMBER = re.compile(r"[+−-]?\s*+(\d++([.,]?\s*+\d++)?+|[.,]\s*+\d++)\s*+%?")


def is_number(text: str) -> bool:
    """Return whether a text is a plain number, or inf or nan, perhaps between spaces."""
    return _NUMBER.fullmatch(text.strip(" ")) is not None


def is_like_number(text: str) -> bool:
    """Return whether a text is a number, or meant as one.

    >>> is_like_number("0,5"), is_like_number("85%"), is_like_number("a1")
    (True, True, False)
    """
    return is_number(text) or _LIKE_A_NUMBER.fullmatch(text.strip(" ")) is not None


def read_number(text: str) -> float:
    """Return the number that is written there; infinity, which no score may be, where none is."""
    return float(text) if is_number(text) else math.inf


def read_written_numbers(values: Sequence[str]) -> tuple[list[float], str] | None:
    """Read texts that are all per cent (85%), or have decimal commas (0,5) or thousands (130,000); say which.

    The other values say which comma it is: 130,000 is 130 beside 0,5, and 130000 beside 90000. None where nothing of
    the kind is written, or where it could mean either: 1,000 beside 0.5, or nothing but commas before three digits.
    Commas and points may both be decimal, as in texts and numbers of a workbook, unless one may group digits.

    >>> read_written_numbers(["85%", "7,5 %"]), read_written_numbers(["0,5", "1"])[0]
    (([0.85, 0.075], 'per cent signs and decimal commas'), [0.5, 1.0])
    >>> read_written_numbers(["0,5", "0.25"]), read_written_numbers(["\u22120.5", "1"])[0]
    (([0.5, 0.25], 'decimal commas and points'), [-0.5, 1.0])
    >>> read_written_numbers(["1e1%", "inf%"])[0]
    [0.1, inf]
    >>> read_written_numbers(["1,000", "2,500"]) is None, read_written_numbers(["0,5", "1.000"]) is None
    (True, True)
    """
    texts = [value.strip() for value in values]
    has_minus = any(text.startswith(_MINUS) for text in texts)
    texts = [text.replace(_MINUS, "-", 1) for text in texts]
    is_per_cent = bool(texts) and all(text.endswith("%") for text in texts)
    if is_per_cent:
        texts = [text.rstrip("%").rstrip() for text in texts]
    with_comma, others = _split_by_comma(texts)
    if with_comma and not is_per_cent and not has_minus:
        grouped = _read_thousands(texts)
        if grouped is not None:
            return grouped, "commas between thousands"
    if not (with_comma or is_per_cent or has_minus) or not all(map(_NUMBER.fullmatch, others)):
        return None
    if with_comma and not _are_decimal(with_comma, others):
        return None
    read = _read_per_cent if is_per_cent else float
    numbers = [read(text.replace(",", ".")) for text in texts]
    marks = {
        "per cent signs": is_per_cent,
        "decimal commas": bool(with_comma),
        "points": bool(with_comma) and any("." in text for text in others),
        f"the minus sign {_MINUS}": has_minus,
    }
    return numbers, " and ".join(mark for mark, is_there in marks.items() if is_there)


def find_doubtful_comma(values: Sequence[str]) -> str | None:
    """Return the first of some numbers whose commas may all be decimal or between thousands; None where they are clear.

    >>> find_doubtful_comma(["5", "1,234"]), find_doubtful_comma(["0,123", "1,234"])
    ('1,234', None)
    """
    grouped, others = _split_by_comma([value.strip() for value in values])
    if not grouped or not all(map(_THOUSANDS.fullmatch, grouped)) or read_written_numbers(values) is not None:
        return None
    are_whole = all(_NUMBER.fullmatch(text) and "." not in text for text in others)
    return grouped[0] if are_whole else None


def list_comma_readings(text: str) -> dict[str, str]:
    """Return the two numbers that a doubtful comma may mean, by the decimal mark.

    >>> list_comma_readings("1,234")
    {',': '1.234', '.': '1234'}
    """
    return {",": text.replace(",", "."), ".": text.replace(",", "")}


def _read_per_cent(text: str) -> float:
    """Return the share that a number of per cent is, rounded once."""
    try:
        return float(f"{text}e-2")
    except ValueError:  # it has an exponent of its own, or is not finite
        return float(text) / 100


def _are_decimal(with_comma: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether commas, and points beside them, stand before decimals: none of them may group digits."""
    if not all(map(_COMMA.fullmatch, with_comma)) or all(map(_THOUSANDS.fullmatch, with_comma)):
        return False
    if not any("." in text for text in others):
        return True
    return not any(map(_THOUSANDS.fullmatch, with_comma)) and not any(map(_POINT_THOUSANDS.fullmatch, others))


def _split_by_comma(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the texts that hold a comma, and the others."""
    return [text for text in texts if "," in text], [text for text in texts if "," not in text]


def _read_thousands(texts: Sequence[str]) -> list[float] | None:
    """Read texts as numbers whose commas stand between thousands; None where that is not sure."""
    grouped, others = _split_by_comma(texts)
    if not all(map(_GROUPED.fullmatch, grouped)) or not all(map(_NUMBER.fullmatch, others)):
        return None
    large = any(abs(float(text)) >= _LARGE for text in others)
    if not large and not any(text.count(",") > 1 or "." in text for text in grouped):
        return None
    return [float(text.replace(",", "")) for text in texts]
