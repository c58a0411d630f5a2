"""The numbers of every class: precision, recall, F1 and their rows, why one is undefined, the worst first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from data.evaluation import Evaluation
from export.interval_text import name_level, value_of
from metrics.catalogue.undefined import WHY_NO_RATE
from metrics.confusion import label_metrics
from metrics.finding import LOW_SUPPORT
from metrics.multilabel import set_metrics
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
    if evaluation.task == "multilabel":
        counts = cache.multilabel(evaluation)
        labels = set_metrics.per_label(counts)
        return ClassNumbers(
            labels.precision, labels.recall, labels.f1, labels.support, labels.predicted, np.asarray(counts.tp)
        )
    single = cache.confusion(evaluation)
    per = label_metrics.per_class(single)
    return ClassNumbers(per.precision, per.recall, per.f1, per.support, per.predicted, single.correct)


@cache.kept(32)
def worst_first(evaluation: Evaluation) -> np.ndarray:
    """Return the codes of all classes, the lowest F1 first, of equal ones the most true rows; undefined ones last."""
    numbers = class_numbers(evaluation)
    return np.lexsort((np.arange(len(numbers.f1)), -numbers.support, numbers.f1))


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
    first = int(worst_first(evaluation)[0])
    if np.isnan(numbers.f1[first]):
        return f"No {noun} can be scored"
    f1 = value_of(intervals.of_class(evaluation, first, "f1"))
    return f"{md_label(evaluation, first)} is the weakest {noun}: F1 {f1}"


def table_of(evaluation: Evaluation, codes: np.ndarray) -> pd.DataFrame:
    """Return the numbers of some classes as a table, with a remark on those that are not as others."""
    numbers, lists = class_numbers(evaluation), class_lists(evaluation)
    remarks = np.full(len(evaluation.labels), "", dtype=object)
    for name, remark in (
        ("low", f"under {LOW_SUPPORT} true rows"),
        ("never", "never predicted"),
        ("absent", "not in the data"),
        ("never_true", "never true"),
        ("outside", "not in the label list"),
    ):
        remarks[lists[name]] = remark
    within = intervals.of_rates(evaluation)
    bounds = {
        f"{name} {end} ({name_level(intervals.level())})": getattr(within[rate], end)[codes]
        for rate, name in (("f1", "F1"), ("precision", "precision"), ("recall", "recall"))
        for end in ("low", "high")
    }
    return pd.DataFrame(
        {
            "class": [evaluation.labels[code] for code in codes.tolist()],
            "F1": numbers.f1[codes],
            "precision": numbers.precision[codes],
            "recall": numbers.recall[codes],
            "support": numbers.support[codes],
            "predicted": numbers.predicted[codes],
            "predicted − support": (numbers.predicted - numbers.support)[codes],
            "remark": remarks[codes],
            **bounds,
        }
    )
