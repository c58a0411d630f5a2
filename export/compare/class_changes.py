"""Compute how every class changed from one run to another, the worst loss first."""

from __future__ import annotations

import math
from typing import NamedTuple

from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import Difference
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.intervals.statistic import Interval
from metrics.slices.worst import SURE


class ClassChange(NamedTuple):
    """One class: its true rows, its rate in A and in B, the difference, p after Benjamini–Hochberg, net right rows."""

    label: str
    support: int
    a: Interval
    b: Interval
    moved: Difference
    p: float
    gained: int

    @property
    def is_clear_loss(self) -> bool:
        """Return whether the class loses by more than chance."""
        return self.moved.value < 0 and self.p < SURE

    @property
    def harm(self) -> float:
        """Return what sorts the largest loss first."""
        return math.inf if math.isnan(self.moved.value) else self.moved.value


def find_class_changes(comparison: Comparison, a: int, b: int, rate: str) -> list[ClassChange]:
    """Return the change of a rate in every class: by lost rows for recall, else by the difference.

    rate : "recall", "precision" or "f1".
    """
    names = [f"{rate}[{label}]" for label in comparison.runs.labels]
    moved = [comparison.difference(name, a, b) for name in names]
    adjusted = benjamini_hochberg([moved_rate.p for moved_rate in moved])
    flips = comparison.class_flips(a, b)
    made = [
        ClassChange(
            label,
            comparison.runs.support(code),
            comparison.interval(name, a),
            comparison.interval(name, b),
            moved_rate,
            p,
            flips[label].fixed - flips[label].broken,
        )
        for code, (label, name, moved_rate, p) in enumerate(
            zip(comparison.runs.labels, names, moved, adjusted, strict=True)
        )
    ]

    def order(change: ClassChange) -> tuple[bool, float, float]:
        """Return what sorts a change: undefined ones last, then those that lose most."""
        gained = change.gained if rate == "recall" else change.harm
        return math.isnan(change.moved.value), gained, change.harm

    return sorted(made, key=order)
