"""Add the columns that stand beside truth and prediction in ordinary files, and that a reader may take for them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.ordinary_files import words
from tests.ordinary_files.drawn import Sheet
from tests.ordinary_files.rows import draw_confidences, draw_predictions


@dataclass(frozen=True)
class Rows:
    """The labels of the rows that extra columns are drawn for."""

    truth: Sequence[str]
    pred: Sequence[str]
    classes: Sequence[str]


def add_id(sheet: Sheet, n: int) -> None:
    """Add an id in two files of three."""
    if sheet.random.random() < 0.65:
        first = sheet.random.choice((0, 1, 1000))
        pattern = sheet.random.choice(("{}", "{}", "{}", "doc-{}", "img_{}.png"))
        sheet.add(**{sheet.random.choice(words.IDS): [pattern.format(first + row) for row in range(n)]})


def add_text(sheet: Sheet, n: int) -> None:
    """Add a text in half of the files; in some of these under the name of a target."""
    if sheet.random.random() > 0.5:
        return
    strange = sheet.random.random() < 0.15
    name = sheet.random.choice(words.TEXTS_LIKE_TARGETS if strange else words.TEXTS)
    if sheet.has_room_for(name):
        sheet.traits += [f"text named {name}"] * strange
        sheet.add(**{name: [draw_text(sheet.random, row) for row in range(n)]})


def draw_text(random: random.Random, row: int) -> str:
    """Draw a sentence of its own for a row."""
    return " ".join([*random.choices(words.WORDS, k=random.randint(4, 12)), str(row)])


def add_features(sheet: Sheet, n: int, most: int = 3) -> None:
    """Add up to three columns about the rows: of labels, or of numbers."""
    for _ in range(sheet.random.randint(0, most)):
        if sheet.random.random() < 0.7:
            name, labels = sheet.random.choice(list(words.LABEL_FEATURES.items()))
            cells: list[object] = [*sheet.random.choices(labels, k=n)]
        else:
            name = sheet.random.choice(words.NUMBER_FEATURES)
            cells = draw_numbers(sheet.random, name, n)
        if sheet.has_room_for(name):
            sheet.traits.append(f"feature {name}")
            sheet.add(**{name: cells})


def draw_numbers(random: random.Random, name: str, n: int) -> list[object]:
    """Draw numbers of a feature: whole ones for ages and lengths, fractions for a loss."""
    if name in ("age", "length", "n_words"):
        return [random.randint(3, 90) for _ in range(n)]
    if name in ("loss", "distance"):
        return [round(random.expovariate(2), 4) for _ in range(n)]
    return [round(random.uniform(1, 200), 2) for _ in range(n)]


def add_other_labels(sheet: Sheet, rows: Rows) -> None:
    """Add another person's labels, an old model's, or a majority's, in one file of six."""
    if sheet.random.random() > 0.17:
        return
    name = sheet.random.choice(words.PEOPLE + words.OLD_MODELS)
    if sheet.has_room_for(name):
        accuracy = sheet.random.choice((0.7, 0.85, 0.92, 1.0))
        sheet.traits.append(f"other labels {name}")
        sheet.add(**{name: draw_predictions(sheet.random, rows.truth, rows.classes, accuracy)})


def add_codes(sheet: Sheet, names: tuple[str, str], rows: Rows) -> dict[str, str]:
    """Add in some files truth and prediction as codes, too; return code → label."""
    if sheet.random.random() > 0.05 or any(label.isdigit() for label in rows.classes):
        return {}
    end = sheet.random.choice(("_id", "_code", "_idx"))
    codes = {label: str(place) for place, label in enumerate(rows.classes)}
    for name, labels in zip(names, (rows.truth, rows.pred), strict=True):
        sheet.add(**{name + end: [codes[label] for label in labels]})
    sheet.traits.append(f"codes in *{end}")
    return {code: label for label, code in codes.items()}


def add_runners_up(sheet: Sheet, name: str, rows: Rows) -> None:
    """Add in some files the second and third best prediction of a model."""
    if sheet.random.random() > 0.04 or len(rows.classes) < 4:
        return
    for place in (2, 3):
        labels = [sheet.random.choice([label for label in rows.classes if label != best]) for best in rows.pred]
        sheet.add(**{f"{name}_{place}": labels})
    sheet.traits.append("second and third best")


def add_verdict(sheet: Sheet, rows: Rows) -> None:
    """Add in some files whether the prediction is right."""
    if sheet.random.random() < 0.1:
        name = sheet.random.choice(words.VERDICTS)
        right = [true == predicted for true, predicted in zip(rows.truth, rows.pred, strict=True)]
        written = sheet.random.choice((str, int))
        sheet.traits.append(f"verdict {name}")
        sheet.add(**{name: [written(is_right != (name == "error")) for is_right in right]})


def add_confidence(sheet: Sheet, rows: Rows, share: float = 0.2) -> str | None:
    """Add in some files how sure the model was of what it predicted; return the column."""
    name = sheet.random.choice(words.CONFIDENCES)
    if sheet.random.random() > share or not sheet.has_room_for(name):
        return None
    lowest = sheet.random.choice((0.5, 0.5, 1 / len(rows.classes)))
    sheet.traits.append(f"confidence {name}")
    sheet.add(**{name: draw_confidences(sheet.random, len(rows.truth), lowest)})
    return name


def add_weights(sheet: Sheet, n: int) -> tuple[str, ...]:
    """Add weights in some files; return the column, which a warning must name."""
    if sheet.random.random() > 0.06:
        return ()
    name = sheet.random.choice(words.WEIGHTS)
    sheet.traits.append(f"weights {name}")
    whole = sheet.random.random() < 0.3
    sheet.add(
        **{name: [sheet.random.randint(1, 5) if whole else round(sheet.random.uniform(0.2, 4), 2) for _ in range(n)]}
    )
    return (name,)
