"""The classes in one sentence, the worst first, and as a file."""

from __future__ import annotations

import numpy as np

from data.evaluation import Evaluation
from data.rows.exports import safe_csv
from export.interval_text import value_of
from export.measurement import Measurement
from metrics.confusion.class_order import lowest_f1_first
from text.numbers import count, verb
from ui.view import cache, measurement
from ui.view.cache import class_lists
from ui.view.panel import md_label

WEAK = 0.2
_NAMED = 2  # so many classes that are never predicted, or weakest, are named in the title


@cache.kept(32)
def worst_first(evaluation: Evaluation) -> np.ndarray:
    """Return the codes of all classes, the lowest F1 first."""
    columns = measurement.measure(evaluation).class_columns
    return lowest_f1_first(columns["f1"], columns["support"])


def title(evaluation: Evaluation) -> str:
    """Write the state of the classes as Markdown: how many are never predicted, how many are weak."""
    counts, never = cache.counts_of_classes(evaluation), class_lists(evaluation)["never"]
    noun = evaluation.class_noun
    f1_of_classes = measurement.measure(evaluation).class_columns["f1"]
    weak = np.setdiff1d(np.flatnonzero(f1_of_classes < WEAK), never)
    of = f"of {count(evaluation.n_space, noun)}"
    have = verb(len(weak), "has")
    if len(never):
        names = " and ".join(md_label(evaluation, code) for code in never.tolist()) if len(never) <= _NAMED else ""
        lead = f"{len(never):,} {of} {verb(len(never), 'is')} never predicted" + (names and f": {names}")
        return f"{lead}; {len(weak):,} more {have} F1 below {WEAK:g}" if len(weak) else lead
    if len(weak) > 1:
        return f"{len(weak):,} {of} {have} F1 below {WEAK:g}"
    first = next((code for code in worst_first(evaluation).tolist() if counts.support[code]), None)
    if first is None:
        return f"No {noun} can be scored"
    f1 = value_of(measurement.measure(evaluation).number("f1", first))
    true = np.flatnonzero(counts.support)
    weakest = true[f1_of_classes[true] == f1_of_classes[true].min()]
    if len(weakest) == len(true):
        return f"Every {noun} with true rows has F1 {f1}"
    if len(weakest) == 1:
        return f"{md_label(evaluation, first)} is the weakest {noun}: F1 {f1}"
    names = " and ".join(md_label(evaluation, code) for code in weakest.tolist())
    return f"{names if len(weakest) <= _NAMED else f'{len(weakest):,} {of}'} are the weakest: F1 {f1}"


def write_csv(measured: Measurement, codes: np.ndarray) -> bytes:
    """Return some classes as CSV: the lines that the file of all classes has on the page Export."""
    from export.tables import class_table

    return safe_csv(class_table(measured).iloc[codes])
