"""Every average of precision, recall and F1 by name; and the table of them that stands beside scikit-learn's report.

Where an average holds an undefined value it is undefined; scikit-learn's figure, which counts 0/0 as 0, then stands
beside it under the same name and `zero_division_0`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from metrics.confusion import averages
from metrics.confusion.averages import Over
from metrics.confusion.counts import ConfusionCounts, Rate
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import MultilabelCounts

RATES: tuple[Rate, ...] = ("f1", "precision", "recall")
ZERO = "_zero_division_0"
"""Ending of the name of a figure that counts 0/0 as 0, after scikit-learn's parameter."""
_OVER: dict[str, Over] = {"": "seen", "_supported": "supported", "_label_space": "space"}


class AverageRow(NamedTuple):
    """One line of the table: what the average is, and three figures, NaN where undefined."""

    title: str
    precision: float
    recall: float
    f1: float
    key: str = ""  # with a rate in the place of {}, the name of a number


def average_numbers(counts: ConfusionCounts) -> dict[str, float]:
    """Return every average of a single-label task by name.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> found = average_numbers(confusion_counts_from_matrix([[3, 0], [1, 0]], ("a", "b")))
    >>> found["macro_precision"], found["macro_precision_zero_division_0"]
    (nan, 0.375)
    """
    found: dict[str, float] = {}
    for which in RATES:
        found[f"micro_{which}"] = averages.micro(counts, which)
        for zero, end in ((math.nan, ""), (0.0, ZERO)):
            for name, over in _OVER.items():
                found[f"macro_{which}{name}{end}"] = averages.macro(counts, which, over, zero_division=zero)
            found[f"weighted_{which}{end}"] = averages.weighted(counts, which, zero_division=zero)
    return found


def label_average_numbers(counts: MultilabelCounts, n_space: int) -> dict[str, float]:
    """Return every average of a multi-label task by name; a samples average counts a row of 0/0 as 0 anyway."""
    per = set_metrics.per_label(counts)
    functions: dict[str, Callable[..., float]] = {
        "f1": set_metrics.f1, "precision": set_metrics.precision, "recall": set_metrics.recall,
    }  # fmt: skip
    found: dict[str, float] = {}
    for which, function in functions.items():
        rates: np.ndarray = getattr(per, which)[:n_space]
        found[f"micro_{which}"], found[f"samples_{which}"] = function(counts, "micro"), function(counts, "samples")
        for zero, end in ((math.nan, ""), (0.0, ZERO)):
            found[f"weighted_{which}{end}"] = function(counts, "weighted", zero_division=zero)
            found[f"macro_{which}{end}"] = function(counts, "macro", over="seen", zero_division=zero)
            found[f"macro_{which}_supported{end}"] = function(counts, "macro", over="supported", zero_division=zero)
            # the convention of `averages.macro`: a label neither true nor predicted has F1 0 here
            space = np.nan_to_num(rates, nan=0.0 if which == "f1" else zero)
            found[f"macro_{which}_label_space{end}"] = float(space.mean()) if len(space) and counts.n else math.nan
    for zero, end in ((math.nan, ""), (0.0, ZERO)):
        found[f"jaccard_macro{end}"] = set_metrics.jaccard(counts, "macro", zero_division=zero)
    return found


def average_rows(numbers: Mapping[str, float], noun: str) -> list[AverageRow]:
    """Return the averages as lines of precision, recall and F1, with scikit-learn's below those that are undefined.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> counts = confusion_counts_from_matrix([[3, 0], [1, 0]], ("a", "b"))
    >>> for row in average_rows(average_numbers(counts), "class")[:3]:
    ...     print(row.title, row.precision)
    Micro 0.75
    Macro, classes seen nan
    Macro, classes seen, zero_division=0 0.375
    """
    many = "labels" if noun == "label" else "classes"
    titles = {
        "micro_{}": "Micro",
        "macro_{}": f"Macro, {many} seen",
        "macro_{}_supported": f"Macro, {many} with true rows",
        "macro_{}_label_space": f"Macro, all listed {many}",
        "weighted_{}": "Weighted by true rows",
        "samples_{}": "Samples: mean over rows",
    }
    found = []
    for key, title in titles.items():
        names = [key.format(which) for which in ("precision", "recall", "f1")]
        if names[0] not in numbers:
            continue
        precision, recall, f1 = (numbers[name] for name in names)
        found.append(AverageRow(title, precision, recall, f1, key))
        if any(is_filled(numbers, name) for name in names):
            precision, recall, f1 = (numbers[name + ZERO] for name in names)
            found.append(AverageRow(f"{title}, zero_division=0", precision, recall, f1, key + ZERO))
    return found


def is_filled(numbers: Mapping[str, float], name: str) -> bool:
    """Return whether a figure is undefined and scikit-learn has one all the same."""
    return name + ZERO in numbers and bool(np.isnan(numbers[name])) and not np.isnan(numbers[name + ZERO])
