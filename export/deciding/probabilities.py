"""Probabilities of every class, for decisions that need them, and whether they can be trusted."""

from __future__ import annotations

import numpy as np

from data.evaluation import Evaluation
from export.measurement import Measurement
from metrics.catalogue.metric import OWN_SCALE
from metrics.findings.calibration import describe_calibration, is_far_from_truth, measure_calibration
from metrics.scores.probabilities import SUM_TOLERANCE, in_unit, sigmoid


def class_probabilities(evaluation: Evaluation) -> np.ndarray | str:
    """Return the probability of every class of the label space in every line, float64 (n, K), or why there is none.

    A line without a score holds NaN.
    """
    if evaluation.task == "multilabel":
        return "a row has several labels"
    if evaluation.y_score is None:
        return "the file has no scores"
    if evaluation.scale == "score":
        return OWN_SCALE
    codes = sorted(evaluation.score_codes)
    if evaluation.task == "binary" and len(codes) == 1:
        score = evaluation.y_score[:, 0]
        positive = sigmoid(score) if evaluation.scale == "logit" else score
        both = np.stack([1 - positive, positive], axis=1)
        probabilities, codes = both if codes == [1] else both[:, ::-1], [0, 1]
    else:
        probabilities = evaluation.y_score[:, np.argsort(evaluation.score_codes)]
    if codes != list(range(evaluation.n_space)):
        return "some class has no score"
    known = probabilities[~np.isnan(probabilities).any(axis=1)]
    if not in_unit(known) or (np.abs(known.sum(axis=1) - 1) > SUM_TOLERANCE).any():
        return "the scores of a row are no probabilities that sum to 1"
    return np.asarray(probabilities)


def describe_distrust(measured: Measurement) -> str:
    """Say that the probabilities are too far from the truth to decide by; "" where they are not."""
    calibration = measure_calibration(measured.evaluation, measured.kept)
    return describe_calibration(calibration)[0] if calibration is not None and is_far_from_truth(calibration) else ""
