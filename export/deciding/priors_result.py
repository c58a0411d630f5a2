"""Correct probabilities of several classes for other shares of these, and say what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from data.columns.weight_columns import count_units
from data.evaluation import MISSING, Evaluation
from export.deciding.probabilities import class_probabilities, describe_distrust
from export.interval_text import interval_cell
from export.measurement import Measurement
from export.result.kinds import Cell, Column, Label, Number, Result, Share, Table, Words
from metrics.catalogue.registry import metric_of
from metrics.intervals.statistic import Interval
from metrics.thresholds.deployed.priors import estimate_priors, shift_priors
from text.intervals import name_interval, write_two_values
from text.quoting import list_items

_TITLE: Words = ("Other shares of classes",)
_SHOWN = ("accuracy", "macro_f1", "log_loss")


class _Place(NamedTuple):
    """Hold where the classes have other shares.

    here, in_training, in_use : float64 (K,), shares of the rows, those that the probabilities take for granted, and
    those where the model runs. n_estimated : rows that these were estimated from; 0 = they were given.
    is_settled : whether the estimate came to rest. is_of_rows : whether those in use are the rows of the file.
    """

    here: np.ndarray
    in_training: np.ndarray
    in_use: np.ndarray
    n_estimated: int = 0
    is_settled: bool = True
    is_of_rows: bool = False


class _Way(NamedTuple):
    """Hold the numbers of one way to predict in use, and the share of the rows that it predicts as each class."""

    numbers: Mapping[str, Interval]
    predicted: np.ndarray


def priors_result(measured: Measurement, in_use: np.ndarray | None, in_training: np.ndarray | None = None) -> Result:
    """Return accuracy, macro F1 and log loss where classes have other shares, as scored and corrected.

    in_use : float64 (K,); None = estimated from the probabilities of rows without a true label, else of all rows.
    in_training : shares that the probabilities take for granted; None = those of the rows.
    """
    e, probabilities = measured.evaluation, class_probabilities(measured.evaluation)
    if isinstance(probabilities, str) or e.n_space < 3:
        why = probabilities if isinstance(probabilities, str) else "two classes have a prevalence instead"
        return _say_nothing(f"Other shares need probabilities of three classes or more: {why}.")
    place = _find_place(e, probabilities, in_use, in_training)
    unknown = np.flatnonzero((place.in_use > 0) & ((place.here == 0) | (place.in_training == 0)))
    if len(unknown):
        names = list_items([measured.names[e.labels[code]] for code in unknown.tolist()])
        return _say_nothing(
            f"Some classes have a share in use, but none in training or no rows here: {names}. Nothing is known of "
            "them."
        )
    scored = _predict(measured, place, probabilities)
    corrected = _predict(measured, place, shift_priors(probabilities, place.in_training, place.in_use))
    return Result(
        "priors",
        _TITLE,
        _sentences(measured, place, scored, corrected),
        [_numbers_table(measured, scored, corrected), _classes_table(measured, place, scored, corrected)],
        _notes(place),
        {"priors": _to_json(measured, place, scored, corrected)},
    )


def _say_nothing(why: str) -> Result:
    return Result("priors", _TITLE, [(why,)], [], [], {})


def _find_place(
    e: Evaluation, probabilities: np.ndarray, in_use: np.ndarray | None, in_training: np.ndarray | None
) -> _Place:
    """Return the shares of classes in training and in use; those that are not given are counted, or estimated."""
    known, has_scores = (e.y_true >= 0) & (e.y_true < e.n_space), e.has_weight & ~np.isnan(probabilities).any(axis=1)
    weights = _weigh(e)
    rows = np.bincount(e.y_true[known], weights[known], e.n_space)
    here = rows / max(rows.sum(), 1e-300)
    in_training = here if in_training is None else in_training
    if in_use is not None:
        return _Place(here, in_training, in_use)
    is_open = has_scores & (e.y_true == MISSING)
    chosen = is_open if is_open.any() else has_scores
    estimate = estimate_priors(probabilities[chosen], weights[chosen], in_training)
    n = int(e.rows_per_line[chosen].sum())
    return _Place(here, in_training, estimate.shares, n, estimate.is_settled, not is_open.any())


def _weigh(e: Evaluation) -> np.ndarray:
    return e.rows_per_line.astype(np.float64) if e.units is None else e.units * e.unit


def _predict(measured: Measurement, place: _Place, probabilities: np.ndarray) -> _Way:
    """Predict the most probable class, and measure it on rows that are weighted to the shares in use."""
    e, known = measured.evaluation, ~np.isnan(probabilities).any(axis=1)
    scored = e.has_weight & known & (e.y_true >= 0) & (e.y_true < e.n_space)
    weights = np.where(scored, _weigh(e), 0.0)
    if not place.is_of_rows:
        ratio = np.divide(place.in_use, place.here, out=np.zeros(e.n_space), where=place.here > 0)
        weights[scored] *= ratio[e.y_true[scored]]
    units, unit = count_units(weights, np.ones(len(weights), np.int64))
    pred = np.where(known, np.nan_to_num(probabilities).argmax(axis=1), MISSING).astype(e.y_pred.dtype)
    weighted = replace(
        e, y_pred=pred, y_score=np.asfortranarray(probabilities), score_codes=tuple(range(e.n_space)),
        scale="probability", scored=scored & (units > 0), units=units, unit=unit, answers=None, has_predictions=True,
    )  # fmt: skip
    numbers = Measurement(weighted, measured.level, lambda _: measured.clusters)  # pages keep counts by the file alone
    rows = np.bincount(pred[weighted.scored], weights[weighted.scored], e.n_space)
    return _Way({key: numbers.number(key) for key in _SHOWN}, rows / rows.sum())


def _sentences(measured: Measurement, place: _Place, scored: _Way, corrected: _Way) -> list[Words]:
    values = write_two_values(*(way.numbers["accuracy"].value for way in (corrected, scored)), share=True)
    sentences: list[Words] = [
        (f"Corrected for the shares in use, {values[0]} of the rows are right; as scored, {values[1]}.",)
    ]
    if place.n_estimated:
        which = "all rows here" if place.is_of_rows else "rows without a true label"
        sentences.append((f"The shares are estimated from the probabilities of {which}: {place.n_estimated:,}.",))
    if not place.is_settled:
        sentences.append(("The estimate of the shares did not converge.",))
    if distrust := describe_distrust(measured):
        sentences.append((f"Do not trust the correction. {distrust}.",))
    return sentences


def _notes(place: _Place) -> list[Words]:
    notes = () if place.is_of_rows else (("Rows are weighted to the shares in use, which count as known.",),)
    return [("Only the shares change: within a class, rows in use are like those here.",), *notes]


def _numbers_table(measured: Measurement, scored: _Way, corrected: _Way) -> Table:
    ends = name_interval(measured.level)
    columns = (Column("metric", str), Column("as scored", Number, ends), Column("corrected", Number, ends))
    heads = {key: metric_of(measured.evaluation.task, key).head for key in _SHOWN}
    rows = [
        (head, interval_cell(scored.numbers[key]), interval_cell(corrected.numbers[key])) for key, head in heads.items()
    ]
    return Table("priors-numbers", "Numbers in use", columns, rows, "number", in_order=True)


def _classes_table(measured: Measurement, place: _Place, scored: _Way, corrected: _Way) -> Table:
    columns = (
        Column("class", Label), Column("share in training", Share), Column("share in use", Share),
        Column("predicted, as scored", Share), Column("predicted, corrected", Share),
    )  # fmt: skip
    shares = (place.in_training, place.in_use, scored.predicted, corrected.predicted)
    lines = np.stack(shares, axis=1).tolist()
    rows: list[list[Cell]] = [
        [Label(measured.names[label]), *(Share(share) for share in line)]
        for label, line in zip(measured.evaluation.labels, lines, strict=False)
    ]
    return Table("priors-classes", "Shares of the classes", columns, rows, "class")


def _to_json(measured: Measurement, place: _Place, scored: _Way, corrected: _Way) -> dict[str, Any]:
    labels = measured.evaluation.labels[: len(place.in_use)]
    return {
        "in_training": dict(zip(labels, place.in_training.tolist(), strict=True)),
        "in_use": dict(zip(labels, place.in_use.tolist(), strict=True)),
        "estimated_from": place.n_estimated,
        "is_settled": place.is_settled,
        "is_calibrated": not describe_distrust(measured),
        "as_scored": {key: of.with_value() for key, of in scored.numbers.items()},
        "corrected": {key: of.with_value() for key, of in corrected.numbers.items()},
    }
