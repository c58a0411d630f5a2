"""The table of averages of precision, recall and F1 that stands beside scikit-learn's report.

Where an average holds an undefined value it is undefined; scikit-learn's figure, which counts 0/0 as 0, then stands
beside it under the same name and `zero_division_0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

ZERO = "_zero_division_0"
"""Ending of the name of a figure that counts 0/0 as 0, after scikit-learn's parameter."""


class AverageRow(NamedTuple):
    """One line of the table: what the average is; `key` with a rate in the place of {} is the name of a number."""

    title: str
    key: str


def average_rows(numbers: Mapping[str, float], noun: str) -> list[AverageRow]:
    """Return the averages of precision, recall and F1, with scikit-learn's below those that are undefined.

    >>> rates = {"precision": float("nan"), "recall": 0.5, "f1": 0.375}
    >>> numbers = {f"macro_{rate}": value for rate, value in rates.items()}
    >>> numbers |= {f"macro_{rate}{ZERO}": 0.375 for rate in rates}
    >>> [row.title for row in average_rows(numbers, "class")]
    ['Macro, classes seen', 'Macro, classes seen, zero_division=0']
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
    rows = []
    for key, title in titles.items():
        names = [key.format(which) for which in ("precision", "recall", "f1")]
        if names[0] in numbers:
            rows.append(AverageRow(title, key))
        if any(is_filled(numbers, name) for name in names):
            rows.append(AverageRow(f"{title}, zero_division=0", key + ZERO))
    return rows


def is_filled(numbers: Mapping[str, float], name: str) -> bool:
    """Return whether a figure is undefined and scikit-learn has one all the same."""
    return name + ZERO in numbers and bool(np.isnan(numbers[name])) and not np.isnan(numbers[name + ZERO])
