"""Values as Python source: whatever an uploaded name holds, it stays one literal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class NotRepeatable(Exception):
    """Why a number cannot be repeated in a few honest lines: one sentence for the reader."""


def literal(value: object) -> str:
    r"""A text or number as Python source in ASCII: no quote, line end or look-alike can leave it.

    >>> print(literal("a'b\n#"))
    "a'b\n#"
    """
    return ascii(value)


def listing(values: Iterable[str], width: int = 100) -> str:
    """A list of texts as Python source, broken into lines.

    >>> print(listing(["a", "b"]))
    ['a', 'b']
    """
    return _broken([literal(value) for value in values], "[", "]", width)


def mapping(values: Mapping[str, str], width: int = 100) -> str:
    """A dictionary of texts as Python source, broken into lines."""
    return _broken([f"{literal(key)}: {literal(value)}" for key, value in values.items()], "{", "}", width)


def _broken(pieces: list[str], start: str, end: str, width: int) -> str:
    if sum(map(len, pieces)) + 2 * len(pieces) < width - 20:
        return start + ", ".join(pieces) + end
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece + ", "
    return "\n".join([start, *(f"    {line.rstrip()}" for line in lines), end])
