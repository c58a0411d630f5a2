"""Hold claims of surfaces as data: a fact, who says it, and its value; and find the claims that contradict."""

import math
import re
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

Facts = Iterator[tuple[str, Hashable]]
"""Facts that a surface claims, and their values."""
_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?: ?%)?")
_NAME = re.compile(r"(`+) ?(.+?) ?\1(?!`)")
_ROUNDING = 1e-9


class Figure(NamedTuple):
    """A number as far as its digits say it: every value that is written so lies from `low` to `high`."""

    low: float
    high: float


class Claim(NamedTuple):
    """Hold a fact as a surface says it. value : a `Figure`, or what has to be equal."""

    fact: str
    surface: str
    value: Hashable


def exact(value: float | None) -> Hashable:
    """Return a number in full precision; "undefined" for NaN and None."""
    if value is None or math.isnan(value):
        return "undefined"
    return Figure(value - _ROUNDING, value + _ROUNDING)


def read_figure(text: str) -> Hashable:
    """Return the number that a text begins with, or "undefined".

    >>> [round(end, 4) for end in read_figure("97.5 %")], read_figure("undefined: 0/0")
    ([0.9745, 0.9755], 'undefined')
    """
    text = plain(text)
    first = _NUMBER.match(text.lstrip("<>+ "))
    if first is None:
        return "undefined"
    digits = first[0].rstrip("% ").replace("−", "-").replace(",", "")
    mantissa, _, power = digits.partition("e")
    half = 0.5 * 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
    scale = 0.01 if first[0].endswith("%") else 1.0
    value = float(digits)
    if text[0] in "<>":  # a share that is neither 0 nor 1 is never written so
        return Figure(0.0, scale * value) if text[0] == "<" else Figure(scale * value, 1.0)
    return Figure(scale * (value - half) - _ROUNDING, scale * (value + half) + _ROUNDING)


def read_numbers(text: str) -> list[str]:
    """Return the numbers of our own words: names of the file stand in code spans and are left out.

    >>> read_numbers("1,090 of `class 1` rows are wrong (2.5 %)")
    ['1,090', '2.5 %']
    """
    return _NUMBER.findall(_NAME.sub("", plain(text)))


def read_names(text: str) -> list[str]:
    """Return the names in code spans.

    >>> read_names("Recall of `a` is 0.5 where ``b`c`` = `d`")
    ['a', 'b`c', 'd']
    """
    return [name for _, name in _NAME.findall(text)]


def whole(text: str) -> int:
    """Return a number of rows or classes as it is written."""
    return int(text.replace(",", ""))


def plain(text: str) -> str:
    """Return a text with every space the same."""
    return text.replace("\xa0", " ")


def contradictions(claims: Iterable[Claim]) -> list[str]:
    """Return a sentence for each fact on which surfaces differ: who says what."""
    by_fact: dict[str, list[Claim]] = {}
    for claim in claims:
        by_fact.setdefault(claim.fact, []).append(claim)
    return [_describe(fact, said) for fact, said in by_fact.items() if not _agree(said)]


def _agree(claims: list[Claim]) -> bool:
    values = [claim.value for claim in claims]
    if all(isinstance(value, Figure) for value in values):
        figures = [value for value in values if isinstance(value, Figure)]
        return max(figure.low for figure in figures) <= min(figure.high for figure in figures)
    return len(set(values)) == 1


def _describe(fact: str, claims: list[Claim]) -> str:
    return f"{fact}: " + "; ".join(f"{claim.surface} says {_write(claim.value)}" for claim in claims)


def _write(value: Hashable) -> str:
    return f"{(value.low + value.high) / 2:.6g}" if isinstance(value, Figure) else repr(value)


def claims_of(surface: str, facts: Iterable[tuple[str, Hashable]]) -> Iterator[Claim]:
    """Yield the facts that one surface claims."""
    for fact, value in facts:
        yield Claim(fact, surface, value)
