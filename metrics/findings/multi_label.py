"""Findings read from multi-label counts: several labels a row."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from metrics.confusion.macro_gap import macro_gap_of_labels
from metrics.confusion.worst_confusions import mark_never_true
from metrics.finding import Finding, list_labels, not_offered
from metrics.findings.each_label import of_each_label, of_low_support
from metrics.findings.label_lists import of_absent, of_gap, of_never_true, tells_absent
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import MultilabelCounts
from text.numbers import count, percent


def of_label_sets(
    counts: MultilabelCounts,
    n_space: int | None = None,
    listed: tuple[int, ...] | None = None,
    ruled: Collection[int] = (),
) -> Iterator[Finding]:
    """Everything worth saying about several labels a row, in no order.

    n_space, listed : as `ConfusionCounts` has them.
    ruled : codes of labels whose threshold a rule chose: the rule judges them.
    """
    n_space = len(counts.labels) if n_space is None else n_space
    gap = macro_gap_of_labels(counts, n_space, listed)
    yield from of_gap(gap)
    unknown = mark_never_true(counts.support, counts.predicted, listed, n_space)
    if not tells_absent(gap):
        absent = np.flatnonzero(((counts.support == 0) & ~unknown)[:n_space])
        yield from of_absent(counts.labels, absent, n_space - gap.n_never_true, "label")
    yield from of_never_true(counts.labels, counts.predicted, unknown, n_space, counts.n, "predictions")
    yield from _subset_against_per_label(counts)
    yield from _never_predicted(counts, n_space)
    yield from _truth_outside(counts, n_space)
    yield from of_each_label(counts, {*ruled, *np.flatnonzero(unknown).tolist()})
    yield from of_low_support(counts)
    yield from _empty_label_sets(counts)


def _subset_against_per_label(counts: MultilabelCounts) -> Iterator[Finding]:
    subset, per_label = set_metrics.subset_accuracy(counts), set_metrics.per_label_accuracy(counts)
    if per_label - subset < 0.1:
        return
    yield Finding(
        "subset_far_below_per_label",
        "warning",
        (
            f"{percent(per_label)} of single label decisions are right (mean per-label accuracy), "
            f"but only {percent(subset)} of rows are right in "
            "every label (subset accuracy). Say which one you mean.",
        ),
        per_label - subset,
        {"subset_accuracy": subset, "per_label_accuracy": per_label},
    )


def _never_predicted(counts: MultilabelCounts, n_space: int) -> Iterator[Finding]:
    codes = np.flatnonzero((counts.support > 0) & (counts.predicted == 0))
    outside = int((codes >= n_space).sum())
    if outside == len(codes):  # none, or only labels that the finding on true labels outside the list tells
        return
    codes = codes[np.argsort(-counts.support[codes], kind="stable")]
    lost = int(counts.support[codes].sum())
    verb = "is" if len(codes) == 1 else "are"
    yield Finding(
        "never_predicted",
        "serious",
        (
            f"{count(len(codes), 'label')} with {count(lost, 'true row')} {verb} never predicted: ",
            *list_labels([counts.labels[code] for code in codes]),
            "." + not_offered(outside, len(codes)),
        ),
        lost / int(counts.support.sum()),
        {"classes": len(codes), "outside": outside},
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
            f"{len(codes):,} of the {count(true, 'true label')} {'is' if len(codes) == 1 else 'are'} not in the label "
            "set: ",
            *list_labels([counts.labels[code] for code in codes]),
            f". A model that keeps to the set finds {percent(1 - share)} of all true labels at most.",
        ),
        share,
        {"labels": len(codes), "true_labels": true, "recall_at_most": 1 - share},
    )


def _empty_label_sets(counts: MultilabelCounts) -> Iterator[Finding]:
    if not counts.n_empty_true:
        return
    text = (
        f"{count(counts.n_empty_true)} of {counts.n:,} have no true label at all. Subset "
        "accuracy counts such a row as right when nothing is predicted; "
        "samples-averaged F1 and Jaccard count it as 0."
    )
    yield Finding("empty_label_sets", "info", (text,), counts.n_empty_true / counts.n, {"rows": counts.n_empty_true})
