"""Registry rows of metrics for several labels a row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from metrics.catalogue.metric import Metric
from metrics.catalogue.worked_examples import fraction, mean, number, result, total
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import Average, MultilabelCounts

_metric = partial(Metric, eats="multi-label counts")
ZHANG = "Zhang and Zhou (2014), A review on multi-label learning algorithms, IEEE TKDE 26(8)."
TSOUMAKAS = "Tsoumakas and Katakis (2007), Multi-label classification: an overview, IJDWM 3(3)."
GODBOLE = "Godbole and Sarawagi (2004), Discriminative methods for multi-labeled classification, PAKDD."

FUNCTIONS: dict[str, Callable[..., float]] = {
    "f1": set_metrics.f1,
    "precision": set_metrics.precision,
    "recall": set_metrics.recall,
    "jaccard": set_metrics.jaccard,
}
SPOKEN = {"f1": "F1", "precision": "precision", "recall": "recall", "jaccard": "Jaccard index"}
# The rate of one label l, and of one row i with true set Y and predicted set Z.
OF_LABEL = {
    "f1": (r"2\,TP_l", r"2\,TP_l + FP_l + FN_l"),
    "precision": ("TP_l", "TP_l + FP_l"),
    "recall": ("TP_l", "TP_l + FN_l"),
    "jaccard": ("TP_l", "TP_l + FP_l + FN_l"),
}
OF_ROW = {
    "f1": r"\frac{2\,|Y_i \cap Z_i|}{|Y_i| + |Z_i|}",
    "precision": r"\frac{|Y_i \cap Z_i|}{|Z_i|}",
    "recall": r"\frac{|Y_i \cap Z_i|}{|Y_i|}",
    "jaccard": r"\frac{|Y_i \cap Z_i|}{|Y_i \cup Z_i|}",
}
# Definition of the average of a rate, its line of scikit-learn, when to average so, and how it misleads.
TEXTS: dict[Average, tuple[str, str, str, str]] = {
    "micro": (
        "{} counted over all decisions of all labels together.",
        "micro(p, metrics.{}_score)",
        "Every decision about one label of one row should count the same.",
        "Frequent labels decide it: rare ones can be missed altogether and it hardly changes.",
    ),
    "macro": (
        "The plain mean of every label's {}.",
        "macro(rates(p), '{}', 'all')",
        "Every label should count the same, frequent or rare.",
        "Labels with few rows change it by chance. One label for which it is undefined makes the mean undefined.",
    ),
    "weighted": (
        "The mean of every label's {}, weighted by its true rows.",
        "weighted(rates(p), '{}')",
        "Labels should count by how often they are true.",
        "Rare labels hardly change it. It is undefined if it is undefined for a label with true rows.",
    ),
    "samples": (
        "The mean of every row's {} over its set of labels.",
        "metrics.{}_score(*both_sides(p), average='samples', zero_division=0)",
        "Every row should count the same: how well does its predicted set fit its true one?",
        "A row without any label on either side is 0/0. It counts as 0 here, as in scikit-learn, so a file with "
        "many such rows looks bad.",
    ),
}
JACCARD_DEFINITIONS: dict[Average, str] = {
    "micro": "The overlap of all true and predicted labels, divided by their union.",
    "samples": "The mean overlap of a row's true and predicted labels, divided by their union.",
}
JACCARD_MICRO = "micro(p, metrics.f1_score) / (2 - micro(p, metrics.f1_score))"


def _averaged(counts: MultilabelCounts, *, which: str, average: Average) -> str:
    value = FUNCTIONS[which](counts, average)
    if average == "samples":
        part, whole = set_metrics.row_parts(counts, which)
        terms = [
            rf"{number(rows)} \cdot {fraction(int(a), int(b)) if b else 0}"
            for rows, a, b in zip(counts.row_sums.rows, part, whole, strict=True)
            if a
        ]
        return result(rf"\frac{{1}}{{{number(counts.n)}}} \left( {total(terms)} \right)", value)
    part, whole = set_metrics.label_parts(counts, which)
    if average == "micro":
        return result(fraction(int(part.sum()), int(whole.sum())), value)
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = part / whole
    if average == "macro":
        return result(mean(rates.tolist()), value)
    pairs = [(rows, rate) for rows, rate in zip(counts.support.tolist(), rates.tolist(), strict=True) if rows]
    terms = [rf"{number(rows)} \cdot {number(rate)}" for rows, rate in pairs]
    return result(fraction(total(terms), int(counts.support.sum())), value)


def _formula(which: str, average: Average) -> str:
    above, below = OF_LABEL[which]
    return {
        "micro": rf"\frac{{\sum_l {above}}}{{\sum_l ({below})}}",
        "macro": rf"\frac{{1}}{{L}} \sum_l \frac{{{above}}}{{{below}}}",
        "weighted": rf"\frac{{1}}{{\sum_l t_l}} \sum_l t_l \, \frac{{{above}}}{{{below}}}",
        "samples": rf"\frac{{1}}{{n}} \sum_i {OF_ROW[which]}",
    }[average]


def _average(which: str, average: Average) -> Metric:
    definition, line, when, pitfall = TEXTS[average]
    definition, line = definition.format(SPOKEN[which]), line.format(which)
    if which == "jaccard":
        definition, line = JACCARD_DEFINITIONS.get(average, definition), JACCARD_MICRO if average == "micro" else line
    name = f"jaccard_{average}" if which == "jaccard" else f"multilabel_{average}_{which}"
    title = f"{average.capitalize()} {SPOKEN[which]} over the {'rows' if average == 'samples' else 'labels'}"
    return _metric(
        name,
        title,
        partial(FUNCTIONS[which], average=average),
        partial(_averaged, which=which, average=average),
        definition=definition[0].upper() + definition[1:],
        scikit_learn=line,
        formula=_formula(which, average),
        when=when,
        pitfall=pitfall,
        source=GODBOLE if which == "jaccard" else ZHANG,
        zero_division=average in ("macro", "weighted"),
    )


def _subset(counts: MultilabelCounts) -> str:
    return result(fraction(counts.n_exact, counts.n), set_metrics.subset_accuracy(counts))


def _decisions(counts: MultilabelCounts, *, right: bool) -> str:
    part = counts.tp + counts.tn if right else counts.fp + counts.fn
    value = set_metrics.per_label_accuracy(counts) if right else set_metrics.hamming_loss(counts)
    return result(fraction(int(part.sum()), rf"{number(counts.n)} \cdot {len(counts.labels)}"), value)


def _mean_labels(counts: MultilabelCounts, *, side: str) -> float:
    return float(getattr(set_metrics.labels_per_row(counts), f"mean_{side}"))


def _labels_worked(counts: MultilabelCounts, *, side: str) -> str:
    given = counts.support if side == "true" else counts.predicted
    return result(fraction(int(given.sum()), counts.n), _mean_labels(counts, side=side))


AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted", "samples")

ROWS = (
    _metric(
        "subset_accuracy",
        "Subset accuracy (exact match)",
        set_metrics.subset_accuracy,
        _subset,
        definition="The share of rows whose predicted set of labels is exactly the true one.",
        scikit_learn="metrics.accuracy_score(*both_sides(p))  # every label of a row right",
        formula=r"\frac{|\{i : Y_i = Z_i\}|}{n}",
        when="A row is of use only if all its labels are right. scikit-learn's accuracy_score is this one.",
        pitfall="One wrong label of twenty counts like twenty, and it falls as labels are added. It is not the mean "
        "accuracy of the labels.",
        source=ZHANG,
    ),
    _metric(
        "per_label_accuracy",
        "Mean per-label accuracy",
        set_metrics.per_label_accuracy,
        partial(_decisions, right=True),
        definition="The share of right decisions over all rows and labels.",
        scikit_learn="1 - metrics.hamming_loss(p.y_true, p.y_pred)",
        formula=r"\frac{\sum_l (TP_l + TN_l)}{n \, L} = 1 - \text{Hamming loss}",
        when="Every label counts by itself, and labels are true in about half of the rows.",
        pitfall="Where labels are rare, most decisions are true negatives: predicting no label at all scores high.",
        source=TSOUMAKAS,
    ),
    _metric(
        "hamming_loss",
        "Hamming loss",
        set_metrics.hamming_loss,
        partial(_decisions, right=False),
        direction="lower",
        definition="The share of wrong decisions over all rows and labels.",
        scikit_learn="metrics.hamming_loss(p.y_true, p.y_pred)",
        formula=r"\frac{\sum_l (FP_l + FN_l)}{n \, L}",
        when="You want the share of decisions about one label of one row that are wrong.",
        pitfall="Where labels are rare, it is small for every model: predicting no label at all scores well.",
        source=TSOUMAKAS,
    ),
    *(_average("jaccard", average) for average in ("samples", "micro", "macro")),
    *(_average(which, average) for which in ("f1", "precision", "recall") for average in AVERAGES),
    *(
        _metric(
            f"labels_per_row_{side}",
            f"Labels per row, {word}",
            partial(_mean_labels, side=side),
            partial(_labels_worked, side=side),
            definition=f"The mean number of {given} labels of a row.",
            scikit_learn=f"p.y_{side}.sum(axis=1).mean()",
            direction="zero",
            formula=rf"\frac{{1}}{{n}} \sum_i |{letter}_i|",
            when="To see whether the model gives rows as many labels as the truth does: compare the two.",
            pitfall="Equal means hide rows with far too many labels beside rows with none.",
            source=TSOUMAKAS,
            range=(0, float("inf")),
            unit="labels",
        )
        for side, word, given, letter in (("true", "truth", "true", "Y"), ("pred", "predicted", "predicted", "Z"))
    ),
)
