"""Measure how much each finding is about, of how many, with a bar where it is a share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from data.evaluation import Evaluation
from metrics.finding import Finding
from text.numbers import percent
from ui.view import cache


class Amount(NamedTuple):
    """`n` is how much, `base` of how many; `share` fills a bar, None = no bar; `mistakes` gives it their colour."""

    n: str
    base: str
    share: float | None = None
    mistakes: bool = True


def amount_of(evaluation: Evaluation, finding: Finding) -> Amount | None:
    """Return how much a finding is about; None where its sentence says all."""
    found = _TABLE.get(finding.code)
    return None if found is None else found(evaluation, finding.evidence)


Evidence = Mapping[str, float]


def _of(n: float, whole: float, noun: str, *, mistakes: bool = True) -> Amount:
    return Amount(f"{int(n):,}", f"of {int(whole):,} {noun}", n / whole if whole else None, mistakes)


def _of_wrong_rows(evaluation: Evaluation, found: Evidence) -> Amount | None:
    if "rows" not in found or evaluation.task == "multilabel":
        return None
    counts = cache.confusion(evaluation)
    return _of(found["rows"], counts.n - int(counts.correct.sum()), "wrong rows")


def _of_field(whole: str, noun: str) -> Callable[[Evaluation, Evidence], Amount | None]:
    return lambda evaluation, found: _of(found["rows"], found[whole], noun)


def _of_scored_rows(evaluation: Evaluation, found: Evidence) -> Amount | None:
    return _of(found["rows"], evaluation.n_scored, "rows") if "rows" in found else None


def _of_all_rows(evaluation: Evaluation, found: Evidence) -> Amount:
    return _of(found["rows"], evaluation.n_rows, "rows")


def _of_classes(evaluation: Evaluation, found: Evidence) -> Amount:
    noun = "labels" if evaluation.task == "multilabel" else "classes"
    return _of(found["classes"], len(evaluation.labels), noun, mistakes=False)


def _wrong(evaluation: Evaluation, found: Evidence) -> Amount:
    counts = cache.confusion(evaluation)
    return _of(counts.n - int(counts.correct.sum()), counts.n, "rows are wrong")


def _of_gap(evaluation: Evaluation, found: Evidence) -> Amount | None:
    gap = found["gap"]
    share = max(found[name] for name in found if name.startswith("from_")) / gap
    return Amount(percent(share), f"of a gap of {gap:.3f}", min(1.0, share), False)


def _difference(high: str, low: str, what: str) -> Callable[[Evaluation, Evidence], Amount | None]:
    return lambda evaluation, found: Amount(f"{found[high] - found[low]:.3f}", what)


_TABLE: Mapping[str, Callable[[Evaluation, Evidence], Amount | None]] = {
    "no_better_than_majority": _wrong,
    "macro_far_below_micro": _of_gap,
    "macro_far_below_micro_sample": _of_gap,
    "absent": _of_classes,
    "low_support": _of_classes,
    "low_negatives": _of_classes,
    "never_predicted": _of_wrong_rows,
    "outside_label_space": _of_wrong_rows,
    "never_true": _of_wrong_rows,
    "favourite": _of_wrong_rows,
    "confusion": _of_wrong_rows,
    "confident_errors": _of_wrong_rows,
    "truth_outside_label_space": _of_scored_rows,
    "unparseable": _of_scored_rows,
    "empty_label_sets": _of_scored_rows,
    "missed": _of_field("support", "true rows"),
    "label_missed": _of_field("support", "true rows"),
    "false_alarms": _of_field("predicted", "predicted rows"),
    "label_false_alarms": _of_field("predicted", "predicted rows"),
    "threshold_far_from_best": _difference("best_f1", "f1", "higher F1"),
    "missing_truth": _of_all_rows,
    "missing_prediction": _of_all_rows,
}
