"""The table of classes for terminal and report: rates, rows, the interval of F1, and the state of each class."""

from __future__ import annotations

import math

import numpy as np

from export.interval_text import name_level
from export.measurement import Measurement
from export.result.kinds import Cell, Column, Count, Label, Number, Table
from metrics.catalogue.registry import class_formulas
from metrics.confusion.class_order import lowest_f1_first
from text.numbers import count

_RANKED = {"roc_auc_per_class": "ROC AUC", "average_precision_per_class": "average precision"}


def class_result(found: Measurement) -> Table:
    """List every class with its numbers, the lowest F1 first."""
    numbers, noun = found.numbers, "label" if found.many else "class"
    rates = [key for key in class_formulas(found.evaluation.task) if key != "f1"]
    ranked = {key: title for key, title in _RANKED.items() if key in numbers}
    columns = [
        Column(noun, Label), *(Column(key, Number) for key in rates),
        Column("F1", Number, f"{name_level(found.level)} interval", is_drawn=True), Column("support", Count),
        Column("predicted", Count), *(Column(title, Number) for title in ranked.values()), Column("state", str),
    ]  # fmt: skip
    per_class, states = numbers["per_class"], name_class_states(found)
    f1, support = (np.array([row[key] for row in per_class.values()]) for key in ("f1", "support"))
    labels = list(per_class)
    rows: list[tuple[Cell, ...]] = []
    for code in lowest_f1_first(f1, support).tolist():
        label, state = labels[code], states[code]
        row = per_class[label]
        rows.append((
            Label(label), *(Number(row[key]) for key in rates), _f1(found, code, row["f1"]),
            Count(row["support"]), Count(row["predicted"]),
            *(Number(numbers[key].get(label, math.nan)) for key in ranked), state,
        ))  # fmt: skip
    title = f"{count(len(rows), noun).capitalize()}, the lowest F1 first"
    return Table("classes", title, columns, rows, noun)


def _f1(found: Measurement, code: int, f1: float) -> Number:
    within = found.number("f1", code)
    return Number(f1, within.low, within.high)


def name_class_states(found: Measurement) -> list[str]:
    """Name each label's state: never predicted, not in the data, never true, not in the label list, or nothing."""
    words = {"outside_label_space": "not in the label list", "never_predicted": "never predicted"}
    words |= {"absent": "not in the data", "never_true": "never true"}
    listed = class_states(found)
    said: dict[str, list[str]] = {}
    for key, word in words.items():
        for label in listed[key]:
            said.setdefault(label, []).append(word)
    return ["; ".join(said.get(label, [])) for label in found.numbers["per_class"]]


def class_states(found: Measurement) -> dict[str, list[str]]:
    """Return labels never predicted, listed ones without true rows, never true ones, and those outside, kept apart."""
    n = found.numbers
    if not found.evaluation.has_predictions:  # then only the truth says something
        outside = list(n["outside_label_space"])
        return {"never_predicted": [], "absent": n["absent"], "never_true": [], "outside_label_space": outside}
    return {
        "never_predicted": list(n["never_predicted"]),
        "absent": list(n["absent"]),
        "never_true": list(found.gap.never_true),
        "outside_label_space": list(n["outside_label_space"]),
    }
