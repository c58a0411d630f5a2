"""Read labels from free text answers, as a declared `Parser` says; an answer may hold none.

Every *distinct* answer is read once. The parser's rules run in order over all answers that are still open; what no
rule knows is UNPARSEABLE: wrong, but an outcome of its own that says why. A bare answer in the style of the labels
may be none of them: the model made it up, outside the label space.

Outcomes
--------
exact, normalised, alias, letter, mentioned : the reading rule that knew the label.
several labels : no rule knew, and more than one label occurs in the text that was left.
outside the label space : no rule knew, and the answer reads as one label of the labels' own style; or an alias leads
    to a label that the label space lacks. More than 50 such labels, and than twice the labels, are free text.
    What follows a phrase ("answer is"), or is one line of many, is part of a text: it is such a label only where the
    same words around it hold a label in another answer.
refusal : the text that was left begins, in English, as a refusal or as not knowing.
empty : the answer holds no text, or nothing is left of it.
truncated : thinking, JSON or a code fence that never closes; a marker with nothing behind it; or a text that ends
    inside a word of a label.
echo of the prompt : four labels or more, and most of all labels, occur in the text.
unparseable : anything else, and what evaluation tools write for a failed parse ([invalid], NOT_PARSABLE, N/A…).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from threading import Lock

import numpy as np
import pyarrow as pa

from data.answers.match_rules import OUTCOME, build_match
from data.answers.trim_rules import PHRASE, TRUNCATED, trim_texts
from data.answers.unread_answers import MADE_UP, build_reason, find_made_up_labels, marks_of_tools
from data.answers.vocabulary import Vocabulary, build_mention_finder, normalise
from data.errors import DataError
from data.evaluation import UNPARSEABLE
from data.limits import MAX_PARSED_TABLES, PARSED_TABLE_BYTES, PARSED_TABLES_BYTES
from data.parser.parser import STANDARD, Parser, Rule
from data.parser.rule_kinds import TRIM_RULES

OUTCOMES = (
    "exact", "normalised", "alias", "letter", "mentioned", "several labels", "outside the label space", "refusal",
    "empty", "truncated", "echo of the prompt", "unparseable",
)  # fmt: skip
"""All outcomes of an answer, in the order in which they are shown; the first five read a label."""
READ = OUTCOMES[:5]
"""Outcomes by which a label of the label space was read."""
OUTSIDE = "outside the label space"
TITLES = {"unparseable": "no rule matches", "refusal": "refused", OUTSIDE: "not in the label list"}
"""Names of outcomes for people, where files and links have others; *no label found* is all without one."""

_CODE = {name: code for code, name in enumerate(OUTCOMES)}
_OPEN = -1  # the outcome of an answer that no rule has settled yet
_MENTION = Parser("mention", (Rule("only_mentioned"),))
_TEXT_BYTES = 64
"""Bytes of a text besides its characters."""


def outcome_title(name: str) -> str:
    """Return the name of an outcome for people.

    >>> outcome_title("unparseable"), outcome_title("exact")
    ('no rule matches', 'exact')
    """
    return TITLES.get(name, name)


@dataclass(frozen=True, eq=False)
class Parsed:
    """The outcomes and labels of m distinct answers.

    codes : int32 (m,), places of the labels, then of `outside`; or UNPARSEABLE.
    outcomes : int8 (m,), places in `OUTCOMES`.
    outside : labels outside the label space, in the order of their codes.
    rules : int16 (m,), place of the rule that decided; -1 = none did.
    """

    codes: np.ndarray
    outcomes: np.ndarray
    outside: tuple[str, ...]
    rules: np.ndarray
    _texts: Sequence[str] = field(repr=False, default=())

    @cached_property
    def left(self) -> list[str]:
        """Return what the trim rules had left of every answer where it was decided, m texts."""
        return [text.strip() for text in self._texts]

    def names(self) -> list[str]:
        """Return the outcome of every answer by its name."""
        return [OUTCOMES[code] for code in self.outcomes.tolist()]


class _Mentions(dict[str, Sequence[int]]):
    """Codes of the labels that texts mention; each text is searched once, while memory lasts."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        self.search, self.n_bytes = build_mention_finder(labels), 0

    def __missing__(self, text: str) -> Sequence[int]:
        places = tuple(self.search(text))
        self.n_bytes += len(text) + _TEXT_BYTES
        if self.n_bytes < PARSED_TABLE_BYTES:
            self[text] = places
        return places


@dataclass(frozen=True, eq=False)
class _State:
    """The progress of the rules: `open` are the places of the answers that are still open, ascending.

    texts : what is left of each of m answers. phrases : places of those that are part of a sentence.
    mentions : codes of the labels that texts mention, shared by all states of the same answers and labels.
    """

    array: pa.Array
    open: np.ndarray
    texts: list[str]
    phrases: frozenset[int]
    codes: np.ndarray
    outcomes: np.ndarray
    rules: np.ndarray
    mentions: _Mentions
    n_bytes: int

    def settle(self, known: np.ndarray, codes: np.ndarray | int, outcome: np.ndarray | int, rule: int) -> _State:
        """Close the open answers where `known`, bool (k,); `codes` and `outcome` are of the known ones."""
        if not known.any():
            return self
        settled = replace(
            self, open=self.open[~known], codes=self.codes.copy(), outcomes=self.outcomes.copy(),
            rules=self.rules.copy(),
        )  # fmt: skip
        rows = self.open[known]
        settled.codes[rows], settled.outcomes[rows], settled.rules[rows] = codes, outcome, rule
        return settled

    def left(self) -> list[str]:
        """Return what is left of the open answers."""
        if len(self.open) == len(self.texts):
            return self.texts
        return [self.texts[row] for row in self.open.tolist()]


def parse_answers(
    texts: pa.Array | Iterable[str], labels: Sequence[str], parser: Parser = STANDARD, *, keep: bool = True
) -> Parsed:
    """Read distinct answers against a label space.

    Parameters
    ----------
    texts : the m distinct answers, string or large_string without nulls.
    labels : the label space; codes are its places.
    parser : whose rules read them. Its own label set plays no part here.
    keep : remember how far each of the first rules came, as far as there is room. A parser that differs in its last
        rules is quick then.

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
    vocabulary = _vocabulary(tuple(labels))
    extra = _find_unknown_labels(parser, vocabulary)
    return _finish(_run(texts, parser, vocabulary, extra, keep=keep), vocabulary, extra)


def mark_read(
    texts: pa.Array | Iterable[str], labels: Sequence[str], parser: Parser, *, keep: bool = True
) -> np.ndarray:
    """Mark the answers from which a label of the label space is read, bool (m,), without saying why others are not.

    >>> mark_read(["**Spam**", "eggs"], ["ham", "spam"], STANDARD).tolist()
    [True, False]
    """
    vocabulary = _vocabulary(tuple(labels))
    outcomes = _run(texts, parser, vocabulary, _find_unknown_labels(parser, vocabulary), keep=keep).outcomes
    return np.asarray((outcomes != _OPEN) & (outcomes < len(READ)))


# -- rule by rule -----------------------------------------------------------------------------------


def _find_unknown_labels(parser: Parser, vocabulary: Vocabulary) -> dict[str, int]:
    """Return labels that a rule names although the label space lacks them, with codes behind it."""
    named = [label for rule in parser.rules for _, label in rule.pairs if label not in vocabulary.exact]
    return {label: len(vocabulary.labels) + place for place, label in enumerate(dict.fromkeys(named))}


def _run(
    texts: pa.Array | Iterable[str], parser: Parser, vocabulary: Vocabulary, extra: dict[str, int], *, keep: bool
) -> _State:
    """Return the state behind the last rule, from the longest run of rules that is remembered."""
    array = texts if isinstance(texts, pa.Array) else pa.array(list(texts), pa.string())
    states = _STATES if keep else _States()
    key, rules = (id(array), vocabulary.labels, tuple(extra)), parser.rules
    for done in range(len(rules), -1, -1):
        state = states.get((key, rules[:done]))
        if state is not None:
            break
    else:
        state = _begin(array, vocabulary)
        states.put((key, ()), state)
    places = vocabulary.exact | extra if extra else vocabulary.exact
    for place, rule in enumerate(rules[done:], done):
        state = _apply(rule, place, state, vocabulary, places)
        states.put((key, rules[: place + 1]), state)
    return state


def _begin(array: pa.Array, vocabulary: Vocabulary) -> _State:
    """Return the state in front of the first rule: answers that tools write for a failed parse are settled."""
    m, texts = len(array), array.to_pylist()
    state = _State(
        array,
        open=np.arange(m),
        texts=texts,
        phrases=frozenset(),
        codes=np.full(m, UNPARSEABLE, dtype=np.int32),
        outcomes=np.full(m, _OPEN, dtype=np.int8),
        rules=np.full(m, -1, dtype=np.int16),
        mentions=_Mentions(vocabulary.labels),
        n_bytes=array.nbytes + _TEXT_BYTES * m,
    )
    marks = marks_of_tools(vocabulary.labels)
    is_mark = np.fromiter((text.strip() in marks for text in texts), bool, m)
    return state.settle(is_mark, UNPARSEABLE, _CODE["unparseable"], -1)


def count_mentions(texts: Sequence[str] | pa.Array, labels: Sequence[str]) -> int:
    """Return how many texts mention one label only, wherever it stands.

    >>> count_mentions(["I would say refund.", "A refund of the billing?", "I cannot say."], ["refund", "billing"])
    1
    """
    return int(mark_read(texts, labels, _MENTION, keep=False).sum())


def _apply(rule: Rule, place: int, state: _State, vocabulary: Vocabulary, places: dict[str, int]) -> _State:
    """Return the state behind one more rule."""
    if not len(state.open):
        return state
    if rule.kind in TRIM_RULES:
        return _trim(rule, place, state, vocabulary)
    if rule.kind not in OUTCOME:
        raise DataError(f"Rule {place + 1} is {rule.kind!r}, which is not one of the rules.")
    read_label = build_match(rule, vocabulary, places, state.mentions.__getitem__)
    codes = np.fromiter(map(read_label, state.left()), np.int32, len(state.open))
    known = codes >= 0
    beyond = codes[known] >= len(vocabulary.labels)
    outcome = np.where(beyond, np.int8(_CODE[OUTSIDE]), np.int8(_CODE[OUTCOME[rule.kind]]))
    return state.settle(known, codes[known], outcome, place)


def _trim(rule: Rule, place: int, state: _State, vocabulary: Vocabulary) -> _State:
    """Return the state behind a trim rule: less text, and answers that end before their label could come."""
    trimmed = trim_texts(rule, state.left(), vocabulary, place + 1)
    if trimmed.count(None) == len(trimmed):
        return replace(state, n_bytes=0)  # most answers have no such block or field
    texts, phrases = state.texts.copy(), set(state.phrases)
    truncated = np.zeros(len(state.open), dtype=bool)
    n_bytes = 0
    for number, (row, cut) in enumerate(zip(state.open.tolist(), trimmed, strict=True)):
        if cut is not None:
            texts[row], note = cut
            n_bytes += len(texts[row]) + _TEXT_BYTES
            if note == PHRASE:
                phrases.add(row)
            truncated[number] = note == TRUNCATED
    state = replace(state, texts=texts, phrases=frozenset(phrases), n_bytes=n_bytes)
    return state.settle(truncated, UNPARSEABLE, _CODE["truncated"], place)


def _finish(state: _State, vocabulary: Vocabulary, extra: dict[str, int]) -> Parsed:
    """Give every answer that is still open its outcome, and collect labels outside the list."""
    codes, outcomes, outside = state.codes.copy(), state.outcomes.copy(), tuple(extra)
    reason = build_reason(vocabulary, state.mentions.__getitem__)
    open_phrases = state.phrases.intersection(state.open.tolist())
    # what stood around labels in other answers: a phrase in it may be a label, too
    frames = {_read_frame(state, row) for row in state.phrases - open_phrases} if open_phrases else set()
    made_up = {}
    for row in state.open.tolist():
        text = state.texts[row].strip()
        outcome = reason(text, row in open_phrases and _read_frame(state, row) not in frames)
        if outcome == MADE_UP:
            made_up[row] = text
        outcomes[row] = _CODE.get(outcome, _CODE["unparseable"])
    names = find_made_up_labels(list(made_up.values()), vocabulary.labels, outside)
    if names:
        outside = tuple(dict.fromkeys((*outside, *names.values())))
        place = {label: len(vocabulary.labels) + code for code, label in enumerate(outside)}
        for row, text in made_up.items():
            codes[row], outcomes[row] = place[names[normalise(text)]], _CODE[OUTSIDE]
    codes, outside = _drop_unused_labels(codes, outside, len(vocabulary.labels))
    return Parsed(codes, outcomes, outside, state.rules, state.texts)


def _read_frame(state: _State, row: int) -> tuple[str, str]:
    """Return what stands in front of the text that was left of an answer, and behind it."""
    whole, text = state.array[row].as_py(), state.texts[row].strip()
    before, _, behind = whole.rpartition(text) if text else (whole, "", "")
    return before, behind


def _drop_unused_labels(
    codes: np.ndarray, outside: tuple[str, ...], n_space: int
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return codes and labels outside the label space without the labels that a rule names and no answer leads to."""
    used = np.unique(codes[codes >= n_space]) - n_space
    if len(used) == len(outside):
        return codes, outside
    place = np.arange(n_space + len(outside) + 1, dtype=np.int32)
    place[n_space + used] = n_space + np.arange(len(used))
    return np.where(codes >= 0, place[codes], codes), tuple(outside[code] for code in used)


# -- what is remembered -----------------------------------------------------------------------------


class _States:
    """The last few states, while memory lasts. A state holds its array, whose id is part of its key."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, _State] = OrderedDict()
        self._lock = Lock()

    def get(self, key: object) -> _State | None:
        with self._lock:
            state = self._kept.get(key)
            if state is not None:
                self._kept.move_to_end(key)
            return state

    def put(self, key: object, state: _State) -> None:
        if state.array.nbytes + _TEXT_BYTES * len(state.texts) > PARSED_TABLE_BYTES:
            return
        with self._lock:
            self._kept[key] = state
            while len(self._kept) > MAX_PARSED_TABLES or self._n_bytes() > PARSED_TABLES_BYTES:
                self._kept.popitem(last=False)

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()

    def _n_bytes(self) -> int:
        """Return the bytes of the arrays and of the texts that each state holds."""
        return sum(state.n_bytes + 24 * len(state.texts) for state in self._kept.values())


_STATES = _States()


def forget_answers() -> None:
    """Let go of what parsers have read; the next change of a rule reads all answers again."""
    _STATES.forget()


_vocabulary = lru_cache(maxsize=8)(Vocabulary)
