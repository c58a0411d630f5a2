"""Find scores that are far from what came true, further than chance explains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from metrics.finding import Finding
from metrics.findings.score_checks import why_not_logits
from metrics.scores.calibration import (
    MeanConfidence,
    clearest_gap,
    error_by_chance,
    expected_calibration_error,
    mean_confidence,
)
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit
from metrics.scores.reliability import Reliability
from text.numbers import number, percent

if TYPE_CHECKING:
    from metrics.findings.tables import Predictions, ReliabilityOf

_BIN_LEVEL = 0.99
"""Of the interval of each of ten bins: among as many, one at 95 % would often be off by chance."""
_LEAST, _FAR, _OVER_CHANCE = 0.02, 0.05, 2
"""An error that is told, one that is worth a look, and how many times chance it has to be."""


class Calibration(NamedTuple):
    """Compare scores with what came true, in ten bins of equally many rows.

    error : expected calibration error. chance : what perfectly calibrated scores would show.
    is_clear : whether some bin lies outside its interval at 99 %.
    confidence : mean confidence beside the share that is right; None where the scores are of one class.
    """

    error: float
    chance: float
    is_clear: bool
    confidence: MeanConfidence | None


def measure_calibration(
    p: Predictions, scores: ScoreCounts | None, confidence: ScoreCounts | None, reliability_of: ReliabilityOf
) -> Calibration | None:
    """Return the calibration of the positive class, or of the predictions of several classes; None where undefined.

    scores : of the positive class. confidence : "the prediction is right" counted against the confidence in it.
    """
    if p.task == "multilabel" or p.scale == "score":
        return None
    logits = p.task == "binary" and p.scale == "logit"
    counts = scores if p.task == "binary" else confidence
    if counts is None or not counts.n or (logits and why_not_logits(counts)):
        return None
    if not logits and not in_unit(counts.score):
        return None
    found = reliability_of(p, counts, p.positive if p.task == "binary" else None, logits)
    return summarise_calibration(found, None if p.task == "binary" else mean_confidence(counts))


def summarise_calibration(found: Reliability, confidence: MeanConfidence | None = None) -> Calibration:
    """Return the calibration errors of scores in bins; confidence : where the scores are those of the predictions."""
    is_clear = clearest_gap(found, _BIN_LEVEL) is not None
    return Calibration(expected_calibration_error(found), error_by_chance(found), is_clear, confidence)


def is_far_from_truth(found: Calibration) -> bool:
    """Return whether scores are clearly off, by twice as much as chance explains."""
    return found.is_clear and found.error >= _OVER_CHANCE * found.chance


def calibration_findings(found: Calibration) -> Iterator[Finding]:
    """Yield the finding on bad calibration: clearly, and by twice as much as chance explains."""
    if not is_far_from_truth(found) or found.error < _LEAST:
        return
    evidence = {"expected_calibration_error": found.error, "by_chance": found.chance}
    sure = found.confidence
    if sure is not None and sure.verdict:
        evidence |= {"mean_confidence": sure.mean, "share": sure.right}
    heads = describe_calibration(found)
    yield Finding(
        "miscalibrated",
        "warning" if found.error >= _FAR else "info",
        (f"{'. '.join(heads)}.",),
        found.error,
        evidence,
    )


def describe_calibration(found: Calibration) -> tuple[str, ...]:
    """Say how far the scores are from what came true, the most telling clause first.

    >>> describe_calibration(Calibration(0.1, 0.02, True, None))
    ('The scores are off by 0.100 on average; chance alone would explain 0.020',)
    """
    off = f"The scores are off by {number(found.error)} on average"
    if found.error <= found.chance or number(found.error) == number(found.chance):
        return (f"{off}, no more than chance explains",)
    off += f"; chance alone would explain {number(found.chance)}"
    sure = found.confidence
    if sure is None or not sure.verdict:
        return (off,)
    right = percent(sure.right)
    return (f"Confidence is {sure.verdict}: {number(sure.mean)} on average, but {right} of rows are right", off)
