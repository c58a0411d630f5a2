"""Find scores that are far from what came true, further than chance explains: of the predictions, or of a label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from metrics.finding import Finding, Label, Severity
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
from text.numbers import count, number, percent, write_mean_score, write_size

if TYPE_CHECKING:
    from metrics.findings.tables import Counters, Predictions

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


class LabelCalibration(NamedTuple):
    """The label of several whose scores are furthest off beyond chance.

    error, chance : as of `Calibration`. n_off : labels that are clearly off. n_compared : labels with a probability.
    """

    label: str
    error: float
    chance: float
    n_off: int
    n_compared: int


def measure_calibration(p: Predictions, count: Counters) -> Calibration | None:
    """Return the calibration of the positive class, or of the predictions of several classes; None where undefined."""
    if p.task == "multilabel" or (p.task == "binary" and p.positive is None):
        return None
    binned = bin_probabilities(p, p.positive if p.task == "binary" else None, count)
    if binned is None:
        return None
    return summarise_calibration(binned, None if p.task == "binary" else mean_confidence(binned))


def bin_probabilities(p: Predictions, code: int | None, count: Counters) -> Reliability | None:
    """Return the scores of a class in ten bins, by the weights of rows; None where they are no probabilities.

    code : None = the scores of the predictions.
    """
    if p.scale == "score" or (code is None and not p.has_predictions):
        return None
    counts, logits = count.weighted(p, code), code is not None and p.scale == "logit"
    if counts is None or not has_probabilities(counts, logits):
        return None
    return count.reliability(p, code, counts, from_logits=logits)


def has_probabilities(counts: ScoreCounts, logits: bool) -> bool:
    """Return whether scores are probabilities, or can be logits of some."""
    return bool(counts.n and (not why_not_logits(counts) if logits else in_unit(counts.score)))


def find_worst_calibrated(p: Predictions, counters: Counters) -> LabelCalibration | None:
    """Return the label whose scores are furthest off beyond chance; None where no label's are clearly off.

    Ten bins of every label are looked at: the level of their intervals allows for all of them (Bonferroni).
    """
    if p.task != "multilabel":
        return None
    of_labels = {code: bin_probabilities(p, code, counters) for code in p.score_codes}
    bins = {code: of_label for code, of_label in of_labels.items() if of_label is not None}
    level = 1 - (1 - _BIN_LEVEL) / max(1, len(bins))
    measured = {code: summarise_calibration(of_label, level=level) for code, of_label in bins.items()}
    off = {code: label_calibration for code, label_calibration in measured.items() if _is_off(label_calibration)}
    if not off:
        return None
    code = max(off, key=lambda code: off[code].error - off[code].chance)
    return LabelCalibration(p.labels[code], off[code].error, off[code].chance, len(off), len(bins))


def summarise_calibration(
    bins: Reliability, confidence: MeanConfidence | None = None, *, level: float = _BIN_LEVEL
) -> Calibration:
    """Return the calibration errors of scores in bins; confidence : where the scores are those of the predictions.

    level : of the interval of each bin.
    """
    is_clear = clearest_gap(bins, level) is not None
    return Calibration(expected_calibration_error(bins), error_by_chance(bins), is_clear, confidence)


def is_far_from_truth(calibration: Calibration) -> bool:
    """Return whether scores are clearly off, by twice as much as chance explains."""
    return calibration.is_clear and calibration.error >= _OVER_CHANCE * calibration.chance


def _is_off(calibration: Calibration) -> bool:
    return is_far_from_truth(calibration) and calibration.error >= _LEAST


def label_calibration_finding(label: LabelCalibration) -> Finding:
    """Return the finding on labels whose scores are off: it names the worst one, and counts the others."""
    of_several = f" This is clear after Bonferroni over {label.n_compared:,} labels." if label.n_compared > 1 else ""
    others = label.n_off - 1
    more = f" The scores of {count(others, 'other label')} are off, too." if others else ""
    off = _describe_off(label.error, label.chance)
    return Finding(
        "miscalibrated",
        _severity(label.error),
        ("The scores of ", Label(label.label), f" {off}.{of_several}{more}"),
        label.error,
        {
            "expected_calibration_error": label.error, "by_chance": label.chance,
            "labels": label.n_off, "compared": label.n_compared,
        },
        (label.label,),
    )  # fmt: skip


def _severity(error: float) -> Severity:
    return "warning" if error >= _FAR else "info"


def _describe_off(error: float, chance: float) -> str:
    return f"are off by {number(error)} on average; chance alone would explain {number(chance)}"


def calibration_findings(calibration: Calibration) -> Iterator[Finding]:
    """Yield the finding on bad calibration: clearly, and by twice as much as chance explains."""
    if not _is_off(calibration):
        return
    evidence = {"expected_calibration_error": calibration.error, "by_chance": calibration.chance}
    sure = calibration.confidence
    if sure is not None and sure.verdict:
        evidence |= {"mean_confidence": sure.mean, "share": sure.right}
    heads = describe_calibration(calibration)
    yield Finding(
        "miscalibrated",
        _severity(calibration.error),
        (f"{'. '.join(heads)}.",),
        calibration.error,
        evidence,
    )


def describe_calibration(calibration: Calibration) -> tuple[str, ...]:
    """Say how far the scores are from what came true, the most telling clause first.

    >>> describe_calibration(Calibration(0.1, 0.02, True, None))
    ('The scores are off by 0.100 on average; chance alone would explain 0.020',)
    """
    if calibration.error <= calibration.chance or number(calibration.error) == number(calibration.chance):
        return (f"The scores are off by {number(calibration.error)} on average, no more than chance explains",)
    off = f"The scores {_describe_off(calibration.error, calibration.chance)}"
    sure = calibration.confidence
    if sure is None or not sure.verdict:
        return (off,)
    right = f"{percent(sure.right)} of rows{', by weight,' if sure.is_weighted else ''} are right"
    return (f"Confidence is {sure.verdict}: {percent(sure.mean)} on average, but {right}", off)


def describe_clearest_gap(bins: Reliability, share: str) -> str:
    """Return the bin that matters most, in one sentence; `share` is what comes true: "right" or "positive".

    >>> import numpy as np
    >>> from metrics.scores.curves import score_counts
    >>> from metrics.scores.reliability import reliability
    >>> found = reliability(score_counts(np.arange(100) < 20, np.full(100, 0.8)))
    >>> describe_clearest_gap(found, "right")
    'Of rows with scores around 80.0 %, 20.0 % are right: the scores are 60.0 points too high'
    """
    worst = clearest_gap(bins)
    if worst is None:
        return "No bin is off by more than chance explains"
    gap, mean = float(bins.gap[worst]), float(bins.mean_score[worst])
    came_true, side = percent(bins.positive_share[worst]), "high" if gap > 0 else "low"
    around, far = write_mean_score(mean), write_size(gap) if abs(gap) >= 0.0005 else f"{100 * abs(gap):.1g} points"
    by = ", by weight," if bins.is_weighted else ""
    return f"Of rows with scores around {around}, {came_true}{by} are {share}: the scores are {far} too {side}"
