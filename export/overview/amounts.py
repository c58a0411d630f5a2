"""Say how much of the file each finding is about, and which page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from export.measurement import Measurement
from metrics.finding import Finding
from text.numbers import number, percent

Evidence = Mapping[str, float]


class Amount(NamedTuple):
    """`n` is how much, `base` of how many; `share` fills a bar, None = no bar; `mistakes` gives it their colour."""

    n: str
    base: str
    share: float | None = None
    mistakes: bool = True


def amount_of(measured: Measurement, finding: Finding) -> Amount | None:
    """Return how much a finding is about; None where nothing is counted."""
    evaluation, evidence = measured.evaluation, finding.evidence
    n_right = 0 if measured.many else int(measured.confusion.correct.sum())
    n_wrong = evaluation.n_scored - n_right
    if finding.code in _DIFFERENCES:
        high, low, what = _DIFFERENCES[finding.code]
        difference = evidence[high] - evidence[low]
        is_share = finding.code in _OF_SHARES
        return Amount(f"{number(100 * difference, 1)} points" if is_share else number(difference), what)
    if finding.code in _PARTS:
        whole, noun = _PARTS[finding.code]
        return _share_of(evidence["rows"], evidence[whole], noun)
    if finding.code in _OF_CLASSES:
        noun = "labels" if evaluation.task == "multilabel" else "classes"
        return _share_of(evidence["classes"], len(evaluation.labels), noun, mistakes=False)
    if finding.code in _OF_GAP:
        return _share_of_gap(evidence)
    if finding.code == "no_better_than_majority":
        return _share_of(n_wrong, evaluation.n_scored, "rows are wrong")
    if "rows" not in evidence:
        return None
    if finding.code in _OF_SCORED_ROWS:
        return _share_of(evidence["rows"], evaluation.n_scored, "rows")
    if finding.code in _OF_ALL_ROWS:
        return _share_of(evidence["rows"], evaluation.n_rows, "rows")
    if finding.code in _OF_WRONG_ROWS and evaluation.task != "multilabel":
        return _share_of(evidence["rows"], n_wrong, "wrong rows")
    return None


def page_of(finding: Finding) -> str:
    """Return the page that shows a finding; one that no page has stays on the overview.

    >>> page_of(Finding("absent", "info", ())), page_of(Finding("subset_far_below_per_label", "info", ()))
    ('classes', 'overview')
    """
    return next((page for page, codes in _SHOWN_ON.items() if finding.code in codes), "overview")


def _share_of(n: float, whole: float, noun: str, *, mistakes: bool = True) -> Amount:
    return Amount(f"{int(n):,}", f"of {int(whole):,} {noun}", n / whole if whole else None, mistakes)


def _share_of_gap(evidence: Evidence) -> Amount:
    gap = evidence["gap"]
    share = max(evidence[name] for name in evidence if name.startswith("from_")) / gap
    return Amount(percent(share), f"of a gap of {number(gap)}", min(1.0, share), mistakes=False)


_DIFFERENCES = {
    "miscalibrated": ("expected_calibration_error", "by_chance", "error above chance"),
    "worst_slice": ("rest", "value", "lower accuracy"),
    "worst_slice_recall": ("rest", "value", "lower recall"),
    "group_gap": ("higher", "lower", "between groups"),
    "threshold_far_from_best": ("best_f1", "f1", "higher F1"),
}
_OF_SHARES = frozenset(["worst_slice"])
"""Differences of what is written as per cent."""
_PARTS = {
    "missed": ("support", "true rows"),
    "false_alarms": ("predicted", "predicted rows"),
    "label_missed": ("support", "true rows"),
    "label_false_alarms": ("predicted", "predicted rows"),
}
_OF_CLASSES = frozenset(["absent", "low_support", "low_negatives"])
_OF_GAP = frozenset(["macro_far_below_micro", "macro_far_below_micro_sample"])
_OF_SCORED_ROWS = frozenset(["truth_outside_label_space", "unparseable", "empty_label_sets"])
_OF_ALL_ROWS = frozenset(["missing_truth", "missing_prediction"])
_OF_WRONG_ROWS = frozenset(
    ["outside_label_space", "never_true", "never_predicted", "favourite", "confusion", "confident_errors", "steps_off"]
)
_SHOWN_ON = {
    "classes": (
        "no_better_than_majority", "macro_far_below_micro", "macro_far_below_micro_sample", "absent",
        "outside_label_space", "never_true", "never_predicted", "truth_outside_label_space", "low_support",
        "low_negatives", "label_missed", "label_false_alarms", "label_worse_than_always"
    ),
    "rows": ("unparseable", "missing_truth", "missing_prediction",),
    "confusion": ("favourite", "confusion", "missed", "false_alarms", "steps_off",),
    "thresholds": (
        "confident_errors", "miscalibrated", "reversed_score", "chance_ranking", "no_threshold",
        "threshold_far_from_best", "rule_kept", "rule_not_kept", "rule_on_new_data"
    ),
    "slices": ("worst_slice", "worst_slice_recall", "group_gap",),
}  # fmt: skip
