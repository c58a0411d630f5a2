"""Draw files written as tools write them: numbers with a point, words for missing values, scores as predictions."""

import random
from collections.abc import Callable, Sequence

from tests.ordinary_files import rows, words
from tests.ordinary_files.drawn import Reading, Sheet
from tests.ordinary_files.extras import Rows, add_features, add_id, add_text, add_weights
from tests.ordinary_files.single_label import Part, draw_class_scores, draw_names, draw_rows

_WRITTEN: dict[str, Callable[[str], object]] = {"floats": float, "truth values": lambda label: label == "1"}
_OF_SCORES = ("y_pred", "prediction", "pred", "preds", "predicted", "y_hat", "output", "model_output")


def draw_awkward_labels(random: random.Random) -> Part:
    """Draw labels that look like something else: a missing value, a list, or the number of another spelling."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, random.choice(words.AWKWARD))
    truth, pred = random.choice(words.PAIRS)
    add_id(sheet, len(drawn.truth))
    aliases: dict[str, str] = {}
    written: Sequence[object] = drawn.truth
    if set(drawn.classes) == {"0", "1"}:
        how, write = random.choice(list(_WRITTEN.items()))
        sheet.traits.append(f"truth as {how}")
        written = [write(label) for label in drawn.truth]
        spelled = {str(write(label)): label for label in drawn.classes}
        aliases = spelled | {name.lower(): label for name, label in spelled.items()}
    sheet.add(**{truth: written})
    sheet.add(**{pred: drawn.pred})
    add_dates(sheet, len(drawn.truth))
    add_features(sheet, len(drawn.truth))
    roles = {"truth": [truth], "prediction": [pred]}
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred), roles=roles, aliases=aliases)


def add_dates(sheet: Sheet, n: int) -> None:
    """Add in half of the files when a row was made, and in some the year alone."""
    if sheet.random.random() < 0.5:
        days = [f"2026-{sheet.random.randint(1, 12):02}-{sheet.random.randint(1, 28):02}" for _ in range(n)]
        sheet.add(**{sheet.random.choice(("date", "created_at", "timestamp")): days})
    if sheet.random.random() < 0.2:
        sheet.add(year=[sheet.random.randint(2019, 2026) for _ in range(n)])


def draw_scores_as_predictions(random: random.Random) -> Part:
    """Draw the probability of the positive class under the name of a prediction."""
    sheet = Sheet(random)
    classes = random.choice(words.BINARY)
    drawn = draw_rows(sheet, classes)
    truth, score = draw_names(sheet)[0], random.choice(_OF_SCORES)
    n = len(drawn.truth)
    scores = rows.draw_positive_scores(random, drawn.pred, classes[1])
    add_id(sheet, n)
    sheet.add(**{truth: drawn.truth})
    if not sheet.has_room_for(score):
        score = "y_pred"
    sheet.add(**{score: scores})
    add_text(sheet, n)
    add_dates(sheet, n)
    warned = add_weights(sheet, n)
    given = {classes[1]: scores}
    roles = {"truth": [truth], "score": [score]}
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred), given, "probability", roles, warned)


def draw_numbered_scores(random: random.Random) -> Part:
    """Draw a score of every class in columns that are numbered in the order of the labels: a warning must say so."""
    sheet = Sheet(random)
    classes = sorted(random.choice([labels for labels in words.MANY if not labels[0].isdigit()]))
    n, accuracy = random.choice(rows.N_ROWS[4:]), rows.draw_accuracy(random)
    truth = rows.draw_truth(random, n, classes)
    drawn = Rows(truth, rows.draw_predictions(random, truth, classes, accuracy), classes)
    scores = rows.draw_shares(random, drawn.pred, classes)
    name, before = random.choice(words.PAIRS)[0], random.choice(("prob_", "p", "score_", "class_", "proba_"))
    add_id(sheet, n)
    sheet.add(**{name: truth})
    sheet.add_block({f"{before}{place}": scores[label] for place, label in enumerate(classes)})
    add_dates(sheet, n)
    roles = {"truth": [name], "score": [f"{before}{place}" for place in range(len(classes))]}
    return sheet, Reading(tuple(truth), None, scores, "probability", roles, (f"{before}0",))


def draw_models(random: random.Random) -> Part:
    """Draw the predictions of several models beside one truth: a person has to say which is meant."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, random.choice(words.MANY))
    names = random.choice(words.MODEL_COLUMNS)
    truth = random.choice(words.PAIRS)[0]
    add_id(sheet, len(drawn.truth))
    sheet.add(**{truth: drawn.truth})
    for name in names:
        accuracy = random.choice((0.6, 0.8, 0.9))
        sheet.add(**{name: rows.draw_predictions(random, drawn.truth, drawn.classes, accuracy)})
    first, last = (next(group[name] for group in sheet.groups if name in group) for name in (names[0], names[-1]))
    last[0] = next(label for label in drawn.classes if label != first[0])  # equal columns need no choice
    add_text(sheet, len(drawn.truth))
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.truth), roles={"rater": (*names, truth)}, open=True)


def draw_gaps(random: random.Random) -> Part:
    """Draw scores of every class in a file of which some rows have no true label: a warning must say so."""
    sheet, reading = draw_class_scores(random)
    [truth] = reading.roles["truth"]
    n = len(reading.truth)
    gone = {row for row in range(n - 1) if random.random() < 0.1}
    for group in sheet.groups:
        if truth in group:
            group[truth] = [None if row in gone else cell for row, cell in enumerate(group[truth])]
    kept = [row for row in range(n) if row not in gone]
    sheet.traits.append(f"{len(gone)} rows without a truth")

    def keep(cells: Sequence) -> tuple:
        return tuple(cells[row] for row in kept)

    scores = {label: keep(values) for label, values in reading.scores.items()}
    pred = None if reading.pred is None else keep(reading.pred)
    warned = (*reading.warned, *([repr(truth)] if gone else []))
    return sheet, Reading(keep(reading.truth), pred, scores, reading.scale, reading.roles, warned)
