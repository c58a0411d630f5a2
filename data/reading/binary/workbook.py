"""Excel workbooks (.xlsx): the first sheet that holds a table, read as the text that its CSV would hold.

The parser is calamine, written in Rust: macros, links to other files and drawings are never looked at. The rows go
through the reader of delimited text, so that headers, scores and missing cells follow the same rules.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import python_calamine as calamine

from data.bad_rows import say_blank_cells, say_blank_end
from data.errors import DataError
from data.limits import SHEET_TITLE_ROWS
from data.process.limits import Limits, Progress, format_size
from data.reading.binary.sheet_survey import Survey, check_parts, find_sheet_parts, survey
from data.reading.csv.delimited import read_delimited
from data.reading.csv.preview import Previewed, preview_rows
from data.reading.logs.source import Remarks
from data.reading.options import DETECT, ReadOptions
from data.reading.zip_archives import Zipped
from text.numbers import count
from text.quoting import list_items, quote

_A_WORKBOOK = "an Excel workbook (.xlsx)"
_NO_CELL = "it is empty: no visible sheet holds a cell."
_EXACT = 10**15  # Excel keeps 15 digits
_REPORT_EVERY = 20_000
_DELIMITER = "\t"


def find_table_start(rows: Iterator[list[Any]]) -> tuple[int, list[Any], list[Any]]:
    """Find the first row with more than one cell in use, below a title; of a single column its first cell.

    Returns
    -------
    number, header, above : the row's number in the sheet (from 0), its cells, and the titles above it.

    >>> find_table_start(iter([["Run 7", ""], ["", ""], ["truth", "pred"], ["a", "b"]]))
    (2, ['truth', 'pred'], ['Run 7'])
    """
    first: tuple[int, list[Any]] = (0, [])
    above: list[Any] = []
    for index, row in enumerate(rows):
        filled = [cell for cell in row if cell != ""]
        if len(filled) > 1 or (filled and len(row) == 1) or len(above) == SHEET_TITLE_ROWS:
            return index, row, above
        if filled and not above:
            first = index, row
        above += filled
    return *first, []


def complete_header(
    top: list[Any], below: list[Any] | None, spans: list[tuple[int, int]]
) -> tuple[list[Any], list[Any] | None]:
    """Return the column names, and the row below them if it is one of the table.

    Parameters
    ----------
    below : the row under `top`, where cells of `top` are merged across columns.
    spans : (first, last) column of each such cell.

    >>> complete_header(["id", "score", ""], ["", "cat", "dog"], [(1, 2)])
    (['id', 'cat', 'dog'], None)
    >>> complete_header(["old", "", "new", ""], ["a", "b", "a", "b"], [(0, 1), (2, 3)])
    (['old.a', 'old.b', 'new.a', 'new.b'], None)
    >>> complete_header(["labels", "", "p"], ["a", "b", 0.5], [(0, 1)])
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
    """Return whether a row fills just what merged cells leave open: every other column has one name already."""
    inside = {column for left, right in spans for column in range(left, right + 1)}
    return all(
        isinstance(name, str) and (bool(name) if column in inside else (name == "") != (top[column] == ""))
        for column, name in enumerate(below)
    )


def read_workbook(
    path: Path, limits: Limits, progress: Progress, *, options: ReadOptions = DETECT
) -> tuple[pa.Table, dict[str, Any]]:
    """Read the first visible sheet that holds a table, or cells where none does.

    Whole numbers become `1`, not `1.0`; percentages their value (0.25); dates ISO text; truth values "true" and
    "false"; of a formula its value when the workbook was saved; an error such as #N/A an empty cell, with a warning.

    Parameters
    ----------
    options : what a person said about sheet, header and decimal mark.

    Returns
    -------
    table, described : the rest of its `FileFacts`.

    Raises
    ------
    DataError
        It is damaged, protected, larger than the limits allow, or holds no table.
    """
    remarks = Remarks()
    with Zipped(path, limits, _A_WORKBOOK) as archive:
        parts = find_sheet_parts(archive)
        check_parts(archive, limits)
        try:
            sheet, surveyed = _choose_sheet(path, archive, parts, limits, remarks, options.sheet)
            records = _iterate_records(sheet, surveyed, remarks, options.header_line)
            text = _as_text(records, remarks, surveyed, limits, progress)
        except calamine.CalamineError:
            raise archive.damaged() from None
    header = True if options.header_line else options.header
    wanted = ReadOptions(delimiter=_DELIMITER, header=header, decimal=options.decimal)
    read = read_delimited(text, limits, _DELIMITER, options=wanted)
    described = {"notes": (*remarks.notes, *read.notes), "warnings": (*remarks.warnings, *read.warnings)}
    chosen = {"decimal": options.decimal, "sheet": options.sheet}
    return read.table, {"format": "Excel", "above": remarks.above, **chosen, **described}


def _choose_sheet(
    path: Path, archive: Zipped, parts: dict[str, str], limits: Limits, remarks: Remarks, name: str | None
) -> tuple[calamine.CalamineSheet, Survey]:
    """Return the sheet that a person named, or the first visible one that holds a table; else one that holds cells."""
    book = calamine.CalamineWorkbook.from_path(path)
    sheets, visible = list_sheets(book), list_sheets(book, hidden=False)
    if name is not None and name not in sheets:
        raise DataError(f"it has no sheet {quote(name)}; choose one of {list_items(sheets)}.")
    surveys: dict[str, Survey] = {}
    for sheet in visible if name is None else [name]:
        if parts.get(sheet) not in archive.names:
            raise archive.damaged(f"the sheet {quote(sheet)} is missing")
        surveys[sheet] = survey(archive, parts[sheet], limits)
        if _holds_table(surveys[sheet]):
            break
    with_table = [sheet for sheet, surveyed in surveys.items() if _holds_table(surveyed)]
    with_cells = [sheet for sheet, surveyed in surveys.items() if surveyed.n_cells]
    if not with_cells:
        raise DataError(_NO_CELL if name is None else f"the sheet {quote(name)} is empty; choose another one.")
    chosen = (with_table or with_cells)[0]
    _say_sheets(chosen, sheets, remarks, chosen=name is not None)
    _say_lost(surveys[chosen], remarks)
    return book.get_sheet_by_name(chosen), surveys[chosen]


def _holds_table(surveyed: Survey) -> bool:
    """Return whether a sheet has several columns and rows; a cover sheet has its sentences in one column."""
    return surveyed.n_rows > 1 and surveyed.n_columns > 1


def list_sheets(book: calamine.CalamineWorkbook, *, hidden: bool = True) -> list[str]:
    """Return the names of the sheets that may hold cells."""
    sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == calamine.SheetTypeEnum.WorkSheet]
    return [sheet.name for sheet in sheets if hidden or sheet.visible == calamine.SheetVisibleEnum.Visible]


def preview_workbook(path: Path, limits: Limits, options: ReadOptions) -> Previewed:
    """Preview the rows of a sheet as `preview_text` does those of a text; errors as `read_workbook`."""
    with Zipped(path, limits, _A_WORKBOOK) as archive:
        parts = find_sheet_parts(archive)
        check_parts(archive, limits)
        try:
            sheet, _ = _choose_sheet(path, archive, parts, limits, Remarks(), options.sheet)
            names = tuple(list_sheets(calamine.CalamineWorkbook.from_path(path)))
            rows = [_texts(row) for row in sheet.iter_rows()]
        except calamine.CalamineError:
            raise archive.damaged() from None
    n_above = (options.header_line or find_table_start(iter(rows))[0] + 1) - 1
    previewed = preview_rows(rows, n_above, len(rows), options)
    preview = dataclasses.replace(previewed.preview, sheet=sheet.name, sheets=names)
    return dataclasses.replace(previewed, preview=preview)


def _say_sheets(name: str, names: list[str], remarks: Remarks, *, chosen: bool) -> None:
    others = [other for other in names if other != name]
    if chosen:
        remarks.notes.append(f"The sheet {quote(name)} was read, which you chose.")
    elif others:
        remarks.warnings.append(
            f"The workbook has {len(names):,} sheets: {quote(name)} was read, {list_items(others)} not; choose "
            "another one under Change (--sheet)."
        )


def _say_lost(surveyed: Survey, remarks: Remarks) -> None:
    if surveyed.n_errors:
        remarks.warnings.append(f"{count(surveyed.n_errors, 'cell')} with an error such as #N/A counted as empty.")
    if surveyed.n_not_computed:
        remarks.warnings.append(
            f"{count(surveyed.n_not_computed, 'formula')} without a computed value counted as empty: open the workbook "
            "in a spreadsheet program and save it."
        )


def _iterate_records(
    sheet: calamine.CalamineSheet, surveyed: Survey, remarks: Remarks, header_line: int | None
) -> Iterator[list[str]]:
    """Yield the header and the rows below it as text; lines above the table are left out and named."""
    rows = sheet.iter_rows()
    header_row, header, above = _take_header(rows, header_line) if header_line else find_table_start(rows)
    if not header:
        raise DataError(_NO_CELL)
    remarks.above = " ".join(format_cell(cell) for cell in above)
    if above:
        texts = [format_cell(cell) for cell in above]
        remarks.warnings.append(
            f"The lines above the header in row {header_row + 1:,} were left out: {list_items(texts, 3)}."
        )
    merged = sheet.merged_cell_ranges or []  # ((first row, first column), (last row, last column)) of each
    left = sheet.start[1] if sheet.start else 0
    spans = [(first - left, last - left) for (top, first), (_, last) in merged if top == header_row and last > first]
    names, first_row = complete_header(header, next(rows, None) if spans else None, spans)
    two_rows = bool(spans) and first_row is None
    if two_rows:
        remarks.above = " ".join(format_cell(header[first]) for first, _ in spans)
        remarks.notes.append("Two rows of merged header cells were taken together as the column names.")
    n_merged = sum(top > header_row + two_rows for (top, _), _ in merged)
    if n_merged:
        remarks.warnings.append(
            f"{count(n_merged, 'merged cell')} below the header: only the first cell of each is filled."
        )
    yield _texts(names)
    if first_row is not None:
        yield _texts(first_row)
    yield from map(_texts, rows)
    n_parsed = sheet.end[0] + 1 if sheet.end else 0  # the parser ends at the last value
    n_empty = surveyed.n_text_rows - n_parsed
    yield from itertools.repeat([""] * len(names), n_empty)


def _take_header(rows: Iterator[list[Any]], line: int) -> tuple[int, list[Any], list[Any]]:
    """Return the row that a person named as the header, as `find_table_start` does."""
    above = [cell for row in itertools.islice(rows, line - 1) for cell in row if cell != ""]
    header = next(rows, None)
    if header is None:
        raise DataError(f"row {line:,} was chosen as the header, but the sheet ends before it.")
    return line - 1, header, above


def _settle_blank_rows(records: Iterator[list[str]], remarks: Remarks) -> Iterator[list[str]]:
    """Yield the rows as the sheet's CSV has them: of a single column, a blank cell inside is a row.

    The reader of delimited text says what becomes of blank rows of several columns.
    """
    n_blank, n_inside, first = 0, 0, 0
    for number, cells in enumerate(records, 1):
        if len(cells) == 1 and not cells[0]:
            n_blank += 1
            continue
        if n_blank:
            first = first or number - n_blank
            n_inside += n_blank
            yield from itertools.repeat([""], n_blank)
            n_blank = 0
        yield cells
    if n_inside:
        remarks.warnings.append(say_blank_cells(n_inside, first, "row"))
    if n_blank:
        remarks.notes.append(say_blank_end(n_blank, "row"))


def _as_text(
    records: Iterator[list[str]], remarks: Remarks, surveyed: Survey, limits: Limits, progress: Progress
) -> bytes:
    """Write the sheet as delimited text."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=_DELIMITER, lineterminator="\n")
    writer.writerow(next(records))
    for number, cells in enumerate(_settle_blank_rows(records, remarks), 1):
        writer.writerow(cells)
        if number % _REPORT_EVERY == 0:
            _check_size(text.tell(), limits)
            progress("reading", min(number / surveyed.n_rows, 1.0))
    return text.getvalue().encode("utf-8", "replace")


def _check_size(n_chars: int, limits: Limits) -> None:
    if n_chars > limits.expanded_bytes:
        raise DataError(f"its cells are larger than {format_size(limits.expanded_bytes)} as text, the limit.")


def _texts(row: list[Any]) -> list[str]:
    return [cell if type(cell) is str else format_cell(cell) for cell in row]


def format_cell(cell: Any) -> str:
    """Return a cell's value as text.

    >>> format_cell(1.0), format_cell(0.25), format_cell(True), format_cell(datetime.datetime(2024, 1, 2, 3, 4))
    ('1', '0.25', 'true', '2024-01-02 03:04:00')
    """
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < _EXACT else repr(cell)
    return cell.isoformat(sep=" ") if isinstance(cell, datetime.datetime) else str(cell)
