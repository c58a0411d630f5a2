"""Draw the rows of a file: true labels, predictions of some accuracy, and scores that fit them."""

import math
import random
from collections.abc import Sequence

N_ROWS = (4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60, 100, 150, 250, 400)
_SHARES = (None, None, None, 0.2, 0.1)
"""Shares of the last class; None = all classes are as frequent."""


def draw_truth(random: random.Random, n: int, classes: Sequence[str]) -> list[str]:
    """Draw true labels; every class occurs where there are rows enough."""
    share = random.choice(_SHARES)
    weights = [1.0] * len(classes)
    if share is not None:
        weights[-1] = share * (len(classes) - 1) / (1 - share)
    drawn = [*classes, *random.choices(classes, weights, k=n)][:n]
    random.shuffle(drawn)
    return drawn


def draw_accuracy(random: random.Random) -> float:
    """Draw how often a model is right: mostly, always, hardly more than by chance, or never."""
    return random.choice((0.9, 0.9, 0.8, 0.75, 0.95, 0.97, 0.6, 1.0, 0.5, 0.0))


def draw_predictions(random: random.Random, truth: Sequence[str], classes: Sequence[str], accuracy: float) -> list[str]:
    """Draw predictions of `classes` that are right in about this share of the rows."""
    return [
        true if true in classes and random.random() < accuracy else _draw_other(random, true, classes) for true in truth
    ]


def _draw_other(random: random.Random, true: str, classes: Sequence[str]) -> str:
    others = [label for label in classes if label != true]
    return random.choice(others or list(classes))


def draw_shares(random: random.Random, predicted: Sequence[str], classes: Sequence[str]) -> dict[str, list[float]]:
    """Draw probabilities that add up to 1, the predicted class's the highest."""
    rows = []
    for label in predicted:
        drawn = sorted((random.gammavariate(1, 1) + 0.01 for _ in classes), reverse=True)
        drawn[0] += 0.05 * sum(drawn)
        total = sum(drawn)
        rows.append(_deal(random, [value / total for value in drawn], label, classes))
    return _by_class(rows, classes, 5)


def draw_votes(random: random.Random, predicted: Sequence[str], classes: Sequence[str]) -> dict[str, list[float]]:
    """Draw probabilities of 0 and 1, as a tree gives them."""
    return {label: [float(label == of_row) for of_row in predicted] for label in classes}


def draw_one_vs_rest(random: random.Random, predicted: Sequence[str], classes: Sequence[str]) -> dict[str, list[float]]:
    """Draw scores in 0 to 1 that do not add up to 1, the predicted class's the highest."""
    rows = []
    for label in predicted:
        drawn = sorted((random.betavariate(1.5, 2.5) for _ in classes), reverse=True)
        drawn[0] = min(drawn[0] + 0.03, 0.999)
        rows.append(_deal(random, drawn, label, classes))
    return _by_class(rows, classes, 4)


def draw_logits(random: random.Random, predicted: Sequence[str], classes: Sequence[str]) -> dict[str, list[float]]:
    """Draw logits, the predicted class's the highest."""
    rows = []
    for label in predicted:
        drawn = sorted((random.gauss(0, 2.5) for _ in classes), reverse=True)
        drawn[0] += 0.3
        rows.append(_deal(random, drawn, label, classes))
    return _by_class(rows, classes, 3)


def _deal(random: random.Random, falling: list[float], first: str, classes: Sequence[str]) -> dict[str, float]:
    """Give the highest value to one class, and the others to the rest in any order."""
    rest = [label for label in classes if label != first]
    random.shuffle(rest)
    return dict(zip([first, *rest], falling, strict=True))


def _by_class(rows: Sequence[dict[str, float]], classes: Sequence[str], digits: int) -> dict[str, list[float]]:
    return {label: [round(row[label], digits) for row in rows] for label in classes}


def draw_positive_scores(random: random.Random, predicted: Sequence[str], positive: str) -> list[float]:
    """Draw a probability of the positive class, from 0.5 on where it is predicted."""
    return [
        round(0.5 + 0.5 * random.betavariate(1.5, 1), 4)
        if label == positive
        else round(0.499 * random.betavariate(1, 1.5), 4)
        for label in predicted
    ]


def draw_confidences(random: random.Random, n: int, lowest: float) -> list[float]:
    """Draw how sure a model was of what it predicted."""
    return [round(lowest + (1 - lowest) * random.betavariate(2, 1.2), 3) for _ in range(n)]


def find_logit(share: float) -> float:
    """Return the logit of a probability.

    >>> find_logit(0.5)
    0.0
    """
    held = min(max(share, 1e-4), 1 - 1e-4)
    return round(math.log(held / (1 - held)), 4)
