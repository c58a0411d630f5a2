"""Set macro averages against micro averages: a picture, why they differ, and all averages as a table."""

from __future__ import annotations

import math

from export.interval_text import say_few
from export.measurement import Measurement
from export.pictures.bars import bars_picture
from export.result.kinds import Cell, Column, Number, Result, Table
from metrics.confusion.average_numbers import average_rows
from metrics.intervals.statistic import Interval
from text.numbers import number


def averages_result(measured: Measurement) -> Result:
    """Return the averages, each with the classes that it is over."""
    numbers = measured.overall
    over = "labels" if measured.many else "classes"
    titles = {
        "micro_f1": "Micro F1",
        "weighted_f1": "Weighted F1",
        "macro_f1": f"Macro F1, {over} seen",
        "macro_f1_supported": f"Macro F1, {over} with true rows",
        "macro_f1_label_space": f"Macro F1, all listed {over}",
    }
    bars = [(title, numbers[key], number(numbers[key]), key.startswith("macro")) for key, title in titles.items()]
    macro, micro = number(numbers["macro_f1_supported"]), number(numbers["micro_f1"])
    picture = bars_picture(bars, f"Macro F1 over the {over} with true rows is {macro}, micro F1 {micro}")
    gap = tuple(measured.named(measured.gap.parts()))
    sentences = [gap] if gap else []
    pictures = {"averages-chart": picture}
    return Result("averages", ("Macro against micro",), sentences, [_table(measured)], (), {}, pictures=pictures)


def _table(measured: Measurement) -> Table:
    columns = (Column("average", str), Column("precision", Number), Column("recall", Number), Column("F1", Number))
    averages = average_rows(measured.overall, measured.evaluation.class_noun)
    rates = "precision", "recall", "f1"
    rows: list[tuple[Cell, ...]] = [
        (row.title, *(_average(measured.number(row.key.format(rate))) for rate in rates)) for row in averages
    ]
    title = "Averages of precision, recall and F1"
    note = ("zero_division=0: scikit-learn's figure, which counts 0/0 as 0.",)
    return Table("averages-table", title, columns, rows, "average", in_order=True, note=note, folded=True)


def _average(number: Interval) -> Number:
    """Return an average; it is grey where few rows decide it."""
    return Number(number.value, few="" if math.isnan(number.low) else say_few(number))
