"""Every number about one set of predictions as one dictionary, the same that the pages show.

Keys are absent where they make no sense for the task; a value of NaN means undefined (0/0).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.catalogue.metric import Task
from metrics.catalogue.registry import REGISTRY, class_formulas, overall_values, with_influence
from metrics.catalogue.undefined import NO_THRESHOLD, one_class_only, why_undefined
from metrics.confusion import worst_confusions
from metrics.confusion.average_numbers import ZERO
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.macro_gap import macro_gap, macro_gap_of_labels
from metrics.confusion.one_vs_rest import one_against_rest
from metrics.findings.findings import findings, tables_of
from metrics.findings.tables import FROM_ROWS, Counters, Predictions, arguments, count_scored
from metrics.findings.worst_parts import NO_PARTS, WorstParts
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.outcomes import PRECISION, RECALL
from metrics.scores.curves import ScoreCounts, average_precision, roc_auc
from metrics.scores.ranking import ranking
from metrics.thresholds.rule_in_force import ChosenThreshold
from metrics.thresholds.threshold_metrics import ThresholdRates, best_thresholds, rates_at


def report(
    p: Predictions,
    count: Counters = FROM_ROWS,
    chosen: tuple[ChosenThreshold, ...] = (),
    parts: WorstParts = NO_PARTS,
) -> dict[str, Any]:
    """Return all metrics of one evaluation, keyed by the names the command line prints.

    Parameters
    ----------
    p : the arrays of one evaluation. count : who counts its tables. chosen : the thresholds that a rule chose.
    parts : what was found in slices and groups.
    """
    tables = tables_of(p, count, chosen, parts)
    result: dict[str, Any] = {
        "task": p.task,
        "n_rows": p.n_rows,
        "n_scored": count_scored(p),
        "n_missing_truth": p.n_missing_truth,
        "n_missing_pred": p.n_missing_pred,
        "classes": list(p.labels[: p.n_space]),
    }
    if not p.has_predictions:
        result |= _without_predictions(p)
    if tables.multilabel is not None:
        if p.has_predictions:
            result |= _multilabel_numbers(tables.multilabel, p.n_space, p.listed)
        if p.threshold is not None:
            result["threshold"] = p.threshold
        if p.y_score is not None:
            result |= _class_scores(p, count)
    elif tables.confusion is not None:
        if p.has_predictions:
            result |= confusion_numbers(tables.confusion)
        if p.positive is not None:
            result["positive"] = p.labels[p.positive]
        if p.positive is not None and p.has_predictions:
            result |= _positive_numbers(tables.confusion, p.positive)
        if tables.scores is not None:
            result |= score_numbers(tables.scores, tables.threshold) | _losses(p)
            if reasons := one_class_only(tables.scores):
                result["undefined_because"] = result.get("undefined_because", {}) | reasons
        elif p.y_score is not None:
            result |= _class_scores(p, count) | _losses(p)
    if reason := why_undefined(p, "probabilities"):
        scores = {key: reason for key in ("log_loss", "brier") if key in result}
        result["undefined_because"] = result.get("undefined_because", {}) | scores
    if chosen:
        codes = [one.given.code for one in chosen]
        result["rules_in_force"] = [
            one.to_json(None if code is None else p.labels[code]) for one, code in zip(chosen, codes, strict=True)
        ]
    result["findings"] = [{"code": f.code, "severity": f.severity, "text": f.text} for f in findings(tables)]
    return result


def _without_predictions(p: Predictions) -> dict[str, Any]:
    """Return every number on predictions as NaN, why, and how often each class is true."""
    nothing = float("nan")
    many = p.task == "multilabel"
    rows = with_influence("multi-label counts" if many else "confusion counts")
    keys = [key for key, metric in rows.items() if metric.direction != "zero"]
    keys += [key + ZERO for key, metric in rows.items() if metric.zero_division]
    y_true = p.y_true[p.scored]
    weights = None if p.weights is None else p.weights[p.scored]
    support = _true_rows(y_true, weights, len(p.labels))
    rates = dict.fromkeys(class_formulas(p.task), nothing)
    return {
        **dict.fromkeys(keys, nothing),
        **({} if many else {"baseline_accuracy": float(support.max() / count_scored(p)) if len(y_true) else nothing}),
        "per_class": {
            name: {**rates, "support": int(n), "predicted": nothing}
            for name, n in zip(p.labels, support.tolist(), strict=True)
        },
        "absent": [name for name, n in zip(p.labels[: p.n_space], support.tolist(), strict=False) if not n],
        "outside_label_space": list(p.labels[p.n_space :]),
        "undefined_because": dict.fromkeys(keys, NO_THRESHOLD),
    }


def _true_rows(y_true: np.ndarray, weights: np.ndarray | None, n_labels: int) -> np.ndarray:
    """Count the true rows of every label, int64 (K,)."""
    if y_true.ndim == 1:
        return np.bincount(y_true, weights, n_labels).astype(np.int64)
    rows: np.ndarray = y_true.sum(axis=0) if weights is None else weights @ y_true
    return rows.astype(np.int64)


def _positive_numbers(counts: ConfusionCounts, positive: int) -> dict[str, Any]:
    """Return recall and precision of the positive class of a binary task, with the wrong rows behind each."""
    at = one_against_rest(counts, positive)
    return {
        "recall": RECALL.value(at),
        "precision": PRECISION.value(at),
        "n_missed": at.fn,
        "n_false_alarms": at.fp,
    }


def confusion_numbers(counts: ConfusionCounts) -> dict[str, Any]:
    """Return everything that follows from the confusion counts."""
    names = counts.labels

    def listed(codes: np.ndarray) -> list[str]:
        return [names[code] for code in codes]

    result: dict[str, Any] = {
        "n_unparsed": counts.n_unparsed,
    }
    result |= overall_values(counts)
    result["macro_gap"] = macro_gap(counts).to_json()
    result["per_class"] = _class_numbers(counts, "multiclass")
    result["never_predicted"] = listed(worst_confusions.never_predicted(counts))
    result["absent"] = listed(worst_confusions.absent(counts))
    result["never_true"] = listed(worst_confusions.never_true(counts))
    result["outside_label_space"] = listed(worst_confusions.outside_label_space(counts))
    matrix = counts.matrix()[:, : len(names)]
    result["confusion_matrix"] = {"labels": list(names), "rows_true_cols_pred": matrix.tolist()}
    if counts.n_unparsed:
        result["confusion_matrix"]["unparsed_per_true"] = counts.matrix()[:, len(names)].tolist()
    return result


def score_numbers(scores: ScoreCounts, threshold: float) -> dict[str, Any]:
    """Return everything that follows from the score counts of the positive class; a threshold of NaN is none."""
    given = ThresholdRates(*(float("nan"),) * 5) if np.isnan(threshold) else None
    at = (given or rates_at(scores, threshold)).to_dict()
    whole = () if given else ("tp", "fp", "fn", "tn")
    return {
        "threshold": threshold,
        "roc_auc": roc_auc(scores),
        "average_precision": average_precision(scores),
        "at_threshold": {key: int(value) if key in whole else float(value) for key, value in at.items()},
        "best_thresholds": {
            key: {"threshold": float(best.threshold), "value": float(best.value)}
            for key, best in best_thresholds(scores).items()
        },
    }


def _losses(p: Predictions) -> dict[str, float]:
    """Return log loss and Brier score; NaN where the scores are no probabilities."""
    found = {}
    for key in ("log_loss", "brier"):
        metric = REGISTRY[p.task, key]
        given = arguments(p, metric, 0)
        assert given is not None
        found[key] = metric.function(*given[0], **given[1])
    return found


def _class_scores(p: Predictions, count: Counters) -> dict[str, Any]:
    """Return how well the scores tell every class, or label, from the rest."""
    found = ranking((count.scores(p, code) for code in p.score_codes), level=None)
    names = [p.labels[code] for code in p.score_codes]
    return {
        "roc_auc_per_class": dict(zip(names, found.auc.tolist(), strict=True)),
        "average_precision_per_class": dict(zip(names, found.average_precision.tolist(), strict=True)),
        "roc_auc_macro": found.macro_auc,
        "roc_auc_weighted": found.weighted_auc,
        "average_precision_macro": found.macro_ap,
    }


def _class_numbers(counts: ConfusionCounts | MultilabelCounts, task: Task) -> dict[str, dict[str, Any]]:
    """Return the numbers and the rows of every class, by its name."""
    columns = {key: formula.value(counts).tolist() for key, formula in class_formulas(task).items()}
    columns |= {"support": counts.support.tolist(), "predicted": counts.predicted.tolist()}
    lines = zip(*columns.values(), strict=True)
    return {name: dict(zip(columns, line, strict=True)) for name, line in zip(counts.labels, lines, strict=True)}


def _multilabel_numbers(counts: MultilabelCounts, n_space: int, known: tuple[int, ...] | None) -> dict[str, Any]:
    support, predicted = counts.support, counts.predicted
    result: dict[str, Any] = dict(overall_values(counts))
    result["macro_gap"] = macro_gap_of_labels(counts, n_space, known).to_json()
    result["per_class"] = _class_numbers(counts, "multilabel")
    result["never_predicted"] = [n for i, n in enumerate(counts.labels) if support[i] and not predicted[i]]
    unknown = worst_confusions.mark_never_true(support, predicted, known, n_space)
    result["absent"] = [
        name for name, n, odd in zip(counts.labels[:n_space], support, unknown, strict=False) if not n and not odd
    ]
    result["never_true"] = [counts.labels[code] for code in np.flatnonzero(unknown)]
    result["outside_label_space"] = list(counts.labels[n_space:])
    result["n_rows_without_true_label"] = counts.n_empty_true
    result["n_rows_without_predicted_label"] = counts.n_empty_pred
    return result
