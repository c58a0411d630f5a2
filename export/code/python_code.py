"""Copy the Python that reproduces this number: pandas and scikit-learn, with this file's own name and columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from data.answers.partial_table import is_part
from data.evaluation import Evaluation
from data.version import VERSION
from export.code import labels, metrics
from export.code.literals import NotRepeatable, literal
from export.code.reading import reading
from export.code.scores import score_lines
from metrics.catalogue.metric import Metric
from metrics.catalogue.registry import REGISTRY
from metrics.catalogue.undefined import why_undefined
from metrics.confusion.worst_confusions import never_true
from metrics.findings.tables import count_confusions

_SCORED = ("score counts", "scores per class", "probabilities")


class Code(NamedTuple):
    """The code, or one sentence why there is none; one of the two is empty."""

    text: str
    why_not: str = ""


def offered(evaluation: Evaluation) -> list[str]:
    """The names of the metrics that make sense for the evaluation, in the order of the registry."""
    scores = evaluation.y_score is not None
    fits = (m for m in REGISTRY.values() if evaluation.task in m.tasks)
    return [m.name for m in fits if scores or m.eats not in _SCORED]


def needs_class(name: str) -> bool:
    """Whether a metric is about one class."""
    return REGISTRY[name].eats in ("confusion counts, one class", "score counts")


def python_code(evaluation: Evaluation, name: str, code: int | None = None) -> Code:
    """Self-contained code that prints one metric, computed again from the file; it leaves it in `value`.

    Parameters
    ----------
    name : a name of the registry (see `offered`).
    code : the label that a one-class metric is about; None = the positive one, else the most frequent.

    Raises
    ------
    ValueError
        no such metric for this evaluation.
    """
    if name not in offered(evaluation):
        raise ValueError(f"there is no {name} of this evaluation")
    metric = REGISTRY[name]
    reason = why_undefined(evaluation, metric.eats)
    if reason:
        return Code("", f"It is undefined: {reason}.")
    try:
        label = class_of(evaluation) if code is None else code
        return Code(_assembled(evaluation, metric, label))
    except NotRepeatable as why:
        return Code("", str(why))


def class_of(evaluation: Evaluation) -> int:
    """The class that a one-class metric is about: the positive one, else the most frequent among those it can be."""
    if evaluation.positive is not None:
        return evaluation.positive
    if evaluation.task == "multilabel":
        return int(np.argmax(evaluation.y_true[evaluation.scored].sum(axis=0)))
    known = evaluation.y_true[evaluation.scored]
    weights = None if evaluation.weights is None else evaluation.weights[evaluation.scored]
    return int(np.argmax(np.bincount(known, weights, minlength=len(evaluation.labels))))


def _assembled(evaluation: Evaluation, metric: Metric, label: int) -> str:
    if is_part(evaluation):
        raise NotRepeatable("Whoever shared this left parts of the file out, so there is no file to run code on.")
    s, many = evaluation.settings, evaluation.task == "multilabel"
    by_score = evaluation.threshold is not None or not (s.pred or s.raw or s.pred_columns)
    wants = metric.eats in _SCORED or by_score
    lines = score_lines(evaluation) if wants else []
    prepared = (labels.many if many else labels.single)(evaluation, lines)
    read = reading(evaluation, prepared.columns)
    last = _metric_lines(evaluation, metric, label)
    body = "\n".join([*read, "", *prepared.lines, "", *last, f"print({literal(metric.title)}, value)"])
    files = "\n".join(f"# sha256 {file.sha256} of {literal(file.name)}" for file in evaluation.receipt.files)
    first = ["import json\n"] if "json." in body else []
    parquet = ["import pyarrow.parquet as pq"] if "pq." in body else []
    needs = "numpy, pandas, pyarrow and scikit-learn" if parquet else "numpy, pandas and scikit-learn"
    head = [
        f"# Made by Blindspot {VERSION}; needs {needs}.",
        files,
        *first,
        "import numpy as np",
        "import pandas as pd",
    ]
    return "\n".join([*head, *parquet, "from sklearn import metrics", "", body]) + "\n"


def _metric_lines(evaluation: Evaluation, metric: Metric, label: int) -> list[str]:
    many, name = evaluation.task == "multilabel", metric.name
    if metric.eats == "confusion counts":
        return _filled(evaluation, metrics.CONFUSION, name)
    if metric.eats == "multi-label counts":
        return _filled(evaluation, metrics.MANY, name)
    if metric.eats == "confusion counts, one class":
        return [*_one_class(evaluation, label, many), *_filled(evaluation, metrics.ONE_CLASS, name)]
    if metric.eats == "score counts":
        _check_defined(evaluation, metric, label)
        return [*_score_of(evaluation, label, many), *_filled(evaluation, metrics.SCORES, name)]
    if metric.eats == "scores per class":
        return [*_each_class(evaluation, many), *_filled(evaluation, metrics.RANKED, name)]
    return _probabilities(evaluation, name)


def _filled(evaluation: Evaluation, lines: dict[str, tuple[str, ...]], name: str) -> list[str]:
    if name not in lines:
        raise NotRepeatable("scikit-learn has no such number, and it takes more than a few lines.")
    weighted = evaluation.weights is not None
    values = {
        "{w}": ", sample_weight=weight" if weighted else "",
        "{ww}": ", weights=weight" if weighted else "",
        "{w_read}": ", sample_weight=weight[read]" if weighted else "",
        "{count}": "weight" if weighted else "1",
        "{unparsed}": literal(labels.unparsed_name(evaluation)),
        "{half}": " / 2  # two columns of one question" if len(evaluation.score_codes) <= 2 else "",
    }
    found = list(lines[name])
    if any("{never_true}" in line for line in found):
        codes = never_true(count_confusions(evaluation))
        values["{never_true}"] = f"[{', '.join(literal(evaluation.labels[code]) for code in codes)}]"
    for place, value in values.items():
        found = [line.replace(place, value) for line in found]
    return found


def _one_class(evaluation: Evaluation, label: int, many: bool) -> list[str]:
    if many:
        return [f"k = {label}  # {literal(evaluation.labels[label])}", "is_true, is_pred = y_true[:, k], y_pred[:, k]"]
    name = literal(evaluation.labels[label])
    return [f"label = {name}", "is_true, is_pred = y_true == label, y_pred == label"]


def _score_of(evaluation: Evaluation, label: int, many: bool) -> list[str]:
    column = evaluation.score_codes.index(label)
    true = f"y_true[:, {label}]" if many else f"y_true == {literal(evaluation.labels[label])}"
    return [
        f"is_true, score = {true}, scores[:, {column}]",
        "is_true, score = is_true[~np.isnan(score)], score[~np.isnan(score)]",
    ]


def _check_defined(evaluation: Evaluation, metric: Metric, label: int) -> None:
    if label not in evaluation.score_codes:
        raise NotRepeatable("This class has no score.")
    true = evaluation.y_true[:, label] if evaluation.task == "multilabel" else evaluation.y_true == label
    assert evaluation.y_score is not None
    known = evaluation.scored & ~np.isnan(evaluation.y_score[:, evaluation.score_codes.index(label)])
    if len(np.unique(true[known])) < 2:
        raise NotRepeatable(
            f"{metric.title} needs rows of the class and rows of others; without them it is undefined, and "
            "scikit-learn answers with a warning and a number of its own."
        )


def _each_class(evaluation: Evaluation, many: bool) -> list[str]:
    assert evaluation.y_score is not None
    codes = list(evaluation.score_codes)
    if many:
        names, true = f"classes = {codes}", "y_true[:, classes[i]]"
    else:
        names = f"classes = [labels[code] for code in {codes}]"
        true = "y_true == classes[i]"
    return [
        f"{names}  # of the columns of scores",
        "",
        "def one_class(i):",
        "    known = ~np.isnan(scores[:, i])",
        f"    return ({true})[known], scores[known, i]",
        "",
    ]


def _probabilities(evaluation: Evaluation, name: str) -> list[str]:
    assert evaluation.y_score is not None
    if evaluation.task == "binary" and evaluation.positive is not None:
        lines = metrics.LOGITS if evaluation.scale == "logit" else metrics.BINARY
        return [*_score_of(evaluation, evaluation.positive, False), *_filled(evaluation, lines, name)]
    asked = set(np.unique(evaluation.y_true[evaluation.scored]).tolist())
    if not asked <= set(evaluation.score_codes):
        raise NotRepeatable("A true class has no score column, so this is undefined.")
    sums = evaluation.y_score[evaluation.scored].sum(axis=1)
    if (np.abs(sums[~np.isnan(sums)] - 1) > 0.01).any():
        raise NotRepeatable("The scores of some rows do not add up to 1, so this is undefined.")
    return [
        f"classes = [labels[code] for code in {list(evaluation.score_codes)}]  # of the columns of scores",
        "known = ~np.isnan(scores).any(axis=1)",
        "scores, column = scores[known], np.array([classes.index(label) for label in y_true[known]])",
        *_filled(evaluation, metrics.CLASSES, name),
    ]
