"""The result about drift: what changed between two times, or two files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from data.comparison.row_groups import FEW_CLUSTERS, Clusters
from data.comparison.sliceable_columns import cut_columns
from data.evaluation import Evaluation
from data.labels.class_names import names_in_sentences
from export.by_slice.drift import Drift, Moved, compare_files, compare_times, split_at
from export.by_slice.slices import check_predicted, say_weights
from export.result.kinds import Cell, Column, Label, Name, Number, P, Result, Share, Table, Unknown, Words
from export.result.written import list_reasons, write_cell
from metrics.intervals.statistic import Interval
from text.intervals import points
from text.numbers import count, shorten_numbers

NO_ROWS = "One of the two holds no rows, so nothing can be compared."
_ORDER = ("truth", "score", "prediction", "column")
"""The base rate first: what moves with it says little by itself."""


def find_drift(
    evaluation: Evaluation, column: str, start: str, *, level: float = 0.95, clusters: Clusters | None = None
) -> Result:
    """Compare the rows from a date on with those before.

    Raises
    ------
    DataError
        as `split_at`.
    """
    check_predicted(evaluation)
    columns = cut_columns(evaluation)
    others = [way for way in columns.ways if way.columns != (column,)]
    drift = compare_times(evaluation, split_at(evaluation, column, start), 1, others, level=level, clusters=clusters)
    return times_result(evaluation, drift._replace(left_out=columns.why_derived), column, start)


def find_drift_of_files(
    before: Evaluation, after: Evaluation, *, level: float = 0.95, clusters: Clusters | None = None
) -> Result:
    """Compare two files of different rows."""
    for evaluation in (before, after):
        check_predicted(evaluation)
    both, drift = compare_files(before, after, level=level, clusters=clusters)
    return files_result(both, drift, before.name, after.name)


def times_result(evaluation: Evaluation, drift: Drift, column: str, start: str) -> Result:
    """Say what changed from a date of a column on."""
    return _result(evaluation, drift, ("From ", Name(start), " on"), {"column": column, "since": start})


def files_result(both: Evaluation, drift: Drift, before: str, after: str) -> Result:
    """Say what changed from one file to another; both : the rows of the two."""
    return _result(both, drift, (Name(after), " against ", Name(before)), {"before": before, "after": after})


def _result(evaluation: Evaluation, drift: Drift, title: Words, about: Mapping[str, str]) -> Result:
    """Say the base rate first, then accuracy, then what moved."""
    numbers = {"drift": {**about, **to_json(evaluation, drift)}}
    sentences: list[Words] = [(f"{count(drift.n[0])} before, {drift.n[1]:,} after.",)]
    if math.isnan(drift.base_rate.difference):
        return say_weights(Result("drift", title, [*sentences, (NO_ROWS,)], [], [], numbers), evaluation)
    sentences += [_base_rate(evaluation, drift), *_accuracy(drift)]
    notes = list_reasons("Not compared", drift.left_out)
    notes += [] if drift.column is None else [_clusters(drift.column, drift.clusters)]
    if drift.without_weights is not None:
        notes.append((Name(drift.without_weights), " has no weights in use: each of its rows counts once."))
    return say_weights(Result("drift", title, sentences, [_moved(evaluation, drift)], notes, numbers), evaluation)


def _base_rate(evaluation: Evaluation, drift: Drift) -> Words:
    base, label = drift.base_rate, names_in_sentences(evaluation)[evaluation.labels[drift.code]]
    n = base.chosen_of
    most = f" Of {n} classes its share moved most; the interval allows for that choice." if n > 1 else ""
    moved = points(base.difference, base.low, base.high)
    return ("Base rate of ", Label(label), f": {_before_and_after(drift.base_rates)}, {moved}.{most}")


def _accuracy(drift: Drift) -> list[Words]:
    """Say how much of the change of accuracy is the mix of classes, and how much the rest."""
    change = drift.change
    if change is None or drift.accuracy is None or math.isnan(change.before):
        return []
    mix, rest = (points(part.value, part.low, part.high) for part in (change.mix, change.rest))
    sides = _before_and_after(drift.accuracy)
    parts = f"{mix} come from other shares of the true classes, {rest} from other accuracies within the classes."
    return [(f"Accuracy: {sides}. Of the change, {parts}",)]


def _before_and_after(sides: Sequence[Interval]) -> str:
    before, after = (write_cell(Share(side.value, side.low, side.high), str).whole for side in sides)
    return f"{before} before, {after} after"


def sort_moved(drift: Drift) -> list[Moved]:
    """Return what moved: the truth first, then scores, predictions and columns; of these the surest first."""

    def rank(moved: Moved) -> tuple[int, float]:
        return _ORDER.index(moved.what), math.inf if math.isnan(moved.p_adjusted) else moved.p_adjusted

    return sorted(drift.moved, key=rank)


def _moved(evaluation: Evaluation, drift: Drift) -> Table:
    columns = (
        Column("column", Name), Column("index", Number), Column("by chance up to", Number), Column("p", P),
        Column("moved most", Name), Column("before", Share), Column("after", Share),
    )  # fmt: skip
    rows = [_moved_cells(evaluation, moved, drift.clusters) for moved in sort_moved(drift)]
    note = (
        "The index is the population stability index of values or bins. By chance it stays below the number beside it "
        "in 95 of 100 files. p is corrected over this table (Benjamini–Hochberg)."
    )
    return Table("drift-table", "What moved", columns, rows, noun="column", in_order=True, note=(note,))


def _moved_cells(evaluation: Evaluation, moved: Moved, clusters: tuple[int, int] | None) -> tuple[Cell, ...]:
    """Return a line: an index needs two bins of enough rows, a test two clusters, or effective rows, on each side."""
    shift = moved.shift
    rows = "rows" if evaluation.units is None else "effective rows"
    index: Cell = Number(shift.psi)
    by_chance: Cell = Number(shift.by_chance)
    p: Cell = P(moved.p_adjusted)
    if math.isnan(shift.psi):
        index = by_chance = p = Unknown("one value" if shift.before == shift.after == 1 else f"too few {rows} to tell")
    elif math.isnan(shift.by_chance):
        by_chance = p = Unknown(f"too few {'clusters' if clusters else rows} to tell")
    most = Name(shorten_numbers(moved.value) if moved.value else "missing") if shift.largest >= 0 else ""
    sides = Share(shift.before), Share(shift.after)
    return (_name(evaluation, moved), index, by_chance, p, most, *sides)


def _name(evaluation: Evaluation, moved: Moved) -> Cell:
    if moved.what == "column":
        return Name(moved.column)
    if moved.what == "score":
        positive = evaluation.positive
        of = None if positive is None else names_in_sentences(evaluation)[evaluation.labels[positive]]
        return "Highest score" if of is None else Name(f"Score of {of}")
    return "True label" if moved.what == "truth" else "Predicted label"


def _clusters(column: str, clusters: Sequence[int] | None) -> Words:
    """Say which rows of a drift count together, or that every row counts by itself.

    clusters : before and after; None = they were not counted.
    """
    if clusters is None:
        narrow = "The intervals are too narrow, and the p values too small."
        return (
            "Every row counts by itself here: the earlier file has no ", Name(column),
            f", by which rows belong together. {narrow}",
        )  # fmt: skip
    together = f" count together: {count(clusters[0], 'cluster')} before, {clusters[1]:,} after."
    if min(clusters) < 2:
        together += " One cluster on a side tells nothing of chance: its intervals and p values are undefined."
    elif min(clusters) < FEW_CLUSTERS:
        together += f" Intervals from fewer than {FEW_CLUSTERS} are rough."
    return "Rows with the same ", Name(column), together


def to_json(evaluation: Evaluation, drift: Drift) -> dict[str, Any]:
    """Return what changed, as one dictionary; NaN = undefined."""
    change, counted = drift.change, drift.clusters
    tested = "; test of effective rows" if evaluation.units is not None else "; chi-squared test"
    by_clusters = ", by clusters" if counted else ""
    accuracy = None
    if change is not None and drift.accuracy is not None:
        accuracy = {
            "before": change.before, "after": change.after, "mix": change.mix._asdict(), "rest": change.rest._asdict(),
            "intervals": _ends(drift.accuracy), "method": f"delta method{by_clusters}",
        }  # fmt: skip
    return {
        "clusters": counted and {"column": drift.column, "before": counted[0], "after": counted[1]},
        "clusters_not_counted": drift.column if counted is None else None,
        "rows": {"before": drift.n[0], "after": drift.n[1]},
        "base_rate": {
            "class": evaluation.labels[drift.code], **drift.base_rate._asdict(), "intervals": _ends(drift.base_rates),
            "method": f"squares of the two intervals added{by_clusters or tested}",
        },
        "accuracy": accuracy,
        "moved": [
            {"what": move.what, "column": move.column or None, "moved_most": move.value, "p_adjusted": move.p_adjusted,
             **{name: getattr(move.shift, name) for name in ("psi", "by_chance", "p", "before", "after")}}
            for move in drift.moved
        ],
    }  # fmt: skip


def _ends(of_both: tuple[Interval, Interval]) -> dict[str, Any]:
    """Return the intervals of a share before and after."""
    return {name: interval.to_json() for name, interval in zip(("before", "after"), of_both, strict=True)}
