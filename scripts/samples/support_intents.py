"""A support desk with 77 intents, and a weak text classifier that was really trained on a skewed sample of it.

The classifier is multinomial naive Bayes on word counts. A few intents dominate its training data and many occur a
handful of times. So it predicts a few favourites where it does not know.
"""

from __future__ import annotations

import numpy as np

from scripts.samples.made_text import misspell, pick, read_phrases

SEED = 26
N_TEST = 3080
N_TRAIN = 2600
UNSEEN_PHRASES = 1  # of the five phrases of an intent, the last one is kept out of the training data
OPENINGS = ("", "", "", "hi, ", "hello, ", "good morning, ", "please help: ", "urgent: ", "quick question: ", "sorry, ")
CLOSINGS = ("", "", "", "", " thanks", " please", "?", "!", " - order {number}", " (since {day})")
ITEMS = ("kettle", "headphones", "desk lamp", "phone", "jacket", "router", "camera", "blender", "tent", "watch")
CITIES = ("Lisbon", "Oslo", "Turin", "Leeds", "Lyon", "Ghent", "Krakow", "Malta", "Porto", "Vienna")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

Row = dict[str, object]


def labels() -> list[str]:
    """Return the 77 intents, sorted."""
    return sorted(read_phrases("intents.txt"))


def utterance(rng: np.random.Generator, phrase: str) -> str:
    """Make one text that a customer wrote: opening, phrase, closing, filled slots, now and then a typing error."""
    template = pick(rng, OPENINGS) + phrase + pick(rng, CLOSINGS)
    text = template.format(
        item=pick(rng, ITEMS),
        city=pick(rng, CITIES),
        day=pick(rng, DAYS),
        amount=f"{int(rng.integers(3, 240))}.{int(rng.integers(0, 10))}0",
        number=int(rng.integers(10_000, 99_999)),
    )
    return misspell(rng, text) if rng.random() < 0.3 else text


def popularity(rng: np.random.Generator) -> np.ndarray:
    """Return how often each intent is written about, (77,), sum 1: the k-th in proportion to k ** -1.2."""
    share = np.arange(1, 78) ** -1.2
    return rng.permutation(share / share.sum())


def draw(rng: np.random.Generator, counts: np.ndarray, *, known_only: bool) -> list[tuple[str, str]]:
    """Draw (text, intent) pairs, `counts[k]` of the k-th intent, in random order."""
    phrases = read_phrases("intents.txt")
    pairs = []
    for intent, count in zip(labels(), counts, strict=True):
        options = phrases[intent][:-UNSEEN_PHRASES] if known_only else phrases[intent]
        pairs += [(utterance(rng, pick(rng, options)), intent) for _ in range(int(count))]
    return [pairs[i] for i in rng.permutation(len(pairs))]


def make_rows() -> list[Row]:
    """Make the test set with the classifier's predictions: id, text, target, prediction, confidence."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    rng = np.random.default_rng(SEED)
    share = popularity(rng)
    train = draw(rng, np.maximum(1, np.round(N_TRAIN * share)), known_only=True)
    test = draw(rng, count_test_rows(share), known_only=False)
    words = CountVectorizer(token_pattern=r"[a-z]+")
    model = MultinomialNB(alpha=0.6).fit(words.fit_transform([text for text, _ in train]), [y for _, y in train])
    probability = model.predict_proba(words.transform([text for text, _ in test]))
    return [
        {
            "id": f"m{i:04d}",
            "text": text,
            "target": intent,
            "prediction": str(model.classes_[best]),
            "confidence": float(p[best]),
        }
        for i, ((text, intent), p) in enumerate(zip(test, probability, strict=True), start=1)
        for best in [int(p.argmax())]
    ]


def count_test_rows(share: np.ndarray) -> np.ndarray:
    """Count the test rows of each intent: much less skewed than the training data, N_TEST in all."""
    flat = share**0.55
    exact = N_TEST * flat / flat.sum()
    counts: np.ndarray = np.floor(exact).astype(int)
    counts[np.argsort(counts - exact, kind="stable")[: N_TEST - counts.sum()]] += 1
    return counts


def first_rows(everything: list[Row], n: int = 400) -> list[Row]:
    """Sort rows by their true intent and cut after `n`: the mistake of evaluating 'the first 400'."""
    return sorted(everything, key=lambda row: (str(row["target"]), str(row["id"])))[:n]
