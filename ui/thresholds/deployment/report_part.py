"""The decision sheet in view, or what predictions cost, as a part of the report."""

from __future__ import annotations

from data.evaluation import Evaluation
from ui.share.report_parts import Offered
from ui.thresholds.deployment import costs
from ui.thresholds.deployment.deployed import sheet_in_view
from ui.thresholds.deployment.place import place_in_view
from ui.view import cache, measurement, state, url


def offer_decision(evaluation: Evaluation) -> list[Offered]:
    """Return the sheet of the class in view where somebody said where the model will run, or the costs; or nothing.

    evaluation : as the file says, without the view's threshold.
    """
    if url.get("by") == "costs" and costs.has_costs(evaluation):
        key = ("costs", url.get("costs"), measurement.level())
        return [Offered("Table of costs", key, lambda: costs.result_in_view(evaluation))]
    wanted = state.code_of(evaluation, url.get("class"))
    code = evaluation.positive if evaluation.task == "binary" else wanted
    if url.get("by") != "deployed" or code is None or code not in evaluation.score_codes:
        return []
    scores = cache.scores(evaluation, code)
    if scores is None or not scores.n_pos or not scores.n_neg:
        return []
    key = ("decision", code, place_in_view(), state.given_threshold(evaluation, code), measurement.level())
    return [Offered("Decision sheet", key, lambda: sheet_in_view(evaluation, code, scores))]
