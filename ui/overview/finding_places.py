"""The table of findings: the page, the view and the rows that each one leads to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from data.comparison.filter_conditions import write_filter
from data.evaluation import Evaluation
from data.rows.selection import CONFIDENCE, Only, ScoreRange, Which
from export.overview.amounts import page_of
from metrics.finding import Finding
from metrics.findings.confident_errors import SURE
from ui.rows.row_choice import only_counted
from ui.view.cache import class_lists, support

View = dict[str, object]
Rows = Callable[[Evaluation, Finding], Which | None]


class Place(NamedTuple):
    """Lead from a finding to a page, the parameters of its view and its rows."""

    view: Callable[[Finding], View] = lambda finding: {}
    rows: Rows = lambda evaluation, finding: None
    page: str = "overview"


def place_of(evaluation: Evaluation, finding: Finding) -> Place:
    """Return where a finding leads; one that the table lacks stays on the overview.

    >>> place_of(None, Finding("absent", "info", ())).page
    'classes'
    """
    if finding.code == "unparseable" and evaluation.answers is not None:
        return _TABLE["unparseable"]._replace(page="parsing", view=lambda finding: {})  # it also says why
    return _TABLE.get(finding.code, Place())._replace(page=page_of(finding))


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
    return {"mode": "groups", "column": finding.conditions[0][0], "class": finding.labels[0]}


def _calibration(finding: Finding) -> View:
    return {"tab": "calibration"} | _class(finding)


_TABLE: Mapping[str, Place] = {
    "no_better_than_majority": Place(rows=_all("errors")),
    "macro_far_below_micro_sample": Place(_list_of("absent")),
    "absent": Place(_list_of("absent")),
    "outside_label_space": Place(_list_of("outside"), _predicted_rows("outside")),
    "never_true": Place(_list_of("never_true"), _predicted_rows("never_true")),
    "never_predicted": Place(_list_of("never"), _true_rows("never")),
    "truth_outside_label_space": Place(_list_of("outside"), _true_rows("outside")),
    "unparseable": Place(lambda finding: {"only": "unparseable"}, _all("unparseable")),
    "low_support": Place(_list_of("low"), _true_rows("low")),
    "low_negatives": Place(_class),
    "favourite": Place(lambda finding: {"pred": finding.labels[0], "only": "errors"}, _predicted_as),
    "confusion": Place(_cell, _cell_rows),
    "confident_errors": Place(_calibration, _sure),
    "miscalibrated": Place(_calibration),
    "worst_slice": Place(_slice("")),
    "worst_slice_recall": Place(_slice("recall")),
    "group_gap": Place(_groups),
    "steps_off": Place(lambda finding: {"norm": "steps", "errors": True}),
    "missed": Place(_cell, _cell_rows),
    "false_alarms": Place(_column, _column_rows),
    "label_missed": Place(_class, _label("fn")),
    "label_false_alarms": Place(_class, _label("fp")),
    "label_worse_than_always": Place(_class, _label("fn")),
    "subset_far_below_per_label": Place(rows=_all("errors")),
    "empty_label_sets": Place(rows=_no_label),
    "threshold_far_from_best": Place(_best_threshold),
    "rule_kept": Place(_class),
    "rule_not_kept": Place(_class),
    "rule_on_new_data": Place(_class),
    "missing_truth": Place(lambda finding: {"only": "missing"}, _all("missing")),
    "missing_prediction": Place(lambda finding: {"only": "missing"}, _all("missing")),
}
