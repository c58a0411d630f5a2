"""Groups of rows against each other: rates, gaps, scores, each group's best threshold, and what equal rates cost."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from data.comparison.row_groups import Clusters
from data.comparison.slice_columns import Slicing
from data.evaluation import Evaluation
from export.by_slice.slices import count_slices, number_json
from export.cells import count_lines, true_and_score
from metrics.intervals.joint_counts import sliced_joint_counts
from metrics.scores.curves import ScoreCounts, score_counts
from metrics.slices.fairness import Gap, Group, gaps, group_rates
from metrics.slices.group_thresholds import (
    Equalised,
    GroupScores,
    Residuals,
    equalise,
    group_scores,
    line_residuals,
)
from metrics.slices.slices import SliceCounts
from text.numbers import shorten_numbers

RATES = {
    "base_rate": "share positive", "selection_rate": "selection rate", "tpr": "recall (TPR)",
    "fpr": "false positive rate", "ppv": "precision (PPV)", "accuracy": "accuracy",
}  # fmt: skip
_GAP_METHOD = "squares of the two intervals added, at the level split over all pairs of groups"
_RATIO_METHOD = f"{_GAP_METHOD}, on the logarithm"


class Groups(NamedTuple):
    """The counts of the groups of a column, their rates, and the surest gap of every rate.

    scores, equalised : none where nothing was asked of the scores, or the class has none; by weight where rows have
    weights.
    """

    way: Slicing
    counts: SliceCounts
    rates: list[Group]
    gaps: dict[str, Gap]
    is_weighted: bool
    scores: Sequence[GroupScores] = ()
    equalised: Sequence[Equalised] = ()


def name_group(groups: Groups, place: int) -> str:
    """Return the name of a group: its value, or values of columns that were crossed."""
    values = groups.way.values[place]
    return ", ".join(shorten_numbers(value) if value else "missing" for value in values)


def compare_rates(
    evaluation: Evaluation, way: Slicing, code: int, *, level: float = 0.95, clusters: Clusters | None = None
) -> Groups:
    """Compare the groups of a column by the rates of a class, or of a label, without its scores."""
    counts = _count_groups(evaluation, way, code, _other_clusters(way, clusters))
    rates, is_weighted = group_rates(counts, level=level), evaluation.units is not None
    return Groups(way.without_rows(), counts, rates, gaps(counts, level=level), is_weighted)


def _count_groups(evaluation: Evaluation, way: Slicing, code: int, clusters: Clusters | None) -> SliceCounts:
    """Return the joint counts by group; of several labels a row, those of one label: whether a row has it."""
    if evaluation.task != "multilabel":
        return dataclasses.replace(count_slices(evaluation, way, clusters), positive=code)
    kept = evaluation.scored
    lines = count_lines(evaluation, clusters).of(kept)
    truth, predicted = (sets[kept, code].astype(np.int32) for sets in (evaluation.y_true, evaluation.y_pred))
    cells, group_of = sliced_joint_counts(
        truth, predicted, way.codes[kept], n_labels=2, weights=lines.weights, cluster=lines.cluster,
        weighing=lines.weighing,
    )  # fmt: skip
    return SliceCounts(cells, group_of, len(way.values), positive=1)


def columns_of_groups(ways: Sequence[Slicing], clusters: Clusters | None) -> tuple[str, ...]:
    """Return the columns whose groups are compared unasked.

    Dates are left out, since few ask whom a month harms; so are clusters, whose rows are alike.
    """
    cluster_columns = () if clusters is None else (clusters.column,)
    return tuple(way.columns[0] for way in ways if not way.has_dates and way.columns != cluster_columns)


def _other_clusters(way: Slicing, clusters: Clusters | None) -> Clusters | None:
    """Return the clusters; None where the groups are these clusters themselves."""
    return None if clusters is None or (clusters.column,) == way.columns else clusters


def compare_groups(
    evaluation: Evaluation,
    way: Slicing,
    rates: Groups,
    code: int,
    *,
    threshold: float = math.nan,
    level: float = 0.95,
    clusters: Clusters | None = None,
) -> Groups:
    """Add to the rates of groups what their scores say; `threshold` is the one in use."""
    probabilities = evaluation.scale == "probability"
    groups = _count_scores(evaluation, way, code, _other_clusters(way, clusters) if probabilities else None)
    scores = [
        group_scores(group.scores, threshold, probabilities=probabilities, level=level, residuals=group.residuals)
        for group in groups
    ]
    return rates._replace(scores=scores, equalised=_equalise(groups, threshold, evaluation.unit)) if groups else rates


class _CountedScores(NamedTuple):
    """The scores of a group: their counts, by weight where rows have weights, and the rows with a score.

    residuals : with clusters and weights; None where every row stands for itself.
    """

    scores: ScoreCounts
    residuals: Residuals | None
    n_pos: int
    n: int


def _equalise(groups: Sequence[_CountedScores], threshold: float, unit: float) -> list[Equalised]:
    """Return what the same recall, and the same selection rate, in every group would cost, where that is known."""
    counts = [group.scores for group in groups]
    of_recall = equalise(counts, threshold, "recall", rows=[group.n_pos for group in groups])
    of_selection = equalise(counts, threshold, "selection_rate", rows=[group.n for group in groups])
    known = [equal for equal in (of_recall, of_selection) if equal is not None]
    if unit == 1:
        return known
    return [
        equal._replace(wrong_now=equal.wrong_now * unit, wrong_then=equal.wrong_then * unit, n=equal.n * unit)
        for equal in known
    ]


def _count_scores(evaluation: Evaluation, way: Slicing, code: int, clusters: Clusters | None) -> list[_CountedScores]:
    """Return the scores of every group; none where the class has no score."""
    if evaluation.y_score is None or code not in evaluation.score_codes:
        return []
    is_true, score = true_and_score(evaluation, code)
    codes = way.codes[evaluation.scored]
    lines = count_lines(evaluation, clusters).of(evaluation.scored)
    counted = []
    for place in range(len(way.values)):
        inside = np.flatnonzero(codes == place)
        rows = is_true[inside], score[inside]
        of_group = lines.of(inside)
        scores = score_counts(*rows, of_group.weights)
        if lines.cluster is None and lines.weighing is None:
            counted.append(_CountedScores(scores, None, scores.n_pos, scores.n))
            continue
        residuals = line_residuals(*rows, of_group.cluster, of_group.weights, of_group.weighing)
        cells = residuals.cells
        counted.append(_CountedScores(scores, residuals, cells.count_rows(residuals.is_true), cells.count_rows()))
    return counted


def groups_json(evaluation: Evaluation, groups: Groups, code: int) -> dict[str, Any]:
    """Return everything about groups as one dictionary; NaN = undefined, or too few rows."""
    names = [groups.way.named(group.place) for group in groups.rates]
    scores: Sequence[GroupScores | None] = groups.scores or [None] * len(names)
    return {
        "column": ", ".join(groups.way.columns),
        "positive": evaluation.labels[code],
        "groups": [
            {"group": name, "n": group.n, **{key: number_json(rate) for key, rate in group.rates.items()},
             **_scores_json(of_group)}
            for name, group, of_group in zip(names, groups.rates, scores, strict=True)
        ],
        "gaps": {rate: _gap_json(gap, names) for rate, gap in groups.gaps.items()},
        "equalised": [
            {
                "rate": equalised.rate, "target": equalised.target, "n": equalised.n, "wrong_now": equalised.wrong_now,
                "wrong_then": equalised.wrong_then,
                "thresholds": [
                    {"group": name, "threshold": score} for name, score in zip(names, equalised.thresholds, strict=True)
                ],
            }
            for equalised in groups.equalised
        ],
    }  # fmt: skip


def _scores_json(scores: GroupScores | None) -> dict[str, Any]:
    """Return the mean score minus the share of positives, and the group's own best threshold with its F1."""
    if scores is None:
        return {}
    best = {"threshold": scores.threshold, "f1": scores.f1_there, "f1_in_use": scores.f1_now}
    bias = {"value": scores.bias, "low": scores.low, "high": scores.high, "method": "normal, of score less truth"}
    return {"calibration": bias, "best_threshold": best}


def _gap_json(gap: Gap, names: Sequence[dict[str, str | None]]) -> dict[str, Any]:
    known = not math.isnan(gap.difference)
    return {
        "lower": names[gap.lower] if known else None,
        "higher": names[gap.higher] if known else None,
        "lowest": names[gap.lowest] if known else None,
        "highest": names[gap.highest] if known else None,
        "difference": {"value": gap.difference, "low": gap.low, "high": gap.high, "method": _GAP_METHOD},
        "ratio": {"value": gap.ratio, "low": gap.ratio_low, "high": gap.ratio_high, "method": _RATIO_METHOD},
        "verdict": gap.verdict,
        "left_out": [names[place] for place in gap.left_out],
    }
