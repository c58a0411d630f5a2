"""Messages to the support desk with one to three intents each, and a classifier that was really trained on others.

One logistic regression an intent on word counts; an intent is predicted from a probability of 0.2, and the likeliest
one always. Two of the five phrases of each intent are kept out of its training: some intents are taken for others.
"""

from __future__ import annotations

import numpy as np

from scripts.samples.made_text import pick, read_phrases
from scripts.samples.support_intents import labels, utterance

SEED = 30
N_TRAIN, N_TEST = 500, 600
UNSEEN_PHRASES = 2
LEAST_PROBABILITY = 0.2
TOPICS = ("account", "delivery", "plan", "returns")
HOW_MANY = (0.5, 0.38, 0.12)
"""Share of the messages with one, two and three intents."""
BETWEEN = (" and ", ". also, ", "; then: ", " - and another thing: ")

Message = tuple[str, frozenset[str]]


def intents() -> list[str]:
    """Return the 28 intents of four topics, sorted."""
    return [intent for intent in labels() if intent.partition("_")[0] in TOPICS]


def draw_message(rng: np.random.Generator, *, known_only: bool) -> Message:
    """Draw (text, intents) of one message."""
    phrases, names = read_phrases("intents.txt"), intents()
    drawn = [names[i] for i in rng.permutation(len(names))[: 1 + rng.choice(3, p=HOW_MANY)]]
    options = {intent: phrases[intent][:-UNSEEN_PHRASES] if known_only else phrases[intent] for intent in drawn}
    parts = [pick(rng, options[intent]) for intent in drawn]
    return utterance(rng, pick(rng, BETWEEN).join(parts)), frozenset(drawn)


def make_rows() -> list[dict[str, object]]:
    """Make 600 messages: id, text, target and prediction (lists of intents)."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(SEED)
    train = [draw_message(rng, known_only=True) for _ in range(N_TRAIN)]
    test = [draw_message(rng, known_only=False) for _ in range(N_TEST)]
    words = CountVectorizer(token_pattern=r"[a-z]{3,}", min_df=3)
    known, asked = words.fit_transform([text for text, _ in train]), words.transform([text for text, _ in test])
    probability = np.column_stack(
        [
            LogisticRegression(tol=1e-10, max_iter=2000)
            .fit(known, [intent in of for _, of in train])
            .predict_proba(asked)[:, 1]
            for intent in intents()
        ]
    )
    predicted = probability >= np.minimum(LEAST_PROBABILITY, probability.max(axis=1, keepdims=True))
    return [
        {
            "id": f"s{i + 1:03d}",
            "text": text,
            "target": sorted(of),
            "prediction": [intent for intent, says in zip(intents(), predicted[i], strict=True) if says],
        }
        for i, (text, of) in enumerate(test)
    ]
