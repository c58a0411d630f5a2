"""Draw scores beside what was decided by them, in the truth's words or in others."""

import random
from collections.abc import Sequence

from tests.ordinary_files import rows, words
from tests.ordinary_files.drawn import Reading, Sheet
from tests.ordinary_files.extras import Rows, add_features, add_id, add_text
from tests.ordinary_files.single_label import Part

_NAMES = ("decision", "action", "alert", "flag", "triage", "referred", "auto", "result", "status", "routing", "x")
_TRUTHS = ("label", "truth", "y_true", "is_fraud", "target", "actual", "gold", "ground_truth")
_WORDS = (
    ("False", "True"), ("no", "yes"), ("0", "1"), ("ok", "flagged"), ("allow", "block"), ("n", "y"), ("pass", "review"),
    ("nein", "ja"), ("low risk", "high risk"), ("negative", "positive"),
)  # fmt: skip


def draw_decisions(random: random.Random) -> Part:
    """Draw a truth, its scores, and a column of an unknown name that follows from them."""
    sheet = Sheet(random)
    many = random.random() < 0.3
    classes: Sequence[str] = random.choice(words.MANY if many else words.BINARY)
    n = random.choice(rows.N_ROWS[7:])
    truth = rows.draw_truth(random, n, classes)
    guess = rows.draw_predictions(random, truth, classes, random.choice((0.9, 0.8, 0.7)))
    if many:
        scores = rows.draw_shares(random, guess, classes)
        pred = [max(classes, key=lambda label: scores[label][row]) for row in range(n)]
        columns, written = {f"p_{label}": scores[label] for label in classes}, [f"c{place}" for place in range(99)]
    else:
        scores = {classes[1]: rows.draw_positive_scores(random, guess, classes[1])}
        threshold = random.choice((0.2, 0.3, 0.4, 0.5, 0.6, 0.7))
        pred = [classes[int(score >= threshold)] for score in scores[classes[1]]]
        columns, written = (
            {random.choice(("score", "prob", "risk_score", "y_score")): scores[classes[1]]},
            [*random.choice(_WORDS)],
        )
        sheet.traits.append(f"threshold {threshold}")
    if random.random() < 0.3:
        written = list(classes)
    name, of_truth = random.choice(_NAMES), random.choice(_TRUTHS)
    sheet.traits += [f"{name} in {'/'.join(written[: len(classes)])} for {'/'.join(classes)}", f"{n} rows"]
    add_id(sheet, n)
    sheet.add(**{of_truth: truth})
    sheet.add_block(columns)
    sheet.add(**{name: [written[classes.index(label)] for label in pred]})
    add_text(sheet, n)
    add_features(sheet, n, 2)
    roles = {"truth": [of_truth], "prediction": [name], "score": list(columns)}
    drawn = Rows(truth, pred, classes)
    return sheet, Reading(tuple(drawn.truth), tuple(pred), scores, "probability", roles)
