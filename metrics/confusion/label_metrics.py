"""Confusion counts in, numbers about hard labels over all rows out.

`correct`, `support` and `predicted` of a class are its true positives, its true rows and the rows
predicted as it. An unparseable answer is a wrong answer in a column of its own: it counts as a row,
but no class is predicted. Everything undefined (0/0) is NaN.
"""

from __future__ import annotations

import math

import numpy as np

from metrics.confusion.counts import ConfusionCounts
from metrics.outcomes import geometric_mean
from metrics.shares import divide_part


def accuracy(counts: ConfusionCounts) -> float:
    """Return the share of the scored rows with the right label, 0..1; an unparseable answer is wrong. NaN without rows.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> accuracy(confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2")))
    0.838
    """
    return divide_part(counts.correct.sum().item(), counts.n)


def geometric_mean_of_recalls(counts: ConfusionCounts) -> float:
    """Return the geometric mean of the recalls of the classes with true rows, 0..1; NaN without rows.

    Source: Sun, Kamel & Wang (2006), Boosting for learning multiple classes with imbalanced class distribution, ICDM.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> round(geometric_mean_of_recalls(confusion_counts_from_matrix([[8, 2], [5, 5]], ("a", "b"))), 3)
    0.632
    """
    has_rows = counts.support > 0
    return geometric_mean(counts.correct[has_rows] / counts.support[has_rows])


def p_of_baseline(counts: ConfusionCounts) -> float:
    """Return how often as many rows are right by chance if each is with the share of the most frequent class.

    One-sided exact binomial test against the no-information rate, as caret's `confusionMatrix`. NaN without rows.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> round(p_of_baseline(confusion_counts_from_matrix([[4, 1], [1, 4]], ("a", "b"))), 4)
    0.0547
    """
    from scipy.special import bdtrc  # it takes longer to import than a small file to measure

    right, rate = int(counts.correct.sum()), baseline_accuracy(counts)
    return float(bdtrc(right - 1, counts.n, rate)) if right and counts.n else 1.0 if counts.n else math.nan


def accuracy_parsed(counts: ConfusionCounts) -> float:
    """Return the share of the rows with a readable answer that are right, 0..1; NaN when no answer could be read.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> accuracy_parsed(confusion_counts_from_matrix([[3, 0, 1], [1, 4, 1]], ("no", "yes")))
    0.875
    """
    return divide_part(counts.correct.sum().item(), counts.n - counts.n_unparsed)


def parse_rate(counts: ConfusionCounts) -> float:
    """Return the share of the scored rows whose answer could be read, 0..1; NaN without rows.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> parse_rate(confusion_counts_from_matrix([[3, 0, 1], [1, 4, 1]], ("no", "yes")))
    0.8
    """
    return divide_part(counts.n - counts.n_unparsed, counts.n)


def baseline_accuracy(counts: ConfusionCounts) -> float:
    """Return the accuracy of always answering the most frequent true class, above 0 to 1; NaN without rows.

    Source: Witten and Frank (2005), Data Mining ("ZeroR"); scikit-learn's `DummyClassifier`.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> baseline_accuracy(confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2")))
    0.516
    """
    return divide_part(counts.support.max(initial=0).item(), counts.n)


def balanced_accuracy(counts: ConfusionCounts) -> float:
    """Return the mean recall over the classes with true rows, 0..1; NaN without rows.

    Source: Brodersen et al. (2010), The balanced accuracy and its posterior distribution, ICPR.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> balanced_accuracy(confusion_counts_from_matrix([[98, 0], [2, 0]], ("no", "yes")))
    0.5
    """
    asked = counts.support > 0
    return float(np.mean(counts.correct[asked] / counts.support[asked])) if asked.any() else math.nan


def cohen_kappa(counts: ConfusionCounts) -> float:
    """Return the agreement beyond what the two label frequencies alone would give, -1..1; 0 is chance, 1 perfect.

    An unparseable answer is one more category of the prediction. NaN without rows, and when truth
    and prediction are one and the same class in every row (chance alone would agree everywhere).

    Source: Cohen (1960), A coefficient of agreement for nominal scales, Educ. Psychol. Meas. 20(1).

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> round(cohen_kappa(confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2"))), 3)
    0.675
    """
    by_chance = _dot(counts.support, counts.predicted)
    return divide_part(counts.n * counts.correct.sum().item() - by_chance, counts.n**2 - by_chance)


def matthews_correlation(counts: ConfusionCounts) -> float:
    """Return the correlation of true and predicted class, -1..1; 0 is no better than chance, 1 perfect.

    The K-class form (Gorodkin's R_K); with two classes it is the phi coefficient. An unparseable answer
    is one more category of the prediction. When all rows have one true class, or all one prediction, the
    formula is 0/0: undefined (scikit-learn counts it as 0).

    Sources: Matthews (1975), Biochim. Biophys. Acta 405(2); Gorodkin (2004), Comput. Biol. Chem. 28.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> round(matthews_correlation(confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2"))), 3)
    0.677
    """
    square = counts.n**2
    covariance: float = counts.n * counts.correct.sum().item() - _dot(counts.support, counts.predicted)
    spread_true = square - _dot(counts.support, counts.support)
    spread_pred = square - _dot(counts.predicted, counts.predicted) - counts.n_unparsed**2
    if not spread_true * spread_pred:
        return math.nan
    return min(1.0, max(-1.0, covariance / math.sqrt(spread_true * spread_pred)))


def evenness(counts: ConfusionCounts) -> float:
    """Return how even the classes with true rows are, 0..1: 1 when all have the same number of rows.

    It is their Shannon entropy over its highest value, the logarithm of their number. It is undefined with fewer
    than two such classes; a class without true rows has no part in it.

    Source: Shannon (1948), A mathematical theory of communication; Pielou (1966), J. Theor. Biol. 13.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> evenness(confusion_counts_from_matrix([[5, 0, 0], [0, 5, 0], [0, 0, 0]], ("a", "b", "c")))
    1.0
    """
    support = counts.support[counts.support > 0]
    if len(support) < 2:
        return math.nan
    share = support / counts.n
    return min(1.0, float(-(share * np.log(share)).sum() / math.log(len(support))))


def _dot(a: np.ndarray, b: np.ndarray) -> int:
    """Return the sum of products in Python's whole numbers: squares of row counts pass 2**63 at 3 billion rows."""
    return sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))
