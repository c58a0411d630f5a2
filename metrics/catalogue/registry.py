"""Every metric there is, one row each: the glossary, the chooser and the tests over all metrics read it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from metrics.catalogue import (
    average_entries,
    class_score_entries,
    hierarchical_entries,
    multilabel_entries,
    one_vs_rest_entries,
    ordered_entries,
    overall_entries,
    score_entries,
)
from metrics.catalogue.metric import Eats, Metric, Task
from metrics.intervals.joint_counts import Joint, JointCounts
from metrics.outcomes import Formula

ROWS: tuple[Metric, ...] = (
    *overall_entries.ROWS,
    *ordered_entries.ROWS,
    *hierarchical_entries.ROWS,
    *one_vs_rest_entries.ROWS,
    *average_entries.ROWS,
    *score_entries.ROWS,
    *class_score_entries.ROWS,
    *multilabel_entries.ROWS,
)
REGISTRY: dict[tuple[Task, str], Metric] = {
    (task, name): metric for metric in ROWS for task in metric.tasks for name in (metric.key, *metric.aliases)
}
"""The rows by task and key; other names of a row lead to it, too."""
_OF_CLASS = re.compile(r"(\w+)\[(.*)\]", re.DOTALL)


def with_influence(
    eats: Eats, ranks: Sequence[object] = (), paths: Sequence[object] = (), *, task: Task | None = None
) -> dict[str, Metric]:
    """Return the metrics of one kind of input that have an influence, by key, in the order of the registry.

    ranks, paths : the order and the groups of the labels, as in `ConfusionCounts`; () = they have none.
    task : None = whatever they are for.
    """
    told = [metric for metric in ROWS if metric.eats == eats and metric.fits_labels(ranks, paths)]
    fits = (metric for metric in told if task is None or task in metric.tasks)
    return {metric.key: metric for metric in fits if metric.influence is not None}


def over_joint_counts(cells: Joint) -> dict[str, Metric]:
    """Return the metrics over all classes, or all labels, that joint counts give with an interval, by key."""
    if isinstance(cells, JointCounts):
        return with_influence("confusion counts", cells.ranks, cells.paths)
    return with_influence("multi-label counts")


def class_rows(task: str) -> dict[str, Metric]:
    """Return the numbers that tables of classes have, by the key that they have there."""
    return {row.class_key: row for row in ROWS if task in row.class_tables}


def class_formulas(task: str) -> dict[str, Formula]:
    """Return the formulas of the numbers that tables of classes have, by key."""
    return _formulas_of(class_rows(task))


def rows_of_each() -> dict[str, Metric]:
    """Return the numbers of every class that no table of classes has, by their keys in the JSON."""
    return {row.class_key: row for row in ROWS if row.class_key and not row.class_tables}


def formulas_of_each() -> dict[str, Formula]:
    """Return the formulas of these."""
    return _formulas_of(rows_of_each())


def rows_of_class(task: str) -> dict[str, Metric]:
    """Return the numbers of one class by formulas, by the names that `per_class` of the JSON has them by."""
    return class_rows(task) | rows_of_each()


def compared_formulas(task: str) -> dict[str, Formula]:
    """Return the formulas of the numbers of one class in which one run can be better than another, by key."""
    rows = rows_of_class(task)
    return _formulas_of({key: row for key, row in rows.items() if row.direction != "zero"})


def _formulas_of(rows: Mapping[str, Metric]) -> dict[str, Formula]:
    return {key: row.of_outcomes for key, row in rows.items() if row.of_outcomes is not None}


def metric_of(task: Task, key: str) -> Metric:
    """Return the row of a number by its key in the JSON, or in tables of classes."""
    return class_rows(task).get(key) or REGISTRY[task, key]


def metric_of_class(task: Task, key: str) -> Metric:
    """Return the row of a number of one class by its key in the JSON; that of all classes may have the same key.

    >>> metric_of_class("multiclass", "mcc").key, metric_of("multiclass", "mcc").key
    ('class_mcc', 'mcc')
    """
    return rows_of_class(task).get(key) or REGISTRY[task, key]


def split_class(name: str, labels: Sequence[str]) -> tuple[str, int] | None:
    """Return key and label code of the name of a number of one class; None of another name, or class.

    >>> split_class("npv[cat]", ("dog", "cat")), split_class("npv", ("dog", "cat"))
    (('npv', 1), None)
    """
    match = _OF_CLASS.fullmatch(name)
    return (match[1], labels.index(match[2])) if match is not None and match[2] in labels else None


def lower_is_better(key: str) -> bool:
    """Return whether a lower value of a metric is better, whatever the task; of an unknown key a higher one is.

    key : of a number of one class, its name, too: false_positive_rate[cat].
    """
    base = key.partition("[")[0]
    return any(base in (metric.key, metric.class_key) and metric.direction == "lower" for metric in ROWS)


def is_share(key: str) -> bool:
    """Return whether a number is written as per cent, by its key in the JSON or in tables of classes."""
    return any(metric.unit == "share" for metric in ROWS if key in (metric.key, metric.class_key))


NOTATION: dict[str, str] = {
    "n": "scored rows",
    "k, l, i": "a class, a label, a row (or a threshold, from the highest score)",
    "t_k": "true rows of class k",
    "p_k": "rows predicted as class k",
    "c_k": "rows of class k predicted as class k",
    "n_{kl}, e_{kl}": "rows of class k predicted as class l, and how many chance alone would give",
    "d_{kl}": "steps from class k to class l in the order of the labels",
    "A_i, B_i": "the true and the predicted label of row i, each with all groups above it",
    "N_w, N_f": "wrong rows, and those of them predicted in the family of the true label: its group at the top",
    "T": "classes with true rows",
    "TP, FP, FN, TN": "true positives, false positives, false negatives and true negatives of a class",
    "t_l, TP_l": "the same of one label",
    "TPR, FPR, TNR": "true positive rate (recall), false positive rate, true negative rate (specificity)",
    r"\beta": "how many times as much recall counts as precision",
    "C_{FP}, C_{FN}": "the cost of a false positive and of a false negative",
    "p_t": "a threshold probability: acting on a row pays from this probability on",
    "F_1": "the F1 of precision and recall",
    r"\theta": "a threshold: a row is predicted as the class if its score is at or above it; below a symbol: with that "
    "threshold",
    "R_i, P_i": "recall and precision when the i-th highest score is the threshold",
    "P(s_+ > s_-)": "how often a row of the class has a higher score than another row",
    "AUC_k, AP_k": "ROC AUC and average precision of class k",
    "A_{kl}": "how often a row of class k has a higher score for k than a row of class l, ties counting half",
    "p_i, y_i": "probability given to the class in row i; 1 where the row is of the class, else 0",
    "p_{ik}, y_{ik}": "the same for class k",
    r"n_b, \bar{p}_b, \bar{y}_b": "rows of a bin of scores, their mean score, and the share that came true",
    "L": "number of labels",
    "Y_i, Z_i": "true and predicted labels of row i",
}
"""Meanings of the symbols in the formulas: LaTeX and plain words."""
