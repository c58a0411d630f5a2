"""One row in full: truth and prediction, its highest scores, its text and every column.

It is an own component: uploaded text has to be shown exactly and never as markup, and a page that steps from row to
row must not flicker. All text is made visible here and reaches the page by `textContent`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from charts.theme import ACCENT, MODEL
from data.answers.parsing import outcome_title
from data.evaluation import Evaluation
from data.rows.row_scores import top_scores
from data.rows.row_table import RowDetails, read_row_details
from text.numbers import number
from text.visible import show
from ui.rows.rows_view import GONE, HEIGHT, NONE, draw_pictures, pictures_of, texts_of
from ui.text.component import component
from ui.view.panel import show_label

TOP = 5
"""Labels with the highest scores that are drawn."""
CHARACTERS = 100_000
"""Characters of a cell that are shown; the download holds all."""
COLUMNS = 300
"""Columns that are shown; the download holds all."""
LONG = 60
"""A cell with more characters, or more lines than one, stands under its name instead of beside it."""

_card = component(__file__, "row", '<div class="card" role="region" aria-label="The open row"></div>')
_SIGN = {True: "right", False: "wrong", None: "not scored"}
_FACTS = {
    "confidence": "The score of the predicted label",
    "margin": "Difference of the two highest scores. Small means a close decision",
    "nearest": "Smallest distance of a label's score to the threshold of all labels. If labels have their own "
    "thresholds: to 0.5 (logits: 0)",
    "loss": "−ln of the probability given to the truth, in nats: 0 is sure and right",
}


def row_card(
    evaluation: Evaluation,
    row: int,
    *,
    place: str,
    key: str,
    extra: Sequence[tuple[str, str]] = (),
    height: int = HEIGHT,
    fills: bool = False,
) -> None:
    """Draw the row at a position.

    place : which of how many rows it is. extra : further facts as (name, value). Both plain text.
    height : pixels at most; fills : as high as the window leaves room.
    """
    _card(data=payload(evaluation, row, place, extra) | {"height": height, "fills": fills}, key=key)


def payload(evaluation: Evaluation, row: int, place: str = "", extra: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """Return what the card shows: plain, visible text only."""
    details = read_row_details(evaluation, row)
    names = [name for name in details["columns"] if evaluation.answers is None or name != evaluation.answers.column]
    first = [name for part in texts_of(evaluation) if len(part) == 1 for name in part if name in names]
    names = [*first, *(name for name in names if name not in first)]
    pictures = pictures_of(evaluation)
    (picture,) = draw_pictures(evaluation, np.array([row]))
    names = [name for name in names if not (picture and pictures and name in pictures.columns)]
    fields = [_field(name, details["columns"][name]) for name in names[:COLUMNS]]
    scores = _scores(evaluation, row, details)
    unit = "Row" if evaluation.weights is None else "Line"
    facts = _facts(evaluation, details)
    facts += [{"name": name, "value": show(value, 200), "help": ""} for name, value in extra]
    return {
        "title": f"{unit} {details['row']:,}",
        "place": place,
        "picture": picture,
        "colours": {"right": MODEL, "wrong": ACCENT},
        "sides": _sides(evaluation, details),
        "sign": "unparseable" if _is_unparsed(evaluation, details) else _SIGN[details["right"]],
        "facts": facts,
        "scores": scores,
        "score_title": _score_title(len(scores), len(evaluation.score_codes)),
        "blocks": _answer(evaluation, details) + [field for field in fields if field["long"]],
        "fields": [field for field in fields if not field["long"]],
        "left_out": f"{COLUMNS:,} of {len(names):,} columns; the download holds all." if len(names) > COLUMNS else "",
    }


def _score_title(n_shown: int, n: int) -> str:
    if n <= TOP:
        return "Scores"
    return f"The {TOP} highest scores{', and those of the true and predicted label' if n_shown > TOP else ''}"


def _is_unparsed(evaluation: Evaluation, details: RowDetails) -> bool:
    return details["scored"] and evaluation.task != "multilabel" and not details["pred"]


def _sides(evaluation: Evaluation, details: RowDetails) -> list[dict[str, Any]]:
    """Return truth and prediction: each label, and whether the other side has it too."""
    sides = []
    for name, codes, others, text in (
        ("true", details["true"], details["pred"], details["truth"]),
        ("predicted", details["pred"], details["true"], details["predicted"]),
    ):
        labels = [{"text": show_label(evaluation, code, 200), "both": code in others} for code in codes]
        none = NONE if evaluation.task == "multilabel" else GONE if text is None else text
        sides.append({"name": name, "labels": labels, "none": "" if labels else none})
    return sides


def _facts(evaluation: Evaluation, details: RowDetails) -> list[dict[str, str]]:
    facts = []
    if details["rows"] is not None:
        facts.append({"name": "rows", "value": f"{details['rows']:,}", "help": "How many rows this line stands for"})
    margin = "nearest" if evaluation.task == "multilabel" else "margin"
    values = (("confidence", details["confidence"]), (margin, details["margin"]), ("loss", details["loss"]))
    return facts + [
        {"name": name.replace("nearest", "margin"), "value": number(value, 3), "help": _FACTS[name]}
        for name, value in values
        if value is not None
    ]


def _scores(evaluation: Evaluation, row: int, details: RowDetails) -> list[dict[str, Any]]:
    """Return the labels with the highest scores, as bars from 0 to 1, and which of them are true and predicted.

    A true or predicted label that is not among them follows.
    """
    ranked = top_scores(evaluation, row, len(evaluation.labels))
    named = {*details["true"], *details["pred"]}
    shown = [*ranked[:TOP], *(pair for pair in ranked[TOP:] if pair[0] in named)]
    return [
        {
            "label": show_label(evaluation, code),
            "value": number(score),
            "exact": f"{score:.6g}",
            "share": _share(evaluation, score),
            "truth": code in details["true"],
            "predicted": code in details["pred"],
        }
        for code, score in shown
    ]


def _share(evaluation: Evaluation, score: float) -> float:
    """Return the length of a score's bar, 0 to 1: the probability, or its place between the extremes."""
    if evaluation.scale == "logit":
        return 1 / (1 + math.exp(-max(-700.0, score)))
    if evaluation.scale == "probability" or evaluation.y_score is None:
        return min(1, max(0, score))
    low, high = float(np.nanmin(evaluation.y_score)), float(np.nanmax(evaluation.y_score))
    return (score - low) / (high - low) if high > low else 1.0


def _answer(evaluation: Evaluation, details: RowDetails) -> list[dict[str, Any]]:
    """Return the raw answer and how it was read."""
    if evaluation.answers is None:
        return []
    field = _field(evaluation.answers.column, details["answer"])
    return [
        field | {"name": f"raw answer ({field['name']})", "note": outcome_title(details["outcome"] or ""), "code": True}
    ]


def _field(name: str, cell: Any) -> dict[str, Any]:
    text = _text(cell)
    note = f"The first {CHARACTERS:,} of {len(text):,} characters." if len(text) > CHARACTERS else ""
    lines = text[:CHARACTERS].splitlines()
    shown = show(text, CHARACTERS)
    if len(lines) > 1:
        shown = "\n".join(show(line, None) if line else "" for line in lines)
    return {
        "name": show(name, 120),
        "text": GONE if cell is None else shown,
        "note": note,
        "code": not isinstance(cell, str),
        "long": len(shown) > LONG or "\n" in shown,
    }


def _text(cell: Any) -> str:
    if isinstance(cell, (list, dict)):
        return json.dumps(cell, ensure_ascii=False, default=str)
    return repr(cell) if isinstance(cell, float) else str(cell)
