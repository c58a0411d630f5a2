"""Parse cells that hold several labels: `a|b`, `["a", "b"]`, `['a', 'b']`. They are text, never evaluated."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from text.json_text import read_json

DELIMITERS = ("|", ";", ",")
OTHER_DELIMITERS = (" and ", " und ", " et ", " y ", " & ", " ", "+", "/", "&", "_", "-", ":", "#")
"""Marks between labels in some files, and within a label in more; one that is part of another comes after it."""
_LONGEST_LABEL = 80
_BRACKETS = {"[": "]", "(": ")", "{": "}"}
_STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ITEM = re.compile(rf"\s*(?:np\.str_\(({_STRING})\)|({_STRING})|([+-]?[\w.]+(?:[+-]\d+)?))(\s*,)?", re.DOTALL)
_WHOLE = re.compile(r"[+-]?\d+,0+", re.ASCII)
"""A whole number with a decimal comma: 1,0."""
_PLAIN_LIST = re.compile(r"\s*\[([^\[\]]*)\]\s*")
_NUMBER = re.compile(r"[+-]?(\d++(\.\d*+)?|\.\d++)([eE][+-]?\d++)?", re.ASCII)


class SetEncoding(NamedTuple):
    """The way in which a cell holds a set of labels."""

    encoding: Literal["json", "delimited"]
    delimiter: str | None


def parse_list(text: str) -> tuple[str, ...] | None:
    """Read a JSON or Python list of texts or numbers, as texts; None if it is anything else.

    A Python tuple or set is read likewise, and so is a NumPy array, whose items stand apart without commas.

    >>> parse_list('["a", "b"]'), parse_list("['a' 'b']"), parse_list("a"), parse_list("[]")
    (('a', 'b'), ('a', 'b'), None, ())
    """
    items = _read_items(text)
    if items is None:
        return None
    return tuple(item if isinstance(item, str) else json.dumps(item) for item in items)


def _read_items(text: str) -> Sequence[str | int | float] | None:
    stripped = text.strip()
    if stripped == "set()":
        return ()
    if len(stripped) < 2 or stripped[-1] != _BRACKETS.get(stripped[0]) or len(stripped) > 100_000:
        return None
    value = read_json(stripped) if stripped[0] == "[" else None
    items = value if isinstance(value, list) else _read_python_list(stripped)
    plain = [item for item in items or () if isinstance(item, str | int | float)]
    return plain if items is not None and len(plain) == len(items) else None


def _read_python_list(text: str) -> list[object] | None:
    """Read the items of a list one by one: Python itself would join `'a' 'b'`, which NumPy writes for two labels."""
    inside = text[1:-1].rstrip()
    items: list[object] = []
    commas = place = 0
    while place < len(inside):
        item = _ITEM.match(inside, place)
        if item is None or not (item[1] or item[2] or _is_literal(item[3], text[0])):
            return None
        items.append(_read_literal(item))
        commas += item[4] is not None
        place = item.end()
    if commas == 0 and items:  # ('a') is a text in brackets
        return items if text[0] == "[" or (text[0] == "{" and len(items) == 1) else None
    return items if commas in (len(items) - 1, len(items)) and (items or text[0] != "{") else None


def _is_literal(word: str, bracket: str) -> bool:
    """Return whether a word without quotation marks may be an item: (1, 2) and {1} are rather labels themselves."""
    return bracket == "[" and (word in ("True", "False") or bool(_NUMBER.fullmatch(word)))


def _read_literal(match: re.Match[str]) -> object:
    """Read one text, number or truth value; a text is unescaped as the single constant that it is."""
    if match[3] is not None:
        return match[3] == "True" if match[3] in ("True", "False") else _number(match[3])
    try:
        return ast.literal_eval(match[1] or match[2])
    except (ValueError, SyntaxError):  # an escape that means nothing, or a text over several lines
        return None


def _number(word: str) -> int | float:
    return int(word) if word.lstrip("+-").isdigit() and len(word) < 4_000 else float(word)


def split(text: str, delimiter: str) -> tuple[str, ...]:
    """Return the labels of one delimited cell, without the spaces around them and without empty ones.

    Brackets around labels between commas are a list's, as Java and Scala write it.

    >>> split("child speech;video game/tv;", ";"), split("[child speech, tv]", ",")
    (('child speech', 'video game/tv'), ('child speech', 'tv'))
    """
    if delimiter == " ":
        return tuple(text.split())
    if delimiter == "," and (listed := _PLAIN_LIST.fullmatch(text)):
        text = listed[1]
    return tuple(filter(None, map(str.strip, text.split(delimiter))))


def read_members(text: str, encoding: SetEncoding) -> tuple[str, ...] | None:
    """Return the labels of one cell; None where a list was wanted and something else came."""
    return parse_list(text) if encoding.encoding == "json" else split(text, encoding.delimiter or ",")


def find_set_encoding(values: Sequence[str]) -> SetEncoding | None:
    """Find how these distinct cells hold sets of labels; None if each looks like one label.

    A delimiter counts only if the parts recur: at least two cells hold several parts, and half of the parts
    occur in two or more different cells. "Paris, France" beside "Lyon, France" is thus no set. Nor are 0,0 and 1,0:
    whole numbers with a decimal comma.

    >>> find_set_encoding(["a|b", "b|c", "a"])
    SetEncoding(encoding='delimited', delimiter='|')
    >>> find_set_encoding(["a,b", "dog"]) is None
    True
    """
    some = list(values[:5_000])
    if not some:
        return None
    if sum(_read_items(value) is not None for value in some) > 0.8 * len(some):
        return SetEncoding("json", None)
    for delimiter in _list_delimiters(some):
        if _do_recur([split(value, delimiter) for value in some]):
            return SetEncoding("delimited", delimiter)
    return SetEncoding("delimited", " ") if _words_are_sets([split(value, " ") for value in some]) else None


def _list_delimiters(cells: Sequence[str]) -> tuple[str, ...]:
    """Return what may separate labels: what some cell holds, but no comma where each is a whole number such as 1,0."""
    possible = DELIMITERS[:-1] if all(map(_WHOLE.fullmatch, cells)) else DELIMITERS
    return tuple(delimiter for delimiter in possible if any(delimiter in cell for cell in cells))


def _do_recur(cells: list[tuple[str, ...]]) -> bool:
    many = [cell for cell in cells if len(cell) > 1]
    if len(many) < 2 or any(len(part) > _LONGEST_LABEL for cell in many for part in cell):
        return False
    seen = Counter(part for cell in cells for part in set(cell))
    return sum(n > 1 for n in seen.values()) >= len(seen) / 2 and len(seen) <= 2 * len(cells) + 2


def _words_are_sets(cells: list[tuple[str, ...]]) -> bool:
    """Return whether spaces plainly separate labels: three or more sizes, few words that recur, no word twice."""
    sizes = {len(cell) for cell in cells}
    if len(sizes) < 3 or any(len(set(cell)) < len(cell) for cell in cells):
        return False
    seen = Counter(word for cell in cells for word in cell)
    return len(cells) >= 2 * len(seen) and sum(n > 1 for n in seen.values()) >= 0.9 * len(seen)


def find_likely_delimiter(cells: Sequence[str], others: Collection[str] = (), *, empty: bool = False) -> str | None:
    """Find a delimiter that may separate labels where too few cells hold several to be sure; None without a hint.

    Parameters
    ----------
    cells : distinct cells of a column. others : cells of the column that is compared with it.
    empty : whether cells without any label stand beside them.

    >>> find_likely_delimiter(["rude", "rude|threat"]), find_likely_delimiter(["Paris, France", "Lyon, France"])
    ('|', None)
    """
    whole = {*cells[:5_000], *others}
    for delimiter in _list_delimiters(cells[:5_000]):
        several = [set(parts) for cell in cells[:5_000] if len(parts := split(cell, delimiter)) > 1]
        seen = Counter(part for parts in several for part in parts)
        if not seen or max(map(len, seen)) > _LONGEST_LABEL:
            continue
        repeated = not empty or max(seen.values()) > 1 or len(several) > 1
        if not whole.isdisjoint(seen) or (repeated and delimiter != ","):
            return delimiter
    return None


def find_listed_delimiter(cells: Sequence[str], labels: Collection[str]) -> str | None:
    """Find the delimiter whose parts a label list names, where it does not name the cells; None where it names none.

    >>> find_listed_delimiter(["rude|threat", "rude"], ["rude", "threat"])
    '|'
    """
    known = set(labels)
    strange = [cell for cell in cells if cell not in known]
    marks = (*DELIMITERS, *OTHER_DELIMITERS)
    lists = {delimiter: [split(cell, delimiter) for cell in strange] for delimiter in marks}
    named = {mark: sum(len(parts) > 1 and known.issuperset(parts) for parts in of) for mark, of in lists.items()}
    best = max(marks, key=lambda mark: named[mark])
    return best if named[best] else None


def find_similar_encoding(values: Sequence[str], labels: Collection[str], like: SetEncoding) -> SetEncoding:
    """Find how cells hold sets of known labels: as `like`, unless more of their parts are labels another way.

    Cells of one plain label each are no lists and no sets: for them it is `like`.

    >>> find_similar_encoding(['["a", "b"]', "[]"], ["a", "b"], SetEncoding("delimited", ";")).encoding
    'json'
    """
    some = list(values[:5_000])
    by_marks = [SetEncoding("delimited", mark) for mark in (*DELIMITERS, *OTHER_DELIMITERS)]
    ways = [like, SetEncoding("json", None), *by_marks]
    shares = [_measure_known_share(some, labels, way) for way in ways]
    best = ways[shares.index(max(shares))]
    several = best.encoding == "json" or any(len(read_members(cell, best) or ()) > 1 for cell in some)
    return best if several else like


def _measure_known_share(cells: Sequence[str], labels: Collection[str], way: SetEncoding) -> float:
    known = set(labels)
    members = [read_members(cell, way) for cell in cells]
    n_parts = sum(1 if parts is None else len(parts) for parts in members)
    return sum(part in known for parts in members for part in parts or ()) / n_parts if n_parts else 0.0


def find_inseparable_parts(cells: Iterable[str]) -> list[tuple[str, str]]:
    """Find neighbours between commas that never occur apart, as the parts of a label with a comma in it do.

    Two different cells must hold them if only some commas have a space behind them, among these theirs; else four.

    >>> find_inseparable_parts(["Food, Drink,Books", "Food, Drink", "Books,Music"])
    [('Food', 'Drink')]
    """
    texts = set(cells)
    lists = {text: split(text, ",") for text in texts}
    together = Counter(pair for labels in lists.values() for pair in pairwise(labels))
    alone = Counter(label for labels in lists.values() for label in labels)
    recurring = {pair: n for pair, n in together.items() if n > 1 and n == alone[pair[0]] == alone[pair[1]]}
    if not any(re.search(r",\S", text) for text in texts):
        return sorted(pair for pair, n in recurring.items() if n > 3)
    first = {first_part: f"{first_part}, {second_part}" for first_part, second_part in recurring}
    unspaced = {
        label for text, labels in lists.items() for label in labels if label in first and first[label] not in text
    }
    return sorted(pair for pair, n in recurring.items() if n > 3 or pair[0] not in unspaced)


NONE_WORDS = frozenset(["none", "null", "nan", "n/a", "na", "-", "no label", "nothing", "empty"])


def find_words_for_none(cells: Sequence[str], encoding: SetEncoding) -> tuple[str, ...]:
    """Return labels that always stand alone and may mean that there is no label; they count as labels.

    >>> find_words_for_none(["a;b", "none", "b"], SetEncoding("delimited", ";"))
    ('none',)
    """
    sets = [read_members(cell, encoding) or () for cell in cells]
    alone = {labels[0] for labels in sets if len(labels) == 1 and labels[0].strip().casefold() in NONE_WORDS}
    return tuple(sorted(alone - {label for labels in sets if len(labels) > 1 for label in labels}))
