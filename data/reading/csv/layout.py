"""Find the layout of a text file: where its rows begin, what splits them, and what its columns are called.

All of it is read from the file's first megabyte; every choice is said, with how many lines confirm it.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.columns.written_numbers import is_number, read_number
from data.errors import DataError, FinalError
from data.limits import COLUMN_NAME_CHARS, LAYOUT_SAMPLE_BYTES, LAYOUT_SAMPLE_ROWS
from data.process.limits import Limits
from data.reading.cells import check_names, fill_names, number_names
from data.reading.csv.header import SAVETXT, Header, find_header, join_mark
from data.reading.csv.split import (
    DELIMITERS,
    NO_DELIMITER,
    Split,
    choose_split,
    describe_title,
    skip_comments,
    skip_lines,
    split_text,
)
from data.reading.csv.strict_csv import LINE_END, Shape, open_csv
from data.reading.encodings import check_utf8
from data.reading.options import ReadOptions
from text.numbers import count
from text.quoting import list_items, name_delimiter, quote

_EXCEL_HINT = re.compile(rb"sep=([,;\t|])\r?\n", re.IGNORECASE)
_WEKA_DISTRIBUTION = ("inst#", "distribution")  # the first and the last column of a header that names one for K
_AROUND_NAMES = "\ufeff\u200b\u200c\u200d\u2060"  # invisible characters that str.strip keeps


@dataclass(frozen=True)
class Layout:
    """The layout of a file, found at its beginning.

    start : where the first data row begins, in bytes. lines_before : lines before it.
    unnamed : indices of columns without a name. sample : records of data. quoted : whether quotation marks quote.
    blank_is_cell : a blank line is an empty cell of the only column. above : the text above the table.
    choice : what was chosen, and what confirms it. decimal : the mark that a person chose.
    """

    names: list[str]
    unnamed: list[int]
    delimiter: str
    sample: list[list[str]]
    start: int
    lines_before: int
    quoted: bool
    header: bool
    blank_is_cell: bool
    above: str
    choice: str
    notes: list[str]
    warnings: list[str]
    decimal: str | None = None

    @property
    def shape(self) -> Shape:
        """Return the shape that the exact reader wants of every row."""
        return Shape(self.names, self.delimiter, self.quoted, self.blank_is_cell, self.header)


def find_layout(data: bytes, prefer: str, limits: Limits, options: ReadOptions, *, plain: bool) -> Layout:
    """Lay out a file.

    Parameters
    ----------
    prefer : the delimiter that the file's name suggests. plain : it is plain text by its name.

    Raises
    ------
    DataError
        the header line is blank, too long, or has too many columns.
    """
    notes: list[str] = []
    warnings: list[str] = []
    first, prefer = skip_hint(data, prefer, notes)
    first = skip_above(data, first, options, warnings)
    top = 0 if options.header_line else first
    text, is_whole = _read_sample(data, first)
    split = split_by_options(text, prefer, options, plain=plain, whole=is_whole)
    if options.header is None and not plain:
        title = describe_title(split, data.count(b"\n", 0, first))
        if title:
            warnings.append(title)
            first = skip_lines(data, first, split.lines_above)
            text, is_whole = _read_sample(data, first)
    delimiter = split.delimiter
    one_cell_a_line = delimiter == NO_DELIMITER
    sample_is_quoted = '"' in text and not (one_cell_a_line and plain and _quotes_are_text(text))
    # marks below the sample quote, too, except in lines of text
    is_quoted = sample_is_quoted or (b'"' in data and not one_cell_a_line)
    records, header_lines = read_records(text, delimiter, quoting=sample_is_quoted)
    if len(records) > 1 and not is_whole:
        records.pop()  # it may be cut off
    header = _choose_header(records, options, plain=plain)
    start = skip_lines(data, first, header_lines) if header.exists else first
    check_utf8(data[first:start])
    names, unnamed = _choose_names(records, header, notes, warnings, limits)
    return Layout(
        names=names,
        unnamed=unnamed,
        delimiter=delimiter,
        sample=records[1:] if header.exists else records,
        start=start,
        lines_before=len(LINE_END.findall(data[:start])),
        quoted=is_quoted,
        header=header.exists,
        blank_is_cell=one_cell_a_line and plain,
        above=data[top:first].decode(errors="replace").strip(),
        choice=_describe_choice(records, names, delimiter, header, options),
        notes=notes,
        warnings=warnings,
        decimal=options.decimal,
    )


def skip_hint(data: bytes, prefer: str, notes: list[str]) -> tuple[int, str]:
    """Return where the text begins below a line such as `sep=;`, and the delimiter to prefer."""
    hint = _EXCEL_HINT.match(data)
    if hint is None:
        return 0, prefer
    prefer = hint.group(1).decode()
    notes.append(f"The first line said that the delimiter is a {name_delimiter(prefer)}.")
    return hint.end(), prefer


def skip_above(data: bytes, first: int, options: ReadOptions, warnings: list[str]) -> int:
    """Return where the table begins: at the header line that a person named, or below comments."""
    if options.header_line is None:
        return _skip_comments(data, first, options, warnings)
    start = skip_lines(data, 0, options.header_line - 1)
    if start >= len(data):
        raise DataError(f"line {options.header_line:,} was chosen as the header, but the file ends before it.")
    return max(first, start)


def _skip_comments(data: bytes, first: int, options: ReadOptions, warnings: list[str]) -> int:
    """Return where the table begins below comments, and warn of them."""
    marks = DELIMITERS if options.delimiter is None else options.delimiter
    end = skip_comments(data, first, marks)
    if end > first:
        comment = data[first:end].decode(errors="replace").strip()
        warnings.append(f"The file begins with a comment, which was skipped: {quote(comment)}.")
    return end


def _read_sample(data: bytes, first: int) -> tuple[str, bool]:
    """Return about a megabyte of text from a place on, and whether that is all."""
    end = _find_sample_end(data, first)
    return data[first:end].decode(errors="replace"), end == len(data)


def _find_sample_end(data: bytes, first: int) -> int:
    """Return the end of a line about a megabyte down, or of the first line if that is longer."""
    if len(data) - first <= LAYOUT_SAMPLE_BYTES:
        return len(data)
    last = first + LAYOUT_SAMPLE_BYTES
    cut = max(data.rfind(b"\n", first, last), data.rfind(b"\r", first, last - 1))  # a last \r may be half of \r\n
    if cut > first:
        return cut + 1
    line_end = LINE_END.search(data, last)
    return line_end.end() if line_end else len(data)


def read_records(text: str, delimiter: str, *, quoting: bool = True) -> tuple[list[list[str]], int]:
    """Read the first records, and how many lines the very first takes. Lenient: a sample may end anywhere."""
    reader = open_csv(text, delimiter, quoted=quoting)
    header = join_mark(next(reader, []))
    header_lines = reader.line_num
    return [header, *itertools.islice(reader, LAYOUT_SAMPLE_ROWS)], header_lines


def _quotes_are_text(text: str) -> bool:
    """Return whether quotation marks of a file without a delimiter are part of its sentences."""
    try:
        list(open_csv(text, NO_DELIMITER, strict=True))
    except csv.Error:
        return True
    return False


def split_by_options(text: str, prefer: str, options: ReadOptions, *, plain: bool, whole: bool) -> Split:
    """Split text at the delimiter that the options name, or at the one that is found."""
    if options.delimiter is not None:
        return split_text(text, options.delimiter or NO_DELIMITER, whole=whole)
    return choose_split(text, prefer, plain=plain, whole=whole)


def _choose_header(records: list[list[str]], options: ReadOptions, *, plain: bool) -> Header:
    if options.header is not None:
        return Header(options.header is not False, "you said so", asked=True)
    if not records[0]:
        return Header(True, "")  # a blank line, which is refused below
    return find_header(records, plain=plain)


def _choose_names(
    records: list[list[str]], header: Header, notes: list[str], warnings: list[str], limits: Limits
) -> tuple[list[str], list[int]]:
    first = records[0]
    if not header.exists:
        return _invent_names(records, header, notes if header.asked else warnings, limits)
    if not first:
        raise DataError("the first line is blank: it must be the header line with the column names.")
    if len(first) == 1 and len(first[0]) > COLUMN_NAME_CHARS:
        error = FinalError if len(records) == 1 else DataError  # below a long title there may be a header
        raise error(
            f"the first line is {len(first[0]):,} characters long and holds no delimiter: not a table. Give one line "
            "for every row, with delimiters between the values."
        )
    if header.doubtful:
        warnings.append(f"The first line ({list_items(first, 4)}) was taken as the header: {header.why}.")
    stripped = _strip_names(first, notes)
    stripped = _widen_header(stripped, records[1:], notes, warnings)
    names, unnamed = fill_names(stripped)
    names, repeated = number_names(names)
    check_names(names, limits)
    if repeated:
        now = list_items((f"{quote(old)} is now {quote(new)}" for old, new in repeated), quoted=False)
        warnings.append(f"Column names occur twice; the later ones were numbered: {now}. Check which column is meant.")
    return names, unnamed


def _invent_names(
    records: list[list[str]], header: Header, sentences: list[str], limits: Limits
) -> tuple[list[str], list[int]]:
    """Make names for the columns of a file without a header line."""
    width = max(1, len(records[0]))
    shares = _find_shares([record for record in records if len(record) == width])
    scores = {place: f"share {number}" for number, place in enumerate(shares, 1)}
    names = [scores.get(index, f"column {index + 1}") for index in range(width)]
    check_names(names, limits)
    called = list_items(names, 4) if shares or width == 1 else f"{quote(names[0])} to {quote(names[-1])}"
    sentences.append(
        f"There is no header line: the first line ({list_items(records[0], 4)}) was read as a row, because "
        f"{header.why}; the {'columns were' if width > 1 else 'column was'} called {called}."
    )
    return names, list(range(width))


def _find_shares(records: Sequence[Sequence[str]]) -> list[int]:
    """Return the places of the columns of fractions that add up to 1 in every row, as the scores of classes do."""
    columns = enumerate(zip(*records, strict=True))
    numbers = {place: np.array([*map(read_number, cells)]) for place, cells in columns if all(map(is_number, cells))}
    shares = [place for place, column in numbers.items() if _are_shares(column)]
    totals = np.sum([numbers[place] for place in shares], axis=0)
    is_matrix = 1 < len(shares) >= len(records[0]) - 1  # beside labels and their predictions, they may be features
    return shares if is_matrix and np.allclose(totals, 1, atol=0.01) else []


def _are_shares(numbers: np.ndarray) -> bool:
    """Return whether numbers lie from 0 to 1, and not all at the ends."""
    return bool(numbers.min() >= 0 and numbers.max() <= 1 and (numbers % 1).any())


def _strip_names(first: list[str], notes: list[str]) -> list[str]:
    names = [name.strip().strip(_AROUND_NAMES).strip() for name in first]
    if names != first:
        notes.append("Blanks around column names were removed.")
    if SAVETXT.match(names[0]):
        notes.append(f"The header line begins with #, as NumPy writes it: {quote(names[0])} lost that mark.")
        names[0] = SAVETXT.sub("", names[0], count=1)
    return names


def _widen_header(names: list[str], below: list[list[str]], notes: list[str], warnings: list[str]) -> list[str]:
    """Widen a header that is shorter than every row: row names before them, or delimiters after them."""
    widths = {len(record) for record in below}
    if len(names) < 2 or not below or len(widths) > 1 or min(widths) <= len(names):
        return names
    n_more = min(widths) - len(names)
    if (names[0], names[-1]) == _WEKA_DISTRIBUTION:
        notes.append(f"{quote(names[-1])} stands for {n_more + 1:,} columns, as Weka writes it.")
        return [*names[:-1], *(f"{names[-1]}_{place + 1}" for place in range(n_more + 1))]
    if not any(cell.strip() for record in below for cell in record[len(names) :]):
        return [*names, *[""] * n_more]
    row_names = [record[0] for record in below]
    all_different = len(set(row_names)) == len(row_names) and all(row_names)
    if n_more > 1 or len(below) < 2 or not all_different:
        return names
    warnings.append(
        f"The header names {count(len(names), 'column')}, but every row has one cell more. The first, such as"
        f" {quote(row_names[0])}, was taken as a row's name, as R writes it."
    )
    return ["", *names]


def _describe_choice(
    records: list[list[str]], names: list[str], delimiter: str, header: Header, options: ReadOptions
) -> str:
    """Say which layout was chosen, and how many of the first lines confirm it."""
    first = f"the first is the header line ({header.why})" if header.exists else "there is no header line"
    if delimiter == NO_DELIMITER:
        why = ", as you said" if options.delimiter == "" else ": no delimiter splits the lines alike"
        return f"Every line is one cell{why}; {first}."
    split = sum(len(record) == len(names) for record in records)
    chosen = ", which you chose" if options.delimiter else ""
    return (
        f"{split:,} of {len(records):,} sampled {'line splits' if split == 1 else 'lines split'} into"
        f" {count(len(names), 'cell')} at the {name_delimiter(delimiter)}{chosen}; {first}."
    )
