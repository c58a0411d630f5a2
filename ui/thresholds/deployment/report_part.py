"""The decision in view as parts of the report: the sheet, costs of predictions, or rows left to people."""

from __future__ import annotations

from data.evaluation import Evaluation
from ui.share.report_parts import Offered
from ui.thresholds.deployment import costs, priors
from ui.thresholds.deployment.deployed import sheet_in_view
from ui.thresholds.prediction_sets import sets_in_view
from ui.thresholds.reject_option import has_risk, risk_in_view
from ui.view import cache, state, url


def offer_decision(evaluation: Evaluation) -> list[Offered]:
    """Return what the view decides by: a table of costs, a risk, or the sheet of the class in view; else nothing.

    evaluation : as the file says, without the view's threshold.
    """
    by = url.get("by")
    if by == "costs" and costs.has_costs(evaluation):
        return [Offered("Table of costs", lambda: costs.result_in_view(evaluation))]
    if by == "priors" and priors.has_priors(evaluation):
        return [Offered("Other shares of classes", lambda: priors.result_in_view(evaluation))]
    if by == "reject" and has_risk(evaluation):
        return [
            Offered("Rows left to people", lambda: risk_in_view(evaluation)),
            Offered("Prediction sets", lambda: sets_in_view(evaluation)),
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
    return [Offered("Decision sheet", lambda: sheet_in_view(evaluation, code, scores))]
