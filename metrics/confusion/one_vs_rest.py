"""One class against all the others: the two-by-two table of a class or label, and what follows from it.

Works on confusion counts and on multi-label counts alike. An unparseable answer does not call the
class: it is a miss if the row is of the class, and a rightly rejected row otherwise. 0/0 is NaN.
"""

from __future__ import annotations

from metrics.confusion.counts import ConfusionCounts
from metrics.multilabel.set_counts import MultilabelCounts
from metrics.outcomes import FourCounts


def one_against_rest(counts: ConfusionCounts | MultilabelCounts, code: int) -> FourCounts:
    """Return the two-by-two table of one class (or label), whose code is a position in `counts.labels`.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> one_against_rest(confusion_counts_from_matrix([[5, 1, 0], [2, 3, 1]], ("no", "yes")), 1)
    FourCounts(tp=3, fp=1, fn=3, tn=5)
    """
    tp, support, predicted = (rows[code].item() for rows in (counts.tp, counts.support, counts.predicted))
    return FourCounts(tp, predicted - tp, support - tp, counts.n - support - predicted + tp)
