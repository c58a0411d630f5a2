"""Free answers to labels: which label, if any, a language model's text names, as a declared `Parser` reads it.

Every *distinct* answer is read once. The parser's rules run in order over all answers that are still open; what no
rule knows is UNPARSEABLE: wrong, but an outcome of its own that says why. A bare answer in the style of the labels
that is none of them is a label the model made up, outside the label space.

Outcomes
--------
exact, normalised, alias, letter, mentioned : the reading rule that knew the label.
several labels : no rule knew, and more than one label occurs in the text that was left.
outside the label space : no rule knew, and the answer reads as one label of the labels' own style; or an alias leads
    to a label that the label space lacks. More than 50 such labels, and than twice the labels, are free text.
    What follows a phrase ("answer is"), or is one line of many, is part of a text and never such a label.
refusal : the text that was left begins, in English, as a refusal or as not knowing.
empty : the answer holds no text, or nothing is left of it.
truncated : thinking, JSON or a code fence that never closes, a marker with nothing behind it, or a text that ends
    inside a word of a label.
echo of the prompt : four labels or more, and most of all labels, occur in the text.
unparseable : anything else, and what evaluation tools write for a failed parse ([invalid], NOT_PARSABLE, N/A…).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from threading import Lock

import numpy as np
import pyarrow as pa

from data.answers.match_rules import OUTCOME, read
from data.answers.spans import Spans, Texts
from data.answers.trim_rules import narrow
from data.answers.unread_answers import made_up_labels, marks_of_tools, unread
from data.answers.vocabulary import Vocabulary, normalise
from data.errors import DataError
from data.evaluation import UNPARSEABLE
from data.parser.parser import STANDARD, Parser, Rule
from data.parser.rule_kinds import NARROWING

OUTCOMES = (
    "exact", "normalised", "alias", "letter", "mentioned", "several labels", "outside the label space", "refusal",
    "empty", "truncated", "echo of the prompt", "unparseable",
)  # fmt: skip
"""What may become of an answer, in the order in which it is shown; the first five read a label."""
READ = OUTCOMES[:5]
"""Outcomes by which a label of the label space was read."""
OUTSIDE = "outside the label space"

_CODE = {name: code for code, name in enumerate(OUTCOMES)}
_OPEN = -1
_STATES, _STATES_BYTES = 16, 192 << 20
_TEXTS = 4
_LARGEST, _LARGEST_TOGETHER = 64 << 20, 128 << 20


@dataclass(frozen=True, eq=False)
class Parsed:
    """What became of m distinct answers.

    codes : int32 (m,), places of the labels, then of `outside`; or UNPARSEABLE.
    outcomes : int8 (m,), places in `OUTCOMES`.
    outside : labels outside the label space, in the order of their codes.
    rules : int16 (m,), place of the rule that decided; -1 = none did.
    """

    codes: np.ndarray
    outcomes: np.ndarray
    outside: tuple[str, ...]
    rules: np.ndarray
    _pieces: tuple[tuple[np.ndarray, Spans], ...] = field(repr=False, default=())

    @cached_property
    def left(self) -> pa.Array:
        """What the narrowing rules had left of every answer where it was decided, string (m,)."""
        order = np.empty(len(self.codes), dtype=np.int64)
        parts, at = [pa.array([], pa.large_string())], 0
        for rows, spans in self._pieces:
            order[rows] = np.arange(at, at + len(rows))
            parts.append(spans.trimmed.strings().cast(pa.large_string()))
            at += len(rows)
        return pa.concat_arrays(parts).take(pa.array(order))

    def names(self) -> list[str]:
        """The outcome of every answer by its name."""
        return [OUTCOMES[code] for code in self.outcomes.tolist()]


@dataclass(frozen=True, eq=False)
class _State:
    """How far the rules have come: `rows` are still open, `spans` is what is left of them."""

    rows: np.ndarray
    spans: Spans
    phrase: np.ndarray
    codes: np.ndarray
    outcomes: np.ndarray
    rules: np.ndarray
    pieces: tuple[tuple[np.ndarray, Spans], ...] = ()

    def settled(self, known: np.ndarray, codes: np.ndarray | int, outcome: np.ndarray | int, rule: int) -> _State:
        """Close the open answers where `known`, bool (k,); `codes` and `outcome` are of the known ones."""
        if not known.any():
            return self
        rows = self.rows[known]
        mine = (self.codes.copy(), self.outcomes.copy(), self.rules.copy())
        for array, value in zip(mine, (codes, outcome, rule), strict=True):
            array[rows] = value
        pieces = (*self.pieces, (rows, self.spans[known]))
        return _State(self.rows[~known], self.spans[~known], self.phrase[~known], *mine, pieces)


def parse_answers(
    texts: pa.Array | Iterable[str], labels: Sequence[str], parser: Parser = STANDARD, *, keep: bool = True
) -> Parsed:
    """Read distinct answers against a label space.

    Parameters
    ----------
    texts : the m distinct answers, string or large_string without nulls.
    labels : the label space; codes are its places.
    parser : whose rules read them. Its own label set plays no part here.
    keep : remember where things stand in the texts and how far each of the first rules came, so that a parser that
        differs in its last rules is quick. Four arrays are remembered, and none of more than 64 MB.

    Raises
    ------
    DataError
        a rule that cannot work, named by its number.

    >>> parsed = parse_answers(["**Spam**", "ham", "I cannot say.", "eggs", ""], ["ham", "spam"])
    >>> parsed.codes.tolist(), parsed.outside
    ([1, 0, -2, 2, -2], ('eggs',))
    >>> parsed.names()
    ['normalised', 'exact', 'refusal', 'outside the label space', 'empty']
    """
    array = texts if isinstance(texts, pa.Array) else pa.array(list(texts), pa.string())
    own = _texts_of(array) if keep else Texts(array)
    vocabulary = _vocabulary(tuple(labels))
    extra = _labels_beyond(parser, vocabulary)
    state = _run(own, parser, vocabulary, extra)
    return _finished(state, own, vocabulary, extra)


# -- rule by rule -----------------------------------------------------------------------------------


def _labels_beyond(parser: Parser, vocabulary: Vocabulary) -> dict[str, int]:
    """Labels that a rule names although the label space lacks them, with codes behind it."""
    named = dict.fromkeys(label for rule in parser.rules for _, label in rule.pairs)
    beyond = [label for label in named if label not in vocabulary.exact]
    return {label: len(vocabulary.labels) + place for place, label in enumerate(beyond)}


def _run(own: Texts, parser: Parser, vocabulary: Vocabulary, extra: dict[str, int]) -> _State:
    """The state behind the last rule, from the longest run of rules that is remembered."""
    states: _Recent = own.remembered("states", _Recent)
    key = (vocabulary.labels, tuple(extra))
    done = next((n for n in range(len(parser.rules), 0, -1) if (*key, parser.rules[:n]) in states), 0)
    state = states.get((*key, parser.rules[:done])) if done else None
    if state is None:
        done, state = 0, _begin(own, vocabulary)
    places = vocabulary.exact | extra if extra else vocabulary.exact
    for place, rule in enumerate(parser.rules[done:], done):
        state = _apply(rule, place, state, vocabulary, places)
        states.put((*key, parser.rules[: place + 1]), state)
    return state


def _begin(own: Texts, vocabulary: Vocabulary) -> _State:
    m = len(own.start)
    state = _State(
        np.arange(m), own.spans, np.zeros(m, dtype=bool), np.full(m, UNPARSEABLE, dtype=np.int32),
        np.full(m, _OPEN, dtype=np.int8), np.full(m, -1, dtype=np.int16),
    )  # fmt: skip
    return state.settled(marks_of_tools(own.spans, vocabulary.labels), UNPARSEABLE, _CODE["unparseable"], -1)


def _apply(rule: Rule, place: int, state: _State, vocabulary: Vocabulary, places: dict[str, int]) -> _State:
    """The state behind one more rule."""
    if not len(state.rows):
        return state
    if rule.kind in NARROWING:
        narrowed = narrow(rule, state.spans, vocabulary, place + 1)
        phrase = state.phrase if narrowed.phrase is None else state.phrase | narrowed.phrase
        state = _State(
            state.rows, narrowed.spans, phrase, state.codes, state.outcomes, state.rules, state.pieces
        )  # fmt: skip
        if narrowed.truncated is None:
            return state
        return state.settled(narrowed.truncated, UNPARSEABLE, _CODE["truncated"], place)
    if rule.kind not in OUTCOME:
        raise DataError(f"Rule {place + 1} is {rule.kind!r}, which is none of the rules there are.")
    codes = read(rule, state.spans, vocabulary, places)
    known = codes >= 0
    beyond = codes[known] >= len(vocabulary.labels)
    outcome = np.where(beyond, np.int8(_CODE[OUTSIDE]), np.int8(_CODE[OUTCOME[rule.kind]]))
    return state.settled(known, codes[known], outcome, place)


def _finished(state: _State, own: Texts, vocabulary: Vocabulary, extra: dict[str, int]) -> Parsed:
    """Say of the answers that are still open what became of them, and collect the labels that were made up."""
    pieces = (*state.pieces, (state.rows, state.spans))
    codes, outcomes, outside = state.codes, state.outcomes, tuple(extra)
    if len(state.rows):
        codes, outcomes = codes.copy(), outcomes.copy()
        why = unread(state.spans, own.spans[state.rows], state.phrase, vocabulary)
        outcomes[state.rows] = [_CODE[name] for name in why.outcomes]
        rows = state.rows[why.made_up]
        answers = state.spans[why.made_up].trimmed.strings().to_pylist()
        names = made_up_labels(answers, vocabulary.labels, outside)
        if names:
            outside = tuple(dict.fromkeys((*outside, *names.values())))
            place = {label: len(vocabulary.labels) + code for code, label in enumerate(outside)}
            codes[rows] = [place[names[normalise(answer)]] for answer in answers]
            outcomes[rows] = _CODE[OUTSIDE]
    codes, outside = _only_those_that_occur(codes, outside, len(vocabulary.labels))
    return Parsed(codes, outcomes, outside, state.rules, pieces)


def _only_those_that_occur(
    codes: np.ndarray, outside: tuple[str, ...], n_space: int
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Codes and labels outside the label space without the labels that a rule names and no answer leads to."""
    used = np.unique(codes[codes >= n_space]) - n_space
    if len(used) == len(outside):
        return codes, outside
    place = np.arange(n_space + len(outside) + 1, dtype=np.int32)
    place[n_space + used] = n_space + np.arange(len(used))
    return np.where(codes >= 0, place[codes], codes), tuple(outside[code] for code in used)


# -- what is remembered -----------------------------------------------------------------------------


class _Recent:
    """The last few states, as far as there is room."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, _State] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, key: object) -> bool:
        return key in self._kept

    def get(self, key: object) -> _State | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: object, state: _State) -> None:
        with self._lock:
            self._kept[key] = state
            self._kept.move_to_end(key)
            while len(self._kept) > 2 and (len(self._kept) > _STATES or self._n_bytes() > _STATES_BYTES):
                self._kept.popitem(last=False)

    def _n_bytes(self) -> int:
        """Bytes of the arrays, and of texts that a rule has copied, each once."""
        states = self._kept.values()
        texts = {id(state.spans.texts): len(state.spans.texts.data) for state in states}
        return sum(20 * len(state.rows) + 7 * len(state.codes) for state in states) + sum(texts.values())


@lru_cache(maxsize=8)
def _vocabulary(labels: tuple[str, ...]) -> Vocabulary:
    return Vocabulary(labels)


_SEEN: OrderedDict[int, Texts] = OrderedDict()
_SEEN_LOCK = Lock()


def _texts_of(array: pa.Array) -> Texts:
    """The texts of an array with what was found in them before."""
    with _SEEN_LOCK:
        seen = _SEEN.get(id(array))
        if seen is not None and seen.array is array:
            _SEEN.move_to_end(id(array))
            return seen
    texts = Texts(array)
    if len(texts.data) <= _LARGEST:
        with _SEEN_LOCK:
            _SEEN[id(array)] = texts
            while len(_SEEN) > _TEXTS or sum(len(one.data) for one in _SEEN.values()) > _LARGEST_TOGETHER:
                _SEEN.popitem(last=False)
    return texts
