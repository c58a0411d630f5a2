"""List what the threshold in use gives, and the best thresholds on these rows: for terminal, Markdown and report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from export.measurement import Measurement
from export.numbers import score_numbers
from export.result.kinds import Cell, Column, Count, Number, Share, Table, Threshold, Unknown
from metrics.catalogue.registry import REGISTRY, is_share
from metrics.thresholds.choose import NAMES
from text.numbers import write_threshold, write_thresholds

_COUNTS = {
    "tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives",
}  # fmt: skip
_TITLES = NAMES | {
    "predicted_positive_rate": "predicted positive rate",
    "cost": "expected cost a row (both mistakes cost 1)",
}  # fmt: skip


def threshold_tables(measured: Measurement) -> list[Table]:
    """Return the rows and rates at the threshold in use, if there is one, and the best thresholds.

    Nothing without scores of a positive class.
    """
    numbers = score_numbers(measured)
    if not numbers:
        return []
    best = _best(numbers["best_thresholds"])
    if math.isnan(numbers["threshold"]):
        return [best]
    return [*_in_use(numbers["at_threshold"], f"score ≥ {write_threshold(numbers['threshold'])}"), best]


def _in_use(rates: Mapping[str, float], predicted: str) -> list[Table]:
    rows = [(title, Count(rates[key])) for key, title in _COUNTS.items()]
    names = [key for key in rates if key != "threshold" and key not in _COUNTS]
    values = [(name_rate(key), (Share if is_share(key) else Number)(rates[key])) for key in names]
    outcome, rate = Column("outcome", str), Column("rate", str)
    return [
        Table("at-threshold", f"Rows at {predicted}", (outcome, Column("rows", Count)), rows, "outcome", in_order=True),
        Table("rates-at", f"Rates at {predicted}", (rate, Column("value", Number)), values, "rate", in_order=True),
    ]


def name_rate(key: str) -> str:
    """Return what a number at a threshold is called inside a sentence.

    >>> name_rate("fpr"), name_rate("f1")
    ('false positive rate', 'F1')
    """
    return _TITLES.get(key) or REGISTRY["binary", key].name


def _best(best: Mapping[str, Mapping[str, Any]]) -> Table:
    columns = (Column("for", str), Column("threshold", Threshold), Column("value", Number))
    scores = [best_one["threshold"] for best_one in best.values()]
    cells = map(_threshold, scores, write_thresholds(scores))
    rows = [
        (_TITLES[key], cell, Number(best_one["value"]))
        for (key, best_one), cell in zip(best.items(), cells, strict=True)
    ]
    title = "Best thresholds on these rows; expect slightly worse on new data"
    return Table("best-thresholds", title, columns, rows, "threshold", in_order=True)


def _threshold(score: float, written: str) -> Cell:
    return Unknown("none: nothing is predicted as positive") if math.isinf(score) else Threshold(score, written)
