"""Findings on single labels of multi-label counts: of each kind one, which names the worst label and counts the others.

So many labels never drown the other findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from metrics.finding import LOW_SUPPORT, Finding, Label, list_labels
from metrics.findings.clear_differences import outnumbers
from metrics.multilabel.set_metrics import MultilabelCounts
from text.numbers import count


def of_each_label(counts: MultilabelCounts, left_out: Collection[int] = ()) -> Iterator[Finding]:
    """Yield what stands out in labels that are true and predicted, and have rows enough to tell.

    left_out : codes of labels that are told otherwise: by the rule of their threshold, or as never true.
    """
    others = ~np.isin(np.arange(len(counts.labels)), list(left_out))
    missed = others & (counts.support >= LOW_SUPPORT) & (counts.predicted > 0) & (counts.fn > counts.tp)
    yield from _missed(counts, np.flatnonzero(missed))
    alarms = others & (counts.predicted >= LOW_SUPPORT) & _outnumbers(counts.fp, counts.tp)
    yield from _false_alarms(counts, np.flatnonzero(alarms))
    negatives = counts.fp + counts.tn
    always = (
        others & ~missed & (counts.support >= LOW_SUPPORT) & (counts.predicted > 0) & _outnumbers(counts.fn, counts.tn)
    )
    yield from _worse_than_always(counts, np.flatnonzero(always & (negatives > 0)))


def _outnumbers(more: np.ndarray, fewer: np.ndarray) -> np.ndarray:
    """Return the labels for which one count of rows is clearly larger than another, bool (L,)."""
    return np.array([outnumbers(*pair) for pair in zip(more.tolist(), fewer.tolist(), strict=True)], dtype=bool)


def _missed(counts: MultilabelCounts, codes: np.ndarray) -> Iterator[Finding]:
    if not len(codes):
        return
    codes = _ordered(codes, counts.tp[codes] / counts.support[codes], counts.fn[codes])
    worst, fn, support = int(codes[0]), int(counts.fn[codes[0]]), int(counts.support[codes[0]])
    recall = (support - fn) / support
    yield Finding(
        "label_missed",
        "serious",
        (
            f"{fn:,} of {support:,} ",
            Label(counts.labels[worst]),
            f" rows were missed: recall is {recall:.3f}.",
            *_others(counts, codes, "More than half of the rows is missed for"),
        ),
        float(counts.fn[codes].sum() / counts.support.sum()),
        {"rows": fn, "support": support, "recall": recall, "labels": len(codes)},
        (counts.labels[worst],),
    )


def _false_alarms(counts: MultilabelCounts, codes: np.ndarray) -> Iterator[Finding]:
    if not len(codes):
        return
    codes = _ordered(codes, counts.tp[codes] / counts.predicted[codes], counts.fp[codes])
    worst, fp, predicted = int(codes[0]), int(counts.fp[codes[0]]), int(counts.predicted[codes[0]])
    precision = (predicted - fp) / predicted
    yield Finding(
        "label_false_alarms",
        "serious",
        (
            f"{fp:,} of {predicted:,} rows predicted as ",
            Label(counts.labels[worst]),
            f" are false alarms: precision is {precision:.3f}. Never predicting it would make fewer mistakes.",
            *_others(counts, codes, "False alarms outnumber hits for"),
        ),
        float(counts.fp[codes].sum() / counts.predicted.sum()),
        {"rows": fp, "predicted": predicted, "precision": precision, "labels": len(codes)},
        (counts.labels[worst],),
    )


def _worse_than_always(counts: MultilabelCounts, codes: np.ndarray) -> Iterator[Finding]:
    if not len(codes):
        return
    saved = counts.fn[codes] - counts.tn[codes]
    codes = _ordered(codes, -saved / counts.n, counts.fn[codes])
    worst = int(codes[0])
    wrong, without = int(counts.fn[worst] + counts.fp[worst]), int(counts.fp[worst] + counts.tn[worst])
    yield Finding(
        "label_worse_than_always",
        "warning",
        (
            Label(counts.labels[worst]),
            f" is decided wrongly in {wrong:,} of {count(counts.n)}. Always predicting it would be wrong in ",
            f"{without:,}.",
            *_others(counts, codes, "The same holds for"),
        ),
        float((wrong - without) / counts.n),
        {"wrong": wrong, "always": without, "labels": len(codes)},
        (counts.labels[worst],),
    )


def of_low_support(counts: MultilabelCounts) -> Iterator[Finding]:
    """Yield that some labels have too few rows with them, or too few without, to be judged."""
    true, free = counts.support, counts.n - counts.support
    few = np.flatnonzero((true > 0) & (true < LOW_SUPPORT))
    yield from _too_few(counts, few[np.argsort(true[few], kind="stable")], "low_support", "true rows")
    few = np.flatnonzero((free < LOW_SUPPORT) & (true >= LOW_SUPPORT))
    yield from _too_few(counts, few[np.argsort(free[few], kind="stable")], "low_negatives", "rows without it")


def _too_few(counts: MultilabelCounts, codes: np.ndarray, code: str, what: str) -> Iterator[Finding]:
    if not len(codes):
        return
    yield Finding(
        code,
        "info",
        (
            f"{count(len(codes), 'label')} {'has' if len(codes) == 1 else 'have'} fewer than {LOW_SUPPORT} {what}, "
            "too few to tell: ",
            *list_labels([counts.labels[each] for each in codes]),
            ".",
        ),
        len(codes) / len(counts.labels),
        {"classes": len(codes)},
        (counts.labels[int(codes[0])],),
    )


def _ordered(codes: np.ndarray, lowest: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return the codes, the lowest value first; of equal ones that with the most rows, then in label order."""
    return codes[np.lexsort((-most, lowest))]


def _others(counts: MultilabelCounts, codes: np.ndarray, verb: str) -> Iterator[str | Label]:
    """Count and name the labels after the worst."""
    if len(codes) > 1:
        yield f" {verb} {count(len(codes) - 1, 'other label')}: "
        yield from list_labels([counts.labels[code] for code in codes[1:]])
        yield "."
