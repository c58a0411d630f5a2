"""Write which rows are left to people as a result: the risk of the others at several coverages, and a promised risk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from export.cells import cut_cells
from export.confidence import right_and_confidence
from export.measurement import Measurement
from export.result.kinds import Amount, Column, Number, Result, Share, Table, Words
from metrics.intervals.rates import of_class
from metrics.intervals.statistic import interval
from metrics.outcomes import PRECISION
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.risk_coverage import Decided, area_under_risk, decide_share, promise_risk
from text.intervals import name_level
from text.numbers import number, percent, write_amount

_COVERAGES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
PROMISE_TOO_GOOD = "Rows belong together here, but the promise counts every row by itself: it is too good."
_NO_PROMISE = "No risk is promised where rows have weights: its test counts every row once."


def risk_result(measured: Measurement, risk: float, rows_a_day: float | None = None) -> Result:
    """Return how many of the most confident predictions are wrong, and from which confidence a risk is promised.

    risk : share of wrong rows among those decided, at most. rows_a_day : None = as many as here.
    """
    e, rows, lines = measured.evaluation, measured.count.confidence(measured.evaluation), None
    title: Words = ("Leave the least confident rows to people",)
    if rows is None or not rows.n or (lines := right_and_confidence(e)) is None:
        return Result("risk", title, [("No row has a probability of its prediction.",)], [], [], {})
    right, sure = lines
    counts = rows if e.units is None else measured.weighted_scores(None) or rows
    a_day = counts.n * counts.unit if rows_a_day is None else rows_a_day
    kept = promise_risk(rows, risk, measured.level) if e.units is None else None
    area, error = area_under_risk(counts, rows), counts.n_neg / counts.n
    steps = [decide_share(counts, coverage) for coverage in _COVERAGES]
    promise = _NO_PROMISE if e.units is not None else _say_promise(kept, counts, risk, a_day, measured.level)
    mean = f"Over all coverages, {percent(area)} of the rows decided are wrong on average (AURC)"
    numbers = {
        "aurc": area, "error": error, "most_risk": risk, "rows_a_day": a_day,
        "promised": None if kept is None else {**kept._asdict(), "coverage": kept.rows / counts.n},
        "coverages": [_step_numbers(step, counts, rows) for step in steps],
    }  # fmt: skip
    return Result(
        "risk", title, [(promise,), (f"{mean}; in random order {percent(error)} would be.",)],
        [_table(measured, ~right, sure, {step: step.rows / counts.n for step in steps}, a_day)],
        list(_notes(measured)), {"risk_coverage": numbers},
    )  # fmt: skip


def _notes(measured: Measurement) -> Iterator[Words]:
    if measured.evaluation.units is None:
        yield ("The promise holds for new rows of the same kind. It was tested on fixed thresholds (learn then test).",)
        if measured.clusters is not None:
            yield (PROMISE_TOO_GOOD,)
    else:
        yield ("All numbers here are by the weights of rows. Unless its rows are given, a day has the total weight.",)
    yield ("AURC has no interval: it is a mean over ranks.",)


def _say_promise(kept: Decided | None, counts: ScoreCounts, risk: float, rows: float, level: float) -> str:
    most = percent(risk)
    if kept is None:
        begin = "where the tests begin, too few rows are decided, or too many of these are wrong"
        return f"No confidence promises at most {most} wrong rows: {begin}."
    left = rows * (1 - kept.rows / counts.n)
    return (
        f"From confidence {number(kept.threshold)} up, at most {most} are wrong ({name_level(level)} sure); "
        f"{write_amount(left)} of {write_amount(rows)} rows a day are left to people."
    )


def _table(
    measured: Measurement, wrong: np.ndarray, sure: np.ndarray, steps: dict[Decided, float], a_day: float
) -> Table:
    """Return a line for each coverage, with the share of wrong rows among those decided."""
    columns = [Column("decided", Share), Column("confidence from", Number), Column("wrong of those", Share),
               Column("left to people a day", Amount)]  # fmt: skip
    lines = [
        (Share(share), Number(step.threshold), _share_wrong(measured, wrong, sure, step), Amount(a_day * (1 - share)))
        for step, share in steps.items()
    ]
    return Table("risk-coverage", "Risk at each coverage", columns, lines, noun="coverage", in_order=True)


def _share_wrong(measured: Measurement, wrong: np.ndarray, sure: np.ndarray, step: Decided) -> Share:
    """Return the share of wrong rows among those decided: the precision of a prediction that they are wrong."""
    cells = cut_cells(measured.evaluation, wrong, sure, step.threshold, measured.clusters)
    within = interval(of_class(cells, formula=PRECISION), cells, level=measured.level)
    return Share(within.value, within.low, within.high)


def _step_numbers(step: Decided, counts: ScoreCounts, rows: ScoreCounts) -> dict[str, float]:
    """Return what is decided at a coverage: rows, and where they have weights these, too."""
    right, wrong = rows.at(step.threshold)
    weights = {} if counts is rows else {"weight": step.rows * counts.unit, "wrong_weight": step.wrong * counts.unit}
    return {"threshold": step.threshold, "rows": right + wrong, "wrong": wrong, **weights,
            "coverage": step.rows / counts.n}  # fmt: skip
