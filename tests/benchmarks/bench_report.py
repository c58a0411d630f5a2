"""Measure how long the full report on hard labels takes, against scikit-learn on the same strings in the same run.

Run with: python tests/benchmarks/bench_report.py [--rows 1000000] [--classes 77] [--strings own|shared|pandas]
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # so that the file can be run by its path, too

from tests.benchmarks import subject
from tests.benchmarks.run import table
from tests.benchmarks.stopwatch import take_turns


def measure(rows: int = 1_000_000, classes: int = 77, strings: str = "own") -> dict[str, float]:
    """Time each step; ratios are those of the processor's seconds.

    The labels are strings in two columns: a Python object a row ("own"); an object a class in arrays of objects
    ("shared"); or series of pandas' own strings ("pandas"), which Arrow holds since pandas 3. scikit-learn makes its
    classification report and confusion matrix of them. We encode them (a string is looked at once, and never again),
    count the codes, and compute every metric there is on confusion counts. The numbers are compared before anything
    is said.
    """
    y_true, y_pred = (_AS[strings](column) for column in make_labels(rows, classes))
    true, pred, names = encode(y_true, y_pred)
    # A fresh table every time: its sums are remembered once they are computed.
    tables = [subject.confusion_counts(true, pred, labels=names) for _ in range(10)]
    expected: list[tuple[dict, np.ndarray]] = []
    (sklearn,) = take_turns(lambda: expected.append(scikit_learn(y_true, y_pred)), rounds=1)
    _check(every_metric(tables.pop()), expected[0], names)
    encoded, counted, computed = take_turns(
        lambda: encode(y_true, y_pred),
        lambda: subject.confusion_counts(true, pred, labels=names),
        lambda: every_metric(tables.pop()),
        rounds=9,
    )
    from_codes = counted.cpu + computed.cpu
    return {
        "rows": rows,
        "scikit-learn's report and matrix of strings, seconds": sklearn.wall,
        "encode both columns of strings, seconds": encoded.wall,
        "count, seconds": counted.wall,
        "every metric of the counts, seconds": computed.wall,
        "strings to every metric: times as fast as scikit-learn": sklearn.cpu / (encoded.cpu + from_codes),
        "codes to every metric: times as fast as scikit-learn": sklearn.cpu / from_codes,
    }


_AS: dict[str, Callable[[np.ndarray], Any]] = {
    "own": lambda column: column,
    "shared": lambda column: np.array([sys.intern(label) for label in column], object),
    "pandas": lambda column: pd.Series(column, dtype="str"),
}


def make_labels(rows: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Seven of ten rows right; class sizes differ; every row has a string of its own, as a file gives them."""
    random = np.random.default_rng(0)
    share = random.dirichlet(np.full(classes, 2.0))
    true = random.choice(classes, rows, p=share)
    pred = np.where(random.random(rows) < 0.7, true, random.integers(0, classes, rows))
    first, second = (np.array([f"intent number {code}" for code in codes.tolist()], object) for codes in (true, pred))
    return first, second


def scikit_learn(y_true: np.ndarray, y_pred: np.ndarray) -> tuple[dict, np.ndarray]:
    from sklearn.metrics import classification_report, confusion_matrix

    report = classification_report(y_true, y_pred, output_dict=True, zero_division=0)
    return report, confusion_matrix(y_true, y_pred)


def encode(y_true: np.ndarray, y_pred: np.ndarray) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Codes into the sorted labels of both sides."""
    codes, seen = zip(*(pd.factorize(column) for column in (y_true, y_pred)), strict=True)
    names = np.unique(np.concatenate(seen))
    true, pred = (
        np.searchsorted(names, found).astype(np.int32)[column] for column, found in zip(codes, seen, strict=True)
    )
    return true, pred, tuple(names)


def every_metric(counts: subject.ConfusionCounts) -> tuple[Any, dict[str, float], np.ndarray]:
    """The table of classes, every single number, and the lists."""
    every = dict.fromkeys(subject.REGISTRY.values())  # a row has several names
    single = {metric.title: metric.function(counts) for metric in every if metric.eats == "confusion counts"}
    subject.class_balance(counts)
    subject.macro_gap(counts)
    for which in (
        subject.worst_confusions.never_predicted,
        subject.worst_confusions.absent,
        subject.worst_confusions.outside_label_space,
        subject.worst_confusions.favourites,
    ):
        which(counts)
    subject.worst_confusions.confusions(counts, limit=20)
    return subject.per_class(counts), single, counts.matrix()


def _check(
    found: tuple[Any, dict[str, float], np.ndarray], expected: tuple[dict, np.ndarray], names: tuple[str, ...]
) -> None:
    per, single, matrix = found
    report, sklearn_matrix = expected
    assert (matrix[:, :-1] == sklearn_matrix).all()
    for rate, oracle in ((per.precision, "precision"), (per.recall, "recall"), (per.f1, "f1-score")):
        # Where a class is never true or never predicted scikit-learn warns and says 0; we say undefined.
        np.testing.assert_allclose(np.nan_to_num(rate), [report[name][oracle] for name in names], rtol=0, atol=1e-12)
    for name, value in {
        "Accuracy": report["accuracy"],
        "Macro F1 over classes seen in truth or prediction": report["macro avg"]["f1-score"],
        "Weighted F1": report["weighted avg"]["f1-score"],
    }.items():
        assert abs(single[name] - value) < 1e-12


def main() -> None:
    """Measure and print a small table."""
    parser = argparse.ArgumentParser(description="Time the full report on hard labels against scikit-learn.")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--classes", type=int, default=77)
    parser.add_argument("--strings", choices=_AS, default="own")
    given = parser.parse_args()
    print(table({"report": measure(given.rows, given.classes, given.strings)}))


if __name__ == "__main__":
    main()
