"""Every number of an evaluation as JSON, with what it takes to know later what the numbers are of."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from data.columns.table_metadata import is_part
from data.columns.weight_columns import add_weights
from data.comparison.row_groups import cluster_warnings
from data.evaluation import Evaluation
from data.version import VERSION
from export.cells import has_losses
from export.evaluation.family_result import family_numbers, list_families
from export.evaluation.label_sets_result import list_swaps
from export.evaluation.repeats_result import repeats_result
from export.file_reading import ROWS_ONCE
from export.limits import MAX_EMBEDDED_CLASSES
from export.measurement import Measurement
from metrics.catalogue.registry import REGISTRY, class_formulas, rows_of_each, with_influence
from metrics.confusion.average_numbers import ZERO
from metrics.confusion.one_vs_rest import one_against_rest
from metrics.findings.tables import count_scored
from metrics.intervals.statistic import Interval
from metrics.scores.probabilities import CLIPPING
from metrics.thresholds.threshold_metrics import ThresholdRates, best_thresholds, rates_at
from text.numbers import write_moment

FORMAT = 3
"""Goes up when a key changes its meaning or goes away; new keys do not change it."""


def values(measured: Measurement) -> dict[str, Any]:
    """Return the numbers of an evaluation by the names that they have in the JSON; NaN = undefined.

    Names are left out where they make no sense for the task.
    """
    e = measured.evaluation
    result: dict[str, Any] = {
        "task": e.task,
        "n_rows": e.n_rows,
        "n_scored": count_scored(e),
        "n_missing_truth": e.n_missing_truth,
        "n_missing_pred": e.n_missing_pred,
        "classes": list(e.labels[: e.n_space]),
    }
    weights = add_weights(e)
    if weights is not None:
        result["weights"] = {**weights._asdict(), "not_weighted": ROWS_ONCE}
    result |= _of_predictions(measured) if e.has_predictions else _without_predictions(measured)
    if measured.many and e.threshold is not None:
        result["threshold"] = e.threshold
    if e.positive is not None:
        result |= _of_positive(measured, e.positive)
    result |= score_numbers(measured)
    for key, areas in measured.areas.items():
        result[f"{key}_per_class"] = {e.labels[code]: area for code, area in areas.items()}
    result |= {key: measured.value(key) for key in measured.list_told("scores per class", "class scores")}
    result |= {key: measured.value(key) for key in measured.list_told("probabilities")}
    errors = {key: measured.value(key) for key in measured.list_told("calibration")}
    result |= {key: error for key, error in errors.items() if error is not None}
    keys = [*measured.overall, *measured.list_told("score counts", "probabilities")]
    undefined = [key for key in keys if math.isnan(result.get(key, 0))]
    reasons = {key: measured.why_undefined(key) for key in undefined if measured.why_undefined(key)}
    if reasons:
        result["undefined_because"] = reasons
    if measured.rule:
        codes = [chosen.given.code for chosen in measured.rule]
        names = [None if code is None else e.labels[code] for code in codes]
        result["rules_in_force"] = [chosen.to_json(name) for chosen, name in zip(measured.rule, names, strict=True)]
    result["findings"] = [{"code": f.code, "severity": f.severity, "text": f.text} for f in measured.findings]
    if measured.worst_parts.not_searched:
        result["findings_not_searched"] = dict(measured.worst_parts.not_searched)
    return result


def _of_predictions(measured: Measurement) -> dict[str, Any]:
    """Return everything that follows from the counts of true and predicted labels."""
    result: dict[str, Any] = {} if measured.many else {"n_unparsed": measured.confusion.n_unparsed}
    result |= measured.overall
    result["macro_gap"] = measured.gap.to_json()
    result["per_class"] = _by_class(measured)
    result |= measured.class_lists
    told = measured.list_told("multi-label counts" if measured.many else "confusion counts")
    result |= {key: measured.value(key) for key in told if key not in result}
    if measured.many:
        empty = {"label_swaps": list_swaps(measured), "n_rows_without_true_label": measured.labels.n_empty_true}
        return result | empty | {"n_rows_without_predicted_label": measured.labels.n_empty_pred}
    counts = measured.confusion
    matrix, n_labels = counts.matrix(), len(counts.labels)
    cells = {"labels": list(counts.labels), "rows_true_cols_pred": matrix[:, :n_labels].tolist()}
    if counts.n_unparsed:
        cells["unparsed_per_true"] = matrix[:, n_labels].tolist()
    if measured.evaluation.units is not None:
        weights = measured.weighted_confusion.matrix() * measured.evaluation.unit
        cells["weights_true_cols_pred"] = weights[:, :n_labels].tolist()
        cells |= {"unparsed_weight_per_true": weights[:, n_labels].tolist()} if counts.n_unparsed else {}
    families = {"families": family_numbers(measured)} if measured.evaluation.paths else {}
    return result | families | {"confusion_matrix": cells}


def _without_predictions(measured: Measurement) -> dict[str, Any]:
    """Return every number on predictions as NaN, and how often each class is true."""
    task = measured.evaluation.task
    result: dict[str, Any] = {
        key: value for key, value in measured.overall.items()
        if REGISTRY[task, key.removesuffix(ZERO)].direction != "zero"
    }  # fmt: skip
    if not measured.many:
        result["baseline_accuracy"] = measured.value("baseline_accuracy")
    lists = {name: measured.class_lists[name] for name in ("absent", "outside_label_space")}
    return result | {"per_class": _by_class(measured)} | lists | {"undefined_because": {}}


def _by_class(measured: Measurement) -> dict[str, dict[str, Any]]:
    """Return the numbers and the rows of every class, by its name."""
    more = measured.columns_of_each if measured.evaluation.has_predictions else {}
    columns = {key: column.tolist() for key, column in (measured.class_columns | more).items()}
    if measured.evaluation.units is not None:
        units, unit = measured.by_weight.class_columns, measured.evaluation.unit
        columns |= {f"{key}_weight": (units[key] * unit).tolist() for key in ("support", "predicted")}
    lines = zip(*columns.values(), strict=True)
    return {
        name: dict(zip(columns, line, strict=True))
        for name, line in zip(measured.evaluation.labels, lines, strict=True)
    }


def _of_positive(measured: Measurement, positive: int) -> dict[str, Any]:
    """Return recall and precision of the positive class of a binary task, with the wrong rows behind each."""
    name: dict[str, Any] = {"positive": measured.evaluation.labels[positive]}
    if not measured.evaluation.has_predictions:
        return name
    of = one_against_rest(measured.confusion, positive)
    rates = {key: measured.value(key) for key in ("recall", "precision")}
    return name | rates | {"n_missed": of.fn, "n_false_alarms": of.fp}


def score_numbers(measured: Measurement) -> dict[str, Any]:
    """Return what follows from the scores of the positive class; nothing without any, a threshold of NaN is none.

    Of rows with weights, the four counts at the threshold are rows, and the rates are weighted.
    """
    scores, threshold = measured.by_weight.positive_scores, measured.evaluation.effective_threshold
    rows = measured.positive_scores
    if scores is None or rows is None:
        return {}
    is_given = not math.isnan(threshold)
    rates = rates_at(scores, threshold) if is_given else ThresholdRates(*(math.nan,) * 5)
    at_threshold: dict[str, float] = {key: float(rate) for key, rate in rates.to_dict().items()}
    if is_given:
        counted = rates_at(rows, threshold).to_dict()
        at_threshold |= {key: int(counted[key]) for key in ("tp", "fp", "fn", "tn")}
    best_of = best_thresholds(scores)
    return {
        "threshold": threshold,
        **{key: measured.value(key) for key in measured.list_told("score counts")},
        "at_threshold": at_threshold,
        "best_thresholds": {
            key: {"threshold": float(best.threshold), "value": float(best.value)} for key, best in best_of.items()
        },
    }


def scored_numbers(measured: Measurement, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return every number, the parser where answers were parsed, warnings and the receipt: what the command line
    prints.

    more : numbers of a comparison, of slices, groups or times.
    """
    receipt = measured.evaluation.receipt
    sources = {"warnings": [*receipt.warnings, *cluster_warnings(measured.evaluation)], "receipt": receipt.to_json()}
    counted = {"engine": measured.engine, "score_error_bound": measured.score_error_bound}
    every, repeats = values(measured), repeats_result(measured)
    every |= {} if repeats is None else repeats.numbers
    return every | clipping(every) | parsing(measured.evaluation) | counted | sources | dict(more or {})


def clipping(numbers: Collection[str]) -> dict[str, str]:
    """Return what log loss does with probabilities of 0 and 1; nothing where there is no log loss."""
    return {"log_loss_clipping": CLIPPING} if "log_loss" in numbers else {}


def parsing(evaluation: Evaluation) -> dict[str, Any]:
    """Return the parser that read the answers, and scored rows of every outcome; nothing without answers."""
    if evaluation.answers is None:
        return {}
    from data.answers.parsed_answers import count_rows_by_outcome

    parser = evaluation.answers.parser.to_json()
    counts = count_rows_by_outcome(evaluation.answers, evaluation.scored)
    return {"parser": {"name": parser["name"], "rules": parser["rules"]}, "outcomes": counts}


def list_intervals(measured: Measurement) -> dict[str, Interval]:
    """Return every number that has an interval, by its name in the JSON.

    A rate of one class is "recall[refund]", and of the positive class "recall" too; at the threshold in use it is
    "recall_at_threshold".
    """
    e = measured.evaluation
    result: dict[str, Interval] = {}
    if e.has_predictions:
        rates = list(class_formulas(e.task))
        of_positive = rates if e.positive is not None else []
        result |= {key: measured.number(key) for key in (*measured.overall, *of_positive)}
        for family in list_families(measured) if e.paths else ():
            result |= {f"family_{key}[{family.name}]": rate for key, rate in family.rates.items()}
        if e.positive is not None:
            positive = e.labels[e.positive]
            result |= {f"{name}[{positive}]": measured.number(row.key) for name, row in rows_of_each().items()}
        result |= {
            f"{key}[{e.labels[code]}]": measured.number(key, code) for code in range(len(e.labels)) for key in rates
        }
    if e.y_score is not None:
        result |= _score_intervals(measured)
    if e.positive is not None and e.positive in e.score_codes:
        rates_there = measured.at_threshold(e.positive, e.effective_threshold)
        result |= {f"{key}_at_threshold": rate for key, rate in rates_there.items()}
    return result


def _score_intervals(measured: Measurement) -> dict[str, Interval]:
    """Return what has an interval and comes from the scores."""
    e = measured.evaluation
    areas = with_influence("score counts", task=e.task)
    losses = with_influence("probabilities", task=e.task) if has_losses(e) else ()
    if e.task == "binary" and len(e.score_codes) == 1:
        return {key: measured.number(key) for key in (*areas, *losses)}
    means = {key: measured.number(key) for key in measured.list_told("scores per class", "class scores")}
    several = e.score_codes if len(e.score_codes) > 1 else ()
    of_classes = {f"{key}[{e.labels[code]}]": measured.number(key, code) for code in several for key in areas}
    return of_classes | means | {key: measured.number(key) for key in losses}


def numbers(
    measured: Measurement,
    *,
    view: Mapping[str, Any] | None = None,
    made: datetime | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return every number with the version, the settings, the hash of every file, the fingerprint and the view.

    Parameters
    ----------
    view : the parameters of the page that it was taken from, as its link has them.
    made : when, with a time zone; None = now.
    more : numbers of a comparison, of slices, groups or times.

    >>> import pyarrow as pa
    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"]})
    >>> from export.measurement import measure
    >>> e = build(table, Settings(truth="y", pred="y_pred"), name="d", content_sha256="0")
    >>> found = numbers(measure(e))
    >>> found["numbers"]["accuracy"], found["numbers"]["per_class"]["b"]["precision"], found["settings"]["truth"]
    (0.5, None, 'y')
    """
    evaluation = measured.evaluation
    about: dict[str, Any] = {
        "format": FORMAT,
        "blindspot": VERSION,
        "made": write_time(made),
        "name": evaluation.name,
        "fingerprint": evaluation.fingerprint,
        # of a share that leaves something out, the digest is that of what was shared, not of the file
        "files": [
            {"name": file.name, ("shared_part_sha256" if is_part(evaluation) else "sha256"): file.sha256}
            for file in evaluation.receipt.files
        ],
        "settings": evaluation.settings.to_json(),
        "threshold": evaluation.threshold,
        "view": dict(view or {}),
        "undefined": "null",
        "numbers": scored_numbers(measured, more),
        "intervals": {name: within.to_json() for name, within in list_intervals(measured).items()},
    }
    if evaluation.filtered is not None:
        conditions, n_rows = evaluation.filtered.conditions, evaluation.filtered.n_rows
        about["filter"] = {"conditions": conditions, "rows": evaluation.n_rows, "rows_of_the_file": n_rows}
    every: dict[str, Any] = plain(about)
    return every


def leave_out_large_matrix(every: dict[str, Any], where: str) -> dict[str, Any]:
    """Return `numbers` with a sentence in place of a matrix of many classes; where : what it holds instead."""
    matrix = every["numbers"].get("confusion_matrix")
    if matrix and len(matrix["labels"]) > MAX_EMBEDDED_CLASSES:
        every["numbers"]["confusion_matrix"] = f"left out: {len(matrix['labels']):,} classes; {where}"
    return every


def numbers_json(
    measured: Measurement,
    *,
    view: Mapping[str, Any] | None = None,
    made: datetime | None = None,
    more: Mapping[str, Any] | None = None,
) -> bytes:
    """Return `numbers` as a file: ASCII, so that no encoding can break it and no label can speak to a terminal."""
    return json.dumps(numbers(measured, view=view, made=made, more=more), allow_nan=False, indent=1).encode("ascii")


def write_time(made: datetime | None) -> str:
    """Return a moment (None = now) in UTC, as ISO 8601 to the second."""
    return write_moment((made or datetime.now(UTC)).timestamp())


_AS_THEY_ARE = {int, str, bool, type(None)}


def plain(value: Any) -> Any:
    """Return numbers as JSON knows them: NaN and infinities become null.

    >>> plain({"a": (1.0, float("nan"))})
    {'a': [1.0, None]}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        as_they_are = {*map(type, value)} <= _AS_THEY_ARE  # a matrix of 1,000 classes has a million
        return list(value) if as_they_are else [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
