"""Draw files in long form: one row per id and label, or per id and class with its score."""

import random

from tests.ordinary_files import rows, words
from tests.ordinary_files.drawn import Columns, Reading, Sheet
from tests.ordinary_files.label_sets import draw_label_sets
from tests.ordinary_files.single_label import draw_rows

_LABELS = ("label", "class", "tag", "category", "class_name")
_FLAGS = (("truth", "pred"), ("y_true", "y_pred"), ("actual", "predicted"), ("is_true", "prediction"))
_SCORES = ("score", "prob", "probability", "y_score", "confidence")
_TRUTHS = ("label", "y_true", "truth", "true_label", "gold", "class")


def draw_flag_lines(random: random.Random) -> tuple[Sheet, Reading]:
    """Draw a line for every id and label that says whether the label is true, and whether it is predicted."""
    sheet = Sheet(random)
    labels, truth, pred = draw_label_sets(sheet)
    (true_name, pred_name), label = random.choice(_FLAGS), random.choice(_LABELS)
    lines = [(row, name) for row in range(len(truth)) for name in labels]
    sheet.add(**{random.choice(words.IDS[:6]): [f"d{row}" for row, _ in lines]})
    sheet.add(**{label: [name for _, name in lines]})
    sheet.add(**{true_name: [int(name in truth[row]) for row, name in lines]})
    sheet.add(**{pred_name: [int(name in pred[row]) for row, name in lines]})
    roles = {"truth": [true_name], "prediction": [pred_name]}
    return sheet, Reading(tuple(truth), tuple(pred), roles=roles)


def draw_score_lines(random: random.Random) -> tuple[Sheet, Reading]:
    """Draw a line for every id and class with its score, and whether it is the true class."""
    sheet, reading, lines = _draw_lines(random)
    score, true_name = next(iter(reading.roles["score"])), random.choice([name for name, _ in _FLAGS])
    sheet.add_block(lines)
    ids, classes = list(lines.values())[:2]
    of_id = dict(zip(dict.fromkeys(ids), reading.truth, strict=True))
    sheet.add(**{true_name: [int(of_id[row] == name) for row, name in zip(ids, classes, strict=True)]})
    return sheet, Reading(reading.truth, scores=reading.scores, roles={"score": [score], "truth": [true_name]})


def draw_score_lines_and_labels(random: random.Random) -> tuple[Sheet, Columns, Columns, Reading]:
    """Draw predictions of a line for every id and class with its score, and labels of a row for every id."""
    sheet, reading, lines = _draw_lines(random)
    key, [truth] = next(iter(lines)), reading.roles["truth"]
    return sheet, lines, {key: list(dict.fromkeys(lines[key])), truth: list(reading.truth)}, reading


def draw_label_lines(random: random.Random) -> tuple[Sheet, Columns, Columns, Reading]:
    """Draw predictions and labels of a line for every id and label that it has; ids without one have no line."""
    sheet = Sheet(random)
    _, truth, pred = draw_label_sets(sheet, empty=False)
    pairs = [(true, predicted) for true, predicted in zip(truth, pred, strict=True) if predicted]
    key, label = random.choice(words.IDS[:6]), random.choice(_LABELS)
    files: list[Columns] = [
        {
            key: [f"d{row}" for row, cell in enumerate(cells) for _ in cell],
            label: [n for cell in cells for n in sorted(cell)],
        }
        for cells in ([predicted for _, predicted in pairs], [true for true, _ in pairs])
    ]
    roles = {"truth": [f"{label} (labels)"], "prediction": [f"{label} (predictions)"]}
    reading = Reading(tuple(true for true, _ in pairs), tuple(predicted for _, predicted in pairs), roles=roles)
    return sheet, files[0], files[1], reading


def _draw_lines(random: random.Random) -> tuple[Sheet, Reading, Columns]:
    """Draw rows with a score of every class, and the lines of id, class and score that they make."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, random.choice(words.MANY))
    scores = rows.draw_shares(random, drawn.pred, drawn.classes)
    score, truth = random.choice(_SCORES), random.choice(_TRUTHS)
    label = random.choice([name for name in _LABELS if name != truth])
    pairs = [(row, name) for row in range(len(drawn.truth)) for name in drawn.classes]
    lines: Columns = {
        random.choice(words.IDS[:6]): [f"d{row}" for row, _ in pairs],
        label: [name for _, name in pairs],
        score: [scores[name][row] for row, name in pairs],
    }
    roles = {"truth": [truth], "score": [score]}
    return sheet, Reading(tuple(drawn.truth), scores=scores, scale="probability", roles=roles), lines
