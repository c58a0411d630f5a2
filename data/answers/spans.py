"""Parts of many texts as positions in one run of bytes: narrowing an answer moves two numbers and copies no text.

Positions are of bytes in UTF-8. Everything is found by its own bytes, so that no part begins or ends inside a
character.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_BLANK = np.zeros(256, dtype=bool)
_BLANK[[*b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"]] = True
_WIDE_BLANKS = {chr(c).encode() for c in (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F)}
_WIDE_BLANKS |= {"\u3000".encode()}
_LEADS = np.zeros(256, dtype=bool)
_LEADS[[text[0] for text in _WIDE_BLANKS]] = True
_TAILS = np.zeros(256, dtype=bool)
_TAILS[[text[-1] for text in _WIDE_BLANKS]] = True
_STEPS = 32  # blanks that are skipped one by one for all texts together; longer runs text by text
_KEPT, _KEPT_BYTES = 512, 64 << 20
_MANY = 1 << 18
_SHORT_PART = 64


class Texts:
    """Texts in one run of bytes, and where things stand in it: found once, for every parser that looks for them.

    array : string or large_string (m,), without nulls.
    start, end : int64 (m,), first byte of every text and the one after its last.
    """

    def __init__(self, array: pa.Array) -> None:
        self.array = array
        kind: Any = np.int64 if pa.types.is_large_string(array.type) else np.int32
        _, offsets, data = array.buffers()
        places = np.zeros(1, kind) if offsets is None else np.frombuffer(offsets, kind)
        places = places[array.offset : array.offset + len(array) + 1].astype(np.int64)
        places = places if len(places) else np.zeros(1, np.int64)
        self.start, self.end = places[:-1], places[1:]
        n = int(places[-1])
        self.data = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)[:n]
        self._found: OrderedDict[Any, Any] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    @cached_property
    def lower(self) -> bytes:
        """The bytes with A to Z in lower case; nothing else moves."""
        return self.data.tobytes().lower()

    @property
    def view(self) -> memoryview:
        """The bytes, to be cut without a copy."""
        return self.data.data  # numpy's name for its buffer

    @cached_property
    def is_ascii(self) -> bool:
        """Whether every byte is a character."""
        return not bool((self.data >= 128).any())

    @cached_property
    def line_ends(self) -> np.ndarray:
        """Positions of line feeds and carriage returns, int64, ascending."""
        return np.flatnonzero((self.data == 10) | (self.data == 13))

    def positions(self, needle: bytes) -> np.ndarray:
        """Where a text stands, its letters A to Z in any case; int64, ascending, overlaps included."""
        return np.asarray(self.remembered(("at", needle), lambda: self._search(needle)))

    def _search(self, needle: bytes) -> np.ndarray:
        begins = self._found.get(("at", needle[:1]))  # where it could begin may be known already
        if begins is None and len(needle) > 1 and self.lower.count(needle) <= _MANY:
            return _positions(self.lower, needle)
        run = np.frombuffer(self.lower, np.uint8)
        begins = np.flatnonzero(run == needle[0]) if begins is None else begins
        return _filtered(run, begins, needle)

    def remembered(self, key: Any, work: Any) -> Any:
        """The result of `work`, kept with these texts as long as there is room."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        found = work()
        with self._lock:
            if key not in self._found:
                self._found[key] = found
                self._n_bytes += _n_bytes(found)
            while len(self._found) > 1 and (len(self._found) > _KEPT or self._n_bytes > _KEPT_BYTES):
                self._n_bytes -= _n_bytes(self._found.popitem(last=False)[1])
        return found

    @property
    def spans(self) -> Spans:
        """All of every text."""
        return Spans(self, self.start, self.end)


def _n_bytes(found: Any) -> int:
    arrays = found if isinstance(found, tuple) else (found,)
    return sum(getattr(array, "nbytes", 0) for array in arrays)


def _positions(data: bytes, needle: bytes) -> np.ndarray:
    found, at = [], data.find(needle)
    while at >= 0:
        found.append(at)
        at = data.find(needle, at + 1)
    return np.array(found, dtype=np.int64)


def _filtered(run: np.ndarray, begins: np.ndarray, needle: bytes) -> np.ndarray:
    """Of places where the first byte stands, those of the whole: no loop over them, as all may be `a` and `aa`."""
    found = begins[begins <= len(run) - len(needle)]
    for place, byte in enumerate(needle[1:], 1):
        found = found[run[found + place] == byte]
    return found


class Short(NamedTuple):
    """Short parts of texts, each different one once.

    rows : their places among the parts, int64 (j,). texts : the d different ones. codes : int (j,), places in `texts`.
    """

    rows: np.ndarray
    texts: pa.Array
    codes: np.ndarray


@dataclass(frozen=True, eq=False)
class Spans:
    """One part of each of k texts: bytes `start` to `end` of `texts`, int64 (k,) each."""

    texts: Texts
    start: np.ndarray
    end: np.ndarray

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, chosen: Any) -> Spans:
        return Spans(self.texts, self.start[chosen], self.end[chosen])

    @property
    def size(self) -> np.ndarray:
        """Bytes of every part, int64 (k,)."""
        size: np.ndarray = self.end - self.start
        return size

    def at(self, positions: np.ndarray) -> np.ndarray:
        """The bytes at some positions; behind the end stands the last byte again."""
        data = self.texts.data
        found: np.ndarray = data.take(positions, mode="clip") if len(data) else np.zeros(len(positions), np.uint8)
        return found

    def strings(self) -> pa.Array:
        """The parts as texts."""
        own = self.texts
        if len(self) == len(own.start) and np.array_equal(self.start, own.start) and np.array_equal(self.end, own.end):
            return own.array
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(self.size, out=offsets[1:])
        data = pa.py_buffer(self._bytes(offsets))
        if offsets[-1] < 2**31:
            return pa.StringArray.from_buffers(len(self), pa.py_buffer(offsets.astype(np.int32)), data)
        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(offsets), data)

    def _bytes(self, offsets: np.ndarray) -> Any:
        """The parts behind each other: byte by byte where they are short, else part by part."""
        total = int(offsets[-1])
        if total <= _SHORT_PART * len(self):
            return self.texts.data[np.repeat(self.start - offsets[:-1], self.size) + np.arange(total)]
        view = self.texts.view
        return b"".join([view[a:b] for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)])

    @cached_property
    def trimmed(self) -> Spans:
        """The parts without the blanks at their ends."""
        start, end = self.start.copy(), self.end.copy()
        rows = np.flatnonzero(end > start)
        for _ in range(_STEPS):
            first, last = self.at(start[rows]), self.at(end[rows] - 1)
            wide = (_LEADS[first]) | (_TAILS[last])
            self._trim_slowly(start, end, rows[wide])
            front, back = _BLANK[first] & ~wide, _BLANK[last] & ~wide
            moved = front | back
            start[rows[front]] += 1
            end[rows[back]] -= 1
            end[rows] = np.maximum(start[rows], end[rows])
            rows = rows[moved & (end[rows] > start[rows])]
            if not len(rows):
                return Spans(self.texts, start, end)
        self._trim_slowly(start, end, rows)
        return Spans(self.texts, start, end)

    def _trim_slowly(self, start: np.ndarray, end: np.ndarray, rows: np.ndarray) -> None:
        """Text by text: long runs of blanks, and blanks of several bytes."""
        view = self.texts.view
        for row in rows.tolist():
            text = str(view[start[row] : end[row]], "utf-8")
            left = text.lstrip()
            start[row] += len(text.encode()) - len(left.encode())
            end[row] = start[row] + len(left.rstrip().encode())

    def last(self, needle: bytes) -> np.ndarray:
        """Where a text stands last in every part, int64 (k,), -1 where it does not."""
        return _last(self.texts.positions(needle), self.start, self.end - len(needle))

    def first(self, needle: bytes) -> np.ndarray:
        """Where a text stands first in every part, int64 (k,), -1 where it does not."""
        return _first(self.texts.positions(needle), self.start, self.end - len(needle))

    def count(self, needle: bytes) -> np.ndarray:
        """How often a byte or a text stands in every part, overlaps included; int64 (k,)."""
        found = self.texts.positions(needle)
        after = np.searchsorted(found, self.end - len(needle), "right")
        return np.asarray(np.maximum(0, after - np.searchsorted(found, self.start)))

    @cached_property
    def last_line_end(self) -> np.ndarray:
        """Where the last line break stands, int64 (k,), -1 where there is none."""
        return _last(self.texts.line_ends, self.start, self.end - 1)

    @cached_property
    def first_line_end(self) -> np.ndarray:
        """Where the first line break stands, int64 (k,), -1 where there is none."""
        return _first(self.texts.line_ends, self.start, self.end - 1)

    def short(self, limit: int) -> Short:
        """The parts of at most `limit` characters without the blanks at their ends, the empty ones left out."""
        if limit not in self._short:
            trimmed = self.trimmed
            rows = np.flatnonzero((trimmed.size > 0) & (trimmed.size <= limit))
            if not self.texts.is_ascii:
                wide = np.flatnonzero((trimmed.size > limit) & (trimmed.size <= 4 * limit))
                fits = pc.less_equal(pc.utf8_length(trimmed[wide].strings()), limit)
                rows = np.union1d(rows, wide[fits.to_numpy(zero_copy_only=False)])
            encoded = trimmed[rows].strings().dictionary_encode()
            self._short[limit] = Short(rows, encoded.dictionary, encoded.indices.to_numpy(zero_copy_only=False))
        return self._short[limit]

    @cached_property
    def _short(self) -> dict[int, Short]:
        return {}

    def moved(self, chosen: np.ndarray, start: np.ndarray, end: np.ndarray) -> Spans:
        """Other parts where `chosen`, bool (k,), is true; `start` and `end` are (k,) too."""
        if not chosen.any():
            return self
        return Spans(self.texts, np.where(chosen, start, self.start), np.where(chosen, end, self.end))

    def replaced(self, rows: np.ndarray, strings: pa.Array) -> Spans:
        """Other texts in some places: the others are copied beside them into a run of bytes of their own."""
        if not len(rows):
            return self
        kept = np.ones(len(self), dtype=bool)
        kept[rows] = False
        both = [self[kept].strings(), strings]
        large = sum(array.nbytes for array in both) >= 2**31
        both = [array.cast(pa.large_string() if large else pa.string()) for array in both]
        order = np.empty(len(self), dtype=np.int64)
        order[np.flatnonzero(kept)] = np.arange(int(kept.sum()))
        order[rows] = np.arange(int(kept.sum()), len(self))
        found = Texts(pa.concat_arrays(both))
        return Spans(found, found.start[order], found.end[order])


def _last(found: np.ndarray, lowest: np.ndarray, highest: np.ndarray) -> np.ndarray:
    if not len(found):
        return np.full(len(lowest), -1, dtype=np.int64)
    places = found[np.maximum(np.searchsorted(found, highest, "right") - 1, 0)]
    return np.where((places >= lowest) & (places <= highest), places, -1)


def _first(found: np.ndarray, lowest: np.ndarray, highest: np.ndarray) -> np.ndarray:
    if not len(found):
        return np.full(len(lowest), -1, dtype=np.int64)
    places = found[np.minimum(np.searchsorted(found, lowest), len(found) - 1)]
    return np.where((places >= lowest) & (places <= highest), places, -1)
