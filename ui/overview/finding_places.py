"""The table of findings: the page, the view and the rows that each one leads to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from data.evaluation import Evaluation
from data.rows.selection import CONFIDENCE, Only, ScoreRange, Which
from metrics.finding import Finding
from metrics.findings.confident_errors import SURE
from ui.rows.row_choice import only_counted
from ui.view.cache import class_lists, support

View = dict[str, object]
Rows = Callable[[Evaluation, Finding], Which | None]


class Place(NamedTuple):
    """Lead from a finding to a page, the parameters of its view, and the rows that it is about."""

    page: str
    view: Callable[[Finding], View] = lambda finding: {}
    rows: Rows = lambda evaluation, finding: None


def place_of(evaluation: Evaluation, finding: Finding) -> Place:
    """Return where a finding leads; one that the table lacks stays on the overview.

    >>> place_of(None, Finding("absent", "info", ())).page
    'classes'
    """
    if finding.code == "unparseable" and evaluation.answers is not None:
        return _TABLE["unparseable"]._replace(page="parsing", view=lambda finding: {})  # it also says why
    return _TABLE.get(finding.code, Place("overview"))


def rows_behind(evaluation: Evaluation, finding: Finding) -> Which | None:
    """Return the rows that a finding is about; None where it is about none, or about the whole file."""
    return place_of(evaluation, finding).rows(evaluation, finding)


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


_TABLE: Mapping[str, Place] = {
    "no_better_than_majority": Place("classes", rows=_all("errors")),
    "macro_far_below_micro": Place("classes"),
    "macro_far_below_micro_sample": Place("classes", _list_of("absent")),
    "absent": Place("classes", _list_of("absent")),
    "outside_label_space": Place("classes", _list_of("outside"), _predicted_rows("outside")),
    "never_true": Place("classes", _list_of("never_true"), _predicted_rows("never_true")),
    "never_predicted": Place("classes", _list_of("never"), _true_rows("never")),
    "truth_outside_label_space": Place("classes", _list_of("outside"), _true_rows("outside")),
    "unparseable": Place("rows", lambda finding: {"only": "unparseable"}, _all("unparseable")),
    "low_support": Place("classes", _list_of("low"), _true_rows("low")),
    "low_negatives": Place("classes", _class),
    "favourite": Place("confusion", lambda finding: {"pred": finding.labels[0], "only": "errors"}, _predicted_as),
    "confusion": Place("confusion", _cell, _cell_rows),
    "confident_errors": Place("thresholds", lambda finding: {"tab": "calibration"}, _sure),
    "missed": Place("confusion", _cell, _cell_rows),
    "false_alarms": Place("confusion", _column, _column_rows),
    "label_missed": Place("classes", _class, _label("fn")),
    "label_false_alarms": Place("classes", _class, _label("fp")),
    "label_worse_than_always": Place("classes", _class, _label("fn")),
    "subset_far_below_per_label": Place("overview", rows=_all("errors")),
    "empty_label_sets": Place("overview", rows=_no_label),
    "reversed_score": Place("thresholds"),
    "chance_ranking": Place("thresholds"),
    "no_threshold": Place("thresholds"),  # without a `t`: the page opens at the recommended threshold
    "threshold_far_from_best": Place("thresholds", _best_threshold),
    "rule_kept": Place("thresholds", _class),
    "rule_not_kept": Place("thresholds", _class),
    "rule_on_new_data": Place("thresholds", _class),
    "missing_truth": Place("rows", lambda finding: {"only": "missing"}, _all("missing")),
    "missing_prediction": Place("rows", lambda finding: {"only": "missing"}, _all("missing")),
}
