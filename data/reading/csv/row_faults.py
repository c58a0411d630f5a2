"""Say what is wrong with rows that cannot be read, show them with their neighbours, and account for what is no row."""

from __future__ import annotations

import csv
from typing import NamedTuple

from data.bad_rows import (
    BLANK,
    CLOSING,
    EXAMPLES,
    KINDS,
    LONG,
    MORE,
    NOT_UTF8,
    NUL,
    QUOTE,
    TEXT_AFTER,
    BadRow,
    BadRows,
    BadRowsFound,
    list_lines,
    say_blank_inside,
    say_most,
)
from data.errors import DataError
from data.limits import CORRECTED_LINE_CHARS, SHOWN_CELLS, SHOWN_LINE_CHARS, SHOWN_LINES, SHOWN_ROWS, STRICT_HEAD_ROWS
from data.process.limits import Limits
from data.reading.csv.layout import NO_DELIMITER, Layout
from data.reading.csv.row_scan import Fault, Scan, lines_after, lines_before, mark_closing_lines, split_row
from data.reading.csv.strict_csv import iterate_records
from data.reading.encodings import explain_wrong_byte
from data.reading.options import ReadOptions
from text.numbers import count
from text.quoting import cut, list_items, name_delimiter, quote

_NEIGHBOURS = 2  # shown before a row, and after it
_CELL_CHARS = 60


class FaultyText(NamedTuple):
    """The text of a file, its layout, and what a scan of its rows found; places are bytes below the header."""

    data: bytes
    layout: Layout
    scan: Scan
    limits: Limits
    options: ReadOptions

    def with_closing_lines(self, n_closing: int) -> FaultyText:
        """Return the text with its last rows as closing lines, but for those that a person looked at."""
        looked_at = max((line for line, _ in self.options.corrections), default=0)
        places = [fault.start for fault in mark_closing_lines(self.body, self.scan, n_closing).faults[-n_closing:]]
        n_asked = sum(self.line_of(place) > looked_at for place in places)
        return self if not n_asked else self._replace(scan=mark_closing_lines(self.body, self.scan, n_asked))

    @property
    def body(self) -> bytes:
        """Return the text below the header."""
        return self.data[self.layout.start :]

    def line_of(self, place: int) -> int:
        """Return the line of the file, from 1, in which a place lies."""
        stop = self.layout.start + place
        ends = (self.data.count(end, self.layout.start, stop) for end in (b"\n", b"\r"))
        return sum(ends) - self.data.count(b"\r\n", self.layout.start, stop) + self.layout.lines_before + 1

    def describe_rows(self) -> BadRows:
        """Return the rows that cannot be read, as a person is asked about them."""
        layout = self.layout
        header = lines_before(self.data, layout.start, 1) if layout.header else ()
        return BadRows(
            n_rows=self.n_rows,
            kinds=tuple(self.scan.n_faults.items()),
            examples=tuple(map(self._describe_row, self.scan.faults)),
            header=(layout.lines_before, header[0]) if header else None,
            names=_cut_cells(layout.names),
            delimiter="" if layout.delimiter == NO_DELIMITER else name_delimiter(layout.delimiter),
        )

    @property
    def n_rows(self) -> int:
        """Count the rows, those that cannot be read included."""
        return self.scan.n_rows + sum(self.scan.n_faults.values())

    @property
    def may_skip(self) -> bool:
        """Return whether a person said that the rows are left out, and may say so."""
        return self.options.skip_bad_rows and self._may_ask

    @property
    def _may_ask(self) -> bool:
        """Return whether the rows may be left out: where most are bad, only at a layout that a person chose."""
        is_chosen = self.options.delimiter is not None and self.options.header is not None
        return 2 * self.scan.n_rows >= self.n_rows or (is_chosen and self.scan.n_rows > 0)

    def error(self) -> DataError:
        """Return the question whether the rows are left out; a refusal where they may not be."""
        first = self._explain(self.scan.faults[0])
        n_bad = self.n_rows - self.scan.n_rows
        if self._may_ask:
            text = f"{first}. {n_bad:,} of {count(self.n_rows)} cannot be read."
            return BadRowsFound(text, self.describe_rows())
        check = (
            "the encoding (--encoding)"
            if NOT_UTF8 in self.scan.n_faults
            else "delimiter and header (--delimiter, --header-line), then read it again"
        )
        return DataError(f"{first}." if self.n_rows == 1 else f"{first}. {say_most(n_bad, self.n_rows, check)}")

    def warnings(self) -> list[str]:
        """Return what is said of lines that are no rows."""
        sentences = []
        if self.scan.comments:
            sentences.append(self._describe_comments())
        if self.scan.blanks:
            sentences.append(say_blank_inside(self._number(self.scan.blanks), len(self.scan.blanks), "line"))
        return sentences

    def _describe_comments(self) -> str:
        places = self.scan.comments
        lines = list_lines(self._number(places), len(places)).capitalize()
        verbs = ("begins", "does") if len(places) == 1 else ("begin", "do")
        comments = "a comment" if len(places) == 1 else "comments"
        example = lines_after(self.data, self.layout.start + places[0], 1)[0].strip()
        return (
            f"{lines} {verbs[0]} with # and {verbs[1]} not split into the cells of a row: skipped as {comments}, such "
            f"as {quote(example)}."
        )

    def _number(self, places: list[int]) -> list[int]:
        return [self.line_of(place) for place in places[:EXAMPLES]]

    def _describe_row(self, fault: Fault) -> BadRow:
        start, stop = self.layout.start + fault.start, self.layout.start + fault.stop
        line = self.line_of(fault.start)
        if fault not in self.scan.faults[:SHOWN_ROWS]:
            return BadRow(fault.kind, line, 1, self._say_why(fault))
        n_chars = CORRECTED_LINE_CHARS if fault is self.scan.faults[0] else SHOWN_LINE_CHARS
        before = lines_before(self.data, start, min(_NEIGHBOURS, line - 1))
        after = lines_after(self.data, stop, _NEIGHBOURS)
        n_lines = max(1, self.line_of(fault.stop) - line)
        lines = lines_after(self.data[:stop], start, min(n_lines, SHOWN_LINES), n_chars)
        shown = {line - len(before) + i: text for i, text in enumerate(before)}
        shown |= {line + n_lines + i: text for i, text in enumerate(after)}
        cells = () if not fault.n_values else _cut_cells(self._split(self.data[start:stop]))
        return BadRow(
            fault.kind, line, n_lines, self._say_why(fault), before, lines, after, cells,
            self._find_neighbour(shown, line) if cells else None, n_lines == 1 and len(lines[0]) < n_chars,
        )  # fmt: skip

    def _find_neighbour(self, shown: dict[int, str], line: int) -> tuple[int, tuple[str, ...]] | None:
        """Return the nearest line that splits as it should, and its cells."""
        for number in sorted(shown, key=lambda other: abs(other - line)):
            cells = self._split(shown[number].encode())
            if number > self.layout.lines_before and len(cells) == len(self.layout.names):
                return number, _cut_cells(cells)
        return None

    def _split(self, row: bytes) -> list[str]:
        return split_row(row, self.layout.shape)

    def _say_why(self, fault: Fault) -> str:
        """Say what is wrong with a row, after "line 7"."""
        if not fault.n_values:
            return KINDS[fault.kind][0]
        other = "the header" if self.layout.header else "the first"
        return f"has {count(fault.n_values, 'value')}, {other} {len(self.layout.names):,}"

    def _explain(self, fault: Fault) -> str:
        """Say what is wrong with a row, and what to do."""
        return f"row {fault.row:,} {self._explain_kind(fault)}"

    def _explain_kind(self, fault: Fault) -> str:
        delimiter = name_delimiter(self.layout.delimiter)
        if fault.kind == NUL:
            return "holds a zero byte (NUL), as binary data does and text does not"
        if fault.kind == NOT_UTF8:
            return explain_wrong_byte(self.data[self.layout.start + fault.start : self.layout.start + fault.stop])
        if fault.kind == BLANK:
            return "is a blank line inside the file; fill it or delete it"
        if fault.kind == CLOSING:
            cells = self._split(self.data[self.layout.start + fault.start : self.layout.start + fault.stop])
            return f"looks like a closing line ({list_items(cells)}), not a prediction; if it is one, move it up"
        if fault.kind == LONG:
            return f"has a cell that is longer than {self.limits.cell_chars:,} characters, the limit"
        if fault.kind == QUOTE:
            return "has a quotation mark that is opened and never closed; close it, or double it inside a value"
        if fault.kind == TEXT_AFTER:
            return f"has text after a closing quotation mark; a {delimiter} should follow, and a mark inside is doubled"
        return self._explain_ragged(fault, delimiter)

    def _explain_ragged(self, fault: Fault, delimiter: str) -> str:
        n_columns = len(self.layout.names)
        wanted = (
            f"the header names {count(n_columns, 'column')}" if self.layout.header else f"the first has {n_columns:,}"
        )
        text = f"has {count(fault.n_values, 'value')}, but {wanted} ({list_items(self.layout.names)})"
        if fault.row == 1 and not self.scan.n_rows and self._every_row_has(n_columns + 1):
            return text + "; every row has one more, so the header lacks a name: add it, or leave the extra values out"
        return f"{text}; a {delimiter} inside a value needs quotation marks" if fault.kind == MORE else text

    def _every_row_has(self, n_values: int) -> bool:
        try:
            records = iterate_records(self.body, self.layout.shape)
            return all(len(record) == n_values for record, _ in zip(records, range(STRICT_HEAD_ROWS), strict=False))
        except csv.Error:
            return False


def _cut_cells(cells: list[str]) -> tuple[str, ...]:
    return tuple(cut(cell, _CELL_CHARS) for cell in cells[:SHOWN_CELLS])
