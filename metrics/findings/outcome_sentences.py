"""Sentences that a binary task opens with: its two kinds of wrong rows."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.one_vs_rest import OneClass, one_against_rest
from metrics.finding import Finding, Label, Severity
from text.numbers import number, percent

Parts = tuple[str | Label, ...]


def lead(counts: ConfusionCounts, positive: int) -> Parts:
    """Say in one sentence how many rows of each class were predicted as the other.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> found = lead(confusion_counts_from_matrix([[9884, 16], [93, 7]], ("healthy", "cancer")), 1)
    >>> Finding("x", "info", found).text
    "93 of 100 'cancer' rows were predicted as 'healthy'; 16 of 9,900 'healthy' rows were predicted as 'cancer'."
    """
    cells = one_against_rest(counts, positive)
    if cells.tp and cells.tn and counts.n == int(counts.correct.sum()):
        right = f"Every row is predicted right: {cells.tp:,} "
        return (right, Label(counts.labels[positive]), f" and {cells.tn:,} ", _others(counts, positive, cells), ".")
    return (*missed(counts, positive, cells), "; ", *describe_false_positives(counts, positive, cells), ".")


def missed(counts: ConfusionCounts, positive: int, cells: OneClass) -> Parts:
    """Say how many rows of the positive class were not predicted as it; as what, where it is one class."""
    name = Label(counts.labels[positive])
    n_true = cells.tp + cells.fn
    if not n_true:
        return ("No row is ", name)
    missed_rows = (f"{cells.fn:,} of {n_true:,} ", name, " row was" if n_true == 1 else " rows were")
    if _all_as_other(counts, positive, cells):
        return (*missed_rows, " predicted as ", Label(counts.labels[1 - positive]))
    return (*missed_rows, " missed")


def _all_as_other(counts: ConfusionCounts, positive: int, cells: OneClass) -> bool:
    """Return whether every missed row was predicted as the other class: none as a label outside, none unparseable."""
    return int(counts.rows[(counts.true == positive) & (counts.pred == 1 - positive)].sum()) == cells.fn


def describe_false_positives(counts: ConfusionCounts, positive: int, cells: OneClass) -> Parts:
    """Say how many rows of the other class were predicted as the positive one."""
    other = _others(counts, positive, cells)
    if not cells.fp + cells.tn:
        return ("no row is ", other)
    verb = " row was" if cells.fp + cells.tn == 1 else " rows were"
    return (f"{cells.fp:,} of {cells.fp + cells.tn:,} ", other, f"{verb} predicted as ", Label(counts.labels[positive]))


def _others(counts: ConfusionCounts, positive: int, cells: OneClass) -> str | Label:
    """Name the rows of no positive class: by the other class, where they all have that one."""
    other = 1 - positive
    return Label(counts.labels[other]) if int(counts.support[other]) == cells.fp + cells.tn else "other"


def outcome_findings(counts: ConfusionCounts, positive: int) -> Iterator[Finding]:
    """Yield the false negatives and the false positives of a binary task, where there are any.

    Where rows have weights, rates are by weight, and numbers of rows count every row once.
    """
    outcomes, weighted = one_against_rest(counts.by_row, positive), one_against_rest(counts, positive)
    leads_to = ": " if counts.counted is None else ". By weight, "
    if outcomes.fn and outcomes.tp + outcomes.fp:  # a class that is never predicted is a finding of its own
        share = weighted.fn / (weighted.tp + weighted.fn)
        recall = weighted.tp / (weighted.tp + weighted.fn)
        yield Finding(
            "missed",
            _severity(share, outcomes.fn),
            (*missed(counts.by_row, positive, outcomes), f"{leads_to}recall is {number(recall)}."),
            1.0,  # the first of its severity: what a binary task is about
            {"rows": outcomes.fn, "support": outcomes.tp + outcomes.fn, "recall": recall},
            (
                counts.labels[positive],
                *([counts.labels[1 - positive]] if _all_as_other(counts.by_row, positive, outcomes) else []),
            ),
        )
    if outcomes.fp:
        share = weighted.fp / (weighted.tp + weighted.fp)
        other = _others(counts.by_row, positive, outcomes)
        single = outcomes.tp + outcomes.fp == 1
        are, of_weight = ("are", "") if counts.counted is None else ("have", "weight of ")
        yield Finding(
            "false_alarms",
            _severity(share, outcomes.fp),
            (
                f"{outcomes.fp:,} of {outcomes.tp + outcomes.fp:,} {'row' if single else 'rows'} predicted as ",
                Label(counts.labels[positive]),
                f" {'is' if outcomes.fp == 1 else 'are'} wrong{leads_to}precision is {number(1 - share)}. ",
                f"They {are} {percent(weighted.fp / (weighted.fp + weighted.tn))} of the {of_weight}",
                other,
                " rows.",
            ),
            1.0,  # the first of its severity: what a binary task is about
            {"rows": outcomes.fp, "predicted": outcomes.tp + outcomes.fp, "precision": 1 - share},
            (counts.labels[positive], *([other.name] if isinstance(other, Label) else [])),
        )


def _severity(share: float, n: int) -> Severity:
    return "serious" if share >= 0.5 and n > 1 else "warning" if share >= 0.1 and n > 1 else "info"
