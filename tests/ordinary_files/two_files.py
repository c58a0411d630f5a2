"""Draw predictions and labels in two files that share an id, or the order of their rows, and ordinary columns."""

import dataclasses
import random
from collections.abc import Callable

from tests.ordinary_files import words
from tests.ordinary_files.drawn import Columns, Reading, Sheet

Part = tuple[Sheet, Reading]
_ONE_NAME = ("label", "class", "category", "answer", "y", "target", "sentiment", "labels")
"""Names that both files may have for what they hold."""
_OF_PREDICTIONS = ("prediction", "score", "confidence")


def split_files(
    random: random.Random, draw: Callable[[random.Random], Part]
) -> tuple[Sheet, Columns, Columns, Reading]:
    """Draw a file and split it in two; return the sheet, the predictions, the labels, and the reading."""
    sheet, reading = draw(random)
    columns = sheet.columns(shuffled=random.random() < 0.4)
    n = len(reading.truth)
    key = next((name for name in columns if name in words.IDS), None)
    by_order = key is None and random.random() < 0.4
    if key is None and not by_order:
        key = "id"
        columns = {key: [f"r{row}" for row in range(n)], **columns}
    of_labels = list(reading.roles["truth"])
    of_predictions = [name for role in _OF_PREDICTIONS for name in reading.roles.get(role, ())]
    others = [name for name in columns if name not in (key, *of_labels, *of_predictions)]
    sides = {name: _draw_side(random, name) for name in others}
    sheet.traits += [f"{side} {name}" for name, side in sides.items() if side == "shared"]
    sheet.traits += ["joined by row order" if by_order else f"joined on {key}"]
    predictions = {
        n: c for n, c in columns.items() if n == key or n in of_predictions or sides.get(n) in ("predictions", "shared")
    }
    labels = {n: c for n, c in columns.items() if n == key or n in of_labels or sides.get(n) in ("labels", "shared")}
    predictions, labels, reading = _rename(sheet, predictions, labels, reading, key)
    return sheet, predictions, _deal_rows(random, labels, by_order), reading


def _draw_side(random: random.Random, name: str) -> str:
    """Draw which file an ordinary column is in; what judges predictions stands with them."""
    if name in words.OLD_MODELS or name in words.VERDICTS or name in words.CONFIDENCES:
        return "predictions"
    if name in words.PEOPLE:
        return "labels"
    return random.choice(("shared", "shared", "predictions", "labels"))


def _rename(
    sheet: Sheet, predictions: Columns, labels: Columns, reading: Reading, key: str | None
) -> tuple[Columns, Columns, Reading]:
    """Give truth and prediction one name in some files, and the id two names in others."""
    [truth], pred = reading.roles["truth"], reading.roles.get("prediction", ())
    if len(pred) == 1 and sheet.random.random() < 0.2:
        name = sheet.random.choice(_ONE_NAME)
        if name not in {*predictions, *labels} - {truth, pred[0]}:
            sheet.traits.append(f"both files say {name}")
            predictions = {name if n == pred[0] else n: cells for n, cells in predictions.items()}
            labels = {name if n == truth else n: cells for n, cells in labels.items()}
            roles = {**reading.roles, "truth": [name + " (labels)"], "prediction": [name + " (predictions)"]}
            reading = dataclasses.replace(reading, roles=roles)
    if key is not None and sheet.random.random() < 0.1:
        sheet.traits.append("two names of the id")
        other = "id" if " " in key else f"{key}_id"
        labels = {other if n == key else n: cells for n, cells in labels.items()}
    return predictions, labels, reading


def _deal_rows(random: random.Random, labels: Columns, by_order: bool) -> Columns:
    """Return the labels in an order of their own, unless the order joins the files."""
    n = len(next(iter(labels.values())))
    order = list(range(n))
    if not by_order and random.random() < 0.5:
        random.shuffle(order)
    return {name: [cells[row] for row in order] for name, cells in labels.items()}
