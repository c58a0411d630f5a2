"""Match rules of a parser: functions from a text to the code of its label, or -1, built once for a parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from data.answers.vocabulary import ROOM, Find, Vocabulary, has_joined_marks, normalise, strip_marks
from data.parser.parser import Rule

OUTCOME = {
    "exact": "exact",
    "normalised": "normalised",
    "alias": "alias",
    "choice_letter": "letter",
    "only_mentioned": "mentioned",
    "first_mentioned": "mentioned",
    "last_mentioned": "mentioned",
}
"""The outcome of each match rule."""

Match = Callable[[str], int]

_CHOICE = re.compile(
    r"[\W_]*+(?:(?:the )?(?:correct |final |best )?(?:answer|option|choice|letter)(?: is)?[\W_]*+)?"
    r"([a-z0-9]{1,3})(?:[\W_]*|\s*[\W_]+\s(?P<rest>.*))",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)


def build_match(rule: Rule, vocabulary: Vocabulary, places: Mapping[str, int], find: Find) -> Match:
    """Return the function that reads a label's code from the trimmed answer; -1 where it finds none.

    places : label -> code; also of labels that the rule names although the label space lacks them.
    find : gives the codes of the labels that a text mentions.

    >>> match = build_match(Rule("normalised"), Vocabulary(("ham", "spam")), {}, list)
    >>> match("**Spam**"), match("eggs")
    (1, -1)
    """
    if rule.kind == "exact":
        return _exact_match(vocabulary)
    if rule.kind == "normalised":
        return _short_match(vocabulary.read_normalised, vocabulary.longest)
    if rule.kind == "alias":
        return _alias_match(rule, vocabulary, places)
    if rule.kind == "choice_letter":
        letters = {text.strip().upper(): places[label] for text, label in rule.pairs} or vocabulary.letters
        return _short_match(lambda text: _find_choice(text, letters, vocabulary), vocabulary.longest)
    return _mention_match(rule.kind, find)


def _exact_match(vocabulary: Vocabulary) -> Match:
    """Read answers that are a label as they stand, or without the blanks at their ends."""
    exact = vocabulary.exact
    padded = {label: code for label, code in exact.items() if label and label != label.strip()}
    stripped = {label: code for label, code in exact.items() if label and label not in padded}
    if padded:  # labels may differ only by such blanks
        return lambda text: padded[text] if text in padded else stripped.get(text.strip(), -1)
    return lambda text: stripped.get(text.strip(), -1)


def _short_match(match: Match, longest: int) -> Match:
    """Read answers short enough to be a label with something around it, without the blanks at their ends."""
    room = longest + ROOM

    def short(text: str) -> int:
        text = text.strip()
        return match(text) if text and len(text) <= room else -1

    return short


def _alias_match(rule: Rule, vocabulary: Vocabulary, places: Mapping[str, int]) -> Match:
    """Read other names as they are written and, where they agree on a label, normalised."""
    texts = {text.strip(): places[label] for text, label in rule.pairs}
    agreed: dict[str, int | None] = {}
    for text, code in texts.items():
        form = normalise(text)
        agreed[form] = code if agreed.get(form, code) == code else None
    forms = {form: code for form, code in agreed.items() if code is not None}

    def alias(text: str) -> int:
        code = texts.get(text, texts.get(strip_marks(text)))
        return forms.get(normalise(text), -1) if code is None else code

    return _short_match(alias, max([vocabulary.longest, *map(len, texts)]))


def _find_choice(text: str, letters: Mapping[str, int], vocabulary: Vocabulary) -> int:
    """Read a letter: alone, or in front of the text of its own label."""
    if (code := letters.get(text.upper())) is not None:
        return code
    match = _CHOICE.fullmatch(text) if letters else None
    if match is None or (code := letters.get(match[1].upper())) is None:
        return -1
    rest = match["rest"]
    if rest is None or not strip_marks(rest):
        return -1 if has_joined_marks(text, *match.span(1)) else code
    return code if normalise(rest) == normalise(vocabulary.labels[code]) else -1


def _mention_match(kind: str, find: Find) -> Match:
    def mentioned(text: str) -> int:
        codes = find(text)
        if not codes or (kind == "only_mentioned" and len(set(codes)) > 1):
            return -1
        return codes[-1 if kind == "last_mentioned" else 0]

    return mentioned
