"""Change a drawn file as people's files differ: other spellings, empty cells, rows once more."""

import dataclasses
import random
from collections.abc import Callable, Sequence

from tests.ordinary_files import words
from tests.ordinary_files.drawn import Columns, Reading, Sheet


def vary(sheet: Sheet, columns: Columns, reading: Reading) -> tuple[Columns, Reading]:
    """Return a file of one label a row with other spellings or empty predictions, in some files."""
    roles = reading.roles
    if len(roles.get("prediction", ())) != 1 or isinstance(reading.truth[0], frozenset) or reading.open:
        return columns, reading
    [name] = roles["prediction"]
    if name not in columns or sheet.random.random() > 0.2:
        return columns, reading
    if reading.scores or sheet.random.random() < 0.5:
        return respell(sheet, columns, name), reading
    return empty_some(sheet, columns, reading, name)


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "lower case": str.lower,
    "capitals": str.capitalize,
    "a blank behind": lambda text: text + " ",
    "a blank in front": lambda text: " " + text,
}


def respell(sheet: Sheet, columns: Columns, name: str) -> Columns:
    """Spell predicted labels otherwise, in all rows or in some."""
    random = sheet.random
    how, share = random.choice(list(_SPELLINGS)), random.choice((1.0, 0.3))
    spell = _SPELLINGS[how]
    sheet.traits.append(f"{how} in {share:.0%} of {name}")
    cells = [spell(cell) if isinstance(cell, str) and random.random() < share else cell for cell in columns[name]]
    return {**columns, name: cells}


def empty_some(sheet: Sheet, columns: Columns, reading: Reading, name: str) -> tuple[Columns, Reading]:
    """Leave some predictions empty: these rows are not scored, and a warning says so."""
    random = sheet.random
    n = len(reading.truth)
    gone = set(random.sample(range(n), max(1, n // random.choice((4, 10, 50)))))
    sheet.traits.append(f"{len(gone)} empty cells of {name}")
    cells = ["" if row in gone else cell for row, cell in enumerate(columns[name])]
    return {**columns, name: cells}, without_rows(reading, gone, repr(name))


def without_rows(reading: Reading, gone: set[int], warned: str) -> Reading:
    """Return the reading of the other rows; a warning must hold this text."""

    def keep(cells: Sequence) -> tuple:
        return tuple(cell for row, cell in enumerate(cells) if row not in gone)

    scores = {label: keep(values) for label, values in reading.scores.items()}
    pred = None if reading.pred is None else keep(reading.pred)
    return dataclasses.replace(
        reading, truth=keep(reading.truth), pred=pred, scores=scores, warned=(*reading.warned, warned)
    )


def repeat_rows(random: random.Random, sheet: Sheet, predictions: Columns) -> Columns:
    """Write some rows of predictions twice: they count once."""
    n = len(next(iter(predictions.values())))
    again = sorted(random.sample(range(n), max(1, n // 10)))
    sheet.traits.append(f"{len(again)} predictions twice")
    return {name: [*cells, *(cells[row] for row in again)] for name, cells in predictions.items()}


_OF_SEVERAL = ("ticket", "message_id")
"""Ids that several rows may well share: what they are of may have several rows."""


def take_more_away(random: random.Random, sheet: Sheet, columns: Columns, reading: Reading) -> tuple[Columns, Reading]:
    """Return a file whose ids repeat, or that lacks the score column of a class, in some files."""
    key = next((name for name in columns if name in words.IDS and name not in _OF_SEVERAL), None)
    if key is not None and not reading.open and random.random() < 0.05:
        return repeat_ids(random, sheet, columns, key), dataclasses.replace(reading, warned=(*reading.warned, key))
    names = reading.roles.get("score", ())
    if len(names) > 3 and len(names) == len(reading.scores) and random.random() < 0.1:
        return drop_scores(random, sheet, columns, reading)
    return columns, reading


def repeat_ids(random: random.Random, sheet: Sheet, columns: Columns, key: str) -> Columns:
    """Give some rows the id of the first row: each row counts, and a warning must say so."""
    n = len(columns[key])
    again = set(random.sample(range(1, n), max(1, n // 20)))
    sheet.traits.append(f"{len(again)} repeated ids")
    return {**columns, key: [columns[key][0] if row in again else cell for row, cell in enumerate(columns[key])]}


def _share(label: str, name: str) -> float:
    """Return how much of a column's name the label is."""
    return len(label) / len(name)


def drop_scores(random: random.Random, sheet: Sheet, columns: Columns, reading: Reading) -> tuple[Columns, Reading]:
    """Leave out the score column of a class that is true: where no label is predicted, a warning must name it."""
    gone = random.choice(sorted({str(label) for label in reading.truth} & {*reading.scores}))
    name = max((name for name in reading.roles["score"] if gone in name), key=lambda name: _share(gone, name))
    sheet.traits.append(f"no column {name}")
    kept = {other: cells for other, cells in columns.items() if other != name}
    others = {label: scores for label, scores in reading.scores.items() if label != gone}
    highest = tuple(max(others, key=lambda label: others[label][row]) for row in range(len(reading.truth)))
    pred, warned = (reading.pred, ()) if reading.pred is not None else (highest, (repr(gone),))
    roles = {**reading.roles, "score": [other for other in reading.roles["score"] if other != name]}
    return kept, dataclasses.replace(
        reading, pred=pred, scores={}, scale="", roles=roles, warned=(*reading.warned, *warned)
    )
