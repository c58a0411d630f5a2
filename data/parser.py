"""A parser as a value: ordered rules that say how a label is read from an answer, and the label set.

It only declares; `data.parsing` reads answers with it. A parser can be named, written as JSON, and is part of an
evaluation's fingerprint: numbers that another parser made are other numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from data.errors import DataError

NARROWING = ("strip_thinking", "after_last", "json_field", "first_line", "last_line", "strip", "regex")
"""Rules that leave less text to the rules after them; where they find nothing, the text stays as it is."""
READING = (
    "exact", "normalised", "alias", "choice_letter", "only_mentioned", "first_mentioned", "last_mentioned",
)  # fmt: skip
"""Rules that read a label from what is left; the first that knows one decides."""


@dataclass(frozen=True)
class Rule:
    """One rule of a parser.

    kind : one of `NARROWING` or `READING`.
    values : after_last: markers; json_field: field names; strip: decorations; strip_thinking: tag names;
        regex: one pattern. Empty = the rule's own default.
    pairs : alias: (text, label); choice_letter: (letter, label), empty = by the order of the labels.
    last : regex: the last match counts, not the first.
    """

    kind: str
    values: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    last: bool = False

    def to_json(self) -> dict[str, Any]:
        """The rule with what differs from its defaults."""
        found: dict[str, Any] = {"rule": self.kind}
        if self.values:
            found["values"] = list(self.values)
        if self.pairs:
            found["pairs"] = [list(pair) for pair in self.pairs]
        return found | ({"last": True} if self.last else {})

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Rule:
        """Read back what `to_json` wrote."""
        kind = values["rule"]
        if kind not in NARROWING + READING:
            raise DataError(f"There is no rule {kind!r}; the rules are {', '.join(NARROWING + READING)}.")
        pairs = tuple((str(a), str(b)) for a, b in values.get("pairs", ()))
        return cls(kind, tuple(map(str, values.get("values", ()))), pairs, bool(values.get("last", False)))


@dataclass(frozen=True)
class Parser:
    """How labels are read from answers.

    name : what the receipt and the page call it.
    rules : applied in order.
    labels : the label set, if the parser brings one; None = the evaluation's label space.
    """

    name: str
    rules: tuple[Rule, ...]
    labels: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """What is exported, stored and hashed."""
        labels = None if self.labels is None else list(self.labels)
        return {"name": self.name, "rules": [rule.to_json() for rule in self.rules], "labels": labels}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Parser:
        """Read back what `to_json` wrote.

        >>> Parser.from_json(STANDARD.to_json()) == STANDARD
        True
        """
        labels = values.get("labels")
        rules = tuple(Rule.from_json(rule) for rule in values["rules"])
        return cls(str(values["name"]), rules, None if labels is None else tuple(map(str, labels)))


STANDARD = Parser(
    "standard",
    (
        Rule("strip_thinking"),
        Rule("exact"),
        Rule("normalised"),
        Rule("json_field"),
        Rule("after_last", ("answer is",)),
        Rule("exact"),
        Rule("normalised"),
    ),
)
"""What reads answers where nobody has said otherwise."""
