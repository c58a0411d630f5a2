"""JSON: one object per line, one array of objects, or one object around them; logs of other tools among these.

Everything becomes text (1 and "1" are the same label), except columns of numbers with fractions, which are
scores and become float64. Objects inside a row become dotted columns, lists stay as JSON text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from data.bad_rows import BadRowsFound, say_blank_end, say_most
from data.errors import DataError, FinalError
from data.process.limits import Limits, Progress
from data.reading.cells import check_names, tidy
from data.reading.csv.empty_rows import without_empty_rows
from data.reading.json.bad_lines import Lines, name_kind, split_lines
from data.reading.json.outline import Outline, outline_object
from data.reading.json.streams import RECORDS, Stream, array, holds_lines, lines, too_deep, utf8
from data.reading.logs.label_scores import say_split, split
from data.reading.logs.pandas_json import explain_refusal, find_rows_key, say_rows_key
from data.reading.logs.source import Remarks, Row
from data.reading.logs.sources import DOCUMENTS, HEAD, STREAMS
from data.reading.record_columns import Records
from text.numbers import count

_REPORT_EVERY = 20_000


class _Opened(NamedTuple):
    """Rows that can be read, and what tells how far one is."""

    rows: Iterator[Row]
    layout: str
    source: str | None
    stream: Stream | None = None


def read_json(
    data: bytes, limits: Limits, progress: Progress, *, one_per_line: bool, skip_bad_rows: bool = False
) -> tuple[pa.Table, dict]:
    """Read UTF-8 JSON; return its table, and how it was read: format, source, notes, warnings.

    Parameters
    ----------
    one_per_line : the name promised an object per line; an array is read all the same, with a warning.
    skip_bad_rows : leave out lines that are no objects, with an account of them.

    Raises
    ------
    DataError
        One sentence that names the row, and the key if there is one.
    """
    try:
        return _read_json(data, limits, progress, one_per_line=one_per_line)
    except FinalError:
        raise
    except DataError as error:
        if data.lstrip()[:1] == b"[":
            raise
        others = _read_other_lines(data, limits, progress, one_per_line=one_per_line)
        if others is None:
            raise
        read, lines = others
        if lines.bad and lines.bad.are_most:
            check = "that every line holds one object"
            raise DataError(f"{error} {say_most(lines.bad.n_bad, lines.bad.n_rows, check)}") from None
        if lines.bad and not skip_bad_rows:
            text = f"{lines.bad.n_bad:,} of {count(lines.bad.n_rows)} cannot be read."
            raise BadRowsFound(f"{error} {text}", lines.bad) from None
        return read


def _read_other_lines(
    data: bytes, limits: Limits, progress: Progress, *, one_per_line: bool
) -> tuple[tuple[pa.Table, dict], Lines] | None:
    """Return what the lines without faults are read as, and all lines sorted; None where they cannot be read."""
    for same_kinds in (False, True):
        lines = split_lines(data, same_kinds=same_kinds)
        if not lines.n_rows or not (lines.bad or lines.blanks):
            continue
        try:
            table, described = _read_json(lines.kept, limits, progress, one_per_line=one_per_line)
        except DataError:
            continue
        described["warnings"] = (*lines.warnings(), *described["warnings"])
        return (table, {**described, "rows_left_out": lines.bad and lines.bad.account}), lines
    return None


def _read_json(data: bytes, limits: Limits, progress: Progress, *, one_per_line: bool) -> tuple[pa.Table, dict]:
    if not data.strip():
        raise DataError("it is empty: give one object for every prediction.")
    remarks, records = Remarks(), Records(limits)
    opened = _open(data, one_per_line, remarks)
    for number, row in enumerate(opened.rows, 1):
        try:
            records.add(row)
        except RecursionError:
            raise too_deep(f"row {records.n_rows:,}") from None
        if number % _REPORT_EVERY == 0:
            progress("reading", opened.stream.share if opened.stream else 0.5)
    table, notes, warnings = tidy(_finish(records, limits), limits)
    if not opened.source:
        table = without_empty_rows(table, notes, warnings)
        n_blank = data[len(data.rstrip()) :].count(b"\n") - 1
        notes += [say_blank_end(n_blank, "line")] if n_blank > 0 and opened.layout == "JSON lines" else []
    if one_per_line and opened.layout == "JSON" and data.lstrip()[:1] == b"[":
        warnings.append("The file holds one JSON array, not one object per line; its elements were read as rows.")
    absent = [] if opened.source else records.notes()  # a tool leaves out what it does not know
    return table, {
        "format": opened.layout,
        "source": opened.source,
        "notes": (*remarks.notes, *absent, *notes),
        "warnings": (*remarks.warnings, *records.warnings(), *warnings),
    }


def _open(data: bytes, one_per_line: bool, remarks: Remarks) -> _Opened:
    """Open an array, lines, or one object, as the first character and the lines say."""
    start = data[:64].lstrip()[:1] or data.lstrip()[:1]
    if start == b"[" and not (one_per_line and _holds_lists(data)):
        text = utf8(data)
        return _from_stream(array(text, text.index("[") + 1), remarks)
    if start != b"{" or holds_lines(data) or (one_per_line and data.strip().count(b"\n") == 0):
        return _from_stream(lines(data), remarks)
    try:
        document = outline_object(utf8(data))
    except DataError:
        if one_per_line or _next_line_begins_object(data):
            return _from_stream(lines(data), remarks)
        raise
    return _from_document(document, remarks)


def _holds_lists(data: bytes) -> bool:
    """Return whether every line is a list by itself, as pipelines write them."""
    text = data.strip()
    return b"\n" in text and text[: text.index(b"\n")].rstrip().endswith(b"]")


def _next_line_begins_object(data: bytes) -> bool:
    text = data.lstrip()
    return text[text.find(b"\n") + 1 :][:64].lstrip()[:1] == b"{"


def _from_stream(stream: Stream, remarks: Remarks) -> _Opened:
    head = stream.head(HEAD)
    source = next((source for source in STREAMS if head and source.recognises(head)), None)
    rows = source.rows(stream, remarks) if source else _iterate_plain(stream, remarks)
    return _Opened(rows, stream.layout, source.name if source else None, stream)


def _from_document(document: Outline, remarks: Remarks) -> _Opened:
    source = next((source for source in DOCUMENTS if source.recognises(document)), None)
    if source:
        return _Opened(source.rows(document, remarks), "JSON", source.name)
    path = find_rows_key(document)
    if path:
        return _from_stream(say_rows_key(document, path, remarks), remarks)
    refused = explain_refusal(document, RECORDS)
    if refused:
        raise refused
    return _Opened(iter([document.whole()]), "JSON lines", None)


def _iterate_plain(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Yield records as they are; lists of labels and scores in them become columns."""
    prefixes: dict[str, str] = {}
    for row, value in stream:
        if not isinstance(value, dict):
            raise DataError(f"row {row:,} is {name_kind(value)}, not an object; {RECORDS}.")
        yield split(value, prefixes, remarks)
    say_split(prefixes, remarks)


def _finish(records: Records, limits: Limits) -> pa.Table:
    if records.n_rows == 0:
        raise DataError("it holds no rows: the array is empty.")
    table = records.table()
    if table.num_columns == 0:
        raise DataError("its objects are all empty: there are no columns.")
    check_names(table.column_names, limits)
    return table
