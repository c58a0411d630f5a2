"""Measure how far scores make a column of labels: by a threshold, or by the highest of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from data.columns.column import Column

NEARLY_ALL = 0.9  # of the rows; a rounded score may be a tie


def measure_best_cut(score: Column, pred: Column) -> float:
    """Return in which share of the rows with both the best threshold makes the prediction; NaN without rows."""
    known = (pred.distinct.codes >= 0) & ~np.isnan(score.numbers)
    if not known.any():
        return np.nan
    is_first = pred.distinct.codes[known] == 0
    return max(_agree_with_cut(score.numbers[known], upper) for upper in (is_first, ~is_first))


def _agree_with_cut(scores: np.ndarray, upper: np.ndarray) -> float:
    """Return the share of rows that one cut puts on their side; equal scores may lie on both, as rounded ones do."""
    order = np.lexsort((upper, scores))
    gained = np.cumsum(np.where(upper[order], -1, 1))
    return float((upper.sum() + max(0, gained.max())) / len(upper))


def is_separated(score: Column, pred: Column) -> bool:
    """Return whether a threshold on the score separates two predicted labels."""
    if len(pred.distinct.values) > 2:
        return False
    first, two = (known[~np.isnan(known)] for code in (0, 1) for known in [score.numbers[pred.distinct.codes == code]])
    return not (len(first) and len(two)) or bool(first.min() >= two.max() or two.min() >= first.max())


def measure_highest(columns: Mapping[str, Column], pairs: Sequence[tuple[str, str]], pred: Column) -> float:
    """Return in which share of the rows with both the prediction is a label of the highest score; NaN without rows."""
    place = {label: number for number, (_, label) in enumerate(pairs)}
    predicted = np.array([*(place.get(label, -1) for label in pred.distinct.values), -1])[pred.distinct.codes]
    scores = np.array([columns[name].numbers for name, _ in pairs])
    known = (pred.distinct.codes >= 0) & ~np.isnan(scores).any(axis=0)
    highest = scores[:, known] == scores[:, known].max(axis=0)
    if not known.any():
        return np.nan
    return float(np.mean(highest[predicted[known], np.arange(highest.shape[1])] & (predicted[known] >= 0)))
