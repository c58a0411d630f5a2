"""Where the table of a spreadsheet begins, and its column names where they are spread over two rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TITLE_ROWS = 20


def below_title(rows: Iterator[list[Any]]) -> tuple[int, list[Any], list[Any]]:
    """The first row with more than one cell in use, below a title and blank rows; of a single column its first cell.

    Returns
    -------
    at, header, above : the row's number in the sheet (from 0), its cells, and the titles above it.

    >>> below_title(iter([["Run 7", ""], ["", ""], ["truth", "pred"], ["a", "b"]]))
    (2, ['truth', 'pred'], ['Run 7'])
    """
    first: tuple[int, list[Any]] = (0, [])
    above: list[Any] = []
    for at, row in enumerate(rows):
        filled = [cell for cell in row if cell != ""]
        if len(filled) > 1 or (filled and len(row) == 1) or len(above) == _TITLE_ROWS:
            return at, row, above
        if filled and not above:
            first = at, row
        above += filled
    return *first, []


def whole_header(
    top: list[Any], below: list[Any] | None, spans: list[tuple[int, int]]
) -> tuple[list[Any], list[Any] | None]:
    """The column names, and the row below them if it is one of the table.

    Parameters
    ----------
    below : the row under `top`, where cells of `top` are merged across columns.
    spans : (first, last) column of each such cell.

    >>> whole_header(["id", "score", ""], ["", "cat", "dog"], [(1, 2)])
    (['id', 'cat', 'dog'], None)
    >>> whole_header(["old", "", "new", ""], ["a", "b", "a", "b"], [(0, 1), (2, 3)])
    (['old.a', 'old.b', 'new.a', 'new.b'], None)
    >>> whole_header(["labels", "", "p"], ["a", "b", 0.5], [(0, 1)])
    (['labels', '', 'p'], ['a', 'b', 0.5])
    """
    if below is None or not _names_columns(top, below, spans):
        return top, below
    upper = list(top)
    for left, right in spans:
        upper[left : right + 1] = [upper[left]] * (right + 1 - left)
    short = [low or up for up, low in zip(upper, below, strict=True)]
    if len(set(short)) == len(short):
        return short, None
    return [f"{up}.{low}" if up and low else low or up for up, low in zip(upper, below, strict=True)], None


def _names_columns(top: list[Any], below: list[Any], spans: list[tuple[int, int]]) -> bool:
    """Whether a row fills what merged cells leave open, and only that: every other column has one name already."""
    inside = {column for left, right in spans for column in range(left, right + 1)}
    return all(
        isinstance(name, str) and (bool(name) if column in inside else (name == "") != (top[column] == ""))
        for column, name in enumerate(below)
    )
