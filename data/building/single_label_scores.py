"""The scores of a task with one label a row: one column a class, and the predictions made from them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.building.encoded_parts import Parts
from data.columns.column import Column, Distinct, sums_to
from data.columns.counted_table import read_counted
from data.columns.score_scale import (
    argmax,
    check_probabilities,
    merge_scores,
    read_scores,
    softmax,
    warn_of_missing_scores,
    warn_of_number_formats,
)
from data.errors import DataError
from data.evaluation import MISSING, Settings, default_threshold
from data.labels.encode import LabelSpace
from data.labels.positive_class import choose_positive
from text.numbers import count
from text.quoting import list_briefly, list_items, quote


def add_scores(parts: Parts, table: pa.Table, settings: Settings, space: LabelSpace, truth: Distinct) -> None:
    """Read the scores into `parts`, in the order of their codes; notes say what was done to them."""
    names = [name for name, _ in settings.scores]
    if parts.task == "binary":
        parts.positive = _choose_positive(parts, settings, space, truth)
    if not names:
        return
    if parts.weights is not None and read_counted(table) is None:
        parts.notes.append(f"The scores in {list_items(names, 3)} are left out: a line of this file is many rows.")
        return
    codes = tuple(space.place[space.spelling["score columns"][label]] for _, label in settings.scores)
    if parts.task != "binary" and len(names) == 1:
        parts.notes.append(
            f"{quote(names[0])} is one score, but there are {count(parts.n_space, 'class')}: it is kept with the rows, "
            "and no curves are drawn from it."
        )
        return
    matrix = read_scores(table, names)
    if settings.scale == "logit" and len(names) > 1:
        matrix = softmax(matrix)
        parts.notes.append(f"Softmax made probabilities of the {count(len(names), 'logit column')}.")
    elif settings.scale in ("logit", "score"):
        parts.scale = settings.scale
    else:
        matrix, percent, notes = check_probabilities(table, names, matrix)
        parts.notes += notes
        _note_sums(parts, table, names, percent)
    if settings.scale == "confidence":
        matrix, codes = _derive_positive_score(parts, matrix, names[0])
    parts.warnings += warn_of_number_formats(Column(table, name) for name in names)
    parts.warnings += warn_of_missing_scores(matrix, parts.weights)
    _refuse_merged(parts, codes, names)
    matrix, codes, notes = merge_scores(matrix, codes, names, parts.labels)
    parts.notes += notes
    parts.y_score, parts.score_codes = matrix, codes
    if parts.task == "binary":
        _keep_positive(parts, settings)


def _derive_positive_score(parts: Parts, confidence: np.ndarray, name: str) -> tuple[np.ndarray, tuple[int, ...]]:
    """Derive the score of the positive class from that of the predicted one; NaN where neither was predicted."""
    assert parts.positive is not None
    pred = parts.y_pred.reshape(-1, 1)
    inside = (pred >= 0) & (pred < parts.n_space)
    score = np.where(inside, np.where(pred == parts.positive, confidence, 1 - confidence), np.nan)
    positive = quote(parts.labels[parts.positive])
    parts.notes.append(
        f"{quote(name)} is the score of whichever label was predicted: the score of {positive} is that where "
        f"{positive} was predicted, and 1 minus that elsewhere."
    )
    return np.asfortranarray(score), (parts.positive,)


def _note_sums(parts: Parts, table: pa.Table, names: list[str], percent: bool) -> None:
    columns = [Column(table, name) for name in names]
    if len(names) > 1 and not sums_to(columns, 100 if percent else 1):
        parts.notes.append("The scores of the classes do not add up to 1 in every row: they are used as they are.")


def _refuse_merged(parts: Parts, codes: tuple[int, ...], names: list[str]) -> None:
    """Refuse to add up the scores of merged labels where these are no probabilities."""
    twice = [name for code, name in zip(codes, names, strict=True) if codes.count(code) > 1]
    if parts.scale == "score" and twice:
        raise DataError(
            f"The score columns {list_items(twice)} are of labels that you merged; on a scale of their own scores "
            "cannot be added up: take the merge back, or leave all but one of these columns out."
        )


def _choose_positive(parts: Parts, settings: Settings, space: LabelSpace, truth: Distinct) -> int:
    if settings.positive is not None:
        code = space.code(settings.positive, "positive class")
    elif len(settings.scores) == 1:
        code = space.code(settings.scores[0][1], "score columns")
    else:
        rows: dict[str, int] = {}
        for value, n in zip(truth.values, truth.rows(parts.weights).tolist(), strict=True):
            rows[space.spelling["truth"][value]] = rows.get(space.spelling["truth"][value], 0) + n
        scored = [space.spelling["score columns"][label] for _, label in settings.scores]
        code = space.labels.index(choose_positive(space.labels[:2], rows, scored)[0])
    if code is None or code >= space.n_space:
        raise DataError(
            f"The score is of none of the labels {list_briefly(space.labels[: space.n_space])}: choose its label."
        )
    return code


def _keep_positive(parts: Parts, settings: Settings) -> None:
    """Keep the score of the positive class alone, in a binary task."""
    assert parts.y_score is not None and parts.positive is not None
    codes = list(parts.score_codes)
    if parts.positive in codes:
        score = parts.y_score[:, codes.index(parts.positive)]
    else:
        turned = parts.scale in ("logit", "score")
        score = -parts.y_score[:, 0] if turned else 1 - parts.y_score[:, 0]
        other, own = (quote(parts.labels[code]) for code in (codes[0], parts.positive))
        sign = "minus that score" if turned else "1 minus that score"
        parts.notes.append(f"{quote(settings.scores[0][0])} is the score of {other}: the score of {own} is {sign}.")
    parts.y_score, parts.score_codes = np.asfortranarray(score.reshape(-1, 1)), (parts.positive,)


def predict_from_scores(parts: Parts, settings: Settings, *, own: bool) -> None:
    """Predict where a threshold was given, or there is no prediction; `own`: the file has its own predictions."""
    if parts.task == "binary" and parts.y_score is not None and (not own or settings.threshold is not None):
        if settings.threshold is None and parts.scale == "score":
            parts.has_predictions = False
            return
        default = default_threshold(parts.scale)
        parts.threshold = default if settings.threshold is None else _on_scale(parts, settings.threshold)
        parts.y_pred = predict_at_threshold(parts.y_score[:, 0], parts.threshold, parts.positive or 0)
        return
    if settings.threshold is not None:
        raise no_threshold_error(parts.task, parts.y_score is not None)
    if not own and parts.y_score is not None:
        codes = np.array([*parts.score_codes, MISSING], dtype=np.int32)
        parts.y_pred = codes[argmax(parts.y_score)]
        parts.notes.append("Each row is predicted as the class with the highest score (the first one on a tie).")
        if parts.scale == "score":
            parts.warnings.append(
                "Predictions compare the scores of the classes, which are on a scale of their own. Check that all "
                "classes share it, or add a column of predictions."
            )
    elif not own:
        raise DataError("There is no prediction: choose a column of predictions, of raw answers, or a score per class.")


def _on_scale(parts: Parts, threshold: float) -> float:
    per_cent = any("divided by 100" in text for text in (*parts.notes, *parts.warnings))
    return threshold / 100 if per_cent and threshold > 1 else threshold


def predict_at_threshold(score: np.ndarray, threshold: float, positive: int) -> np.ndarray:
    """Predict a binary task, int32 (n,): `positive` where score >= threshold, MISSING without a score."""
    codes = np.where(score >= threshold, np.int32(positive), np.int32(1 - positive))
    codes[np.isnan(score)] = MISSING
    return codes


def no_threshold_error(task: str, has_scores: bool) -> DataError:
    """Return the error for a threshold where there is nothing that it could cut."""
    if not has_scores:
        return DataError(
            "A threshold needs scores, and none were found: name the score column, or leave the threshold out."
        )
    return DataError(
        f"A threshold makes predictions in a binary or a multi-label task; this one is {task}, "
        "predicted by the highest score."
    )
