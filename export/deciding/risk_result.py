"""Write which rows are left to people as a result: the risk of the others at several coverages, and a promised risk."""

from __future__ import annotations

from typing import Any

from export.file_reading import note_unweighted
from export.interval_text import name_level
from export.measurement import Measurement
from export.result.kinds import Amount, Column, Number, Result, Share, Table, Words
from metrics.scores.curves import ScoreCounts
from metrics.shares import critical_value, wilson
from metrics.thresholds.risk_coverage import Decided, area_under_risk, decide_share, promise_risk
from text.numbers import number, percent, write_amount

_COVERAGES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def risk_result(measured: Measurement, risk: float, rows_a_day: float | None = None) -> Result:
    """Return how many of the most confident predictions are wrong, and from which confidence a risk is promised.

    risk : share of wrong rows among those decided, at most. rows_a_day : None = as many as here.
    """
    counts = measured.count.confidence(measured.evaluation)
    title: Words = ("Leave the least confident rows to people",)
    if counts is None or not counts.n:
        return Result("risk", title, [("No row has a probability of its prediction.",)], [], [], {})
    z, rows = critical_value(measured.level), counts.n if rows_a_day is None else rows_a_day
    kept, area = promise_risk(counts, risk, measured.level), area_under_risk(counts)
    columns = [Column("decided", Share), Column("confidence from", Number), Column("wrong of those", Share),
               Column("left to people a day", Amount)]  # fmt: skip
    steps = [decide_share(counts, coverage) for coverage in _COVERAGES]
    lines = [_line(step, counts, rows, z) for step in dict.fromkeys(steps)]
    error = counts.n_neg / counts.n
    mean = f"Over all coverages, {percent(area)} of the rows decided are wrong on average (AURC)"
    sentences: list[Words] = [
        (_say_promise(kept, counts, risk, rows, measured.level),),
        (f"{mean}; in random order {percent(error)} would be.",),
    ]
    notes: list[Words] = [
        ("The promise holds for new rows of the same kind. It was tested on fixed thresholds (learn then test).",),
        ("AURC has no interval: it is a mean over ranks.",),
    ]
    if measured.clusters is not None:
        notes.append(("Rows belong together here, but the promise counts every row by itself: it is too good.",))
    notes += [(note,) for note in note_unweighted(measured.evaluation)]
    table = Table("risk-coverage", "Risk at each coverage", columns, lines, noun="coverage", in_order=True)
    numbers = {
        "aurc": area, "error": error, "most_risk": risk, "rows_a_day": rows,
        "promised": None if kept is None else {**kept._asdict(), "coverage": kept.rows / counts.n},
        "coverages": [{**step._asdict(), "coverage": step.rows / counts.n} for step in steps],
    }  # fmt: skip
    return Result("risk", title, sentences, [table], notes, {"risk_coverage": numbers})


def _say_promise(kept: Decided | None, counts: ScoreCounts, risk: float, rows: float, level: float) -> str:
    most = percent(risk)
    if kept is None:
        return f"No confidence promises at most {most} wrong rows: too few rows here, or too many of them wrong."
    left = rows * (1 - kept.rows / counts.n)
    return (
        f"From confidence {number(kept.threshold)} up, at most {most} are wrong ({name_level(level)} sure); "
        f"{write_amount(left)} of {write_amount(rows)} rows a day are left to people."
    )


def _line(step: Decided, counts: ScoreCounts, rows: float, z: float) -> tuple[Any, ...]:
    share = step.rows / counts.n
    wrong = Share(step.wrong / step.rows, *wilson(step.wrong, step.rows, z))
    return Share(share), Number(step.threshold), wrong, Amount(rows * (1 - share))
