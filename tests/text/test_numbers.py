"""A written number reads 0 or 1 only where it is that."""

import re

import numpy as np
import pytest

from export.result.kinds import Difference, Number, Share
from text.intervals import bounds, points, write_two_values
from text.numbers import number, percent, signed

SMALL = [*np.geomspace(1e-8, 0.00049, 12), 0.0004]
READS_EXACT = re.compile(r"(?<![<>] )(?<![\d.])[+−]?(0\.0+|1\.0+|100\.0+)(?!\d)")


def texts_of(value: float) -> list[str]:
    cells = Number(value, value, value), Share(value, value, value)
    written = [part for cell in cells for part in cell.written[:2]]
    return [*written, number(value), percent(value), bounds(value, value), bounds(value, value, share=True)]


@pytest.mark.parametrize("value", [*SMALL, *(1 - value for value in SMALL)])
def test_number_near_an_end_does_not_read_exact(value):
    assert [text for text in texts_of(value) if READS_EXACT.search(text)] == []


@pytest.mark.parametrize("value", [*SMALL, *(-value for value in SMALL)])
def test_small_difference_does_not_read_zero(value):
    written = Difference(value, value, value).written
    texts = [signed(value), points(value, value, value), number(value), *written[:2]]
    assert [text for text in texts if READS_EXACT.search(text)] == []
    assert all(("−" in text or "just below 0" in text) == (value < 0) for text in texts if text)


def test_exact_ends_read_exact():
    assert all(READS_EXACT.search(text) for value in (0.0, 1.0) for text in texts_of(value) if text)
    assert [number(left) for left in (0.1 + 0.2 - 0.3, 0.3 - 0.2 - 0.1)] == ["0.000"] * 2, "what floating point leaves"
    assert write_two_values(0.0004, 0.0002) == ("0.0004", "0.0002"), "one decimal more keeps two apart"
