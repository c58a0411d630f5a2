"""Measure a difference of two models with its interval, once joined, and the join of text ids, beside a plain count."""

from time import perf_counter

import numpy as np
import pyarrow as pa

from data.building.build import build
from data.comparison.aligned_runs import align_runs
from data.evaluation import Evaluation, Settings
from metrics.comparison.comparison import Comparison
from metrics.comparison.runs import Runs
from metrics.intervals.joint_counts import joint_counts
from tests.benchmarks.stopwatch import fastest

CLASSES, MODELS = 77, 10


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Time the count of a pair, its slowest difference, and a join."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, CLASSES, rows).astype(np.int32)
    preds = tuple(
        np.where(rng.random(rows) < 0.75 + model / 100, truth, rng.integers(0, CLASSES, rows)).astype(np.int32)
        for model in range(MODELS)
    )
    labels, names = tuple(f"class {code}" for code in range(CLASSES)), tuple(f"m{model}" for model in range(MODELS))
    count_s, _ = fastest(lambda: joint_counts(truth, preds[:2], n_labels=CLASSES), times=3)
    found = Comparison(Runs(names, labels, CLASSES, "multiclass", truth, preds))
    found.cells(0, 1)
    seconds = {}
    for name in (*found.overall_names, "recall[class 3]", "f1[class 3]"):
        began = perf_counter()
        found.difference(name, 0, 1)
        seconds[name] = perf_counter() - began
    runs = [_evaluation(rng.permutation(rows), truth, pred, labels) for pred in preds[:2]]
    texts = [run.rows.column("id") for run in runs]
    encode_s, _ = fastest(lambda: pa.chunked_array([*texts[0].chunks, *texts[1].chunks]).dictionary_encode(), times=2)
    join_s, aligned = fastest(lambda: align_runs(runs, ["a", "b"], key="id"), times=2)
    assert aligned.rows.joined == rows
    slowest_s = max(seconds.values())
    return {
        "rows": rows,
        "count two models' predictions of 77 classes, seconds": count_s,
        "slowest difference of all metrics with its interval, seconds": slowest_s,
        "slowest difference of all metrics with its interval: times as long as the count": slowest_s / count_s,
        "join of two files by text ids, seconds": join_s,
        "join of two files by text ids: times as long as encoding the ids": join_s / encode_s,
    }


def _evaluation(order: np.ndarray, truth: np.ndarray, pred: np.ndarray, labels: tuple[str, ...]) -> Evaluation:
    """Build a file of text ids in an order of its own."""
    texts = pa.array(labels)
    columns = {
        "id": pa.array([f"row-{place:07d}" for place in order.tolist()]),
        "y": texts.take(pa.array(truth[order])),
        "p": texts.take(pa.array(pred[order])),
    }
    return build(pa.table(columns), Settings(truth="y", pred="p", id="id"), name="m", content_sha256="m")
