"""One label a row: truth, predictions and scores of a table as codes and an array."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from data.columns import Column, Distinct, distinct
from data.encode import LabelSpace, check_labels, label_space, look, outside_warning
from data.evaluation import MISSING, UNPARSEABLE, DataError, Scale, Settings, Task
from data.join import marks
from data.parsing import EMPTY, NO_LABEL, OUTSIDE, ParsedAnswers, parse_answers
from data.positive import choose_positive
from data.scores import argmax, as_written, probabilities, score_matrix, softmax, sums_to, without_score
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
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def single_label(table: pa.Table, settings: Settings) -> Parts:
    """Encode a single-label task: binary if the label space has exactly two labels, else multi-class."""
    assert settings.truth is not None
    truth = distinct(table.column(settings.truth))
    check_labels(truth, settings.truth)
    pred, failed = _predictions(table, settings, truth)
    space = _space(settings, truth, pred)
    _check_overlap(settings, truth, pred, space)
    parts = Parts(
        "binary" if space.n_space == 2 else "multiclass", space.labels, space.n_space, space.codes(truth, "truth"),
        np.full(len(table), MISSING, dtype=np.int32), np.zeros(0, bool), np.zeros(0, bool),
        notes=[note for note in space.notes if note not in space.merged("predictions")],
        warnings=[*space.merged("predictions"), *space.warnings, *outside_warning(space, truth, "truth", "truth")],
    )  # fmt: skip
    if pred is not None:
        parts.y_pred = np.where(failed, np.int32(UNPARSEABLE), space.codes(pred, "predictions"))
        parts.warnings += outside_warning(space, pred, "predictions", "predictions")
        _say_failed(parts, failed)
    elif settings.raw is not None:
        _parse(parts, table, settings.raw)
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
    check_labels(cells, settings.pred)
    known = {*truth.values, *(settings.label_set or ())}
    failed = [code for code, value in enumerate(cells.values) if value in FAILED and value not in known]
    if not failed:
        return cells, none
    kept = [value for code, value in enumerate(cells.values) if code not in failed]
    place = {value: code for code, value in enumerate(kept)}
    lookup = np.array([*(place.get(value, MISSING) for value in cells.values), MISSING], dtype=np.int32)
    return Distinct(tuple(kept), lookup[cells.codes]), np.isin(cells.codes, failed)


def _say_failed(parts: Parts, failed: np.ndarray) -> None:
    n = int(failed.sum())
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
    space = label_space(words, space=seen if everything else ["truth"], label_set=settings.label_set)
    if settings.positive is not None and space.code(settings.positive, "positive class") not in range(space.n_space):
        inside = space.labels[: space.n_space]
        raise DataError(
            f"The positive class {quoted(settings.positive)} is none of {briefly(inside)}: choose one of them."
        )
    if not truth.values:
        raise DataError(f"Column {quoted(settings.truth)} is empty: choose the column that holds the true labels.")
    return space


def _check_overlap(settings: Settings, truth: Distinct, pred: Distinct | None, space: LabelSpace) -> None:
    """Refuse a truth and a prediction (or a label set) that have no label in common."""
    true = {space.spelling["truth"][value] for value in truth.values}
    inside = set(space.labels[: space.n_space])
    if settings.label_set is not None and not true & inside:
        raise DataError(
            f"No true label in {quoted(settings.truth)} ({briefly(truth.values)}) is in the label set "
            f"({briefly(settings.label_set)}): give the label set that belongs to this file."
        )
    if pred is None or not pred.values:
        return
    predicted = {space.spelling["predictions"][value] for value in pred.values}
    if not predicted & (true | inside if settings.label_set is not None else true):
        what = "choose other columns, or write the same labels in both"
        if {look(value) for value in predicted} & {look(value) for value in true}:
            what = "they differ only in how they are written (case, spaces, zeros in front): write them alike in both"
        raise DataError(
            f"No label predicted in {quoted(settings.pred)} ({briefly(pred.values)}) occurs among the true labels of "
            f"{quoted(settings.truth)} ({briefly(truth.values)}): {what}."
        )


# -- raw answers ------------------------------------------------------------------------------------


def _parse(parts: Parts, table: pa.Table, raw: str) -> None:
    """Read the raw answers into `parts.y_pred`; made-up labels go behind the labels."""
    answers = distinct(table.column(raw), keep_blank=True)
    inside = parts.labels[: parts.n_space]
    parsed = parse_answers(answers.values, inside, rows=answers.counts.tolist())
    beyond = [label for label in parsed.outside if label not in parts.labels]
    labels = (*parts.labels, *sorted(beyond))
    place = {label: code for code, label in enumerate(labels)}
    target = np.array([*range(parts.n_space), *(place[label] for label in parsed.outside)], dtype=np.int32)
    codes = np.where(parsed.codes >= 0, target[parsed.codes], parsed.codes)
    parts.labels = labels
    parts.y_pred = np.append(codes, UNPARSEABLE).astype(np.int32)[answers.codes]
    _, no_prediction = marks(table)
    if no_prediction is not None:
        parts.y_pred[no_prediction] = MISSING
    _say_parsed(parts, answers, parsed, raw)


def _say_parsed(parts: Parts, answers: Distinct, parsed: ParsedAnswers, raw: str) -> None:
    n_null = int((parts.y_pred[answers.codes == MISSING] == UNPARSEABLE).sum())
    outcomes = ", ".join(f"{name} {rows:,}" for name, rows in parsed.counts.items())
    parts.notes.append(f"Answers in {quoted(raw)} by how a label was read, in rows: {outcomes or 'none'}.")
    if n_null:
        parts.notes.append(f"{counted(n_null, 'empty answer')} (null) in {quoted(raw)}: counted as unparseable.")
    if parsed.outside:
        parts.warnings.append(
            f"Answers that read as labels but are none: {listed(parsed.outside)}; counted as outside the label space."
        )
    if not set(parsed.counts) - {EMPTY, NO_LABEL, OUTSIDE}:
        if parsed.counts.get(OUTSIDE, 0) > parsed.counts.get(NO_LABEL, 0):
            raise DataError(
                f"No label predicted in {quoted(raw)} ({briefly(parsed.outside)}) occurs among the labels "
                f"({briefly(parts.labels[: parts.n_space])}): choose another column, or give the label set."
            )
        example = next((value for value in answers.values if value.strip()), "")
        parts.warnings.append(f"No label could be read from any answer in {quoted(raw)}, such as {quoted(example)}.")


# -- scores -----------------------------------------------------------------------------------------


def _add_scores(parts: Parts, table: pa.Table, settings: Settings, space: LabelSpace, truth: Distinct) -> None:
    names = [name for name, _ in settings.scores]
    if parts.task == "binary":
        parts.positive = _positive(settings, space, truth)
    if not names:
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
    parts.warnings += as_written(Column(table, name) for name in names) + without_score(matrix)
    parts.y_score, parts.score_codes = matrix, codes
    if parts.task == "binary":
        _keep_positive(parts, settings)


def _note_sums(parts: Parts, table: pa.Table, names: list[str], percent: bool) -> None:
    columns = [Column(table, name) for name in names]
    if len(names) > 1 and not sums_to(columns, 100 if percent else 1):
        parts.notes.append("The scores of the classes do not add up to 1 in every row: they are used as they are.")


def _positive(settings: Settings, space: LabelSpace, truth: Distinct) -> int:
    if settings.positive is not None:
        code = space.code(settings.positive, "positive class")
    elif len(settings.scores) == 1:
        code = space.code(settings.scores[0][1], "score columns")
    else:
        rows = {space.spelling["truth"][v]: int(n) for v, n in zip(truth.values, truth.counts, strict=True)}
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
