"""Draw tables whose names of columns follow a tool's pattern, a model's label beside an idle score, and long parts."""

import random

from tests.ordinary_files import rows, words
from tests.ordinary_files.drawn import Reading, Sheet
from tests.ordinary_files.extras import add_features, add_id
from tests.ordinary_files.single_label import Part, draw_rows, write_labels

_WORDS = tuple(classes for classes in words.MANY if not classes[0].isdigit() and " " not in "".join(classes))
_TARGETS = ("species", "intent", "churn", "diagnosis", "quality")
_PATTERNS = (
    ("{t}", "Scored Labels", "Scored Probabilities_{c}"), ("{t}", "Most Likely {t}", "Prob[{c}]"),
    ("{t}", "Random Forest", "Random Forest ({c})"), ("{t}", "{t}_predictions", "{t}_probabilities_{c}"),
    ("{t}", "prediction({t})", "confidence({c})"), ("{t}", "Prediction ({t})", "P ({t}={c})"),
    ("{t}", "{t}_PREDICTION", "{t}_{c}_PREDICTION"), ("obs", "pred", "{c}"), ("{t}", "{t}_pred", "{c}"),
    ("{t}", "predicted_label", "probability_{c}"), ("truth", "guess", "score_{c}"), ("{t}", "prediction", "proba_{c}"),
)  # fmt: skip
"""(truth, prediction, score of a class) as Azure, JMP, Orange, Ludwig, RapidMiner, KNIME and others name them."""
_LABELS = ("bert_label", "xlnet_label", "svm_class", "gpt4_label")
_SCORES = ("score", "confidence", "bert_score", "model_confidence", "prob")


def draw_tool_tables(random: random.Random) -> Part:
    """Draw truth, prediction and a score of every class by a tool's names."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, random.choice(_WORDS))
    scores = rows.draw_shares(random, drawn.pred, drawn.classes)
    target, pattern = random.choice(_TARGETS), random.choice(_PATTERNS)
    truth, pred = (name.format(t=target) for name in pattern[:2])
    names = {label: pattern[2].format(t=target, c=label) for label in drawn.classes}
    sheet.traits.append(f"{truth} {pred} {pattern[2]}")
    add_id(sheet, len(drawn.truth))
    sheet.add(**{truth: drawn.truth})
    sheet.add(**{pred: drawn.pred})
    sheet.add_block({names[label]: scores[label] for label in drawn.classes})
    roles = {"truth": [truth], "prediction": [pred], "score": list(names.values())}
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred), scores, "probability", roles)


def draw_idle_scores(random: random.Random) -> Part:
    """Draw a model's label beside a score that is the same in all rows, or 0 and 1 at random."""
    sheet = Sheet(random)
    classes, n = random.choice(words.BINARY), random.choice(rows.N_ROWS[10:])
    truth = rows.draw_truth(random, n, classes)
    pred = rows.draw_predictions(random, truth, classes, random.choice((0.75, 0.9)))
    names = random.choice(("y_true", "gold", "target")), random.choice(_LABELS), random.choice(_SCORES)
    value = random.choice((0, 1, 0.7, None))
    add_id(sheet, n)
    for name, labels in zip(names, (truth, pred), strict=False):
        sheet.add(**{name: write_labels(random, labels)})
    sheet.add(**{names[2]: [random.choice((0, 1)) if value is None else value for _ in truth]})
    sheet.traits.append(f"{names[2]} is {value}")
    return sheet, Reading(tuple(truth), tuple(pred), roles={"truth": [names[0]], "prediction": [names[1]]})


def draw_parts(random: random.Random) -> Part:
    """Draw the predictions of two models below each other, without ids or with ids that run on: a person must say."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, random.choice(words.MANY))
    while len(drawn.truth) < 10:
        drawn = draw_rows(sheet, random.choice(words.MANY))
    again = rows.draw_predictions(random, drawn.truth, drawn.classes, 0.7)
    name, (truth, pred) = random.choice(("model", "run", "prompt")), random.choice(words.PAIRS)
    add_id(sheet, 2 * len(drawn.truth))
    sheet.add(**{name: [part for part in ("a", "b") for _ in drawn.truth]})
    sheet.add(**{truth: [*drawn.truth, *drawn.truth]})
    sheet.add(**{pred: [*drawn.pred, *again]})
    add_features(sheet, 2 * len(drawn.truth), 1)
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred), roles={"rater": (name, pred)}, open=True)
