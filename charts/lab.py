"""Prepare what the threshold lab draws: the stops, the bars and the words that stay, and apart from them what moves.

A component's payload and no figure: the page computes everything else from these counts. Uploaded text in it has
passed `show`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from charts.theme import ACCENT, LINES, MODEL, REFERENCE
from metrics.intervals.statistic import Interval
from metrics.scores.curves import ScoreCounts, average_precision, describe_roc
from metrics.scores.intervals import AucInterval, Band, auc_interval
from metrics.scores.score_histogram import ScoreHistogram, log_odds_edges, score_histogram
from metrics.thresholds.slider_stops import Stops
from text.numbers import number

BINS = 40
_DOMINATED = 0.4
"""Share of a side in one bar from which the others cannot be read beside it."""
_SHORT = 24
"""Characters that two names may have together to stand in a title."""
_NARROW = 2**32
"""Counts below this travel in four bytes."""


def bars(counts: ScoreCounts) -> ScoreHistogram:
    """Return the histogram of the lab: equally wide bars, or equally wide in log-odds where one bar would hold most.

    >>> from metrics.scores.curves import score_counts
    >>> scores = np.array([0.9, 0.5, 0.001, 0.0002, 0.0001])
    >>> found = bars(score_counts(scores > 0.1, scores)).edges[[0, -1]]
    >>> found.round(6).tolist()
    [0.0001, 0.9]
    """
    even = score_histogram(counts, BINS)
    edges = log_odds_edges(counts.score, BINS)
    if edges is None or _largest_shares(even)[0] <= _DOMINATED:
        return even
    spread = score_histogram(counts, BINS, edges=edges)
    return spread if _largest_shares(spread) < _largest_shares(even) else even


def _largest_shares(histogram: ScoreHistogram) -> list[float]:
    """Return the largest share that one bar holds of each side, the larger first: a single row is all of its side."""
    sides = (histogram.positives, histogram.negatives)
    return sorted((float(side.max() / max(1, side.sum())) for side in sides), reverse=True)


def curves(
    counts: ScoreCounts,
    stops: Stops,
    *,
    id: str,
    name: str,
    others: str = "",
    auc: Interval | None = None,
    precision: Interval | None = None,
) -> dict[str, Any]:
    """Return all that stays the same while the threshold moves: at most 150 kB, whatever the rows.

    Parameters
    ----------
    stops : the scores that are drawn and stepped through.
    id : what these counts are, the same for `position` and `bands`.
    auc, precision : intervals of the AUC and of average precision, where not DeLong's at 95 % and none.
    name, others : the positive class and the only other one, for the screen; empty where there are several others.

    >>> from metrics.scores.curves import score_counts
    >>> from metrics.thresholds.slider_stops import stops
    >>> some = score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4]))
    >>> made = curves(some, stops(some), id="demo", name="spam")
    >>> made["stops"].to_dict("list")
    {'score': [0.9, 0.4], 'tp': [1, 2], 'fp': [0, 1]}
    """
    score_bars = bars(counts)
    if auc is None:
        interval = auc_interval(counts)
    else:
        interval = AucInterval(auc.value, auc.low, auc.high, auc.se, auc.level, auc.method)
    return {
        "id": id,
        "name": name,
        "others": others,
        "n_pos": counts.n_pos,
        "n_neg": counts.n_neg,
        "n_distinct": stops.n_distinct,
        "stops": frame(stops),
        "edges": score_bars.edges.tolist(),
        "log_odds": bool(np.ptp(np.diff(score_bars.edges)) > 1e-9 * np.ptp(score_bars.edges)),
        "positives": score_bars.positives.tolist(),
        "negatives": score_bars.negatives.tolist(),
        "titles": {"roc": _about_auc(interval, name, others), "pr": _about_precision(counts, precision)},
        "shape": describe_roc(counts),
        "note": _note(stops, interval),
        "colours": {"model": MODEL, "accent": ACCENT, "reference": REFERENCE, "third": LINES[4][0],
                    "fourth": LINES[3][0]},
    }  # fmt: skip


def frame(stops: Stops) -> pd.DataFrame:
    """Stops as columns of doubles and 32-bit counts (doubles where a count does not fit), 16 bytes a stop."""
    fits = not len(stops.tp) or int(stops.tp[-1]) + int(stops.fp[-1]) < _NARROW
    kind = np.uint32 if fits else np.float64
    return pd.DataFrame({"score": stops.score, "tp": stops.tp.astype(kind), "fp": stops.fp.astype(kind)})


def threshold_counts(counts: ScoreCounts, threshold: float, **more: Any) -> dict[str, Any] | None:
    """Return a threshold with its exact counts; None for NaN, which is no threshold.

    >>> from metrics.scores.curves import score_counts
    >>> threshold_counts(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), 0.5, name="f1")
    {'t': 0.5, 'tp': 1, 'fp': 0, 'name': 'f1'}
    """
    if math.isnan(threshold):
        return None
    tp, fp = counts.at(threshold)
    return {"t": _number(threshold), "tp": tp, "fp": fp, **more}


def bands(roc: Band, pr: Band) -> dict[str, Any]:
    """Return the bands around the two curves; undefined values are None."""
    return {"roc": _band(roc), "pr": _band(pr)}


def _band(band: Band) -> dict[str, list[float | None]]:
    return {"x": _defined(band.x), "low": _defined(band.low), "high": _defined(band.high)}


def _defined(values: np.ndarray) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def _number(value: float) -> float | str:
    """Return a double as JSON has it: infinity has no number there."""
    return float(value) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def _about_auc(area: AucInterval, name: str, others: str) -> str:
    if math.isnan(area.auc):
        return "ROC AUC is undefined"
    within = "" if math.isnan(area.low) else f" ({number(area.low)} to {number(area.high)})"
    others = others or "other"
    is_short = len(name) + len(others) <= _SHORT
    rows = f"{name} rows score above {others} rows" if is_short else "positive rows score above negative rows"
    return f"ROC AUC {number(area.auc)}{within}: {rows} in {100 * area.auc:.1f}\u00a0% of pairs"


def _about_precision(counts: ScoreCounts, within: Interval | None = None) -> str:
    average = average_precision(counts)
    if math.isnan(average):
        return "Average precision is undefined"
    known = within is not None and not math.isnan(within.low)
    bounds = f" ({number(within.low)} to {number(within.high)})" if within is not None and known else ""
    by_chance = number(counts.n_pos / counts.n)
    return f"Average precision {number(average)}{bounds}; with random scores it would be {by_chance}"


def _note(stops: Stops, interval: AucInterval) -> str:
    shown, total = len(stops.score), stops.n_distinct
    if shown == total:
        every = f"all {total:,} distinct scores" if total > 1 else "the only score there is"
        held = f"The lines and the handle go through {every}."
    else:
        held = (
            f"The lines and the handle go through {shown:,} of {total:,} distinct scores, those that one can tell "
            "apart on the screen. Arrow keys step through all of them, and a typed "
            "threshold gives its exact counts."
        )
    known = not math.isnan(interval.low)
    return f"{held} Interval of the ROC AUC: {100 * interval.level:.0f}\u00a0%, {interval.method}." if known else held
