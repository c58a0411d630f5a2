"""What a person corrects on screen: other columns, another positive class, scale or label space."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from data.columns.column import distinct
from data.columns.column_names import readings
from data.columns.run_columns import only_rows
from data.evaluation import Settings
from data.roles.detect import detect
from data.roles.search import Given, Pairs
from data.runs.written_options import label_set_from_text

_PLAIN = ("truth", "pred", "raw", "positive", "scale", "parser", "only", "merge", "counts")


def corrected_settings(table: pa.Table, settings: Settings, given: Mapping[str, Any]) -> Settings:
    """The settings with corrections applied; what follows from a changed column or positive class is found again."""
    space = given.get("space", settings.label_space if settings.label_set is None else "set")
    label_set = _given_label_set(settings, given) if space == "set" else None
    columns = tuple(given.get("score_columns", [column for column, _ in settings.scores]))
    wanted = dataclasses.replace(
        settings,
        **{name: given[name] for name in _PLAIN if name in given},
        scores=_labelled(columns, settings.scores, [label for _, label in settings.truth_columns]),
        label_set=label_set,
    )
    if _needs_detection(settings, wanted):
        found = _found_again(table, settings, wanted)
        kept = {name: getattr(wanted, name) for name in ("parser", "only", "merge", "counts")}
        corrected = dataclasses.replace(found, **kept)
    elif settings.encoding == "multi_hot":
        corrected = _with_blocks(wanted, given)
    else:
        corrected = wanted
    return dataclasses.replace(corrected, label_space="truth" if space == "truth" else "seen", threshold=None)


def _given_label_set(settings: Settings, given: Mapping[str, Any]) -> tuple[str, ...]:
    kept = settings.label_set if "label_set" not in given else None
    return kept or label_set_from_text(given.get("label_set", ""))


def _needs_detection(settings: Settings, wanted: Settings) -> bool:
    """Whether a column moved, or the labels that decide what the task is and what a score is of."""
    more = ["scores", "positive", "label_set"] if settings.encoding != "multi_hot" else []
    names = ["truth", "pred", "raw", "counts", *more]
    return any(getattr(settings, name) != getattr(wanted, name) for name in names)


def _found_again(table: pa.Table, settings: Settings, wanted: Settings) -> Settings:
    """What detection makes of the columns that were chosen."""
    columns = [column for column, _ in wanted.scores]
    chosen = wanted.positive != settings.positive
    # a positive class that nobody chose for these labels is no longer one
    positive = wanted.positive if chosen or wanted.positive in _labels(table, wanted) else None
    same = wanted.scores == settings.scores and wanted.truth == settings.truth and len(columns) > 1
    asked = Given(
        wanted.truth,
        wanted.pred,
        wanted.raw,
        score=columns[0] if len(columns) == 1 else None,
        scores=wanted.scores if same else columns if len(columns) > 1 else (),
        positive=positive,
        count_lines=wanted.counts is not None,
    )
    rows, _ = only_rows(table, wanted.only)
    found = detect(rows, label_set=wanted.label_set, given=asked, ask=False).settings
    # detection fills what was left open; a column that the person set to "none" stays out
    if found.encoding != "multi_hot":
        found = dataclasses.replace(found, truth=wanted.truth, pred=wanted.pred, raw=wanted.raw)
    # scores that were found, or said, to be no probabilities stay so while their columns are the same
    same_columns = columns == [column for column, _ in settings.scores]
    as_before = same_columns and wanted.scale in ("logit", "score")
    as_before = as_before or (wanted.scale == "confidence" and wanted.scores == settings.scores)
    scale = wanted.scale if wanted.scale != settings.scale or as_before else found.scale
    return dataclasses.replace(found, scores=found.scores if columns else (), scale=scale)


def _labels(table: pa.Table, settings: Settings) -> tuple[str, ...]:
    """The labels that there are in any case: those of the list, or of the truth."""
    if settings.label_set is not None or settings.truth not in table.column_names:
        return settings.label_set or ()
    return distinct(table.column(settings.truth)).values


def _with_blocks(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Multi-hot settings with the 0/1 columns that were chosen."""
    labels = [label for _, label in settings.truth_columns]
    blocks: dict[str, Any] = {
        name: _labelled(given[name], getattr(settings, name), labels)
        for name in ("truth_columns", "pred_columns")
        if name in given
    }
    return dataclasses.replace(settings, **blocks)


def _labelled(columns: Sequence[str], before: Pairs, labels: Sequence[str]) -> Pairs:
    """(column, label) pairs: the label as before, or else the known one in the column's name, or what is named there.

    >>> _labelled(["p_a", "true_b"], [("p_a", "a")], ["a", "b"])
    (('p_a', 'a'), ('true_b', 'b'))
    """
    known = dict(before)
    stems = {column: [reading.stem for reading in readings(column)] for column in columns}
    named = {column: next((stem for stem in found if stem in labels), found[0]) for column, found in stems.items()}
    return tuple((column, known.get(column, named[column])) for column in columns)
