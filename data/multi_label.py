"""Several labels a row: sets in a cell, or 0/1 columns, as bool arrays of rows by labels."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.columns import Column, Distinct, distinct
from data.encode import LabelSpace, label_space
from data.evaluation import DataError, Scale, Settings
from data.join import marks
from data.label_sets import SetEncoding, members
from data.scores import as_written, probabilities, score_matrix, without_score
from data.single_label import Parts, no_threshold
from data.wording import briefly, counted, quoted

Cells = tuple[Distinct, list[tuple[str, ...]]]
_FLAGS = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}


def multi_label(table: pa.Table, settings: Settings) -> Parts:
    """Encode a multi-label task."""
    hot = settings.encoding == "multi_hot"
    truth = _hot_words(settings.truth_columns) if hot else _set_words(table, settings, settings.truth)
    pred = _hot_words(settings.pred_columns) if hot else _set_words(table, settings, settings.pred)
    space = _space(settings, truth, pred)
    read = _read_hot if hot else _read_sets
    y_true, no_truth = read(table, settings, space, "truth")
    has_pred = bool(settings.pred_columns) if hot else settings.pred is not None
    empty = np.zeros_like(y_true), np.zeros(len(table), bool)
    y_pred, no_pred = read(table, settings, space, "predictions") if has_pred else empty
    parts = Parts(
        "multilabel",
        space.labels,
        space.n_space,
        y_true,
        y_pred,
        no_truth,
        no_pred,
        notes=[note for note in space.notes if note not in space.merged("predictions")],
        warnings=[*space.merged("predictions"), *space.warnings],
    )
    _note_empty(parts, table, settings)
    _add_scores(parts, table, settings, space)
    if not has_pred or settings.threshold is not None:
        _predict_from_scores(parts, settings.threshold)
    _mark_unmatched(parts, table)
    return parts


def _hot_words(pairs: tuple[tuple[str, str], ...]) -> list[str]:
    return [label for _, label in pairs]


def _set_words(table: pa.Table, settings: Settings, name: str | None) -> list[str]:
    if name is None:
        return []
    cells = distinct(table.column(name))
    return list(dict.fromkeys(label for labels in _members(cells, settings, name) for label in labels))


def _members(cells: Distinct, settings: Settings, name: str) -> list[tuple[str, ...]]:
    encoding = SetEncoding("json" if settings.encoding == "json" else "delimited", settings.delimiter)
    found = [members(value, encoding) for value in cells.values]
    for code, labels in enumerate(found):
        if labels is None:
            raise DataError(
                f"Column {quoted(name)}, row {cells.first_row(code):,}: {quoted(cells.values[code])} is not a list of "
                'labels; a list such as ["a", "b"] was wanted, as in the other rows.'
            )
    return [labels or () for labels in found]


def _space(settings: Settings, truth: list[str], pred: list[str]) -> LabelSpace:
    scores = [label for _, label in settings.scores]
    words = {"truth": truth, "predictions": pred, "score columns": scores}
    inside = list(words) if settings.label_space == "seen" else ["truth"]
    space = label_space(words, space=inside, label_set=settings.label_set)
    true = {space.spelling["truth"][label] for label in truth}
    others = {space.spelling[name][label] for name in ("predictions", "score columns") for label in words[name]}
    if true and others and not true & others and settings.label_set is None:
        raise DataError(
            f"No predicted label ({briefly(sorted(others))}) occurs among the true labels ({briefly(sorted(true))}): "
            "choose other columns."
        )
    return space


def _read_sets(table: pa.Table, settings: Settings, space: LabelSpace, which: str) -> tuple[np.ndarray, np.ndarray]:
    name = settings.truth if which == "truth" else settings.pred
    assert name is not None
    cells = distinct(table.column(name))
    place = {label: code for code, label in enumerate(space.labels)}
    sets = np.zeros((len(cells.values) + 1, len(place)), dtype=bool)
    for row, labels in enumerate(_members(cells, settings, name)):
        sets[row, [place[space.spelling[which][label]] for label in labels]] = True
    missing = cells.codes < 0 if settings.encoding == "json" else np.zeros(len(table), bool)
    return sets[cells.codes], missing


def _read_hot(table: pa.Table, settings: Settings, space: LabelSpace, which: str) -> tuple[np.ndarray, np.ndarray]:
    pairs = settings.truth_columns if which == "truth" else settings.pred_columns
    result = np.zeros((len(table), len(space.labels)), dtype=bool)
    missing = np.zeros(len(table), dtype=bool)
    for name, label in pairs:
        cells = distinct(table.column(name))
        flags = np.array([*(_flag(cells, code, name) for code in range(len(cells.values))), False])
        code = space.code(label, which)
        if code is not None:
            result[:, code] |= flags[cells.codes]
        missing |= cells.codes < 0
    return result, missing


def _flag(cells: Distinct, code: int, name: str) -> bool:
    value = _FLAGS.get(cells.values[code].casefold())
    if value is None:
        raise DataError(
            f"Column {quoted(name)}, row {cells.first_row(code):,}: {quoted(cells.values[code])} is neither 0 nor 1; a "
            "column per label holds 1 where the label applies and 0 where it does not."
        )
    return value


def _note_empty(parts: Parts, table: pa.Table, settings: Settings) -> None:
    """A delimited cell cannot tell 'no labels' from 'not filled in'."""
    if settings.encoding != "delimited":
        return
    for name in (settings.truth, settings.pred):
        n = distinct(table.column(name)).n_missing if name is not None else 0
        if n:
            parts.notes.append(f"{counted(n, 'empty cell')} in {quoted(name)}: taken as rows without any label.")


def _add_scores(parts: Parts, table: pa.Table, settings: Settings, space: LabelSpace) -> None:
    names = [name for name, _ in settings.scores]
    if not names:
        return
    matrix = score_matrix(table, names)
    scale: Scale = settings.scale
    if scale == "probability":
        matrix, _, notes = probabilities(table, names, matrix)
        parts.notes += notes
    else:
        parts.notes.append(
            "Each label's logit is turned into a probability by the sigmoid where one is needed; thresholds are logits."
        )
    parts.warnings += as_written(Column(table, name) for name in names) + without_score(matrix)
    codes = [space.code(label, "score columns") for _, label in settings.scores]
    parts.y_score, parts.scale, parts.score_codes = matrix, scale, tuple(code for code in codes if code is not None)


def _predict_from_scores(parts: Parts, threshold: float | None) -> None:
    if parts.y_score is None:
        raise (
            no_threshold(parts.task, False)
            if threshold is not None
            else DataError("There is no prediction: choose columns of predictions or of scores.")
        )
    default = 0.0 if parts.scale == "logit" else 0.5
    parts.threshold = default if threshold is None else threshold
    parts.y_pred, parts.no_pred = at_threshold(parts.y_score, parts.score_codes, parts.threshold, len(parts.labels))


def at_threshold(
    scores: np.ndarray, codes: tuple[int, ...], threshold: float, n_labels: int
) -> tuple[np.ndarray, np.ndarray]:
    """Labels whose score >= threshold, bool (n, n_labels), and the rows without any score, bool (n,)."""
    predicted = np.zeros((len(scores), n_labels), dtype=bool)
    predicted[:, list(codes)] = scores >= threshold
    return predicted, np.isnan(scores).all(axis=1)


def _mark_unmatched(parts: Parts, table: pa.Table) -> None:
    """Rows that only one of two joined files had lack the other side, whatever their empty cells mean."""
    no_truth, no_pred = marks(table)
    if no_truth is not None and no_pred is not None:
        parts.no_truth, parts.no_pred = parts.no_truth | no_truth, parts.no_pred | no_pred
    parts.y_true[parts.no_truth] = False
    parts.y_pred[parts.no_pred] = False
