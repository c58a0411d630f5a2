"""The table of classes for terminal and report: rates, rows, the interval of F1, and the state of each class."""

from __future__ import annotations

import math

from export.interval_text import name_level
from export.measurement import Measurement
from export.result.kinds import Cell, Column, Count, Label, Number, Table
from metrics.catalogue.registry import class_formulas
from metrics.confusion.class_order import lowest_f1_first
from text.numbers import count

_RANKED = {"roc_auc": "ROC AUC", "average_precision": "average precision"}


def class_result(found: Measurement) -> Table:
    """List every class with its numbers, the lowest F1 first."""
    noun = "label" if found.many else "class"
    rates = [key for key in class_formulas(found.evaluation.task) if key != "f1"]
    columns = [
        Column(noun, Label), *(Column(key, Number) for key in rates),
        Column("F1", Number, f"{name_level(found.level)} interval", is_drawn=True), Column("support", Count),
        Column("predicted", Count), *(Column(_RANKED[key], Number) for key in found.areas), Column("state", str),
    ]  # fmt: skip
    labels, states = found.evaluation.labels, name_class_states(found)
    numbers = found.class_columns
    values = {key: column.tolist() for key, column in numbers.items()}
    rows: list[tuple[Cell, ...]] = []
    for code in lowest_f1_first(numbers["f1"], numbers["support"]).tolist():
        rows.append((
            Label(labels[code]), *(Number(values[key][code]) for key in rates), _f1(found, code),
            Count(values["support"][code]), Count(values["predicted"][code]),
            *(Number(areas.get(code, math.nan)) for areas in found.areas.values()), states[code],
        ))  # fmt: skip
    title = f"{count(len(rows), noun).capitalize()}, the lowest F1 first"
    return Table("classes", title, columns, rows, noun)


def _f1(found: Measurement, code: int) -> Number:
    f1 = found.number("f1", code)
    return Number(f1.value, f1.low, f1.high)


def name_class_states(found: Measurement) -> list[str]:
    """Name each label's state: never predicted, not in the data, never true, not in the label list, or nothing."""
    words = {"outside_label_space": "not in the label list", "never_predicted": "never predicted"}
    words |= {"absent": "not in the data", "never_true": "never true"}
    listed = class_states(found)
    said: dict[str, list[str]] = {}
    for key, word in words.items():
        for label in listed[key]:
            said.setdefault(label, []).append(word)
    return ["; ".join(said.get(label, [])) for label in found.evaluation.labels]


def class_states(found: Measurement) -> dict[str, list[str]]:
    """Return labels never predicted, listed ones without true rows, never true ones, and those outside, kept apart."""
    return found.class_lists | ({"never_true": list(found.gap.never_true)} if found.evaluation.has_predictions else {})
