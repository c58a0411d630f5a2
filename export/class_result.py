"""The table of classes for terminal and report: rates, rows, the interval of F1, and the state of each class."""

from __future__ import annotations

import math
from typing import NamedTuple

from export.interval_text import FEW_DECIDE, interval_cell, value_cell
from export.measurement import Measurement
from export.result.kinds import Cell, Column, Count, Label, Number, Result, Table
from metrics.catalogue.registry import class_formulas, metric_of
from metrics.confusion.class_order import lowest_f1_first
from text.intervals import name_interval
from text.numbers import count


class ClassState(NamedTuple):
    """Name a state of classes, and explain it in a sentence."""

    title: str
    meaning: str


STATES = {
    "never_predicted": ClassState("Never predicted", "They occur in the data, but are never predicted."),
    "absent": ClassState("Not in the data", "Listed, but no examples, so it can't be scored."),
    "never_true": ClassState(
        "Never true", "Predicted, but never true and in no list: misspelt, invented, or missing here."
    ),
    "outside_label_space": ClassState(
        "Not in the label list", "True or predicted labels that your list of labels does not hold."
    ),
}
"""The states of classes by their keys in the JSON."""


def classes_result(measured: Measurement) -> Result:
    """Return the table of classes under its title."""
    title = "Labels" if measured.many else "Classes"
    return Result("per-class", (title,), (), [class_result(measured)], (), {})


def class_rates(task: str) -> list[str]:
    """Return the keys of the rates in tables of classes, F1 first.

    >>> class_rates("binary")
    ['f1', 'precision', 'recall']
    """
    return sorted(class_formulas(task), key=lambda key: key != "f1")


def class_result(measured: Measurement) -> Table:
    """List every class with its numbers, the lowest F1 first."""
    noun, task = measured.evaluation.class_noun, measured.evaluation.task
    rates = class_rates(task)[1:]
    columns = [
        Column(noun, Label), *(Column(metric_of(task, key).name, Number) for key in rates),
        Column("F1", Number, name_interval(measured.level), is_drawn=True), Column("true rows", Count),
        Column("predicted rows", Count), *(Column(metric_of(task, key).name, Number) for key in measured.areas),
        Column("state", str),
    ]  # fmt: skip
    labels, states = measured.evaluation.labels, name_class_states(measured)
    numbers = measured.class_columns
    values = {key: column.tolist() for key, column in numbers.items()}
    rows: list[tuple[Cell, ...]] = []
    for code in lowest_f1_first(numbers["f1"], numbers["support"]).tolist():
        rows.append((
            Label(labels[code]), *(value_cell(measured.number(key, code)) for key in rates),
            interval_cell(measured.number("f1", code)),
            Count(values["support"][code]), Count(values["predicted"][code]),
            *(_area(measured, key, code) for key in measured.areas), states[code],
        ))  # fmt: skip
    title = f"{count(len(rows), noun).capitalize()}, the lowest F1 first"
    return Table("classes", title, columns, rows, noun, is_whole=True)


def _area(measured: Measurement, key: str, code: int) -> Number:
    """Return an area under a curve of a class; it is grey where few rows decide it."""
    few = FEW_DECIDE if measured.number(key, code).few_decide else ""
    return Number(measured.areas[key].get(code, math.nan), few=few)


def name_class_states(measured: Measurement) -> list[str]:
    """Name each label's state: never predicted, not in the data, never true, not in the label list, or nothing."""
    listed = class_states(measured)
    states: dict[str, list[str]] = {}
    for key in ("outside_label_space", "never_predicted", "absent", "never_true"):
        for label in listed[key]:
            states.setdefault(label, []).append(STATES[key].title.lower())
    return ["; ".join(states.get(label, [])) for label in measured.evaluation.labels]


def class_states(measured: Measurement) -> dict[str, list[str]]:
    """Return labels never predicted, listed ones without true rows, never true ones, and those outside, kept apart."""
    return measured.class_lists | (
        {"never_true": list(measured.gap.never_true)} if measured.evaluation.has_predictions else {}
    )
