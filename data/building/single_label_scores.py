"""Read the scores of a single-label task into its parts, and predict from them where the file has no predictions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.building.encoded_parts import Parts, are_class_numbers, merge_scores, no_threshold_error
from data.columns.column import Column, Distinct, sums_to
from data.columns.counted_metadata import read_counted
from data.columns.score_scale import (
    argmax,
    check_probabilities,
    read_scores,
    warn_of_missing_scores,
    warn_of_number_formats,
)
from data.errors import DataError
from data.evaluation import MISSING, Settings, default_threshold
from data.labels.encode import LabelSpace
from data.labels.positive_class import choose_positive
from text.numbers import count
from text.quoting import list_briefly, list_items, quote

OWN_SCALE = (
    "Predictions compare the scores of the classes, which are on a scale of their own. Check that all classes share "
    "it, or add a column of predictions."
)
NO_SUM = (
    "The scores of the two classes do not add up to 1 in every row. They are used as scores on a scale of their own: "
    "they rank rows, and log loss is undefined."
)
SUM_TOLERANCE = 0.01 + 1e-9
"""Two probabilities of a row may miss a sum of 1 by this much, which rounding does; log loss allows for as much."""


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
    parts.warnings += _warn_of_numbered_scores(settings, truth)
    codes = tuple(space.place[space.spelling["score columns"][label]] for _, label in settings.scores)
    if parts.task != "binary" and len(names) == 1:
        parts.notes.append(
            f"{quote(names[0])} is one score, but there are {count(parts.n_space, 'class')}: it is kept with the rows. "
            "No curves are drawn from it."
        )
        return
    matrix = read_scores(table, names)
    if settings.scale == "logit" and len(names) > 1:
        from scipy.special import softmax  # which only files of logits need

        matrix = softmax(matrix, axis=1)
        parts.notes.append(describe_softmax(len(names)))
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
        _compare_two(parts)
        _keep_positive(parts, settings)


def _warn_of_numbered_scores(settings: Settings, truth: Distinct) -> list[str]:
    """Warn where scores are of classes numbered from 0 and the true labels begin at 1, or the other way round."""
    labels = [label for _, label in settings.scores]
    if len(labels) < 2 or not are_class_numbers((*labels, *truth.values)):
        return []
    scored, true = sorted(map(int, labels)), sorted(map(int, truth.values))
    shift = true[0] - scored[0]
    if {true[0], scored[0]} != {0, 1} or true[-1] - scored[-1] != shift:
        return []
    return [
        f"The score columns number classes from {scored[0]}, {quote(settings.truth)} from {true[0]}. Number both alike "
        "if they mean the same."
    ]


def describe_softmax(n: int) -> str:
    """Say that scores are the softmax of logits."""
    return f"Softmax made probabilities of the {count(n, 'logit column')}."


def _derive_positive_score(parts: Parts, confidence: np.ndarray, name: str) -> tuple[np.ndarray, tuple[int, ...]]:
    """Derive the score of the positive class from that of the predicted one; NaN where neither was predicted."""
    assert parts.positive is not None
    pred = parts.y_pred.reshape(-1, 1)
    inside = (pred >= 0) & (pred < parts.n_space)
    score = np.where(inside, np.where(pred == parts.positive, confidence, 1 - confidence), np.nan)
    positive = quote(parts.labels[parts.positive])
    parts.notes.append(
        f"{quote(name)} is the score of whichever label was predicted. The score of {positive} is that score where "
        f"{positive} was predicted, and 1 minus that score elsewhere."
    )
    return np.asfortranarray(score), (parts.positive,)


def _note_sums(parts: Parts, table: pa.Table, names: list[str], percent: bool) -> None:
    columns = [Column(table, name) for name in names]
    if len(names) > 1 and parts.task != "binary" and not sums_to(columns, 100 if percent else 1):
        parts.notes.append("The scores of the classes do not add up to 1 in every row: they are used as they are.")


def _refuse_merged(parts: Parts, codes: tuple[int, ...], names: list[str]) -> None:
    """Refuse to add up the scores of merged labels where these are no probabilities."""
    twice = [name for code, name in zip(codes, names, strict=True) if codes.count(code) > 1]
    if parts.scale == "score" and twice:
        raise DataError(
            f"The score columns {list_items(twice)} are of labels that you merged. On a scale of their own scores "
            "cannot be added up. Take the merge back, or leave all but one of these columns out."
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


def _compare_two(parts: Parts) -> None:
    """Find the class with the higher of two scores, where one does not follow from the other: they do not add up to 1.

    Such scores rank rows, as those on a scale of their own do: no threshold and no probability follows from one alone.
    """
    assert parts.y_score is not None
    if len(parts.score_codes) < 2:
        return
    known = parts.y_score[~np.isnan(parts.y_score).any(axis=1)]
    if parts.scale == "probability" and (np.abs(known.sum(axis=1) - 1) <= SUM_TOLERANCE).all():
        return
    parts.highest = _find_highest(parts)
    if parts.scale == "probability":
        parts.scale = "score"
        parts.notes.append(NO_SUM)


def _keep_positive(parts: Parts, settings: Settings) -> None:
    """Keep the score of the positive class alone, in a binary task."""
    assert parts.y_score is not None and parts.positive is not None
    codes = list(parts.score_codes)
    if parts.positive in codes:
        score = parts.y_score[:, codes.index(parts.positive)]
    else:
        turned = parts.scale in ("logit", "score")
        score = -parts.y_score[:, 0] if turned else 1 - parts.y_score[:, 0]
        other, positive = (quote(parts.labels[code]) for code in (codes[0], parts.positive))
        sign = "minus that score" if turned else "1 minus that score"
        parts.notes.append(
            f"{quote(settings.scores[0][0])} is the score of {other}: the score of {positive} is {sign}."
        )
    parts.y_score, parts.score_codes = np.asfortranarray(score.reshape(-1, 1)), (parts.positive,)


def predict_from_scores(parts: Parts, settings: Settings, *, is_predicted: bool) -> None:
    """Predict where a threshold was given, or there is no prediction; `is_predicted`: the file has its own."""
    if parts.task == "binary" and parts.y_score is not None and (not is_predicted or settings.threshold is not None):
        if settings.threshold is None and parts.highest is not None:
            _predict_highest(parts, parts.highest)
            return
        if settings.threshold is None and parts.scale == "score":
            parts.has_predictions = False
            return
        default = default_threshold(parts.scale)
        parts.threshold = default if settings.threshold is None else _on_scale(parts, settings.threshold)
        parts.y_pred = predict_at_threshold(parts.y_score[:, 0], parts.threshold, parts.positive or 0)
        return
    if settings.threshold is not None:
        raise no_threshold_error(parts.task, parts.y_score is not None)
    if not is_predicted and parts.y_score is not None:
        _predict_highest(parts, _find_highest(parts))
    elif not is_predicted:
        raise DataError("There is no prediction: choose a column of predictions, of raw answers, or a score per class.")


def _find_highest(parts: Parts) -> np.ndarray:
    """Return the class with the highest score in every row, int32 (n,); MISSING without scores."""
    assert parts.y_score is not None
    # argmax gives -1, the place of MISSING, to a row that lacks a score
    codes = np.array([*parts.score_codes, MISSING], dtype=np.int32)
    return np.asarray(codes[argmax(parts.y_score)])


def _predict_highest(parts: Parts, highest: np.ndarray) -> None:
    """Predict the class with the highest score; warn where the classes may not share a scale."""
    parts.y_pred = highest
    parts.notes.append("Each row is predicted as the class with the highest score (the first one on a tie).")
    if parts.scale == "score" and NO_SUM not in parts.notes:
        parts.warnings.append(OWN_SCALE)


def _on_scale(parts: Parts, threshold: float) -> float:
    per_cent = any("divided by 100" in text for text in (*parts.notes, *parts.warnings))
    return threshold / 100 if per_cent and threshold > 1 else threshold


def predict_at_threshold(score: np.ndarray, threshold: float, positive: int) -> np.ndarray:
    """Predict a binary task, int32 (n,): `positive` where score >= threshold, MISSING without a score."""
    codes = np.where(score >= threshold, np.int32(positive), np.int32(1 - positive))
    codes[np.isnan(score)] = MISSING
    return codes
