"""One class against all the others: the two-by-two table of a class or label, and what follows from it.

Works on confusion counts and on multi-label counts alike. An unparseable answer does not call the
class: it is a miss if the row is of the class, and a rightly rejected row otherwise. 0/0 is NaN.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from metrics.confusion.counts import ConfusionCounts
from metrics.multilabel.set_counts import MultilabelCounts

Counts = ConfusionCounts | MultilabelCounts


class OneClass(NamedTuple):
    """Rows of the class predicted as it (tp) or not (fn), and other rows predicted as it (fp) or not (tn)."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n(self) -> int:
        """Return all rows."""
        return sum(self)


def one_against_rest(counts: Counts, code: int) -> OneClass:
    """Return the two-by-two table of one class (or label), whose code is a position in `counts.labels`.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> one_against_rest(confusion_counts_from_matrix([[5, 1, 0], [2, 3, 1]], ("no", "yes")), 1)
    OneClass(tp=3, fp=1, fn=3, tn=5)
    """
    tp = int(counts.tp[code] if isinstance(counts, MultilabelCounts) else counts.correct[code])
    support, predicted = int(counts.support[code]), int(counts.predicted[code])
    return OneClass(tp, predicted - tp, support - tp, counts.n - support - predicted + tp)


def support(counts: Counts, code: int) -> int:
    """Return the true rows of the class."""
    return int(counts.support[code])


def predicted(counts: Counts, code: int) -> int:
    """Return rows predicted as the class."""
    return int(counts.predicted[code])


def accuracy(counts: Counts, code: int) -> float:
    """Return the share of rows rightly said to be of the class or not, 0..1; NaN without rows."""
    at = one_against_rest(counts, code)
    return _ratio(at.tp + at.tn, at.n)


def precision(counts: Counts, code: int) -> float:
    """Return the share of rows predicted as the class that are of it, 0..1; NaN when it is never predicted."""
    at = one_against_rest(counts, code)
    return _ratio(at.tp, at.tp + at.fp)


def recall(counts: Counts, code: int) -> float:
    """Return the share of the true rows that were found, 0..1; NaN without true rows."""
    at = one_against_rest(counts, code)
    return _ratio(at.tp, at.tp + at.fn)


def f1(counts: Counts, code: int) -> float:
    """Return the harmonic mean of precision and recall, 0..1; NaN for a class neither true nor predicted."""
    return f_beta(counts, code, beta=1.0)


def f_beta(counts: Counts, code: int, *, beta: float = 2.0) -> float:
    """Return F1 in which recall weighs `beta` times as much as precision, 0..1; NaN as F1; beta is above 0.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> round(f_beta(confusion_counts_from_matrix([[5, 1], [2, 3]], ("no", "yes")), 1, beta=2.0), 4)
    0.625
    """
    if not 0 < beta < math.inf:
        raise ValueError(f"beta must be a finite number above 0, not {beta}")
    at, weight = one_against_rest(counts, code), beta * beta
    return _ratio((1 + weight) * at.tp, (1 + weight) * at.tp + weight * at.fn + at.fp)


def jaccard(counts: Counts, code: int) -> float:
    """Return rows of the class predicted as it, over rows of it or predicted as it, 0..1; NaN without any."""
    at = one_against_rest(counts, code)
    return _ratio(at.tp, at.tp + at.fp + at.fn)


def specificity(counts: Counts, code: int) -> float:
    """Return the share of the other rows not predicted as the class, 0..1; NaN when every row is of the class."""
    at = one_against_rest(counts, code)
    return _ratio(at.tn, at.tn + at.fp)


def false_positive_rate(counts: Counts, code: int) -> float:
    """Return the share of the other rows predicted as the class, 0..1; NaN when every row is of the class."""
    at = one_against_rest(counts, code)
    return _ratio(at.fp, at.tn + at.fp)


def negative_predictive_value(counts: Counts, code: int) -> float:
    """Return the share of the rows not predicted as the class that are not of it, 0..1; NaN when there are none."""
    at = one_against_rest(counts, code)
    return _ratio(at.tn, at.tn + at.fn)


def youden_j(counts: Counts, code: int) -> float:
    """Return recall + specificity - 1, that is recall less the false positive rate, -1..1; NaN where either is."""
    at = one_against_rest(counts, code)
    return _ratio(at.tp * at.tn - at.fp * at.fn, (at.tp + at.fn) * (at.fp + at.tn))


def predicted_share(counts: Counts, code: int) -> float:
    """Return the share of all rows that are predicted as the class, 0..1; NaN without rows."""
    at = one_against_rest(counts, code)
    return _ratio(at.tp + at.fp, at.n)


def expected_cost(counts: Counts, code: int, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> float:
    """Return the mean cost of a row: `cost_fp` for a false positive, `cost_fn` for a false negative, else nothing.

    From 0 to the higher of the two costs, lower is better; NaN without rows.

    Raises
    ------
    ValueError
        When a cost is negative or not finite.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> expected_cost(confusion_counts_from_matrix([[6, 1], [1, 2]], ("no", "yes")), 1, cost_fn=10.0)
    1.1
    """
    if not (0 <= cost_fp < math.inf and 0 <= cost_fn < math.inf):
        raise ValueError(f"costs must be finite and not negative, not {cost_fp} and {cost_fn}")
    at = one_against_rest(counts, code)
    return _ratio(cost_fp * at.fp + cost_fn * at.fn, at.n)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
