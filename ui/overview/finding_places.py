"""The table of findings: the page, the view and the rows that each one leads to, and how much it is about."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from data.comparison.filter_conditions import write_filter
from data.evaluation import Evaluation
from data.rows.selection import CONFIDENCE, Only, ScoreRange, Which
from metrics.finding import Finding
from metrics.findings.confident_errors import SURE
from text.numbers import percent
from ui.rows.row_choice import only_counted
from ui.view import cache
from ui.view.cache import class_lists, support

View = dict[str, object]
Rows = Callable[[Evaluation, Finding], Which | None]
Evidence = Mapping[str, float]


class Amount(NamedTuple):
    """`n` is how much, `base` of how many; `share` fills a bar, None = no bar; `mistakes` gives it their colour."""

    n: str
    base: str
    share: float | None = None
    mistakes: bool = True


Amounts = Callable[[Evaluation, Evidence], Amount | None]


class Place(NamedTuple):
    """Lead from a finding to a page, the parameters of its view and its rows; and say how much it is about."""

    page: str
    view: Callable[[Finding], View] = lambda finding: {}
    rows: Rows = lambda evaluation, finding: None
    amount: Amounts = lambda evaluation, evidence: None


def place_of(evaluation: Evaluation, finding: Finding) -> Place:
    """Return where a finding leads; one that the table lacks stays on the overview.

    >>> place_of(None, Finding("absent", "info", ())).page
    'classes'
    """
    if finding.code == "unparseable" and evaluation.answers is not None:
        return _TABLE["unparseable"]._replace(page="parsing", view=lambda finding: {})  # it also says why
    return _TABLE.get(finding.code, Place("overview"))


def _list_of(name: str) -> Callable[[Finding], View]:
    return lambda finding: {"list": name}


def _class(finding: Finding) -> View:
    return {"class": finding.labels[0]} if finding.labels else {}


def _all(only: Only) -> Rows:
    return lambda evaluation, finding: Which(only=only)


def _codes(evaluation: Evaluation, finding: Finding) -> list[tuple[int, ...]]:
    """Return the finding's labels as codes, one tuple each."""
    return [(evaluation.labels.index(name),) for name in finding.labels if name in evaluation.labels]


def _label(only: Only) -> Rows:
    """Return the rows of one outcome of the finding's label."""

    def rows(evaluation: Evaluation, finding: Finding) -> Which | None:
        codes = _codes(evaluation, finding)
        return Which(codes[0], only=only) if codes else None

    return rows


def _predicted_as(evaluation: Evaluation, finding: Finding) -> Which | None:
    codes = _codes(evaluation, finding)
    return Which(pred=codes[0], only="errors") if codes else None


def _cell(finding: Finding) -> View:
    """Return the cell of the first label, which is true, and the second; without a second all that is wrong."""
    true, *pred = finding.labels
    return {"true": true, **({"pred": pred[0]} if pred else {"only": "errors"})}


def _column(finding: Finding) -> View:
    """Return the cell of the first label, which is predicted, and the second; without a second all that is wrong."""
    pred, *true = finding.labels
    return {"pred": pred, **({"true": true[0]} if true else {"only": "errors"})}


def _cell_rows(evaluation: Evaluation, finding: Finding) -> Which:
    true, *pred = _codes(evaluation, finding)
    return Which(true, pred[0]) if pred else Which(true, only="errors")


def _column_rows(evaluation: Evaluation, finding: Finding) -> Which:
    pred, *true = _codes(evaluation, finding)
    return Which(true[0], pred) if true else Which(pred=pred, only="errors")


def _true_rows(name: str) -> Rows:
    """Return the rows whose truth is one of a list of classes."""

    def rows(evaluation: Evaluation, finding: Finding) -> Which | None:
        codes = class_lists(evaluation)[name]
        codes = codes[support(evaluation)[0][codes] > 0]
        return only_counted(evaluation, Which(tuple(codes.tolist()))) if len(codes) else None

    return rows


def _predicted_rows(name: str) -> Rows:
    """Return the rows that were predicted as one of a list of classes without true rows."""

    def rows(evaluation: Evaluation, finding: Finding) -> Which | None:
        codes, (true, predicted) = class_lists(evaluation)[name], support(evaluation)
        codes = codes[(predicted[codes] > 0) & (true[codes] == 0)]
        return only_counted(evaluation, Which(pred=tuple(codes.tolist()))) if len(codes) else None

    return rows


def _no_label(evaluation: Evaluation, finding: Finding) -> Which:
    return Which(tuple(range(len(evaluation.labels))), others=True, only="scored")


def _sure(evaluation: Evaluation, finding: Finding) -> Which:
    return Which(only="errors", score=ScoreRange(CONFIDENCE, SURE, math.inf))


def _best_threshold(finding: Finding) -> View:
    return {"t": float(finding.evidence["best_threshold"]), "rule": "f1"}


def _slice(metric: str) -> Callable[[Finding], View]:
    """Return the slice that a finding is about, opened on the page Slices."""

    def view(finding: Finding) -> View:
        return {"metric": metric, "class": next(iter(finding.labels), ""), "slice": write_filter(finding.conditions)}

    return view


def _groups(finding: Finding) -> View:
    return {"mode": "groups", "column": finding.conditions[0][0]}


def _calibration(finding: Finding) -> View:
    return {"tab": "calibration"}


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


_TABLE: Mapping[str, Place] = {
    "no_better_than_majority": Place("classes", rows=_all("errors"), amount=_wrong),
    "macro_far_below_micro": Place("classes", amount=_of_gap),
    "macro_far_below_micro_sample": Place("classes", _list_of("absent"), amount=_of_gap),
    "absent": Place("classes", _list_of("absent"), amount=_of_classes),
    "outside_label_space": Place("classes", _list_of("outside"), _predicted_rows("outside"), amount=_of_wrong_rows),
    "never_true": Place("classes", _list_of("never_true"), _predicted_rows("never_true"), amount=_of_wrong_rows),
    "never_predicted": Place("classes", _list_of("never"), _true_rows("never"), amount=_of_wrong_rows),
    "truth_outside_label_space": Place("classes", _list_of("outside"), _true_rows("outside"), amount=_of_scored_rows),
    "unparseable": Place("rows", lambda finding: {"only": "unparseable"}, _all("unparseable"), amount=_of_scored_rows),
    "low_support": Place("classes", _list_of("low"), _true_rows("low"), amount=_of_classes),
    "low_negatives": Place("classes", _class, amount=_of_classes),
    "favourite": Place(
        "confusion", lambda finding: {"pred": finding.labels[0], "only": "errors"}, _predicted_as, amount=_of_wrong_rows
    ),
    "confusion": Place("confusion", _cell, _cell_rows, amount=_of_wrong_rows),
    "confident_errors": Place("thresholds", _calibration, _sure, amount=_of_wrong_rows),
    "miscalibrated": Place(
        "thresholds", _calibration, amount=_difference("expected_calibration_error", "by_chance", "above chance")
    ),
    "worst_slice": Place("slices", _slice(""), amount=_difference("rest", "value", "lower accuracy")),
    "worst_slice_recall": Place("slices", _slice("recall"), amount=_difference("rest", "value", "lower recall")),
    "group_gap": Place("slices", _groups, amount=_difference("higher", "lower", "between groups")),
    "missed": Place("confusion", _cell, _cell_rows, amount=_of_field("support", "true rows")),
    "false_alarms": Place("confusion", _column, _column_rows, amount=_of_field("predicted", "predicted rows")),
    "label_missed": Place("classes", _class, _label("fn"), amount=_of_field("support", "true rows")),
    "label_false_alarms": Place("classes", _class, _label("fp"), amount=_of_field("predicted", "predicted rows")),
    "label_worse_than_always": Place("classes", _class, _label("fn")),
    "subset_far_below_per_label": Place("overview", rows=_all("errors")),
    "empty_label_sets": Place("overview", rows=_no_label, amount=_of_scored_rows),
    "reversed_score": Place("thresholds"),
    "chance_ranking": Place("thresholds"),
    "no_threshold": Place("thresholds"),  # without a `t`: the page opens at the recommended threshold
    "threshold_far_from_best": Place("thresholds", _best_threshold, amount=_difference("best_f1", "f1", "higher F1")),
    "rule_kept": Place("thresholds", _class),
    "rule_not_kept": Place("thresholds", _class),
    "rule_on_new_data": Place("thresholds", _class),
    "missing_truth": Place("rows", lambda finding: {"only": "missing"}, _all("missing"), amount=_of_all_rows),
    "missing_prediction": Place("rows", lambda finding: {"only": "missing"}, _all("missing"), amount=_of_all_rows),
}
