"""Encode the labels of a single-label task: truth and predictions of a table as codes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from data.building.encoded_parts import Parts
from data.columns.column import Distinct, distinct
from data.columns.count_columns import check_counted, read_row_counts
from data.columns.counted_table import read_counted
from data.columns.known_tools import FAILED
from data.errors import DataError
from data.evaluation import MISSING, UNPARSEABLE, Settings
from data.labels.encode import (
    LabelSpace,
    build_label_space,
    check_labels,
    warn_of_missing_words,
    warn_of_outside_labels,
)
from data.labels.look_alikes import any_alike
from data.labels.positive_class import name_other_class
from text.numbers import count
from text.quoting import list_briefly, quote


def encode_labels(table: pa.Table, settings: Settings) -> tuple[Parts, LabelSpace, Distinct]:
    """Encode the labels: binary if the label space has exactly two, else multi-class; with the space and the truth."""
    assert settings.truth is not None
    weights = None
    if settings.counts is not None:
        check_counted(settings, counted=read_counted(table) is not None)
        weights = read_row_counts(table, settings.counts)
    truth = distinct(table.column(settings.truth))
    warnings = check_labels(truth, settings.truth)
    pred, failed = _read_predictions(table, settings, truth)
    if pred is not None:
        warnings += check_labels(pred, settings.pred or "")
    if pred is not None and settings.pred is not None and settings.label_set is None and settings.counts is None:
        warnings += warn_of_missing_words(truth, settings.truth, pred) + warn_of_missing_words(
            pred, settings.pred, truth
        )
    space = _build_space(settings, truth, pred)
    warnings += _check_overlap(settings, truth, pred, space)
    outside = warn_of_outside_labels(space, truth, "truth", "truth", weights)
    parts = Parts(
        "binary" if space.n_space == 2 else "multiclass", space.labels, space.n_space, space.codes(truth, "truth"),
        np.full(len(table), MISSING, dtype=np.int32), np.zeros(0, bool), np.zeros(0, bool), weights=weights,
        notes=[note for note in space.notes if note not in space.merged("predictions")],
        warnings=[*warnings, *space.merged("predictions"), *space.warnings, *outside],
    )  # fmt: skip
    if pred is not None:
        parts.y_pred = np.where(failed, np.int32(UNPARSEABLE), space.codes(pred, "predictions"))
        parts.warnings += warn_of_outside_labels(space, pred, "predictions", "predictions", weights)
        _say_failed(parts, failed)
    return parts, space, truth


def _read_predictions(table: pa.Table, settings: Settings, truth: Distinct) -> tuple[Distinct | None, np.ndarray]:
    """Return the prediction column, and the rows whose cell says that no label could be parsed."""
    none = np.zeros(len(table), dtype=bool)
    if settings.pred is None:
        return None, none
    cells = distinct(table.column(settings.pred))
    known = {*truth.values, *(settings.label_set or ())}
    failed = [code for code, value in enumerate(cells.values) if value in FAILED and value not in known]
    if not failed:
        return cells, none
    kept = [value for code, value in enumerate(cells.values) if code not in failed]
    place = {value: code for code, value in enumerate(kept)}
    lookup = np.array([*(place.get(value, MISSING) for value in cells.values), MISSING], dtype=np.int32)
    return Distinct(tuple(kept), lookup[cells.codes]), np.isin(cells.codes, failed)


def _say_failed(parts: Parts, failed: np.ndarray) -> None:
    n = int(failed.sum() if parts.weights is None else parts.weights[failed].sum())
    if n:
        parts.notes.append(
            f"Where the prediction says that no label was found ('[invalid]' or the like; {count(n, 'row')}), the row "
            "counts as one without a label."
        )


def _name_other_class(settings: Settings, words: dict[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the second class of a binary task whose truth, predictions and scores name the positive one only."""
    named = {label for labels in words.values() for label in labels}
    alone = settings.positive is not None and settings.scores and settings.label_set is None and len(named) == 1
    return {"other class": [name_other_class(label) for label in named]} if alone and settings.raw is None else {}


def _build_space(settings: Settings, truth: Distinct, pred: Distinct | None) -> LabelSpace:
    words: dict[str, Iterable[str]] = {"truth": truth.values}
    if pred is not None:
        words["predictions"] = pred.values
    if settings.scores:
        words["score columns"] = [label for _, label in settings.scores]
    if settings.positive is not None:
        words["positive class"] = [settings.positive]
    words |= _name_other_class(settings, words)
    seen = [name for name in words if name != "positive class"]
    everything = settings.label_space == "seen"
    space = build_label_space(
        words,
        space=seen if everything else ["truth"],
        label_set=settings.label_set,
        merge=settings.merge,
        more_to_come=pred is None and settings.raw is not None,
    )
    if settings.positive is not None and space.code(settings.positive, "positive class") not in range(space.n_space):
        inside = space.labels[: space.n_space]
        raise DataError(
            f"The positive class {quote(settings.positive)} is not one of {list_briefly(inside)}: choose one of them."
        )
    if not truth.values:
        raise DataError(f"Column {quote(settings.truth)} is empty: choose the column that holds the true labels.")
    return space


def _check_overlap(settings: Settings, truth: Distinct, pred: Distinct | None, space: LabelSpace) -> list[str]:
    """Refuse a truth and a prediction (or a label set) that have no label in common; a warning if some look alike."""
    true = {space.spelling["truth"][value] for value in truth.values}
    inside = set(space.labels[: space.n_space])
    if settings.label_set is not None and not true & inside:
        raise DataError(
            f"No true label in {quote(settings.truth)} ({list_briefly(truth.values)}) is in the label list "
            f"({list_briefly(settings.label_set)}): give the label list that belongs to this file."
        )
    if pred is None or not pred.values:
        return []
    predicted = {space.spelling["predictions"][value] for value in pred.values}
    if predicted & (true | inside if settings.label_set is not None else true):
        return []
    said = (
        f"No label predicted in {quote(settings.pred)} ({list_briefly(pred.values)}) occurs among the true labels of "
        f"{quote(settings.truth)} ({list_briefly(truth.values)}): "
    )
    if any_alike(predicted, true):
        return [f"{said}some differ only in how they are written, and every row counts as wrong until you merge them."]
    raise DataError(f"{said}choose other columns, or write the same labels in both.")
