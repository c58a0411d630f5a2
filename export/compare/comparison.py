"""Evaluations side by side as a `Comparison`, and its JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from data.columns.counted_metadata import name_engine, read_counted
from data.comparison.aligned_runs import AlignedRuns
from data.comparison.label_union import predictions_in, truth_in
from data.comparison.row_groups import clusters
from data.errors import DataError
from data.evaluation import Evaluation, Task
from data.labels.label_tree import list_paths
from export.compare.comparison_text import pair_words, smallest_shown
from export.file_reading import describe_total
from export.measurement import Measurement
from export.result.written import plain_name, write_words
from metrics.comparison.comparison import Comparison
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.comparison.runs import Runs, constant_models
from metrics.comparison.tiers import best_looks_better_by, tiers
from text.numbers import count, verb, write_bound
from text.quoting import list_items, quote

WEIGHTED = (
    "Numbers of rows, fixed and broken ones too, count each row once. McNemar's test, Cochran's Q, DeLong's test and "
    "the smallest difference count rows, so they are left out."
)
_LABELS_ONLY = (
    "An engine counted these runs by their labels: the ROC AUC and other metrics of scores cannot be compared. Compare "
    "columns of scores of one source for these."
)


def comparison(
    aligned: AlignedRuns, *, level: float = 0.95, cluster: str | None = None, costs: np.ndarray | None = None
) -> tuple[Comparison, list[str]]:
    """Return the comparison of aligned runs, and what a person should know about it.

    cluster : the column of the first run that has it whose values say which rows belong together.
    costs : of the label space, true × predicted, for the expected cost of a row.
    """
    evaluations, places = aligned.evaluations, aligned.places
    warnings = [*aligned.warnings, *_list_reading_doubts(aligned), *_describe_weights(aligned)]
    positive = _positive(evaluations, aligned)
    y_true = truth_in(evaluations[0], aligned.labels)[places[0]]
    preds: tuple[np.ndarray, ...] = ()
    if all(evaluation.has_predictions for evaluation in evaluations):
        preds = tuple(predictions_in(e, aligned.labels)[p] for e, p in zip(evaluations, places, strict=True))
    else:
        warnings.append("A run has scores without a threshold: only metrics of scores are compared.")
    scores, codes = _scores(aligned, positive, warnings)
    weights = aligned.weights
    runs = Runs(
        aligned.names, aligned.labels.labels, aligned.labels.n_space, _task(evaluations, positive), y_true, preds,
        scores, codes, tuple(e.scale for e in evaluations), positive, _cluster(aligned, cluster, warnings),
        weights, _score_highs(aligned, scores), aligned.labels.ranks, costs,
        list_paths(aligned.labels.labels, evaluations[0].settings), aligned.units,
    )  # fmt: skip
    warnings += _label_sets(aligned, preds, weights)
    warnings += [f"{name} predicts {quote(label)} in every row." for name, label in constant_models(runs)]
    if positive is not None and len(np.unique(y_true)) == 1:
        warnings.append(
            f"Every joined row is truly {quote(aligned.labels.labels[int(y_true[0])])}: no ROC AUC can be known."
        )
    compared = Comparison(runs, level)
    if runs.score_highs:
        warnings.append(_describe_bounds(compared))
    return compared, warnings


def _describe_weights(aligned: AlignedRuns) -> list[str]:
    """Say by which weights rows count, and what they leave out; nothing where every row counts once."""
    weights, run = aligned.total_weight, aligned.weighted_by
    if weights is None or run is None:
        return []
    fact = describe_total(weights)
    sentences = [f"{fact.term} {fact.sentence()}. {WEIGHTED}"]
    without = [name for name, e in zip(aligned.names, aligned.evaluations, strict=True) if e.units is None]
    if without:
        sentences.append(
            f"{list_items(without, quoted=False)} {verb(len(without), 'has')} no weights in use: "
            f"its rows count by those of {aligned.names[run]}."
        )
    return sentences


def _score_highs(aligned: AlignedRuns, scores: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Return the highest score of every entry's bin, of every run; empty where all scores are exact."""
    uppers = [evaluation.score_upper for evaluation in aligned.evaluations]
    if not scores or all(upper is None for upper in uppers):
        return ()
    pairs = zip(uppers, aligned.places, scores, strict=True)
    return tuple(score[:, 0] if upper is None else upper[place] for upper, place, score in pairs)


def _describe_bounds(comparison: Comparison) -> str:
    """Say how exact each metric of scores in bins is, in the run where it is least exact."""
    models = range(len(comparison.runs.names))
    known = {
        name: max(comparison.scores.error_bound(name, model) for model in models) for name in comparison.scores.names
    }
    bounds = [
        f"{comparison.name_metric(name)} ± {write_bound(bound)}"
        for name, bound in known.items()
        if not math.isnan(bound)
    ]
    return f"The scores were grouped into bins, so each run's value is exact to: {', '.join(bounds)}."


def _label_sets(aligned: AlignedRuns, preds: Sequence[np.ndarray], rows: np.ndarray | None) -> list[str]:
    """Say which labels a run predicts in joined rows that no other run's file has, and in how many rows."""
    warnings, names = [], aligned.names
    for place, (evaluation, pred) in enumerate(zip(aligned.evaluations, preds, strict=False)):
        others = {label for other, e in enumerate(aligned.evaluations) if other != place for label in e.labels}
        own_labels = [label for label in evaluation.labels if label not in others]
        codes = [aligned.labels.labels.index(label) for label in own_labels]
        there = pred[:, codes].any(axis=1) if pred.ndim == 2 else np.isin(pred, codes)
        if n := int(there.sum() if rows is None else rows[there].sum()):
            warnings.append(
                f"{names[place]} predicts labels that no other run has in {count(n)}: {list_items(own_labels)}."
            )
    return warnings


def _task(evaluations: Sequence[Evaluation], positive: int | None) -> Task:
    if evaluations[0].task == "multilabel":
        return "multilabel"
    return "binary" if positive is not None else "multiclass"


def _positive(evaluations: Sequence[Evaluation], aligned: AlignedRuns) -> int | None:
    """Return the code of the positive class that all runs share; None where there is none.

    Raises
    ------
    DataError
        the runs have different positive classes.
    """
    if any(evaluation.positive is None for evaluation in evaluations) or len(aligned.labels.labels) > 2:
        return None
    named = {e.labels[e.positive] for e in evaluations if e.positive is not None}
    if len(named) > 1:
        raise DataError(
            f"The runs have different positive classes, {' and '.join(map(quote, sorted(named)))}: name one with "
            "--positive."
        )
    return aligned.labels.labels.index(named.pop())


def _scores(
    aligned: AlignedRuns, positive: int | None, warnings: list[str]
) -> tuple[tuple[np.ndarray, ...], tuple[int, ...]]:
    """Return the scores of every run in the same columns; none where they are not of the same classes."""
    score_columns: list[np.ndarray] = []
    columns = [
        {int(aligned.labels.codes_of(e)[code]): place for place, code in enumerate(e.score_codes)}
        for e in aligned.evaluations
    ]
    if not all(columns):
        if positive is not None and read_counted(aligned.evaluations[0].rows) is not None:
            warnings.append(_LABELS_ONLY)
        return (), ()
    codes = tuple(columns[0])
    if any(set(places) != set(codes) for places in columns) or (positive is None and len(codes) == 1):
        warnings.append("The runs have scores of different classes: their scores are not compared.")
        return (), ()
    for evaluation, place, place_of_code in zip(aligned.evaluations, aligned.places, columns, strict=True):
        assert evaluation.y_score is not None
        score_columns.append(evaluation.y_score[place][:, [place_of_code[code] for code in codes]])
    return tuple(score_columns), codes


def _cluster(aligned: AlignedRuns, column: str | None, warnings: list[str]) -> np.ndarray | None:
    if column is None:
        return None
    which = next((i for i, e in enumerate(aligned.evaluations) if column in e.rows.column_names), 0)
    cluster_codes = clusters(aligned.evaluations[which], column)
    warnings += cluster_codes.warnings
    codes = np.unique(cluster_codes.codes[aligned.places[which]], return_inverse=True)[1]
    if codes.max(initial=0) < 1 and aligned.evaluations[which].filtered is None:
        raise DataError(f"Column {quote(column)} holds one value only: clusters need two; name another column.")
    return codes


def _list_reading_doubts(aligned: AlignedRuns) -> list[str]:
    """Return the warnings of how runs were read that an option settles, each with the runs that it is about."""
    runs: dict[str, list[str]] = {}
    for name, evaluation in zip(aligned.names, aligned.evaluations, strict=True):
        for text in evaluation.receipt.warnings:
            if "(--" in text:
                runs.setdefault(text, []).append(name)
    return [f"{list_items(names, quoted=False)}: {text}" for text, names in runs.items()]


def to_json(
    comparison: Comparison,
    aligned: AlignedRuns,
    warnings: Sequence[str],
    metric: str,
    pairs: Sequence[tuple[int, int]] | None = None,
) -> dict[str, Any]:
    """Return everything as one dictionary; NaN = undefined. Differences are b - a.

    pairs : the pairs of models that are compared; None = all.
    """
    n_models = len(comparison.runs.names)
    if pairs is None:
        pairs = [(a, b) for a in range(n_models) for b in range(a + 1, n_models)]
    rows = aligned.rows
    ranking = tiers(comparison, metric)
    q, weights = comparison.cochran_q, aligned.total_weight
    return {
        "rows": {
            "joined": rows.joined, "joined_by": aligned.how, "only_in": rows.only_in, "repeated": rows.repeated,
            "truth_differs": rows.truth_differs, "without_prediction": rows.without_prediction,
        },
        **({} if weights is None else {"weights": {**weights._asdict(), "left_out": WEIGHTED}}),
        "engine": name_engine(aligned.evaluations[0].rows),
        "task": comparison.runs.task,
        "level": comparison.level,
        "clusters": (comparison.runs.cluster is not None and int(comparison.runs.cluster.max()) + 1) or None,
        "models": [_model(comparison, aligned, model) for model in range(n_models)],
        "pairs": [pair_json(comparison, a, b) for a, b in pairs],
        "cochran_q": q and q._asdict(),
        "metric": metric,
        "tiers": [[comparison.runs.names[model] for model in tier] for tier in ranking.tiers],
        "best_looks_better_by": best_looks_better_by(comparison, metric),
        "right_by_one": comparison.right_by_one().value,
        "right_by_one_interval": comparison.right_by_one().to_json(),
        "warnings": list(warnings),
    }  # fmt: skip


def _model(comparison: Comparison, aligned: AlignedRuns, model: int) -> dict[str, Any]:
    values = {
        name: comparison.interval(name, model).with_value() | _bound(comparison, name, model)
        for name in comparison.names
    }
    own_rows = None
    if aligned.weighted_by is None or aligned.evaluations[model].units is not None:
        own_rows = _own_accuracy(aligned.evaluations[model], comparison.level)
    about = {"name": comparison.runs.names[model], "n": comparison.runs.n}
    return about | values | ({"own_rows": own_rows} if own_rows and own_rows["n"] != comparison.runs.n else {})


def _bound(comparison: Comparison, name: str, *models: int) -> dict[str, Any]:
    """Return how far a metric of one run, or the difference of two, may lie from that of the exact scores."""
    if not comparison.runs.score_highs or not comparison.scores.has(name):
        return {}
    return {"score_error_bound": sum(comparison.scores.error_bound(name, model) for model in models)}


def _own_accuracy(evaluation: Evaluation, level: float) -> dict[str, Any] | None:
    """Return the accuracy of a run over all of its own scored rows."""
    if not evaluation.has_predictions:
        return None
    alone = Measurement(evaluation, level, clusters_of=lambda _: None)
    accuracy = alone.number("subset_accuracy" if alone.many else "accuracy")
    return {"n": accuracy.n, "accuracy": accuracy.with_value()}


def pair_json(comparison: Comparison, a: int, b: int) -> dict[str, Any]:
    """Return everything about two models."""
    flips, test, areas = comparison.flips(a, b), comparison.mcnemar(a, b), comparison.delong(a, b)
    differences = {
        name: comparison.difference(name, a, b)._asdict() | _bound(comparison, name, a, b) for name in comparison.names
    }
    for which in ("precision", "recall", "f1", "accuracy"):
        names = [name for name in comparison.class_names if name.startswith(f"{which}[")]
        adjusted = benjamini_hochberg([differences[name]["p"] for name in names])
        for name, p in zip(names, adjusted, strict=True):
            differences[name]["p_adjusted"] = p
    return {
        "a": comparison.runs.names[a],
        "b": comparison.runs.names[b],
        "text": write_words(pair_words(comparison, a, b).whole, plain_name),
        "flips": flips and flips._asdict(),
        "differences": differences,
        "agreement": comparison.agreement(a, b).with_value(),
        "mcnemar": test and test._asdict(),
        "delong": areas and {name: value for name, value in areas._asdict().items() if name != "se"},
        "smallest_difference": smallest_shown(comparison, a, b),
    }
