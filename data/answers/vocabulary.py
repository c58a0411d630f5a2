"""The labels that an answer may name, and what an answer and a label have to share to be the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_FENCE = "```"
_LANGUAGE = re.compile(r"[a-z]*", re.IGNORECASE)
_LEAD_WORDS = "answer|label|class|category|intent|prediction|output"
_LEAD_TEXT = rf"(?:the )?(?:final )?(?:{_LEAD_WORDS})\s*(?::|=|is:)\s*"
_LEAD = re.compile(_LEAD_TEXT, re.IGNORECASE)
_EDGE = " \t\r\n\"'`´‘’“”„«»*$#.,;:!?()[]{}<>\\"
_PLAIN_EDGE = "".join(character for character in _EDGE if character.isascii())
_NOT_PLAIN = r"[^ -~\n\t\r]|```"
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


def normalised(texts: pa.Array) -> pa.Array:
    """`normalise` of many texts; what is not plain ASCII, or fenced, goes through it one by one.

    >>> normalised(pa.array(["**Ham**", "Label: Ü"])).to_pylist()
    ['ham', 'ü']
    """
    texts = _small(texts)
    found = _bare(texts)
    lead = pc.replace_substring_regex(found, f"(?i)^{_LEAD_TEXT}", "", max_replacements=1)
    shorter = pc.and_(pc.not_equal(lead, ""), pc.not_equal(pc.binary_length(lead), pc.binary_length(found)))
    found = pc.if_else(shorter, _bare(lead), found)
    words = pc.ascii_split_whitespace(pc.ascii_trim_whitespace(pc.replace_substring(found, "_", " ")))
    return _slowly(texts, pc.ascii_lower(pc.binary_join(words, " ")), normalise)


def bared(texts: pa.Array) -> pa.Array:
    """`bare` of many texts."""
    texts = _small(texts)
    return _slowly(texts, _bare(texts), bare)


def _small(texts: pa.Array) -> pa.Array:
    """As string: not every function knows large_string, and distinct short answers are no 2 GB."""
    return texts.cast(pa.string()) if pa.types.is_large_string(texts.type) else texts


def _bare(texts: pa.Array) -> pa.Array:
    found = pc.ascii_trim(texts, characters=_PLAIN_EDGE)
    return pc.if_else(pc.equal(found, ""), pc.ascii_trim_whitespace(texts), found)


def _slowly(texts: pa.Array, found: pa.Array, one: Callable[[str], str]) -> pa.Array:
    """What was found of texts of plain ASCII, and of the others what `one` makes of each."""
    other = pc.match_substring_regex(texts, _NOT_PLAIN)
    if not pc.any(other).as_py():
        return found
    again = pa.array([one(text) for text in texts.filter(other).to_pylist()], texts.type)
    return pc.replace_with_mask(found, other, again)


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


class Lookup:
    """Many texts in a dictionary at once."""

    def __init__(self, codes: Mapping[str, int]) -> None:
        self.keys = pa.array(list(codes), pa.string())
        self.codes = np.array([*codes.values(), -1], dtype=np.int32)

    def __call__(self, texts: pa.Array) -> np.ndarray:
        """The code of every text, int32, -1 where there is none."""
        if not len(self.keys):
            return np.full(len(texts), -1, dtype=np.int32)
        places = pc.index_in(_small(texts), self.keys).fill_null(-1)
        return np.asarray(self.codes[places.to_numpy(zero_copy_only=False)])
