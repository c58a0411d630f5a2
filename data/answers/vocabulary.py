"""The labels that an answer may name, and what an answer and a label have to share to be the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

_FENCE = "```"
_LANGUAGE = re.compile(r"[a-z]*", re.IGNORECASE)
_LEAD_WORDS = "answer|label|class|category|intent|prediction|output"
_LEAD_TEXT = rf"(?:the )?(?:final )?(?:{_LEAD_WORDS})\s*(?::|=|is:)\s*"
_LEAD = re.compile(_LEAD_TEXT, re.IGNORECASE)
_EDGE = " \t\r\n\"'`´‘’“”„«»*$#.,;:!?()[]{}<>\\"
_REMEMBERED = 8_192
ROOM = 60
"""Characters that an answer may be longer than the longest label and still be read as one with something around it."""


def normalise(text: str) -> str:
    """A text without what surrounds a label in an answer: case, quotes, bold, fences, "Answer:", a full stop.

    >>> normalise('Answer: **"Card_Arrival".**')
    'card arrival'
    """
    text = bare(_unfenced(text.strip()))
    lead = _LEAD.match(text) if ":" in text or "=" in text else None
    if lead and lead.end() < len(text):
        text = bare(text[lead.end() :])
    return " ".join(text.replace("_", " ").split()).casefold()


def _unfenced(text: str) -> str:
    """What stands in a block of code that is the whole text, without the language after the first fence."""
    if len(text) < 2 * len(_FENCE) or not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    inside = text[len(_FENCE) : -len(_FENCE)]
    language = _LANGUAGE.match(inside)
    return inside[language.end() if language else 0 :].strip()


def bare(text: str) -> str:
    """A text without quotes, brackets, markup and punctuation at its ends; itself if nothing else is in it."""
    return text.strip(_EDGE) or text.strip()


def lower_ascii(text: str) -> str:
    """Return a text with A to Z in lower case; no other character changes, so that positions stay.

    >>> lower_ascii("The ÄNSWER")
    'the Änswer'
    """
    return text.lower() if text.isascii() else text.encode().lower().decode()


@dataclass(frozen=True)
class Vocabulary:
    """The labels that an answer may name, with the look-ups that the rules need.

    labels : their codes are their places.
    """

    labels: tuple[str, ...]

    @cached_property
    def exact(self) -> dict[str, int]:
        """Label -> code."""
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def normalised(self) -> dict[str, int]:
        """Normalised label -> code; labels that become one when normalised are left to the exact match."""
        found = dict(zip(self.forms, range(len(self.labels)), strict=True))
        return {text: code for text, code in found.items() if text not in self.ambiguous}

    @cached_property
    def read_normalised(self) -> Callable[[str], int]:
        """Return the code of a label without what surrounds it, -1 where it is none; frequent texts are read once."""
        exact, forms = self.exact, self.normalised

        @lru_cache(maxsize=_REMEMBERED)
        def read(text: str) -> int:
            code = exact.get(bare(text))
            return forms.get(normalise(text), -1) if code is None else code

        return read

    @cached_property
    def ambiguous(self) -> frozenset[str]:
        """What several labels become when normalised."""
        return frozenset(text for text, n in Counter(self.forms).items() if n > 1)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The labels normalised."""
        return tuple(map(normalise, self.labels))

    @cached_property
    def longest(self) -> int:
        """Characters of the longest label."""
        return max(map(len, self.labels), default=0)

    @cached_property
    def letters(self) -> dict[str, int]:
        """Letter -> code: of labels that are letters or numbers themselves, (A) or 1, else A for the first of 26."""
        own = [bare(label).upper() for label in self.labels]
        if all(len(letter) <= 3 and letter.isascii() and letter.isalnum() for letter in own):
            times = Counter(own)
            return {letter: code for code, letter in enumerate(own) if times[letter] == 1}
        return {chr(65 + code): code for code in range(len(own))} if len(own) <= 26 else {}
