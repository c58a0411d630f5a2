"""Top-k accuracy and ROC AUC over the scores of every class, each with the influence of every row.

Arrays: y_true label codes (n,), or of several labels a row bool (n, K); y_score float64 (n, S), NaN = no score;
`score_codes` holds the label code of every column. Cells have an entry a row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from metrics.intervals.joint_counts import Cells
from metrics.intervals.statistic import Statistic, share_of_rows


def top_k_accuracy(
    cells: Cells, y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int], *, k: int
) -> Statistic:
    """Return the share of rows whose true class is among the k classes with the highest scores.

    Of equal scores that of the later label counts as higher, as scikit-learn has it. A class without scores is never
    among them. Rows without some score are left out.
    """
    codes, every_row = np.asarray(score_codes), np.arange(len(y_true))
    column = np.full(max(int(codes.max()), int(y_true.max(initial=0))) + 1, -1)
    column[codes] = np.arange(len(codes))
    own_column = column[y_true]
    true_score = y_score[every_row, own_column][:, None]
    is_later = codes > y_true[:, None]
    n_higher = ((y_score > true_score) | ((y_score == true_score) & is_later)).sum(axis=1)
    known = ~np.isnan(y_score).any(axis=1)
    return share_of_rows(cells, (n_higher < k) & (own_column >= 0), known)


class _Ladder(NamedTuple):
    """Scores that others are ranked against: different ones, ascending, (m,), and the rows below each, (m + 1,)."""

    score: np.ndarray
    below: np.ndarray

    def rank(self, score: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return twice the ladder's rows above each score, and the rows below each of the ladder's scores.

        Ties count half. Sums of whole numbers are exact, in whatever order rows and classes come.
        """
        low = np.searchsorted(self.score, score)
        high = low + (np.append(self.score, np.nan)[low] == score)
        above = 2 * self.below[-1] - self.below[low] - self.below[high]
        m = len(self.score) + 1
        twice = np.cumsum(np.bincount(low, rows, m)) + np.cumsum(np.bincount(high, rows, m))
        return above, twice[:-1] / 2


def _build_ladder(score: np.ndarray, rows: np.ndarray) -> tuple[_Ladder, np.ndarray]:
    """Return the ladder of some scores, and the place of each on it."""
    values, place = np.unique(score, return_inverse=True)
    below = np.concatenate([[0.0], np.cumsum(np.bincount(place, rows, len(values)))])
    return _Ladder(values, below), place


def micro_auc(cells: Cells, y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int]) -> Statistic:
    """Return the ROC AUC of all scores as if they were those of one class: of the true class against all others.

    Rows are the independent units, not scores. Equal to scikit-learn's `roc_auc_score(average="micro")`.
    """
    is_true = y_true[:, list(score_codes)] if y_true.ndim == 2 else y_true[:, None] == np.asarray(score_codes)
    known, rows, n = ~np.isnan(y_score), cells.rows.astype(np.float64), len(y_true)
    of_positive = np.nonzero(is_true & known)[0]
    ladder, place = _build_ladder(y_score[is_true & known], rows[of_positive])
    n_positives, n_negatives = np.bincount(of_positive, minlength=n), (known & ~is_true).sum(axis=1)
    n_pos, n_neg = float(rows @ n_positives), float(rows @ n_negatives)
    if not n_pos or not n_neg:
        return Statistic(math.nan, np.zeros(n), "unit")
    of_negatives, below, n_above = np.zeros(n), np.zeros(len(ladder.score)), 0.0
    for column in range(y_score.shape[1]):
        others = np.flatnonzero(known[:, column] & ~is_true[:, column])
        above, lower = ladder.rank(y_score[others, column], rows[others])
        n_above += float(rows[others] @ above)
        of_negatives[others] += above / (2 * n_pos)
        below += lower
    of_positives = np.bincount(of_positive, below[place] / n_neg, n)
    auc = n_above / (2 * n_pos * n_neg)
    influence = (of_negatives - auc * n_negatives) / n_neg + (of_positives - auc * n_positives) / n_pos
    is_whole = known.any(axis=1)
    few = cells.effective_rows(is_whole)
    return Statistic(
        auc, influence, "unit", is_whole=is_whole, edge=lambda wilson: wilson(round(auc) * few, few),
    )  # fmt: skip


class PairAreas(NamedTuple):
    """Areas of classes against each other.

    area : float64 (C,), of every class how often its rows have a higher score for it than rows of another, on average
        over the others; NaN where it, or every other, has no rows with a score for it.
    influence : float64 (n,), of every row on the mean of the areas.
    """

    area: np.ndarray
    influence: np.ndarray


def compare_pairs(cells: Cells, y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int]) -> PairAreas:
    """Return how well every class is told from each other one by its own score."""
    rows, n_classes = cells.rows.astype(np.float64), len(score_codes)
    is_of = y_true[:, None] == np.asarray(score_codes)
    place = np.where(is_of.any(axis=1), is_of.argmax(axis=1), -1)
    areas, influence = np.full(n_classes, np.nan), np.zeros(len(y_true))
    for code in range(n_classes):
        known = ~np.isnan(y_score[:, code]) & (place >= 0) & (rows > 0)
        of_class, others = np.flatnonzero(known & (place == code)), np.flatnonzero(known & (place != code))
        if not len(of_class) or not len(others):
            continue
        n_of = np.bincount(place[others], rows[others], n_classes)
        each = 1 / n_of[place[others]]
        ladder, step = _build_ladder(y_score[of_class, code], rows[of_class])
        above, below = ladder.rank(y_score[others, code], rows[others] * each)
        n_own, has_rows = rows[of_class].sum(), n_of > 0
        n_others = has_rows.sum()
        n_above = np.bincount(place[others], rows[others] * above, n_classes)
        against = np.divide(n_above, 2 * n_own * n_of, out=np.zeros(n_classes), where=has_rows)
        areas[code] = math.fsum(against) / n_others
        shares = above / (2 * n_own)
        influence[others] += (shares - against[place[others]]) * each / n_others
        influence[of_class] += (below[step] / n_others - areas[code]) / n_own
    return PairAreas(areas, influence / max(1, int((~np.isnan(areas)).sum())))


def one_vs_one_auc(cells: Cells, y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int]) -> Statistic:
    """Return the mean over pairs of classes of how well their scores tell the two apart: Hand and Till's M.

    It is over the classes with true rows and scores, and equals scikit-learn's `roc_auc_score(multi_class="ovo")`.
    """
    pairs = compare_pairs(cells, y_true, y_score, score_codes)
    known = ~np.isnan(pairs.area)
    value = math.fsum(pairs.area[known]) / int(known.sum()) if known.any() else math.nan
    is_whole = np.isin(y_true, score_codes) & ~np.isnan(y_score).all(axis=1)
    return Statistic(value, pairs.influence, "unit", is_whole=is_whole)
