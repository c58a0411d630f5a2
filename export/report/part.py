"""One more part of a report: of a comparison, of slices, groups or times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

CHAPTERS = {
    "classes": ("per-class", "Classes"), "confusion": ("confusion", "Confusion"), "slices": ("slices", "Slices"),
    "thresholds": ("curves", "Curves"), "rows": ("rows", "Rows"), "parsing": ("unparseable", "Answers"),
}  # fmt: skip
"""The chapter that shows what a page of the app shows: its id and what a link calls it."""
_CALIBRATION, _WORST = ("calibration", "Calibration"), ("worst-slices-of-all", "Worst slices")
CHAPTERS_OF_FINDINGS = {
    "miscalibrated": _CALIBRATION, "confident_errors": _CALIBRATION,
    "worst_slice": _WORST, "worst_slice_recall": _WORST,
}  # fmt: skip
"""The same of findings that have a chapter of their own."""


class Part(NamedTuple):
    """A section that a report may have besides those of its task.

    name : its id. title : its heading, plain text. content : HTML. numbers : what it shows, by their key in the JSON.
    """

    name: str
    title: str
    content: str
    numbers: Mapping[str, Any] = MappingProxyType({})


def numbers_of(parts: Sequence[Part]) -> dict[str, Any]:
    """Return the numbers of all parts together."""
    return {key: value for part in parts for key, value in part.numbers.items()}
