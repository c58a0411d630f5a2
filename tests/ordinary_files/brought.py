"""Draw files as people bring them: two models side by side, marks for no prediction, sets in other forms."""

import dataclasses
import random
from collections.abc import Callable, Sequence

from tests.ordinary_files import rows, words
from tests.ordinary_files.drawn import Reading, Sheet
from tests.ordinary_files.extras import add_features, add_id, add_text
from tests.ordinary_files.single_label import Part, draw_labels, write_labels

_TRUTHS = ("y", "label", "y_true", "target", "actual", "gold")
_MODELS = (("lr", "rf"), ("svm", "forest"), ("bert", "gpt4"), ("v1", "v2"), ("a", "b"), ("1", "2"))
_PATTERNS = (("pred_{}", "prob_{}"), ("{}_pred", "{}_prob"), ("y_pred_{}", "y_prob_{}"), ("pred_{}", "score_{}"))
_ANSWERS = ("answer", "output", "response", "model_output", "model_answer")
_MARKS = ("?", "-", "N/A", "nan", "None", "null", "#N/A")


def draw_two_models(random: random.Random) -> Part:
    """Draw the predictions of two models of two classes, in some files with the scores of both."""
    sheet = Sheet(random)
    classes = random.choice(words.BINARY)
    n = random.choice(rows.N_ROWS[7:])
    truth = rows.draw_truth(random, n, classes)
    name, models, patterns = random.choice(_TRUTHS), random.choice(_MODELS), random.choice(_PATTERNS)
    with_scores = random.random() < 0.6
    preds = [rows.draw_predictions(random, truth, classes, random.choice((0.7, 0.9, 0.95))) for _ in models]
    scores = [rows.draw_positive_scores(random, pred, classes[1]) for pred in preds]
    names = [[pattern.format(model) for model in models] for pattern in patterns]
    add_id(sheet, n)
    sheet.add(**{name: write_labels(random, truth)})
    written = [write_labels(random, pred) for pred in preds]
    columns: list[tuple[str, Sequence[object]]]
    columns = [*zip(names[0], written, strict=True), *(zip(names[1], scores, strict=True) if with_scores else [])]
    random.shuffle(columns)
    sheet.add_block(dict(columns))
    sheet.traits += [f"{' '.join(names[0])} for {'/'.join(classes)}", f"{n} rows"]
    add_features(sheet, n, 1)
    roles = {"truth": [name], "prediction": names[0]} | ({"score": names[1]} if with_scores else {})
    scale = "probability" if with_scores else ""
    readings = [
        Reading(tuple(truth), tuple(pred), {classes[1]: of_pred} if with_scores else {}, scale, roles, (repr(other),))
        for pred, of_pred, other in zip(preds, scores, reversed(names[0]), strict=True)
    ]
    return sheet, dataclasses.replace(readings[0], rivals=(readings[1],))


def draw_marks(random: random.Random) -> Part:
    """Draw predictions of which some are a mark for none: it counts as a label, and a warning must say so."""
    sheet, reading = draw_labels(random)
    while reading.roles["prediction"][0] in _ANSWERS:  # a mark among answers is one without a label, and is counted
        sheet, reading = draw_labels(random)
    [name], mark = reading.roles["prediction"], random.choice(_MARKS)
    gone = set(random.sample(range(len(reading.truth)), max(1, len(reading.truth) // 10)))

    def mark_out(cells: Sequence) -> list:
        return [mark if row in gone else cell for row, cell in enumerate(cells)]

    for group in sheet.groups:
        if name in group:
            group[name] = mark_out(group[name])
    sheet.traits.append(f"{len(gone)} predictions {mark}")
    assert reading.pred is not None
    pred = tuple(mark_out(reading.pred))
    return sheet, dataclasses.replace(reading, pred=pred, warned=(*reading.warned, repr(mark)))


_FORMS: dict[str, Callable[[Sequence[str]], str]] = {
    "[a, b]": lambda labels: f"[{', '.join(labels)}]",
    "a+b": "+".join,
    "a/b": "/".join,
    "a b": " ".join,
}


def draw_joined_sets(random: random.Random) -> Part:
    """Draw several labels a row as they are written beside the usual delimiters."""
    sheet = Sheet(random)
    tags, n = random.choice([tags for tags in words.TAGS if not tags[0].isdigit()]), random.choice(rows.N_ROWS[7:])
    truth = [frozenset(random.sample(tags, random.choice((1, 1, 2)))) for _ in range(n)]
    pred = [labels if random.random() < 0.7 else frozenset(random.sample(tags, 1)) for labels in truth]
    names, (form, join) = random.choice(words.SET_PAIRS), random.choice(list(_FORMS.items()))
    sheet.traits += [f"sets as {form}", f"{n} rows"]
    add_id(sheet, n)
    for name, sets in zip(names, (truth, pred), strict=True):
        sheet.add(**{name: [join(sorted(labels)) for labels in sets]})
    add_text(sheet, n)
    return sheet, Reading(tuple(truth), tuple(pred), roles={"truth": [names[0]], "prediction": [names[1]]})
