"""The panel's lists of what stands out in the matrix: each line leads to its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from charts.confusion import NO_LABEL
from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Which
from metrics.confusion import standouts, worst_confusions
from metrics.confusion.counts import ConfusionCounts
from text.numbers import count
from ui.text.markdown import percent
from ui.view import cache, measurement
from ui.view.panel import Item, Label, Section, label_of, md_label

STREAKS, PAIRS, CONFUSIONS = 3, 3, 5
_NAMED = 3

Words = tuple[str | Label, ...]
Line = tuple[Item, Which | None]
"""A line of the panel, and the rows it is about; None where there are none."""


class Found(NamedTuple):
    """Findings in the matrix: the columns, the pairs, the panel's sections, and the rows behind each line."""

    streaks: Sequence[standouts.Streak]
    both_ways: Sequence[standouts.BothWays]
    sections: Sequence[Section]
    steps: Mapping[str, Which]


@cache.kept(32)
def find(evaluation: Evaluation) -> Found:
    """Return what stands out in the matrix of an evaluation; with two classes no pair does."""
    counts = measurement.measure(evaluation).weighted_confusion
    of_rows = "rows" if counts.counted is None else "weight"
    streaks = standouts.streaks(counts)
    pairs = standouts.mutual_confusions(counts) if len(counts.labels) > 2 else []
    steps: dict[str, Which] = {}
    sections = []
    for title, amounts, lines, more in (
        (
            "Predicted too often",
            f"wrong {of_rows}",
            _streak_lines(evaluation, counts, streaks[:STREAKS]),
            _more_streaks(streaks),
        ),
        *_empty_sections(evaluation, counts, of_rows),
        ("Confused both ways", of_rows, _pair_lines(evaluation, counts, pairs[:PAIRS]), _more_pairs(pairs)),
        ("Most frequent confusions", of_rows, _confusion_lines(evaluation, counts), _more_confusions(counts)),
    ):
        if not lines:
            continue
        items = []
        for item, step in lines:
            if step is not None:
                item = item._replace(chosen=f"step:{len(steps)}")
                steps[item.chosen] = step
            items.append(item)
        sections.append(Section(title, items, amounts, more))
    return Found(streaks, pairs, sections, steps)


@cache.kept(64)
def title(evaluation: Evaluation) -> str:
    """Write what the matrix shows first, as Markdown; of 1,000 classes it is looked for among 640,000 cells."""
    codes = {label: code for code, label in enumerate(evaluation.labels)}
    parts = standouts.matrix_title(measurement.measure(evaluation).weighted_confusion)
    return "".join(part if isinstance(part, str) else md_label(evaluation, codes[part.name]) for part in parts)


def rows_of_streak(streak: standouts.Streak) -> Which:
    """Return the rows of other classes that were predicted as one."""
    return Which(pred=(streak.code,), only="errors")


def rows_of_pair(pair: standouts.BothWays) -> Which:
    """Return the rows of either class that were predicted as the other."""
    codes = (pair.first, pair.second)
    return Which(codes, codes, only="errors")


def as_counted(evaluation: Evaluation, which: Which) -> Which:
    """Return the rows that the matrix counts: those with both labels and, where rows have weights, with one above 0."""
    whole = bool(which.true) != bool(which.pred) or (evaluation.units is not None and bool(which.true))
    return (
        replace(which, only="scored")
        if whole and which.only == "all" and evaluation.n_scored < evaluation.n_rows
        else which
    )


def _streak_lines(evaluation: Evaluation, counts: ConfusionCounts, streaks: Sequence[standouts.Streak]) -> list[Line]:
    return [
        (
            Item(
                (label_of(evaluation, streak.code),),
                counts.write(streak.rows),
                (f"{'rows of ' if counts.counted is None else 'of '}{count(streak.classes, 'other class')}",),
            ),
            rows_of_streak(streak),
        )
        for streak in streaks
    ]


def _more_streaks(streaks: Sequence[standouts.Streak]) -> tuple[str, str] | None:
    return (f"All {len(streaks):,} classes predicted too often", "table:streaks") if len(streaks) > STREAKS else None


def _pair_lines(evaluation: Evaluation, counts: ConfusionCounts, pairs: Sequence[standouts.BothWays]) -> list[Line]:
    return [
        (
            Item(
                (label_of(evaluation, pair.first), " and ", label_of(evaluation, pair.second)),
                f"{counts.write(pair.there)} one way",
                share=f"{counts.write(pair.back)} the other",
            ),
            rows_of_pair(pair),
        )
        for pair in pairs
    ]


def _more_pairs(pairs: Sequence[standouts.BothWays]) -> tuple[str, str] | None:
    return (f"All {len(pairs):,} pairs confused both ways", "table:pairs") if len(pairs) > PAIRS else None


def _confusion_lines(evaluation: Evaluation, counts: ConfusionCounts) -> list[Line]:
    lines: list[Line] = []
    for confusion in worst_confusions.confusions(counts, limit=CONFUSIONS):
        gone = confusion.pred == UNPARSEABLE
        end: Words = (f", {NO_LABEL}",) if gone else (" as ", label_of(evaluation, confusion.pred))
        amount = f"{counts.write(confusion.rows)} of {counts.write(int(counts.support[confusion.true]))}"
        item = Item((label_of(evaluation, confusion.true), *end), amount, share=percent(confusion.share))
        lines.append((item, Which((confusion.true,), (confusion.pred,))))
    return lines


def _more_confusions(counts: ConfusionCounts) -> tuple[str, str] | None:
    n = int((counts.true != counts.pred).sum())
    return (f"All {n:,} confusions as a table", "table:confusions") if n > CONFUSIONS else None


def _empty_sections(
    evaluation: Evaluation, counts: ConfusionCounts, of_rows: str
) -> list[tuple[str, str, list[Line], None]]:
    """Return the sections of the four kinds of empty rows and columns, kept apart."""
    empty = standouts.empty(counts)
    return [
        ("Never predicted", f"true {of_rows}", _class_lines(evaluation, counts, empty.never_predicted, "true"), None),
        ("Never right", f"true {of_rows}", _class_lines(evaluation, counts, empty.never_right, "true"), None),
        (
            "Not in the data, so not scored",
            f"predicted {of_rows}",
            _class_lines(evaluation, counts, empty.absent, "pred"),
            None,
        ),
        (
            "Never true",
            f"predicted {of_rows}",
            _class_lines(evaluation, counts, empty.never_true, "pred"),
            None,
        ),
    ]


def _class_lines(evaluation: Evaluation, counts: ConfusionCounts, codes: np.ndarray, side: str) -> list[Line]:
    """Return one line for some classes: how many, their names, their true or predicted rows."""
    if not len(codes):
        return []
    rows = counts.support if side == "true" else counts.predicted
    n, several = int(rows[codes].sum()), len(codes) > 1
    words: list[str | Label] = [f"{count(len(codes), 'class')}: "] if several else []
    for place, code in enumerate(codes[:_NAMED].tolist()):
        words += [*([" "] if place else []), label_of(evaluation, code)]
    if len(codes) > _NAMED:
        words.append(f" and {len(codes) - _NAMED:,} more")
    chosen = tuple(codes.tolist())
    which = Which(true=chosen) if side == "true" else Which(pred=chosen)
    return [(Item(tuple(words), counts.write(n)), which if n else None)]
