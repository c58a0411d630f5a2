"""Find where the lists of one large JSON object are, and how long, without holding it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from data.errors import DataError
from data.reading.json.streams import Stream, array, decode, is_blank, past_space, skim
from text.quoting import quote

Path = tuple[str, ...]
_DEPTH = 2
_HEAD = 3
_KEPT = 10_000
_COMMA = re.compile(r"[ \t\r\n]*,[ \t\r\n]*(?!\s*\])")


@dataclass
class ListAt:
    """A list inside the text: the place behind its bracket, its length, and its first elements."""

    start: int
    n: int = 0
    head: list[Any] = field(default_factory=list)
    all_objects: bool = True

    @property
    def of_objects(self) -> bool:
        """Return whether it holds objects and nothing else."""
        return self.n > 0 and self.all_objects


@dataclass
class Outline:
    """An object: its plain values, lists and objects by path (at most two keys deep).

    Attributes
    ----------
    values, lists : at most 10,000 of each are kept.
    objects : path of an object, its own among them -> its number of keys and its first key.
    start : where the text of the object begins.
    """

    text: str
    start: int
    values: dict[Path, Any] = field(default_factory=dict)
    lists: dict[Path, ListAt] = field(default_factory=dict)
    objects: dict[Path, tuple[int, str]] = field(default_factory=dict)

    @property
    def has_values(self) -> bool:
        """Return whether the object itself holds plain values."""
        return any(len(path) == 1 for path in self.values)

    @property
    def keys(self) -> list[str]:
        """Return the object's own keys."""
        every = (*self.values, *self.lists, *self.objects)
        return list(dict.fromkeys(path[0] for path in every if path))

    def each(self, *path: str, where: str = "row", infinite: bool = False) -> Stream:
        """Return the elements of the list at a path, one by one."""
        return array(self.text, self.lists[path].start, where, alone=False, infinite=infinite)

    def whole(self) -> dict[str, Any]:
        """Return the object itself."""
        value, _ = decode(self.text, self.start, "the object")
        return dict(value)


def outline_object(text: str) -> Outline:
    """Walk through one object; NaN and Infinity pass here, and are looked at when the rows are read.

    Raises
    ------
    DataError
        It is cut off, not JSON, a key occurs twice in it, or something follows it.

    >>> found = outline_object('{"model": "m", "rows": [{"y": 1}, {"y": 2}]}')
    >>> found.values, found.lists[("rows",)].n, found.lists[("rows",)].of_objects
    ({('model',): 'm'}, 2, True)
    """
    start = past_space(text, 0)
    outline = Outline(text, start)
    end = _object(outline, start + 1, ())
    if not is_blank(text, end):
        raise DataError("more text follows its first object; one object, an array or one object per line was wanted.")
    return outline


def _object(outline: Outline, place: int, path: Path) -> int:
    seen: set[str] = set()
    first = ""
    place = past_space(outline.text, place)
    while outline.text[place : place + 1] != "}":
        key, place = _key(outline, place)
        if key in seen:
            raise DataError(f"the key {quote(key)} occurs twice in one object; give each key once.")
        seen.add(key)
        first = key if len(seen) == 1 else first
        place = _after(outline, _member(outline, place, (*path, key)), "}")
    if len(outline.objects) < _KEPT:
        outline.objects[path] = len(seen), first
    return place + 1


def _key(outline: Outline, place: int) -> tuple[str, int]:
    key, place = decode(outline.text, place, "a key of the object", cut_off=True)
    place = past_space(outline.text, place)
    if not isinstance(key, str) or outline.text[place : place + 1] != ":":
        raise DataError("the object is not valid JSON: a key in quotation marks and a colon were wanted.")
    return key, past_space(outline.text, place + 1)


def _after(outline: Outline, place: int, end: str) -> int:
    """Return the place of the closing bracket, or of what follows a comma."""
    place = past_space(outline.text, place)
    char = outline.text[place : place + 1]
    if char == ",":
        place = past_space(outline.text, place + 1)
        if outline.text[place : place + 1] != end:
            return place
    elif char == end:
        return place
    cut = "; the file is cut off" if place >= len(outline.text) else ""
    raise DataError(f"the object is not valid JSON at character {place + 1:,} of the file{cut}.")


def _member(outline: Outline, place: int, path: Path) -> int:
    char = outline.text[place : place + 1]
    if char == "{" and len(path) < _DEPTH:
        return _object(outline, place + 1, path)
    if char == "[":
        return _list(outline, place + 1, path)
    value, end = skim(outline.text, place, "a value of the object")
    if isinstance(value, dict):
        outline.objects.setdefault(path, (len(value), next(iter(value), "")))
    elif len(outline.values) < _KEPT:
        outline.values[path] = value
    return end


def _list(outline: Outline, place: int, path: Path) -> int:
    here = ListAt(place)
    place, text, what = past_space(outline.text, place), outline.text, f"an element of {quote(path[-1])}"
    while text[place : place + 1] != "]":
        value, place = skim(text, place, what)
        here.n += 1
        here.all_objects = here.all_objects and isinstance(value, dict)
        if here.n <= _HEAD:
            here.head.append(value)
        comma = _COMMA.match(text, place)
        place = comma.end() if comma else _after(outline, place, "]")
    if len(outline.lists) < _KEPT:
        outline.lists[path] = here
    return place + 1
