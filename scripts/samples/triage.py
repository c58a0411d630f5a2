"""Messages to a service desk, urgent or routine, with the scores of two models: the new one helps some, costs others.

The messages are made from written templates, as the tickets of a form are. Both models are logistic regressions on
other messages: the first on few, and on whole words; the second on more, and on pieces of words, which forgive slips
of the hand. It saw none that a machine wrote down from a call, in capitals. From May on messages are more often
urgent, and some are about a new app that no model has seen.
"""

from __future__ import annotations

import datetime

import numpy as np

from scripts.samples.made_text import misspell, pick, read_phrases
from scripts.samples.support_intents import CITIES, ITEMS, Row

SEED = 5
N_TEST, N_TRAIN = 2_400, 2_000
START, DAYS, CHANGE = datetime.date(2026, 1, 1), 181, 120
CHANNELS = ("mail", "chat", "phone")
SPEAKERS = ("first language", "second language")
SINCE = {"this morning": 1.2, "an hour ago": 1.6, "yesterday": 0.3, "last week": -0.8, "last month": -1.6}
WHY = {
    "and i leave tomorrow": 1.4,
    "and the shop is full": 1.4,
    "": 0.0,
    "for my papers": -1.0,
    "when you have time": -1.6,
}
FILLERS = ("uh ", "so ", "hello yes ", "")
NEW = "new app"


def make_rows() -> list[Row]:
    """Make the messages: id, date, channel, speaker, template, text, truth, p_urgent_v1, p_urgent_v2."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(SEED)
    train, test = draw(rng, N_TRAIN, known_only=True), draw(rng, N_TEST, known_only=False)
    words = CountVectorizer(token_pattern=r"[a-z]+", binary=True)
    pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=2, sublinear_tf=True, lowercase=False)
    scores = []
    for vectors, rows, strength in (
        (words, [row for row in train if row["speaker"] == SPEAKERS[0]][::4], 0.2),
        (pieces, [row for row in train if row["channel"] != "phone"], 10.0),
    ):
        model = LogisticRegression(C=strength, tol=1e-10, max_iter=5000)
        model.fit(vectors.fit_transform([row["text"] for row in rows]), [row["truth"] == "urgent" for row in rows])
        scores.append(model.predict_proba(vectors.transform([row["text"] for row in test]))[:, 1])
    return [
        {"id": f"t{i:04d}", **row, "p_urgent_v1": float(v1), "p_urgent_v2": float(v2)}
        for i, (row, v1, v2) in enumerate(zip(test, *scores, strict=True), start=1)
    ]


def draw(rng: np.random.Generator, n: int, *, known_only: bool) -> list[Row]:
    """Draw messages in the order of their dates; known_only : none of the time after the change."""
    days = np.sort(rng.integers(0, CHANGE if known_only else DAYS, n))
    return [message(rng, int(day)) for day in days]


def message(rng: np.random.Generator, day: int) -> Row:
    """Draw one message of a day."""
    templates = read_phrases("triage.txt")
    names = [name for name in templates if day >= CHANGE or not name.startswith(NEW)]
    template = pick(rng, names)
    name, weight = template.rsplit(" ", 1)
    since, why = pick(rng, tuple(SINCE)), pick(rng, tuple(WHY))
    phrase = pick(rng, templates[template])
    tail = SINCE[since] * ("{since}" in phrase) + WHY[why] * ("{why}" in phrase)
    late = 2.0 * (day >= CHANGE)
    urgent = rng.random() < 1 / (1 + np.exp(-(2.0 * (float(weight) + tail - 0.6) + late)))
    text = phrase.format(
        since=since, why=why, amount=int(rng.integers(5, 300)), city=pick(rng, CITIES), item=pick(rng, ITEMS)
    ).strip()  # fmt: skip
    channel = CHANNELS[int(rng.choice(3, p=[0.5, 0.38, 0.12]))]
    speaker = SPEAKERS[int(rng.choice(2, p=[0.7, 0.3]))]
    return {
        "date": (START + datetime.timedelta(days=day)).isoformat(),
        "channel": channel,
        "speaker": speaker,
        "template": name,
        "text": write_text(rng, text, channel, speaker),
        "truth": "urgent" if urgent else "routine",
    }


def write_text(rng: np.random.Generator, text: str, channel: str, speaker: str) -> str:
    """Write a text as it reaches the desk: with slips of a second language, or as a machine heard it on the phone."""
    if speaker == "second language":
        text = " ".join(misspell(rng, word) if rng.random() < 0.7 else word for word in text.split())
    if channel == "phone":
        heard = (pick(rng, FILLERS) + text).replace(",", "")
        text = heard.upper() if rng.random() < 0.3 else heard.title()
    return text
