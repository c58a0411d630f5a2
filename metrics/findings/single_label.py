"""Findings read from confusion counts: one label a row."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

import numpy as np

from metrics.confusion import label_metrics, worst_confusions
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts
from metrics.confusion.macro_gap import macro_gap
from metrics.confusion.worst_confusions import mark_never_true
from metrics.finding import LOW_SUPPORT, Finding, Label, Severity, list_labels
from metrics.findings.label_lists import (
    absent_findings,
    gap_findings,
    never_predicted_findings,
    never_true_findings,
    tells_absent,
    too_few_findings,
)
from metrics.findings.outcome_sentences import outcome_findings
from metrics.intervals.joint_counts import cells_of_counts
from metrics.intervals.ordered import steps_off
from metrics.shares import Bounds, critical_value, outnumbers, paired_difference
from text.numbers import count, percent, verb

FAR, TOLD_FAR = 2, 0.05
"""Rows off by so many steps are counted, and worth a look where they are so large a share of all."""


def single_label_findings(
    counts: ConfusionCounts,
    positive: int | None = None,
    rule: str = "",
    *,
    tells_gap: bool = False,
    shrinkage: float = 1.0,
) -> Iterator[Finding]:
    """Yield everything worth saying about the confusion counts, in no order.

    Where rows have weights, rates are by weight, and numbers of rows count every row once.

    positive : of a binary task, whose two kinds of wrong rows are told then.
    rule : what the threshold in use was chosen by; what judges it by something else is left out, or called expected.
    tells_gap : macro F1 is told to lie below micro F1.
    shrinkage : effective rows for each count; 1 = they count rows.
    """
    yield from _no_better_than_majority(counts, rule, shrinkage)
    gap = macro_gap(counts)
    if tells_gap:
        yield from gap_findings(gap)
    if not tells_gap or not tells_absent(gap):
        listed = counts.n_space - gap.n_never_true
        yield from absent_findings(counts.labels, worst_confusions.absent(counts), listed, "class")
    unknown = mark_never_true(counts.support, counts.predicted, counts.listed, counts.n_space)
    yield from never_true_findings(counts, unknown, counts.n_space)
    yield from never_predicted_findings(
        counts, counts.n_space, counts.n, "class", partial(_name_predictions, counts.by_row)
    )
    yield from _low_support(counts.by_row)
    for about in (_steps_off, _truth_outside, _unparseable):
        yield from about(counts)
    if positive is None:
        told = _favourites(counts, unknown, shrinkage)
        yield from told.values()
        yield from _worst_confusions(counts, told)
    else:
        yield from outcome_findings(counts, positive)


def _no_better_than_majority(counts: ConfusionCounts, rule: str, shrinkage: float) -> Iterator[Finding]:
    accuracy, baseline = label_metrics.accuracy(counts), label_metrics.baseline_accuracy(counts)
    if int((counts.support > 0).sum()) < 2:
        yield Finding(
            "one_class",
            "warning",
            (
                "Every row has the same true label ",
                Label(counts.labels[int(np.argmax(counts.support))]),
                ", so this file cannot show whether the model tells classes apart.",
            ),
            1.0,
        )
        return
    within = over_baseline(counts, shrinkage)
    if within.low > 0:
        return
    majority = counts.labels[int(np.argmax(counts.support))]
    word = "is lower than" if within.high < 0 else "is no better than"
    if accuracy > baseline:
        word = f"on {count(counts.by_row.n)}{_effective(counts, shrinkage)} is not clearly different from"
    severity: Severity = "warning" if accuracy > baseline else "serious"
    expected = ""
    if rule:  # it may cost accuracy on purpose
        severity = "info"
        expected = f" This is expected: the threshold was chosen for {rule}, not for accuracy."
    yield Finding(
        "no_better_than_majority",
        severity,
        (
            f"Accuracy {percent(accuracy)} {word} always predicting ",
            Label(majority),
            f", which would score {percent(baseline)}.{expected}",
        ),
        1.0,
        {"accuracy": accuracy, "baseline_accuracy": baseline},
    )


def _effective(counts: ConfusionCounts, shrinkage: float) -> str:
    """Return how many rows of equal weight tell as much, in brackets; nothing where rows have no weights."""
    if counts.counted is None:
        return ""
    return f" (as much as {counts.n * shrinkage:,.1f} rows of equal weight)"


def over_baseline(counts: ConfusionCounts, shrinkage: float = 1.0) -> Bounds:
    """Return the 95 % interval of accuracy less that of always predicting the most frequent true class.

    shrinkage : effective rows for each count; 1 = they count rows.
    """
    majority = int(np.argmax(counts.support))
    right, both, of_majority = int(counts.correct.sum()), int(counts.correct[majority]), int(counts.support[majority])
    neither = counts.n - right - of_majority + both
    only_majority, only_model = of_majority - both, right - both
    return paired_difference(
        both * shrinkage, only_majority * shrinkage, only_model * shrinkage, neither * shrinkage, critical_value(0.95)
    )


def _taker(counts: ConfusionCounts) -> tuple[int, int]:
    """Return what most rows of never predicted classes are predicted as, and how many; (UNPARSEABLE, 0) if nothing."""
    given = np.isin(counts.true, worst_confusions.never_predicted(counts)) & (counts.pred != UNPARSEABLE)
    if not given.any():
        return UNPARSEABLE, 0
    by_pred = np.bincount(counts.pred[given], counts.rows[given])
    return int(by_pred.argmax()), int(by_pred.max())


def _name_predictions(counts: ConfusionCounts, lost: int) -> Iterator[str | Label]:
    """Say what the rows of never predicted classes are predicted as, where it is mostly one class."""
    pred, n = _taker(counts)
    if 2 * n <= lost:
        return
    rows, were = "this row" if lost == 1 else "these rows", verb(n, "was")
    yield f" {n:,} of {rows} {were} predicted as "
    yield Label(counts.labels[pred])
    yield "."


def _truth_outside(counts: ConfusionCounts) -> Iterator[Finding]:
    codes = worst_confusions.outside_label_space(counts)
    codes = codes[counts.support[codes] > 0]
    if not len(codes):
        return
    codes = codes[np.argsort(-counts.support[codes], kind="stable")]
    rows, asked = counts.by_row, int((counts.support > 0).sum())
    n, right = int(rows.support[codes].sum()), int(rows.correct[codes].sum())
    outside = int(counts.support[codes].sum())
    most = (counts.n - outside) / counts.n
    anyway = f" ({count(right)} of them were predicted right all the same.)" if right else ""
    are, them = ("is", "it") if len(codes) == 1 else ("are", "them")
    yield Finding(
        "truth_outside_label_space",
        "serious",
        (
            f"{len(codes):,} of the {count(asked, 'true label')} {are} not in the label list: ",
            *list_labels([counts.labels[code] for code in codes], 3),
            (
                f". A model that predicts only listed labels cannot predict {them}: "
                f"{count(n)}, so its accuracy is {percent(most)} at most.{anyway}"
            ),
        ),
        outside / counts.n,
        {"rows": n, "labels": len(codes), "true_labels": asked, "accuracy_at_most": most},
    )


def _favourites(counts: ConfusionCounts, unknown: np.ndarray, shrinkage: float) -> dict[int, Finding]:
    """Return the findings on classes predicted far more often than true, by class; what others tell is left out.

    Where rows have weights, a class is one by its rows and by their weight.

    unknown : labels that are never true: every prediction of them is one too many, as their own finding says.
    """
    told: dict[int, Finding] = {}
    by_row = counts.by_row
    by_weight = {favourite.code for favourite in worst_confusions.favourites(counts)}
    never = set(worst_confusions.never_predicted(by_row).tolist())
    taker, _ = _taker(by_row)
    for favourite in worst_confusions.favourites(by_row):
        rows = sum(n for _, n in favourite.feeders)
        wrong, lost = counts.fp[favourite.code] * shrinkage, counts.fn[favourite.code] * shrinkage
        if favourite.code not in by_weight or not outnumbers(float(wrong), float(lost)):
            continue
        from_never = sum(n for code, n in favourite.feeders if code in never)
        is_taker = favourite.code == taker and 2 * from_never > favourite.predicted - favourite.support
        if unknown[favourite.code] or is_taker:  # the finding on labels never true, or never predicted, says so
            continue
        true_rows = f"only {count(favourite.support, 'true row')}" if favourite.support else "no true rows"
        told[favourite.code] = Finding(
            "favourite",
            "warning",
            (
                f"{count(rows)} of {count(len(favourite.feeders), 'other class')} were predicted as ",
                Label(counts.labels[favourite.code]),
                ". Most often ",
                *_feeders(by_row, favourite),
                ". The model predicts ",
                Label(counts.labels[favourite.code]),
                f" {favourite.predicted:,} times, but it has {true_rows}.",
            ),
            int(counts.predicted[favourite.code] - counts.support[favourite.code]) / counts.n,
            {"predicted": favourite.predicted, "support": favourite.support, "rows": rows},
            (counts.labels[favourite.code],),
        )
        if len(told) == 3:
            break
    return told


def _feeders(counts: ConfusionCounts, favourite: worst_confusions.Favourite) -> Iterator[str | Label]:
    """Name the classes that feed a favourite, with their rows."""
    for place, (code, n) in enumerate(favourite.feeders[:3]):
        yield from ((", " if place else ""), Label(counts.labels[code]), f" ({count(n)})")
    if len(favourite.feeders) > 3:
        yield f" and {len(favourite.feeders) - 3:,} more"


def _worst_confusions(counts: ConfusionCounts, favourites: Collection[int]) -> Iterator[Finding]:
    """Yield the fullest wrong cells that no other finding tells: of predicted classes, with favourites and labels
    that are never true left out.
    """
    left_out = [UNPARSEABLE, *favourites, *worst_confusions.never_true(counts).tolist()]
    told = np.isin(counts.pred, left_out) | np.isin(counts.true, worst_confusions.never_predicted(counts))
    for confusion in worst_confusions.confusions(counts, limit=3, among=~told):
        true, pred = counts.labels[confusion.true], counts.labels[confusion.pred]
        rows = counts.by_row.count(confusion.true, confusion.pred)
        support = int(counts.by_row.support[confusion.true])
        of_rows, were = "row" if support == 1 else "rows", verb(rows, "was")
        yield Finding(
            "confusion",
            "warning" if confusion.share >= 0.1 and rows > 1 else "info",
            (
                f"{rows:,} of {support:,} ",
                Label(true),
                f" {of_rows} {were} predicted as ",
                Label(pred),
                f" ({percent(confusion.share)}{_by_weight(counts)}).",
            ),
            confusion.rows / counts.n,
            {"rows": rows, "support": support},
            (true, pred),
        )


def _by_weight(counts: ConfusionCounts) -> str:
    """Return what follows a share beside numbers of rows, which do not make it where rows have weights."""
    return "" if counts.counted is None else " by weight"


def _steps_off(counts: ConfusionCounts) -> Iterator[Finding]:
    """Count the rows of ordered labels that are off by two steps or more, and name the fullest such cell."""
    far = steps_off(cells_of_counts(counts)) >= FAR  # without a place in the order: no
    if not far.any():
        return
    fullest = int(np.argmax(np.where(far, counts.rows, 0)))
    share = int(counts.rows[far].sum()) / counts.n
    by_row = counts.by_row
    rows, n_wrong = int(by_row.rows[far].sum()), by_row.n - int(by_row.correct.sum())
    yield Finding(
        "steps_off",
        "warning" if share >= TOLD_FAR else "info",
        (
            f"{rows:,} of {count(n_wrong, 'wrong row')} {verb(rows, 'is')} off by two steps or more. Most often ",
            Label(counts.labels[int(counts.true[fullest])]),
            " was predicted as ",
            Label(counts.labels[int(counts.pred[fullest])]),
            f" ({count(int(by_row.rows[fullest]))}).",
        ),
        share,
        {"rows": rows},
    )


def _unparseable(counts: ConfusionCounts) -> Iterator[Finding]:
    if not counts.n_unparsed:
        return
    share, rows = counts.n_unparsed / counts.n, counts.by_row
    yield Finding(
        "unparseable",
        "serious" if share >= 0.05 else "warning",
        (
            f"No label was found in {rows.n_unparsed:,} of {count(rows.n, 'answer')} "
            f"({percent(share)}{_by_weight(counts)}). Accuracy "
            f"is {percent(label_metrics.accuracy(counts))} with them counted wrong and "
            f"{percent(label_metrics.accuracy_parsed(counts))} over the other rows.",
        ),
        share,
        {"rows": rows.n_unparsed, "share": share},
    )


def _low_support(counts: ConfusionCounts) -> Iterator[Finding]:
    codes = np.flatnonzero((counts.support > 0) & (counts.support < LOW_SUPPORT))
    yield from too_few_findings(counts.labels, codes, int((counts.support > 0).sum()), "class")
