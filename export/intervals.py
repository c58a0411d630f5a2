"""Every metric of an evaluation with its interval, by the names that its numbers have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from data.comparison.row_groups import Clusters
from data.evaluation import Evaluation
from metrics import outcomes
from metrics.catalogue.registry import class_formulas, over_joint_counts, with_influence
from metrics.confusion.average_numbers import ZERO
from metrics.intervals.class_rates import ClassBounds, class_bounds
from metrics.intervals.joint_counts import Cells, Joint, joint_counts, label_joint_counts
from metrics.intervals.rates import of_class
from metrics.intervals.score_statistics import ScoreLoss, binary_losses, class_losses
from metrics.intervals.statistic import Interval, Statistic, interval
from metrics.outcomes import CountedOutcomes, Formula
from metrics.scores.curves import ScoreCounts
from metrics.scores.intervals import auc_interval

LEVEL = 0.95
AT_THRESHOLD: dict[str, Formula] = {
    "precision": outcomes.PRECISION,
    "recall": outcomes.RECALL,
    "f1": outcomes.F1,
    "specificity": outcomes.SPECIFICITY,
    "fpr": outcomes.FALSE_POSITIVE_RATE,
    "npv": outcomes.NEGATIVE_PREDICTIVE_VALUE,
    "predicted_positive_rate": outcomes.PREDICTED_SHARE,
}
"""Rates of one class at a threshold, by the names that the numbers there have."""


class Counted(Protocol):
    """An evaluation with the score counts of every class that has a score, by label code."""

    @property
    def evaluation(self) -> Evaluation:
        """Return the evaluation."""

    @property
    def scores(self) -> Mapping[int, ScoreCounts]:
        """Return the score counts."""


def level_of(view: Mapping[str, Any] | None) -> float:
    """Return the level that a view's parameters name; 95 % where they name none.

    >>> level_of({"ci": "0.9"}), level_of({}), level_of({"ci": "x"})
    (0.9, 0.95, 0.95)
    """
    try:
        found = float((view or {}).get("ci", LEVEL))
    except (TypeError, ValueError):
        return LEVEL
    return found if 0 < found < 1 else LEVEL


def metric_intervals(
    found: Counted, *, level: float = LEVEL, clusters: Clusters | None = None, by_class: bool = True
) -> dict[str, Interval]:
    """Return the interval of every metric that has one.

    Names are those of the numbers; a rate of one class is "recall[refund]", and of the positive class "recall" too; at
    the threshold in use it is "recall_at_threshold".

    clusters : rows that belong together; None = every row stands for itself.
    by_class : whether every class has its intervals, too.
    """
    evaluation = found.evaluation
    result: dict[str, Interval] = {}
    if evaluation.has_predictions:
        cells = joint_cells(evaluation, clusters)
        result |= overall_intervals(cells, level)
        result |= class_intervals(evaluation, cells, level, by_class=by_class)
    if evaluation.y_score is not None:
        result |= _score_intervals(found, level, clusters, by_class)
    if evaluation.positive in evaluation.score_codes and not math.isnan(evaluation.effective_threshold):
        at = threshold_intervals(evaluation, evaluation.positive, evaluation.effective_threshold, level, clusters)
        result |= {f"{name}_at_threshold": one for name, one in at.items()}
    return result


def overall_intervals(cells: Joint, level: float) -> dict[str, Interval]:
    """Return the interval of every metric over all classes."""
    found, filled = {}, {}
    for key, metric in over_joint_counts(cells).items():
        found[key] = interval(metric.statistic(cells), cells, level=level)
        if metric.zero_division:
            undefined = math.isnan(found[key].value)
            zero = interval(metric.statistic(cells, zero=True), cells, level=level) if undefined else found[key]
            filled[key + ZERO] = zero
    return found | filled


def joint_cells(evaluation: Evaluation, clusters: Clusters | None = None) -> Joint:
    """Return the joint counts of one model over the scored rows."""
    codes, kept = None if clusters is None else clusters.codes, evaluation.scored
    if evaluation.task == "multilabel":
        sets = (evaluation.y_true[kept], evaluation.y_pred[kept])
        return label_joint_counts(
            sets[0], [sets[1]], n_space=evaluation.n_space, weights=_weights_of(evaluation, kept),
            cluster=None if codes is None else _dense(codes[kept]),
        )  # fmt: skip
    return joint_counts(
        evaluation.y_true, [evaluation.y_pred], n_labels=len(evaluation.labels), n_space=evaluation.n_space,
        weights=evaluation.weights, cluster=codes,
    )  # fmt: skip


def _weights_of(evaluation: Evaluation, kept: np.ndarray) -> np.ndarray | None:
    return None if evaluation.weights is None else evaluation.weights[kept]


def _dense(codes: np.ndarray) -> np.ndarray:
    return np.unique(codes, return_inverse=True)[1]


def class_intervals(
    evaluation: Evaluation, cells: Joint, level: float, *, by_class: bool = True
) -> dict[str, Interval]:
    """Return precision, recall and F1 of every class, and of the positive class under their plain names."""
    found: dict[str, Interval] = {}
    formulas, positive = class_formulas(evaluation.task), evaluation.positive
    at_once = class_bounds_at_once(cells.totals(), formulas, level) if cells.cluster is None else {}
    codes = range(len(evaluation.labels)) if by_class else () if positive is None else (positive,)
    for code in codes:
        label = evaluation.labels[code]
        of_one = {key: bounds.of(code) for key, bounds in at_once.items()} or _class_intervals(
            cells, formulas, code, level
        )
        found |= {f"{key}[{label}]": one for key, one in of_one.items()}
        if code == positive:
            found = of_one | found
    return found


def class_bounds_at_once(
    counts: CountedOutcomes, formulas: Mapping[str, Formula], level: float
) -> dict[str, ClassBounds]:
    """Return numbers of every class by key, rows being independent: it matters with a thousand classes."""
    return {key: class_bounds(counts, formula, level) for key, formula in formulas.items()}


def _class_intervals(cells: Joint, formulas: Mapping[str, Formula], code: int, level: float) -> dict[str, Interval]:
    own = cells.one_vs_rest(code)
    return {key: interval(of_class(own, formula=formula), own, level=level) for key, formula in formulas.items()}


def threshold_intervals(
    evaluation: Evaluation, code: int, threshold: float, level: float, clusters: Clusters | None = None
) -> dict[str, Interval]:
    """Return the interval of every rate of one class at a threshold of its score; rows without a score are left out."""
    is_true, score = true_and_score(evaluation, code)
    known = ~np.isnan(score)
    cells = joint_counts(
        is_true[known].astype(np.int64), [(score[known] >= threshold).astype(np.int64)], n_labels=2,
        weights=None if evaluation.weights is None else _rows_of(evaluation)[known],
        cluster=None if clusters is None else _dense(clusters.codes[evaluation.scored][known]),
    )  # fmt: skip
    rates = {key: interval(of_class(cells, formula=one), cells, level=level) for key, one in AT_THRESHOLD.items()}
    overall = overall_intervals(cells, level)
    of_both = overall["balanced_accuracy"]  # of two classes: half of Youden's J more than a half
    if len(np.unique(cells.true[cells.rows > 0])) < 2:  # its mean is then over one class only
        of_both = of_both._replace(value=math.nan, low=math.nan, high=math.nan)
    youden = of_both._replace(
        value=2 * of_both.value - 1, low=2 * of_both.low - 1, high=2 * of_both.high - 1, se=2 * of_both.se
    )
    return {
        **rates, **{name: overall[name] for name in ("accuracy", "mcc")},
        "balanced_accuracy": of_both, "youden_j": youden,
    }  # fmt: skip


def _score_intervals(found: Counted, level: float, clusters: Clusters | None, by_class: bool) -> dict[str, Interval]:
    evaluation, result = found.evaluation, {}
    cells = score_cells(evaluation, clusters)
    areas: dict[str, list[Statistic]] = {"roc_auc": [], "average_precision": []}
    support = []
    for code in evaluation.score_codes:
        counts = found.scores[code]
        support.append(float(counts.n_pos))
        for name, one in area_statistics(evaluation, code, counts).items():
            areas[name].append(one)
            if by_class and len(evaluation.score_codes) > 1:
                result[f"{name}[{evaluation.labels[code]}]"] = area_interval(name, one, counts, cells, level)
    if len(evaluation.score_codes) == 1 and evaluation.task == "binary":
        (counts,) = (found.scores[code] for code in evaluation.score_codes)
        result |= {name: area_interval(name, one[0], counts, cells, level) for name, one in areas.items()}
    else:
        result |= macro_areas(areas, support, cells, level)
    return result | loss_intervals(evaluation, cells, level)


def score_cells(evaluation: Evaluation, clusters: Clusters | None = None) -> Cells:
    """Return a cell for every scored row."""
    return Cells(_rows_of(evaluation), None if clusters is None else clusters.codes[evaluation.scored], 0, 0)


def area_statistics(evaluation: Evaluation, code: int, counts: ScoreCounts) -> dict[str, Statistic]:
    """Return ROC AUC and average precision of one label."""
    is_true, score = true_and_score(evaluation, code)
    return {key: metric.statistic(is_true, score, counts) for key, metric in with_influence("score counts").items()}


def loss_intervals(evaluation: Evaluation, cells: Cells, level: float) -> dict[str, Interval]:
    """Return log loss and Brier score, where the scores are probabilities or logits."""
    losses = _losses(evaluation)
    if losses is None:
        return {}
    found = {}
    for key, metric in with_influence("probabilities").items():
        loss = metric.statistic(losses)
        found[key] = interval(loss, cells, level=level)._replace(n=int(cells.rows[loss.influence != 0].sum()))
    return found


def _rows_of(evaluation: Evaluation) -> np.ndarray:
    """Return how many rows each scored line stands for, int64."""
    kept = evaluation.scored
    return np.ones(int(kept.sum()), dtype=np.int64) if evaluation.weights is None else evaluation.weights[kept]


def true_and_score(evaluation: Evaluation, code: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each scored row is of a label, and its score for it."""
    assert evaluation.y_score is not None
    kept = evaluation.scored
    is_true = evaluation.y_true[:, code] if evaluation.task == "multilabel" else evaluation.y_true == code
    return is_true[kept], evaluation.y_score[kept, evaluation.score_codes.index(code)]


def area_interval(name: str, one: Statistic, counts: ScoreCounts, cells: Cells, level: float) -> Interval:
    """Return the interval of an AUC or average precision; DeLong's own where rows are independent."""
    found = interval(one, cells, level=level)._replace(n=counts.n)
    if name == "roc_auc" and cells.cluster is None:
        delong = auc_interval(counts, level=level)
        if not math.isnan(delong.low):
            return found._replace(
                low=delong.low, high=delong.high, se=delong.standard_error, method=delong.method
            )  # fmt: skip
    return found


def macro_areas(
    areas: Mapping[str, list[Statistic]], support: list[float], cells: Cells, level: float
) -> dict[str, Interval]:
    """Return the means over classes of ROC AUC and average precision."""
    return {
        key: interval(metric.statistic(areas, support), cells, level=level)
        for key, metric in with_influence("scores per class").items()
    }


def _losses(evaluation: Evaluation) -> ScoreLoss | None:
    if evaluation.task == "multilabel" or evaluation.scale == "score" or evaluation.y_score is None:
        return None
    if evaluation.task == "binary" and evaluation.positive is not None and len(evaluation.score_codes) == 1:
        is_true, score = true_and_score(evaluation, evaluation.positive)
        weights = None if evaluation.weights is None else _rows_of(evaluation)
        return binary_losses(is_true, score, from_logits=evaluation.scale == "logit", weights=weights)
    kept = evaluation.scored
    return class_losses(evaluation.y_true[kept], evaluation.y_score[kept], evaluation.score_codes)
