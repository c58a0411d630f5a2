"""One class against all the others: the two-by-two table of a class or label, and what follows from it.

Works on confusion counts and on multi-label counts alike. An unparseable answer does not call the
class: it is a miss if the row is of the class, and a rightly rejected row otherwise. 0/0 is NaN.
"""

from __future__ import annotations

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
    tp = (counts.tp if isinstance(counts, MultilabelCounts) else counts.correct)[code].item()
    support, predicted = counts.support[code].item(), counts.predicted[code].item()
    return OneClass(tp, predicted - tp, support - tp, counts.n - support - predicted + tp)
