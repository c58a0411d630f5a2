"""One label a row: truth, predictions and scores of a table as codes and an array."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from data.columns import Column, Distinct, distinct
from data.counts import check_counted, rows_of, rows_per_line
from data.encode import LabelSpace, check_labels, label_space, no_value, outside_warning
from data.evaluation import MISSING, UNPARSEABLE, Answers, DataError, Scale, Settings, Task
from data.join import marks
from data.look_alikes import any_alike
from data.merged_labels import without_merged
from data.parsed_answers import read_column
from data.parser import Parser
from data.partial_table import are_read
from data.positive import choose_positive
from data.scores import (
    argmax,
    as_written,
    one_score_a_label,
    probabilities,
    score_matrix,
    softmax,
    sums_to,
    without_score,
)
from data.wording import briefly, counted, listed, quoted

FAILED = ("[invalid]", "['invalid']", "[missing]", "NOT_PARSABLE", "NOT_PARSEABLE", "UNPARSEABLE")
"""What evaluation tools write where an answer could not be parsed."""


@dataclass
class Parts:
    """What an `Evaluation` is made of, before it is frozen."""

    task: Task
    labels: tuple[str, ...]
    n_space: int
    y_true: np.ndarray
    y_pred: np.ndarray
    no_truth: np.ndarray
    no_pred: np.ndarray
    y_score: np.ndarray | None = None
    score_codes: tuple[int, ...] = ()
    scale: Scale = "probability"
    positive: int | None = None
    threshold: float | None = None
    weights: np.ndarray | None = None
    answers: Answers | None = None
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def single_label(table: pa.Table, settings: Settings) -> Parts:
    """Encode a single-label task: binary if the label space has exactly two labels, else multi-class."""
    assert settings.truth is not None
    check_counted(settings)
    weights = rows_per_line(table, settings.counts) if settings.counts is not None else None
    truth = distinct(table.column(settings.truth))
    warnings = check_labels(truth, settings.truth)
    pred, failed = _predictions(table, settings, truth)
    if pred is not None:
        warnings += check_labels(pred, settings.pred or "")
    if pred is not None and settings.pred is not None and settings.label_set is None and settings.counts is None:
        warnings += no_value(truth, settings.truth, pred) + no_value(pred, settings.pred, truth)
    space = _space(settings, truth, pred)
    warnings += _check_overlap(settings, truth, pred, space)
    outside = outside_warning(space, truth, "truth", "truth", weights)
    parts = Parts(
        "binary" if space.n_space == 2 else "multiclass", space.labels, space.n_space, space.codes(truth, "truth"),
        np.full(len(table), MISSING, dtype=np.int32), np.zeros(0, bool), np.zeros(0, bool), weights=weights,
        notes=[note for note in space.notes if note not in space.merged("predictions")],
        warnings=[*warnings, *space.merged("predictions"), *space.warnings, *outside],
    )  # fmt: skip
    if pred is not None:
        parts.y_pred = np.where(failed, np.int32(UNPARSEABLE), space.codes(pred, "predictions"))
        parts.warnings += outside_warning(space, pred, "predictions", "predictions", weights)
        _say_failed(parts, failed)
    elif settings.raw is not None:
        _parse(parts, table, settings.raw, settings.parser)
        _merge_answers(parts, space)
    _add_scores(parts, table, settings, space, truth)
    _predict_from_scores(parts, settings, own=pred is not None or settings.raw is not None)
    parts.no_truth = parts.y_true == MISSING
    parts.no_pred = parts.y_pred == MISSING
    return parts


def _predictions(table: pa.Table, settings: Settings, truth: Distinct) -> tuple[Distinct | None, np.ndarray]:
    """The prediction column, and the rows whose cell says that no label could be parsed."""
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
            f"Where the prediction says that nothing was parsed ('[invalid]' or the like; {counted(n, 'row')}), it is "
            "counted as unparseable."
        )


def _space(settings: Settings, truth: Distinct, pred: Distinct | None) -> LabelSpace:
    words: dict[str, Iterable[str]] = {"truth": truth.values}
    if pred is not None:
        words["predictions"] = pred.values
    if settings.scores:
        words["score columns"] = [label for _, label in settings.scores]
    if settings.positive is not None:
        words["positive class"] = [settings.positive]
    seen = [name for name in words if name != "positive class"]
    everything = settings.label_space == "seen"
    space = label_space(
        words,
        space=seen if everything else ["truth"],
        label_set=settings.label_set,
        merge=settings.merge,
        more_to_come=pred is None and settings.raw is not None,
    )
    if settings.positive is not None and space.code(settings.positive, "positive class") not in range(space.n_space):
        inside = space.labels[: space.n_space]
        raise DataError(
            f"The positive class {quoted(settings.positive)} is none of {briefly(inside)}: choose one of them."
        )
    if not truth.values:
        raise DataError(f"Column {quoted(settings.truth)} is empty: choose the column that holds the true labels.")
    return space


def _check_overlap(settings: Settings, truth: Distinct, pred: Distinct | None, space: LabelSpace) -> list[str]:
    """Refuse a truth and a prediction (or a label set) that have no label in common; a warning if some look alike."""
    true = {space.spelling["truth"][value] for value in truth.values}
    inside = set(space.labels[: space.n_space])
    if settings.label_set is not None and not true & inside:
        raise DataError(
            f"No true label in {quoted(settings.truth)} ({briefly(truth.values)}) is in the label set "
            f"({briefly(settings.label_set)}): give the label set that belongs to this file."
        )
    if pred is None or not pred.values:
        return []
    predicted = {space.spelling["predictions"][value] for value in pred.values}
    if predicted & (true | inside if settings.label_set is not None else true):
        return []
    said = (
        f"No label predicted in {quoted(settings.pred)} ({briefly(pred.values)}) occurs among the true labels of "
        f"{quoted(settings.truth)} ({briefly(truth.values)}): "
    )
    if any_alike(predicted, true):
        return [f"{said}some differ only in how they are written, and every row counts as wrong until you merge them."]
    raise DataError(f"{said}choose other columns, or write the same labels in both.")


# -- raw answers ------------------------------------------------------------------------------------


def _parse(parts: Parts, table: pa.Table, raw: str, parser: Parser | None) -> None:
    """Read the raw answers into `parts.y_pred`; made-up labels go behind the labels."""
    parts.answers, parts.labels, parts.y_pred = read_column(
        table.column(raw), raw, parser, parts.labels, parts.n_space, already=are_read(table, raw)
    )
    _, no_prediction = marks(table)
    if no_prediction is not None:
        parts.y_pred[no_prediction] = MISSING


def _merge_answers(parts: Parts, space: LabelSpace) -> None:
    """Count labels that were only read from answers as those into which a person merged them."""
    if space.merges and parts.answers is not None:
        parts.labels, codes = without_merged(parts.labels, parts.n_space, space.merges)
        parts.y_pred, mine = (
            np.where(found >= 0, codes[np.maximum(found, 0)], found) for found in (parts.y_pred, parts.answers.labels)
        )
        parts.answers = dataclasses.replace(parts.answers, labels=mine)


# -- scores -----------------------------------------------------------------------------------------


def _add_scores(parts: Parts, table: pa.Table, settings: Settings, space: LabelSpace, truth: Distinct) -> None:
    names = [name for name, _ in settings.scores]
    if parts.task == "binary":
        parts.positive = _positive(parts, settings, space, truth)
    if not names:
        return
    if parts.weights is not None:
        parts.notes.append(f"The scores in {listed(names, 3)} are left out: a line of this file is many rows.")
        return
    codes = tuple(space.labels.index(space.spelling["score columns"][label]) for _, label in settings.scores)
    if parts.task != "binary" and len(names) == 1:
        parts.notes.append(
            f"{quoted(names[0])} is one score in a task of {counted(parts.n_space, 'class', 'classes')}: kept with "
            "the rows, no curves are drawn from it."
        )
        return
    matrix = score_matrix(table, names)
    if settings.scale == "logit" and len(names) > 1:
        matrix = softmax(matrix)
        parts.notes.append(f"Softmax made probabilities of the {counted(len(names), 'logit column')}.")
    elif settings.scale == "logit":
        parts.scale = "logit"
    else:
        matrix, percent, notes = probabilities(table, names, matrix)
        parts.notes += notes
        _note_sums(parts, table, names, percent)
    if settings.scale == "confidence":
        matrix, codes = _of_positive(parts, matrix, names[0])
    parts.warnings += as_written(Column(table, name) for name in names) + without_score(matrix)
    matrix, codes, notes = one_score_a_label(matrix, codes, names, parts.labels)
    parts.notes += notes
    parts.y_score, parts.score_codes = matrix, codes
    if parts.task == "binary":
        _keep_positive(parts, settings)


def _of_positive(parts: Parts, confidence: np.ndarray, name: str) -> tuple[np.ndarray, tuple[int, ...]]:
    """The score of the positive class from that of the predicted one; NaN where neither of the two was predicted."""
    assert parts.positive is not None
    pred = parts.y_pred.reshape(-1, 1)
    inside = (pred >= 0) & (pred < parts.n_space)
    score = np.where(inside, np.where(pred == parts.positive, confidence, 1 - confidence), np.nan)
    positive = quoted(parts.labels[parts.positive])
    parts.notes.append(
        f"{quoted(name)} is the score of whichever label was predicted: the score of {positive} is that where "
        f"{positive} was predicted, and 1 minus that elsewhere."
    )
    return np.asfortranarray(score), (parts.positive,)


def _note_sums(parts: Parts, table: pa.Table, names: list[str], percent: bool) -> None:
    columns = [Column(table, name) for name in names]
    if len(names) > 1 and not sums_to(columns, 100 if percent else 1):
        parts.notes.append("The scores of the classes do not add up to 1 in every row: they are used as they are.")


def _positive(parts: Parts, settings: Settings, space: LabelSpace, truth: Distinct) -> int:
    if settings.positive is not None:
        code = space.code(settings.positive, "positive class")
    elif len(settings.scores) == 1:
        code = space.code(settings.scores[0][1], "score columns")
    else:
        rows: dict[str, int] = {}
        for value, n in zip(truth.values, rows_of(truth, parts.weights).tolist(), strict=True):
            rows[space.spelling["truth"][value]] = rows.get(space.spelling["truth"][value], 0) + n
        scored = [space.spelling["score columns"][label] for _, label in settings.scores]
        code = space.labels.index(choose_positive(space.labels[:2], rows, scored)[0])
    if code is None or code >= space.n_space:
        raise DataError(
            f"The score is of none of the labels {briefly(space.labels[: space.n_space])}: choose its label."
        )
    return code


def _keep_positive(parts: Parts, settings: Settings) -> None:
    """A binary task keeps one column: the score of the positive class."""
    assert parts.y_score is not None and parts.positive is not None
    codes = list(parts.score_codes)
    if parts.positive in codes:
        score = parts.y_score[:, codes.index(parts.positive)]
    else:
        score = -parts.y_score[:, 0] if parts.scale == "logit" else 1 - parts.y_score[:, 0]
        other, own = (quoted(parts.labels[code]) for code in (codes[0], parts.positive))
        sign = "minus that score" if parts.scale == "logit" else "1 minus that score"
        parts.notes.append(f"{quoted(settings.scores[0][0])} is the score of {other}: the score of {own} is {sign}.")
    parts.y_score, parts.score_codes = np.asfortranarray(score.reshape(-1, 1)), (parts.positive,)


def _predict_from_scores(parts: Parts, settings: Settings, *, own: bool) -> None:
    if parts.task == "binary" and parts.y_score is not None and (not own or settings.threshold is not None):
        default = 0.0 if parts.scale == "logit" else 0.5
        parts.threshold = default if settings.threshold is None else _on_scale(parts, settings.threshold)
        parts.y_pred = at_threshold(parts.y_score[:, 0], parts.threshold, parts.positive or 0)
        return
    if settings.threshold is not None:
        raise no_threshold(parts.task, parts.y_score is not None)
    if not own and parts.y_score is not None:
        codes = np.array([*parts.score_codes, MISSING], dtype=np.int32)
        parts.y_pred = codes[argmax(parts.y_score)]
        parts.notes.append("The prediction of a row is its class with the highest score (the first one on a tie).")
    elif not own:
        raise DataError("There is no prediction: choose a column of predictions, of raw answers, or a score per class.")


def _on_scale(parts: Parts, threshold: float) -> float:
    per_cent = any("divided by 100" in text for text in (*parts.notes, *parts.warnings))
    return threshold / 100 if per_cent and threshold > 1 else threshold


def at_threshold(score: np.ndarray, threshold: float, positive: int) -> np.ndarray:
    """Codes of a binary prediction, int32 (n,): `positive` where score >= threshold, MISSING without a score."""
    codes = np.where(score >= threshold, np.int32(positive), np.int32(1 - positive))
    codes[np.isnan(score)] = MISSING
    return codes


def no_threshold(task: str, has_scores: bool) -> DataError:
    """The error for a threshold where there is nothing that it could cut."""
    if not has_scores:
        return DataError(
            "A threshold needs scores, and none were found: name the score column, or leave the threshold out."
        )
    return DataError(
        f"A threshold makes predictions in a binary or a multi-label task; this one is {task}, "
        "predicted by the highest score."
    )
