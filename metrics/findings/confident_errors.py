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


def confident_findings(right: ScoreCounts) -> Iterator[Finding]:
    """Yield the finding on wrong rows with a confidence of 0.9 or more, where they are clearly more than it allows.

    right : "the prediction is right" counted against the confidence in it. Rows of a confidence c may be wrong in
        1 - c of the cases; the share that is wrong is compared with the mean of that by its Wilson interval, 95 %.
    """
    last = right.above(SURE) - 1
    if last < 0 or not in_unit(right.score):
        return
    wrong, n = int(right.fp[last]), int(right.tp[last] + right.fp[last])
    allowed = 1 - float((per_score(right)[0][: last + 1] * right.score[: last + 1]).sum()) / n
    if not wrong or not wilson(wrong, n, critical_value(0.95)).low > allowed:
        return
    yield Finding(
        "confident_errors",
        "warning",
        (
            f"{count(wrong, 'wrong row')} {'has' if wrong == 1 else 'have'} a confidence of {SURE:g} or more. ",
            f"So {percent(wrong / n)} of the {count(n, 'row')} with such a confidence {'is' if n == 1 else 'are'} "
            f"wrong; calibrated scores would allow {percent(allowed)}.",
        ),
        wrong / right.n,
        {"rows": wrong, "sure_rows": n, "share": wrong / n, "allowed": allowed},
    )
