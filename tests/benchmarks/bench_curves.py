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
from tests.benchmarks.stopwatch import take_turns


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Seconds of each piece (`*_s`, medians in turns) and the ratios to scikit-learn's four calls (`*_ratio`).

    Ratios are those of the processor's seconds. Made-up probabilities of an overlapping pair of classes, 30 %
    positive; and the logits they come from, half of them negative, which is the slower sort. The results are checked
    against scikit-learn's before anything is said.
    """
    rng = np.random.default_rng(0)
    y_true = rng.random(rows) < 0.3
    logit = rng.normal(size=rows) + y_true
    probability = 1 / (1 + np.exp(-logit))
    counts, expected = score_counts(y_true, probability), four_calls(y_true, probability)
    for scores in (probability, logit):
        assert np.abs(np.subtract(_curves_and_areas(score_counts(y_true, scores)), expected)).max() < 1e-12
    sklearn, *ours, best = take_turns(
        lambda: four_calls(y_true, probability),
        lambda: everything(y_true, probability),
        lambda: everything(y_true, logit),
        lambda: every_column(y_true, probability),
        lambda: _curves_and_areas(score_counts(y_true, probability)),
        lambda: best_thresholds(counts),
        rounds=5,
    )
    pieces = dict(zip(("everything", "everything_of_logits", "every_column", "curves_and_areas"), ours, strict=True))
    return {
        "rows": rows,
        "sklearn_four_calls_s": sklearn.wall,
        **{f"{name}_s": time.wall for name, time in pieces.items()},
        **{f"{name}_ratio": sklearn.cpu / time.cpu for name, time in pieces.items()},
        "best_thresholds_s": best.wall,
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
    """Count, draw both curves, compute both areas and the best threshold by four measures."""
    counts = score_counts(y_true, y_score)
    best_thresholds(counts)
    return _curves_and_areas(counts)


def every_column(y_true: np.ndarray, y_score: np.ndarray) -> tuple[float, float]:
    """Compute the same and all 13 columns of counts and rates at every distinct score, which no page needs at once."""
    counts = score_counts(y_true, y_score)
    for _, block in rates(counts).blocks():
        block.to_dict()
    best_thresholds(counts)
    return _curves_and_areas(counts)


def _look_up_seconds(counts: ScoreCounts, thresholds: list[float]) -> float:
    start = perf_counter()
    for threshold in thresholds:
        rates_at(counts, threshold).to_dict()
    return (perf_counter() - start) / len(thresholds)


def main() -> None:
    """Print the table."""
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    print(f"{found['rows']:,} rows, one class; scikit-learn's four calls: {found['sklearn_four_calls_s'] * 1e3:.0f} ms")
    for key, what in (
        ("everything", "all curves + AUC + AP + best thresholds"),
        ("everything_of_logits", "the same from logits of both signs"),
        ("every_column", "the same + 13 columns at every threshold"),
        ("curves_and_areas", "curves + AUC + AP only"),
    ):
        print(f"  {what}: {found[key + '_ratio']:.0f}x sklearn's four calls ({found[key + '_s'] * 1e3:.1f} ms)")
    print(f"  best thresholds over all distinct scores: {found['best_thresholds_s'] * 1e3:.1f} ms")
    print(f"  one threshold look-up, every rate: {found['threshold_look_up_s'] * 1e3:.4f} ms")


if __name__ == "__main__":
    main()
