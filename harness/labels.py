"""Labels from answers: a language model's text by the parser that serves, a classifier's logits by their size."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from data.answers.parsing import parse_answers
from data.labels.cell_sets import find_set_encoding, read_members
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
        found: dict[str | None, str | None] = {
            text: names[code] if code >= 0 else None for text, code in zip(texts, parsed.codes.tolist(), strict=True)
        }
        return [found.get(answer.raw) for answer in answers]


@dataclass(frozen=True)
class LargestLogit:
    """Read the label with the largest logit."""

    labels: tuple[str, ...]

    def __call__(self, answers: Sequence[Answer]) -> list[str | None]:
        """Return the label of every answer; the first of equal ones.

        >>> LargestLogit(("a", "b"))([Answer(logits=(0.5, 1.5))])
        ['b']
        """
        return [
            None if answer.logits is None else self.labels[answer.logits.index(max(answer.logits))]
            for answer in answers
        ]


@dataclass(frozen=True)
class LogitsFromZero:
    """Read every label with a logit of 0 or more (a probability of 0.5), as a JSON list in the labels' order."""

    labels: tuple[str, ...]

    def __call__(self, answers: Sequence[Answer]) -> list[str | None]:
        """Return the labels of every answer.

        >>> LogitsFromZero(("a", "b", "c"))([Answer(logits=(0.0, -1.0, 2.0))])
        ['["a", "c"]']
        """
        return [
            None
            if answer.logits is None
            else as_list([label for label, logit in zip(self.labels, answer.logits, strict=True) if logit >= 0])
            for answer in answers
        ]

    def truths(self, cells: Sequence[str]) -> list[str]:
        """Return cells of several true labels, however the file writes them, as this reader writes them; "" stays.

        >>> LogitsFromZero(("a", "b")).truths(['["b", "a"]', '["a"]'])
        ['["a", "b"]', '["a"]']
        """
        encoding = find_set_encoding([cell for cell in dict.fromkeys(cells) if cell])
        place = {label: code for code, label in enumerate(self.labels)}

        def written(cell: str) -> str:
            names = (read_members(cell, encoding) if encoding else None) or (cell,)
            return as_list(sorted(names, key=lambda name: (place.get(name, len(place)), name)))

        return [written(cell) if cell else "" for cell in cells]


def as_list(labels: Sequence[str]) -> str:
    """Write several labels as a JSON list.

    >>> as_list(["a", "ä"])
    '["a", "ä"]'
    """
    return json.dumps(list(labels), ensure_ascii=False)
