"""ROC, precision-recall and reliability as pictures, of one class or of a few against the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from export.pictures.svg import LINES, Canvas
from metrics.scores.curve_thinning import thin
from metrics.scores.curves import (
    NamedScores,
    PrecisionRecallCurve,
    RocCurve,
    ScoreCounts,
    average_precision,
    precision_recall_curve,
    roc_auc,
    roc_curve,
)
from metrics.scores.reliability import Reliability
from metrics.thresholds.threshold_metrics import rates_at
from text.numbers import count, number, percent, write_mean_score, write_threshold
from text.visible import show

POINTS = 400
"""Points of a drawn curve at most; the line stays the same to the eye."""
CLASSES = len(LINES)
"""So many classes are drawn in one picture."""
_SIDE, _LEFT, _TOP = 340, 52, 16
_AXIS_ENDS = (0.1, 0.2, 0.5, 1.0)
"""Ends that the axes of reliability may have: scores of a rare class lie close to 0."""


def choose_curves(scores: dict[int, ScoreCounts]) -> list[int]:
    """Return the codes that are drawn: at most `CLASSES`, those with the lowest defined ROC AUC, the lowest first."""
    auc = {code: roc_auc(counts) for code, counts in scores.items()}
    defined = [code for code, value in auc.items() if not np.isnan(value)]
    return sorted(defined, key=lambda code: auc[code])[:CLASSES]


def roc_picture(lines: Sequence[NamedScores], title: str) -> Canvas:
    """Draw recall against false positive rate; the dotted diagonal is guessing."""
    canvas = _empty(title, "false positive rate", "recall", len(lines))
    canvas.line(*_at(0, 0), *_at(1, 1), kind="reference")
    for place, line in enumerate(lines):
        curve = thin(roc_curve(line.counts), POINTS).curve
        _line(
            canvas, place, zip(curve.fpr, curve.tpr, strict=True), line.name, f"ROC AUC {number(roc_auc(line.counts))}"
        )
        if not np.isnan(line.threshold) and line.counts.n_pos and line.counts.n_neg:
            rates = rates_at(line.counts, line.threshold)
            _dot(canvas, rates.fp / line.counts.n_neg, rates.tp / line.counts.n_pos, line.threshold)
    return canvas


def pr_picture(lines: Sequence[NamedScores], title: str) -> Canvas:
    """Draw recall against precision, in steps; with one class the dotted line is guessing, its share of the rows."""
    canvas = _empty(title, "recall", "precision", len(lines))
    if len(lines) == 1 and lines[0].counts.n:
        share = lines[0].counts.n_pos / lines[0].counts.n
        canvas.line(*_at(0, share), *_at(1, share), kind="reference")
    for place, line in enumerate(lines):
        curve = thin(precision_recall_curve(line.counts), POINTS).curve
        text = f"average precision {number(average_precision(line.counts))}"
        _line(canvas, place, _steps(curve), line.name, text)
        if not np.isnan(line.threshold) and line.counts.n_pos:
            rates = rates_at(line.counts, line.threshold)
            if rates.tp + rates.fp:
                _dot(canvas, rates.tp / line.counts.n_pos, rates.tp / (rates.tp + rates.fp), line.threshold)
    return canvas


def reliability_picture(bins: Reliability, comes_true: str, title: str) -> Canvas:
    """Draw the share that came true against the mean score of every bin; the dotted diagonal is perfect calibration.

    A bin whose mean score lies outside the interval of its share is larger, and orange; one of few rows is hollow.
    """
    low, high = bins.interval()
    shares, filled = bins.positive_share, np.flatnonzero(bins.n)
    largest = np.nanmax([high[filled], shares[filled], bins.mean_score[filled]])
    end = next(end for end in _AXIS_ENDS if end >= min(largest, 1))
    canvas = _empty(title, "mean score of the bin", f"share {comes_true}", 0, lambda tick: f"{100 * end * tick:g} %")
    canvas.line(*_at(0, 0), *_at(1, 1), kind="reference")
    canvas.path([_at(bins.mean_score[place] / end, shares[place] / end) for place in filled], stroke=LINES[0][0])
    for place in filled:
        mean = bins.mean_score[place]
        is_off = mean < low[place] or mean > high[place]
        by = ", by weight," if bins.is_weighted else ""
        share = f"{percent(shares[place])} {comes_true}{by}"
        hover = f"score {write_mean_score(float(mean))}: {share} of {count(int(bins.rows[place]))}"
        if not np.isnan(low[place]):
            canvas.line(*_at(mean / end, low[place] / end), *_at(mean / end, high[place] / end), kind="frame")
        canvas.circle(*_at(mean / end, shares[place] / end), 7 if is_off else 5, LINES[int(is_off)][0],
                      hollow=bool(bins.is_few[place]), hover=hover)  # fmt: skip
    return canvas


def _steps(curve: PrecisionRecallCurve | RocCurve) -> list[tuple[float, float]]:
    """Return the corners of the steps: no threshold reaches a straight line between two points."""
    assert isinstance(curve, PrecisionRecallCurve)
    points: list[tuple[float, float]] = []
    before = 0.0
    for recall, precision in zip(curve.recall.tolist(), curve.precision.tolist(), strict=True):
        points += [(before, precision), (recall, precision)]
        before = recall
    return points


def _at(x: float, y: float) -> tuple[float, float]:
    return _LEFT + x * _SIDE, _TOP + (1 - y) * _SIDE


def _empty(
    title: str, across: str, up: str, n_lines: int, write: Callable[[float], str] = lambda tick: f"{tick:g}"
) -> Canvas:
    """Return a canvas with both axes from 0 to 1; write : what stands at a tick."""
    below = _TOP + _SIDE
    canvas = Canvas(_LEFT + _SIDE + 18, below + 46 + 18 * n_lines, title)
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        canvas.line(*_at(tick, 0), *_at(tick, 1))
        canvas.line(*_at(0, tick), *_at(1, tick))
        x, y = _at(tick, tick)
        canvas.words(x, below + 15, write(tick), anchor="middle", kind="quiet")
        canvas.words(_LEFT - 7, y + 4, write(tick), anchor="end", kind="quiet")
    canvas.words(_LEFT + _SIDE / 2, below + 32, across, anchor="middle", kind="quiet")
    canvas.words(14, _TOP + _SIDE / 2, up, anchor="middle", kind="quiet", turn=-90)
    return canvas


def _line(canvas: Canvas, place: int, points: object, label: str, value: str) -> None:
    colour, dash = LINES[place % len(LINES)]
    finite = [_at(x, y) for x, y in points if np.isfinite(x) and np.isfinite(y)]  # type: ignore[attr-defined]
    if finite:
        canvas.path(finite, stroke=colour, dash=dash, hover=f"{show(label, 80)}: {value}")
    y = _TOP + _SIDE + 52 + 18 * place
    canvas.path([(_LEFT, y - 4), (_LEFT + 26, y - 4)], stroke=colour, dash=dash)
    canvas.words(_LEFT + 34, y, f"{show(label, 26)}: {value}", hover=show(label, 160))


def _dot(canvas: Canvas, x: float, y: float, threshold: float) -> None:
    px, py = _at(x, y)
    canvas.marks.append(
        f'<circle cx="{px:.2f}" cy="{py:.2f}" r="5" fill="{LINES[1][0]}" class="dot">'
        f"<title>at score ≥ {write_threshold(threshold)}</title></circle>"
    )
    left = x > 0.7
    canvas.words(
        px + (-9 if left else 9), py + (16 if y > 0.5 else -8), f"score ≥ {write_threshold(threshold)}",
        anchor="end" if left else "start", kind="strong",
    )  # fmt: skip
