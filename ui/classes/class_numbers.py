"""The numbers of every class: precision, recall, F1 and their rows, why one is undefined, the worst first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from data.evaluation import Evaluation
from data.rows.exports import safe_csv
from export.interval_text import value_of
from metrics.catalogue.undefined import WHY_NO_RATE
from metrics.confusion.class_order import lowest_f1_first
from metrics.outcomes import F1, PRECISION, RECALL
from text.numbers import count
from ui.view import cache, intervals
from ui.view.cache import class_lists
from ui.view.panel import md_label

WEAK = 0.2
_NAMED = 2  # so many classes that are never predicted are named in the title


class ClassNumbers(NamedTuple):
    """Per class, in label order: float64 (K,) rates, NaN where 0/0, and int64 (K,) numbers of rows."""

    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray
    support: np.ndarray
    predicted: np.ndarray
    correct: np.ndarray

    def why_undefined(self, code: int, rate: str) -> str:
        """Return why a rate of a class is 0/0; empty where it is defined."""
        if not np.isnan(getattr(self, rate)[code]):
            return ""
        return WHY_NO_RATE[rate]


@cache.kept(32)
def class_numbers(evaluation: Evaluation) -> ClassNumbers:
    """Return the numbers of every class or label."""
    counts = cache.counts_of_classes(evaluation)
    precision, recall, f1 = (formula.value(counts) for formula in (PRECISION, RECALL, F1))
    return ClassNumbers(precision, recall, f1, counts.support, counts.predicted, counts.tp)


@cache.kept(32)
def worst_first(evaluation: Evaluation) -> np.ndarray:
    """Return the codes of all classes, the lowest F1 first."""
    numbers = class_numbers(evaluation)
    return lowest_f1_first(numbers.f1, numbers.support)


def title(evaluation: Evaluation) -> str:
    """Write the state of the classes as Markdown: how many are never predicted, how many are weak."""
    numbers, never = class_numbers(evaluation), class_lists(evaluation)["never"]
    noun = "label" if evaluation.task == "multilabel" else "class"
    weak = np.setdiff1d(np.flatnonzero(numbers.f1 < WEAK), never)
    of = f"of {count(evaluation.n_space, noun)}"
    have = "has" if len(weak) == 1 else "have"
    if len(never):
        names = " and ".join(md_label(evaluation, code) for code in never.tolist()) if len(never) <= _NAMED else ""
        lead = f"{len(never):,} {of} {'is' if len(never) == 1 else 'are'} never predicted" + (names and f": {names}")
        return f"{lead}; {len(weak):,} more {have} F1 below {WEAK:g}" if len(weak) else lead
    if len(weak) > 1:
        return f"{len(weak):,} {of} {have} F1 below {WEAK:g}"
    first = next((code for code in worst_first(evaluation).tolist() if numbers.support[code]), None)
    if first is None:
        return f"No {noun} can be scored"
    f1 = value_of(intervals.of_class(evaluation, first, "f1"))
    return f"{md_label(evaluation, first)} is the weakest {noun}: F1 {f1}"


def write_csv(evaluation: Evaluation, codes: np.ndarray, level: float) -> bytes:
    """Return some classes as CSV: the lines that the file of all classes has on the page Export."""
    from export.measurement import measure_evaluation
    from export.tables import class_table

    return safe_csv(class_table(measure_evaluation(evaluation, level=level)).iloc[codes])
