"""Find wrong rows that the model was sure of, more of them than its confidence allows."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.finding import Finding
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit
from metrics.scores.reliability import per_score
from metrics.shares import critical_value, wilson
from text.numbers import count, percent, verb

SURE = 0.9
"""A prediction with at least this confidence is called sure."""


def confident_findings(
    right: ScoreCounts, by_weight: ScoreCounts | None = None, shrinkage: float = 1.0
) -> Iterator[Finding]:
    """Yield the finding on wrong rows with a confidence of 0.9 or more, where they are clearly more than it allows.

    right : "the prediction is right" counted against the confidence in it. Rows of a confidence c may be wrong in
        1 - c of the cases; the share that is wrong is compared with the mean of that by its Wilson interval, 95 %.
    by_weight : the same in units of weight, which both shares are of; None where rows have no weights.
    shrinkage : effective rows for each unit.
    """
    if not right.above(SURE) or not in_unit(right.score):
        return
    n_wrong, n_sure, _ = _count_sure(right)
    counts = right if by_weight is None else by_weight
    weight_wrong, weight, allowed = _count_sure(counts)
    share = weight_wrong / weight
    lowest = wilson(share * weight * shrinkage, weight * shrinkage, critical_value(0.95)).low
    if not n_wrong or lowest <= allowed:
        return
    if by_weight is None:
        wrong = f"So {percent(share)} of the {count(n_sure, 'row')} with such a confidence {verb(n_sure, 'is')} wrong"
    else:
        wrong = f"By weight, {percent(share)} of the rows with such a confidence are wrong"
    yield Finding(
        "confident_errors",
        "warning",
        (
            f"{count(n_wrong, 'wrong row')} {verb(n_wrong, 'has')} a confidence of {SURE:g} or more. ",
            wrong,
            f"; calibrated scores would allow {percent(allowed)}.",
        ),
        share * weight / counts.n,
        {"rows": n_wrong, "sure_rows": n_sure, "share": share, "allowed": allowed},
    )


def _count_sure(right: ScoreCounts) -> tuple[int, int, float]:
    """Return how many sure predictions are wrong, how many there are, and which share of them may be wrong."""
    n_scores = right.above(SURE)
    n_right, n_wrong = int(right.tp[n_scores - 1]), int(right.fp[n_scores - 1])
    rows_per_score, _ = per_score(right)
    confidence = float((rows_per_score[:n_scores] * right.score[:n_scores]).sum())
    n = n_right + n_wrong
    return n_wrong, n, 1 - confidence / n
