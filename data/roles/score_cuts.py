"""Measure how far scores make a column of labels: by a threshold, or by the highest of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from data.columns.column import FEWEST_JUDGED, Column

SURE_ERRORS = 2.5
"""So many standard errors an area under the ROC curve lies from 0.5 where a score says something of a column."""
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


def is_separated(score: Column, pred: Column, *, ties: bool = True) -> bool:
    """Return whether a threshold on the score separates two predicted labels; `ties`: rows of both may lie on it.

    One number in all rows separates nothing: it is a setting, or the same confidence in both labels.
    """
    if len(pred.distinct.values) > 2:
        return False
    first, two = (known[~np.isnan(known)] for code in (0, 1) for known in [score.numbers[pred.distinct.codes == code]])
    if not (len(first) and len(two)):
        return True
    gap = max(first.min() - two.max(), two.min() - first.max())
    is_constant = gap == 0 and np.ptp(first) == np.ptp(two) == 0
    return bool(gap >= 0 if ties else gap > 0) and not is_constant


def measure_cut(score: Column, column: Column, threshold: float) -> float:
    """Return in which share of the rows with both a threshold puts a column's two labels on the sides they are on."""
    known = (column.distinct.codes >= 0) & ~np.isnan(score.numbers)
    is_above = score.numbers[known] >= threshold
    high = column.distinct.values.index(find_sides(score, column)[1])
    return float(np.mean(is_above == (column.distinct.codes[known] == high)))


def measure_area(column: Column, score: Column) -> tuple[float, float]:
    """Return the area under the ROC curve of a score for a column's two values, and its standard error by chance.

    Both are NaN where the rows are too few.
    """
    codes, numbers = column.sample_codes, score.sample_numbers
    known = (codes >= 0) & ~np.isnan(numbers)
    order, is_one = np.unique(numbers[known], return_inverse=True)[1], codes[known] == 1
    ones, others = (np.bincount(order[rows], minlength=order.max(initial=0) + 1) for rows in (is_one, ~is_one))
    pairs = float(ones.sum()) * float(others.sum())
    if known.sum() < FEWEST_JUDGED or not pairs:
        return np.nan, np.nan
    area = float(ones @ (np.cumsum(others) - others / 2)) / pairs
    return area, float(np.sqrt((known.sum() + 1) / (12 * pairs)))


def follows_score(column: Column, score: Column) -> bool:
    """Return whether a score says clearly more than chance of the second value of a column; False in too few rows."""
    area, error = measure_area(column, score)
    return abs(area - 0.5) > SURE_ERRORS * error


def find_sides(score: Column, column: Column) -> tuple[str, str]:
    """Return the label of two whose rows have the lower mean score, and the one of the higher."""
    means = compute_mean_scores(score, column)
    low, high = sorted(column.distinct.values, key=lambda label: means.get(label, 0.0))
    return low, high


def compute_mean_scores(score: Column, column: Column) -> dict[str, float]:
    """Map labels to the mean score of their rows."""
    codes, numbers = column.distinct.codes, score.numbers
    known = (codes >= 0) & ~np.isnan(numbers)
    size = len(column.distinct.values)
    rows = np.bincount(codes[known], minlength=size)
    sums = np.bincount(codes[known], weights=numbers[known], minlength=size)
    return {v: float(s / n) for v, s, n in zip(column.distinct.values, sums, rows, strict=True) if n}


def measure_highest(
    columns: Mapping[str, Column],
    pairs: Sequence[tuple[str, str]],
    pred: Column,
    named: Mapping[str, str] | None = None,
) -> float:
    """Return in which share of the rows with both the prediction is a label of the highest score; NaN without rows.

    named : predicted word -> the label that it stands for; None = its own.
    """
    place = {label: number for number, (_, label) in enumerate(pairs)}
    words = pred.distinct.values if named is None else [named.get(word, "") for word in pred.distinct.values]
    predicted = pred.distinct.spread((place.get(label, -1) for label in words), -1)
    known, highest = _find_highest(columns, pairs, pred)
    if not known.any():
        return np.nan
    return float(np.mean(highest[predicted[known], np.arange(highest.shape[1])] & (predicted[known] >= 0)))


def follow_truth(columns: Mapping[str, Column], pairs: Sequence[tuple[str, str]], truth: Column) -> bool:
    """Return whether the highest of scores is the true label clearly more often than the most frequent label is."""
    by_chance = max(truth.distinct.counts, default=0) / max(1, len(truth.distinct.codes))
    return measure_highest(columns, pairs, truth) > (1 + by_chance) / 2


def match_highest(columns: Mapping[str, Column], pairs: Sequence[tuple[str, str]], pred: Column) -> dict[str, str]:
    """Map each predicted word to the label whose score is most often the highest where it is predicted."""
    known, highest = _find_highest(columns, pairs, pred)
    codes = pred.distinct.codes[known]
    rows = {word: highest[:, codes == code].sum(axis=1) for code, word in enumerate(pred.distinct.values)}
    return {word: pairs[int(n.argmax())][1] for word, n in rows.items()}


def _find_highest(
    columns: Mapping[str, Column], pairs: Sequence[tuple[str, str]], pred: Column
) -> tuple[np.ndarray, np.ndarray]:
    """Return which rows have a prediction and every score, and of these which scores are the highest of their row."""
    scores = np.array([columns[name].numbers for name, _ in pairs])
    known = (pred.distinct.codes >= 0) & ~np.isnan(scores).any(axis=0)
    return known, scores[:, known] == scores[:, known].max(axis=0)
