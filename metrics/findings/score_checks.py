"""Score counts in, what looks wrong with the scores out: sentences to read before any curve of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from metrics.finding import Severity
from metrics.scores.curves import ScoreCounts, roc_auc
from metrics.scores.probabilities import SUM_TOLERANCE
from metrics.scores.reliability import per_score
from text.numbers import count, number, percent, write_threshold

LARGEST_LOGIT = 100.0
"""Beyond it a score is taken for points or a distance: the sigmoid is 0 or 1 to 16 digits from 37 on."""
FREQUENT = 5
"""The share of the rows at this many scores is what "very many ties" is told by."""


@dataclass(frozen=True)
class ScoreCheck:
    """One thing to know about the scores; the sentence holds no uploaded text.

    code : stable name, for tests and tools. evidence : the numbers in the sentence.
    """

    code: str
    severity: Severity
    sentence: str
    evidence: Mapping[str, float] = field(default_factory=dict)


class RowSums(NamedTuple):
    """Say how far the scores of a row are from adding up to 1.

    n : rows with every score. n_off : of these, rows further from 1 than `SUM_TOLERANCE`.
    lowest, highest : the smallest and largest sum; NaN without rows.
    """

    n: int
    n_off: int
    lowest: float
    highest: float


def row_sums(y_score: np.ndarray) -> RowSums:
    """Return sums of the scores of every row; y_score float64 (n, S), rows with a NaN left out.

    >>> row_sums(np.array([[0.25, 0.75], [0.5, 0.75], [np.nan, 1.0]]))
    RowSums(n=2, n_off=1, lowest=1.0, highest=1.25)
    """
    sums = y_score.sum(axis=1)
    sums = sums[~np.isnan(sums)]
    if not len(sums):
        return RowSums(0, 0, float("nan"), float("nan"))
    return RowSums(len(sums), int((np.abs(sums - 1) > SUM_TOLERANCE).sum()), float(sums.min()), float(sums.max()))


def check_scores(counts: ScoreCounts, *, scale: str = "probability", sums: RowSums | None = None) -> list[ScoreCheck]:
    """Find what is unusual about the one-vs-rest scores of one class, the most serious first.

    Parameters
    ----------
    scale : "probability", "logit" or "score" (a scale of their own), as the scores are taken.
    sums : of the scores of all classes, where a row has one for each and they should add up to 1.

    >>> from metrics.scores.curves import score_counts
    >>> backwards = score_counts(np.arange(50) < 25, np.arange(50) / 50)
    >>> [(check.code, check.severity) for check in check_scores(backwards)]
    [('reversed', 'serious')]
    """
    if not counts.n:
        return []
    checks = [*_outside(counts, scale), *_constant(counts), *_backwards(counts), *_find_crowded(counts)]
    checks += _sums(sums) if sums is not None else []
    return sorted(checks, key=lambda check: ("serious", "warning", "info").index(check.severity))


def why_not_logits(counts: ScoreCounts) -> str:
    """Explain in half a sentence why scores outside 0..1 are hardly logits; "" where they may be."""
    finite = counts.score[np.isfinite(counts.score)]
    if not len(finite):
        return ""
    low, high = float(finite[-1]), float(finite[0])
    if max(-low, high) > LARGEST_LOGIT:
        reach = f"{write_threshold(low)} to {write_threshold(high)}"
        return f"they reach from {reach}, where the sigmoid is 0 or 1 for nearly every row"
    if low >= 0:
        return (
            f"none is below 0 (lowest {write_threshold(low)}), so that every row would be more likely positive than not"
        )
    return ""


def _outside(counts: ScoreCounts, scale: str) -> Iterator[ScoreCheck]:
    low, high = float(counts.score[-1]), float(counts.score[0])
    evidence = {"lowest": low, "highest": high}
    if scale == "probability":
        outside = counts.n - _rows_within(counts, 0.0, 1.0)
        if outside:
            reach = f"(lowest {write_threshold(low)}, highest {write_threshold(high)})"
            text = f"{count(outside)} of {counts.n:,} have a score outside 0 to 1 {reach}."
            yield ScoreCheck("outside_unit", "serious", text, {**evidence, "rows": outside})
        return
    if scale == "score":
        reach = f"({write_threshold(low)} to {write_threshold(high)})"
        text = f"The scores are on a scale of their own {reach}: they rank rows, but are not probabilities."
        yield ScoreCheck("own_scale", "info", text, evidence)
        return
    reason = why_not_logits(counts)
    if reason:
        text = f"The scores are taken as logits, but {reason}: they look like points, distances or per cent."
        yield ScoreCheck("no_logits", "warning", text, evidence)
    elif high <= 0:
        highest = write_threshold(high)
        text = f"No score is above 0 (highest {highest}): they may be log-probabilities; exp makes them probabilities."
        yield ScoreCheck("log_probabilities", "warning", text, evidence)
    else:
        reach = f"{write_threshold(low)} to {write_threshold(high)}"
        text = f"The scores are logits ({reach}), and so is every threshold; 0 is a probability of 0.5."
        yield ScoreCheck("logits", "info", text, evidence)


def _rows_within(counts: ScoreCounts, low: float, high: float) -> int:
    """Return rows with low <= score <= high."""
    so_far = np.concatenate([[0], counts.tp + counts.fp])
    return int(so_far[counts.above(low)] - so_far[counts.above(np.nextafter(high, np.inf))])


def _constant(counts: ScoreCounts) -> Iterator[ScoreCheck]:
    if len(counts.score) == 1 and counts.n > 1:
        value = float(counts.score[0])
        text = f"Every row has the same score, {write_threshold(value)}: a threshold takes all rows or none."
        yield ScoreCheck("constant", "serious", text, {"score": value})


def _backwards(counts: ScoreCounts) -> Iterator[ScoreCheck]:
    auc = roc_auc(counts)
    if not auc < 0.5:  # also when undefined
        return
    spread = _spread_by_chance(counts)
    over = f"over {count(counts.n_pos, 'positive row')} and {counts.n_neg:,} others"
    evidence = {"roc_auc": auc, "spread_by_chance": spread}
    if (0.5 - auc) / spread > 1.96:
        text = (
            f"ROC AUC is {number(auc)}, below 0.5, {over}: the score ranks backwards. Is the positive class the other "
            "one, or is this the score of another class?"
        )
        yield ScoreCheck("reversed", "serious", text, evidence)
    else:
        text = (
            f"ROC AUC is {number(auc)}, below 0.5, {over}: chance alone moves it by {number(1.96 * spread)} to either "
            "side (95 %). This score may say nothing at all."
        )
        yield ScoreCheck("below_chance", "warning", text, evidence)


def _spread_by_chance(counts: ScoreCounts) -> float:
    """Return the deviation of the AUC of scores that know nothing, ties corrected (Mann & Whitney 1947; Noether
    1967).
    """
    tied, n = per_score(counts)[0].astype(np.float64), counts.n
    ties = float((tied**3 - tied).sum()) / (n * (n - 1))
    return float(np.sqrt((n + 1 - ties) / (12 * counts.n_pos * counts.n_neg)))


def _find_crowded(counts: ScoreCounts) -> Iterator[ScoreCheck]:
    """Yield the check that many rows share few scores: rounding then decides which thresholds there are."""
    m, n = len(counts.score), counts.n
    if m == 1 or n < 20:
        return
    tied = per_score(counts)[0]
    frequent = np.partition(tied, -min(m, FREQUENT))[-FREQUENT:]
    share, most = float(frequent.sum()) / n, float(frequent.max()) / n
    evidence = {"distinct": m, "share": share, "most": most}
    if m == 2:
        low, high = counts.score[1], counts.score[0]
        both = f"{write_threshold(low)} and {write_threshold(high)}"
        text = f"The scores are only {both}: decisions, not scores. One threshold lies between."
        yield ScoreCheck("two_values", "warning", text, evidence)
    elif share >= 0.5 and n >= 4 * m:
        which = f"the {min(m, FREQUENT)} most frequent" if m > FREQUENT else f"its {m}"
        where = f"of the rows have one of {which} scores ({percent(most)} the same one)"
        text = f"Very many ties: {percent(share)} {where}. No threshold separates rows with the same score."
        yield ScoreCheck("ties", "warning", text, evidence)
    elif n >= 4 * m and (digits := _decimals(counts.score)) is not None:
        place = f"{digits} {'decimal' if digits == 1 else 'decimals'}" if digits else "whole numbers"
        text = f"The scores are rounded to {place}: {m:,} distinct scores in {n:,} rows, and as many thresholds."
        yield ScoreCheck("rounded", "info", text, {**evidence, "decimals": digits})


def _decimals(score: np.ndarray) -> int | None:
    """Return with how many decimals every score can be written, if three or fewer."""
    finite = score[np.isfinite(score)]
    return next((d for d in range(4) if np.allclose(finite, np.round(finite, d), rtol=1e-7, atol=0)), None)


def _sums(sums: RowSums) -> list[ScoreCheck]:
    if not sums.n_off:
        return []
    text = (
        f"The scores of {count(sums.n_off)} of {sums.n:,} do not add up to 1 within {SUM_TOLERANCE:.0%} (sums from "
        f"{write_threshold(sums.lowest)} to {write_threshold(sums.highest)}). They are used as they are, one "
        "class at a time. Log loss and Brier score over all classes are undefined."
    )
    return [ScoreCheck("row_sums", "warning", text.replace("%", " %"), sums._asdict())]
