"""Where the labels occur in texts as whole words: all labels at once, in time that grows with the text alone.

A label is looked for without the punctuation at its ends, in any case, its underscores and spaces being the same.
Inside a longer word or identifier (`invalid`, `not_spam`, `non-toxic`) it does not occur. Where mentions overlap, the
one that begins first counts, and of those the longest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from data.answers.spans import Spans, Texts
from data.answers.vocabulary import bare

MAX_BYTES = 256
"""Longer labels are not looked for."""

_BLANK = bytes.maketrans(b"_\t\n\r", b"    ")
_WORD = np.zeros(256, dtype=bool)
_WORD[[*b"abcdefghijklmnopqrstuvwxyz0123456789"]] = True
_WORD_AND_WIDE = _WORD.copy()
_WORD_AND_WIDE[128:] = True
_CHUNK = 4 << 20
_PAD = b"\0" * 8


class Mentions(NamedTuple):
    """Every mention of a label, in order.

    start, end : int64, bytes of the run of texts. codes : int32, places of the labels.
    """

    start: np.ndarray
    end: np.ndarray
    codes: np.ndarray


class Mentioned(NamedTuple):
    """Which labels occur in each of k parts of texts.

    first, last : int32 (k,), code of the label mentioned first and last, -1 = none.
    several : bool (k,), more than one label is mentioned.
    """

    first: np.ndarray
    last: np.ndarray
    several: np.ndarray


def forms(labels: Sequence[str]) -> dict[str, int]:
    """How labels are looked for -> code; without those of one character, too long, or alike.

    >>> forms(["Card_arrival", "(A)", "B", "7"])
    {'card arrival': 0, '(a)': 1}
    """
    found: dict[str, int | None] = {}
    for code, label in enumerate(labels):
        inner = bare(label)
        inner = inner if len(inner) > 1 else label.strip()
        form = " ".join(inner.replace("_", " ").split()).lower()
        if len(form) > 1 and len(form.encode(errors="replace")) <= MAX_BYTES:
            found[form] = code if found.get(form, code) == code else None
    return {form: code for form, code in found.items() if code is not None}


def mentioned(spans: Spans, labels: tuple[str, ...]) -> Mentioned:
    """Which labels occur in parts of texts; the texts are searched once for all parsers.

    >>> import pyarrow as pa
    >>> texts = Texts(pa.array(["Not valid: invalid.", "card arrival?", "none"]))
    >>> found = mentioned(texts.spans, ("valid", "invalid", "card_arrival"))
    >>> found.first.tolist(), found.last.tolist(), found.several.tolist()
    ([0, 2, -1], [1, 2, -1], [True, False, False])
    """
    found = mentions(spans.texts, labels)
    lowest, highest = _places(found, spans)
    any_here = highest > lowest
    if not len(found.codes):
        none = np.full(len(spans), -1, dtype=np.int32)
        return Mentioned(none, none.copy(), any_here)
    at = np.column_stack([np.where(any_here, lowest, 0), np.where(any_here, highest, 1)]).ravel()
    codes = np.append(found.codes, found.codes[-1])
    least, most = (reduce.reduceat(codes, at)[::2] for reduce in (np.minimum, np.maximum))
    first = np.where(any_here, codes[np.minimum(lowest, len(codes) - 1)], -1)
    last = np.where(any_here, codes[np.maximum(highest - 1, 0)], -1)
    return Mentioned(first.astype(np.int32), last.astype(np.int32), any_here & (least != most))


def n_mentioned(spans: Spans, labels: tuple[str, ...]) -> np.ndarray:
    """How many different labels occur in each of k parts of texts, int64 (k,)."""
    found = mentions(spans.texts, labels)
    lowest, highest = _places(found, spans)
    n = np.maximum(0, highest - lowest)
    rows = np.repeat(np.arange(len(spans)), n)
    places = np.repeat(lowest - np.concatenate([[0], np.cumsum(n)[:-1]]), n) + np.arange(int(n.sum()))
    pairs = np.unique(rows * max(1, len(labels)) + found.codes[places])
    return np.bincount(pairs // max(1, len(labels)), minlength=len(spans))


def _places(found: Mentions, spans: Spans) -> tuple[np.ndarray, np.ndarray]:
    """The mentions that lie in each part: from, and to (not included)."""
    return np.searchsorted(found.start, spans.start), np.searchsorted(found.end, spans.end, "right")


def mentions(texts: Texts, labels: tuple[str, ...]) -> Mentions:
    """Every mention of a label in the texts, in order, none inside another."""
    found = texts.remembered(("mentions", labels), lambda: _search(texts, forms(labels)))
    assert isinstance(found, Mentions)
    return found


def _search(texts: Texts, labels: dict[str, int]) -> Mentions:
    patterns = _Patterns(labels)
    parts = [_none_inside(*_search_rows(texts, patterns, first, last)) for first, last in _row_chunks(texts)]
    if not parts:
        return _none_inside(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32))
    return Mentions(*(np.concatenate([part[i] for part in parts]) for i in range(3)))


def _none_inside(start: np.ndarray, end: np.ndarray, codes: np.ndarray) -> Mentions:
    """Mentions in order, without those that begin inside one before, or are shorter than one that begins with them."""
    order = np.lexsort((-end, start))
    start, end = start[order], end[order]
    free = start >= np.append(0, np.maximum.accumulate(end))[:-1] if len(end) else np.zeros(0, dtype=bool)
    return Mentions(start[free], end[free], codes[order][free].astype(np.int32))


def _row_chunks(texts: Texts) -> list[tuple[int, int]]:
    """Rows of some megabytes together, as (first, one after the last)."""
    n = int(texts.end[-1]) if len(texts.end) else 0
    cuts = np.searchsorted(texts.end, np.arange(_CHUNK, n, _CHUNK)) + 1
    places = sorted({0, *map(int, cuts), len(texts.end)})
    return list(pairwise(places))


class _Patterns:
    """The bytes to look for, and what can be looked up of them at once: their first byte and their first two."""

    def __init__(self, labels: dict[str, int]) -> None:
        self.all = [(pattern, code) for form, code in labels.items() for pattern in _cases(form)]
        self.pairs = np.zeros(1 << 16, dtype=bool)
        self.pairs[[p[0] << 8 | p[1] for p, _ in self.all]] = True
        self.first = np.zeros(256, dtype=bool)
        self.first[[p[0] for p, _ in self.all]] = True


def _cases(form: str) -> list[bytes]:
    """A label's bytes; beyond A to Z, which the texts have in lower case, also as people write them."""
    if form.isascii():
        return [form.encode()]
    cases = (form, form.upper(), form.capitalize(), form.title())
    return list(dict.fromkeys(case.encode(errors="replace").lower() for case in cases))


def _search_rows(texts: Texts, patterns: _Patterns, first: int, last: int) -> tuple[np.ndarray, ...]:
    """Mentions in some of the texts: (start, end, code), in no order."""
    none = np.zeros(0, np.int64)
    offset, stop = int(texts.start[first]), int(texts.end[last - 1])
    if not patterns.all or stop - offset < 2:
        return none, none, none
    raw = texts.lower[offset:stop]
    run = raw.translate(_BLANK) + _PAD
    bytes_ = np.frombuffer(run, np.uint8)
    starts = texts.start[first:last] - offset
    places = _word_starts(bytes_[: len(raw)], patterns, starts)
    words = np.ndarray((len(run) - 7,), "<u8", run, strides=(1,))
    found = _standing(patterns.all, 0, places, words)
    if not found:
        return none, none, none
    start = np.concatenate([hit for hit, _, _ in found])
    end = start + np.repeat([size for _, size, _ in found], [len(hit) for hit, _, _ in found])
    codes = np.repeat(np.array([code for _, _, code in found], np.int32), [len(hit) for hit, _, _ in found])
    kept = _bounded(raw, start, end, starts, texts.end[first:last] - offset)
    return start[kept] + offset, end[kept] + offset, codes[kept]


def _word_starts(run: np.ndarray, patterns: _Patterns, starts: np.ndarray) -> np.ndarray:
    """Where a label could begin by its first two bytes and the byte in front."""
    word = _WORD[run]
    inside = np.zeros(len(run), dtype=bool)
    inside[1:] = word[1:] & word[:-1]
    inside[starts[starts < len(run)]] = False
    places = np.flatnonzero(patterns.first[run] & ~inside)
    places = places[places < len(run) - 1]
    pairs = run[places].astype(np.uint16) << 8 | run[places + 1]
    return np.asarray(places[patterns.pairs[pairs]])


def _standing(
    patterns: Sequence[tuple[bytes, int]], begin: int, places: np.ndarray, words: np.ndarray
) -> list[tuple[np.ndarray, int, int]]:
    """Of places where patterns stand up to `begin`, those where one stands as a whole: (places, its bytes, its code).

    Eight bytes of all patterns are looked up at once, so that a beginning that thousands of labels share costs nothing.
    """
    places = places[places + begin < len(words)]
    parts: dict[int, dict[int, list[tuple[bytes, int]]]] = defaultdict(lambda: defaultdict(list))
    for pattern, code in patterns if len(places) else ():
        part = pattern[begin : begin + 8]
        parts[len(part)][int.from_bytes(part, "little")].append((pattern, code))
    found = []
    for size in sorted(parts):
        known = np.array(sorted(parts[size]), dtype=np.uint64)
        masked = words[places + begin] & np.uint64((1 << 8 * size) - 1)
        at = np.minimum(np.searchsorted(known, masked), len(known) - 1)
        hits = np.flatnonzero(known[at] == masked)
        hits = hits[np.argsort(at[hits], kind="stable")]
        for group in np.split(hits, np.flatnonzero(np.diff(at[hits])) + 1) if len(hits) else ():
            own = parts[size][int(known[at[group[0]]])]
            found += [(places[group], len(pattern), code) for pattern, code in own if len(pattern) <= begin + 8]
            longer = [one for one in own if len(one[0]) > begin + 8]
            if longer:
                found += _standing(longer, begin + 8, places[group], words)
    return found


def _bounded(raw: bytes, start: np.ndarray, end: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Mentions that lie in one text and are whole words there; bool, as long as `start`."""
    run = np.frombuffer(raw, np.uint8)
    row = np.searchsorted(starts, start, "right") - 1
    kept = end <= ends[row]
    left = _glued(run, start, start - 1, start - 2, start > starts[row], start - 1 > starts[row])
    right = _glued(run, end - 1, end, end + 1, end < ends[row], end + 1 < ends[row])
    kept &= ~(left | right)
    beyond = (start > starts[row]) & (run.take(start - 1, mode="clip") >= 128)
    beyond |= (end < ends[row]) & (run.take(end, mode="clip") >= 128)
    beyond |= (run[start] >= 128) | (run.take(end - 1, mode="clip") >= 128)
    for place in np.flatnonzero(beyond & kept).tolist():
        low, high = int(starts[row[place]]), int(ends[row[place]])
        kept[place] = _is_word(raw, int(start[place]), int(end[place]), low, high)
    return kept


def _glued(
    run: np.ndarray, own: np.ndarray, next_: np.ndarray, beyond: np.ndarray, has_next: np.ndarray, has_more: np.ndarray
) -> np.ndarray:
    """Whether a word goes on behind its edge: by a letter, or by an underscore or hyphen and then a letter."""
    word = _WORD[run.take(own, mode="clip")]
    after = run.take(next_, mode="clip")
    hyphen = (after == ord("-")) | (after == ord("_"))
    more = has_more & _WORD_AND_WIDE[run.take(beyond, mode="clip")]
    glued: np.ndarray = word & has_next & (_WORD[after] | (hyphen & more))
    return glued


def _is_word(raw: bytes, start: int, end: int, low: int, high: int) -> bool:
    """The same for letters beyond A to Z; scripts without spaces between words have no edges to look at."""
    before = raw[max(low, start - 4) : start].decode(errors="ignore")[-1:]
    after = raw[end : min(high, end + 4)].decode(errors="ignore")[:1]
    own = raw[start:end].decode(errors="ignore")
    return not (_joined(before, own[:1]) or _joined(own[-1:], after))


def _joined(one: str, other: str) -> bool:
    return all(text and text.isalnum() and not _unspaced(text) for text in (one, other))


def _unspaced(character: str) -> bool:
    return character >= "\u2e80" or "\u0e00" <= character <= "\u0eff" or "\u1000" <= character <= "\u109f"
