"""Answers of an imagined language model to 600 support messages: SIMULATED, no language model was asked.

What the model "means" is drawn: right about 7 times in 10, else mostly another intent of the same group. Then it is
written in one of the ways in which language models are known to answer. The way is a column of the file.
"""

from __future__ import annotations

import numpy as np

from scripts.samples.made_text import pick
from scripts.samples.support_intents import Row, labels

SEED = 600
N_ROWS = 600
P_RIGHT = 0.72
STYLES = {
    "exact": 0.44,
    "normalised": 0.12,
    "quoted": 0.08,
    "prefixed": 0.10,
    "chatter": 0.12,
    "refusal": 0.05,
    "empty": 0.03,
    "invented": 0.06,
}
"""Forms of an answer and their frequencies. The last three hold no label of the set."""
WITHOUT_LABEL = ("refusal", "empty", "invented")

PREFIXES = ("Answer: {}", "Intent: {}", "**Answer:** {}", "answer: {}.", "The answer is {}")
CHATTER = (
    "The intent is {} because the customer talks about their {}.",
    "Sure! Looking at the message, I would say this is {}. Let me know if you need anything else about the {}.",
    "The customer seems upset.\n\nThis is best described as {}, since the {} is mentioned.",
    "Based on the wording, the most fitting label is {} (topic: {}).",
)
REFUSALS = (
    "I'm sorry, but I can't help with that.",
    "I cannot tell which intent this is from the message alone.",
    "As a language model I do not have access to customer accounts.",
    "None of the listed intents fits this message.",
)
INVENTED = (
    "general_question",
    "complaint",
    "other",
    "delivery_problem",
    "billing_dispute",
    "technical_issue",
    "account_help",
    "returns_policy",
)
SPOKEN = (str.upper, str.title, lambda label: label.replace("_", " "), lambda label: f" {label}\n")
QUOTED = ('"{}"', "'{}'", "`{}`", "“{}”")


def draw_label(rng: np.random.Generator, intent: str, space: list[str]) -> str:
    """Draw the label behind an answer: the true one, another of its group, or seldom any other."""
    draw = rng.random()
    if draw < P_RIGHT:
        return intent
    group = intent.split("_")[0] + "_"
    near = [label for label in space if label.startswith(group) and label != intent]
    return pick(rng, near if draw < 0.95 else space)


def answer(rng: np.random.Generator, label: str, style: str) -> str:
    """Write the label in the words of the given style (in the last three styles: no label of the set at all).

    >>> answer(np.random.default_rng(0), "order_status", "exact")
    'order_status'
    """
    fixed = {"exact": label, "empty": ""}
    if style in fixed:
        return fixed[style]
    if style == "normalised":
        return SPOKEN[int(rng.integers(len(SPOKEN)))](label)
    options = {"quoted": QUOTED, "prefixed": PREFIXES, "chatter": CHATTER, "refusal": REFUSALS, "invented": INVENTED}
    return pick(rng, options[style]).format(label, label.split("_")[0])


def make_rows(messages: list[Row]) -> list[Row]:
    """Make 600 of the messages with a simulated answer each: id, utterance, target, raw_output, simulated_as."""
    rng = np.random.default_rng(SEED)
    space = labels()
    names, shares = list(STYLES), np.array(list(STYLES.values()))
    made: list[Row] = []
    for message in messages[:N_ROWS]:
        style = names[int(rng.choice(len(names), p=shares))]
        label = draw_label(rng, str(message["target"]), space)
        made.append(
            {
                "id": message["id"],
                "utterance": message["text"],
                "target": message["target"],
                "raw_output": answer(rng, label, style),
                "simulated_as": style,
            }
        )
    return made
