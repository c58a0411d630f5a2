"""Draw files of a language model's answers, from which a label must be read."""

import random
from collections.abc import Sequence

from tests.ordinary_files import words
from tests.ordinary_files.drawn import Reading, Sheet
from tests.ordinary_files.extras import add_features, add_id, add_text
from tests.ordinary_files.single_label import Part, draw_rows

_TRUTHS = ("label", "gold", "target", "expected", "truth", "reference", "category")
_ANSWERS = ("output", "response", "model_output", "completion", "answer", "raw_output", "generated_text", "llm_answer")
_FORMS = (
    "Label: {}", "The answer is {}.", "<answer>{}</answer>", '{{"label": "{}"}}', "Let me think. Label: {}",
    "{}.", "**{}**", "I would say {}", "Answer: {}", "<label>{}</label>",
)  # fmt: skip
_LABELS = tuple(labels for labels in words.MANY if len(labels[0]) > 3 and labels[0] != "neutral")


def draw_answers(random: random.Random, labels: Sequence[Sequence[str]] = _LABELS) -> Part:
    """Draw a truth beside answers that all name their label in one form."""
    sheet = Sheet(random)
    drawn = draw_rows(sheet, random.choice(labels))
    truth, answer, form = random.choice(_TRUTHS), random.choice(_ANSWERS), random.choice(_FORMS)
    sheet.traits.append(f"answers {form}")
    add_id(sheet, len(drawn.truth))
    sheet.add(**{truth: drawn.truth})
    sheet.add(**{answer: [form.format(label) for label in drawn.pred]})
    add_text(sheet, len(drawn.truth))
    add_features(sheet, len(drawn.truth), 2)
    roles = {"truth": [truth], "prediction": [answer]}
    return sheet, Reading(tuple(drawn.truth), tuple(drawn.pred), roles=roles)
