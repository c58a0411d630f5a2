"""From predictions to the small tables: the one place where rows are counted.

The metrics need arrays, not files: `Predictions` says which arrays. Whatever has these attributes
(a loaded evaluation, a test's stand-in) can be counted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from metrics.catalogue.metric import Metric, Task, why_undefined
from metrics.confusion.counts import ConfusionCounts, confusion_counts
from metrics.confusion.one_vs_rest import one_against_rest
from metrics.intervals.joint_counts import Joint, label_joint_counts
from metrics.multilabel.set_metrics import MultilabelCounts, multilabel_counts
from metrics.multilabel.swaps import Swaps, count_swaps
from metrics.scores.curves import ScoreCounts, score_counts
from metrics.scores.ranking import Ranking, ranking
from metrics.scores.reliability import Reliability, reliability

ReliabilityOf = Callable[..., Reliability]
"""Called with the evaluation, the class (None = the predictions), their counts, and options of `reliability`."""


class Predictions(Protocol):
    """The arrays that the tables are counted from; shapes as in the attributes' comments."""

    @property
    def task(self) -> Task: ...  # "binary", "multiclass" or "multilabel"
    @property
    def labels(self) -> tuple[str, ...]: ...  # K names, the first n_space are the label space
    @property
    def n_space(self) -> int: ...
    @property
    def listed(self) -> tuple[int, ...] | None: ...  # codes known from elsewhere than predictions; None = the space
    @property
    def ranks(self) -> tuple[int, ...]: ...  # place in the order of the labels, of the n_space; () = they have none
    @property
    def paths(self) -> tuple[tuple[int, ...], ...]: ...  # of every label, as in ConfusionCounts; () = no groups
    @property
    def y_true(self) -> np.ndarray: ...  # int (n,) codes; multi-label: bool (n, K)
    @property
    def y_pred(self) -> np.ndarray: ...
    @property
    def scored(self) -> np.ndarray: ...  # bool (n,)
    @property
    def y_score(self) -> np.ndarray | None: ...  # float (n, S)
    @property
    def score_codes(self) -> tuple[int, ...]: ...  # S codes
    @property
    def scale(self) -> str: ...  # "probability", "logit" or "score" (a scale of its own)
    @property
    def positive(self) -> int | None: ...
    @property
    def threshold(self) -> float | None: ...
    @property
    def effective_threshold(self) -> float: ...
    @property
    def has_predictions(self) -> bool: ...  # False: only scores, and no threshold; y_pred says nothing
    @property
    def n_rows(self) -> int: ...
    @property
    def weights(self) -> np.ndarray | None: ...  # int (n,), rows that each line stands for; None = one
    @property
    def n_missing_truth(self) -> int: ...
    @property
    def n_missing_pred(self) -> int: ...


def count_confusions(p: Predictions) -> ConfusionCounts:
    """Return the confusion counts of a single-label task, over the scored rows."""
    if p.task == "multilabel":
        raise ValueError("multi-label tasks have no confusion matrix; count_labels counts them")
    y_true, y_pred, weights = p.y_true, p.y_pred, p.weights
    if not p.scored.all():
        y_true, y_pred, weights = y_true[p.scored], y_pred[p.scored], _scored_weights(p)
    return confusion_counts(
        y_true, y_pred, labels=p.labels, n_space=p.n_space, weights=weights, listed=p.listed, ranks=p.ranks,
        paths=p.paths,
    )  # fmt: skip


def count_scored(p: Predictions) -> int:
    """Return rows that the metrics are over."""
    return int(p.scored.sum() if p.weights is None else p.weights[p.scored].sum())


def count_labels(p: Predictions) -> MultilabelCounts:
    """Count labels and rows of a multi-label task, over the scored rows; over none without predictions."""
    if not p.has_predictions:
        return multilabel_counts(p.y_true[:0], p.y_pred[:0], p.labels, n_space=p.n_space)
    if p.scored.all():
        return multilabel_counts(p.y_true, p.y_pred, p.labels, p.weights, p.n_space)
    return multilabel_counts(p.y_true[p.scored], p.y_pred[p.scored], p.labels, _scored_weights(p), p.n_space)


def _scored_weights(p: Predictions) -> np.ndarray | None:
    return None if p.weights is None else p.weights[p.scored]


def count_label_cells(p: Predictions) -> Joint:
    """Return the label sets of the scored rows as cells."""
    y_true, y_pred = p.y_true[p.scored], p.y_pred[p.scored]
    return label_joint_counts(y_true, [y_pred], n_space=p.n_space, weights=_scored_weights(p))


def count_label_swaps(p: Predictions) -> Swaps:
    """Count which labels of a multi-label task were missed where others were predicted, over the scored rows."""
    kept = p.scored if p.has_predictions else np.zeros_like(p.scored)
    return count_swaps(p.y_true[kept], p.y_pred[kept], None if p.weights is None else p.weights[kept])


def count_scores(p: Predictions, code: int) -> ScoreCounts | None:
    """Return the score counts of one class against the rest, over the scored rows; None if it has no score.

    In a binary task with one score, only the positive class has one.
    """
    if p.y_score is None or code not in p.score_codes:
        return None
    is_true = p.y_true[:, code] if p.task == "multilabel" else p.y_true == code
    score = p.y_score[:, p.score_codes.index(code)]
    if p.scored.all():
        return score_counts(is_true, score, p.weights)
    return score_counts(is_true[p.scored], score[p.scored], _scored_weights(p))


def rank_classes(p: Predictions) -> Ranking:
    """Return how well the scores tell every class that has some from the rest, without intervals."""
    return ranking((count_scores(p, code) for code in p.score_codes), level=None)


def _count_class(p: Predictions, code: int | None) -> ScoreCounts | None:
    return None if code is None else count_scores(p, code)


class Counters(NamedTuple):
    """Name the functions that count the tables; whoever keeps them hands over what it has kept.

    label_cells : of a multi-label task, what the interval of a mean over labels is from.
    confidence : "the prediction is right" against the confidence in it; None where nobody looks at single rows.
    weighted : the scores of a class by the weights of rows; with None for its code, those of the predictions.
    reliability : weighted scores in bins. ranking : how well scores tell every class from the rest.
    """

    confusions: Callable[[Any], ConfusionCounts] = count_confusions
    labels: Callable[[Any], MultilabelCounts] = count_labels
    label_cells: Callable[[Any], Joint] = count_label_cells
    scores: Callable[[Any, int], ScoreCounts | None] = count_scores
    confidence: Callable[[Any], ScoreCounts | None] = lambda p: None
    weighted: Callable[[Any, int | None], ScoreCounts | None] = _count_class
    reliability: ReliabilityOf = lambda p, code, counts, **options: reliability(counts, **options)
    ranking: Callable[[Any], Ranking] = rank_classes


FROM_ROWS = Counters()


def arguments(
    p: Predictions, metric: Metric, code: int, count: Counters = FROM_ROWS
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Return what a metric's function takes from an evaluation, by position and by name; None if it lacks that.

    code : the label of a one-class metric.

    >>> from types import SimpleNamespace
    >>> from metrics.catalogue.registry import REGISTRY
    >>> truth, said = np.array([0, 1]), np.array([0, 0])
    >>> p = SimpleNamespace(
    ...     task="binary", labels=("a", "b"), n_space=2, listed=None, ranks=(), paths=(), y_true=truth, y_pred=said,
    ...     weights=None, scored=np.array([True, True]),
    ... )
    >>> recall = REGISTRY["binary", "recall"]
    >>> by_position, by_name = arguments(p, recall, 1)
    >>> recall.function(*by_position, **by_name)
    0.0
    """
    if p.task not in metric.tasks or not metric.fits_labels(p.ranks, p.paths):
        return None
    if metric.eats in ("confusion counts", "multi-label counts", "confusion counts, one class"):
        counts = count.labels(p) if p.task == "multilabel" else count.confusions(p)
        return (one_against_rest(counts, code) if metric.eats == "confusion counts, one class" else counts,), {}
    if p.y_score is None or len(p.score_codes) < metric.min_classes:
        return None
    if metric.eats == "score counts":
        scores = count.scores(p, code)
        return None if scores is None else ((scores,), {})
    if metric.eats == "scores per class":
        return (count.ranking(p),), {}
    if metric.eats == "calibration":
        whose = code if p.task == "binary" else None
        scores = count.weighted(p, whose)
        if scores is None or p.scale == "score":
            return None
        return (scores,), {"from_logits": p.scale == "logit", "bin_scores": partial(count.reliability, p, whose)}
    y_true, y_score = p.y_true[p.scored], p.y_score[p.scored]
    if why_undefined(p, metric.eats):
        y_score = np.full_like(y_score, np.nan)  # no row has a probability
    weights = _scored_weights(p)
    if p.task == "binary":
        return (y_true == p.positive, y_score[:, 0]), {"from_logits": p.scale == "logit", "weights": weights}
    of_rows = {} if weights is None else {"weights": weights}
    return (y_true, y_score), {"score_codes": p.score_codes, **of_rows}
