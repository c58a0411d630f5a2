"""The decision in view as parts of the report: the sheet, costs of predictions, or rows left to people."""

from __future__ import annotations

from data.evaluation import Evaluation
from ui.share.report_parts import Offered
from ui.thresholds.deployment import costs, priors
from ui.thresholds.deployment.deployed import sheet_in_view
from ui.thresholds.deployment.place import place_in_view
from ui.thresholds.prediction_sets import sets_in_view
from ui.thresholds.reject_option import has_risk, risk_in_view
from ui.view import cache, measurement, state, url


def offer_decision(evaluation: Evaluation) -> list[Offered]:
    """Return what the view decides by: a table of costs, a risk, or the sheet of the class in view; else nothing.

    evaluation : as the file says, without the view's threshold.
    """
    by, level = url.get("by"), measurement.level()
    if by == "costs" and costs.has_costs(evaluation):
        of_costs = (by, url.get("costs"), level)
        return [Offered("Table of costs", of_costs, lambda: costs.result_in_view(evaluation))]
    if by == "priors" and priors.has_priors(evaluation):
        of_shares = (by, url.get("priors"), level)
        return [Offered("Other shares of classes", of_shares, lambda: priors.result_in_view(evaluation))]
    if by == "reject" and has_risk(evaluation):
        of_risk = (by, url.get("risk"), url.get("perday"), level)
        of_sets = ("sets", url.get("sets"), url.get("setsby"), level)
        return [
            Offered("Rows left to people", of_risk, lambda: risk_in_view(evaluation)),
            Offered("Prediction sets", of_sets, lambda: sets_in_view(evaluation)),
        ]
    if by != "deployed":
        return []
    is_binary = evaluation.task == "binary"
    code = evaluation.positive if is_binary else state.code_of(evaluation, url.get("class"))
    if code is None or code not in evaluation.score_codes:
        return []
    scores = cache.scores(evaluation, code)
    if scores is None or not scores.n_pos or not scores.n_neg:
        return []
    key = ("decision", code, place_in_view(), state.threshold_now(evaluation, code), level)
    return [Offered("Decision sheet", key, lambda: sheet_in_view(evaluation, code, scores))]
