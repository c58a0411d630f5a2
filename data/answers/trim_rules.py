"""Trim rules of a parser: functions from a text to what is left of it, built once for a parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from time import monotonic

import numpy as np
import pyarrow as pa

from data.answers.json_answers import read_field
from data.answers.vocabulary import Vocabulary, lower_ascii
from data.errors import DataError
from data.limits import REGEX_SECONDS
from data.parser.parser import Rule, check_pattern
from data.parser.rule_kinds import ANSWER_TAGS, DECORATIONS, MARKERS, THINKING_TAGS
from text.quoting import quote

TRUNCATED = "truncated"
"""The answer ends before its label could come."""
PHRASE = "phrase"
"""Marks text cut out of a sentence or a longer text: it is no bare answer."""

Trimmed = tuple[str, str] | None
"""The text left, and TRUNCATED, PHRASE or nothing; None = the text stays as it is."""
Trim = Callable[[str], Trimmed]

_SKIPPED, _SKIPPED_MOST = " \t\r\n:", 64
_CHUNK = 1 << 20
_SHORT = 32
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # characters that Unicode keeps for use inside programs
_LINE_END = re.compile(r"[\r\n]")


def trim_texts(rule: Rule, texts: Sequence[str], vocabulary: Vocabulary, number: int) -> list[Trimmed]:
    """Apply a trim rule to the distinct texts that are still open.

    number : the rule's place in its parser, from 1, for the error.

    Raises
    ------
    DataError
        a pattern that is no pattern, or takes too long.
    """
    if rule.kind == "regex":
        return match_pattern(texts, rule, f"Rule {number} (regex)")
    return list(map(_trim(rule, vocabulary), texts))


def _trim(rule: Rule, vocabulary: Vocabulary) -> Trim:
    if rule.kind == "strip_thinking":
        return thinking_trim(rule.values or THINKING_TAGS)
    if rule.kind == "in_tag":
        return tag_trim(rule.values or ANSWER_TAGS)
    if rule.kind == "after_last":
        return marker_trim(rule.values or MARKERS)
    if rule.kind == "json_field":
        return _field_trim([name.casefold() for name in rule.values], vocabulary)
    if rule.kind == "strip":
        return partial(_strip, names=tuple(rule.values) or tuple(DECORATIONS))
    return partial(take_line, last=rule.kind == "last_line")


def thinking_trim(tags: Sequence[str]) -> Trim:
    """Keep the text after the last thinking block, or else the text before the first.

    `<think>` and `[THINK]` in any case; a closing tag alone will do, as some models open the block in the prompt.

    >>> trim = thinking_trim(["think"])
    >>> [trim(text) for text in ("<think>a or b?</think> b", "no: <think>it", "ham")]
    [('b', ''), ('no: <think>it', 'truncated'), None]
    """
    names = "|".join(re.escape(tag.lower()) for tag in tags)
    tag = re.compile(rf"<(?:{names})[> ]|\[(?:{names})\]|(?P<closing></(?:{names})>|\[/(?:{names})\])")

    def trim(text: str) -> Trimmed:
        if "<" not in text and "[" not in text:
            return None
        first, last, closed = -1, None, False
        for last in tag.finditer(lower_ascii(text)):
            closed = last["closing"] is not None
            if not closed and first < 0:
                first = last.start()
        if last is None:
            return None
        if not closed:
            return text, TRUNCATED
        rest = text[last.end() :].strip()
        return (rest if rest or first < 0 else text[:first]), ""

    return trim


def tag_trim(tags: Sequence[str]) -> Trim:
    """Keep what stands in the last of the tags; one that never closes reaches to the end.

    `<answer>` and `[ANSWER]` in any case.

    >>> trim = tag_trim(["answer"])
    >>> [trim(text) for text in ("<answer>a</answer> or <answer> b </answer>!", "So <answer>b", "<answer>", "ham")]
    [('b', ''), ('b', ''), ('<answer>', 'truncated'), None]
    """
    names = "|".join(re.escape(tag.lower()) for tag in tags)
    tag = re.compile(rf"<(?:{names})>|\[(?:{names})\]|(?P<closing></(?:{names})>|\[/(?:{names})\])")

    def trim(text: str) -> Trimmed:
        if "<" not in text and "[" not in text:
            return None
        begins, content = -1, None
        for match in tag.finditer(lower_ascii(text)):
            if match["closing"] is None:
                begins = match.end()
            elif begins >= 0:
                content, begins = text[begins : match.start()].strip(), -1
        if begins >= 0:
            content = text[begins:].strip() or None
            return (text, TRUNCATED) if content is None else (content, "")
        return None if content is None else (content, "")

    return trim


def marker_trim(markers: Sequence[str]) -> Trim:
    r"""Keep the text after the last of the markers, to the end of the line.

    Blanks, colons and line breaks between are skipped. Where nothing follows, the answer is truncated.
    After a marker of words only, such as `answer is`, stands the rest of a sentence: it is no bare answer.

    >>> trim = marker_trim(["answer is"])
    >>> [trim(text) for text in ("The answer is a. No: the ANSWER IS: b\nBye", "a", "The answer is")]
    [('b', 'phrase'), None, ('The answer is', 'truncated')]
    """
    known = [
        (spelling, len(spelling), "" if re.search(r"[^\w\s'’]", marker) else PHRASE)
        for marker in markers
        for spelling in _list_spellings(marker)
    ]

    def trim(text: str) -> Trimmed:
        low, after, note = lower_ascii(text), -1, ""
        for marker, length, its_note in known:
            place = low.rfind(marker) if length <= _SHORT else _find_last(low, marker)
            if place >= 0 and place + length > after:
                after, note = place + length, its_note
        if after < 0:
            return None
        behind = text[after:]
        rest = behind.lstrip(_SKIPPED)
        rest = (rest if len(behind) - len(rest) <= _SKIPPED_MOST else behind[_SKIPPED_MOST:]).strip()
        if "\n" in rest or "\r" in rest:
            rest = _LINE_END.split(rest, 1)[0].rstrip()
        return (rest, note) if rest else (text, TRUNCATED)

    return trim


def _find_last(text: str, part: str) -> int:
    """Return the place of the last such part, in linear time; -1 if there is none."""
    place = text[::-1].find(part[::-1])
    return place if place < 0 else len(text) - len(part) - place


def _list_spellings(marker: str) -> list[str]:
    """Return a marker as it is looked for: letters beyond A to Z in the cases that people write."""
    text = marker.strip() or marker
    cases = [text] if text.isascii() else [text, text.lower(), text.upper(), text.capitalize(), text.title()]
    return list(dict.fromkeys(map(lower_ascii, cases)))


def take_line(text: str, *, last: bool) -> Trimmed:
    r"""Leave the first or the last line that is not empty; a line of several is no bare answer.

    >>> [take_line("\nSo:\nham\n", last=last) for last in (False, True)]
    [('So:', 'phrase'), ('ham', 'phrase')]
    """
    whole = text.strip()
    if "\n" not in whole and "\r" not in whole:
        return whole, ""
    if last:
        return whole[max(whole.rfind("\n"), whole.rfind("\r")) + 1 :].lstrip(), PHRASE
    return _LINE_END.split(whole, 1)[0].rstrip(), PHRASE


def _field_trim(names: Sequence[str], vocabulary: Vocabulary) -> Trim:
    def trim(text: str) -> Trimmed:
        if "{" not in text or (value := read_field(text, names, vocabulary)) is None:
            return None
        return value, ""

    return trim


# -- decorations ------------------------------------------------------------------------------------

_PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "dollars": (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")),
    "boxed": tuple((f"\\{name}{{", "}") for name in ("text", "textbf", "textit", "mathrm", "mathbf", "texttt")),
    "bold": (("***", "***"), ("**", "**"), ("*", "*")),
    "quotes": (
        ('"', '"'), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"),
        ("‹", "›"), ("「", "」"),
    ),
    "brackets": (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")),
    "fence": (("```", "```"),),
    "full stop": (),
}  # fmt: skip
_BOXED, _BOX_CHARACTERS = ("\\boxed{", "\\fbox{"), 10_000
_BRACE = re.compile(r"[{}]")
_LANGUAGE_LINE = re.compile(r"[A-Za-z]{0,20}\n")
_ROUNDS = 8


def strip_decorations(text: str, names: Sequence[str]) -> str:
    r"""Return a text without decorations, however they are nested, up to eight deep.

    names : of `DECORATIONS`. "boxed" leaves the content of the last box, wherever it stands.

    >>> [strip_decorations(text, DECORATIONS) for text in ("**$B$**.", r"So \boxed{\text{ham}} it is", '"a" or "b"')]
    ['B', 'ham', '"a" or "b"']
    """
    left = text.strip()
    if "boxed" in names and "{" in left:
        left = _unbox(left)
    for _ in range(_ROUNDS):
        before = left
        for name in names:
            left = _strip_one(left, name)
        if left == before:
            break
    return left


def _strip(text: str, *, names: Sequence[str]) -> Trimmed:
    return strip_decorations(text, names), ""


def _strip_one(text: str, name: str) -> str:
    if name == "full stop":
        return text[:-1].strip() if len(text) > 1 and text[-1] == "." and text[-2] != "." else text
    for opening, closing in _PAIRS[name]:
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening) + len(closing):
            inner = text[len(opening) : -len(closing)]
            if closing in inner:  # `(A) or (B)` is no pair, as its bracket closes before
                continue
            if name == "fence" and (language := _LANGUAGE_LINE.match(inner)):
                inner = inner[language.end() :]
            text = inner.strip() or text
    return text


def _unbox(text: str) -> str:
    """Return the content of the last box, if its brace closes."""
    for needle in _BOXED:
        place = lower_ascii(text).rfind(needle)
        if place < 0:
            continue
        begins, depth = place + len(needle), 1
        for brace in _BRACE.finditer(text, begins, begins + _BOX_CHARACTERS):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                text = text[begins : brace.start()].strip() if brace.start() > begins else text
                break
    return text


# -- patterns that a person writes --------------------------------------------------------------------


def match_pattern(texts: Sequence[str], rule: Rule, where: str) -> list[Trimmed]:
    r"""Leave group 1, or the whole, of the first or last match of a pattern; matches of nothing are none.

    Matches are those that a search from left to right finds, without overlaps. The engine is RE2, whose time is
    linear in the text; a pattern that still takes longer than `REGEX_SECONDS` is refused.

    >>> match_pattern(["label=ham, label=eggs", "spam"], Rule("regex", (r"label=(\w+)",), last=True), "Rule 1")
    [('eggs', ''), None]
    """
    if len(rule.values) != 1:
        raise DataError(f"{where} has {len(rule.values)} patterns; exactly one was wanted, in values.")
    pattern = rule.values[0]
    check_pattern(pattern, where)
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    strings = pa.array(texts, pa.large_string())
    trimmed: list[Trimmed] = [None] * len(texts)
    until = monotonic() + REGEX_SECONDS
    for begin, end in _split_chunks(pc.binary_length(strings).to_numpy()):
        part = strings[begin:end]
        hit = np.flatnonzero(pc.match_substring_regex(part, pattern).to_numpy(zero_copy_only=False))
        matches = _mark_matches(part.take(pa.array(hit)), pattern, last=rule.last) if len(hit) else []
        for row, match in zip((hit + begin).tolist(), matches, strict=True):
            trimmed[row] = (match, "") if match else None
        if monotonic() > until:
            raise DataError(
                f"{where}: the pattern {quote(pattern)} took longer than {REGEX_SECONDS:g} seconds for "
                f"{end:,} of {len(texts):,} different answers; write a simpler one."
            )
    return trimmed


def _split_chunks(sizes: np.ndarray) -> list[tuple[int, int]]:
    """Return rows that hold about a megabyte together, as (first, one after the last)."""
    total = np.cumsum(sizes)
    cuts = np.searchsorted(total, np.arange(_CHUNK, int(total[-1]) + 1 if len(sizes) else 0, _CHUNK)) + 1
    places = sorted({0, *map(int, cuts), len(sizes)})
    return [(a, b) for a, b in pairwise(places) if b > a]


def _mark_matches(strings: pa.Array, pattern: str, *, last: bool) -> list[str]:
    """Return the match in each of some texts that hold one: it is put between two marks, and cut out there."""
    try:
        marked = _replace(strings, pattern, "\\2", last)
    except pa.ArrowInvalid:  # there is no group 1
        marked = _replace(strings, pattern, "\\1", last)
    parts = (text.rpartition(_OPEN)[2] if last else text.partition(_OPEN)[2] for text in marked.to_pylist())
    return [part.partition(_CLOSE)[0].strip() if _CLOSE in part else "" for part in parts]


def _replace(strings: pa.Array, pattern: str, group: str, last: bool) -> pa.Array:
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    return pc.replace_substring_regex(
        strings, f"({pattern})", f"{_OPEN}{group}{_CLOSE}", max_replacements=None if last else 1
    )
