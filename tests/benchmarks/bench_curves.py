"""Measure how long curves, areas and threshold metrics of one class take, against scikit-learn in the same run.

Run with: python -m tests.benchmarks.bench_curves [rows]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from metrics.scores.curves import (
    ScoreCounts,
    average_precision,
    precision_recall_curve,
    roc_auc,
    roc_curve,
    score_counts,
)
from metrics.thresholds.threshold_metrics import best_thresholds, rates, rates_at
from tests.benchmarks.stopwatch import fastest


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Seconds of each piece (`*_s`, best of several) and the ratios to scikit-learn's four calls (`*_ratio`).

    Made-up probabilities of an overlapping pair of classes, 30 % positive, and the logits they come from (half of
    them negative, which is the slower sort). The results are checked against scikit-learn's before anything is said.
    """
    rng = np.random.default_rng(0)
    y_true = rng.random(rows) < 0.3
    logit = rng.normal(size=rows) + y_true
    probability = 1 / (1 + np.exp(-logit))
    sklearn_s, expected = fastest(lambda: four_calls(y_true, probability), times=2)
    everything_s, found = fastest(lambda: everything(y_true, probability), times=5)
    logits_s, also = fastest(lambda: everything(y_true, logit), times=5)
    areas_s, _ = fastest(lambda: _curves_and_areas(score_counts(y_true, probability)), times=5)
    for auc, ap in (found, also):
        assert abs(auc - expected[0]) < 1e-12 and abs(ap - expected[1]) < 1e-12
    counts = score_counts(y_true, probability)
    best_s, _ = fastest(lambda: best_thresholds(counts), times=5)
    return {
        "rows": rows,
        "sklearn_four_calls_s": sklearn_s,
        "everything_s": everything_s,
        "everything_ratio": sklearn_s / everything_s,
        "everything_of_logits_s": logits_s,
        "everything_of_logits_ratio": sklearn_s / logits_s,
        "curves_and_areas_s": areas_s,
        "curves_and_areas_ratio": sklearn_s / areas_s,
        "best_thresholds_s": best_s,
        "threshold_look_up_s": _look_up_seconds(counts, rng.random(1000).tolist()),
    }


def four_calls(y_true: np.ndarray, y_score: np.ndarray) -> tuple[float, float]:
    from sklearn import metrics

    metrics.roc_curve(y_true, y_score)
    metrics.precision_recall_curve(y_true, y_score)
    return metrics.roc_auc_score(y_true, y_score), metrics.average_precision_score(y_true, y_score)


def _curves_and_areas(counts: ScoreCounts) -> tuple[float, float]:
    roc_curve(counts)
    precision_recall_curve(counts)
    return roc_auc(counts), average_precision(counts)


def everything(y_true: np.ndarray, y_score: np.ndarray) -> tuple[float, float]:
    counts = score_counts(y_true, y_score)
    rates(counts)
    return _curves_and_areas(counts)


def _look_up_seconds(counts: ScoreCounts, thresholds: list[float]) -> float:
    start = perf_counter()
    for threshold in thresholds:
        rates_at(counts, threshold)
    return (perf_counter() - start) / len(thresholds)


def main() -> None:
    """Print the table."""
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    print(f"{found['rows']:,} rows, one class; scikit-learn's four calls: {found['sklearn_four_calls_s'] * 1e3:.0f} ms")
    for key, what in (
        ("everything", "all curves + AUC + AP + threshold metrics"),
        ("everything_of_logits", "the same from logits of both signs"),
        ("curves_and_areas", "curves + AUC + AP only"),
    ):
        print(f"  {what}: {found[key + '_ratio']:.0f}x sklearn's four calls ({found[key + '_s'] * 1e3:.1f} ms)")
    print(f"  best thresholds over all distinct scores: {found['best_thresholds_s'] * 1e3:.1f} ms")
    print(f"  one threshold look-up, every rate: {found['threshold_look_up_s'] * 1e3:.4f} ms")


if __name__ == "__main__":
    main()
