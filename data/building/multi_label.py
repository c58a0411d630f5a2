"""Encode multi-label tasks: sets in a cell, or 0/1 columns, as bool arrays of rows by labels."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.building.encoded_parts import Parts, are_numbers, no_threshold_error
from data.columns.column import FLAGS, Column, Distinct, distinct
from data.columns.column_memory import check_memory
from data.columns.count_columns import check_counted, read_row_counts
from data.columns.counted_metadata import read_counted
from data.columns.score_scale import check_probabilities, read_scores, warn_of_missing_scores, warn_of_number_formats
from data.columns.table_metadata import find_unmatched_rows
from data.errors import DataError
from data.evaluation import Scale, Settings, default_threshold
from data.labels.cell_sets import SetEncoding, find_inseparable_parts, read_members
from data.labels.encode import LabelSpace, build_label_space
from text.numbers import count
from text.quoting import list_briefly, list_items, quote

_NAMED = 20


class _Side(NamedTuple):
    """The place of truth or prediction, and how it holds several labels."""

    which: str  # "truth" or "predictions", as the label space calls them
    encoding: str
    delimiter: str | None
    column: str | None
    pairs: tuple[tuple[str, str], ...]

    @property
    def is_hot(self) -> bool:
        return self.encoding == "multi_hot"

    @property
    def is_there(self) -> bool:
        return bool(self.pairs) if self.is_hot else self.column is not None


def _find_sides(settings: Settings) -> tuple[_Side, _Side]:
    truth = _Side("truth", settings.encoding, settings.delimiter, settings.truth, settings.truth_columns)
    other = settings.pred_encoding, settings.pred_delimiter
    encoding, delimiter = other if settings.pred_encoding else (settings.encoding, settings.delimiter)
    return truth, _Side("predictions", encoding or "", delimiter, settings.pred, settings.pred_columns)


def encode_multi_label(table: pa.Table, settings: Settings) -> Parts:
    """Encode a multi-label task."""
    weights = None
    if settings.counts is not None:
        check_counted(settings, counted=read_counted(table) is not None)
        weights = read_row_counts(table, settings.counts)
    truth, pred = _find_sides(settings)
    space = _build_space(settings, _list_words(table, truth), _list_words(table, pred))
    check_memory(table, n_scores=len(settings.scores), n_labels=len(space.labels))
    y_true, no_truth = _read(table, truth, space)
    y_pred, no_pred = (
        _read(table, pred, space) if pred.is_there else (np.zeros_like(y_true), np.zeros(len(table), bool))
    )
    parts = Parts(
        "multilabel",
        space.labels,
        space.n_space,
        y_true,
        y_pred,
        no_truth,
        no_pred,
        weights=weights,
        notes=[note for note in space.notes if note not in space.merged("predictions")],
        warnings=[*space.merged("predictions"), *space.warnings],
    )
    _note_empty(parts, table, (truth, pred))
    _warn_of_commas(parts, table, (truth, pred))
    _add_scores(parts, table, settings, space)
    if not pred.is_there or settings.threshold is not None:
        _predict_from_scores(parts, settings.threshold)
    _mark_unmatched(parts, table)
    parts.warnings += _find_unpredicted(table, settings, parts.labels)
    return parts


def _find_unpredicted(table: pa.Table, settings: Settings, labels: Sequence[str]) -> list[str]:
    """Return the labels of the truth, and the 0/1 columns of a labels file, that no column predicts."""
    sentences = []
    if settings.truth_columns:
        used: set[str | None] = {
            column for column, _ in (*settings.truth_columns, *settings.pred_columns, *settings.scores)
        }
        used |= {settings.id, settings.pred}
        of_labels = [
            f.name for f in table.schema if (f.metadata or {}).get(b"file") == b"labels" and f.name not in used
        ]
        left = [name for name in of_labels if Column(table, name).is_flag]
        if left:
            sentences.append(
                f"{count(len(left), 'label')} of the labels file without a column that predicts "
                f"{'it' if len(left) == 1 else 'them'}, so not counted: {list_items(left, _NAMED)}."
            )
    predicted = {label for _, label in (*settings.pred_columns, *settings.scores)}
    if settings.pred is None and predicted:
        merged = dict(settings.merge)
        predicted |= {merged.get(label, label) for label in predicted}
        without = [label for label in labels if label not in predicted]
        if without:
            sentences.append(
                f"{count(len(without), 'label')} without a column that predicts "
                f"{'it' if len(without) == 1 else 'them'}, counted as never predicted: {list_items(without, _NAMED)}."
            )
    return sentences


def _list_words(table: pa.Table, side: _Side) -> list[str]:
    """Return the labels of one side, as it spells them."""
    if side.is_hot:
        return [label for _, label in side.pairs]
    if side.column is None:
        return []
    cells = distinct(table.column(side.column))
    return list(dict.fromkeys(label for labels in _read_cells(cells, side) for label in labels))


def _read_cells(cells: Distinct, side: _Side) -> list[tuple[str, ...]]:
    encoding = SetEncoding("json" if side.encoding == "json" else "delimited", side.delimiter)
    members = [read_members(value, encoding) for value in cells.values]
    for code, labels in enumerate(members):
        if labels is None:
            raise DataError(
                f"Column {quote(side.column)}, row {cells.first_row(code):,}: {quote(cells.values[code])} is not a "
                'list of labels. A list such as ["a", "b"] was wanted, as in the other rows.'
            )
    return [labels or () for labels in members]


def _read(table: pa.Table, side: _Side, space: LabelSpace) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels of every row, bool (n, K), and the rows without a cell, bool (n,)."""
    return _read_hot(table, side, space) if side.is_hot else _read_sets(table, side, space)


def _build_space(settings: Settings, truth: list[str], pred: list[str]) -> LabelSpace:
    scores = [label for _, label in settings.scores]
    words = {"truth": truth, "predictions": pred, "score columns": scores}
    inside = list(words) if settings.label_space == "seen" else ["truth"]
    space = build_label_space(words, space=inside, label_set=settings.label_set, merge=settings.merge)
    true = {space.spelling["truth"][label] for label in truth}
    others = {space.spelling[name][label] for name in ("predictions", "score columns") for label in words[name]}
    if not true or not others or true & others or settings.label_set is not None:
        return space
    problem = f"No predicted label ({list_briefly(sorted(others))}) is ever true ({list_briefly(sorted(true))})"
    if are_numbers(true) != are_numbers(others):
        raise DataError(
            f"{problem}: numbers and words. Choose other columns (--truth, --pred), or list the labels (--merge, "
            "--label-set)."
        )
    doubt = f"{problem}. If these are not the columns, choose others (--truth, --pred)."
    return dataclasses.replace(space, warnings=(*space.warnings, doubt))


def _read_sets(table: pa.Table, side: _Side, space: LabelSpace) -> tuple[np.ndarray, np.ndarray]:
    assert side.column is not None
    cells = distinct(table.column(side.column))
    place = {label: code for code, label in enumerate(space.labels)}
    sets = np.zeros((len(cells.values) + 1, len(place)), dtype=bool)
    for row, labels in enumerate(_read_cells(cells, side)):
        sets[row, [place[space.spelling[side.which][label]] for label in labels]] = True
    missing = cells.codes < 0 if side.encoding == "json" else np.zeros(len(table), bool)
    return sets[cells.codes], missing


def _read_hot(table: pa.Table, side: _Side, space: LabelSpace) -> tuple[np.ndarray, np.ndarray]:
    result = np.zeros((len(table), len(space.labels)), dtype=bool)
    missing = np.zeros(len(table), dtype=bool)
    for name, label in side.pairs:
        cells = distinct(table.column(name))
        flags = cells.spread((_read_flag(cells, code, name) for code in range(len(cells.values))), False)
        code = space.code(label, side.which)
        if code is not None:
            result[:, code] |= flags
        missing |= cells.codes < 0
    return result, missing


def _read_flag(cells: Distinct, code: int, name: str) -> bool:
    value = FLAGS.get(cells.values[code].casefold())
    if value is None:
        raise DataError(
            f"Column {quote(name)}, row {cells.first_row(code):,}: {quote(cells.values[code])} is neither 0 nor 1. A "
            "column per label holds 1 where the label applies and 0 where it does not."
        )
    return value


def _note_empty(parts: Parts, table: pa.Table, sides: Iterable[_Side]) -> None:
    """Note that a delimited cell cannot tell 'no labels' from 'not filled in'."""
    for side in sides:
        delimited = side.encoding == "delimited" and side.column is not None
        if not delimited:
            continue
        n = parts.count_rows(distinct(table.column(side.column)).codes < 0)
        if n:
            parts.notes.append(f"{count(n, 'empty cell')} in {quote(side.column)}: taken as rows without any label.")


def _warn_of_commas(parts: Parts, table: pa.Table, sides: Iterable[_Side]) -> None:
    """Warn of a label that holds the delimiter itself: it may be two labels."""
    columns = [side.column for side in sides if side.encoding == "delimited" and side.delimiter == ","]
    pairs = find_inseparable_parts(value for name in columns if name for value in distinct(table.column(name)).values)
    if pairs:
        shown = ", ".join(f"{quote(first)} and {quote(second)}" for first, second in pairs[:3])
        parts.warnings.append(
            f"{shown}{' (and more)' if len(pairs) > 3 else ''} stand beside each other in every cell that has either. "
            "If they are one label with a comma in it, separate the labels by ; or | instead."
        )


def _add_scores(parts: Parts, table: pa.Table, settings: Settings, space: LabelSpace) -> None:
    names = [name for name, _ in settings.scores]
    if not names:
        return
    if parts.weights is not None:  # an engine keeps none of several labels
        parts.notes.append(f"The scores in {list_items(names, 3)} are left out: a line of this file is many rows.")
        return
    matrix = read_scores(table, names)
    scale: Scale = "probability" if settings.scale == "confidence" else settings.scale
    if scale == "probability":
        matrix, _, notes = check_probabilities(table, names, matrix)
        parts.notes += notes
    elif scale == "logit":
        parts.notes.append(
            "Each label's logit is turned into a probability by the sigmoid where one is needed; thresholds are logits."
        )
    parts.warnings += warn_of_number_formats(Column(table, name) for name in names) + warn_of_missing_scores(matrix)
    codes = [space.code(label, "score columns") for _, label in settings.scores]
    if len(set(codes)) < len(codes):
        twice = next(code for code in codes if codes.count(code) > 1)
        columns = [name for name, code in zip(names, codes, strict=True) if code == twice]
        raise DataError(
            f"The score columns {list_briefly(columns)} are of labels that you merged. In a multi-label file their "
            "scores cannot be added up. Take the merge back, or leave all but one of these columns out."
        )
    parts.y_score, parts.scale, parts.score_codes = matrix, scale, tuple(code for code in codes if code is not None)


def _predict_from_scores(parts: Parts, threshold: float | None) -> None:
    if parts.y_score is None:
        raise (
            no_threshold_error(parts.task, False)
            if threshold is not None
            else DataError("There is no prediction: choose columns of predictions or of scores.")
        )
    if threshold is None and parts.scale == "score":
        parts.has_predictions = False
        parts.no_pred = np.isnan(parts.y_score).all(axis=1)
        return
    parts.threshold = default_threshold(parts.scale) if threshold is None else threshold
    parts.y_pred, parts.no_pred = predict_at_threshold(
        parts.y_score, parts.score_codes, parts.threshold, len(parts.labels)
    )


def predict_at_threshold(
    scores: np.ndarray, codes: tuple[int, ...], threshold: float | np.ndarray, n_labels: int
) -> tuple[np.ndarray, np.ndarray]:
    """Predict the labels whose score >= threshold, bool (n, n_labels); return the rows without any score, too.

    threshold : one for all labels, or float64 (S,), one a score column.
    """
    predicted = np.zeros((len(scores), n_labels), dtype=bool)
    predicted[:, list(codes)] = scores >= threshold
    return predicted, np.isnan(scores).all(axis=1)


def _mark_unmatched(parts: Parts, table: pa.Table) -> None:
    """Mark rows that only one of two joined files had as lacking the other side."""
    no_truth, no_pred = find_unmatched_rows(table)
    if no_truth is not None and no_pred is not None:
        parts.no_truth, parts.no_pred = parts.no_truth | no_truth, parts.no_pred | no_pred
    parts.y_true[parts.no_truth] = False
    parts.y_pred[parts.no_pred] = False
