"""Measure the same work by other tools, side by side in one run: what `make bench-peers` does, in minutes.

It runs in an environment of its own (requirements-peers.txt). Whatever is not installed there is named and left out.
A size that a tool would need more than two minutes for, judged by the size before it, is not waited for.
"""

import contextlib
import gc
import importlib.util
import io
import platform
import statistics
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tests.benchmarks import bench_curves, bench_report, subject
from tests.benchmarks.stopwatch import cpu_seconds

LONGEST = 120.0  # seconds of the processor that a tool is waited for
TURNS = 5
NAMES = {"scikit-learn": "sklearn"}


class Peer(NamedTuple):
    """One way to do the work: its name, the package that it needs, and the function of true and given values."""

    name: str
    package: str
    work: Callable[[np.ndarray, np.ndarray], object]


def blindspot_labels(y_true: np.ndarray, y_pred: np.ndarray) -> object:
    """Compute every metric of labels, from the labels themselves."""
    true, pred, names = bench_report.encode(y_true, y_pred)
    return bench_report.every_metric(subject.confusion_counts(true, pred, labels=names))


def pandas_labels(y_true: np.ndarray, y_pred: np.ndarray) -> object:
    """Cross-tabulate, and divide by the sums."""
    table = pd.crosstab(y_true, y_pred)
    table = table.reindex(
        index=table.index.union(table.columns), columns=table.index.union(table.columns), fill_value=0
    )
    right = pd.Series(np.diag(table), table.index)
    precision, recall = right / table.sum(), right / table.sum(axis=1)
    return table, precision, recall, 2 * precision * recall / (precision + recall)


def pycm_labels(y_true: np.ndarray, y_pred: np.ndarray) -> object:
    """Make PyCM's matrix, which computes all its statistics."""
    from pycm import ConfusionMatrix

    return ConfusionMatrix(y_true, y_pred)


def torchmetrics_labels(y_true: np.ndarray, y_pred: np.ndarray) -> object:
    """Encode as we do, then matrix, precision, recall and F1 of each class."""
    import torch
    from torchmetrics.functional import classification

    *codes, names = bench_report.encode(y_true, y_pred)
    true, pred = (torch.from_numpy(column.astype(np.int64)) for column in codes)
    rates = ("multiclass_precision", "multiclass_recall", "multiclass_f1_score")
    matrix = classification.multiclass_confusion_matrix(pred, true, len(names))
    return matrix, [getattr(classification, rate)(pred, true, len(names), average=None) for rate in rates]


def evidently_labels(y_true: np.ndarray, y_pred: np.ndarray) -> object:
    """Run Evidently's preset for classifiers."""
    from evidently import BinaryClassification, DataDefinition, Dataset, MulticlassClassification, Report
    from evidently.presets import ClassificationPreset

    names = pd.unique(y_true)
    columns = {"target": "target", "prediction_labels": "prediction"}
    two = len(names) == 2
    task = BinaryClassification(**columns, pos_label=names[0]) if two else MulticlassClassification(**columns)
    frame = pd.DataFrame({"target": y_true, "prediction": y_pred})
    rows = Dataset.from_pandas(frame, data_definition=DataDefinition(classification=[task]))
    return Report([ClassificationPreset()]).run(rows, None).dict()


def skore_labels(y_true: np.ndarray, y_pred: np.ndarray) -> object:
    """Ask skore's report of an estimator that gives these predictions."""
    from skore import EstimatorReport

    codes, names = pd.factorize(y_pred)
    report = EstimatorReport(_known(names), X_test=codes.reshape(-1, 1), y_test=y_true)
    rates = report.metrics
    return rates.accuracy(), rates.precision(), rates.recall(), rates.confusion_matrix()


def _known(names: np.ndarray) -> Any:
    """Return an estimator whose input is the code of what it predicts."""
    from sklearn.base import BaseEstimator, ClassifierMixin

    class Known(ClassifierMixin, BaseEstimator):
        def fit(self, X: object, y: object = None) -> Any:
            return self

        def __sklearn_is_fitted__(self) -> bool:
            return True

        def predict(self, X: np.ndarray) -> np.ndarray:
            return self.classes_[np.asarray(X)[:, 0]]

    known = Known()
    known.classes_ = np.asarray(names)
    return known


def duckdb_labels(y_true: np.ndarray, y_pred: np.ndarray) -> object:
    """Count by hand with DuckDB: the matrix alone, as triples."""
    import duckdb

    rows = pd.DataFrame({"y_true": y_true, "y_pred": y_pred})
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.register("rows", rows)
        return connection.sql("SELECT y_true, y_pred, count(*) FROM rows GROUP BY ALL").fetchall()


def torchmetrics_scores(y_true: np.ndarray, y_score: np.ndarray) -> object:
    """Compute both curves and both areas, exactly."""
    import torch
    from torchmetrics.functional import classification

    true, score = torch.from_numpy(y_true.astype(np.int64)), torch.from_numpy(y_score)
    names = ("binary_roc", "binary_precision_recall_curve", "binary_auroc", "binary_average_precision")
    return [getattr(classification, name)(score, true) for name in names]


def explainerdashboard_scores(y_true: np.ndarray, y_score: np.ndarray) -> object:
    """Ask explainerdashboard for its metrics, matrix and curves."""
    from explainerdashboard.explainers import ClassifierExplainer

    known = _known(np.array([0, 1]))
    known.__class__.predict_proba = lambda self, x: np.stack([1 - np.asarray(x)[:, 0], np.asarray(x)[:, 0]], axis=1)
    known.__class__.predict = lambda self, x: (np.asarray(x)[:, 0] >= 0.5).astype(int)
    frame, truth = pd.DataFrame({"score": y_score}), pd.Series(y_true.astype(int))
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
        asked = ClassifierExplainer(known, frame, truth)
    return asked.metrics(), asked.confusion_matrix(), asked.roc_auc_curve(), asked.pr_auc_curve()


LABELS = (
    Peer("Blindspot", "numpy", blindspot_labels),
    Peer("scikit-learn", "sklearn", bench_report.scikit_learn),
    Peer("pandas", "pandas", pandas_labels),
    Peer("DuckDB by hand", "duckdb", duckdb_labels),
    Peer("torchmetrics", "torchmetrics", torchmetrics_labels),
    Peer("PyCM", "pycm", pycm_labels),
    Peer("skore", "skore", skore_labels),
    Peer("Evidently", "evidently", evidently_labels),
)
SCORES = (
    Peer("Blindspot", "numpy", bench_curves.everything),
    Peer("scikit-learn", "sklearn", bench_curves.four_calls),
    Peer("torchmetrics", "torchmetrics", torchmetrics_scores),
    Peer("explainerdashboard", "explainerdashboard", explainerdashboard_scores),
)


def labels(rows: int, classes: int, *, strings: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return true and predicted labels, strings or whole numbers."""
    found = bench_report.make_labels(rows, classes)
    if strings:
        return found
    true, pred = (pd.factorize(column, sort=True)[0] for column in found)
    return true, pred


def scores(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the truth of a binary task and different scores."""
    rng = np.random.default_rng(0)
    score = rng.beta(1.2, 4, rows)
    return rng.random(rows) < score, score


def interleaved(peers: tuple[Peer, ...], values: tuple[np.ndarray, np.ndarray]) -> dict[str, list[float] | str]:
    """Measure the processor's seconds of each, in several turns after a small first one; or say why not."""
    found: dict[str, list[float] | str] = {}
    tiny = tuple(column[:2_000] for column in values)
    for peer in peers:
        try:
            peer.work(*tiny)
            found[peer.name] = []
        except Exception as error:  # whatever it raises belongs into the table
            found[peer.name] = f"failed: {type(error).__name__}"
    for turn in range(TURNS):
        for peer in peers:
            seconds = found[peer.name]
            if isinstance(seconds, str) or (turn and sum(seconds) > LONGEST / 2):
                continue
            gc.collect()
            start = cpu_seconds()
            peer.work(*values)
            seconds.append(cpu_seconds() - start)
    return found


def measure(what: str, sizes: list[int], peers: tuple[Peer, ...],
          make: Callable[[int], tuple[np.ndarray, np.ndarray]]) -> None:  # fmt: skip
    """Print the lines of the table for one kind of work at growing sizes."""
    waited = {peer.name: 0.0 for peer in peers}
    for rows, before in zip(sizes, [sizes[0], *sizes], strict=False):
        print(f"measuring {what}, {rows:,} rows …", file=sys.stderr, flush=True)
        chosen = tuple(peer for peer in peers if waited[peer.name] * rows / before < LONGEST)
        found = interleaved(chosen, make(rows))
        ours = statistics.median(map(float, found["Blindspot"]))
        for peer in peers:
            seconds = found.get(peer.name, f"not waited for, {waited[peer.name]:.1f} s at {before:,} rows")
            head = f"| {what} | {rows:,} | {peer.name} |"
            if isinstance(seconds, str):
                print(f"{head} {seconds} | | |", flush=True)
                waited[peer.name] = waited[peer.name] if "waited" in seconds else np.inf
                continue
            median = statistics.median(seconds)
            waited[peer.name] = median
            spread = f"{min(seconds):.3g} to {max(seconds):.3g}" if len(seconds) > 1 else "once"
            print(f"{head} {median:.3g} s | {spread} | {median / ours:.3g} |", flush=True)


def main() -> None:
    """Measure everything that is installed, and print one table, line by line."""
    warnings.filterwarnings("ignore")
    missing = {peer.name for peer in (*LABELS, *SCORES) if importlib.util.find_spec(peer.package) is None}
    by_labels, by_scores = (tuple(peer for peer in peers if peer.name not in missing) for peers in (LABELS, SCORES))
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    sizes = [rows for rows in (10_000, 1_000_000, 10_000_000) if rows <= most]
    installed = [NAMES.get(peer.name, peer.package) for peer in (*LABELS, *SCORES) if peer.name not in missing]
    packages = dict.fromkeys("scikit-learn" if name == "sklearn" else name for name in installed)
    print(f"Python {platform.python_version()}, {', '.join(f'{name} {version(name)}' for name in packages)}")
    print(f"Not installed: {', '.join(sorted(missing)) or 'nothing'}\n")
    print(
        "| work | rows | tool | median | spread (s) | times as long |\n| --- | ---: | --- | ---: | --- | ---: |",
        flush=True,
    )
    for classes in (2, 77, 1_000):
        measure(f"{classes:,} classes, strings", sizes, by_labels, partial(labels, classes=classes, strings=True))
    measure("77 classes, integers", sizes, by_labels, lambda n: labels(n, 77, strings=False))
    measure("scores of two classes", sizes, by_scores, scores)


if __name__ == "__main__":
    main()
