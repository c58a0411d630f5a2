"""Findings read from multi-label counts: several labels a row."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from metrics.confusion.macro_gap import macro_gap_of_labels
from metrics.confusion.worst_confusions import mark_never_true
from metrics.finding import LOW_SUPPORT, Finding, Label, list_labels
from metrics.findings.label_lists import (
    absent_findings,
    gap_findings,
    never_predicted_findings,
    never_true_findings,
    tells_absent,
    too_few_findings,
)
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.shares import outnumbers
from text.numbers import count, number, percent, rows_are, verb


def multi_label_findings(
    counts: MultilabelCounts,
    n_space: int | None = None,
    listed: tuple[int, ...] | None = None,
    ruled: Collection[int] = (),
    *,
    tells_gap: bool = True,
    shrinkage: float = 1.0,
) -> Iterator[Finding]:
    """Yield everything worth saying about several labels a row, in no order.

    Where rows have weights, rates are by weight, and numbers of rows count every row once.

    n_space, listed : as `ConfusionCounts` has them.
    ruled : codes of labels whose threshold a rule chose: the rule judges them.
    tells_gap : macro F1 is told to lie below micro F1, where it is far below.
    shrinkage : effective rows for each count; 1 = they count rows.
    """
    n_space = len(counts.labels) if n_space is None else n_space
    gap = macro_gap_of_labels(counts, n_space, listed)
    if tells_gap:
        yield from gap_findings(gap)
    unknown = mark_never_true(counts.support, counts.predicted, listed, n_space)
    if not tells_gap or not tells_absent(gap):
        absent = np.flatnonzero(((counts.support == 0) & ~unknown)[:n_space])
        yield from absent_findings(counts.labels, absent, n_space - gap.n_never_true, "label")
    yield from never_true_findings(counts, unknown, n_space, "predictions")
    yield from _subset_against_per_label(counts)
    yield from never_predicted_findings(counts, n_space, int(counts.support.sum()), "label")
    yield from _truth_outside(counts, n_space)
    yield from _each_label(counts, {*ruled, *np.flatnonzero(unknown).tolist()}, shrinkage)
    yield from _low_support(counts.by_row)
    yield from _empty_label_sets(counts)


def _subset_against_per_label(counts: MultilabelCounts) -> Iterator[Finding]:
    subset, per_label = set_metrics.subset_accuracy(counts), set_metrics.per_label_accuracy(counts)
    if per_label - subset < 0.1:
        return
    yield Finding(
        "subset_far_below_per_label",
        "warning",
        (
            f"{percent(per_label)} of single label decisions are right (mean per-label accuracy), but only "
            f"{percent(subset)} of rows are right in every label (subset accuracy). If you quote an accuracy, say "
            "which one it is.",
        ),
        per_label - subset,
        {"subset_accuracy": subset, "per_label_accuracy": per_label},
    )


def _truth_outside(counts: MultilabelCounts, n_space: int) -> Iterator[Finding]:
    codes = np.flatnonzero(counts.support > 0)
    true, codes = len(codes), codes[codes >= n_space]
    if not len(codes):
        return
    share = float(counts.support[codes].sum()) / int(counts.support.sum())
    yield Finding(
        "truth_outside_label_space",
        "serious",
        (
            f"{len(codes):,} of the {count(true, 'true label')} {verb(len(codes), 'is')} not in the label list: ",
            *list_labels([counts.labels[code] for code in codes]),
            f". A model that predicts only listed labels finds {percent(1 - share)} of all true labels at most.",
        ),
        share,
        {"labels": len(codes), "true_labels": true, "recall_at_most": 1 - share},
    )


def _empty_label_sets(counts: MultilabelCounts) -> Iterator[Finding]:
    if not counts.n_empty_true:
        return
    rows = counts.by_row
    text = (
        f"{count(rows.n_empty_true)} of {rows.n:,} have no true label at all. Subset "
        "accuracy counts such a row as right when nothing is predicted; "
        "samples-averaged F1 and Jaccard count it as 0."
    )
    yield Finding("empty_label_sets", "info", (text,), counts.n_empty_true / counts.n, {"rows": rows.n_empty_true})


def _each_label(counts: MultilabelCounts, left_out: Collection[int], shrinkage: float) -> Iterator[Finding]:
    """Yield what stands out in labels that are true and predicted, and have rows enough to tell.

    Of each kind one finding names the worst label and counts the others: so many labels never drown the other findings.

    left_out : codes of labels that are told otherwise: by the rule of their threshold, or as never true.
    shrinkage : as in `multi_label_findings`.
    """
    rows = counts.by_row
    others = ~np.isin(np.arange(len(counts.labels)), list(left_out))
    missed = others & (rows.support >= LOW_SUPPORT) & (rows.predicted > 0) & (counts.fn > counts.tp)
    yield from _find_missed(counts, np.flatnonzero(missed))
    alarms = others & (rows.predicted >= LOW_SUPPORT) & _outnumbers(counts.fp * shrinkage, counts.tp * shrinkage)
    yield from _false_alarms(counts, np.flatnonzero(alarms))
    negatives = rows.fp + rows.tn
    always = others & ~missed & (rows.support >= LOW_SUPPORT) & (rows.predicted > 0)
    always &= _outnumbers(counts.fn * shrinkage, counts.tn * shrinkage)
    yield from _worse_than_always(counts, np.flatnonzero(always & (negatives > 0)))


def _outnumbers(more: np.ndarray, fewer: np.ndarray) -> np.ndarray:
    """Return the labels for which one count of rows is clearly larger than another, bool (L,)."""
    return np.array([outnumbers(*pair) for pair in zip(more.tolist(), fewer.tolist(), strict=True)], dtype=bool)


def _lead_to_rate(counts: MultilabelCounts) -> str:
    """Return what leads from numbers of rows to a rate, which they do not make where rows have weights."""
    return ": " if counts.counted is None else ". By weight, "


def _find_missed(counts: MultilabelCounts, codes: np.ndarray) -> Iterator[Finding]:
    if not len(codes):
        return
    codes = _order_codes(codes, counts.tp[codes] / counts.support[codes], counts.fn[codes])
    worst = int(codes[0])
    fn, support = int(counts.by_row.fn[worst]), int(counts.by_row.support[worst])
    recall = float(counts.tp[worst] / counts.support[worst])
    half = "the rows are" if counts.counted is None else "the weight is"
    yield Finding(
        "label_missed",
        "serious",
        (
            f"{fn:,} of {support:,} ",
            Label(counts.labels[worst]),
            f" {rows_are(fn, support, now=False)} missed{_lead_to_rate(counts)}recall is {number(recall)}.",
            *_others(counts, codes, f"More than half of {half} missed for"),
        ),
        float(counts.fn[codes].sum() / counts.support.sum()),
        {"rows": fn, "support": support, "recall": recall, "labels": len(codes)},
        (counts.labels[worst],),
    )


def _false_alarms(counts: MultilabelCounts, codes: np.ndarray) -> Iterator[Finding]:
    if not len(codes):
        return
    codes = _order_codes(codes, counts.tp[codes] / counts.predicted[codes], counts.fp[codes])
    worst = int(codes[0])
    fp, predicted = int(counts.by_row.fp[worst]), int(counts.by_row.predicted[worst])
    precision = float(counts.tp[worst] / counts.predicted[worst])
    weighted = "" if counts.counted is None else ", by weight,"
    yield Finding(
        "label_false_alarms",
        "serious",
        (
            f"{fp:,} of {predicted:,} rows predicted as ",
            Label(counts.labels[worst]),
            f" are wrong{_lead_to_rate(counts)}precision is {number(precision)}. "
            "Never predicting it would make fewer mistakes.",
            *_others(counts, codes, f"More predictions are wrong than right{weighted} for"),
        ),
        float(counts.fp[codes].sum() / counts.predicted.sum()),
        {"rows": fp, "predicted": predicted, "precision": precision, "labels": len(codes)},
        (counts.labels[worst],),
    )


def _worse_than_always(counts: MultilabelCounts, codes: np.ndarray) -> Iterator[Finding]:
    if not len(codes):
        return
    saved = counts.fn[codes] - counts.tn[codes]
    codes = _order_codes(codes, -saved / counts.n, counts.fn[codes])
    worst = int(codes[0])
    wrong, without = int(counts.fn[worst] + counts.fp[worst]), int(counts.fp[worst] + counts.tn[worst])
    told: tuple[float, float] = wrong, without
    amounts = f"{wrong:,} of {count(counts.n)}", f"{without:,}"
    if counts.counted is not None:
        told = wrong / counts.n, without / counts.n
        amounts = f"{percent(told[0])} of the weight", percent(told[1])
    yield Finding(
        "label_worse_than_always",
        "warning",
        (
            Label(counts.labels[worst]),
            f" is predicted wrongly in {amounts[0]}. Always predicting it would be wrong in {amounts[1]}.",
            *_others(counts, codes, "The same holds for"),
        ),
        float((wrong - without) / counts.n),
        {"wrong": told[0], "always": told[1], "labels": len(codes)},
        (counts.labels[worst],),
    )


def _low_support(counts: MultilabelCounts) -> Iterator[Finding]:
    """Yield that some labels have too few rows with them, or too few without, to be judged."""
    true, free = counts.support, counts.n - counts.support
    few = np.flatnonzero((true > 0) & (true < LOW_SUPPORT))
    n_labels = len(counts.labels)
    yield from too_few_findings(counts.labels, few[np.argsort(true[few], kind="stable")], n_labels, "label")
    few = np.flatnonzero((free < LOW_SUPPORT) & (true >= LOW_SUPPORT))
    few = few[np.argsort(free[few], kind="stable")]
    yield from too_few_findings(counts.labels, few, n_labels, "label", "low_negatives", "rows without it")


def _order_codes(codes: np.ndarray, lowest: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return the codes, the lowest value first; of equal ones that with the most rows, then in label order."""
    return codes[np.lexsort((-most, lowest))]


def _others(counts: MultilabelCounts, codes: np.ndarray, verb: str) -> Iterator[str | Label]:
    """Count and name the labels after the worst."""
    if len(codes) > 1:
        yield f" {verb} {count(len(codes) - 1, 'other label')}: "
        yield from list_labels([counts.labels[code] for code in codes[1:]])
        yield "."
