"""Compare two folders of answers: text, integers, order and keys exactly, fractions within four last places.

What a person reads (terminal, report, page) is rounded already and compared as text. A wider difference of fractions
is told from a changed text, since it may be accepted where a formula was written anew.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

ULPS = 4
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z| UTC)")
"""The time at which an answer was made; the two trees are asked one after the other."""
_MISSING = object()


class Difference(NamedTuple):
    """One place where the answers differ.

    file : of the answer. place : the key, line or cell in it. before, now : what stands there.
    """

    file: str
    place: str
    before: str
    now: str

    def __str__(self) -> str:
        return f"{self.file} {self.place}: {self.before} → {self.now}"


class Accepted(NamedTuple):
    """A difference that was looked at and is meant.

    file, place : patterns as in a shell. reason : why it is right.
    """

    file: str
    place: str
    reason: str

    def covers(self, difference: Difference) -> bool:
        return fnmatchcase(difference.file, self.file) and fnmatchcase(difference.place, self.place)


def compare_folders(before: Path, now: Path) -> Iterator[Difference]:
    """Yield every difference between two folders of answers, file by file."""
    names = sorted({str(path.relative_to(top)) for top in (before, now) for path in top.rglob("*") if path.is_file()})
    for name in names:
        old, new = before / name, now / name
        if not (old.exists() and new.exists()):
            there = ("there", "missing") if old.exists() else ("missing", "there")
            yield Difference(name, "", *there)
        else:
            yield from compare_files(name, old.read_bytes(), new.read_bytes())


def compare_files(name: str, before: bytes, now: bytes) -> Iterator[Difference]:
    """Yield the differences of two answers of the same name, by the kind of the file."""
    if before == now:
        return
    ending = name.rpartition(".")[2]
    if ending == "parquet":
        yield Difference(name, "", f"{len(before)} bytes", f"{len(now)} other bytes")
        return
    old, new = (_TIME.sub("TIME", content.decode("utf-8")) for content in (before, now))
    for place, one, other in _places(ending, old, new):
        yield Difference(name, place, _written(one), _written(other))


Place = tuple[str, object, object]


def _places(ending: str, before: str, now: str) -> Iterator[Place]:
    if ending == "json":
        yield from _in_json(json.loads(before), json.loads(now), "")
    elif ending == "csv":
        yield from _in_table(before, now)
    elif ending in ("html", "svg"):
        old, new = _read_page(before), _read_page(now)
        yield from _in_lines(old.lines, new.lines)
        yield from _in_json(old.numbers, new.numbers, "")
    else:
        yield from _in_lines(before.splitlines(), now.splitlines())


def _in_json(before: Any, now: Any, place: str) -> Iterator[Place]:
    if isinstance(before, dict) and isinstance(now, dict):
        if [key for key in before if key in now] != [key for key in now if key in before]:
            yield f"{place} (order of keys)", list(before), list(now)
        for key in dict.fromkeys([*before, *now]):
            yield from _in_json(before.get(key, _MISSING), now.get(key, _MISSING), f"{place}.{key}")
    elif isinstance(before, list) and isinstance(now, list):
        for number, (one, other) in enumerate(zip_longest(before, now, fillvalue=_MISSING)):
            yield from _in_json(one, other, f"{place}[{number}]")
    elif not _same_value(before, now):
        yield place, before, now


def _in_table(before: str, now: str) -> Iterator[Place]:
    tables = [list(csv.reader(io.StringIO(text, newline=""))) for text in (before, now)]
    for line, (old, new) in enumerate(zip_longest(*tables, fillvalue=[]), start=1):
        for column, (one, other) in enumerate(zip_longest(old, new, fillvalue=_MISSING), start=1):
            if not _same_value(_number(one), _number(other)):
                yield f"line {line}, cell {column}", one, other


def _in_lines(before: list[str], now: list[str]) -> Iterator[Place]:
    """Yield the lines that differ; a line more shifts no others."""
    for kind, start, end, now_start, now_end in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if kind != "equal":
            pairs = zip_longest(before[start:end], now[now_start:now_end], fillvalue=_MISSING)
            for number, (one, other) in enumerate(pairs, start=start + 1):
                yield f"line {number}", one, other


def _same_value(before: object, now: object) -> bool:
    """Return whether two values are equal; only fractions may differ, by rounding alone."""
    if type(before) is not type(now):
        return False
    if isinstance(before, float) and isinstance(now, float):
        return before == now or abs(before - now) <= ULPS * math.ulp(max(abs(before), abs(now)))
    return before == now


def _number(cell: object) -> object:
    """Return a cell as a fraction where it is written as one; an integer stays text, and so is compared exactly."""
    if isinstance(cell, str) and re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", cell) and not cell.lstrip("-").isdigit():
        return float(cell)
    return cell


def _written(value: object) -> str:
    return "nothing" if value is _MISSING else json.dumps(value, ensure_ascii=False)[:200]


def _read_page(text: str) -> _Page:
    page = _Page()
    page.feed(text)
    page.close()
    return page


class _Page(HTMLParser):
    """The text of a report or a picture, element by element, and the numbers that a report holds as JSON."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.numbers: list[Any] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_json = ("type", "application/json") in attrs
        self._inside = "json" if is_json else tag if tag in ("style", "script") else ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "json":
            self.numbers.append(json.loads(data))
        elif data.strip() and not self._inside:
            self.lines.append(data.strip())
