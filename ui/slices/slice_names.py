"""Write slices for a person: a column, a value, or "missing", with long numbers of a range cut short."""

from __future__ import annotations

from collections.abc import Sequence

from text.numbers import shorten_numbers
from ui.frame.chips import condition_text


def short_value(value: str) -> str:
    """Write a value of a slice with at most four digits of a long number; "" is a missing one.

    >>> short_value("0.0142291 to 4008.23751"), short_value("")
    ('0.01423 to 4008', 'missing')
    """
    return shorten_numbers(value) if value else "missing"


def slice_markdown(conditions: Sequence[tuple[str, str]]) -> str:
    """Write a slice as Markdown.

    >>> slice_markdown([("country", "DE"), ("age", "")])
    '`country` = `DE` and `age` is missing'
    """
    return " and ".join(condition_text(column, value and short_value(value)) for column, value in conditions)
