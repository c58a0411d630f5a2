"""Never predicted, not in the data, never true, not in the label list: which classes are on which list."""

from __future__ import annotations

import numpy as np

from data.evaluation import Evaluation
from metrics.confusion.worst_confusions import mark_never_true
from metrics.finding import LOW_SUPPORT
from ui.view import cache


def support(evaluation: Evaluation) -> tuple[np.ndarray, np.ndarray]:
    """True rows and predicted rows of every class."""
    if evaluation.task == "multilabel":
        counts = cache.multilabel(evaluation)
        return counts.tp + counts.fn, counts.tp + counts.fp
    single = cache.confusion(evaluation)
    return single.support, single.predicted


def class_lists(evaluation: Evaluation) -> dict[str, np.ndarray]:
    """The codes of the classes on each list, in ascending order.

    `never` = with true rows, never predicted; `absent` = listed, without true rows; `never_true` = predicted labels of
    no list and of no true row; `outside` = not in the label list; `low` = with true rows, but few.
    """
    true, predicted = support(evaluation)
    outside = np.arange(len(true)) >= evaluation.n_space
    unknown = mark_never_true(true, predicted, evaluation.listed, evaluation.n_space)
    chosen = {
        "never": (true > 0) & (predicted == 0),
        "absent": (true == 0) & ~outside & ~unknown,
        "never_true": unknown & ~outside,
        "outside": outside,
        "low": (true > 0) & (true < LOW_SUPPORT),
    }
    return {name: np.flatnonzero(those) for name, those in chosen.items()}
