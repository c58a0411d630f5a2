"""Measure how long curves, areas and best thresholds of one class take, against scikit-learn in the same run."""

from time import perf_counter

import numpy as np

from tests.benchmarks import subject
from tests.benchmarks.stopwatch import take_turns


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Time each piece, medians in turns; ratios are those of the processor's seconds.

    Made-up probabilities of an overlapping pair of classes, 30 % positive; and the logits they come from, half of them
    negative, which is the slower sort. The results are checked against scikit-learn's before anything is said.
    """
    rng = np.random.default_rng(0)
    y_true = rng.random(rows) < 0.3
    logit = rng.normal(size=rows) + y_true
    probability = 1 / (1 + np.exp(-logit))
    counts, expected = subject.score_counts(y_true, probability), four_calls(y_true, probability)
    for scores in (probability, logit):
        assert np.abs(np.subtract(_curves_and_areas(subject.score_counts(y_true, scores)), expected)).max() < 1e-12
    sklearn, *ours, best = take_turns(
        lambda: four_calls(y_true, probability),
        lambda: everything(y_true, probability),
        lambda: everything(y_true, logit),
        lambda: _curves_and_areas(subject.score_counts(y_true, probability)),
        lambda: subject.best_thresholds(counts),
        rounds=5,
    )
    names = ("curves, areas, best thresholds", "curves, areas, best thresholds of logits", "curves and areas")
    pieces = dict(zip(names, ours, strict=True))
    return {
        "rows": rows,
        "scikit-learn's four calls, seconds": sklearn.wall,
        **{f"{name}, seconds": time.wall for name, time in pieces.items()},
        **{f"{name}: times as fast as scikit-learn": sklearn.cpu / time.cpu for name, time in pieces.items()},
        "best thresholds by four measures, seconds": best.wall,
        "every rate at one threshold, seconds": _look_up_seconds(counts, rng.random(1000).tolist()),
    }


def four_calls(y_true: np.ndarray, y_score: np.ndarray) -> tuple[float, float]:
    from sklearn import metrics

    metrics.roc_curve(y_true, y_score)
    metrics.precision_recall_curve(y_true, y_score)
    return metrics.roc_auc_score(y_true, y_score), metrics.average_precision_score(y_true, y_score)


def _curves_and_areas(counts: subject.ScoreCounts) -> tuple[float, float]:
    subject.roc_curve(counts)
    subject.precision_recall_curve(counts)
    return subject.roc_auc(counts), subject.average_precision(counts)


def everything(y_true: np.ndarray, y_score: np.ndarray) -> tuple[float, float]:
    """Count, draw both curves, compute both areas and the best threshold by four measures."""
    counts = subject.score_counts(y_true, y_score)
    subject.best_thresholds(counts)
    return _curves_and_areas(counts)


def _look_up_seconds(counts: subject.ScoreCounts, thresholds: list[float]) -> float:
    start = perf_counter()
    for threshold in thresholds:
        subject.every_rate_at(counts, threshold)
    return (perf_counter() - start) / len(thresholds)
