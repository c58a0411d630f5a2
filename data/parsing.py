"""Free answers to labels: which label, if any, a language model's text names.

An ordered tuple of small rules; the first that knows an answer decides. Every *distinct* answer is read once.
What no rule knows is UNPARSEABLE: wrong, but an outcome of its own. A bare answer in the style of the labels that
is none of them is a label the model made up, outside the label space.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from data.evaluation import UNPARSEABLE

EMPTY = "empty"
OUTSIDE = "outside the label space"
NO_LABEL = "no label found"

_FENCE = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.DOTALL | re.IGNORECASE)
_LEAD = re.compile(
    r"(?:(?:the )?(?:final )?(?:answer|label|class|category|intent|prediction|output)\s*(?::|=|is:)\s*)", re.IGNORECASE
)
_EDGE = " \t\r\n\"'`´‘’“”„«»*$#.,;:!?()[]{}<>\\"


def _words(text: str) -> list[str]:
    return text.split()


_REFUSAL_WORDS = set(
    _words(
        """
    i im i'm ive me my you we it its sorry apologies cannot can't cant unable not don't dont no none nothing as
    an the this that these is are was be to of for please here sure could would should might maybe perhaps unsure
    unclear unknown unparseable unparsable invalid missing null nan n/a na error undefined answer label
    """
    )
)
_PUNCTUATION = frozenset('.,:;!?"|\n')
_REFUSALS = {"not_parsable", "not_parseable", "notparsable", "no answer", "n"}


@dataclass(frozen=True)
class Vocabulary:
    """The labels that an answer may name, with the look-ups the rules need."""

    labels: tuple[str, ...]

    @cached_property
    def exact(self) -> dict[str, int]:
        """Label -> code."""
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def normalised(self) -> dict[str, int]:
        """Normalised label -> code; labels that become one when normalised are left to the exact match."""
        found = {normalise(label): code for code, label in enumerate(self.labels)}
        return {text: code for text, code in found.items() if text not in self.ambiguous}

    @cached_property
    def ambiguous(self) -> frozenset[str]:
        """What several labels become when normalised."""
        times = Counter(normalise(label) for label in self.labels)
        return frozenset(text for text, n in times.items() if n > 1)

    @cached_property
    def style(self) -> Style:
        """What the labels have in common."""
        return Style.of(self.labels)


class Rule(NamedTuple):
    """A named way to read an answer: the code of the label it names, or None."""

    name: str
    read: Callable[[str, Vocabulary], int | None]


class ParsedAnswers(NamedTuple):
    """What became of the distinct answers.

    codes : int32 (m,), codes into the labels and then `outside`, or UNPARSEABLE, one a distinct answer.
    outcomes : the name of the rule that knew the answer, or why none did, one a distinct answer.
    counts : rows (or distinct answers, without `rows`) of every outcome.
    outside : the made-up labels, in order of their codes.
    """

    codes: np.ndarray
    outcomes: tuple[str, ...]
    counts: dict[str, int]
    outside: tuple[str, ...]


def normalise(text: str) -> str:
    """A text without what surrounds a label in an answer: case, quotes, bold, fences, "Answer:", a full stop.

    >>> normalise('Answer: **"Card_Arrival".**')
    'card arrival'
    """
    fenced = _FENCE.fullmatch(text.strip()) if "```" in text else None
    text = bare(fenced[1] if fenced else text)
    lead = _LEAD.match(text) if ":" in text or "=" in text else None
    if lead and lead.end() < len(text):
        text = bare(text[lead.end() :])
    return " ".join(text.replace("_", " ").split()).casefold()


def bare(text: str) -> str:
    """A text without quotes, brackets, markup and punctuation at its ends; itself if nothing else is in it."""
    return text.strip(_EDGE) or text.strip()


def _exact(answer: str, vocabulary: Vocabulary) -> int | None:
    return vocabulary.exact.get(answer, vocabulary.exact.get(answer.strip()))


def _normalised(answer: str, vocabulary: Vocabulary) -> int | None:
    if len(answer) > vocabulary.style.longest + 60:
        return None
    inner = vocabulary.exact.get(bare(answer))
    return vocabulary.normalised.get(normalise(answer)) if inner is None else inner


def _json_field(answer: str, vocabulary: Vocabulary) -> int | None:
    """An object in which exactly one text names a label: `{"label": "spam", "why": "..."}`."""
    if "{" not in answer or len(answer) > 4_000:
        return None
    fenced = _FENCE.fullmatch(answer.strip())
    text = fenced[1] if fenced else answer.strip()
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    named = (
        {_whole(v, vocabulary) for v in fields.values() if isinstance(v, str)} if isinstance(fields, dict) else set()
    )
    named.discard(None)
    return named.pop() if len(named) == 1 else None


def _whole(answer: str, vocabulary: Vocabulary) -> int | None:
    code = _exact(answer, vocabulary)
    return _normalised(answer, vocabulary) if code is None else code


def _after_marker(answer: str, vocabulary: Vocabulary) -> int | None:
    """What follows the *last* "answer is" of a reasoned answer, up to the end of its line."""
    _, marker, rest = answer.casefold().rpartition("answer is")
    if not marker:
        return None
    named = answer[len(answer) - len(rest) :] if len(answer.casefold()) == len(answer) else rest
    return _whole(named.strip(" :\t\n").partition("\n")[0].strip(), vocabulary)


RULES: tuple[Rule, ...] = (
    Rule("exact", _exact),
    Rule("normalised", _normalised),
    Rule("json", _json_field),
    Rule("after “answer is”", _after_marker),
)


@dataclass(frozen=True)
class Style:
    """What labels have in common, so that a bare answer can be told to be meant as one."""

    words: int
    longest: int
    longest_bare: int
    spaces: bool
    numeric: bool

    @classmethod
    def of(cls, labels: Sequence[str]) -> Style:
        """The style of a list of labels."""
        names = [bare(label) for label in labels] or [""]
        return cls(
            words=min(6, max(len(re.split(r"[\s_\-]+", name)) for name in names)),
            longest=max((len(label) for label in labels), default=0),
            longest_bare=max(len(name) for name in names),
            spaces=any(" " in name for name in names),
            numeric=all(re.fullmatch(r"-?\d+", name) for name in names),
        )

    def fits(self, answer: str) -> bool:
        """Whether a whole answer reads as one label of this style, and not as a refusal or a sentence."""
        name = bare(answer)
        if len(name) > self.longest + 15 or _PUNCTUATION & set(name):
            return False
        words = name.casefold().replace("_", " ").replace("-", " ").split()
        if not words or name.casefold() in _REFUSALS or _REFUSAL_WORDS & set(words):
            return False
        if self.numeric:
            return bool(re.fullmatch(r"-?\d{1,6}", name))
        if self.longest_bare <= 3:  # "(A)", "B", "yes"
            return len(name) <= self.longest_bare and name.isalnum()
        separated = self.spaces or " " not in name
        return separated and len(words) <= max(self.words, 1 if self.spaces else 4) and len(name) >= 2


def parse_answers(
    answers: Iterable[str],
    labels: Sequence[str],
    *,
    rows: Sequence[int] | None = None,
    rules: tuple[Rule, ...] = RULES,
) -> ParsedAnswers:
    """Read the distinct answers against a label space.

    Parameters
    ----------
    answers : the distinct answers.
    labels : the label space; codes refer to it.
    rows : rows of every distinct answer, for `counts`.
    rules : tried in order.

    >>> parsed = parse_answers(["**Spam**", "ham", "I cannot say.", "eggs", ""], ["ham", "spam"])
    >>> parsed.codes.tolist(), parsed.outside
    ([1, 0, -2, 2, -2], ('eggs',))
    >>> parsed.counts
    {'exact': 1, 'normalised': 1, 'outside the label space': 1, 'no label found': 1, 'empty': 1}
    """
    vocabulary = Vocabulary(tuple(labels))
    answers = list(answers)
    read = [_read(answer, vocabulary, rules) for answer in answers]
    names = _made_up([answer for answer, (_, outcome) in zip(answers, read, strict=True) if outcome == OUTSIDE], labels)
    read = [_placed(answer, code, outcome, names) for answer, (code, outcome) in zip(answers, read, strict=True)]
    outside = list(dict.fromkeys(label for label, _ in names.values()))
    codes = np.array([code for code, _ in read], dtype=np.int32)
    outcomes = tuple(outcome for _, outcome in read)
    totals: Counter[str] = Counter()
    for outcome, n in zip(outcomes, rows if rows is not None else [1] * len(outcomes), strict=True):
        totals[outcome] += int(n)
    order = (*(rule.name for rule in rules), OUTSIDE, NO_LABEL, EMPTY)
    return ParsedAnswers(codes, outcomes, {name: totals[name] for name in order if totals[name]}, tuple(outside))


def _read(answer: str, vocabulary: Vocabulary, rules: tuple[Rule, ...]) -> tuple[int, str]:
    if not answer or answer.isspace():
        return UNPARSEABLE, EMPTY
    for rule in rules:
        code = rule.read(answer, vocabulary)
        if code is not None:
            return code, rule.name
    short = len(answer) <= vocabulary.style.longest + 60
    made_up = short and vocabulary.style.fits(answer) and normalise(answer) not in vocabulary.ambiguous
    return UNPARSEABLE, OUTSIDE if made_up else NO_LABEL


def _made_up(answers: Sequence[str], labels: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Normalised made-up label -> (its spelling, its code); empty if there are so many that they are free text."""
    names: dict[str, tuple[str, int]] = {}
    for answer in answers:
        key = normalise(answer)
        if key not in names:
            names[key] = (bare(answer), len(labels) + len(names))
    return names if len(names) <= max(50, 2 * len(labels)) else {}


def _placed(answer: str, code: int, outcome: str, names: dict[str, tuple[str, int]]) -> tuple[int, str]:
    if outcome != OUTSIDE:
        return code, outcome
    found = names.get(normalise(answer))
    return (found[1], OUTSIDE) if found else (UNPARSEABLE, NO_LABEL)
