"""Made-up pairs of true and predicted labels, as people have them and as codes."""

import math
import warnings
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import matthews_corrcoef, precision_recall_fscore_support

from metrics.confusion.counts import MISSING, UNPARSEABLE, ConfusionCounts, confusion_counts

MANY = 1_000
RATES = {"precision": "Precision", "recall": "Recall", "f1": "F-score"}
"""Rates, as scikit-learn's warnings name them."""


class Pairs(NamedTuple):
    """`truth`, `answer`: the scored rows, for scikit-learn. `y_true`, `y_pred`: codes of all rows."""

    names: tuple  # strings or integers; the first n_space are the label space
    n_space: int
    y_true: np.ndarray
    y_pred: np.ndarray
    truth: list
    answer: list

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(str(name) for name in self.names)

    @property
    def counts(self) -> ConfusionCounts:
        return confusion_counts(self.y_true, self.y_pred, labels=self.labels, n_space=self.n_space)


def pairs_of(names, n_space, y_true, y_pred) -> Pairs:
    y_true, y_pred = np.array(y_true, dtype=np.int32), np.array(y_pred, dtype=np.int32)
    scored = (y_true != MISSING) & (y_pred != MISSING)
    unreadable = "no label could be read" if isinstance(names[0], str) else -7
    truth = [names[code] for code in y_true[scored]]
    answer = [unreadable if code == UNPARSEABLE else names[code] for code in y_pred[scored]]
    return Pairs(tuple(names), n_space, y_true, y_pred, truth, answer)


@st.composite
def pairs(draw, min_rows: int = 0) -> Pairs:
    """Few or many classes, of text or whole numbers; missing, unparseable, unseen ones, none."""
    k = draw(st.one_of(st.integers(1, 6), st.just(100)))
    text = draw(st.booleans())
    names = [f"class {i:03}" if text else i for i in range(k)]
    used = draw(st.lists(st.integers(0, k - 1), min_size=1, max_size=6))
    true = st.sampled_from([*used, MISSING]) if draw(st.booleans()) else st.sampled_from(used)
    pred = st.sampled_from([*used, *draw(st.sampled_from([[], [MISSING], [UNPARSEABLE], [UNPARSEABLE, MISSING]]))])
    rows = draw(st.lists(st.tuples(true, pred), min_size=min_rows, max_size=40))
    return pairs_of(names, draw(st.integers(1, k)), [t for t, _ in rows], [p for _, p in rows])


def many_classes(seed: int = 0, n: int = 20_000) -> Pairs:
    """A thousand classes of very different sizes; some asked and never predicted, some the other way round."""
    random = np.random.default_rng(seed)
    share = random.dirichlet(np.full(MANY, 0.3))
    y_true = random.choice(MANY, n, p=share)
    y_pred = np.where(random.random(n) < 0.6, y_true, random.choice(MANY, n, p=random.permutation(share)))
    y_pred[random.random(n) < 0.02] = UNPARSEABLE
    y_true[random.random(n) < 0.01] = MISSING
    return pairs_of([f"class {i:03}" for i in range(MANY)], MANY - 20, y_true, y_pred)


def scikit_learn_rates(truth, answer, **options) -> dict[str, float]:
    """Return scikit-learn's precision, recall and F1 of one pass, NaN where it warns that one is undefined."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        values = precision_recall_fscore_support(truth, answer, **options)
    undefined = {str(w.message).split()[0] for w in caught if issubclass(w.category, UndefinedMetricWarning)}
    return {
        rate: math.nan if name in undefined else float(value)
        for (rate, name), value in zip(RATES.items(), values[:3], strict=True)
    }


def matthews(truth, answer) -> float:
    """Return scikit-learn's Matthews correlation, NaN where one side never varies: there it is 0/0."""
    return math.nan if min(len(set(truth)), len(set(answer))) < 2 else float(matthews_corrcoef(truth, answer))


def scikit_learn(function, *args, **options) -> float:
    """Return what scikit-learn returns, or NaN if it warns that the value is undefined."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = function(*args, **options)
    return math.nan if any(issubclass(w.category, UndefinedMetricWarning) for w in caught) else float(value)
