"""The results about slices: the worst of all columns and pairs, and every slice of the columns that were asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from data.comparison.row_groups import Clusters
from data.comparison.sliceable_columns import Sliceable, cut_columns
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.class_names import names_in_sentences
from export.by_slice.slice_lines import SliceNumber, line_of_slice, worst_lines
from export.by_slice.slice_numbers import (
    SliceMetric,
    correct_slices,
    measure_slices,
    other_metrics,
    read_metric,
    sort_numbers,
)
from export.by_slice.slice_search import SearchedSlices, search_metrics, search_slices_of
from export.by_slice.slices import (
    SlicesFound,
    check_predicted,
    find_slices,
    name_effective_n,
    say_weights,
    slices_json,
)
from export.interval_text import TOO_FEW, difference_cell, interval_cell, say_few
from export.measurement import Measurement
from export.result.kinds import (
    Amount,
    Cell,
    Column,
    Count,
    Difference,
    Name,
    Number,
    P,
    Result,
    Sentence,
    Table,
    Unknown,
    Words,
)
from export.result.written import list_reasons
from metrics import limits
from metrics.catalogue.metric import Metric, Task
from metrics.catalogue.registry import lower_is_better, metric_of
from text.intervals import name_interval
from text.numbers import count, shorten_numbers, verb
from text.quoting import list_items, quote
from text.visible import show


def find_worst_slices(evaluation: Evaluation, *, level: float = 0.95, clusters: Clusters | None = None) -> Result:
    """Search all columns and their pairs for slices that are worse than the rest.

    Raises
    ------
    DataError
        nothing is predicted yet.
    """
    check_predicted(evaluation)
    columns, metric = cut_columns(evaluation), next(iter(search_metrics(evaluation)))
    searched = search_slices_of(evaluation, columns.ways, metric, 0, level=level, clusters=clusters)
    return say_weights(worst_result(searched, columns, metric_of(evaluation.task, metric).name), evaluation)


CORRECTED = "Each slice is compared with all other rows; p is corrected over these slices (Benjamini–Hochberg)."
_LISTED_METRICS = 10
"""Numbers that a refused one is answered with: those of scores are last in the registry."""
NOTHING_SEARCHED = "Nothing was searched: no column has groups that say something of their own."


def worst_result(searched: SearchedSlices, columns: Sliceable, name: str) -> Result:
    """List the slices that are worse than the rest; `name` says the metric, plain text."""
    lines = worst_lines(searched)
    worse = f"{count(len(lines), 'slice')} {verb(len(lines), 'is')} worse" if lines else "no slice is worse"
    compared = f"{count(searched.search.n_slices, 'slice')} of all columns and pairs were compared with the rest"
    corrected = "p is corrected over all of them (Benjamini–Hochberg)."
    sentence = f"{compared}; {worse}. {corrected}" if searched.ways else NOTHING_SEARCHED
    title, level = ("Slices that are worse, by ", Sentence(name)), searched.search.level
    table = _compared_table("worst-slices", title, name, lines, level)
    return Result(
        "worst-slices-of-all", ("Worst slices",),
        [(sentence,)],
        [table] if lines else [],
        left_out(searched, columns), _worst_json(searched, columns, lines),
    )  # fmt: skip


def _worst_json(searched: SearchedSlices, columns: Sliceable, lines: Sequence[SliceNumber]) -> dict[str, Any]:
    """Return what was found in a search of these columns; lines : the worst slices."""
    return {
        "worst_slices": list(map(_line_json, lines)),
        "worst_by": searched.metric,
        "worst_searched": searched.search.n_slices,
        "worst_not_searched": {name: why for name, why in columns.left_out if searched.table_of((name,)) is None},
        "worst_not_crossed": searched.search.not_crossed,
    }


def _line_json(line: SliceNumber) -> dict[str, Any]:
    number, between = line.number, line.difference
    return {
        "slice": {column: value or None for column, value in line.conditions},
        "n": line.n,
        **name_effective_n(line.effective_n),
        "value": number.value, "low": number.low, "high": number.high,
        "difference_to_rest": {
            "value": between.value, "low": between.low, "high": between.high,
            "p": between.p, "p_adjusted": line.p_adjusted, "few_decide": between.few_decide,
        },
        "folded": line.folded,
    }  # fmt: skip


def left_out(searched: SearchedSlices, columns: Sliceable, named: int | None = None) -> list[Words]:
    """Say which columns were not crossed, and which were not searched; at most so many of them are named."""
    notes: list[Words] = []
    if searched.search.not_crossed:
        notes.append((describe_not_crossed(searched.search.not_crossed),))
    names = {way.columns[0] for way in searched.ways}
    reasons = [(name, why) for name, why in columns.left_out if name not in names]
    return [*notes, *list_reasons("Not searched", reasons, named)]


def describe_not_crossed(n: int) -> str:
    """Say that only the first columns were crossed, where n were not.

    >>> describe_not_crossed(15)
    'Only the first 25 columns were crossed with each other; 15 more were searched alone.'
    """
    crossed = f"Only the first {limits.MAX_PAIRED_COLUMNS} columns were crossed with each other"
    return f"{crossed}; {n:,} more were searched alone."


def find_slices_by(measured: Measurement, columns: Sequence[str], metric: str = "") -> Result:
    """Compare every slice of columns with its rest, or list another number of every slice.

    metric : the key of the number that is listed; "" = accuracy, or the like.

    Raises
    ------
    DataError
        as `find_slices`, or slices have no such number.
    """
    evaluation = measured.evaluation
    slices = find_slices(evaluation, columns, level=measured.level, clusters=measured.clusters)
    if not metric or metric in slices.metrics:
        return say_weights(slices_result(slices, evaluation.task, metric), evaluation)
    asked = read_metric(measured, metric)
    if asked is None:
        keys = list_items(dict.fromkeys((*slices.metrics, *reversed(other_metrics(measured)))), _LISTED_METRICS, 40)
        of_class = quote(f"npv[{evaluation.labels[0]}]")
        raise DataError(
            f"Slices of this file have no number {quote(metric)}; choose one of these: {keys}. "
            f"A number of one class is written as {of_class}."
        )
    return say_weights(numbers_result(measured, slices, metric, asked), evaluation)


def slices_result(slices: SlicesFound, task: Task, metric: str = "") -> Result:
    """List every slice that was asked for, the largest loss to the rest first.

    metric : that is listed; "" = the first.
    """
    metric = metric or next(iter(slices.metrics), "accuracy")
    row, sign = metric_of(task, metric), -1 if lower_is_better(metric) else 1
    lines = [
        line_of_slice(way, one_slice, metric, row.unit)
        for way, of_way in zip(slices.ways, slices.searched.slices, strict=True)
        for one_slice in of_way
    ]
    lines.sort(key=lambda line: _loss(line, sign))
    title = (f"{count(len(lines), 'slice')} by {row.name}, the largest loss first",)
    table = _compared_table("slices-table", title, row.name, lines, slices.searched.level)
    notes: list[Words] = [(sentence,) for sentence in slices.sentences]
    return Result("slices", _title(slices), [], [table], notes, slices_json(slices))


def numbers_result(measured: Measurement, slices: SlicesFound, key: str, metric: SliceMetric) -> Result:
    """List a number of every slice, the worst first; the JSON has it beside the others, by its key."""
    uncorrected: list[SliceNumber] = []
    for way in slices.ways:
        uncorrected += measure_slices(measured, way, metric)
    lines = correct_slices(uncorrected)
    numbers = slices_json(slices)
    for in_json, line in zip(numbers["slices"], lines, strict=True):
        in_json["metrics"][key] = line.to_json()
        in_json["difference_to_rest"][key] = line.difference._asdict() | {"p_adjusted": line.p_adjusted}
    names = names_in_sentences(measured.evaluation)
    name = metric.name(lambda code: show(names[measured.evaluation.labels[code]]))
    table = numbers_table(sort_numbers(lines, metric.row), metric.row, name)
    return Result("slices", _title(slices), [], [table], [(CORRECTED,)], numbers)


def numbers_table(lines: Sequence[SliceNumber], row: Metric, name: str) -> Table:
    """Return the table of a number of slices; `name` says the number, plain text."""
    first = "highest" if row.direction == "zero" else "worst"
    title = (f"{count(len(lines), 'slice')} by ", Sentence(name), f", the {first} first")
    ends = name_interval(lines[0].number.level) if lines else ""
    cells = [(line.cell, *line.difference_cells) for line in lines]
    return _table("slices-table", title, Column(Sentence(name), Number, ends), lines, cells)


def _title(slices: SlicesFound) -> Words:
    by = [part for way in slices.ways for part in (" and ", Name(",".join(way.columns)))]
    return "Slices by ", *by[1:]


def _loss(line: SliceNumber, sign: int) -> float:
    return math.inf if math.isnan(line.difference.value) else sign * line.difference.value


def _compared_table(name: str, title: Words, metric: str, lines: Sequence[SliceNumber], level: float) -> Table:
    number = Column(Sentence(metric), Number, name_interval(level))
    return _table(name, title, number, lines, list(map(_compared_cells, lines)))


def _table(
    name: str,
    title: Words,
    number: Column,
    lines: Sequence[SliceNumber],
    cells: Sequence[tuple[Cell, Cell, Cell]],
) -> Table:
    """Return a table of slices; cells : of each its number, the difference to all other rows, and p."""
    columns = (
        Column("slice", Name), *columns_of_rows(lines), number, difference_column(ends=number.ends), Column("p", P),
    )  # fmt: skip
    rows = [
        (Name(name_slice(line.conditions)), *cells_of_rows(line), *of_line)
        for line, of_line in zip(lines, cells, strict=True)
    ]
    return Table(name, title, columns, rows, noun="slice")


def difference_column(*, ends: str = "") -> Column:
    """Return the column of the difference of a slice to the rest."""
    return Column("difference", Difference, ends, about="to all other rows")


def columns_of_rows(lines: Sequence[SliceNumber]) -> list[Column]:
    """Return the columns of how much a slice tells: its rows, and the effective ones where rows have weights."""
    columns = [Column("rows", Count)]
    if any(line.effective_n is not None for line in lines):
        columns.append(Column("effective rows", Amount, about="So many rows of equal weight tell as much."))
    return columns


def cells_of_rows(line: SliceNumber) -> list[Cell]:
    """Return the cells of `columns_of_rows`."""
    return [Count(line.n), *([] if line.effective_n is None else [Amount(line.effective_n)])]


def metric_cell(line: SliceNumber) -> Number:
    """Return the metric of a slice, with its interval."""
    few = say_few(line.number) or (TOO_FEW if math.isnan(line.p_adjusted) else "")
    cell = interval_cell(line.number)._replace(few=few)
    return cell._replace(about=", ".join(filter(None, (cell.written.text, cell.written.ends))))


def why_untested(line: SliceNumber) -> str:
    """Say why a slice was not tested; "" where it was."""
    if not math.isnan(line.p_adjusted):
        return ""
    return "Too few rows of this slice, or of the rest, decide the metric."


def _compared_cells(line: SliceNumber) -> tuple[Cell, Cell, Cell]:
    number = metric_cell(line)
    if math.isnan(line.p_adjusted):
        return number, Unknown(TOO_FEW), Unknown("")
    return number, difference_cell(line.difference, is_share=line.number.is_share), P(line.p_adjusted)


def name_slice(conditions: Iterable[tuple[str, str | None]]) -> str:
    """Write a slice as plain text; long numbers of a range are cut short.

    >>> name_slice([("country", "DE"), ("age", None), ("ink", "0.0142291 to 4008.23751")])
    'country = DE, age missing, ink = 0.01423 to 4008'
    """
    return ", ".join(
        f"{column} = {shorten_numbers(value)}" if value else f"{column} missing" for column, value in conditions
    )
