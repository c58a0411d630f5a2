"""Count scores beside what came true by the weights of rows, and say how much the rows of each bin tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from data.columns.weight_columns import replace_rows_by_units
from data.evaluation import Evaluation
from export.cells import true_and_score, weigh_lines, weights_of
from export.confidence import right_and_confidence
from metrics.findings.tables import count_scores
from metrics.scores.curves import ScoreCounts, score_counts
from metrics.scores.reliability import Reliability, reliability, weigh_bins


def count_weighted(
    evaluation: Evaluation,
    code: int | None,
    scores: Callable[[Evaluation, int], ScoreCounts | None] = count_scores,
) -> ScoreCounts | None:
    """Count the scores of a class in units of weight; those of rows where rows have none.

    code : None = the confidence in the predictions against their being right. scores : counts those of a class.
    """
    if code is None:
        lines = right_and_confidence(evaluation)
        counts = None if lines is None else score_counts(*lines, weights_of(evaluation))
    else:
        counts = scores(replace_rows_by_units(evaluation), code)
    return counts if counts is None or evaluation.units is None else counts._replace(unit=evaluation.unit)


def bin_scores(evaluation: Evaluation, code: int | None, counts: ScoreCounts, **options: Any) -> Reliability:
    """Return weighed scores in bins: where rows have weights, each with its weight, its rows and its effective rows.

    code, counts : as in `count_weighted`. options : those of `reliability`.
    """
    bins, weighing = reliability(counts, **options), weigh_lines(evaluation)
    if weighing is None:
        return bins
    lines = right_and_confidence(evaluation) if code is None else true_and_score(evaluation, code)
    assert lines is not None
    weights = weighing.of(evaluation.scored)
    return weigh_bins(bins, *lines, weights.squares, weights.rows, counts.unit)
