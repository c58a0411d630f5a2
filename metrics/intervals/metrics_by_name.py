"""Every metric of joint counts by the name that the command line and the JSON give it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from metrics.intervals.joint_counts import Joint, JointCounts
from metrics.intervals.overall import (
    cohen_kappa,
    matthews_correlation,
    per_label_accuracy,
    samples_average,
)
from metrics.intervals.rates import RATES, Average, averaged
from metrics.intervals.statistic import Statistic, share_of_rows

Compute = Callable[..., Statistic]
"""(cells, model) → the metric of that model."""
LOWER_IS_BETTER = frozenset(("hamming_loss", "log_loss", "brier"))

_AVERAGES: dict[str, Average] = {
    "micro_{}": "micro",
    "macro_{}": "macro",
    "macro_{}_supported": "macro_supported",
    "macro_{}_label_space": "macro_label_space",
    "weighted_{}": "weighted",
}


def overall_metrics(cells: Joint) -> dict[str, Compute]:
    """Return metrics over all classes by name, in the order in which they are shown."""
    first = _single_label() if isinstance(cells, JointCounts) else _multi_label()
    return first | {
        title.format(which): partial(_average, which=which, average=average)
        for which in RATES
        for title, average in _AVERAGES.items()
    }


def _single_label() -> dict[str, Compute]:
    return {
        "accuracy": lambda cells, model=0: share_of_rows(cells, cells.right(model)),
        "accuracy_parsed": lambda cells, model=0: share_of_rows(cells, cells.right(model), cells.preds[model] >= 0),
        "balanced_accuracy": partial(_average, which="recall", average="macro_supported"),
        "cohen_kappa": cohen_kappa,
        "mcc": matthews_correlation,
    }


def _multi_label() -> dict[str, Compute]:
    return {
        "subset_accuracy": lambda cells, model=0: share_of_rows(cells, cells.right(model)),
        "per_label_accuracy": per_label_accuracy,
        "hamming_loss": lambda cells, model=0: _opposite(per_label_accuracy(cells, model)),
        "jaccard_samples": partial(_samples, which="jaccard"),
        "jaccard_micro": partial(_average, which="jaccard", average="micro"),
        "jaccard_macro": partial(_average, which="jaccard", average="macro_all"),
        **{f"samples_{which}": partial(_samples, which=which) for which in RATES},
    }


def _average(cells: Joint, model: int = 0, *, which: str, average: str, zero: bool = False) -> Statistic:
    return averaged(cells, which, average, model, zero=zero)  # type: ignore[arg-type]


def _samples(cells: Joint, model: int = 0, *, which: str) -> Statistic:
    return samples_average(cells, which, model)  # type: ignore[arg-type]


def _opposite(found: Statistic) -> Statistic:
    edge = found.edge
    return found._replace(
        value=1 - found.value,
        influence=-found.influence,
        edge=None if edge is None else lambda wilson: type(old := edge(wilson))(1 - old.high, 1 - old.low),
    )


def zero_filled(name: str) -> Compute:
    """Return the metric of an average that counts 0/0 as 0, by the average's name."""
    for which in RATES:
        for title, average in _AVERAGES.items():
            if title.format(which) == name:
                return partial(_average, which=which, average=average, zero=True)
    return partial(_average, which="jaccard", average="macro_all", zero=True)


def baseline_accuracy(cells: JointCounts, model: int = 0) -> Statistic:
    """Return the accuracy of always predicting the most frequent true class."""
    return share_of_rows(cells, cells.true == int(np.argmax(cells.totals(model).support)))
