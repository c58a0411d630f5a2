"""Averages of the numbers of every class, or of every label, each with those that it is over.

An undefined number inside an average makes the average undefined (NaN); nothing is left out unless
the name says so.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from metrics.confusion.counts import ConfusionCounts
from metrics.multilabel.set_counts import MultilabelCounts
from metrics.outcomes import F1, PRECISION, Ratio, divide

Counts = ConfusionCounts | MultilabelCounts
Over = Literal["all", "seen", "supported", "space"]


def macro(counts: Counts, rate: Ratio, over: Over = "seen", *, zero_division: float = math.nan) -> float:
    """Return the plain mean of a per-class rate, 0..1: every class weighs the same, however few rows it has.

    Parameters
    ----------
    rate : of every class.
    over : "all"; "seen", the classes in truth or prediction (scikit-learn's own choice); "supported", the classes
        with true rows; "space", the whole label space. In the last, by convention, the F1 of a class that
        is neither asked nor predicted counts as 0: that is how "macro F1 over all 77 intents" is
        published. The other rates of such a class stay undefined.
    zero_division : what an undefined rate counts as; NaN makes the mean undefined, 0 gives scikit-learn's figure.

    Undefined when one of the rates is (precision of a class never predicted, recall of one without true rows); when
    there is no class to average over; and without rows.

    Source: Yang (1999), An evaluation of statistical approaches to text categorization; Opitz and
    Burst (2019), Macro F1 and macro F1 (the mean of F1 values, not the F1 of two means).

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> c = confusion_counts_from_matrix([[4, 0, 0], [0, 2, 0], [0, 0, 0]], ("a", "b", "c"))
    >>> macro(c, F1, over="seen"), round(macro(c, F1, over="space"), 3)
    (1.0, 0.667)
    """
    values = _fill(rates_over(counts, rate, over), zero_division)
    return float(values.mean()) if len(values) and counts.n else math.nan


def _fill(rates: np.ndarray, zero_division: float) -> np.ndarray:
    return np.where(np.isnan(rates), zero_division, rates)  # nan_to_num takes five times as long


def rates_over(counts: Counts, rate: Ratio, over: Over) -> np.ndarray:
    """Return the per-class rates that `macro` takes the mean of, float64, in label order; may hold NaN.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> c = confusion_counts_from_matrix([[4, 0, 0], [0, 2, 0], [0, 0, 0]], ("a", "b", "c"))
    >>> rates_over(c, F1, "supported").tolist(), rates_over(c, F1, "space").tolist()
    ([1.0, 1.0], [1.0, 1.0, 0.0])
    """
    if over not in get_args(Over):
        raise ValueError(f"over must be one of {', '.join(get_args(Over))}, not {over!r}")
    values = rate.value(counts)
    if over == "space":
        values = values[: counts.n_space]
        if rate == F1 and counts.n:
            values[np.isnan(values)] = 0.0
    elif over != "all":
        values = values[counts.support + (counts.predicted if over == "seen" else 0) > 0]
    return np.asarray(values)


def micro(counts: Counts, rate: Ratio) -> float:
    """Return the rate of all classes' counts added up, 0..1: every row weighs the same.

    As long as every answer could be read, micro precision, recall and F1 are all the accuracy.
    An unparseable answer is a miss of its true class and a prediction of none. It lowers recall (which stays the
    accuracy) and F1, not precision. Specificity adds over all K labels.

    Undefined without rows; precision also without a readable answer, specificity with a single label.

    Source: Yang (1999), An evaluation of statistical approaches to text categorization.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> from metrics.outcomes import RECALL
    >>> c = confusion_counts_from_matrix([[3, 0, 1], [1, 4, 1]], ("no", "yes"))
    >>> micro(c, PRECISION), micro(c, RECALL), round(micro(c, F1), 3)
    (0.875, 0.7, 0.778)
    """
    part, whole = rate.parts(counts)
    return float(divide(part.sum().item(), whole.sum().item()))


def weighted(counts: Counts, rate: Ratio, *, zero_division: float = math.nan) -> float:
    """Return the mean of a per-class rate weighted by true rows, 0..1; classes without true rows take no part.

    Undefined without rows, and when the rate of a class with true rows is (precision of a class
    that is never predicted); with `zero_division` 0 such a rate counts as 0, as scikit-learn has it.

    Source: scikit-learn's `average="weighted"`.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> round(weighted(confusion_counts_from_matrix([[3, 1], [2, 4]], ("ham", "spam")), F1), 3)
    0.703
    """
    asked = counts.support > 0
    values = _fill(rate.value(counts)[asked], zero_division)
    total = (values * counts.support[asked]).sum()  # the last digit of np.dot depends on where the arrays lie
    return float(total / counts.support.sum()) if asked.any() else math.nan


def macro_precision_predicted(counts: Counts) -> float:
    """Return the mean precision over the classes that were predicted at all, 0..1; NaN when none was.

    Unlike `macro(counts, PRECISION)` it stays defined when a class is never predicted, and says
    nothing about such a class.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> macro_precision_predicted(confusion_counts_from_matrix([[3, 0], [1, 0]], ("a", "b")))
    0.75
    """
    used = counts.predicted > 0
    return float(np.mean(PRECISION.value(counts)[used])) if used.any() else math.nan
