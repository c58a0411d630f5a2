"""The one step from a number of the overview to its rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from data.evaluation import Evaluation
from data.rows.selection import Only, Which
from metrics.confusion import label_metrics
from metrics.confusion.counts import ConfusionCounts
from metrics.multilabel.set_metrics import MultilabelCounts
from ui.view.which import link_to_rows, only_counted

Step = tuple[str, Which]
"""A link to rows: which they are, and its words; on a small tile there is room for some 16 characters."""


def draw(evaluation: Evaluation, key: str, step: Step | None) -> Callable[[], None]:
    """What draws the link under a number; nothing where there are no rows to show."""
    if step is None:
        return lambda: None
    words, which = step
    return lambda: link_to_rows(evaluation, only_counted(evaluation, which), words, key=f"{key}.rows")


def mistakes(n: int) -> Step | None:
    """The rows that are wrong, of which there are n."""
    return ("The wrong rows", Which(only="errors")) if n else None


def weakest(counts: ConfusionCounts) -> Step | None:
    """The rows of the class with the lowest F1 among those with true rows."""
    per = label_metrics.per_class(counts)
    asked = np.flatnonzero(per.support > 0)
    if not len(asked):
        return None
    code = int(asked[np.argmin(np.nan_to_num(per.f1[asked]))])
    return "Weakest class", Which((code,))


def most_missed(counts: MultilabelCounts) -> Step | None:
    """The rows of the label that is missed most often, where it is missed."""
    code = int(np.argmax(counts.fn))
    return ("Most missed", Which((code,), only="fn")) if counts.fn[code] else None


def most_wrong(counts: MultilabelCounts) -> Step | None:
    """The more frequent kind of mistake of the label with the most wrong decisions."""
    code = int(np.argmax(counts.fn + counts.fp))
    kind: Only = "fn" if counts.fn[code] > counts.fp[code] else "fp"
    return ("Most mistaken", Which((code,), only=kind)) if counts.fn[code] + counts.fp[code] else None
