"""Find wrong rows that the model was sure of, more of them than its confidence allows."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.finding import Finding
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit
from metrics.scores.reliability import per_score
from metrics.shares import critical_value, wilson
from text.numbers import count, percent

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
    last = right.above(SURE) - 1
    if last < 0 or not in_unit(right.score):
        return
    wrong, n = int(right.fp[last]), int(right.tp[last] + right.fp[last])
    counts = right if by_weight is None else by_weight
    share, allowed, total = _share_wrong(counts)
    if not wrong or not wilson(share * total * shrinkage, total * shrinkage, critical_value(0.95)).low > allowed:
        return
    of_rows = f"So {percent(share)} of the {count(n, 'row')} with such a confidence {'is' if n == 1 else 'are'} wrong"
    yield Finding(
        "confident_errors",
        "warning",
        (
            f"{count(wrong, 'wrong row')} {'has' if wrong == 1 else 'have'} a confidence of {SURE:g} or more. ",
            of_rows
            if by_weight is None
            else f"By weight, {percent(share)} of the rows with such a confidence are wrong",
            f"; calibrated scores would allow {percent(allowed)}.",
        ),
        share * total / counts.n,
        {"rows": wrong, "sure_rows": n, "share": share, "allowed": allowed},
    )


def _share_wrong(right: ScoreCounts) -> tuple[float, float, int]:
    """Return the share of sure predictions that is wrong, the share that may be, and how many counts these are of."""
    last = right.above(SURE) - 1
    total = int(right.tp[last] + right.fp[last])
    allowed = 1 - float((per_score(right)[0][: last + 1] * right.score[: last + 1]).sum()) / total
    return int(right.fp[last]) / total, allowed, total
