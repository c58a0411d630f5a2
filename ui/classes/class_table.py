"""The table of classes: an own component, because a built-in one cannot say why a cell is undefined."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from charts.short_names import cut_apart
from data.evaluation import Evaluation
from text.numbers import number
from text.visible import HOVER_LIMIT, show
from ui.classes.class_numbers import class_numbers
from ui.text.component import component

_table = component(__file__, "class_table", '<div class="classes"></div>')
_RATES = ("f1", "precision", "recall")
_WHOLE = 2000


def class_table(
    evaluation: Evaluation, codes: np.ndarray, *, opened: int | None, key: str, on_open: Callable[[int], None]
) -> None:
    """Draw the classes in the given order; `on_open` is called with the code of the one that was clicked."""

    def clicked() -> None:
        code = st.session_state[key]["opened"]
        if isinstance(code, (int, float)) and not isinstance(code, bool) and code in codes:
            on_open(int(code))

    data = payload(evaluation, codes) | {"open": -1 if opened is None else opened}
    _table(data=data, key=key, on_opened_change=clicked)


def payload(evaluation: Evaluation, codes: np.ndarray) -> dict[str, Any]:
    """Return what the table is given: [code, name, [text, value or None, why undefined] of each rate, rows, rows]."""
    numbers = class_numbers(evaluation)
    names = cut_apart([show(evaluation.labels[code], _WHOLE) for code in codes.tolist()], HOVER_LIMIT)
    rows = []
    for code, name in zip(codes.tolist(), names, strict=True):
        rates: list[list[Any]] = []
        for rate in _RATES:
            value, why = float(getattr(numbers, rate)[code]), numbers.why_undefined(code, rate)
            rates.append([number(value), None if why else value, why])
        rows.append([code, name, *rates, int(numbers.support[code]), int(numbers.predicted[code])])
    noun = "Label" if evaluation.task == "multilabel" else "Class"
    digest = hashlib.blake2b(json.dumps([noun, rows]).encode(), digest_size=8).hexdigest()
    return {"noun": noun, "rows": rows, "id": digest}
