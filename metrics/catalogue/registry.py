"""Every metric there is, one row each: the glossary, the chooser and the tests over all metrics read it."""

from __future__ import annotations

from itertools import chain

from metrics.catalogue import average_entries, multilabel_entries, one_vs_rest_entries, overall_entries, score_entries
from metrics.catalogue.metric import Metric

REGISTRY: dict[str, Metric] = {
    metric.name: metric
    for metric in chain(
        overall_entries.ROWS,
        one_vs_rest_entries.ROWS,
        average_entries.ROWS,
        score_entries.ROWS,
        multilabel_entries.ROWS,
    )
}

NOTATION: dict[str, str] = {
    "n": "scored rows",
    "k, l, i": "a class, a label, a row (or a threshold, from the highest score)",
    "t_k": "true rows of class k",
    "p_k": "rows predicted as class k",
    "c_k": "rows of class k predicted as class k",
    "T": "classes with true rows",
    "TP, FP, FN, TN": "true positives, false positives, false negatives and true negatives of a class",
    "t_l, TP_l": "the same of one label",
    "TPR, FPR, TNR": "true positive rate (recall), false positive rate, true negative rate (specificity)",
    r"\beta": "how many times as much recall counts as precision",
    "C_{FP}, C_{FN}": "the cost of a false positive and of a false negative",
    "F_1": "the F1 of precision and recall",
    r"\theta": "a threshold: a row is predicted as the class if its score is at or above it; below a symbol: with that "
    "threshold",
    "R_i, P_i": "recall and precision when the i-th highest score is the threshold",
    "P(s_+ > s_-)": "how often a row of the class has a higher score than another row",
    "AUC_k, AP_k": "ROC AUC and average precision of class k",
    "p_i, y_i": "probability given to the class in row i; 1 where the row is of the class, else 0",
    "p_{ik}, y_{ik}": "the same for class k",
    "L": "number of labels",
    "Y_i, Z_i": "true and predicted labels of row i",
}
"""Meanings of the symbols in the formulas: LaTeX and plain words."""
