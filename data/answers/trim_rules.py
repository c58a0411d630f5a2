"""The narrowing rules of a parser: each leaves less of an answer to the rules after it, or leaves it as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from time import monotonic
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.answers.decorations import undecorated
from data.answers.json_answers import field_values
from data.answers.spans import Spans, Texts
from data.answers.vocabulary import Vocabulary
from data.errors import DataError
from data.parser.parser import Rule
from data.parser.patterns import check_pattern
from data.parser.rule_kinds import MARKERS, THINKING_TAGS
from text.sentences import quoted

REGEX_SECONDS = 5.0
"""How long one pattern may take for all answers; one that takes longer is refused."""

_SKIPPED = np.zeros(256, dtype=bool)
_SKIPPED[[*b" \t\r\n:"]] = True
_SKIPPED_MOST = 64
_CHUNK = 1 << 20
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # characters that Unicode keeps for use inside programs


class Narrowed(NamedTuple):
    """What a rule leaves.

    spans : what is left of the k answers.
    truncated : bool (k,), the answer ends before its label could come.
    phrase : bool (k,), what is left was part of a sentence or of longer text: it is no bare answer.
    """

    spans: Spans
    truncated: np.ndarray | None = None
    phrase: np.ndarray | None = None


def narrow(rule: Rule, spans: Spans, vocabulary: Vocabulary, number: int) -> Narrowed:
    """Apply a narrowing rule to what is left of the answers.

    number : the rule's place in its parser, from 1, for the error.

    Raises
    ------
    DataError
        a pattern that is no pattern, or takes too long.
    """
    if rule.kind == "strip_thinking":
        return without_thinking(spans, rule.values or THINKING_TAGS)
    if rule.kind == "after_last":
        return after_last(spans, rule.values or MARKERS)
    if rule.kind == "json_field":
        return Narrowed(field_values(spans, rule.values, vocabulary))
    if rule.kind == "strip":
        return Narrowed(undecorated(spans, rule.values))
    if rule.kind == "regex":
        return Narrowed(matched(spans, rule, f"Rule {number} (regex)"))
    return one_line(spans, last=rule.kind == "last_line")


def without_thinking(spans: Spans, tags: Sequence[str]) -> Narrowed:
    """What follows the last thinking block, or else what stands before the first.

    `<think>` and `[THINK]` in any case; a closing tag alone will do, as some models open the block in the prompt.

    >>> texts = Texts(pa.array(["<think>a or b?</think> b", "no: <think>it", "ham"]))
    >>> found = without_thinking(texts.spans, ["think"])
    >>> found.spans.strings().to_pylist(), found.truncated.tolist()
    (['b', 'no: <think>it', 'ham'], [False, True, False])
    """
    for bracket in (b"<", b"["):
        spans.texts.positions(bracket)  # where every tag begins, so that the texts are searched twice and no more
    opened = np.full(len(spans), -1, dtype=np.int64)
    first, closed, after = opened.copy(), opened.copy(), opened.copy()
    for tag in tags:
        for left, right in ("<>", "[]"):
            needle = f"{left}/{tag.lower()}{right}".encode()
            found = spans.last(needle)
            after = np.where(found > closed, found + len(needle), after)
            closed = np.maximum(closed, found)
            for opening in (f"{left}{tag.lower()}{right}", *[f"<{tag.lower()} "] * (left == "<")):
                found = spans.last(opening.encode())
                if not (found >= 0).any():
                    continue
                opened = np.maximum(opened, found)
                begins = spans.first(opening.encode())
                first = np.where((begins >= 0) & ((first < 0) | (begins < first)), begins, first)
    truncated = opened > closed
    rest = spans.moved(closed >= 0, after, spans.end).trimmed
    behind = (closed >= 0) & ~truncated
    nothing = behind & (rest.size == 0) & (first >= 0)
    start = np.where(nothing, spans.start, rest.start)
    return Narrowed(spans.moved(behind, start, np.where(nothing, first, rest.end)), truncated)


def after_last(spans: Spans, markers: Sequence[str]) -> Narrowed:
    r"""What follows the last of the markers, to the end of the line.

    Blanks, colons and line breaks between are skipped. Where nothing follows, the answer is truncated.
    After a marker of words only, such as `answer is`, stands the rest of a sentence: it is no bare answer.

    >>> texts = Texts(pa.array(["The answer is a. No: the ANSWER IS: b\nBye", "a", "The answer is"]))
    >>> found = after_last(texts.spans, ["answer is"])
    >>> found.spans.strings().to_pylist(), found.truncated.tolist()
    (['b', 'a', 'The answer is'], [False, False, True])
    """
    after = np.full(len(spans), -1, dtype=np.int64)
    phrase = np.zeros(len(spans), dtype=bool)
    for marker in markers:
        words = not re.search(r"[^\w\s'’]", marker)
        for needle in _spellings(marker):
            behind = spans.last(needle) + len(needle)
            later = (behind >= len(needle)) & (behind > after)
            after = np.where(later, behind, after)
            phrase = np.where(later, words, phrase)
    found = after >= 0
    rest = Spans(spans.texts, np.where(found, after, spans.start), spans.end)
    rest = _skip(rest, found).trimmed
    line_end = np.where(rest.first_line_end >= 0, rest.first_line_end, rest.end)
    truncated = found & (rest.size == 0)
    found &= ~truncated
    left = spans.moved(found, rest.start, line_end)
    return Narrowed(left.trimmed if found.any() else left, truncated, phrase & found)


def _spellings(marker: str) -> list[bytes]:
    """A marker as it is looked for: letters beyond A to Z in the cases that people write."""
    text = marker.strip() or marker
    cases = [text] if text.isascii() else [text, text.lower(), text.upper(), text.capitalize(), text.title()]
    return list(dict.fromkeys(case.encode().lower() for case in cases))


def _skip(spans: Spans, chosen: np.ndarray) -> Spans:
    start = spans.start.copy()
    rows = np.flatnonzero(chosen & (spans.size > 0))
    for _ in range(_SKIPPED_MOST):
        rows = rows[(start[rows] < spans.end[rows])]
        rows = rows[_SKIPPED[spans.at(start[rows])]]
        if not len(rows):
            break
        start[rows] += 1
    return Spans(spans.texts, start, spans.end)


def one_line(spans: Spans, *, last: bool) -> Narrowed:
    r"""The first or the last line that is not empty; a line of several is no bare answer.

    >>> texts = Texts(pa.array(["\nSo:\nham\n"]))
    >>> [one_line(texts.spans, last=last).spans.strings().to_pylist() for last in (False, True)]
    [['So:'], ['ham']]
    """
    whole = spans.trimmed
    if last:
        found = whole.last_line_end >= 0
        left = whole.moved(found, whole.last_line_end + 1, whole.end)
    else:
        found = whole.first_line_end >= 0
        left = whole.moved(found, whole.start, whole.first_line_end)
    return Narrowed(left.trimmed, phrase=found)


def matched(spans: Spans, rule: Rule, where: str) -> Spans:
    r"""Group 1, or the whole, of the first or last match of a pattern; matches of nothing are none.

    Matches are those that a search from left to right finds, without overlaps. The engine is RE2, whose time is
    linear in the text; what still takes longer than `REGEX_SECONDS` is refused.

    >>> texts = Texts(pa.array(["label=ham, label=eggs", "spam"]))
    >>> matched(texts.spans, Rule("regex", (r"label=(\w+)",), last=True), "Rule 1").strings().to_pylist()
    ['eggs', 'spam']
    """
    if len(rule.values) != 1:
        raise DataError(f"{where} has {len(rule.values)} patterns; exactly one was wanted, in values.")
    pattern = rule.values[0]
    check_pattern(pattern, where)
    strings = spans.strings()
    rows, found = [], []
    until = monotonic() + REGEX_SECONDS
    for begin, end in _chunks(spans.size):
        part = strings[begin:end]
        hit = np.flatnonzero(pc.match_substring_regex(part, pattern).to_numpy(zero_copy_only=False))
        if len(hit):
            rows.append(hit + begin)
            found.append(_marked(part.take(pa.array(hit)), pattern, last=rule.last))
        if monotonic() > until:
            raise DataError(
                f"{where}: the pattern {quoted(pattern)} took longer than {REGEX_SECONDS:g} seconds for "
                f"{end:,} of {len(spans):,} different answers; write a simpler one."
            )
    if not rows:
        return spans
    texts = pa.concat_arrays(found)
    kept = pc.not_equal(texts, "").to_numpy(zero_copy_only=False)
    return spans.replaced(np.concatenate(rows)[kept], texts.filter(pa.array(kept)))


def _chunks(sizes: np.ndarray) -> list[tuple[int, int]]:
    """Rows that hold about a megabyte together, as (first, one after the last)."""
    total = np.cumsum(sizes)
    cuts = np.searchsorted(total, np.arange(_CHUNK, int(total[-1]) + 1 if len(sizes) else 0, _CHUNK)) + 1
    places = sorted({0, *map(int, cuts), len(sizes)})
    return [(a, b) for a, b in pairwise(places) if b > a]


def _marked(strings: pa.Array, pattern: str, *, last: bool) -> pa.Array:
    """What a pattern finds in texts that hold a match: it is put between two marks, and cut out there."""
    try:
        found = _replaced(strings, pattern, "\\2", last)
    except pa.ArrowInvalid:  # there is no group 1
        found = _replaced(strings, pattern, "\\1", last)
    spans = Texts(found).spans
    opening, closing = _OPEN.encode(), _CLOSE.encode()
    start = (spans.last(opening) if last else spans.first(opening)) + len(opening)
    end = Spans(spans.texts, start, spans.end).first(closing)
    return Spans(spans.texts, start, np.maximum(start, end)).trimmed.strings()


def _replaced(strings: pa.Array, pattern: str, group: str, last: bool) -> pa.Array:
    return pc.replace_substring_regex(
        strings, f"({pattern})", f"{_OPEN}{group}{_CLOSE}", max_replacements=None if last else 1
    )
