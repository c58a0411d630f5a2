"""Encode the labels of a single-label task: truth and predictions of a table as codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from data.building.encoded_parts import Parts, are_class_numbers, are_numbers
from data.columns.column import Distinct, distinct
from data.columns.count_columns import check_counted, read_row_counts
from data.columns.counted_metadata import read_counted
from data.columns.known_tools import FAILED
from data.errors import DataError
from data.evaluation import MISSING, UNPARSEABLE, Settings
from data.labels.class_names import label_of, merge_named, name_classes
from data.labels.encode import (
    LabelSpace,
    build_label_space,
    check_labels,
    warn_of_missing_words,
    warn_of_outside_labels,
)
from data.labels.label_order import describe_proposal, propose_order
from data.labels.label_tree import describe_levels, describe_tree, name_tree, propose_separator
from data.labels.positive_class import name_other_class
from data.labels.spelling import any_alike
from text.numbers import count, percent
from text.quoting import cut, list_briefly, quote


def encode_labels(table: pa.Table, settings: Settings) -> tuple[Parts, LabelSpace, Distinct]:
    """Encode the labels: binary if the label space has exactly two, else multi-class; with the space and the truth."""
    assert settings.truth is not None
    counted = read_counted(table)
    weights = None
    if settings.counts is not None:
        check_counted(settings, counted=counted is not None)
        weights = read_row_counts(table, settings.counts)
    truth = distinct(table.column(settings.truth))
    warnings = check_labels(truth, settings.truth)
    classes = counted.classes if counted is not None else ()
    pred, failed = _read_predictions(table, settings, (*truth.values, *classes))
    if pred is not None and settings.pred is not None:
        warnings += check_labels(pred, settings.pred)
        if settings.label_set is None and settings.counts is None:
            warnings += warn_of_missing_words(truth, settings.truth, pred)
            warnings += warn_of_missing_words(pred, settings.pred, truth)
    space = _build_space(settings, truth, pred, classes)
    found_by_engine = counted is not None and counted.highest == settings.pred
    if found_by_engine:
        _refuse_merged_classes(space, classes)
    warnings += _check_overlap(settings, truth, None if found_by_engine else pred, space)
    merges = space.merged("predictions")  # may hide mistakes of the model: a warning, where others are notes
    notes = [note for note in space.notes if note not in merges]
    notes += _offer_order(settings, space) + _offer_separator(settings, space)
    warnings += [*merges, *space.warnings, *warn_of_outside_labels(space, truth, "truth", "truth", weights)]
    warnings += _warn_of_tree(settings, space)
    nothing_yet = np.zeros(0, bool)  # which rows lack a label is known once answers and scores are read
    parts = Parts(
        task="binary" if space.n_space == 2 else "multiclass",
        labels=space.labels,
        n_space=space.n_space,
        y_true=space.codes(truth, "truth"),
        y_pred=np.full(len(table), MISSING, dtype=np.int32),
        no_truth=nothing_yet,
        no_pred=nothing_yet,
        weights=weights,
        ranks=space.ranks,
        named=tuple(space.place[space.spelling["score columns"][label]] for label in classes),
        notes=notes,
        warnings=warnings,
    )
    if pred is not None:
        parts.y_pred = np.where(failed, np.int32(UNPARSEABLE), space.codes(pred, "predictions"))
        parts.warnings += warn_of_outside_labels(space, pred, "predictions", "predictions", weights)
        _say_failed(parts, failed)
    return parts, space, truth


def _refuse_merged_classes(space: LabelSpace, classes: Sequence[str]) -> None:
    """Refuse to merge classes of which an engine found the highest score: that of a merged class is their sum."""
    merged = [space.spelling["score columns"][label] for label in classes]
    twice = next((label for label in merged if merged.count(label) > 1), None)
    if twice is not None:
        raise DataError(
            f"The scores of labels merged into {quote(twice)} add up, and the source was counted without that. Take "
            "the merge back, or merge them in the source."
        )


def _offer_order(settings: Settings, space: LabelSpace) -> list[str]:
    """Say which order the labels may have, where nobody gave one; numbers with names are classes by number."""
    if settings.order or settings.class_names:
        return []
    proposal = propose_order(space.labels[: space.n_space])
    return [describe_proposal(proposal)] if proposal else []


def _offer_separator(settings: Settings, space: LabelSpace) -> list[str]:
    """Say by what the labels may have groups, where nobody said so."""
    labels = space.labels[: space.n_space]
    separator = "" if settings.separator or settings.tree else propose_separator(labels)
    return [describe_levels(labels, separator)] if separator else []


def _warn_of_tree(settings: Settings, space: LabelSpace) -> list[str]:
    """Return the sentences on a tree that does not fit the labels; refuse it beside a separator."""
    if settings.separator and settings.tree:
        raise DataError("Labels have their groups by a separator or by a tree: give one of them.")
    labels = name_classes(space.labels[: space.n_space], settings.class_names)
    return describe_tree(labels, name_tree(settings)) if settings.tree else []


def _read_predictions(table: pa.Table, settings: Settings, labels: Iterable[str]) -> tuple[Distinct | None, np.ndarray]:
    """Return the prediction column, and the rows whose cell says that no label could be parsed, bool (n,).

    labels : known ones: a class may be called as such a cell is.
    """
    if settings.pred is None:
        return None, np.zeros(len(table), dtype=bool)
    cells = distinct(table.column(settings.pred))
    words_of_failure = set(FAILED) - {*labels, *(settings.label_set or ())}
    failed = [code for code, value in enumerate(cells.values) if value in words_of_failure]
    if not failed:
        return cells, np.zeros(len(table), dtype=bool)
    kept = [value for value in cells.values if value not in words_of_failure]
    place = {value: code for code, value in enumerate(kept)}
    codes = cells.spread((place.get(value, MISSING) for value in cells.values), MISSING, np.int32)
    return Distinct(tuple(kept), codes), np.isin(cells.codes, failed)


def _say_failed(parts: Parts, failed: np.ndarray) -> None:
    n = int(failed.sum() if parts.weights is None else parts.weights[failed].sum())
    if n:
        parts.notes.append(
            f"In {count(n, 'row')} the prediction says that no label was found ('[invalid]' or the like). They "
            "count as rows without a label."
        )


def _name_other_class(settings: Settings, words: dict[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the second class of a binary task whose truth, predictions and scores name the positive one only."""
    labels = list(set().union(*words.values()))
    nothing_else_names_labels = settings.label_set is None and settings.raw is None
    is_scored = settings.positive is not None and settings.scores
    if is_scored and nothing_else_names_labels and len(labels) == 1:
        return {"other class": [name_other_class(labels[0])]}
    return {}


def _build_space(settings: Settings, truth: Distinct, pred: Distinct | None, classes: Sequence[str]) -> LabelSpace:
    words: dict[str, Iterable[str]] = {"truth": truth.values}
    if pred is not None:
        words["predictions"] = pred.values
    if settings.scores or classes:
        words["score columns"] = [label for _, label in settings.scores] or classes
    if settings.positive is not None:
        words["positive class"] = [settings.positive]
    words |= _name_other_class(settings, words)
    all_but_positive = [name for name in words if name != "positive class"]
    space = build_label_space(
        words,
        space=all_but_positive if settings.label_space == "seen" else ["truth"],
        label_set=settings.label_set,
        merge=(*settings.merge, *merge_named(settings.class_names, words)),
        order=[label_of(name, settings.class_names) for name in settings.order],
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
    """Warn where no predicted label is ever true: a model may be always wrong.

    Raises
    ------
    DataError
        no true label is in the label list; or one column holds numbers and the other words, without a label list.
    """
    true = {space.spelling["truth"][value] for value in truth.values}
    inside = set(space.labels[: space.n_space])
    if settings.label_set is not None and not true & inside:
        raise DataError(
            f"No true label in {quote(settings.truth)} ({list_briefly(truth.values)}) is in the label list "
            f"({list_briefly(settings.label_set)}). Give the label list that belongs to this file."
        )
    if pred is None or not pred.values:
        return []
    predicted = {space.spelling["predictions"][value] for value in pred.values}
    expected = true if settings.label_set is None else true | inside
    if predicted & expected:
        return _warn_of_counting(settings, truth, pred)
    problem = (
        f"No label predicted in {quote(settings.pred)} ({list_briefly(pred.values)}) occurs in "
        f"{quote(settings.truth)} ({list_briefly(truth.values)})"
    )
    if any_alike(predicted, true):
        alike = "some differ only in how they are written, and every row counts as wrong until you merge them."
        return [f"{problem}: {alike}"]
    if settings.label_set is None and are_numbers(predicted) != are_numbers(true):
        raise DataError(
            f"{problem}: numbers and words. Choose other columns (--truth, --pred). If they mean the same, name the "
            f"classes, such as {_give_example(truth, pred)} (--class-names)."
        )
    return [
        f"{problem}, so every row counts as wrong. If these are not the columns, choose others (--truth, --pred). If "
        f"they mean the same, name the classes, such as {_give_example(truth, pred)} (--class-names)."
    ]


def _give_example(truth: Distinct, pred: Distinct) -> str:
    """Return a line that names a class: the most frequent true label, and the label that is predicted for it most."""
    both = (truth.codes >= 0) & (pred.codes >= 0)
    if not both.any():
        return quote(f"{cut(truth.values[0], 20)}={cut(pred.values[0], 20)}")
    label = int(np.bincount(truth.codes[both]).argmax())
    name = int(np.bincount(pred.codes[both & (truth.codes == label)]).argmax())
    return quote(f"{cut(truth.values[label], 20)}={cut(pred.values[name], 20)}")


def _warn_of_counting(settings: Settings, truth: Distinct, pred: Distinct) -> list[str]:
    """Warn where one column numbers the labels from 0 and the other from 1: more rows agree, shifted by one."""
    if not are_class_numbers((*truth.values, *pred.values)):
        return []
    true = [int(label) for label in truth.values]
    predicted = [int(label) for label in pred.values]
    shift = min(true) - min(predicted)
    if {min(true), min(predicted)} != {0, 1} or max(true) - max(predicted) != shift:
        return []
    rows = (truth.codes >= 0) & (pred.codes >= 0)
    difference = np.array(true)[truth.codes[rows]] - np.array(predicted)[pred.codes[rows]]
    plain = float((difference == 0).mean())
    shifted = float((difference == shift).mean())
    if shifted <= plain:
        return []
    raised = "the predictions" if shift > 0 else "the true labels"
    return [
        f"{quote(settings.pred)} numbers labels from {min(predicted)}, {quote(settings.truth)} from {min(true)}: "
        f"{percent(plain)} of the rows agree. With 1 added to {raised}, {percent(shifted)} would: write both alike if "
        "they mean the same."
    ]
