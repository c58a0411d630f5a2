"""Survey a workbook's XML before it is parsed: how large a sheet is, and what its parser would skip.

A sheet with two cells may say that they are 17 billion apart; the parser lays out every cell between. And it gives
an error such as #N/A, or a formula that was never computed, as an empty cell.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

from data.errors import DataError
from data.limits import SHEET_PART_BYTES
from data.process.limits import Limits
from data.reading.zip_archives import Zipped

_CELL = re.compile(rb"<(?:\w+:)?c(?=[\s/>])")
_PLACE = re.compile(rb"""<(?:\w+:)?c\s[^>]*?\br\s*=\s*["']([A-Za-z]{1,9})([0-9]{1,9})["']""")
_TEXT_PLACE = re.compile(
    rb"""<(?:\w+:)?c(?=\s[^>]*?\bt\s*=\s*["'](?:s|str|inlineStr)["'])\s[^>]*?\br\s*=\s*["'][A-Za-z]{1,9}([0-9]{1,9})["']"""
)
_ROW = re.compile(rb"""<(?:\w+:)?row(?=[\s/>])(?:[^>]*?\br\s*=\s*["']([0-9]{1,9})["'])?""")
_ERROR = re.compile(rb"""\bt\s*=\s*["']e["']""")
_NOT_COMPUTED = re.compile(
    rb"<(?:\w+:)?f\b[^<]*(?:/>|</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>|</(?:\w+:)?c>)"
)
_LONG_CELL = 64 << 10  # XML of one cell; a longer one may be cut between its tags
_MOST_BYTES = 10  # of XML for a character, written as a number: &#1114111;
_CELL_BYTES = 32  # what the parser takes for a cell, empty or not
_ROW_BYTES = 64
_BOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


@dataclass
class Survey:
    """The size of a sheet, as its XML says it.

    n_cells : cells that hold anything, be it only a colour. n_rows, n_columns : as far as the last one.
    n_text_rows : as far as the last cell of text, be it empty.
    n_errors : cells that hold an error such as #N/A. n_not_computed : formulas without a value.
    """

    n_cells: int = 0
    n_rows: int = 0
    n_columns: int = 0
    n_text_rows: int = 0
    n_errors: int = 0
    n_not_computed: int = 0


def find_sheet_parts(archive: Zipped) -> dict[str, str]:
    """Return the part of the archive that holds each sheet, by the sheet's name, in the workbook's order.

    Raises
    ------
    DataError
        The archive is no workbook.
    """
    if _BOOK not in archive.names or _LINKS not in archive.names:
        raise DataError("it holds a zip archive, but no Excel workbook (.xlsx) in it; unpack it and upload the table.")
    targets = {link.get("Id"): link.get("Target", "") for link in _elements(archive, _LINKS)}
    sheets = [element for element in _elements(archive, _BOOK) if element.tag.endswith("}sheet")]
    return {str(sheet.get("name")): _part(targets.get(_relation(sheet), "")) for sheet in sheets}


def _relation(sheet: ElementTree.Element) -> str | None:
    """Return the id under which a sheet's part stands (the strict form of the format has another namespace)."""
    return sheet.get(_ID) or next((value for key, value in sheet.items() if key.endswith("}id")), None)


def _part(target: str) -> str:
    return target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join("xl", target))


def _elements(archive: Zipped, name: str) -> Iterable[ElementTree.Element]:
    if archive.size(name) > SHEET_PART_BYTES:
        raise archive.damaged(f"{name} is far too large")
    text = archive.read(name)
    if b"<!" in text.replace(b"<!--", b""):
        raise archive.damaged("it declares a document type, which no workbook does")
    try:
        return list(ElementTree.fromstring(text).iter())
    except (ElementTree.ParseError, ValueError, LookupError):
        raise archive.damaged() from None


def check_parts(archive: Zipped, limits: Limits) -> None:
    """Unpack every part once, piece by piece: none is larger than it says, and no text longer than a cell may be."""
    for name in archive.names:
        for _ in _iterate_pieces(archive.parts(name), limits) if name.endswith(".xml") else archive.parts(name):
            pass


def survey(archive: Zipped, part: str, limits: Limits) -> Survey:
    """Count the cells that a sheet's parser would lay out, and those that it would skip.

    Raises
    ------
    DataError
        Laid out, the sheet would be larger than the limits allow.
    """
    totals = Survey()
    for text in _iterate_pieces(archive.parts(part), limits):
        n_cells, places = len(_CELL.findall(text)), _PLACE.findall(text)
        totals.n_cells += n_cells
        for column, row in set(places):
            totals.n_columns = max(totals.n_columns, _column_number(column))
            totals.n_rows = max(totals.n_rows, int(row))
        totals.n_text_rows = max(totals.n_text_rows, *map(int, set(_TEXT_PLACE.findall(text))), 0)
        if n_cells > len(places):
            _count_without_places(text, totals)
        totals.n_errors += len(_ERROR.findall(text))
        totals.n_not_computed += len(_NOT_COMPUTED.findall(text))
    _check_box(totals, limits)
    return totals


def _count_without_places(text: bytes, surveyed: Survey) -> None:
    """Count cells that do not say where they are, as far as they may lead and not less."""
    rows = [*_ROW.finditer(text)]
    starts = [0, *(row.start() for row in rows), len(text)]
    widest = max(len(_CELL.findall(text, start, end)) for start, end in pairwise(starts))
    surveyed.n_columns = max(surveyed.n_columns, widest)
    last = max((int(row[1]) for row in rows if row[1]), default=0)
    surveyed.n_rows = max(surveyed.n_rows, last) + sum(not row[1] for row in rows)


def _iterate_pieces(parts: Iterable[bytes], limits: Limits) -> Iterator[bytes]:
    """Yield the XML in pieces that end where a cell does, or at least a tag; a text that is too long ends it."""
    rest = b""
    for part in parts:
        text = rest + part
        cut = max((cell.start() for cell in _CELL.finditer(text, max(0, len(text) - _LONG_CELL))), default=-1)
        cut = cut if cut >= 0 else text.rfind(b"<")
        yield text[: max(cut, 0)]
        rest = text[max(cut, 0) :]
        if len(rest) > _MOST_BYTES * limits.cell_chars:
            raise DataError(f"one of its cells is longer than {limits.cell_chars:,} characters, the limit.")
    yield rest


def _column_number(letters: bytes) -> int:
    """Return a column's number from its letters.

    >>> _column_number(b"A"), _column_number(b"AA"), _column_number(b"xfd")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


def _check_box(surveyed: Survey, limits: Limits) -> None:
    spread = f"its sheet spreads over {surveyed.n_rows:,} rows and {surveyed.n_columns:,} columns"
    limits.check_rows(surveyed.n_rows - 1, f"{spread} (delete what stands far below)")
    limits.check_columns(surveyed.n_columns, f"{spread} (delete what stands far to the right)")
    if surveyed.n_rows * (_ROW_BYTES + surveyed.n_columns * _CELL_BYTES) > limits.expanded_bytes:
        raise DataError(
            f"{spread}, too much to read: delete what stands far away from the table, or save the sheet as CSV."
        )
