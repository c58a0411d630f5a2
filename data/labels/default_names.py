"""Read LABEL_1 as 1 beside true labels that are numbers: so Hugging Face names the classes of a model without names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from data.columns.column import Column
from data.columns.encoding import encode, replace_texts
from data.columns.name_ranks import name_strength
from text.numbers import verb
from text.quoting import list_items, quote

_DEFAULT_NAME = re.compile(r"LABEL_(0|[1-9]\d*)", re.ASCII)
_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.0)?", re.ASCII)
"""1.0 is 1: so a column of whole numbers is written where one of them is missing."""
_LIKE_A_NAME = re.compile(r"\s*(label_|[+-]?[.,]?\d)", re.IGNORECASE)
_FEWEST_SHARED = 2
_PIECE_ROWS = 1000


def read_default_names(
    table: pa.Table, truth: str | None = None, merge: Sequence[tuple[str, str]] = ()
) -> tuple[pa.Table, list[str]]:
    """Replace such names by their numbers, where these are true labels of the same table; return a sentence on it.

    truth : the column of the true labels, where it is known; else it is told by its name.
    merge : labels that a person merges; where such a name is one of them, all names stay.

    >>> table = pa.table({"gold": ["1", "0"], "label": ["LABEL_1", "LABEL_0"]})
    >>> read_default_names(table)[0].to_pydict()
    {'gold': ['1', '0'], 'label': ['1', '0']}
    """
    if any(_DEFAULT_NAME.fullmatch(label) for pair in merge for label in pair):
        return table, []
    named = [name for name in table.column_names if _holds_default_names(table.column(name))]
    truths = _list_truths(table, named) if truth is None else [truth]
    if not named or not {*truths} <= {*table.column_names} or {*named} & {*truths}:
        return table, []
    for name in truths:
        values = Column(table, name).distinct.values
        if all(map(_NUMBER.fullmatch, values)):
            numbers = {value.removesuffix(".0") for value in values}
            fitting = [other for other in named if _fits(_list_numbers(table, other), numbers)]
            if fitting:
                return _with_numbers(table, fitting), [_describe(table, fitting, name)]
    return table, []


def _holds_default_names(column: pa.ChunkedArray) -> bool:
    """Return whether most cells of a column of text are such names; its first texts tell most columns apart.

    Others are words, such as ERROR: a number, or LABEL_01, may be meant as one of the names.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not pa.types.is_string(kind) or not any(map(_DEFAULT_NAME.fullmatch, _list_first_texts(column))):
        return False
    cells = Column(pa.table({"": column}), "").distinct
    others = _list_others(cells.values)
    n_others = sum(int(cells.counts[cells.place[other]]) for other in others)
    return 2 * n_others < int(cells.counts.sum()) and not any(map(_LIKE_A_NAME.match, others))


def _list_others(values: Sequence[str]) -> list[str]:
    """Return the values that are no such names."""
    return [value for value in values if not _DEFAULT_NAME.fullmatch(value)]


def _list_first_texts(column: pa.ChunkedArray) -> list[str]:
    """Return the first cells that are not empty, however far below."""
    if column.null_count == len(column):
        return []
    if pa.types.is_dictionary(column.type):
        column = pa.chunked_array([chunk.dictionary for chunk in column.chunks])
    pieces = (column.slice(start, _PIECE_ROWS) for start in range(0, len(column), _PIECE_ROWS))
    texts = ([cell for cell in piece.to_pylist() if cell] for piece in pieces)
    return next(filter(None, texts), [])


def _list_truths(table: pa.Table, named: list[str]) -> list[str]:
    """Return the columns that are true labels by their names, the surest first.

    One column of default names that is called `label` may be predicted where another name is surely the truth's.
    """
    strengths = {name: name_strength(name, "truth") for name in table.column_names}
    sure = [name for name, strength in strengths.items() if strength == "sure name"]
    if len(named) == 1 and sure and strengths[named[0]] == "general name":
        return sure
    return [*sure, *(name for name, strength in strengths.items() if strength in ("word", "general name"))]


def _fits(predicted: set[str], numbers: set[str]) -> bool:
    """Return whether numbers of predicted classes are those of the true labels, or some of them.

    They begin at 0: where no true label is 0, those may begin at 1, and LABEL_0 may be their 1.
    """
    if "0" not in numbers:
        return False
    return predicted <= numbers or len(predicted & numbers) >= _FEWEST_SHARED


def _list_numbers(table: pa.Table, name: str) -> set[str]:
    names = map(_DEFAULT_NAME.fullmatch, Column(table, name).distinct.values)
    return {name[1] for name in names if name}


def _with_numbers(table: pa.Table, names: list[str]) -> pa.Table:
    for name in names:
        texts = encode(table.column(name)).dictionary.to_pylist()
        table = replace_texts(table, name, {text: _DEFAULT_NAME.sub(r"\1", text) for text in texts})
    return table


def _describe(table: pa.Table, names: list[str], truth: str) -> str:
    """Return what was read otherwise than it is written, and what was not."""
    others = dict.fromkeys(other for name in names for other in _list_others(Column(table, name).distinct.values))
    stay = f" {list_items(list(others))} {verb(len(others), 'stays')} as written." if others else ""
    return (
        f"Labels such as LABEL_1 in {list_items(names)} were read as their numbers, which {quote(truth)} holds: "
        f"Hugging Face calls class 1 so where classes have no names.{stay}"
    )
