"""The comparison in view as a part of the report."""

from __future__ import annotations

from data.evaluation import Evaluation
from export.compare.comparison_result import comparison_result, draw_compared_curves
from export.result.kinds import Result
from ui.compare import score_curves
from ui.compare.run_comparison import compare, metric_in_view
from ui.compare.runs import Run, others_in_view, runs_in_view
from ui.share.report_parts import Offered


def offer_comparison(evaluation: Evaluation) -> list[Offered]:
    """Return the comparison of the runs in view; none where it is one run, or one cannot be opened."""
    if not others_in_view():
        return []
    runs = runs_in_view(evaluation)
    if any(run.evaluation is None for run in runs):
        return []
    return [Offered("Comparison", lambda: _find(runs))]


def _find(runs: list[Run]) -> Result:
    compared = compare(runs)
    pair, metric = (compared.a, compared.b), metric_in_view(compared)
    result = comparison_result(compared.comparison, compared.aligned, compared.warnings, [pair], metric=metric)
    if not score_curves.has_curves(compared):
        return result
    curves, label = score_curves.run_scores(compared), score_curves.class_of_curves(compared)
    return result._replace(pictures=draw_compared_curves(compared.comparison, pair, curves, label))
