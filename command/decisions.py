"""Find what options about the deployment ask for: costs, rows left to people, prediction sets, the decision sheet."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

from command.decision_options import AMOUNTS, SHARES, WORDS, cost_table
from data.comparison.filter_conditions import read_condition
from data.errors import DataError
from data.labels.costs_and_shares import read_priors
from export.deciding.cost_result import costs_result
from export.deciding.decision import Asked, decide
from export.deciding.decision_result import decision_result
from export.deciding.priors_result import priors_result
from export.deciding.risk_result import risk_result
from export.deciding.sets_result import rows_with, sets_result
from export.deciding.threshold_now import find_threshold_now
from export.measurement import Measurement
from export.result.kinds import Result
from metrics.thresholds.deployed.feasible import Limits

_MOST = 1e15
"""The largest cost, or number of rows a day: whole numbers up to it are exact."""


def decide_by_options(measured: Measurement, options: argparse.Namespace) -> Iterator[Result]:
    """Yield what predictions cost, which rows are left to people, and the decision sheet, where an option asks for it.

    Raises
    ------
    DataError
        an option is out of range, or the file has no scores of a positive class.
    """
    given = vars(options)
    for name in (*SHARES, "most_risk", "prediction_sets"):
        _check(name, given[name], 1.0, "a share from 0 to 1, such as 0.02")
    for name in AMOUNTS:
        _check(name, given[name], _MOST, "a number that is not negative")
    evaluation = measured.evaluation
    labels = evaluation.labels[: evaluation.n_space]
    costs = cost_table(options, labels)
    if costs is not None:
        if evaluation.task == "multilabel" or not evaluation.has_predictions:
            raise DataError("--costs needs one predicted label in each row; leave it out.")
        yield costs_result(measured, costs)
    if options.most_risk is not None:
        yield risk_result(measured, options.most_risk, options.rows_a_day)
    if options.priors:
        in_use, in_training = read_priors(options.priors, labels), read_priors(options.trained_priors, labels)
        yield priors_result(measured, in_use, in_training)
    elif options.trained_priors:
        raise DataError("--trained-priors says where --priors begins; add --priors estimate.")
    if options.prediction_sets is not None:
        yield _find_sets(measured, options)
    elif options.sets_by_class or options.calibrate:
        raise DataError(
            "--sets-by-class and --calibrate say how --prediction-sets are made; add --prediction-sets 0.9."
        )
    if _asks_for_sheet(options):
        yield _write_sheet(measured, options)


def _asks_for_sheet(options: argparse.Namespace) -> bool:
    """Return whether an option of the decision sheet was given; rows a day belong to the risk where that is asked."""
    given = vars(options)
    numbers = [name for name in (*SHARES, *AMOUNTS) if name != "rows_a_day" or options.most_risk is None]
    return any(given[name] for name in WORDS) or any(given[name] is not None for name in numbers)


def _write_sheet(measured: Measurement, options: argparse.Namespace) -> Result:
    """Return the decision sheet by the options about costs, limits and rows a day."""
    positive = measured.evaluation.positive
    scores = None if positive is None else measured.weighted_scores(positive)
    if positive is None or scores is None or not len(scores.score):
        raise DataError("The decision sheet needs scores of one positive class; name them with --positive and --score.")
    limits = Limits(options.least_recall, options.least_precision, options.most_predicted, options.most_cost)
    asked = Asked(
        prevalence=options.prevalence,
        rows=options.rows_a_day,
        cost_fp=1.0 if options.cost_fp is None else options.cost_fp,
        cost_fn=1.0 if options.cost_fn is None else options.cost_fn,
        limits=limits,
        noun=options.call_rows,
        called=options.call_predicted,
    )
    now = find_threshold_now(measured.evaluation, positive)
    return decision_result(measured, decide(measured, positive, scores, asked, now))


def _find_sets(measured: Measurement, options: argparse.Namespace) -> Result:
    """Return the prediction sets, fixed on the rows that --calibrate names."""
    calibrating = None
    if options.calibrate:
        column, value = read_condition(options.calibrate, "--calibrate")
        calibrating = rows_with(measured.evaluation, column, value)
    return sets_result(measured, options.prediction_sets, calibrating, by_class=options.sets_by_class)


def _check(name: str, value: float | None, most: float, wanted: str) -> None:
    """Refuse a number outside 0 to `most`."""
    if value is not None and (math.isnan(value) or not 0 <= value <= most):
        raise DataError(f"--{name.replace('_', '-')} {value:g} cannot be used: {wanted} was wanted.")
