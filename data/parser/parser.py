r"""A parser as a value: ordered rules that say how a label is read from an answer, and the label set.

It only declares; `data.answers.parsing` reads answers with it. A parser can be named, written as JSON, and is part of
an evaluation's fingerprint: numbers that another parser made are other numbers.

A parser file is JSON, at most 256 kB:

    {"name": "served", "labels": ["spam", "ham"], "rules": [
      "strip_thinking",
      {"rule": "after_last", "values": ["answer is", "[/INST]"]},
      {"rule": "regex", "values": ["label=(\\w+)"], "last": true},
      "exact",
      "normalised",
      {"rule": "alias", "pairs": [["junk", "spam"]]}
    ]}

`labels` and `name` may be left out. A rule without options may be just its name, and a bare list of rules is a parser
too. Rules run in order. A *trim* rule leaves less of the text to the rules after it; where it finds nothing the text
stays as it is. A *match* rule settles the answers it knows; the first that knows one decides. What each rule does is
in `data.parser.rule_kinds.HELP`, what becomes of answers that no rule knows in `data.answers.parsing`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeGuard

from data.errors import DataError
from data.limits import (
    MAX_PARSER_BYTES,
    MAX_PARSER_LABEL_CHARS,
    MAX_PARSER_LABELS,
    MAX_PARSER_NAME_CHARS,
    MAX_PATTERN_CHARS,
    MAX_RULE_CHARS,
    MAX_RULE_PAIRS,
    MAX_RULE_VALUES,
    MAX_RULES,
)
from data.parser.rule_kinds import DECORATIONS, LABEL_MARKERS, MATCH_RULES, TRIM_RULES
from text.quoting import quote

_REPEATED = 1_000
"""Times that a pattern may have something repeated: counted repetitions in each other multiply."""
_COUNT = re.compile(r"\{(\d+)(?:,(\d*))?\}")


def check_pattern(pattern: str, where: str) -> None:
    """Raise DataError if a pattern is too long, repeats too often, matches nothing at all, or is not RE2.

    >>> check_pattern("label: (a|b)", "Rule 1 (regex)")
    """
    import pyarrow as pa  # imported late: files without a parser do not need it
    import pyarrow.compute as pc

    if len(pattern) > MAX_PATTERN_CHARS:
        raise DataError(
            f"{where}: the pattern has {len(pattern):,} characters; at most {MAX_PATTERN_CHARS} are allowed."
        )
    times = 1
    for low, high in _COUNT.findall(pattern):
        times *= max(1, int(low[:9]), int(high[:9] or 0))
    if times > _REPEATED or times * len(pattern) > 20 * _REPEATED:
        raise DataError(f"{where}: the pattern repeats something {times:,} times; write * or + instead of a number.")
    try:
        pc.match_substring_regex(pa.array([""]), pattern)  # by itself first: an error names what the person wrote
        pc.match_substring_regex(pa.array([""]), f"({pattern})")
        empty = pc.match_substring_regex(pa.array([""]), f"^(?:{pattern})$")
    except (pa.ArrowInvalid, UnicodeEncodeError) as error:
        reason = str(error).partition(": ")[2].partition(";")[0].strip()
        raise DataError(
            f"{where}: the pattern {quote(pattern)} is not valid ({quote(reason, 60)}); RE2 syntax was wanted, "
            "which has no look-ahead and no back-references."
        ) from None
    if empty[0].as_py():
        raise DataError(f"{where}: the pattern {quote(pattern)} matches an empty text, so it finds nothing.")


_KINDS_WITH = {
    "values": ("strip_thinking", "in_tag", "after_last", "json_field", "strip", "regex"),
    "pairs": ("alias", "choice_letter"),
    "last": ("regex",),
}
"""The kinds of rules that take each option."""


@dataclass(frozen=True)
class Rule:
    """One rule of a parser.

    kind : one of `TRIM_RULES` or `MATCH_RULES` (`data.parser.rule_kinds`).
    values : after_last: markers; json_field: field names; strip: `DECORATIONS`; strip_thinking, in_tag: tag names;
        regex: one pattern. Empty = the rule's own default.
    pairs : alias: (text, label); choice_letter: (letter, label), empty = by the order of the labels.
    last : regex: the last match counts, not the first.
    """

    kind: str
    values: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    last: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the rule with what differs from its defaults."""
        written: dict[str, Any] = {"rule": self.kind}
        if self.values:
            written["values"] = list(self.values)
        if self.pairs:
            written["pairs"] = [list(pair) for pair in self.pairs]
        if self.last:
            written["last"] = True
        return written

    @classmethod
    def from_json(cls, values: Any, number: int = 1) -> Rule:
        """Read what `to_json` wrote, or the bare name of a rule.

        number : the rule's place in its parser, from 1, for the error.

        Raises
        ------
        DataError
            naming the rule, what came and what was wanted.

        >>> Rule.from_json("exact")
        Rule(kind='exact', values=(), pairs=(), last=False)
        """
        where = f"Rule {number}"
        values = {"rule": values} if isinstance(values, str) else values
        if not isinstance(values, Mapping):
            raise DataError(
                f'{where} is {_show(values)}; a name, or an object such as {{"rule": "exact"}}, was wanted.'
            )
        kind = values.get("rule")
        if not isinstance(kind, str) or kind not in TRIM_RULES + MATCH_RULES:
            raise DataError(f"{where} is {_show(kind)}; there are {', '.join(TRIM_RULES + MATCH_RULES)}.")
        where = f"Rule {number} ({kind})"
        options = [option for option, kinds in _KINDS_WITH.items() if kind in kinds]
        unknown = [key for key in values if key not in ("rule", *options)]
        if unknown:
            raise DataError(f"{where} has {quote(unknown[0])}; it takes {' and '.join(options) or 'no options'}.")
        last = values.get("last", False)
        if not isinstance(last, bool):
            raise DataError(f"{where}: last is {_show(last)}; true or false was wanted.")
        texts = _read_values(values.get("values", ()), where)
        rule = Rule(kind, texts, _read_pairs(values.get("pairs", ()), where), last)
        _check_values(rule, where)
        return rule


@dataclass(frozen=True)
class Parser:
    """A parser: how labels are read from answers.

    name : what the receipt and the page call it.
    rules : applied in order.
    labels : the label set, if the parser brings one; None = the evaluation's label space.
    """

    name: str
    rules: tuple[Rule, ...]
    labels: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the parser as it is exported, stored and hashed."""
        return {
            "name": self.name,
            "rules": [rule.to_json() for rule in self.rules],
            "labels": None if self.labels is None else list(self.labels),
        }

    @classmethod
    def from_json(cls, values: Any) -> Parser:
        """Read what `to_json` wrote, or a person: anything else is refused.

        Raises
        ------
        DataError
            one sentence that names the rule by its number, what came and what was wanted.

        >>> Parser.from_json(STANDARD.to_json()) == STANDARD
        True
        """
        if not isinstance(values, Mapping):
            raise DataError(f"A parser is a JSON object with rules, or a list of rules; {_show(values)} came.")
        unknown = [key for key in values if key not in ("name", "rules", "labels")]
        if unknown:
            raise DataError(
                f"The parser has {quote(unknown[0])}, which is none of name, rules and labels: leave it out."
            )
        name = values.get("name", "parser")
        if not _is_text(name, MAX_PARSER_NAME_CHARS):
            raise DataError(
                f"The parser's name is {_show(name)}; a text of 1 to {MAX_PARSER_NAME_CHARS} characters was wanted."
            )
        rules = values.get("rules")
        if not isinstance(rules, list | tuple) or not 0 < len(rules) <= MAX_RULES:
            raise DataError(f"The parser has {_show(rules, 'rules')}; a list of 1 to {MAX_RULES} rules was wanted.")
        read_rules = tuple(Rule.from_json(rule, number) for number, rule in enumerate(rules, 1))
        n_pairs = sum(len(rule.pairs) for rule in read_rules)
        if n_pairs > MAX_RULE_PAIRS:
            raise DataError(
                f"The parser lists {n_pairs:,} aliases and letters; at most {MAX_RULE_PAIRS:,} are allowed."
            )
        return Parser(name, read_rules, _read_labels(values.get("labels")))


STANDARD = Parser(
    "standard",
    (
        Rule("strip_thinking"),
        Rule("exact"),
        Rule("normalised"),
        Rule("json_field"),
        Rule("in_tag"),
        Rule("after_last", ("answer is",)),
        Rule("exact"),
        Rule("normalised"),
        Rule("after_last", LABEL_MARKERS),
        Rule("exact"),
        Rule("normalised"),
    ),
)
"""The default parser."""


def read_parser(values: Mapping[str, Any]) -> Parser | None:
    """Return the parser that stored settings hold; None without one."""
    return Parser.from_json(values["parser"]) if values.get("parser") else None


def parser_from_text(text: str, name: str = "parser") -> Parser:
    """Read a parser from the text of a file: a JSON object, or a bare list of rules.

    Parameters
    ----------
    text : at most 256 kB of JSON.
    name : the file's name: what the parser is called where it does not say so itself.

    Raises
    ------
    DataError
        no JSON, too much of it, or not a parser.

    >>> parser_from_text('["exact", {"rule": "after_last", "values": ["answer is"]}, "exact"]', "mine.json").name
    'mine'
    """
    if len(text) > MAX_PARSER_BYTES or len(text.encode(errors="surrogatepass")) > MAX_PARSER_BYTES:
        raise DataError(f"The parser is larger than {MAX_PARSER_BYTES >> 10} kB: write fewer rules, aliases or labels.")
    try:
        values = json.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise DataError("The parser is nested too deep: write a list of rules.") from None
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(
            f'The parser is not JSON{where}: write {{"name": "mine", "rules": ["exact", "normalised"]}}, or only the '
            "list of rules."
        ) from None
    stem = PurePath(name).stem[:MAX_PARSER_NAME_CHARS] or "parser"
    if isinstance(values, list):
        return Parser.from_json({"name": stem, "rules": values})
    return Parser.from_json({"name": stem, **values} if isinstance(values, dict) else values)


def to_text(parser: Parser) -> str:
    """Write the parser as a file, readable by `parser_from_text`.

    >>> parser_from_text(to_text(STANDARD)) == STANDARD
    True
    """
    return json.dumps(parser.to_json(), ensure_ascii=False, indent=1) + "\n"


# -- what is accepted -------------------------------------------------------------------------------


def _read_labels(labels: Any) -> tuple[str, ...] | None:
    if labels is None:
        return None
    if not isinstance(labels, list | tuple) or not 0 < len(labels) <= MAX_PARSER_LABELS:
        raise DataError(
            f"The parser's labels are {_show(labels, 'labels')}; a list of 1 to {MAX_PARSER_LABELS:,} texts was wanted."
        )
    seen: set[str] = set()
    for place, label in enumerate(labels, 1):
        if not _is_text(label, MAX_PARSER_LABEL_CHARS):
            raise DataError(f"Label {place} of the parser is {_show(label)}; a text was wanted.")
        if label in seen:
            raise DataError(f"The parser's labels name {quote(label)} twice; every label must stand there once.")
        seen.add(label)
    return tuple(labels)


def _read_values(values: Any, where: str) -> tuple[str, ...]:
    if not isinstance(values, list | tuple) or len(values) > MAX_RULE_VALUES:
        raise DataError(
            f"{where}: values is {_show(values, 'values')}; a list of at most {MAX_RULE_VALUES} texts was wanted."
        )
    return tuple(_read_text(value, where, "a value") for value in values)


def _read_pairs(pairs: Any, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(pairs, list | tuple) or len(pairs) > MAX_RULE_PAIRS:
        raise DataError(
            f"{where}: pairs is {_show(pairs, 'pairs')}; a list of at most {MAX_RULE_PAIRS:,} pairs of "
            "texts was wanted."
        )
    labels: dict[str, str] = {}
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise DataError(f"{where}: a pair is {_show(pair)}; a text and its label were wanted.")
        text = _read_text(pair[0], where, "a text")
        label = _read_text(pair[1], where, "a label", MAX_PARSER_LABEL_CHARS)
        if labels.setdefault(text, label) != label:
            raise DataError(f"{where}: {quote(text)} stands for {quote(labels[text])} and {quote(label)}; keep one.")
    return tuple(labels.items())


def _read_text(value: Any, where: str, what: str, limit: int = MAX_RULE_CHARS) -> str:
    if not _is_text(value, limit):
        raise DataError(f"{where}: {what} is {_show(value)}; a text of 1 to {limit:,} characters was wanted.")
    return value


def _check_values(rule: Rule, where: str) -> None:
    if rule.kind == "strip" and (unknown := [value for value in rule.values if value not in DECORATIONS]):
        raise DataError(f"{where}: there is no decoration {quote(unknown[0])}; there are {', '.join(DECORATIONS)}.")
    if rule.kind == "strip_thinking":
        for value in rule.values:
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", value, re.ASCII):
                raise DataError(f"{where}: {quote(value)} is not the name of a tag; write think for <think>.")
    if rule.kind == "choice_letter" and (long := [text for text, _ in rule.pairs if len(text.strip()) > 3]):
        raise DataError(f"{where}: {quote(long[0])} is not a letter; at most 3 characters were wanted.")
    if rule.kind == "regex":
        if len(rule.values) != 1:
            raise DataError(f"{where} has {len(rule.values)} patterns; exactly one was wanted, in values.")
        check_pattern(rule.values[0], where)


def _is_text(value: Any, limit: int) -> TypeGuard[str]:
    """Return whether a value is some text, not too long, without half a character, which cannot be written."""
    if not isinstance(value, str) or not value.strip() or len(value) > limit:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _show(value: Any, items: str = "") -> str:
    """Quote a value, short enough for a sentence; items : what a list of them is counted in."""
    if isinstance(value, str):
        return quote(value) if len(value) <= MAX_RULE_CHARS else f"a text of {len(value):,} characters"
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"{len(value):,} {items}" if items else "a list"
    return "an object" if isinstance(value, Mapping) else quote(value)
