"""The rows of an evaluation as what the influences of metrics take: cells, and scores beside the truth."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from data.comparison.row_groups import Clusters
from data.evaluation import Evaluation
from metrics.intervals.joint_counts import Cells, Joint, JointCounts, Weighing, joint_counts, label_joint_counts
from metrics.scores.probabilities import Probabilities, read_probabilities
from metrics.thresholds.cross_validation import RowWeights


class Lines(NamedTuple):
    """Hold what lines of an evaluation count; None = every line is one row, stands for itself, or has no weight.

    weights : int64 (n,), the rows of each, or its weight in units. cluster : int (n,). weighing : what weights add.
    """

    weights: np.ndarray | None
    cluster: np.ndarray | None
    weighing: Weighing | None

    def of(self, chosen: np.ndarray) -> Lines:
        """Return the same of some of the lines, bool (n,) or places; clusters are numbered as before."""
        return Lines(
            None if self.weights is None else self.weights[chosen],
            None if self.cluster is None else self.cluster[chosen],
            None if self.weighing is None else self.weighing.of(chosen),
        )

    @property
    def dense_cluster(self) -> np.ndarray | None:
        """Return the clusters numbered from 0 without gaps."""
        return None if self.cluster is None else np.unique(self.cluster, return_inverse=True)[1]


def count_lines(evaluation: Evaluation, clusters: Clusters | None) -> Lines:
    """Return what every line of an evaluation counts, scored or not."""
    return Lines(line_weights(evaluation), None if clusters is None else clusters.codes, weigh_lines(evaluation))


def joint_cells(evaluation: Evaluation, clusters: Clusters | None) -> Joint:
    """Return the joint counts of one model over the scored rows."""
    lines = count_lines(evaluation, clusters)
    if evaluation.task == "multilabel":
        kept = evaluation.scored
        lines = lines.of(kept)
        return label_joint_counts(
            evaluation.y_true[kept], [evaluation.y_pred[kept]], n_space=evaluation.n_space,
            weights=lines.weights, cluster=lines.cluster, weighing=lines.weighing,
        )  # fmt: skip
    return joint_counts(
        evaluation.y_true, [evaluation.y_pred], n_labels=len(evaluation.labels), n_space=evaluation.n_space,
        weights=lines.weights, cluster=lines.cluster, ranks=evaluation.ranks, paths=evaluation.paths,
        weighing=lines.weighing,
    )  # fmt: skip


def score_cells(evaluation: Evaluation, clusters: Clusters | None) -> Cells:
    """Return a cell for every scored row."""
    lines = count_lines(evaluation, clusters).of(evaluation.scored)
    rows = np.ones(int(evaluation.scored.sum()), dtype=np.int64) if lines.weights is None else lines.weights
    return Cells(rows, lines.cluster, 0, 0, weighing=lines.weighing)


def threshold_cells(
    evaluation: Evaluation, code: int, threshold: float, clusters: Clusters | None, *, below: float = math.inf
) -> JointCounts:
    """Return cells of one class, 1, and the rest, predicted as score >= threshold; rows without a score are left
    out.

    below : rows with so high a score are not predicted, either; inf = none.
    """
    return cut_cells(evaluation, *true_and_score(evaluation, code), threshold, clusters, below=below)


def cut_cells(
    evaluation: Evaluation, is_true: np.ndarray, score: np.ndarray, threshold: float, clusters: Clusters | None, *,
    below: float = math.inf,
) -> JointCounts:  # fmt: skip
    """Return the same of whatever is true of the scored rows, and of another score."""
    known = ~np.isnan(score)
    predicted = (score >= threshold) & (score < below)
    lines = count_lines(evaluation, clusters).of(evaluation.scored).of(known)
    return joint_counts(
        is_true[known].astype(np.int64), [predicted[known].astype(np.int64)], n_labels=2,
        weights=lines.weights, cluster=lines.dense_cluster, weighing=lines.weighing,
    )  # fmt: skip


def true_and_score(evaluation: Evaluation, code: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each scored row is of a label, and its score for it."""
    assert evaluation.y_score is not None
    kept = evaluation.scored
    is_true = evaluation.y_true[:, code] if evaluation.task == "multilabel" else evaluation.y_true == code
    return is_true[kept], evaluation.y_score[kept, evaluation.score_codes.index(code)]


def has_losses(evaluation: Evaluation) -> bool:
    """Return whether the scores are probabilities, or logits, of one label a row."""
    return evaluation.task != "multilabel" and evaluation.scale != "score" and evaluation.y_score is not None


def row_weights(evaluation: Evaluation, code: int) -> RowWeights | None:
    """Return the weight of every row with a score of a label, the highest first; None where rows have none."""
    if evaluation.units is None:
        return None
    is_true, score = true_and_score(evaluation, code)
    rows, units = evaluation.rows_per_line[evaluation.scored], evaluation.units[evaluation.scored]
    lines = np.flatnonzero(~np.isnan(score) & (units > 0))
    lines = lines[np.argsort(-score[lines], kind="stable")]
    each = np.repeat(units[lines] // rows[lines], rows[lines])
    is_true = np.repeat(is_true[lines], rows[lines])
    return RowWeights(each[is_true], each[~is_true], evaluation.unit)


def probabilities_of(evaluation: Evaluation) -> Probabilities | None:
    """Return the probabilities of the scored rows; None where the scores are none."""
    if not has_losses(evaluation) or evaluation.y_score is None:
        return None
    kept, codes, positive = evaluation.scored, evaluation.score_codes, evaluation.positive
    is_one = len(codes) == 1 and positive is not None
    y_true = evaluation.y_true[kept] == positive if is_one else evaluation.y_true[kept]
    return read_probabilities(
        y_true, evaluation.y_score[kept], score_codes=codes, from_logits=evaluation.scale == "logit",
        weights=weights_of(evaluation),
    )  # fmt: skip


def weigh_lines(evaluation: Evaluation) -> Weighing | None:
    """Return what the weights of rows add to every line; None where rows have none."""
    if evaluation.units is None:
        return None
    return Weighing.of_units(evaluation.units, evaluation.rows_per_line * evaluation.has_weight)


def line_weights(evaluation: Evaluation) -> np.ndarray | None:
    """Return the rows, or the units of weight, of every line, int64; None where each is one row."""
    return evaluation.weights if evaluation.units is None else evaluation.units


def weights_of(evaluation: Evaluation) -> np.ndarray | None:
    """Return the rows, or the units of weight, of every scored line, int64; None where each is one row."""
    weights = line_weights(evaluation)
    return None if weights is None else weights[evaluation.scored]
