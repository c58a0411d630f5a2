"""The table of classes: an own component, because a built-in one cannot say why a cell is undefined."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from data.evaluation import Evaluation
from export.interval_text import describe, name_level, value_of
from metrics.intervals.statistic import Interval
from text.visible import HOVER_LIMIT, show
from ui.text.component import component, sent_by
from ui.view import measurement
from ui.view.cache import class_names, counts_of_classes, kept, label_names

_table = component(__file__, "class_table", '<div class="table classes"></div>', tables=True)
_RATES = ("f1", "precision", "recall")


def class_table(
    evaluation: Evaluation, codes: np.ndarray, *, opened: int | None, key: str, on_open: Callable[[int], None]
) -> None:
    """Draw the classes in the given order; `on_open` is called with the code of the one that was clicked."""

    def clicked() -> None:
        code = sent_by(key, "opened")
        if isinstance(code, (int, float)) and not isinstance(code, bool) and code in codes:
            on_open(int(code))

    data = payload(evaluation, codes) | {"open": -1 if opened is None else opened}
    _table(data=data, key=key, on_opened_change=clicked)


def payload(evaluation: Evaluation, codes: np.ndarray) -> dict[str, Any]:
    """Return what the table is given: [code, name, the cell of each rate, true rows, predicted rows, whole name]
    of every class; no two names look the same.

    The cell of a rate: [text, value or None, low, high, what hovering says, whether the rows are too few to tell].
    """
    counts, cells = counts_of_classes(evaluation), _cells(evaluation, measurement.level())
    short, whole = label_names(evaluation), class_names(evaluation)
    rows = []
    for code in codes.tolist():
        counted = int(counts.support[code]), int(counts.predicted[code])
        rows.append([code, short[code], *cells[code], *counted, show(whole[code], HOVER_LIMIT)])
    noun = "Label" if evaluation.task == "multilabel" else "Class"
    digest = hashlib.blake2b(json.dumps([noun, rows]).encode(), digest_size=8).hexdigest()
    return {"noun": noun, "rows": rows, "id": digest, "level": name_level(measurement.level())}


@kept(32, "Computing the intervals of every class …")
def _cells(evaluation: Evaluation, level: float) -> list[list[list[Any]]]:
    """Return the cells of every class: writing the intervals of 1,000 takes longer than drawing the page's rest."""
    measured = measurement.measure(evaluation)
    return [[_cell(measured.number(rate, code)) for rate in _RATES] for code in range(len(evaluation.labels))]


def _cell(rate: Interval) -> list[Any]:
    why = rate.why_undefined
    bounds = [None, None, None] if why else [round(x, 6) for x in (rate.value, rate.low, rate.high)]
    return [value_of(rate), *bounds, why or describe(rate), rate.too_few and not why]
