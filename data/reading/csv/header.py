"""Tell a header from a row of data in the first line of a text file, by comparing every cell with its column.

A cell that occurs again below it is a row's; a word above numbers, or a name that prediction files use, is a
header's. Where nothing speaks, the first line is the header, as nearly all files have one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from data.columns.name_ranks import VAGUE, rank
from text.quoting import list_items

SAVETXT = re.compile(r"#\s+(?=\S)")
"""First characters of a header line of NumPy's `savetxt`."""
_NUMBER = re.compile(r"[+-]?(?:\d++(?:[.,]\d*+)?|[.,]\d++)(?:[eE][+-]?\d++)?%?", re.ASCII)
_FRACTION = re.compile(r"[.,]\d*[1-9]|[eE]-", re.ASCII)
NO_VALUE = frozenset(["na", "n/a", "nan", "null", "none", "inf", "-inf", "-", "?", "missing"])
_LABELS_TOO = {"true": "false", "y": "n", "n": "y", "p": "n", "t": "f", "f": "t"}
"""Names of columns that are labels as well, where the other one is a cell below."""
_Vote = Literal["header", "row", "integer", ""]
_ROLES = ("truth", "prediction", "raw", "score", "id")
_FEW_SINGLES = 0.05  # at most this share of a column's cells occurs once, so that it holds labels
_FEWEST_ROWS = 4  # that show whether it does
_ROWS_A_HEADER = 10  # so many stand below each header of files that were put together
_BLOCK = 3  # so many columns called 0, 1, 2 … are classes; two may be a row


@dataclass(frozen=True)
class Header:
    """Say if there is a header line, why, and if a person should look at it.

    sure : cells of the first line say that they are names. asked : a person said it.
    """

    exists: bool
    why: str
    doubtful: bool = False
    sure: bool = False
    asked: bool = False


def find_header(records: Sequence[Sequence[str]], *, plain: bool = False) -> Header:
    """Decide about the first record.

    Parameters
    ----------
    records : the first records of a file, all cells as text.
    plain : the file is plain text by its name: a single column of it more likely has no header.

    >>> find_header([["cat", "dog"], ["dog", "dog"], ["cat", "cat"]]).exists
    False
    >>> find_header([["y_true", "y_pred"], ["dog", "dog"], ["cat", "cat"]]).exists
    True
    """
    first = [cell.strip() for cell in records[0]]
    below = [record for record in records[1:] if len(record) == len(first)]
    if plain and len(first) == len(records) == 1 and not _is_name(first[0], []):
        return Header(False, "it is the only one", doubtful=True)
    if not below:
        return Header(True, "no line below it has as many cells" if len(records) > 1 else "nothing stands below it")
    others = [record for record in below if list(record) != list(records[0])]
    if len(first) > 1 and len(others) < len(below):  # a header may stand again, where files were put together
        votes = _count_votes(first, others)
        is_rare = len(others) >= _ROWS_A_HEADER * (len(below) - len(others))
        if len(votes.header) == len(first) or (votes.header and not votes.row and is_rare):
            return _with_header(votes.header, [])
    votes = _count_votes(first, below)
    if votes.header:
        return _with_header(votes.header, votes.row)
    return _without_header(votes) if votes.row else _decide_by_occurrence(first, below, plain=plain)


def _with_header(header: list[str], row: list[str]) -> Header:
    against = [cell for cell in row if not cell.isdigit()]
    named = [cell for cell in header if cell]
    why = "a cell without a name stands above row numbers"
    if named:
        why = _list_cells(named, "looks like a column name", "look like column names")
    if against:
        return Header(True, f"{why}, but {list_items(against, 3)} may be a value: check it", doubtful=True)
    return Header(True, why, sure=True)


def _without_header(votes: _Votes) -> Header:
    if votes.are_weak:
        return Header(False, "it holds whole numbers only, like the lines below it", doubtful=True)
    values = _list_cells(list(dict.fromkeys(votes.row)), "is a value", "are values")
    return Header(False, f"{values} in the lines below it")


def _list_cells(cells: list[str], singular: str, plural: str) -> str:
    return f"{list_items(cells, 3)} {singular if len(cells) == 1 else plural}"


def _decide_by_occurrence(first: Sequence[str], below: Sequence[Sequence[str]], *, plain: bool) -> Header:
    """Decide where no cell speaks for a header or a row: by how often the lines below occur, if there is one column."""
    if len(first) > 1:
        return Header(True, "none of its cells occurs again below it")
    cells = [record[0] for record in below if record[0].strip()]
    if SAVETXT.match(first[0]) and not any(cell.startswith("#") for cell in cells):
        return Header(True, "it begins with #, as NumPy writes a header")
    singles = sum(times == 1 for times in Counter(cells).values())
    if len(cells) >= _FEWEST_ROWS and singles <= _FEW_SINGLES * len(cells):
        return Header(True, "it is the only line that occurs once")
    if plain:
        return Header(False, "nothing tells it from the lines below it", doubtful=True)
    return Header(True, "it does not occur again below it; if it is a row, say that there is no header", doubtful=True)


class _Votes(NamedTuple):
    """Cells of the first line that speak for a header, and for a row; are_weak : the latter are integers alone."""

    header: list[str]
    row: list[str]
    are_weak: bool = False


def _count_votes(first: Sequence[str], below: Sequence[Sequence[str]]) -> _Votes:
    """Return the cells of the first line by what they speak for, each beside its column below."""
    cells_by_vote: dict[_Vote, list[str]] = {"header": [], "row": [], "integer": [], "": []}
    counts_classes = _counts_classes(first)
    for place, cell in enumerate(first):
        vote = _vote(cell, [record[place].strip() for record in below])
        cells_by_vote["header" if counts_classes and cell.isdigit() else vote].append(cell)
    header, row, integers = cells_by_vote["header"], cells_by_vote["row"], cells_by_vote["integer"]
    if len(integers) == len(first):  # else an integer over integers may be a class's name
        return _Votes(header, integers, are_weak=True)
    return _Votes(header, row)


def _counts_classes(first: Sequence[str]) -> bool:
    """Return whether columns are called 0, 1, 2 … or 1, 2, 3 … one beside the other."""
    numbers = [int(cell) for cell in first if cell.isascii() and cell.isdigit() and len(cell) < 7]
    return len(numbers) >= _BLOCK and numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def _vote(cell: str, below: Sequence[str]) -> _Vote:
    """Return what a cell of the first line speaks for beside the cells below it; "" = nothing."""
    filled = [other for other in below if other]
    if not filled:
        return "header" if _is_name(cell, filled) else ""
    numbers = all(_NUMBER.fullmatch(other) or other.lower() in NO_VALUE for other in filled)
    if not cell:
        return "header" if _counts(filled) else ""
    if cell in filled:
        return "row"
    if numbers and not _NUMBER.fullmatch(cell):
        return "" if cell.lower() in NO_VALUE else "header"
    if numbers:
        fractions = any(map(_FRACTION.search, filled))
        if _FRACTION.search(cell):
            return "row" if fractions else ""
        return "" if fractions else "integer"
    return "header" if _is_name(cell, filled) else ""


def _counts(cells: Sequence[str]) -> bool:
    """Return whether cells count up by one: the row names that a blank header cell stands above."""
    numbers = [int(cell) if cell.isdigit() and len(cell) < 12 else -1 for cell in cells]
    return numbers[0] >= 0 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _is_name(cell: str, filled: Sequence[str]) -> bool:
    other = _LABELS_TOO.get(cell.lower())
    if other is not None and other in {value.lower() for value in filled}:
        return False
    return is_role_name(cell)


def join_mark(record: list[str]) -> list[str]:
    """Return a line's cells with the first mark of a comment, which a space split off, at the first of them.

    >>> join_mark(["#", "y_true", "y_pred"]), join_mark(["y_true"])
    (['# y_true', 'y_pred'], ['y_true'])
    """
    return [f"# {record[1]}", *record[2:]] if record[:1] == ["#"] and len(record) > 1 else record


def is_role_name(cell: str) -> bool:
    """Return whether a cell is a name that columns of predictions have."""
    return any((place := rank(cell, role)) is not None and place < VAGUE for role in _ROLES)
