"""Say how much of the file each finding is about, and which page shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from export.measurement import Measurement
from metrics.finding import Finding
from text.numbers import number, percent


class Amount(NamedTuple):
    """`n` is how much, `base` of how many; `share` fills a bar, None = no bar; `mistakes` gives it their colour."""

    n: str
    base: str
    share: float | None = None
    mistakes: bool = True


Measure = Callable[[Measurement, Finding], Amount | None]


class Place(NamedTuple):
    """The page that shows a finding, and what says how much it is about."""

    page: str
    measure: Measure = lambda measured, finding: None


def amount_of(measured: Measurement, finding: Finding) -> Amount | None:
    """Return how much a finding is about; None where nothing is counted."""
    return _place_of(finding).measure(measured, finding)


def page_of(finding: Finding) -> str:
    """Return the page that shows a finding; one that no page has stays on the overview.

    >>> page_of(Finding("absent", "info", ())), page_of(Finding("subset_far_below_per_label", "info", ()))
    ('classes', 'overview')
    """
    return _place_of(finding).page


def _place_of(finding: Finding) -> Place:
    return _TABLE.get(finding.code, Place("overview"))


def _share_of(n: float, whole: float, noun: str, *, mistakes: bool = True) -> Amount:
    return Amount(f"{int(n):,}", f"of {int(whole):,} {noun}", n / whole if whole else None, mistakes)


def _count_wrong(measured: Measurement) -> int:
    return measured.evaluation.n_scored - int(measured.confusion.correct.sum())


def _of_gap(measured: Measurement, finding: Finding) -> Amount:
    evidence = finding.evidence
    gap = evidence["gap"]
    share = min(1.0, max(evidence[name] for name in evidence if name.startswith("from_")) / gap)
    return Amount(percent(share), f"of a gap of {number(gap)}", share, mistakes=False)


def _of_classes(measured: Measurement, finding: Finding) -> Amount:
    noun = "labels" if measured.many else "classes"
    return _share_of(finding.evidence["classes"], measured.evaluation.n_space, noun, mistakes=False)


def _all_wrong(measured: Measurement, finding: Finding) -> Amount:
    return _share_of(_count_wrong(measured), measured.evaluation.n_scored, "rows are wrong")


def _of_scored(measured: Measurement, finding: Finding) -> Amount | None:
    rows = finding.evidence.get("rows")
    return None if rows is None else _share_of(rows, measured.evaluation.n_scored, "rows")


def _of_all(measured: Measurement, finding: Finding) -> Amount | None:
    rows = finding.evidence.get("rows")
    return None if rows is None else _share_of(rows, measured.evaluation.n_rows, "rows")


def _of_wrong(measured: Measurement, finding: Finding) -> Amount | None:
    rows = finding.evidence.get("rows")
    return None if rows is None or measured.many else _share_of(rows, _count_wrong(measured), "wrong rows")


def _of(whole: str, noun: str) -> Measure:
    """Return what says how many rows a finding is about, of another number of its evidence."""
    return lambda measured, finding: _share_of(finding.evidence["rows"], finding.evidence[whole], noun)


def _difference(high: str, low: str, what: str, *, is_share: bool = False) -> Measure:
    """Return what says how far two numbers of the evidence lie apart; a share's difference is in points."""

    def measure(measured: Measurement, finding: Finding) -> Amount:
        difference = finding.evidence[high] - finding.evidence[low]
        return Amount(f"{number(100 * difference, 1)} points" if is_share else number(difference), what)

    return measure


_TABLE: Mapping[str, Place] = {
    "no_better_than_majority": Place("classes", _all_wrong),
    "macro_far_below_micro": Place("classes", _of_gap),
    "macro_far_below_micro_sample": Place("classes", _of_gap),
    "absent": Place("classes", _of_classes),
    "outside_label_space": Place("classes", _of_wrong),
    "never_true": Place("classes", _of_wrong),
    "never_predicted": Place("classes", _of_wrong),
    "truth_outside_label_space": Place("classes", _of_scored),
    "low_support": Place("classes", _of_classes),
    "low_negatives": Place("classes", _of_classes),
    "label_missed": Place("classes", _of("support", "true rows")),
    "label_false_alarms": Place("classes", _of("predicted", "predicted rows")),
    "label_worse_than_always": Place("classes"),
    "empty_label_sets": Place("overview", _of_scored),
    "unparseable": Place("rows", _of_scored),
    "missing_truth": Place("rows", _of_all),
    "missing_prediction": Place("rows", _of_all),
    "favourite": Place("confusion", _of_wrong),
    "confusion": Place("confusion", _of_wrong),
    "missed": Place("confusion", _of("support", "true rows")),
    "false_alarms": Place("confusion", _of("predicted", "predicted rows")),
    "steps_off": Place("confusion", _of_wrong),
    "confident_errors": Place("thresholds", _of_wrong),
    "miscalibrated": Place("thresholds", _difference("expected_calibration_error", "by_chance", "error above chance")),
    "reversed_score": Place("thresholds"),
    "chance_ranking": Place("thresholds"),
    "no_threshold": Place("thresholds"),
    "threshold_far_from_best": Place("thresholds", _difference("best_f1", "f1", "higher F1")),
    "rule_kept": Place("thresholds"),
    "rule_not_kept": Place("thresholds"),
    "rule_on_new_data": Place("thresholds"),
    "worst_slice": Place("slices", _difference("rest", "value", "lower accuracy", is_share=True)),
    "worst_slice_recall": Place("slices", _difference("rest", "value", "lower recall")),
    "group_gap": Place("slices", _difference("higher", "lower", "between groups")),
}
"""A row for every finding that is about so much of the file, or that a page other than Overview shows."""
