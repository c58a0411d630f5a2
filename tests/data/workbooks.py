"""Workbooks for tests: whole ones by openpyxl, and ones whose sheet is any XML at all."""

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet

_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = "xl/worksheets/sheet1.xml"


def workbook(*sheets: tuple[str, Sequence[Sequence[Any]]], change: Callable[[Worksheet], None] | None = None) -> bytes:
    """A workbook of named sheets, each a list of rows; `change` is given the first sheet."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    if change:
        change(book.worksheets[0])
    return saved(book)


def saved(book: openpyxl.Workbook) -> bytes:
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def with_part(content: bytes, name: str, part: bytes) -> bytes:
    """A workbook with one of its parts replaced, or added."""
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            if info.filename != name:
                new.writestr(info, old.read(info))
        new.writestr(name, part)
    return sink.getvalue()


def with_cells(cells: str, before: str = "") -> bytes:
    """A workbook whose only sheet holds the given XML between <sheetData> and </sheetData>."""
    xml = f'<?xml version="1.0"?>{before}<worksheet xmlns="{_NAMESPACE}"><sheetData>{cells}</sheetData></worksheet>'
    return with_part(workbook(("Sheet", [["truth", "pred"]])), SHEET, xml.encode())


def cell(place: str, text: str) -> str:
    """One cell's XML."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'
