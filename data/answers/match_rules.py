"""The reading rules of a parser: each knows the label of some answers and leaves the others to the rules after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.answers.mentions import mentioned
from data.answers.spans import Spans
from data.answers.vocabulary import ROOM, Lookup, Vocabulary, bare, bared, normalise, normalised
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
"""What becomes of an answer that a reading rule knows."""

_CHOICE = re.compile(
    r"[\W_]*+(?:(?:the )?(?:correct |final |best )?(?:answer|option|choice|letter)(?: is)?[\W_]*+)?"
    r"([a-z0-9]{1,3})(?:[\W_]*|\s*[\W_]+\s(?P<rest>.*))",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)


def read(rule: Rule, spans: Spans, vocabulary: Vocabulary, places: Mapping[str, int]) -> np.ndarray:
    """The code of the label that a rule reads from what is left of each answer, int32 (k,), -1 where it knows none.

    places : label -> code; also of labels that the rule names although the label space lacks them.
    """
    if rule.kind == "exact":
        return read_exact(spans, vocabulary)
    if rule.kind == "normalised":
        return _short(spans, vocabulary, lambda texts: _normalised(texts, vocabulary))
    if rule.kind == "alias":
        aliases = _Aliases.of(rule, places)
        return _short(spans, vocabulary, aliases.read, room=max(map(len, aliases.texts), default=0))
    if rule.kind == "choice_letter":
        letters = {text.strip().upper(): places[label] for text, label in rule.pairs} or vocabulary.letters
        return _short(spans, vocabulary, lambda texts: _choices(texts, letters, vocabulary))
    found = mentioned(spans, vocabulary.labels)
    if rule.kind == "only_mentioned":
        return np.where(found.several, np.int32(-1), found.first)
    return found.first if rule.kind == "first_mentioned" else found.last


def read_exact(spans: Spans, vocabulary: Vocabulary) -> np.ndarray:
    """Answers that are a label as they stand, or without the blanks at their ends."""
    look_up = Lookup(vocabulary.exact)
    codes = _short(spans, vocabulary, look_up)
    padded = {label: code for label, code in vocabulary.exact.items() if label != label.strip()}
    if padded:  # labels that differ by such blanks only are told apart by them
        longest = max(len(label.encode(errors="replace")) for label in padded)
        rows = np.flatnonzero((spans.size > 0) & (spans.size <= longest))
        found = Lookup(padded)(spans[rows].strings())
        codes[rows] = np.where(found >= 0, found, codes[rows])
    return codes


def _short(
    spans: Spans, vocabulary: Vocabulary, look_up: Callable[[pa.Array], np.ndarray], room: int = 0
) -> np.ndarray:
    """Codes of the answers short enough to be a label with something around it; different ones are read once."""
    longest = max(vocabulary.longest, room) + ROOM
    codes = np.full(len(spans), -1, dtype=np.int32)
    short = spans.short(longest)
    if len(short.rows):
        codes[short.rows] = look_up(short.texts)[short.codes]
    return codes


def _normalised(texts: pa.Array, vocabulary: Vocabulary) -> np.ndarray:
    inner = Lookup(vocabulary.exact)(bared(texts))
    return np.where(inner >= 0, inner, Lookup(vocabulary.normalised)(normalised(texts)))


class _Aliases(NamedTuple):
    texts: Mapping[str, int]
    forms: Mapping[str, int]

    @classmethod
    def of(cls, rule: Rule, places: Mapping[str, int]) -> _Aliases:
        """The other names as they are written and, where they agree on a label, normalised."""
        texts = {text.strip(): places[label] for text, label in rule.pairs}
        forms: dict[str, int | None] = {}
        for text, code in texts.items():
            form = normalise(text)
            forms[form] = code if forms.get(form, code) == code else None
        return cls(texts, {form: code for form, code in forms.items() if code is not None})

    def read(self, texts: pa.Array) -> np.ndarray:
        """Codes of texts that are another name of a label, int32, -1 where they are none."""
        found = Lookup(self.texts)(texts)
        inner = Lookup(self.texts)(bared(texts))
        found = np.where(found >= 0, found, inner)
        return np.where(found >= 0, found, Lookup(self.forms)(normalised(texts)))


def _choices(texts: pa.Array, letters: Mapping[str, int], vocabulary: Vocabulary) -> np.ndarray:
    """Texts that are a letter: alone, or in front of the text of its own label."""
    if not letters:
        return np.full(len(texts), -1, dtype=np.int32)
    return np.array([_choice(text, letters, vocabulary) for text in texts.to_pylist()], dtype=np.int32)


def _choice(text: str, letters: Mapping[str, int], vocabulary: Vocabulary) -> int:
    if (code := letters.get(text.upper())) is not None:
        return code
    found = _CHOICE.fullmatch(text)
    if found is None or (code := letters.get(found[1].upper())) is None:
        return -1
    rest = found["rest"]
    if rest is None or not bare(rest):
        return code
    return code if normalise(rest) == normalise(vocabulary.labels[code]) else -1
