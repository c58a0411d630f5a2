"""Compute every number again with scikit-learn, and print it beside Blindspot's.

Needs numpy, pandas, pyarrow and scikit-learn. Run it where prepared.parquet and numbers.json lie: python recompute.py
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from scipy.stats import binomtest, gmean
from sklearn import metrics

READING = ("n_rows", "n_missing_truth", "n_missing_pred", "receipt", "warnings", "parser", "outcomes", "findings",
           "engine", "score_error_bound")  # fmt: skip
"""Keys of facts about reading the file, and of sentences: not computed from truth, prediction and scores."""


def read_prepared(path: str) -> SimpleNamespace:
    """Return labels as codes (-1: no label found), label sets as 0/1 columns; scores by code; weights, and rows."""
    table = pq.read_table(path)
    p = SimpleNamespace(**json.loads(table.schema.metadata[b"blindspot"]))

    def side(name: str) -> Any:
        if p.many:
            return np.column_stack([table[f"{name}: {label}"].to_numpy() for label in p.labels])
        return pd.Categorical(table[name].to_pandas(), categories=p.labels).codes.astype(int)

    p.y_true = side("y_true")
    p.y_pred = side("y_pred") if p.has_predictions else None
    p.scores = {int(code): table[name].to_numpy() for code, name in p.score_columns.items()}
    p.weight = table["weight"].to_numpy() if "weight" in table.column_names else np.ones(len(table), int)
    p.rows = table["rows"].to_numpy() if "rows" in table.column_names else p.weight
    return p


def both_sides(p: SimpleNamespace) -> Any:
    """Return truth and prediction; scikit-learn knows several labels a row from two columns on, so one is added."""
    if not p.many:
        return p.y_true, p.y_pred
    one_more = ((0, 0), (0, 1))
    return np.pad(p.y_true, one_more), np.pad(p.y_pred, one_more)


def rates(p: SimpleNamespace) -> SimpleNamespace:
    """Return precision, recall, F1, true rows and predicted rows of every label; 0/0 is NaN."""
    if hasattr(p, "rates"):  # with many classes they take long, and every average asks for them
        kept: SimpleNamespace = p.rates
        return kept
    true, pred = both_sides(p)
    k = len(p.labels)
    given = {"labels": range(k), "zero_division": np.nan, "sample_weight": p.weight}
    precision, recall, f1, support = metrics.precision_recall_fscore_support(true, pred, **given)
    predicted = (p.weight @ pred)[:k] if p.many else np.bincount(pred + 1, p.weight, minlength=k + 1)[1:]
    known = {"precision": precision, "recall": recall, "f1": f1, "support": support, "predicted": predicted}
    computed = SimpleNamespace(**of_each(p) | known, in_space=np.arange(k) < p.n_space)
    p.rates = computed
    return computed


def geometric_mean(r: SimpleNamespace) -> float:
    """Return the geometric mean of the recalls of the classes with true rows."""
    recalls = r.recall[r.support > 0]
    return float(gmean(recalls)) if len(recalls) else np.nan


def p_of_baseline(p: SimpleNamespace) -> float:
    """Return the one-sided p of as many right rows, if each were right with the share of the most frequent class."""
    most = np.bincount(p.y_true, p.rows).max() if len(p.rows) else 0
    right = p.rows[p.y_true == p.y_pred].sum()
    n = p.rows.sum()
    return float(binomtest(int(right), int(n), most / n, alternative="greater").pvalue) if n else np.nan


def macro(r: SimpleNamespace, which: str, over: str, zero: float = np.nan) -> float:
    """Return the mean over the classes that `over` says; 0/0 counts as `zero`."""
    chosen = {
        "seen": r.support + r.predicted > 0,
        "supported": r.support > 0,
        "predicted": r.predicted > 0,
        "space": r.in_space,
        "all": r.support >= 0,
    }
    if which == "f1" and over == "space":
        zero = 0.0  # by convention, where a listed class is neither true nor predicted
    values = np.nan_to_num(getattr(r, which)[chosen[over]], nan=zero)
    return values.mean() if len(values) else np.nan


def weighted(r: SimpleNamespace, which: str, zero: float = np.nan) -> float:
    """Return the mean over the classes with true rows, weighted by them; 0/0 counts as `zero`."""
    known = r.support > 0
    values = np.nan_to_num(getattr(r, which)[known], nan=zero)
    return np.average(values, weights=r.support[known]) if known.any() else np.nan


def micro(p: SimpleNamespace, score: Any) -> Any:
    """Return a score of scikit-learn over all labels' counts added up."""
    given = {"labels": range(len(p.labels)), "average": "micro", "zero_division": np.nan}
    return score(*both_sides(p), **given, sample_weight=p.weight)


def never_true(p: SimpleNamespace, r: SimpleNamespace) -> Any:
    """Return which labels are predicted, true in no row, and in no list."""
    return (r.predicted > 0) & (r.support == 0) & ~np.isin(np.arange(len(p.labels)), p.listed)


def highest_macro_f1(p: SimpleNamespace, r: SimpleNamespace) -> float:
    """Return the macro F1 of a perfect model over the label space."""
    known = r.in_space & ~never_true(p, r)
    return share((r.support > 0)[r.in_space].sum(), known.sum()) if r.support.any() else np.nan


def evenness(support: Any) -> float:
    """Return the entropy of the classes' shares over its highest value, NaN for a single class."""
    shares = support[support > 0] / support.sum()
    if len(shares) < 2:
        return np.nan
    entropy = float(-(shares * np.log(shares)).sum())
    return min(1.0, entropy / float(np.log(len(shares))))


def one_class(p: SimpleNamespace, code: int) -> tuple[Any, Any]:
    """Return which rows are of one class and which were predicted as it."""
    return (p.y_true[:, code], p.y_pred[:, code]) if p.many else (p.y_true == code, p.y_pred == code)


def places(p: SimpleNamespace) -> tuple[Any, Any, Any]:
    """Return the places of truth and prediction in the order of the labels, and weights; rows without are left out."""
    rank = np.full(len(p.labels) + 1, np.nan)  # the last: no label
    rank[: len(p.ranks)] = p.ranks
    true, pred = rank[p.y_true], rank[p.y_pred]
    known = ~np.isnan(true + pred)
    return true[known].astype(int), pred[known].astype(int), p.weight[known]


def within_one_step(p: SimpleNamespace) -> float:
    """Return the share of all rows that are right or one step off."""
    true, pred, weight = places(p)
    return share(weight[abs(true - pred) <= 1].sum(), p.weight.sum())


def mean_steps_off(p: SimpleNamespace) -> Any:
    """Return how many steps predictions are off on average."""
    true, pred, weight = places(p)
    return metrics.mean_absolute_error(true, pred, sample_weight=weight) if weight.any() else np.nan


def weighted_kappa(p: SimpleNamespace, by: str) -> Any:
    """Return Cohen's kappa with linear or quadratic weights, NaN where one class is all there is."""
    true, pred, weight = places(p)
    known = list(range(max(p.ranks) + 1))
    varied = len(np.unique([true[weight > 0], pred[weight > 0]])) > 1
    return metrics.cohen_kappa_score(true, pred, labels=known, weights=by, sample_weight=weight) if varied else np.nan


def hierarchical(p: SimpleNamespace, score: Any) -> Any:
    """Return a micro-averaged score of labels with all groups above them, each label of a tree a column."""
    groups = np.zeros((len(p.labels) + 1, 1 + max(max(path) for path in p.paths)), dtype=bool)  # the last: no label
    for code, path in enumerate(p.paths):
        groups[code, path] = True
    sides = groups[p.y_true], groups[p.y_pred]
    return score(*sides, average="micro", sample_weight=p.weight, zero_division=np.nan)


def errors_within_family(p: SimpleNamespace) -> float:
    """Return the share of the wrong rows whose prediction is in the top group of the truth."""
    family = np.array([*(path[0] for path in p.paths), -1])  # the last: no label
    wrong = p.y_true != p.y_pred
    inside = wrong & (family[p.y_true] == family[p.y_pred])
    return share(p.weight[inside].sum(), p.weight[wrong].sum())


def families(p: SimpleNamespace) -> dict[str, Any]:
    """Return the numbers of every family of labels, its group at the top, as classes of their own."""
    family = np.array([*p.families, None], dtype=object)  # the last: no label
    true, pred = family[p.y_true], family[p.y_pred]
    wrong = p.y_true != p.y_pred
    families = {}
    for name in dict.fromkeys(p.families):
        is_true, is_pred = true == name, pred == name
        o = outcomes(is_true, is_pred, p.weight)
        families[name] = {
            "labels": p.families.count(name),
            "support": p.rows[is_true].sum(),
            "predicted": p.rows[is_pred].sum(),
            "wrong": p.rows[wrong & is_true].sum(),
            "wrong_within": p.rows[wrong & is_true & is_pred].sum(),
            "precision": share(o.tp, o.tp + o.fp),
            "recall": share(o.tp, o.tp + o.fn),
            "f1": share(2 * o.tp, 2 * o.tp + o.fp + o.fn),
        }
    return families


def outcomes(is_true: Any, is_pred: Any, weight: Any) -> SimpleNamespace:
    """Return true negatives, false positives, false negatives and true positives."""
    matrix = metrics.confusion_matrix(is_true, is_pred, labels=[False, True], sample_weight=weight)
    return SimpleNamespace(**dict(zip(("tn", "fp", "fn", "tp"), matrix.ravel().tolist(), strict=True)))


def ratio(above: float, below: float) -> float:
    """Return above / below, NaN where there is nothing below."""
    return above / below if below else np.nan


def of_each(p: SimpleNamespace) -> dict[str, Any]:
    """Return the numbers of every class against the rest that no table of classes has."""
    labels = list(range(len(p.labels)))
    counted = metrics.multilabel_confusion_matrix(*both_sides(p), labels=labels, sample_weight=p.weight)
    tn, fp, fn, tp = counted.reshape(-1, 4).T.astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        recall, specificity = tp / (tp + fn), tn / (tn + fp)
        n = tp + fp + fn + tn
        predicted, true = (tp + fp) / n, (tp + fn) / n
        covariance = tp / n - predicted * true
        spread = predicted * (1 - predicted), true * (1 - true)
        columns = {
            "f2": 5 * tp / (5 * tp + 4 * fn + fp),
            "specificity": specificity,
            "false_positive_rate": fp / (fp + tn),
            "npv": tn / (tn + fn),
            "youden_j": recall + specificity - 1,
            "mcc": covariance / np.sqrt(spread[0] * spread[1]),
            "g_mean": np.sqrt(recall * specificity),
            "positive_likelihood_ratio": recall / (1 - specificity),
            "negative_likelihood_ratio": (1 - recall) / specificity,
            "f05": 1.25 * tp / (1.25 * tp + 0.25 * fn + fp),
            "jaccard": tp / (tp + fp + fn),
            "predicted_share": predicted,
        }
    return {name: np.where(np.isinf(values), np.nan, values) for name, values in columns.items()}


def share(part: float, whole: float) -> float:
    """Return part / whole, NaN for 0/0."""
    return part / whole if whole else np.nan


def scores_of(p: SimpleNamespace, code: int) -> tuple[Any, Any, Any]:
    """Return which rows are of one class, their score for it, and their weight; rows without a score are left out."""
    known = ~np.isnan(p.scores[code])
    is_true = (p.y_true[:, code] if p.many else p.y_true == code)[known]
    # scikit-learn takes no infinite scores
    finite = np.clip(p.scores[code][known], -sys.float_info.max, sys.float_info.max)
    return is_true, finite, p.weight[known]


def roc_auc(is_true: Any, score: Any, weight: Any) -> float:
    """Return the area under the ROC curve, NaN where one of the two classes has no rows."""
    both = is_true.any() and not is_true.all()
    return metrics.roc_auc_score(is_true, score, sample_weight=weight) if both else np.nan


def partial_auc(is_true: Any, score: Any, weight: Any) -> float:
    """Return the area under the ROC curve up to a false positive rate of 0.1, so that guessing gives 0.5."""
    both = is_true.any() and not is_true.all()
    return metrics.roc_auc_score(is_true, score, sample_weight=weight, max_fpr=0.1) if both else np.nan


def average_precision(is_true: Any, score: Any, weight: Any) -> float:
    """Return the average precision, NaN without rows of the class."""
    return metrics.average_precision_score(is_true, score, sample_weight=weight) if is_true.any() else np.nan


def mean_of_classes(p: SimpleNamespace, score: Any, weigh: bool = False) -> float:
    """Return the mean of a score over the classes where it is defined, weighted by their true rows if wanted."""
    scores = [scores_of(p, code) for code in p.scores]
    values = np.array([score(*each) for each in scores])
    weights = np.array([weight[is_true].sum() if weigh else 1 for is_true, _, weight in scores], dtype=float)
    weights[np.isnan(values)] = 0
    return np.average(np.nan_to_num(values), weights=weights) if weights.any() else np.nan


def top_k_accuracy(p: SimpleNamespace, k: int) -> Any:
    """Return the share of rows whose true class is among the k highest scores; rows without some score are left out."""
    nothing, codes = np.full(len(p.y_true), -sys.float_info.max), range(len(p.labels))
    scores = np.column_stack([p.scores.get(code, nothing) for code in codes])
    known = ~np.isnan(scores).any(axis=1)
    finite = np.clip(scores[known], -sys.float_info.max, sys.float_info.max)
    given = {"k": k, "labels": codes, "sample_weight": p.weight[known]}
    return metrics.top_k_accuracy_score(p.y_true[known], finite, **given) if known.any() else np.nan


def micro_auc(p: SimpleNamespace) -> float:
    """Return the ROC AUC of the scores of all classes together."""
    return roc_auc(*(np.concatenate(parts) for parts in zip(*(scores_of(p, code) for code in p.scores), strict=True)))


def pairs_auc(p: SimpleNamespace) -> float:
    """Return Hand and Till's M: the mean ROC AUC of a class against the rest whose classes have equal weight."""
    values = []
    for code, score in p.scores.items():
        known = ~np.isnan(score) & np.isin(p.y_true, list(p.scores)) & (p.weight > 0)
        true, weight = p.y_true[known], p.weight[known]
        equal = weight / np.bincount(true, weight)[true]
        values.append(roc_auc(true == code, np.clip(score[known], -sys.float_info.max, sys.float_info.max), equal))
    return float(np.nanmean(values)) if not np.isnan(values).all() else np.nan


def best(is_true: Any, score: Any, weight: Any) -> dict[str, dict[str, float]]:
    """Return the best threshold and its value by F1, Youden's J, balanced accuracy and cost (both mistakes cost 1)."""
    undefined = {"threshold": np.nan, "value": np.nan}
    if not len(score):
        return dict.fromkeys(("f1", "youden_j", "balanced_accuracy", "cost"), undefined)
    fpr, tpr, threshold = metrics.roc_curve(is_true, score, sample_weight=weight, drop_intermediate=False)
    first = int(score.max() == sys.float_info.max)  # no threshold lies above an infinite score
    whole = weight.dtype.kind in "iu"
    weight = weight if whole else weight / weight.mean()
    digits = 0 if whole else 9  # rounded, so that equally good thresholds are equal
    n_pos, n_neg = np.round(weight[is_true].sum(), digits), np.round(weight[~is_true].sum(), digits)
    tp = np.round(np.nan_to_num(tpr * n_pos), digits)[first:]
    fp = np.round(np.nan_to_num(fpr * n_neg), digits)[first:]
    f1 = 2 * tp / np.maximum(tp + fp + n_pos, sys.float_info.min)
    youden_j = (tp * n_neg - fp * n_pos) / (n_pos * n_neg or 1)
    cost = (fp + n_pos - tp) / (n_pos + n_neg)

    def choice(place: int, value: float) -> dict[str, float]:
        return {"threshold": threshold[first + place], "value": value}

    highest_j = choice(youden_j.argmax(), youden_j.max()) if n_pos and n_neg else undefined
    return {
        "f1": choice(f1.argmax(), f1.max()) if n_pos else undefined,
        "youden_j": highest_j,
        "balanced_accuracy": highest_j | {"value": (highest_j["value"] + 1) / 2},
        "cost": choice(cost.argmin(), cost.min()),
    }


def probabilities(p: SimpleNamespace) -> tuple[Any, Any, Any]:
    """Return each row's true column, its probabilities and its weight; no rows where the scores are none."""
    codes = list(p.scores)
    if len(codes) == 1:
        is_true, score, weight = scores_of(p, codes[0])
        score = np.exp(-np.logaddexp(0, -score)) if p.scale == "logit" else score
        true, scores = is_true.astype(int), np.column_stack([1 - score, score])
    else:
        scores = np.column_stack(list(p.scores.values()))
        known = ~np.isnan(scores).any(axis=1)
        true, scores, weight = pd.Index(codes).get_indexer(p.y_true[known]), scores[known], p.weight[known]
    sums = abs(scores.sum(axis=1) - 1) <= 0.01
    defined = p.scale != "score" and (true >= 0).all() and sums.all() and ((scores >= 0) & (scores <= 1)).all()
    return (true, scores, weight) if defined else (true[:0], scores[:0], weight[:0])


def log_loss(p: SimpleNamespace) -> Any:
    """Return the mean of -ln(probability of the true class), NaN where the scores are no probabilities."""
    true, scores, weight = probabilities(p)
    if p.scale == "logit" and len(true):  # exact: no probability is cut
        is_true, score, weight = scores_of(p, p.positive)
        return np.average(np.logaddexp(0, np.where(is_true, -score, score)), weights=weight)
    known = range(scores.shape[1])
    return metrics.log_loss(true, scores, labels=known, sample_weight=weight) if len(true) else np.nan


def mean_loss(p: SimpleNamespace, losses: Any) -> float:
    """Return the mean of what `losses` gives for each row from its true column and its probabilities, NaN without."""
    true, scores, weight = probabilities(p)
    return np.average(losses(true, scores), weights=weight) if len(true) else np.nan


def squared_distances(true: Any, scores: Any) -> Any:
    """Return the squared distance of the probabilities of each row from the truth."""
    return ((scores - np.eye(scores.shape[1])[true]) ** 2).sum(axis=1) / (2 if scores.shape[1] == 2 else 1)


def brier_skill(p: SimpleNamespace) -> float:
    """Return 1 - the Brier score over that of always giving the share of each class, NaN where that is 0."""
    true, scores, weight = probabilities(p)
    if not len(true):
        return np.nan
    shares = np.average(np.eye(scores.shape[1])[true], axis=0, weights=weight)
    of_shares = np.average(squared_distances(true, shares[None]), weights=weight)
    return 1 - mean_loss(p, squared_distances) / of_shares if of_shares > 1e-12 else np.nan


def calibrated(p: SimpleNamespace) -> tuple[Any, Any, Any, Any]:
    """Return what came true, its score, weight and rows: of the positive class, or of the predicted one of each row."""
    if p.task == "binary":
        is_true, score, weight = scores_of(p, p.positive)
        score = np.exp(-np.logaddexp(0, -score)) if p.scale == "logit" else score
        return is_true, score, weight, p.rows[~np.isnan(p.scores[p.positive])]
    nothing = np.full(len(p.rows), np.nan)
    scores = np.column_stack([p.scores.get(code, nothing) for code in range(len(p.labels))])
    score = np.where(p.y_pred < 0, np.nan, scores[np.arange(len(p.rows)), p.y_pred])
    known = ~np.isnan(score)
    return (p.y_true == p.y_pred)[known], score[known], p.weight[known], p.rows[known]


def bins_of(p: SimpleNamespace, by: str) -> tuple[Any, Any, Any, Any]:
    """Return weight, mean score, share that came true and variance by chance of ten bins, by "mass" or "width".

    No bins where scores are no probabilities.
    """
    is_true, score, weight, rows = calibrated(p)
    if p.scale == "score" or not len(score) or score.min() < 0 or score.max() > 1:
        return np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0)
    values, inverse = np.unique(score, return_inverse=True)
    if by == "width":
        place = np.searchsorted(np.arange(1, 10) / 10, values, side="right")[inverse]
    else:  # a bin ends at the score where the weight so far is nearest to its share of it
        ends = np.concatenate([[0], np.cumsum(np.bincount(inverse, weight))])
        nearest = [len(ends) - 1 - abs(ends[::-1] - ends[-1] * i / 10).argmin() for i in range(1, 10)]
        place = np.searchsorted(np.unique(nearest), inverse, side="right")
    filled = np.bincount(place, weight) > 0

    def sums(values: Any) -> Any:
        return np.bincount(place, values)[filled]

    n = sums(weight)
    spread = sums(weight * (score * (1 - score))) / n
    squares = sums(weight**2 / np.maximum(rows, 1))  # the rows of a line have one weight
    return n, sums(weight * score) / n, sums(weight * is_true) / n, spread * squares / n**2


def ece(p: SimpleNamespace, by: str = "mass") -> float:
    """Return the expected calibration error."""
    n, scores, true, _ = bins_of(p, by)
    return float(np.average(abs(scores - true), weights=n)) if len(n) else np.nan


def ece_equal_width(p: SimpleNamespace) -> float:
    """Return the expected calibration error of bins of equal width."""
    return ece(p, "width")


def mce(p: SimpleNamespace) -> float:
    """Return the maximum calibration error."""
    n, scores, true, _ = bins_of(p, "mass")
    return float(abs(scores - true).max()) if len(n) else np.nan


def ece_by_chance(p: SimpleNamespace) -> float:
    """Return the expected calibration error that calibrated scores would show."""
    n, _, _, variance = bins_of(p, "mass")
    return float(np.average(np.sqrt(2 / np.pi * variance), weights=n)) if len(n) else np.nan


def correlation(true: Any, predicted: Any, weight: Any) -> float:
    """Return the Matthews correlation; 0/0, where one side never varies, is undefined."""
    if any(len(np.unique(side[weight > 0])) < 2 for side in (true, predicted)):
        return float("nan")
    return float(metrics.matthews_corrcoef(true, predicted, sample_weight=weight))


def recompute(p: SimpleNamespace) -> dict[str, Any]:
    """Return every number by the name that it has in numbers.json."""
    values: dict[str, Any] = {
        "n_scored": p.rows.sum(),
        "classes": p.labels[: p.n_space],
        "outside_label_space": p.labels[p.n_space :],
        **overall(p),
    }
    if p.rows is not p.weight:
        values["weights"] = sums_of_weights(p)
    if not p.has_predictions:
        values |= without_predictions(p)
    else:
        values |= averages(p) | macro_gap(p)
        values |= label_sets(p) if p.many else single_labels(p)
    if p.scores and p.task == "binary":
        values |= one_score(p)
    elif p.scores:
        values |= scores_of_classes(p)
    return values


def overall(p: SimpleNamespace) -> dict[str, Any]:
    """Return every number over all rows that is one expression."""
    numbers: dict[str, Any] = {}
    # NUMBERS: `prepared.py` writes the expression of every metric of a file here
    return numbers


def sums_of_weights(p: SimpleNamespace) -> dict[str, float]:
    """Return the sum of the weights, the rows, how many of equal weight would tell as much, and how many decide."""
    there = p.rows > 0
    each, rows = p.weight[there] / p.rows[there], p.rows[there]  # the rows of a line have one weight
    each = each / each.max()  # of 1 at most: fourth powers of large weights are no floats
    squares, fourths = (rows * each**2).sum(), (rows * each**4).sum()
    effective, deciding = (rows * each).sum() ** 2 / squares, squares**2 / fourths
    return {"total": p.weight.sum(), "rows": p.rows.sum(), "effective_n": effective, "n_deciding": deciding}


def without_predictions(p: SimpleNamespace) -> dict[str, Any]:
    """Return what the true labels alone say."""
    support, support_weight = true_rows(p, p.rows), true_rows(p, p.weight)
    numbers: dict[str, Any] = {"absent": names(p, (support == 0)[: p.n_space]), "per_class": {}}
    for label, n, weight in zip(p.labels, support, support_weight, strict=True):
        numbers["per_class"][label] = {"support": n, "support_weight": weight}
    if not p.many:
        numbers["baseline_accuracy"] = support_weight.max() / support_weight.sum()
    return numbers


def scores_of_classes(p: SimpleNamespace) -> dict[str, Any]:
    """Return what the score of each of several classes, or labels, gives."""
    return {
        "roc_auc_per_class": {p.labels[code]: roc_auc(*scores_of(p, code)) for code in p.scores},
        "average_precision_per_class": {p.labels[code]: average_precision(*scores_of(p, code)) for code in p.scores},
    }


def true_rows(p: SimpleNamespace, rows: Any) -> Any:
    """Return how many true rows every label has; with weights in place of rows, the sum of these."""
    return rows @ p.y_true if p.many else np.bincount(p.y_true, rows, minlength=len(p.labels))


def predicted_rows(p: SimpleNamespace, rows: Any) -> Any:
    """Return for how many rows every label is predicted; with weights in place of rows, the sum of these."""
    return rows @ p.y_pred if p.many else np.bincount(p.y_pred + 1, rows, minlength=len(p.labels) + 1)[1:]


def names(p: SimpleNamespace, chosen: Any) -> list[str]:
    """Return the labels that are chosen."""
    return [p.labels[code] for code in np.flatnonzero(chosen)]


def averages(p: SimpleNamespace) -> dict[str, Any]:
    """Return the averages in which 0/0 counts as 0, the numbers of every class, and classes without rows."""
    numbers: dict[str, Any] = {}
    r = rates(p)
    for which in ("f1", "precision", "recall"):
        numbers[f"weighted_{which}_zero_division_0"] = weighted(r, which, 0)
        for over, name in (("seen", ""), ("supported", "_supported"), ("space", "_label_space")):
            numbers[f"macro_{which}{name}_zero_division_0"] = macro(r, which, over, 0)
    columns = {"precision": r.precision, "recall": r.recall, "f1": r.f1} | of_each(p)
    columns |= {"support": true_rows(p, p.rows), "predicted": predicted_rows(p, p.rows)}
    if p.many:
        columns["accuracy"] = p.weight @ (p.y_true == p.y_pred) / p.weight.sum()
    if p.rows is not p.weight:
        columns |= {"support_weight": r.support, "predicted_weight": r.predicted}
    numbers["per_class"] = {
        label: {key: column[i] for key, column in columns.items()} for i, label in enumerate(p.labels)
    }
    numbers["never_predicted"] = names(p, (r.support > 0) & (r.predicted == 0))
    unknown = never_true(p, r)
    numbers["absent"], numbers["never_true"] = names(p, (r.support == 0) & r.in_space & ~unknown), names(p, unknown)
    return numbers


def single_labels(p: SimpleNamespace) -> dict[str, Any]:
    """Return what one label a row has beside the averages."""
    k, read = len(p.labels), p.y_pred >= 0
    counted = metrics.confusion_matrix(p.y_true, p.y_pred, labels=[*range(k), -1], sample_weight=p.rows)[:k]
    matrix = metrics.confusion_matrix(p.y_true, p.y_pred, labels=[*range(k), -1], sample_weight=p.weight)[:k]
    numbers = {
        "n_unparsed": p.rows[~read].sum(),
        "confusion_matrix": {
            "labels": p.labels, "rows_true_cols_pred": counted[:, :k].tolist(),
            "weights_true_cols_pred": matrix[:, :k].tolist(),
        },
    }  # fmt: skip
    if p.paths:
        numbers["families"] = families(p)
    if not read.all():
        numbers["confusion_matrix"]["unparsed_per_true"] = counted[:, k].tolist()
        numbers["confusion_matrix"]["unparsed_weight_per_true"] = matrix[:, k].tolist()
    if p.positive is not None:
        o = outcomes(*one_class(p, p.positive), p.weight)
        numbers |= {"recall": share(o.tp, o.tp + o.fn), "precision": share(o.tp, o.tp + o.fp)}
        of_rows = outcomes(*one_class(p, p.positive), p.rows)
        numbers |= {"n_missed": of_rows.fn, "n_false_alarms": of_rows.fp}
    return numbers


def label_sets(p: SimpleNamespace) -> dict[str, Any]:
    """Return what several labels a row have beside the averages."""
    return {
        "jaccard_macro_zero_division_0": macro(rates(p), "jaccard", "all", 0),
        "label_swaps": label_swaps(p),
        "n_rows_without_true_label": p.rows[~p.y_true.any(axis=1)].sum(),
        "n_rows_without_predicted_label": p.rows[~p.y_pred.any(axis=1)].sum(),
        "threshold": p.threshold,
    }


def label_swaps(p: SimpleNamespace) -> list[dict[str, Any]]:
    """Return in how many rows each label was missed while another was predicted and is not true, most rows first."""
    missed, predicted = p.y_true & ~p.y_pred, p.y_pred & ~p.y_true
    rows, weight = ((missed.T * amount) @ predicted for amount in (p.rows, p.weight))
    swaps = []
    for i, j in sorted(zip(*np.nonzero(rows), strict=True), key=lambda pair: (-rows[pair], pair)):
        swap = {"missed": p.labels[i], "predicted": p.labels[j], "rows": int(rows[i, j])}
        if p.rows is not p.weight:
            swap["weight"] = weight[i, j]
        swaps.append(swap)
    return swaps


def macro_gap(p: SimpleNamespace) -> dict[str, Any]:
    """Return how far macro F1 is from micro F1, and how much of it goes when kinds of classes are left out in turn."""
    r, kind_names = rates(p), ("absent", "never_true", "never_predicted", "other")
    f1 = np.nan_to_num(r.f1)[: p.n_space]
    asked, invented = (r.support > 0)[: p.n_space], never_true(p, r)[: p.n_space]
    kinds = [np.full(p.n_space, True), asked | invented, asked, asked & (r.predicted > 0)[: p.n_space]]
    steps = [np.nan]
    for kind in kinds:
        steps.append(f1[kind].mean() if kind.any() else steps[-1])
    steps = [*steps[1:], micro(p, metrics.f1_score)]
    parts = np.diff(steps)
    gap: dict[str, Any] = {"micro_f1": steps[-1], "macro_f1_space": steps[0], "gap": steps[-1] - steps[0]}
    gap |= {f"from_{name}": part for name, part in zip(kind_names, parts, strict=True)}
    gap |= {"max_macro_f1": highest_macro_f1(p, r), "n_never_true": invented.sum(), "n_absent": (~kinds[1]).sum()}
    for i in (3, 2, 1):  # what the last kinds make up for is counted off the kinds before
        parts[i - 1], parts[i] = parts[i - 1] + min(parts[i], 0), max(parts[i], 0)
    gap["shares"] = dict(zip(kind_names, np.maximum(parts, 0) / gap["gap"], strict=True)) if gap["gap"] > 1e-9 else {}
    return {"macro_gap": gap | {"n_never_predicted": (asked & ~kinds[3]).sum()}}


def one_score(p: SimpleNamespace) -> dict[str, Any]:
    """Return what the score of the positive class gives."""
    is_true, score, weight = scores_of(p, p.positive)
    numbers: dict[str, Any] = {"threshold": p.cut, "best_thresholds": best(is_true, score, weight)}
    if p.cut is None:
        return numbers
    is_pred = score >= p.cut
    o = outcomes(is_true, is_pred, weight)
    of_rows = outcomes(is_true, is_pred, p.rows[~np.isnan(p.scores[p.positive])])
    sides = SimpleNamespace(
        many=False, labels=("rest", "class"), y_true=is_true.astype(int), y_pred=is_pred.astype(int), weight=weight
    )
    of_class = {name: values[1] for name, values in of_each(sides).items()}
    numbers["at_threshold"] = of_class | {
        "threshold": p.cut,
        **vars(of_rows),
        "recall": share(o.tp, o.tp + o.fn),
        "fpr": of_class["false_positive_rate"],
        "precision": share(o.tp, o.tp + o.fp),
        "balanced_accuracy": (of_class["youden_j"] + 1) / 2,
        "f1": share(2 * o.tp, 2 * o.tp + o.fp + o.fn),
        "accuracy": share(o.tp + o.tn, weight.sum()),
        "predicted_positive_rate": of_class["predicted_share"],
    }
    return numbers


def compare(ours: Any, theirs: Any, path: str = "") -> Iterator[tuple[str, Any, Any, bool]]:
    """Return every number of numbers.json, scikit-learn's, and whether they agree; None and NaN are undefined."""
    if isinstance(ours, dict):
        for key, value in ours.items():
            if not isinstance(value, str):
                other = theirs.get(key) if isinstance(theirs, dict) else None
                yield from compare(value, other, f"{path} / {ascii(key)[1:-1]}".removeprefix(" / "))
    elif isinstance(ours, list):
        of_weights = "weights_" in path and bool(np.allclose(ours, theirs, rtol=1e-9, atol=1e-9))
        yield path, f"{len(ours):,} values", f"{len(ours):,} values", of_weights or ours == theirs
    else:
        left, right = defined(ours), defined(theirs)
        same = bool(np.isclose(left, right, rtol=1e-9, atol=1e-9, equal_nan=True))
        yield path, "undefined" if np.isnan(left) else left, "undefined" if np.isnan(right) else right, same


def defined(value: float | None) -> float:
    """Return a number, NaN where it is null in JSON, or the end of a scale."""
    return np.nan if value is None or abs(value) >= sys.float_info.max else value


def main() -> int:
    """Print the numbers of both, and how many differ."""
    warnings.simplefilter("ignore")  # scikit-learn's, on 0/0
    p = read_prepared("prepared.parquet")
    ours, theirs = json.loads(Path("numbers.json").read_text(encoding="ascii"))["numbers"], recompute(p)
    keys = ours.keys() - {*READING, "undefined_because", "rules_in_force"}
    if not p.scores:  # a file of counts may lack scores that the numbers are computed from
        keys &= theirs.keys()
    compared = list(compare({key: value for key, value in ours.items() if key in keys}, theirs))
    print(f"{'number':60} {'Blindspot':>22} {'scikit-learn':>22}")
    for path, left, right, same in compared:
        print(f"{path:60} {left!s:>22} {right!s:>22}{'' if same else ' DIFFERENT'}")
    n_same = sum(same for *_, same in compared)
    print(f"{n_same:,} of {len(compared):,} numbers agree to 1e-9.")
    return int(n_same < len(compared))


if __name__ == "__main__":
    sys.exit(main())
