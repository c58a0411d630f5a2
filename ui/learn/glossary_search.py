"""Find the metrics that a text is about: those that it names first, then those whose description holds its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from metrics.catalogue.metric import Metric

_IMBALANCE = "class imbalance, imbalanced, unbalanced, skewed, rare"
_TOPICS: Mapping[str, str] = {
    "balanced_accuracy": f"{_IMBALANCE}, accuracy paradox",
    "baseline_accuracy": "accuracy paradox, baseline, dummy, zero rule",
    "mcc": f"{_IMBALANCE}, phi coefficient",
    "cohen_kappa": "inter-rater agreement, annotators",
    "normalised_entropy": "class imbalance, entropy",
    "macro_f1_supported": _IMBALANCE,
    "macro_precision": "zero_division",
    "weighted_f1": "zero_division",
    "precision": "ppv, positive predictive value, false discovery rate, fdr",
    "recall": "tpr, hit rate, miss rate, fnr, false negative rate, detection rate, type II error",
    "f1": "dice, f-score, f-measure",
    "specificity": "tnr",
    "false_positive_rate": "fpr, false alarm, fall-out, type I error",
    "positive_likelihood_ratio": "lift",
    "class_jaccard": "iou, intersection over union, threat score",
    "expected_cost": "cost-sensitive, profit",
    "support": "prevalence",
    "roc_auc": "auroc, area under the curve, c-statistic, gini, ranking",
    "roc_auc_macro": "multiclass auc, auroc",
    "partial_auc": "pauc",
    "average_precision": f"pr auc, auprc, prc, ap, precision-recall curve, recall at precision, {_IMBALANCE}",
    "ece": "confidence, overconfident, reliability",
    "log_loss": "cross entropy, nll, negative log-likelihood, confidence",
    "brier": "mean squared error, mse, confidence",
    "top_2_accuracy": "top-k",
    "top_3_accuracy": "top-k",
    "top_5_accuracy": "top-k",
    "subset_accuracy": "exact match ratio",
}
"""Other names of a metric, and topics that lead to it, by its key."""
_PREFIX = 3
"""Letters from which on a word finds longer ones: "ap" is no beginning of "apart"."""


def find_metrics(metrics: Iterable[Metric], text: str) -> list[Metric]:
    """Return the metrics that hold every word of a text, the best match first; of equal ones in their order.

    A metric of that very name comes first. Then names count more than the definition, and that more than the rest of
    the description. A word may be the beginning of another one, if it has three letters or more.

    >>> from metrics.catalogue.registry import ROWS
    >>> [metric.title for metric in find_metrics(ROWS, "PR AUC")[:1]]
    ['Average precision']
    >>> [metric.title for metric in find_metrics(ROWS, "macro f1 sklearn")[:1]]
    ['Macro F1 over classes seen in truth or prediction']
    """
    words = _words(text.casefold().replace("sklearn", "scikit-learn"))
    places = {}
    for metric in metrics:
        ranks = [_rank(metric, word) for word in words]
        known = [rank for rank in ranks if rank is not None]
        if len(known) == len(words):
            places[metric] = (_words(metric.name) != words, sum(known))
    return sorted(places, key=lambda metric: places[metric])


def _rank(metric: Metric, word: str) -> int | None:
    """Return where a metric holds a word: 0 = a name, 1 = the definition, 2 = the rest; None = nowhere."""
    names = " ".join((metric.title, metric.key, metric.short, *metric.aliases, _TOPICS.get(metric.key, "")))
    parts = names, metric.definition, f"{metric.when} {metric.pitfall} {metric.source}"
    for rank, part in enumerate(parts):
        others = _words(part)
        if word in others or (len(word) >= _PREFIX and any(other.startswith(word) for other in others)):
            return rank
    return None


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
