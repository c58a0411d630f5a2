"""Every metric of an evaluation with its interval, by the names that its numbers have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from data.comparison.row_groups import Clusters
from data.evaluation import Evaluation
from metrics.confusion.average_numbers import ZERO
from metrics.intervals.class_rates import class_rate_bounds
from metrics.intervals.joint_counts import Cells, Joint, JointCounts, joint_counts, label_joint_counts
from metrics.intervals.metrics_by_name import Compute, baseline_accuracy, overall_metrics, zero_filled
from metrics.intervals.rates import RATES, class_rate
from metrics.intervals.score_statistics import (
    auc_statistic,
    average_precision_statistic,
    binary_losses,
    class_losses,
    mean_of_statistics,
)
from metrics.intervals.statistic import Interval, Statistic, interval, share_of_rows
from metrics.scores.curves import ScoreCounts
from metrics.scores.intervals import auc_interval

LEVEL = 0.95


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
    computed = {name: interval(compute(cells), cells, level=level) for name, compute in metrics_of(cells).items()}
    return computed | _fill_averages(cells, computed, level)


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


def metrics_of(cells: Joint) -> dict[str, Compute]:
    """Return the metrics over all classes, the baseline among them where a row has one label."""
    extra = {"baseline_accuracy": baseline_accuracy} if isinstance(cells, JointCounts) else {}
    return overall_metrics(cells) | extra


def _fill_averages(cells: Joint, computed: Mapping[str, Interval], level: float) -> dict[str, Interval]:
    """Return the averages that count 0/0 as 0: the plain ones again, where these are defined."""
    found = {}
    for name, plain in computed.items():
        if name.startswith(("macro_", "weighted_", "jaccard_macro")):
            undefined = math.isnan(plain.value)
            found[name + ZERO] = interval(zero_filled(name)(cells), cells, level=level) if undefined else plain
    return found


def class_intervals(
    evaluation: Evaluation, cells: Joint, level: float, *, by_class: bool = True
) -> dict[str, Interval]:
    """Return precision, recall and F1 of every class, and of the positive class under their plain names."""
    found: dict[str, Interval] = {}
    # rows that are independent and have one label each: all classes at once, which matters with a thousand of them
    at_once = class_rate_bounds(cells.totals(), level) if cells.cluster is None and not cells.many else None
    for code, label in enumerate(evaluation.labels):
        if not by_class and code != evaluation.positive:
            continue
        of_class = rate_intervals(cells, code, level) if at_once is None else {
            rate: each.of(code) for rate, each in at_once.items()
        }  # fmt: skip
        found |= {f"{which}[{label}]": one for which, one in of_class.items()}
        if code == evaluation.positive:
            found = of_class | found
    return found


def rate_intervals(cells: Joint, code: int, level: float) -> dict[str, Interval]:
    """Return precision, recall and F1 of one class; of a label its accuracy, too."""
    own = cells.one_vs_rest(code)
    statistics: dict[str, Statistic] = {which: class_rate(own, which) for which in RATES}
    if cells.many:
        statistics["accuracy"] = share_of_rows(own, own.right())
    return {which: interval(one, own, level=level) for which, one in statistics.items()}


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
    found: dict[str, Interval] = {name: interval(class_rate(cells, name), cells, level=level) for name in RATES}
    negative, is_pred = cells.true == 0, cells.preds[0] == 1
    shares = {
        "specificity": share_of_rows(cells, ~is_pred, negative),
        "fpr": share_of_rows(cells, is_pred, negative),
        "npv": share_of_rows(cells, negative, ~is_pred),
        "predicted_positive_rate": share_of_rows(cells, is_pred),
    }
    overall = overall_intervals(cells, level)
    of_both = overall["balanced_accuracy"]  # of two classes: half of Youden's J more than a half
    if len(np.unique(cells.true[cells.rows > 0])) < 2:  # its mean is then over one class only
        of_both = of_both._replace(value=math.nan, low=math.nan, high=math.nan)
    youden = of_both._replace(
        **{name: 2 * getattr(of_both, name) - 1 for name in ("value", "low", "high")}, se=2 * of_both.se
    )
    return {
        **found, **{name: interval(one, cells, level=level) for name, one in shares.items()},
        **{name: overall[name] for name in ("accuracy", "mcc")}, "balanced_accuracy": of_both, "youden_j": youden,
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
    return {
        "roc_auc": auc_statistic(is_true, score, counts),
        "average_precision": average_precision_statistic(is_true, score, counts),
    }


def loss_intervals(evaluation: Evaluation, cells: Cells, level: float) -> dict[str, Interval]:
    """Return log loss and Brier score, where the scores are probabilities or logits."""
    return {
        name: interval(one, cells, level=level)._replace(n=int(cells.rows[one.influence != 0].sum()))
        for name, one in _losses(evaluation)
    }


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
    ones = [1.0] * len(support)
    means = {
        "roc_auc_macro": mean_of_statistics(areas["roc_auc"], ones),
        "roc_auc_weighted": mean_of_statistics(areas["roc_auc"], support),
        "average_precision_macro": mean_of_statistics(areas["average_precision"], ones),
    }
    return {name: interval(one, cells, level=level) for name, one in means.items()}


def _losses(evaluation: Evaluation) -> Iterator[tuple[str, Statistic]]:
    if evaluation.task == "multilabel" or evaluation.scale == "score" or evaluation.y_score is None:
        return
    if evaluation.task == "binary" and evaluation.positive is not None and len(evaluation.score_codes) == 1:
        is_true, score = true_and_score(evaluation, evaluation.positive)
        weights = None if evaluation.weights is None else _rows_of(evaluation)
        found = binary_losses(is_true, score, from_logits=evaluation.scale == "logit", weights=weights)
    else:
        kept = evaluation.scored
        found = class_losses(evaluation.y_true[kept], evaluation.y_score[kept], evaluation.score_codes)
    yield from found._asdict().items()
