"""Give labels an order, as a person said it, and propose one where names or numbers are those of a scale."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from data.columns.plain_labels import plain_form
from data.errors import DataError
from text.quoting import list_items, quote

FEWEST, MOST_NUMBERS = 3, 11
"""An order says nothing of two labels. More numbers than 0 to 10 are classes by number rather than a scale."""

_SCALES: tuple[tuple[str, ...], ...] = (
    ("very low", "low", "medium|moderate|mid|middle|normal|average", "high", "very high", "critical|extreme"),
    ("none", "minimal|trivial", "mild|minor|slight", "moderate", "severe|major", "very severe|critical", "blocker"),
    ("strongly disagree", "disagree", "neutral|neither", "agree", "strongly agree"),
    ("very bad|terrible|awful", "bad|poor", "fair|ok|okay|average|acceptable", "good", "very good", "excellent"),
    ("very negative", "negative", "neutral|mixed", "positive", "very positive"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl"),
    ("tiny|very small", "small", "medium", "large|big", "huge|very large"),
    ("never", "rarely|seldom", "sometimes|occasionally", "often|frequently", "always"),
    ("beginner|novice", "intermediate", "advanced", "expert"),
    ("easy", "medium", "hard|difficult"),
    ("cold", "cool", "warm", "hot"),
    ("irrelevant|not relevant", "partially relevant|partly relevant", "relevant", "highly relevant"),
    ("a1", "a2", "b1", "b2", "c1", "c2"),
    ("f", "d", "c", "b", "a"),
)
"""Scales from the lowest to the highest; words of one place have a bar between them."""
_COUNTED = re.compile(
    r"(?:(?:grade|level|stage|rating|score|severity|tier|degree) )?(-?\d+)(?: (?:stars?|points?))?", re.ASCII
)


def rank_labels(labels: Sequence[str], order: Sequence[str], known: Mapping[str, str]) -> dict[str, int]:
    """Return the place of every label in an order; places of names that are no label here stay free.

    known : spellings of labels, and labels that were merged into others.

    Raises
    ------
    DataError
        the order holds a name twice, or lacks a label.

    >>> rank_labels(["high", "low"], ["low", "medium", "high"], {})
    {'high': 2, 'low': 0}
    """
    twice = [name for name, n in Counter(order).items() if n > 1]
    if twice:
        raise DataError(f"The order of the labels holds {list_items(twice)} twice; name each label once.")
    forms = {plain_form(label): label for label in labels}
    meant = [name if name in labels else known.get(name, forms.get(plain_form(name), name)) for name in order]
    place = {label: rank for rank, label in enumerate(dict.fromkeys(meant))}
    without = [label for label in labels if label not in place]
    if without:
        raise DataError(
            f"The order of the labels has no place for {list_items(without)}. Name every label from the lowest to the "
            "highest, or give a label list without it."
        )
    return {label: place[label] for label in labels}


def propose_order(labels: Sequence[str]) -> tuple[str, ...]:
    """Return three or more labels in the order of a scale that their names, or their numbers, are of; () = of none.

    >>> propose_order(["high", "low", "Medium"]), propose_order(["5 stars", "1 star", "3 stars"])
    (('low', 'Medium', 'high'), ('1 star', '3 stars', '5 stars'))
    >>> propose_order(["cat", "dog", "fish"]), propose_order(["a", "b", "c", "d"])
    ((), ())
    """
    if len(labels) < FEWEST:
        return ()
    words = {label: " ".join(label.casefold().replace("_", " ").replace("-", " ").split()) for label in labels}
    places = next(filter(None, (_place_in(scale, words) for scale in _SCALES)), None) or _place_numbers(words)
    return tuple(sorted(places, key=places.__getitem__))


def is_of_numbers(order: Sequence[str]) -> bool:
    """Return whether an order is of plain numbers, which need not be a scale."""
    return all(re.fullmatch(r"-?\d+(\.0+)?", label, re.ASCII) for label in order)


def describe_proposal(order: Sequence[str]) -> str:
    """Say that labels may have an order, and how to take it."""
    first = "The labels are numbers" if is_of_numbers(order) else "The labels look like a scale"
    steps = " < ".join(quote(label) for label in order)
    return (
        f"{first}: {steps}. If that is their order, say so under Change on Open (--order): errors are then measured "
        "in steps."
    )


def _place_in(scale: Sequence[str], words: Mapping[str, str]) -> dict[str, int]:
    """Return the place of every label in a scale; {} where one is not of it, or two share a place."""
    rank = {word: place for place, step in enumerate(scale) for word in step.split("|")}
    places = {label: rank[word] for label, word in words.items() if word in rank}
    letters = {word for word in words.values() if len(word) == 1}
    are_answers = len(letters) == len(words) and not letters & {"f", "s"}  # A to D of a quiz are no grades
    return places if len(set(places.values())) == len(words) and not are_answers else {}


def _place_numbers(words: Mapping[str, str]) -> dict[str, int]:
    """Return the numbers of labels that are numbers, or hold one and the word of a scale; {} where one is not so."""
    numbers = {label: _COUNTED.fullmatch(plain_form(word)) for label, word in words.items()}
    places = {label: int(match[1]) for label, match in numbers.items() if match is not None}
    return places if len(set(places.values())) == len(words) <= MOST_NUMBERS else {}
