"""Findings on parts of the rows, and of the labels: the worst slices, the largest gap, the worst calibrated label."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from metrics.finding import Finding, Label, Name, Severity
from metrics.findings.calibration import LabelCalibration, label_calibration_finding
from metrics.intervals.statistic import Interval
from text.intervals import bounds, name_interval, write_two_values
from text.numbers import count, number, p_value, shorten_numbers, signed

if TYPE_CHECKING:
    from metrics.comparison.differences import Difference  # it brings SciPy, which `score` does without

Parts = tuple[str | Label, ...]
Conditions = tuple[tuple[str, str], ...]
"""Column and value; "" = missing."""
_FAR, _SLIGHT = 0.1, 0.02
"""A loss that is surely as large is serious; one that is surely no larger is only good to know."""
_MANY_ROWS = 0.05
"""The least share of the rows, by weight, that makes a loss serious."""
_METRICS = {"accuracy": "Accuracy", "subset_accuracy": "Subset accuracy", "recall": "Recall"}
_RATES = {"tpr": "Recall", "fpr": "False positive rate", "ppv": "Precision"}
CODES = ("worst_slice", "worst_slice_recall", "group_gap")


class WorstSlice(NamedTuple):
    """The slice that loses most rows of a metric, against the rest.

    metric : "accuracy" or "subset_accuracy", or "recall" of the class `label`. n : rows. share : of all
    scored rows, by weight. p : after correction over the `n_searched` slices that were compared.
    """

    metric: str
    label: str
    conditions: Conditions
    n: int
    share: float
    number: Interval
    rest: float
    difference: Difference
    p: float
    n_searched: int


class LargestGap(NamedTuple):
    """The gap of an error rate of the class `label` that differs most surely between two groups of a column.

    lower, higher : values of the column, "" = missing; n_lower, n_higher : their rows;
    share_lower, share_higher : of all scored rows, by weight.
    n_groups : of the column. n_compared : rates, columns and labels that were compared. n_labels : these labels.
    """

    rate: str
    label: str
    column: str
    lower: str
    higher: str
    n_lower: int
    n_higher: int
    share_lower: float
    share_higher: float
    value_lower: float
    value_higher: float
    low: float
    high: float
    n_groups: int
    n_compared: int
    n_labels: int = 1


class WorstParts(NamedTuple):
    """Hold the worst slices, the largest gap and the worst calibrated label; nothing where none is clearly worse.

    not_searched : (column, what it follows from) of those that are no slices or groups of their own.
    """

    slices: tuple[WorstSlice, ...] = ()
    gap: LargestGap | None = None
    calibration: LabelCalibration | None = None
    not_searched: tuple[tuple[str, str], ...] = ()


NO_PARTS = WorstParts()


def part_findings(parts: WorstParts) -> Iterator[Finding]:
    """Yield the findings on parts of the rows. A slice that the gap between two groups tells already is left out."""
    for worst_slice in parts.slices:
        if parts.gap is None or not _tells(parts.gap, worst_slice):
            yield _slice_finding(worst_slice)
    if parts.gap is not None:
        yield _gap_finding(parts.gap)
    if parts.calibration is not None:
        yield label_calibration_finding(parts.calibration)


def headline(findings: Sequence[Finding]) -> Finding | None:
    """Return the finding that leads, where it is serious and about a part of the rows."""
    first = next(iter(findings), None)
    return first if first is not None and first.code in CODES and first.severity == "serious" else None


def head_of(finding: Finding) -> Parts:
    """Return the first clause of such a finding."""
    return tuple(itertools.takewhile(lambda part: isinstance(part, Label) or not part.startswith(". "), finding.parts))


def _tells(gap: LargestGap, worst: WorstSlice) -> bool:
    """Return whether a gap of recall between two groups is the slice against the rest."""
    same = (worst.metric, worst.conditions) == ("recall", ((gap.column, gap.lower),)) and gap.rate == "tpr"
    return same and math.isclose(worst.rest, gap.value_higher)


def _severity(least: float, share: float) -> Severity:
    if least < _SLIGHT:
        return "info"
    return "serious" if least >= _FAR and share >= _MANY_ROWS else "warning"


def _slice_finding(worst: WorstSlice) -> Finding:
    interval, difference = worst.number, worst.difference
    return Finding(
        "worst_slice_recall" if worst.metric == "recall" else "worst_slice",
        _severity(-difference.high, worst.share),
        (*slice_head(worst), f". {_tested(worst)}"),
        worst.share,
        {
            "n": worst.n, "value": interval.value, "low": interval.low, "high": interval.high, "rest": worst.rest,
            "difference": difference.value, "difference_low": difference.low,
            "difference_high": difference.high, "p_adjusted": worst.p, "searched": worst.n_searched,
        },
        (worst.label,) if worst.label else (),
        worst.conditions,
    )  # fmt: skip


def slice_head(worst: WorstSlice) -> Parts:
    """Say the metric of a slice and of the rest in one clause."""
    value, rest = write_two_values(worst.number.value, worst.rest, share=worst.number.is_share)
    of = (" of ", Label(worst.label)) if worst.label else ()
    return (_METRICS[worst.metric], *of, f" is {value} where ", *where(worst.conditions), f", {rest} elsewhere")


def where(conditions: Conditions) -> Iterator[str | Label]:
    """Yield the conditions of a slice as parts of a sentence.

    >>> list(where((("age", "18 to 29.123456"), ("region", ""))))
    [Name(name='age'), ' = ', Name(name='18 to 29.12'), ' and ', Name(name='region'), ' is missing']
    """
    for place, (column, value) in enumerate(conditions):
        if place:
            yield " and "
        yield Name(column)
        yield from (" = ", Name(shorten_numbers(value))) if value else (" is missing",)


def _tested(worst: WorstSlice) -> str:
    values = worst.difference.value, worst.difference.low, worst.difference.high
    share = worst.number.is_share
    difference, low, high = (signed(100 * end, 1) if share else signed(end) for end in values)
    unit = " points" if share else ""
    ends = bounds(worst.number.low, worst.number.high, share=share)
    within = f", {name_interval(worst.number.level)} {ends}" if ends else ""
    return (
        f"It has {count(worst.n)}{within}. The difference is {difference}{unit} ({low} to {high}), "
        f"{p_value(worst.p)}, corrected over {count(worst.n_searched, 'slice')} (Benjamini–Hochberg)."
    )


def _gap_finding(gap: LargestGap) -> Finding:
    n, share, worse = gap.n_lower, gap.share_lower, gap.lower
    if gap.rate == "fpr":
        n, share, worse = gap.n_higher, gap.share_higher, gap.higher
    return Finding(
        "group_gap",
        _severity(gap.low, share),
        (*gap_head(gap), ". ", *_allows(gap)),
        share,
        {
            "n": n, "lower": gap.value_lower, "higher": gap.value_higher,
            "difference": gap.value_higher - gap.value_lower, "low": gap.low, "high": gap.high,
            "compared": gap.n_compared,
        },
        (gap.label,),
        ((gap.column, worse),),
    )  # fmt: skip


def gap_head(gap: LargestGap) -> Parts:
    """Say the rate of two groups in one clause."""
    lower, higher = write_two_values(gap.value_lower, gap.value_higher)
    rate = (f"{_RATES[gap.rate]} of ", Label(gap.label))
    other = Name(shorten_numbers(gap.higher)) if gap.higher else "missing"
    return (*rate, f" is {lower} where ", *where(((gap.column, gap.lower),)), f", {higher} where it is ", other)


def _allows(gap: LargestGap) -> Iterator[str | Label]:
    """Say the gap with its interval, and what was corrected for."""
    yield f"The gap is {number(gap.value_higher - gap.value_lower)} ({number(gap.low)} to {number(gap.high)})"
    yield f", allowing for all pairs of the {count(gap.n_groups, 'group')}." if gap.n_groups > 2 else "."
    if gap.n_compared > 1:
        of = f" of the {gap.n_labels:,} labels with the most true rows" if gap.n_labels > 1 else ""
        yield f" It stays clear after Bonferroni over {gap.n_compared:,} rates and columns{of}."
