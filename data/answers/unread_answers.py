"""What became of the answers that no rule could read: why not, and which of them are labels that the model made up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.answers.mentions import n_mentioned
from data.answers.spans import Spans
from data.answers.vocabulary import ROOM, Vocabulary, bare, normalise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TOOL_MARKS = (
    "[invalid]", "['invalid']", '["invalid"]', "[missing]", "NOT_PARSABLE", "NOT_PARSEABLE", "UNPARSEABLE",
    "UNPARSABLE", "answer-not-found", "[no_answer]", "[noanswer]",
)  # fmt: skip
"""What evaluation tools write where they could not parse an answer: never read as a label unless it is one exactly."""
NO_ANSWERS = _words(
    "none null nan n/a na n invalid missing unknown unparsed unparseable unparsable undefined error no_answer noanswer "
    "not_parsable not_parseable notparsable no-answer"
) | {"no answer", "not parsable", "not parseable"}
"""Whole answers that say there is none, in lower case and without decorations."""

_REFUSAL = (
    r"(?i)^[\s\"'*_>]*(?:unfortunately|apologies|my apologies|i apologi[sz]e|(?:i['’]?m |i am |we['’]re |we are )?"
    r"(?:(?:so|very|really|terribly) )?sorry\b|sorry\b|as an? (?:ai|artificial|large|language)\b|"
    r"(?:i['’]?m |i am |we are )?(?:unable|not (?:able|sure|certain|comfortable|allowed))\b|no idea\b|"
    r"(?:(?:i|we) )?(?:can['’]?t|cannot|can not|could not|couldn['’]t|won['’]t|will not)\b|"
    r"(?:i|we) (?:do not|don['’]?t) (?:know|have|want|feel|understand|think i can)\b|"
    r"it(?: is|['’]s) (?:unclear|impossible|not (?:possible|clear))\b|(?:i )?(?:must |have to )?decline\b)"
)
_REFUSAL_WORDS = _words(
    """
    i im i'm ive me my you we it its sorry apologies cannot can't cant unable not don't dont no none nothing as
    an the this that these is are was be to of for please here sure could would should might maybe perhaps unsure
    unclear unknown unparseable unparsable invalid missing null nan n/a na error undefined answer label
    """
)
_PUNCTUATION = frozenset('.,:;!?"|\n')
_TAIL = 64
_SEPARATOR = r"[\x00-,./:-@\[-^`{-\x7f]"  # what is no letter, digit, hyphen or underscore of ASCII
_WORDLIKE = np.array([chr(byte).isalnum() or byte >= 128 or byte == ord("_") for byte in range(256)])
_SHORTEST_PREFIX = 3
_ECHOED_LABELS, _ECHOED_SHARE = 4, 0.6


class Why(NamedTuple):
    """What became of k answers that no rule could read.

    outcomes : name of the outcome of each. made_up : bool (k,), it may be a label that the model made up.
    """

    outcomes: list[str]
    made_up: np.ndarray


def unread(spans: Spans, whole: Spans, phrase: np.ndarray, vocabulary: Vocabulary) -> Why:
    """Say why answers could not be read.

    Parameters
    ----------
    spans, whole : what the narrowing rules left of the k answers, and all of them.
    phrase : bool (k,), what is left was part of a sentence: it is no bare answer, and no made-up label.
    """
    left = spans.trimmed
    outcomes = np.full(len(left), "unparseable", dtype=object)
    open_ = np.ones(len(left), dtype=bool)

    def say(name: str, where: np.ndarray) -> None:
        outcomes[open_ & where] = name
        open_[where] = False

    say("empty", (left.size == 0) | (whole.trimmed.size == 0))
    say("unparseable", _marks(left, vocabulary))
    say("truncated", _cut_off(left))
    if open_.any():
        rows = np.flatnonzero(open_)
        n = np.zeros(len(left), dtype=np.int64)
        n[rows] = n_mentioned(left[rows], vocabulary.labels)
        most = max(_ECHOED_LABELS, _ECHOED_SHARE * len(vocabulary.labels))
        say("echo of the prompt", n >= most)
        say("several labels", n >= 2)
    if open_.any():
        say("refusal", _where(left, open_, refuses))
        say("truncated", _where(left, open_, lambda part: _begins_a_label(part, vocabulary)))
    made_up = np.zeros(len(left), dtype=bool)
    rows = np.flatnonzero(open_ & ~phrase)
    made_up[rows] = _fits(left[rows], vocabulary)
    return Why(outcomes.tolist(), made_up)


def _where(spans: Spans, chosen: np.ndarray, test: Callable[[Spans], np.ndarray]) -> np.ndarray:
    rows = np.flatnonzero(chosen)
    found = np.zeros(len(spans), dtype=bool)
    if len(rows):
        found[rows] = test(spans[rows])
    return found


def marks_of_tools(spans: Spans, labels: Sequence[str]) -> np.ndarray:
    """Answers that are exactly what a tool writes for a failed parse, bool (k,); not where that is a label."""
    marks = pa.array([mark for mark in TOOL_MARKS if mark not in set(labels)], pa.string())
    return _exactly(spans.trimmed, marks, lambda texts: texts)


def _marks(spans: Spans, vocabulary: Vocabulary) -> np.ndarray:
    said: np.ndarray = _exactly(spans, pa.array(sorted(NO_ANSWERS), pa.string()), _plain)
    said |= marks_of_tools(spans, vocabulary.labels)
    return said


def _plain(texts: pa.Array) -> pa.Array:
    return pc.utf8_lower(pc.utf8_trim(texts, characters=" .\"'`*()[]<>{}!"))


def _exactly(spans: Spans, marks: pa.Array, form: Callable[[pa.Array], pa.Array]) -> np.ndarray:
    rows = np.flatnonzero((spans.size > 0) & (spans.size <= 40))
    found = np.zeros(len(spans), dtype=bool)
    if len(rows):
        texts = form(spans[rows].strings().cast(pa.string()))
        found[rows] = pc.is_in(texts, marks).to_numpy(zero_copy_only=False)
    return found


def _cut_off(spans: Spans) -> np.ndarray:
    """An object or a code fence that never closes."""
    cut: np.ndarray = spans.count(b"```") % 2 == 1
    opened = (spans.at(spans.start) == ord("{")) & (spans.size > 0) & (spans.at(spans.end - 1) != ord("}"))
    if opened.any():
        opened &= spans.count(b"{") > spans.count(b"}")
    cut |= opened
    return cut


def refuses(spans: Spans) -> np.ndarray:
    """Answers that begin, in English, as a refusal or as not knowing; bool (k,)."""
    begins = _whole_characters(Spans(spans.texts, spans.start, np.minimum(spans.end, spans.start + 200)))
    found: np.ndarray = pc.match_substring_regex(begins.strings(), _REFUSAL).to_numpy(zero_copy_only=False)
    return found


def _whole_characters(spans: Spans) -> Spans:
    """Spans that were cut at some byte, without the parts of characters at their ends."""
    start, end = spans.start.copy(), spans.end.copy()
    own_end = spans.texts.end[np.searchsorted(spans.texts.start, spans.start, "right") - 1]
    for _ in range(3):
        start += (start < end) & (spans.at(start) & 0xC0 == 0x80)
        end -= (start < end) & (end < own_end) & (spans.at(end) & 0xC0 == 0x80)
    return Spans(spans.texts, start, end)


def _begins_a_label(spans: Spans, vocabulary: Vocabulary) -> np.ndarray:
    """Answers that end inside a word of a label: "it is card_arr"."""
    beginnings = _beginnings(vocabulary)
    found = np.zeros(len(spans), dtype=bool)
    last = spans.at(spans.end - 1)
    rows = np.flatnonzero((spans.size > 0) & _WORDLIKE[last]) if beginnings else np.zeros(0, np.int64)
    if not len(rows):
        return found
    tails = Spans(spans.texts, np.maximum(spans.start[rows], spans.end[rows] - _TAIL), spans.end[rows])
    texts = _whole_characters(tails).strings()
    words = pc.utf8_lower(pc.replace_substring_regex(texts, f"(?s)^.*{_SEPARATOR}", ""))
    last_words = pa.array({re.split(_SEPARATOR, text)[-1].lower() for text in beginnings}, pa.string())
    likely = np.flatnonzero(pc.is_in(words.cast(pa.string()), last_words).to_numpy(zero_copy_only=False))
    ends = [_ends_in(text, beginnings) for text in texts.take(pa.array(likely)).to_pylist()]
    found[rows[likely]] = ends
    return found


def _beginnings(vocabulary: Vocabulary) -> frozenset[str]:
    """How labels begin, cut inside a word; nothing for labels that are short or numbers."""
    style = Style.of(vocabulary.labels)
    if style.numeric or style.longest_bare <= _SHORTEST_PREFIX:
        return frozenset()
    whole = {form for label in vocabulary.labels for form in _written(label)}
    inside = lambda form, i: form[i - 1] == "_" or (form[i - 1].isalnum() and form[i].isalnum())  # noqa: E731
    found = {
        form[:i] for form in whole for i in range(_SHORTEST_PREFIX, min(len(form), _TAIL)) if inside(form, i)
    }  # fmt: skip
    return frozenset(found - whole)


def _written(label: str) -> set[str]:
    form = bare(label).casefold()
    return {form, form.replace("_", " ")}


def _ends_in(text: str, beginnings: frozenset[str]) -> bool:
    """Whether the last words of a text are how a label begins."""
    text = text.casefold()
    starts = [0, *(match.end() for match in re.finditer(_SEPARATOR, text))]
    return any(text[start:] in beginnings for start in starts[-8:])


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
        """Whether a whole answer reads as one label of this style, and not as a refusal or a sentence.

        >>> style = Style.of(["card_arrival", "refund"])
        >>> style.fits("lost_card"), style.fits("I cannot say"), style.fits("It is lost.")
        (True, False, False)
        """
        name = bare(answer)
        if len(name) > self.longest + 15 or _PUNCTUATION & set(name):
            return False
        words = name.casefold().replace("_", " ").replace("-", " ").split()
        if not words or name.casefold() in NO_ANSWERS or _REFUSAL_WORDS & set(words):
            return False
        if self.numeric:
            return bool(re.fullmatch(r"-?\d{1,6}", name))
        if self.longest_bare <= 3:  # "(A)", "B", "yes"
            return len(name) <= self.longest_bare and name.isalnum()
        separated = self.spaces or " " not in name
        return separated and len(words) <= max(self.words, 1 if self.spaces else 4) and len(name) >= 2


def _fits(spans: Spans, vocabulary: Vocabulary) -> np.ndarray:
    """Answers in the style of the labels that are none of them, however they are dressed; bool (k,)."""
    style, longest = Style.of(vocabulary.labels), vocabulary.longest + ROOM
    short, found, own = spans.short(longest), np.zeros(len(spans), dtype=bool), frozenset(vocabulary.forms)
    if len(short.rows):
        known = [style.fits(text) and normalise(text) not in own for text in short.texts.to_pylist()]
        found[short.rows] = np.array(known, dtype=bool)[short.codes]
    return found


def made_up_labels(answers: Sequence[str], labels: Sequence[str], known: Sequence[str] = ()) -> dict[str, str]:
    """Normalised made-up label -> its first spelling; empty if there are so many that they are free text.

    known : labels outside the label space that a rule names; they keep their spelling.

    >>> made_up_labels(["**Eggs**", "eggs", "beans"], ["ham"])
    {'eggs': 'Eggs', 'beans': 'beans'}
    """
    names = {normalise(label): label for label in known}
    for answer in answers:
        names.setdefault(normalise(answer), bare(answer))
    return names if len(names) - len(known) <= max(50, 2 * len(labels)) else {}
