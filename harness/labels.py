"""Labels from answers: a language model's text by the parser that serves, a classifier's logits by their size."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from data.answers.parsing import parse_answers
from data.labels.cell_sets import find_set_encoding, parse_list, read_members
from data.parser.parser import STANDARD, Parser
from harness.answers import Answer


class LabelReader(Protocol):
    """Read the label of every answer; None where it holds none."""

    def __call__(self, answers: Sequence[Answer]) -> list[str | None]: ...


@dataclass(frozen=True)
class ParsedLabels:
    """Read labels from texts, as the page Parsing and `cli.py score` do.

    labels : the label list. A label outside it is read as it is written.
    """

    labels: tuple[str, ...]
    parser: Parser = STANDARD

    def __call__(self, answers: Sequence[Answer]) -> list[str | None]:
        """Return the label of every answer.

        >>> ParsedLabels(("spam", "ham"))([Answer("Spam."), Answer("I cannot say."), Answer(error="timeout")])
        ['spam', None, None]
        """
        texts = list(dict.fromkeys(answer.raw for answer in answers if answer.raw is not None))
        parsed = parse_answers(texts, self.labels, self.parser, keep=False)
        names = (*self.labels, *parsed.outside)
        label_of: dict[str | None, str | None] = {
            text: names[code] if code >= 0 else None for text, code in zip(texts, parsed.codes.tolist(), strict=True)
        }
        return [label_of.get(answer.raw) for answer in answers]


@dataclass(frozen=True)
class LabelSets:
    """Write several labels of a row in one way."""

    labels: tuple[str, ...]

    def truths(self, cells: Sequence[str]) -> list[str]:
        """Return cells of several true labels, however the file writes them, as this reader writes them; "" stays.

        >>> LabelSets(("a", "b")).truths(['["b", "a"]', '["a"]'])
        ['["a", "b"]', '["a"]']
        """
        return [_in_order(names, self.labels) if names is not None else "" for names in label_sets(cells)]


@dataclass(frozen=True)
class ParsedSets(LabelSets):
    """Read several labels from a text: a JSON list, or parts with a comma, semicolon, bar or line between them."""

    parser: Parser = STANDARD

    def __call__(self, answers: Sequence[Answer]) -> list[str | None]:
        r"""Return the labels of every answer as a JSON list in the labels' order; None where no part holds one.

        >>> ParsedSets(("a", "b", "c"))([Answer("- C\n- a"), Answer('["b"]'), Answer("none"), Answer("Who knows?")])
        ['["a", "c"]', '["b"]', '[]', None]
        """
        parts_of = [_parts(answer.raw) for answer in answers]
        parts = list(dict.fromkeys(itertools.chain.from_iterable(parts_of)))  # each is read once
        read_labels = ParsedLabels(self.labels, self.parser)
        label_of = dict(zip(parts, read_labels([Answer(part) for part in parts]), strict=True))
        return [
            self._write_set(answer, {label_of[part] for part in own_parts})
            for answer, own_parts in zip(answers, parts_of, strict=True)
        ]

    def _write_set(self, answer: Answer, labels: set[str | None]) -> str | None:
        """Return the labels of one answer; None among them stands for parts that hold no label."""
        if (answer.raw or "").strip().strip(".").lower() in NO_LABELS:
            return as_list(())
        names = {label for label in labels if label is not None}
        return _in_order(names, self.labels) if names else None


NO_LABELS = ("none", "no label", "no labels", "[]")
"""Answers that say that no label fits."""
_BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]{1,2}[.)])\s*")


def _parts(text: str | None) -> list[str]:
    """Return the parts of an answer, each of which may hold a label."""
    listed = parse_list(text.strip()) if text else ()
    if listed is not None:
        return list(listed)
    return [part for line in re.split(r"[,;|\n]", text or "") if (part := _BULLET.sub("", line).strip())]


def label_sets(cells: Sequence[str]) -> list[tuple[str, ...] | None]:
    """Return the labels of every cell, however the file writes them; None where a cell is empty.

    >>> label_sets(['["b", "a"]', "", '["a"]'])
    [('b', 'a'), None, ('a',)]
    """
    encoding = find_set_encoding([cell for cell in dict.fromkeys(cells) if cell])
    sets: dict[str, tuple[str, ...] | None] = {"": None}
    for cell in cells:
        if cell not in sets:
            members = read_members(cell, encoding) if encoding else None
            sets[cell] = (cell,) if members is None else members
    return [sets[cell] for cell in cells]


def _in_order(names: Iterable[str], labels: Sequence[str]) -> str:
    place = {label: code for code, label in enumerate(labels)}
    return as_list(sorted(names, key=lambda name: (place.get(name, len(place)), name)))


@dataclass(frozen=True)
class LargestLogit:
    """Read the label with the largest logit."""

    labels: tuple[str, ...]

    def __call__(self, answers: Sequence[Answer]) -> list[str | None]:
        """Return the label of every answer; the first of equal ones.

        >>> LargestLogit(("a", "b"))([Answer(logits=(0.5, 1.5))])
        ['b']
        """
        return [None if answer.logits is None else self._largest(answer.logits) for answer in answers]

    def _largest(self, logits: Sequence[float]) -> str:
        return self.labels[logits.index(max(logits))]


@dataclass(frozen=True)
class LogitsFromZero(LabelSets):
    """Read every label with a logit of 0 or more (a probability of 0.5), as a JSON list in the labels' order."""

    def __call__(self, answers: Sequence[Answer]) -> list[str | None]:
        """Return the labels of every answer.

        >>> LogitsFromZero(("a", "b", "c"))([Answer(logits=(0.0, -1.0, 2.0))])
        ['["a", "c"]']
        """
        return [None if answer.logits is None else self._from_zero(answer.logits) for answer in answers]

    def _from_zero(self, logits: Sequence[float]) -> str:
        return as_list([label for label, logit in zip(self.labels, logits, strict=True) if logit >= 0])


def as_list(labels: Sequence[str]) -> str:
    """Write several labels as a JSON list.

    >>> as_list(["a", "ä"])
    '["a", "ä"]'
    """
    return json.dumps(list(labels), ensure_ascii=False)
