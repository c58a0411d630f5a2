"""Draw files with one label a row: labels, scores of a class, a score of every class, counts, a matrix."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.ordinary_files import rows, words
from tests.ordinary_files.drawn import Reading, Sheet
from tests.ordinary_files.extras import (
    Rows,
    add_codes,
    add_confidence,
    add_features,
    add_id,
    add_other_labels,
    add_runners_up,
    add_text,
    add_verdict,
    add_weights,
)

Part = tuple[Sheet, Reading]


def draw_classes(random: random.Random) -> Sequence[str]:
    """Draw the classes of a task: two of three have more than two."""
    return random.choice(random.choice((words.BINARY, words.BINARY, words.EVEN, words.MANY, words.MANY, words.MANY)))


def write_labels(random: random.Random, labels: Sequence[str]) -> list[object]:
    """Return labels as cells: numbers as such in some files, as 1.0 in few."""
    if all(label.isdigit() for label in labels) and random.random() < 0.6:
        return [int(label) for label in labels]
    return [*labels]


def draw_rows(sheet: Sheet, classes: Sequence[str]) -> Rows:
    """Draw truth and predictions; in some files a class has no true rows, or is never predicted."""
    random = sheet.random
    n, accuracy = random.choice(rows.N_ROWS), rows.draw_accuracy(random)
    true, predicted = list(classes), list(classes)
    if len(classes) > 2 and random.random() < 0.25:
        missing = random.choice(classes)
        random.choice((true, predicted)).remove(missing)
        sheet.traits.append("a class without true rows" if missing not in true else "a class never predicted")
    if len(classes) > 2 and random.random() < 0.04:
        true, predicted = list(classes[:-1]), [classes[-1]]
        sheet.traits.append("no predicted label is ever true")
    truth = rows.draw_truth(random, n, true)
    sheet.traits += [f"{n} rows", f"accuracy {accuracy}", f"classes {'/'.join(classes)}"]
    return Rows(truth, rows.draw_predictions(random, truth, predicted, accuracy), classes)


def draw_names(sheet: Sheet) -> tuple[str, str]:
    """Draw the names of truth and prediction."""
    loose = sheet.random.random() < 0.4
    sheet.traits += ["loose names"] * loose
    return sheet.random.choice(words.LOOSE_PAIRS if loose else words.PAIRS)


def draw_labels(random: random.Random) -> Part:
    """Draw a file of true and predicted labels."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, draw_classes(random))
    truth, pred = draw_names(sheet)
    n = len(drawn.truth)
    add_id(sheet, n)
    add_truth(sheet, truth, drawn)
    sheet.add(**{pred: write_labels(random, drawn.pred)})
    add_text(sheet, n)
    add_features(sheet, n)
    add_other_labels(sheet, drawn)
    aliases = add_codes(sheet, (truth, pred), drawn)
    add_runners_up(sheet, pred, drawn)
    add_verdict(sheet, drawn)
    confidence = add_confidence(sheet, drawn)
    warned = add_weights(sheet, n)
    roles = {"truth": [truth], "prediction": [pred]} | ({"confidence": [confidence]} if confidence else {})
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred), roles=roles, warned=warned, aliases=aliases)


def add_truth(sheet: Sheet, name: str, drawn: Rows) -> None:
    """Add the true labels."""
    sheet.add(**{name: write_labels(sheet.random, drawn.truth)})


def draw_positive_score(random: random.Random) -> Part:
    """Draw a binary file with one score, of the positive class, with or without predictions."""
    sheet = Sheet(random)
    classes = random.choice(words.BINARY)
    drawn = draw_rows(sheet, classes)
    truth, pred = draw_names(sheet)
    n = len(drawn.truth)
    scores = rows.draw_positive_scores(random, drawn.pred, classes[1])
    scale, names = "probability", list(words.POSITIVE_SCORES)
    if random.random() < 0.2:
        scale, names, scores = "logit", list(words.POSITIVE_LOGITS), [rows.find_logit(score) for score in scores]
    name = f"p_{classes[1]}" if random.random() < 0.2 and scale == "probability" else random.choice(names)
    add_id(sheet, n)
    add_truth(sheet, truth, drawn)
    with_labels = random.random() < 0.5
    if with_labels:
        sheet.add(**{pred: write_labels(random, drawn.pred)})
    sheet.add(**{name: scores})
    sheet.traits.append(f"{scale} {name}")
    add_text(sheet, n)
    add_features(sheet, n)
    if random.random() < 0.3:
        add_other_labels(sheet, drawn)
    if with_labels:
        add_verdict(sheet, drawn)
        add_confidence(sheet, drawn, 0.1)
    warned = add_weights(sheet, n)
    roles = {"truth": [truth], "score": [name]} | ({"prediction": [pred]} if with_labels else {})
    given: dict[str, Any] = {"pred": tuple(drawn.pred), "scores": {classes[1]: scores}, "scale": scale}
    return sheet, Reading(tuple(drawn.truth), roles=roles, warned=warned, **given)


def draw_class_scores(random: random.Random) -> Part:
    """Draw a file with a score of every class, with or without predictions."""
    sheet = Sheet(random)
    classes = draw_classes(random)
    drawn = draw_rows(sheet, classes)
    truth, pred = draw_names(sheet)
    n = len(drawn.truth)
    draw, scale, affixes = random.choice(
        (
            (rows.draw_shares, "probability", words.PROBABILITY_AFFIXES),
            (rows.draw_shares, "probability", words.PROBABILITY_AFFIXES),
            (rows.draw_votes, "probability", words.PROBABILITY_AFFIXES),
            (rows.draw_one_vs_rest, "one-vs-rest", words.PROBABILITY_AFFIXES),
            (rows.draw_logits, "logit", words.LOGIT_AFFIXES),
        )
    )
    scores = draw(random, drawn.pred, classes)
    before, after = random.choice([pair for pair in affixes if "".join(pair) or not classes[0].isdigit()])
    order = random.choice((list(classes), list(classes), random.sample(list(classes), len(classes))))
    names = {label: f"{before}{label}{after}" for label in order}
    written = scores
    if draw is rows.draw_shares and random.random() < 0.1:
        sheet.traits.append("per cent")
        written = {label: [round(100 * share, 3) for share in scores[label]] for label in classes}
    add_id(sheet, n)
    add_truth(sheet, truth, drawn)
    with_labels = random.random() < 0.4
    if with_labels:
        sheet.add(**{pred: write_labels(random, drawn.pred)})
    sheet.add_block({names[label]: written[label] for label in order})
    sheet.traits += [f"{scale} {before}*{after}", draw.__name__]
    add_text(sheet, n)
    add_features(sheet, n)
    if random.random() < 0.3:
        add_other_labels(sheet, drawn)
    if with_labels:
        add_verdict(sheet, drawn)
    add_confidence(sheet, drawn, 0.15)
    warned = add_weights(sheet, n)
    roles = {"truth": [truth], "score": list(names.values())} | ({"prediction": [pred]} if with_labels else {})
    given = tuple(drawn.pred) if with_labels else None
    return sheet, Reading(tuple(drawn.truth), given, scores, scale, roles, warned)


def draw_counts(random: random.Random) -> Part:
    """Draw a file of counts: one line for every pair of true and predicted label."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, draw_classes(random))
    truth, pred = random.choice(words.PAIRS)
    counts = Counter(zip(drawn.truth, drawn.pred, strict=True))
    lines = sorted(counts)
    sheet.add(**{truth: [true for true, _ in lines], pred: [predicted for _, predicted in lines]})
    sheet.add(**{random.choice(("count", "n", "rows", "Freq", "n_rows")): [counts[line] for line in lines]})
    roles = {"truth": [truth], "prediction": [pred]}
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred), roles=roles)


def draw_matrix(random: random.Random) -> Part:
    """Draw a confusion matrix whose corner says what its rows are."""
    sheet = Sheet(random)
    classes = random.choice(words.MANY + words.BINARY)
    drawn = draw_rows(sheet, classes)
    down = random.choice(("truth", "prediction"))
    corner = random.choice(words.CORNERS[down])
    counts = Counter(zip(drawn.truth, drawn.pred, strict=True))
    cells = {
        label: [counts[(of_row, label) if down == "truth" else (label, of_row)] for of_row in classes]
        for label in classes
    }
    first = list(classes)
    if random.random() < 0.2:
        sheet.traits.append("totals")
        cells = {label: [*counts_down, sum(counts_down)] for label, counts_down in cells.items()}
        cells["Total"] = [sum(line) for line in zip(*cells.values(), strict=True)]
        first.append("Total")
    sheet.add_block({corner: first, **cells})
    sheet.traits.append(f"corner {corner!r}, rows are the {down}")
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred))


def draw_raters(random: random.Random) -> Part:
    """Draw labels of people and models of which no name says which is the truth."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, draw_classes(random))
    names = random.choice(
        (
            ("annotator_a", "annotator_b", "model_v1", "model_v2"), ("rater_1", "rater_2"),
            ("human_1", "human_2", "gpt4"), ("model_a", "model_b"),
            ("anna", "ben", "model_v1"), ("annotator_1", "annotator_2", "annotator_3"),
            ("expert", "crowd"), ("claude", "gpt4", "human"),
        )
    )  # fmt: skip
    add_id(sheet, len(drawn.truth))
    columns = {
        name: rows.draw_predictions(random, drawn.truth, drawn.classes, random.choice((0.7, 0.9))) for name in names
    }
    sheet.add_block({name: write_labels(random, cells) for name, cells in columns.items()})
    add_text(sheet, len(drawn.truth))
    first, second = columns[names[0]], columns[names[-1]]
    return sheet, Reading(tuple(first), tuple(second), roles={"rater": names}, open=True)
