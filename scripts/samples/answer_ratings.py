"""Pairs of answers to made-up questions, compared by four people and by two judges, one of them asked in both orders.

The answers come from three invented models of different quality, which differ in length, too. People go by quality, and
a little by length; the large judge goes by length more and prefers answers of its own maker; the small judge likes what
stands first. People rated the first half, each of them most of it; the judges rated all.
"""

from __future__ import annotations

import numpy as np

from scripts.samples.made_text import pick, read_phrases
from scripts.samples.support_intents import Row

SEED = 11
N = 600
BY_PEOPLE = 300
MODELS = {"Aster 1": (0.0, 22), "Birch 2": (0.9, 30), "Cedar 3": (1.3, 44)}
"""Quality and usual length in words."""
PEOPLE = {"anna": (1.0, 0.35), "ben": (1.1, 0.35), "chloe": (0.9, 0.9), "dmitri": (1.0, 0.15)}
"""Sharpness of each rater for quality, and the difference below which it is a tie."""
MISSED = 0.12  # of a person's ratings
LIKES_LENGTH = 0.012  # a word, of people
OPENINGS = ("Good question.", "In short:", "Let me explain.", "Happy to help.", "Here is what I know.")
CLOSINGS = ("Does this help?", "Ask me for more.", "I hope that is clear.", "")


def make_rows() -> list[Row]:
    """Make the pairs: id, question, answer_a, answer_b, model_a, model_b, words_a, words_b, first and seven raters."""
    rng = np.random.default_rng(SEED)
    questions = [line for lines in read_phrases("intents.txt").values() for line in lines if "{" not in line]
    return [_pair(rng, f"q{i:04d}", pick(rng, questions), by_people=i <= BY_PEOPLE) for i in range(1, N + 1)]


def _pair(rng: np.random.Generator, name: str, question: str, *, by_people: bool) -> Row:
    model_a, model_b = (str(model) for model in rng.choice(list(MODELS), 2, replace=False))
    words = [max(8, round(rng.normal(MODELS[model][1], 7))) for model in (model_a, model_b)]
    quality = [MODELS[model][0] + rng.normal(0, 0.8) for model in (model_a, model_b)]
    better, longer = quality[1] - quality[0], words[1] - words[0]
    first = "a" if rng.random() < 0.5 else "b"
    row: Row = {
        "id": name, "question": question,
        "answer_a": _answer(rng, words[0]), "answer_b": _answer(rng, words[1]),
        "model_a": model_a, "model_b": model_b, "words_a": words[0], "words_b": words[1], "first": first,
    }  # fmt: skip
    for person, (sharp, least) in PEOPLE.items():
        seen = sharp * better + LIKES_LENGTH * longer + rng.normal(0, 0.6)
        there = rng.random() >= MISSED and by_people
        row[person] = _verdict(seen, least) if there else ""
    advantage = 0.7 * ((model_b == "Cedar 3") - (model_a == "Cedar 3"))
    leaning = 0.9 * better + 0.05 * longer + advantage + rng.normal(0, 0.5)
    sign = 1 if first == "b" else -1
    row["judge_large"] = _verdict(leaning + 0.25 * sign, 0.2)
    row["judge_large_swapped"] = _verdict(leaning - 0.25 * sign + rng.normal(0, 0.2), 0.2)
    row["judge_small"] = _verdict(0.5 * better + 0.9 * sign + rng.normal(0, 0.8), 0.1)
    return row


def _verdict(seen: float, least: float) -> str:
    """Return which answer is preferred; "tie" below the least difference."""
    return "tie" if abs(seen) < least else "b" if seen > 0 else "a"


def _answer(rng: np.random.Generator, n: int) -> str:
    """Write an answer of n words."""
    lines = [line for lines in read_phrases("genres.txt").values() for line in lines]
    words = pick(rng, OPENINGS).split()
    while len(words) < n:
        words += pick(rng, lines).split()
    return " ".join([*words[:n], *pick(rng, CLOSINGS).split()][: max(n, 3)])
