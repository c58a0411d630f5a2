"""Random small evaluations, and what scikit-learn says about them: nothing here knows how files are read."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import metrics

from tests.metrics.pairs import matthews

PLAIN = ("spam", "ham", "eggs", "toast", "beans", "rice")
WORDS = ("NA", "None", "nan", "null", "n/a", "-", "True", "=SUM(A1)", "@here", "?", "#5", "N", "TOTAL")
NUMBERS = ("1", "01", "1.0", "10", "1e3", "-1", "007", "1,5")
MARKS = ("x, y", 'say "hi"', "it's", "two words", "<=50K", "(a)", "[b]", "50%", "a=b", "p_x", "C++", "y_pred", "-0")
LETTERS = ("é", "日本語", "Straße", "ёж", "naïve ", "e\u0301", "I", "ı", "😀", "a\u00a0b")
WHOLE = ("0", "1", "2", "3", "4", "5")


@dataclass(frozen=True)
class Single:
    """One label a row.

    scores : float (n, K), in the order of `labels`; a row adds up to 1.
    """

    labels: tuple[str, ...]
    truth: tuple[str, ...]
    pred: tuple[str, ...]
    scores: np.ndarray

    @property
    def ids(self) -> list[str]:
        return [f"r{i:03d}" for i in range(len(self.truth))]

    @property
    def best(self) -> tuple[str, ...]:
        """The label with the highest score of every row."""
        return tuple(self.labels[code] for code in self.scores.argmax(axis=1))


@dataclass(frozen=True)
class Multi:
    """A set of labels a row: bool (n, K), and float (n, K) scores of each by itself."""

    labels: tuple[str, ...]
    truth: np.ndarray
    pred: np.ndarray
    scores: np.ndarray

    @property
    def ids(self) -> list[str]:
        return [f"r{i:03d}" for i in range(len(self.truth))]

    def sets(self, which: np.ndarray) -> list[list[str]]:
        return [[name for name, has in zip(self.labels, row, strict=True) if has] for row in which]


def single(rng: np.random.Generator, pool: tuple[str, ...], k: int, n: int = 40, parts: int = 10_000) -> Single:
    """K labels of a pool, every one of them true and predicted at least once.

    parts : what the scores are fractions of; so many that none are equal by chance, or so few that some are.
    """
    labels = tuple(sorted(rng.choice(pool, size=k, replace=False).tolist()))
    truth, noise = (np.concatenate([np.arange(k), rng.integers(k, size=n - k)]) for _ in range(2))
    pred = np.where((rng.random(n) < 0.7) | (np.arange(n) < k), truth, noise)
    shares = rng.multinomial(9 * parts // 10, rng.dirichlet(np.ones(k), size=n))
    shares = np.maximum(shares + parts // 10 * (np.arange(k) == truth[:, None]), 1)
    shares[np.arange(n), shares.argmax(axis=1)] += parts - shares.sum(axis=1)
    order = rng.permutation(n)
    names = np.array(labels, dtype=object)
    return Single(labels, tuple(names[truth[order]]), tuple(names[pred[order]]), shares[order] / parts)


def multi(rng: np.random.Generator, pool: tuple[str, ...], k: int, n: int = 40) -> Multi:
    """K labels, some rows without any; every label is true of one row and not of another, and predicted."""
    labels = tuple(sorted(rng.choice(pool, size=k, replace=False).tolist()))
    truth = rng.random((n, k)) < 0.4
    truth[0], truth[1], truth[2] = True, False, np.arange(k) == 0
    scores = np.round(np.clip(0.6 * truth + rng.random((n, k)) * 0.4, 0.001, 0.999), 3)
    pred = truth ^ (rng.random((n, k)) < 0.15)
    pred[0] = True
    return Multi(labels, truth, pred, scores)


def confusion(truth: tuple[str, ...], pred: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """Rows of every pair of labels that occurs."""
    pairs = list(zip(truth, pred, strict=True))
    return {pair: pairs.count(pair) for pair in set(pairs)}


def of_labels(truth: tuple[str, ...], pred: tuple[str, ...]) -> dict[str, float]:
    """Return what scikit-learn makes of two lists of labels."""
    seen = sorted({*truth, *pred})
    found = {
        "accuracy": metrics.accuracy_score(truth, pred),
        "cohen_kappa": metrics.cohen_kappa_score(truth, pred),
        "mcc": matthews(truth, pred),
        "n_scored": len(truth),
    }
    for average in ("micro", "macro", "weighted"):
        rates = metrics.precision_recall_fscore_support(truth, pred, labels=seen, average=average, zero_division=0)
        found[f"{average}_f1"] = rates[2]
    return found


def of_scores(e: Single, positive: str | None = None) -> dict[str, Any]:
    """Return what scikit-learn makes of the scores: of the positive class, or of every class against the rest."""
    if positive is not None:
        is_true, score = np.array(e.truth) == positive, e.scores[:, e.labels.index(positive)]
        found = {"roc_auc": metrics.roc_auc_score(is_true, score), "log_loss": metrics.log_loss(is_true, score)}
        return found | {"average_precision": metrics.average_precision_score(is_true, score)}
    is_true = np.array(e.truth)[:, None] == np.array(e.labels)
    return {"log_loss": -np.log(e.scores[is_true]).mean(), **_per_label(e.labels, is_true, e.scores)}


def of_sets(e: Multi) -> dict[str, Any]:
    """Return what scikit-learn makes of two indicator matrices."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {
            "subset_accuracy": metrics.accuracy_score(e.truth, e.pred),
            "hamming_loss": metrics.hamming_loss(e.truth, e.pred),
            "micro_f1": metrics.f1_score(e.truth, e.pred, average="micro"),
            "macro_f1": metrics.f1_score(e.truth, e.pred, average="macro"),
            "weighted_f1": metrics.f1_score(e.truth, e.pred, average="weighted"),
            "jaccard_macro": metrics.jaccard_score(e.truth, e.pred, average="macro"),
        }
    return found


def of_set_scores(e: Multi) -> dict[str, Any]:
    """ROC AUC and average precision of every label's scores."""
    return _per_label(e.labels, e.truth, e.scores)


def _per_label(labels: tuple[str, ...], is_true: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    auc = metrics.roc_auc_score(is_true, scores, average=None)
    precision = metrics.average_precision_score(is_true, scores, average=None)
    return {
        "roc_auc_per_class": dict(zip(labels, auc, strict=True)),
        "average_precision_per_class": dict(zip(labels, precision, strict=True)),
        "roc_auc_macro": np.mean(auc),
        "average_precision_macro": np.mean(precision),
    }
