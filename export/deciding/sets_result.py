"""Write prediction sets as a result: how many labels they need to hold the true one as often as promised."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from data.columns.table_metadata import rows_left_out
from data.comparison.filter_conditions import find_rows_with
from data.errors import DataError
from data.evaluation import Evaluation
from export.deciding.probabilities import class_probabilities
from export.deciding.risk_result import PROMISE_TOO_GOOD
from export.interval_text import TOO_FEW
from export.measurement import Measurement
from export.result.kinds import Cell, Column, Count, Label, Number, Result, Share, Table, Unknown, Words
from metrics.finding import LOW_SUPPORT
from metrics.shares import critical_value, wilson
from metrics.thresholds.prediction_sets import predict_sets, set_limits
from text.intervals import name_interval
from text.numbers import count, number, percent

_TITLE: Words = ("Sets of labels that hold the true one",)
_LISTED_SIZES = 3
"""Sizes with a line of their own; larger sets share one."""
_SEED = 0
_ROWS_ONCE = "Every row counts once here: by weight, the promise would need the weight of each new row."


class Calibrating(NamedTuple):
    """Say which lines fix the limits of the sets; the others judge them.

    marks : bool (n,). named : which they are, in words.
    """

    marks: np.ndarray
    named: Words


def rows_with(evaluation: Evaluation, column: str, value: str) -> Calibrating:
    """Return the lines with a value of a column, such as split=calibration; DataError where none has it."""
    if rows_left_out(evaluation):
        raise DataError("Whoever shared this left the rows out, so no column can say which rows fix the sets.")
    named: Words = ("those with ", Label(column), " = ", Label(value))
    return Calibrating(find_rows_with(evaluation.rows, column, value), named)


def draw_half(measured: Measurement) -> np.ndarray:
    """Return a half of the lines, drawn with a fixed seed, bool (n,); lines that belong together stay together."""
    clusters, rng = measured.clusters, np.random.default_rng(_SEED)
    if clusters is None:
        return np.asarray(rng.permutation(len(measured.evaluation.y_true)) % 2 == 0)
    return np.asarray((rng.permutation(clusters.n) % 2 == 0)[clusters.codes])


class _Sets(NamedTuple):
    """Hold the sets of the lines that judge them: bool (n, K), and what is true there."""

    limits: np.ndarray
    sets: np.ndarray
    truth: np.ndarray
    n_calibrating: int

    @property
    def sizes(self) -> np.ndarray:
        """Return how many labels each set has."""
        return np.asarray(self.sets.sum(axis=1))

    @property
    def holds(self) -> np.ndarray:
        """Return whether each set holds the true label."""
        return np.asarray(self.sets[np.arange(len(self.truth)), self.truth])


def sets_result(
    measured: Measurement, coverage: float, calibrating: Calibrating | None = None, *, by_class: bool = False
) -> Result:
    """Return how large the sets are that hold the true label with a promised chance, and how often they do.

    coverage : the promise, from 0 to 1. calibrating : None = a random half. by_class : it holds for each class.
    """
    e = measured.evaluation
    probabilities = class_probabilities(e)
    if not isinstance(probabilities, str) and e.weights is not None:
        probabilities = "the file holds counts, not rows"
    if isinstance(probabilities, str):
        return Result("sets", _TITLE, [(f"Prediction sets need probabilities: {probabilities}.",)], [], [], {})
    sets = _judge(measured, probabilities, calibrating, coverage, by_class)
    if sets is None:
        few = "Prediction sets need rows to set them by, and others to judge them."
        return Result("sets", _TITLE, [(few,)], [], [], {})
    sentences = _sentences(measured, sets, coverage, by_class)
    tables = [_sizes_table(sets, measured.level), _classes_table(measured, sets)]
    notes = _notes(measured, sets, calibrating, by_class)
    numbers = {"prediction_sets": _numbers(measured, sets, coverage, by_class)}
    return Result("sets", _TITLE, sentences, tables, notes, numbers)


def _judge(
    measured: Measurement, probabilities: np.ndarray, calibrating: Calibrating | None, coverage: float, by_class: bool
) -> _Sets | None:
    """Return the sets of lines that took no part in fixing them; None where either part is empty.

    Without `calibrating`, each half of the lines is judged by the sets that the other fixes; all lines fix the limits.
    """
    e = measured.evaluation
    known = (e.y_true >= 0) & (e.y_true < e.n_space) & ~np.isnan(probabilities).any(axis=1) & e.has_weight
    half = draw_half(measured) if calibrating is None else calibrating.marks
    sets, truth = [], []
    for fixing in (half,) if calibrating is not None else (half, ~half):
        fixes, judged = known & fixing, known & ~fixing
        if not fixes.any() or not judged.any():
            return None
        limits = set_limits(probabilities[fixes], e.y_true[fixes], coverage, by_class=by_class)
        sets.append(predict_sets(probabilities[judged], limits))
        truth.append(e.y_true[judged])
    fixes = known if calibrating is None else known & half
    limits = set_limits(probabilities[fixes], e.y_true[fixes], coverage, by_class=by_class)
    return _Sets(limits, np.concatenate(sets), np.concatenate(truth), int(fixes.sum()))


def _sentences(measured: Measurement, sets: _Sets, coverage: float, by_class: bool) -> list[Words]:
    sizes, n = sets.sizes, len(sets.truth)
    promise = f"the true label in {percent(coverage)} of new rows" + (" of each class" if by_class else "")
    single = int((sizes == 1).sum())
    right = int(sets.holds[sizes == 1].sum())
    held = Share(sets.holds.mean(), *wilson(int(sets.holds.sum()), n, critical_value(measured.level)))
    of_single = f": {percent(right / single)} of them are right" if single else ""
    empty = int((sizes == 0).sum())
    none = f" {count(empty)} get an empty set: no label is likely enough." if empty else ""
    return [
        (f"Sets that hold {promise} have {number(float(sizes.mean()))} labels on average.",),
        (f"{percent(single / n)} of the rows get one label alone{of_single}.{none}",),
        (f"Judged on {count(n)}, {held.written.whole} hold the true label.",),
    ]


def _notes(measured: Measurement, sets: _Sets, calibrating: Calibrating | None, by_class: bool) -> list[Words]:
    """Say what the promise is about, and which classes have too few rows for it."""
    promise = "The promise is about new rows of the same kind (exchangeable), not about each row or slice."
    fixed: Words = (f"Each half of the rows, drawn at random (seed {_SEED}), is judged by sets that the other fixes.",)
    if calibrating is not None:
        fixed = (
            f"The sets are fixed on {count(sets.n_calibrating)}, ",
            *calibrating.named,
            "; the others judge them.",
        )
    notes: list[Words] = [(promise,), fixed]
    always = np.flatnonzero(np.isinf(sets.limits))
    if by_class and len(always):
        notes.append((f"{count(len(always), 'class')} with too few rows for the promise: in every set.",))
    elif len(always):
        notes.append(("Only sets of every label promise it on so few rows.",))
    if measured.clusters is not None:
        notes.append((PROMISE_TOO_GOOD,))
    return notes if measured.evaluation.units is None else [*notes, (_ROWS_ONCE,)]


def _sizes_table(sets: _Sets, level: float) -> Table:
    """Return a line for each size of the sets, with how often they hold the true label."""
    columns = (
        Column("labels in the set", str), Column("rows", Count), Column("share", Share),
        Column("hold the true label", Share, name_interval(level)),
    )  # fmt: skip
    parts = [(str(size), sets.sizes == size) for size in range(_LISTED_SIZES + 1)]
    parts.append((f"more than {_LISTED_SIZES}", sets.sizes > _LISTED_SIZES))
    rows = [(name, *_line(sets, inside, level)) for name, inside in parts if inside.any()]
    return Table("set-sizes", "How large the sets are", columns, rows, "size", in_order=True)


def _line(sets: _Sets, inside: np.ndarray, level: float) -> tuple[Cell, ...]:
    n, held = int(inside.sum()), int(sets.holds[inside].sum())
    ends = wilson(held, n, critical_value(level))
    return Count(n), Share(n / len(inside)), Share(held / n, *ends, few=TOO_FEW if n < LOW_SUPPORT else "")


def _classes_table(measured: Measurement, sets: _Sets) -> Table:
    """Return a line for each class: how often sets hold it where it is true, and how many labels they have there."""
    columns = (
        Column("class", Label), Column("true rows", Count),
        Column("in the set", Share, name_interval(measured.level)), Column("mean labels", Number),
    )  # fmt: skip
    rows = [_class_line(measured, sets, code) for code in range(measured.evaluation.n_space)]
    title = "How often each class is in the set where it is true"
    return Table("set-classes", title, columns, rows, "class", folded=True)


def _class_line(measured: Measurement, sets: _Sets, code: int) -> tuple[Cell, ...]:
    name = Label(measured.names[measured.evaluation.labels[code]])
    inside = sets.truth == code
    if not inside.any():
        return name, Count(0), Unknown("no true row"), Unknown("no true row")
    n, _, held = _line(sets, inside, measured.level)
    return name, n, held, Number(float(sets.sizes[inside].mean()))


def _numbers(measured: Measurement, sets: _Sets, coverage: float, by_class: bool) -> dict[str, Any]:
    """Return all of it in full precision; a limit of None = the class is in every set."""
    labels = measured.evaluation.labels
    low, high = wilson(int(sets.holds.sum()), len(sets.truth), critical_value(measured.level))
    limits = [None if math.isinf(limit) else 1 - limit for limit in sets.limits.tolist()]
    once = {} if measured.evaluation.units is None else {"by_weight": False}
    return {
        "coverage": coverage, "by_class": by_class, **once, "n_calibrating": sets.n_calibrating, "n": len(sets.truth),
        "held": {"value": float(sets.holds.mean()), "low": low, "high": high},
        "mean_size": float(sets.sizes.mean()), "rows_of_size": np.bincount(sets.sizes).tolist(),
        "least_probability": dict(zip(labels, limits, strict=False)),
    }  # fmt: skip
