"""Sentences that a binary task opens with: its two kinds of wrong rows."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.one_vs_rest import one_against_rest
from metrics.finding import Finding, Label, Severity
from metrics.outcomes import FourCounts
from text.numbers import count, number, percent, rows_are

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
        right = f"Every row is predicted right: {count(cells.tp)} of "
        other = _others(counts, positive, cells)
        others = other if isinstance(other, Label) else "other classes"
        return (right, Label(counts.labels[positive]), f" and {count(cells.tn)} of ", others, ".")
    return (*missed(counts, positive, cells), "; ", *describe_false_positives(counts, positive, cells), ".")


def missed(counts: ConfusionCounts, positive: int, cells: FourCounts) -> Parts:
    """Say how many rows of the positive class were not predicted as it; as what, where it is one class."""
    name = Label(counts.labels[positive])
    n_true = cells.tp + cells.fn
    if not n_true:
        return ("No row is ", name)
    missed_rows = (f"{cells.fn:,} of {n_true:,} ", name, f" {rows_are(cells.fn, n_true, now=False)}")
    if _all_as_other(counts, positive, cells):
        return (*missed_rows, " predicted as ", Label(counts.labels[1 - positive]))
    return (*missed_rows, " missed")


def _all_as_other(counts: ConfusionCounts, positive: int, cells: FourCounts) -> bool:
    """Return whether every missed row was predicted as the other class: none as a label outside, none unparseable."""
    return bool(counts.rows[(counts.true == positive) & (counts.pred == 1 - positive)].sum() == cells.fn)


def describe_false_positives(counts: ConfusionCounts, positive: int, cells: FourCounts) -> Parts:
    """Say how many rows of the other class were predicted as the positive one."""
    other = _others(counts, positive, cells)
    n_other = cells.fp + cells.tn
    if not n_other:
        return ("no row is ", other)
    verb = rows_are(cells.fp, n_other, now=False)
    return (f"{cells.fp:,} of {n_other:,} ", other, f" {verb} predicted as ", Label(counts.labels[positive]))


def _others(counts: ConfusionCounts, positive: int, cells: FourCounts) -> str | Label:
    """Name the rows of no positive class: by the other class, where they all have that one."""
    other = 1 - positive
    return Label(counts.labels[other]) if int(counts.support[other]) == cells.fp + cells.tn else "other"


def outcome_findings(counts: ConfusionCounts, positive: int) -> Iterator[Finding]:
    """Yield the false negatives and the false positives of a binary task, where there are any.

    Where rows have weights, rates are by weight, and numbers of rows count every row once.
    """
    cells, weighted = one_against_rest(counts.by_row, positive), one_against_rest(counts, positive)
    leads_to = ": " if counts.counted is None else ". By weight, "
    if cells.fn and cells.tp + cells.fp:  # a class that is never predicted is a finding of its own
        yield _missed_finding(counts.by_row, positive, cells, weighted, leads_to)
    if cells.fp:
        yield _false_alarms_finding(counts, positive, cells, weighted, leads_to)


def _missed_finding(
    counts: ConfusionCounts, positive: int, cells: FourCounts, weighted: FourCounts, leads_to: str
) -> Finding:
    n_true = weighted.tp + weighted.fn
    recall = weighted.tp / n_true
    labels = [counts.labels[positive]]
    if _all_as_other(counts, positive, cells):
        labels.append(counts.labels[1 - positive])
    return Finding(
        "missed",
        _severity(weighted.fn / n_true, cells.fn),
        (*missed(counts, positive, cells), f"{leads_to}recall is {number(recall)}."),
        1.0,  # the first of its severity: what a binary task is about
        {"rows": cells.fn, "support": cells.tp + cells.fn, "recall": recall},
        tuple(labels),
    )


def _false_alarms_finding(
    counts: ConfusionCounts, positive: int, cells: FourCounts, weighted: FourCounts, leads_to: str
) -> Finding:
    name, other = Label(counts.labels[positive]), _others(counts.by_row, positive, cells)
    n_predicted = cells.tp + cells.fp
    share = weighted.fp / (weighted.tp + weighted.fp)
    rows = "row" if n_predicted == 1 else "rows"
    they, are, have = ("It", "is", "has") if cells.fp == 1 else ("They", "are", "have")
    false_positive_rate = percent(weighted.fp / (weighted.fp + weighted.tn))
    beside = f"{they} {are} {false_positive_rate} of the "
    if counts.counted is not None:
        beside = f"{they} {have} {false_positive_rate} of the weight of "
    return Finding(
        "false_alarms",
        _severity(share, cells.fp),
        (
            f"{cells.fp:,} of {n_predicted:,} {rows} predicted as ",
            name,
            f" {are} wrong{leads_to}precision is {number(1 - share)}. ",
            beside,
            other,
            " rows.",
        ),
        1.0,  # the first of its severity: what a binary task is about
        {"rows": cells.fp, "predicted": n_predicted, "precision": 1 - share},
        (name.name, other.name) if isinstance(other, Label) else (name.name,),
    )


def _severity(share: float, n: int) -> Severity:
    if n < 2 or share < 0.1:
        return "info"
    return "serious" if share >= 0.5 else "warning"
