"""Compare scores with what came true: the errors in numbers, the bins as a picture and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from export.interval_text import TOO_FEW
from export.measurement import Measurement
from export.pictures.curves import reliability_picture
from export.result.kinds import Amount, Column, Count, Difference, Number, Result, Share, Table, Threshold
from metrics.findings.calibration import (
    describe_calibration,
    describe_clearest_gap,
    has_probabilities,
    summarise_calibration,
)
from metrics.scores import calibration
from metrics.scores.curves import ScoreCounts
from metrics.scores.reliability import FEW_ROWS, FEW_WEIGHTED, Reliability
from text.intervals import name_interval
from text.numbers import count, number, write_mean_score

_KEY = "Large and orange: outside the bin's 95 % Wilson interval, as 1 bin of 20 is by chance."


class BinnedScores(NamedTuple):
    """Say whose scores are compared with what came true, in bins.

    counts : of a class, or of "the prediction is right" against its own score; both by the weights of rows.
    comes_true : "positive" or "right".
    over_all : Brier score and log loss over all classes of a row by their keys; {} where they are those of one class.
    """

    counts: ScoreCounts
    bins: Reliability
    comes_true: str
    from_logits: bool = False
    over_all: Mapping[str, float] = {}


def calibration_result(measured: Measurement) -> Result | None:
    """Return the calibration of the positive class, or of the predictions of several; None where it is undefined."""
    scores = _predictions(measured) if measured.evaluation.task == "multiclass" else _positive_class(measured)
    if scores is None:
        return None
    confidence = calibration.mean_confidence(scores.bins) if scores.comes_true == "right" else None
    headline = describe_calibration(summarise_calibration(scores.bins, confidence))[0]
    picture = reliability_picture(scores.bins, scores.comes_true, describe_clearest_gap(scores.bins, scores.comes_true))
    tables = [calibration_errors(scores), bins_table(scores)]
    few, amount = (FEW_WEIGHTED, "much weight") if scores.bins.is_weighted else (FEW_ROWS, "many rows")
    key = f"{_KEY} Hollow: {few}. The bins hold as {amount} each as ties allow."
    return Result(
        "calibration", ("Calibration",), (), tables, [(key,)], {}, (f"{headline}.",),
        pictures={"reliability-diagram": picture},
    )  # fmt: skip


def _predictions(measured: Measurement) -> BinnedScores | None:
    """Return how often the predictions are right against their own scores; None where these are no probabilities."""
    counts = measured.weighted_scores(None)
    if counts is None or not has_probabilities(counts, logits=False):
        return None
    bins = measured.count.reliability(measured.evaluation, None, counts)
    return BinnedScores(counts, bins, "right", over_all=losses_over_all(measured))


def _positive_class(measured: Measurement) -> BinnedScores | None:
    """Return the scores of the positive class; None without any, where they are no probabilities, or known in bins."""
    e = measured.evaluation
    if e.positive is None or e.scale == "score" or e.score_upper is not None:
        return None
    counts, logits = measured.weighted_scores(e.positive), e.scale == "logit"
    if counts is None or not has_probabilities(counts, logits):
        return None
    bins = measured.count.reliability(e, e.positive, counts, from_logits=logits)
    return BinnedScores(counts, bins, "positive", logits)


def losses_over_all(measured: Measurement) -> dict[str, float]:
    """Return Brier score and log loss over all classes of a row; {} where the file has no scores of classes."""
    if measured.evaluation.y_score is None:
        return {}
    values = {key: measured.value(key) for key in ("brier", "log_loss")}
    return {key: float("nan") if value is None else value for key, value in values.items()}


def calibration_errors(scores: BinnedScores) -> Table:
    """Return the errors in numbers, each with what it is beside."""
    bins, counts = scores.bins, scores.counts
    worst = int(np.nanargmax(np.abs(bins.gap)))
    chance = number(calibration.error_by_chance(bins))
    where = f"{count(int(bins.rows[worst]))} scored around {write_mean_score(float(bins.mean_score[worst]))}"
    constant = number(calibration.log_loss_of_share(counts))
    columns = (Column("error", str), Column("value", Number), Column("beside", str))
    rows = [
        ("ECE", Number(calibration.expected_calibration_error(bins)),
         f"Expected calibration error. A perfectly calibrated model would score about {chance} here."),
        ("MCE", Number(calibration.maximum_calibration_error(bins)), f"Maximum calibration error, in {where}."),
        ("Brier score", Number(calibration.brier_score(counts, from_logits=scores.from_logits)),
         _parts(bins) + _over_all_classes(scores, "brier")),
        ("Log loss", Number(calibration.log_loss(counts, from_logits=scores.from_logits)),
         f"If every score were the overall share that is {scores.comes_true}, it would be {constant}."
         + _over_all_classes(scores, "log_loss")),
    ]  # fmt: skip
    return Table("calibration-errors", "Calibration errors", columns, rows, "error", in_order=True, tiled=True)


def _parts(bins: Reliability) -> str:
    parts = calibration.brier_decomposition(bins)
    sign = "−" if parts.within_bins < 0 else "+"
    return (
        f"Reliability ({number(parts.reliability)}) − resolution ({number(parts.resolution)}) + "
        f"uncertainty ({number(parts.uncertainty)}) {sign} the rest within bins ({number(abs(parts.within_bins))})."
    )


def _over_all_classes(scores: BinnedScores, key: str) -> str:
    """Say a loss over all classes of a row, as every other page has it; nothing where it is one class's."""
    return f" Over all classes: {number(scores.over_all[key])}." if key in scores.over_all else ""


def bins_table(scores: BinnedScores) -> Table:
    """Return a line for each bin that has rows, the lowest scores first."""
    bins, share = scores.bins, scores.comes_true
    low, high = bins.interval()
    amounts: tuple[Column, ...] = (Column("rows", Count), Column(share, Count))
    if bins.is_weighted:
        amounts = (
            Column("rows", Count), Column("effective rows", Amount, about="So many rows of equal weight tell as much."),
            Column("weight", Amount), Column(f"weight {share}", Amount),
        )  # fmt: skip
    columns = (
        Column("lowest score", Threshold), Column("highest score", Threshold), *amounts,
        Column("mean probability", Share), Column(f"share {share}", Share, name_interval(0.95)),
        Column("gap", Difference),
    )  # fmt: skip
    rows = [
        (Threshold(bins.score_low[place]), Threshold(bins.score_high[place]), *_amounts_of(bins, place),
         Share(bins.mean_score[place]),
         Share(bins.positive_share[place], low[place], high[place], few=TOO_FEW if bins.is_few[place] else ""),
         Difference(bins.gap[place], is_share=True))
        for place in np.flatnonzero(bins.n).tolist()
    ]  # fmt: skip
    return Table("reliability", "The diagram as a table", columns, rows, "bin", in_order=True, folded=True)


def _amounts_of(bins: Reliability, place: int) -> tuple[Count | Amount, ...]:
    """Return the rows of a bin and how many came true; with weights its effective rows, and both by weight."""
    rows, weights = Count(int(bins.rows[place])), (bins.n[place], bins.n_positive[place])
    if not bins.is_weighted:
        return rows, Count(int(bins.n_positive[place]))
    return rows, *(Amount(float(amount)) for amount in (bins.effective_n[place], *weights))
