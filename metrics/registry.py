"""Every metric there is, one row each: the glossary, the chooser and the tests over all metrics read it."""

from __future__ import annotations

from itertools import chain

from metrics.entries import averages, multilabel, one_class, overall, scores
from metrics.entries.metric import Metric

REGISTRY: dict[str, Metric] = {
    metric.name: metric for metric in chain(overall.ROWS, one_class.ROWS, averages.ROWS, scores.ROWS, multilabel.ROWS)
}

NOTATION: dict[str, str] = {
    "n": "scored rows",
    "t_k": "true rows of class k",
    "p_k": "rows predicted as class k",
    "c_k": "rows of class k predicted as class k; c is their sum",
    "TP, FP, FN, TN": "rows of a class called so, other rows called so, rows of the class missed, the rest",
    "R_i, P_i": "recall and precision when the i-th highest score is the threshold",
    r"\theta": "a threshold: score at or above it is a call",
    "L": "number of labels",
    "Y_i, Z_i": "true and predicted labels of row i",
}
"""What the symbols in the formulas stand for: LaTeX and plain words."""
