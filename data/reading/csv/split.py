"""Choose the delimiter that splits the most lines alike, and the line at which the table begins.

Lines that begin with "#" are comments only if they do not split into the cells of a row.
"""

from __future__ import annotations

import io
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from data.columns.written_numbers import is_number
from data.errors import DataError
from data.limits import COMMENT_HEAD_ROWS, MAX_TITLE_LINES, TRIED_TABLE_ROWS
from data.reading.csv.header import SAVETXT, Header, find_header, is_role_name, join_mark
from data.reading.csv.strict_csv import LINE_END, open_csv
from text.numbers import count
from text.quoting import list_items, quote

DELIMITERS = ",;\t|"
NO_DELIMITER = "\x1f"  # stands for none: a character that text does not hold
_FEWEST_COLUMNS = 3  # a line of two cells of which one is empty may be a header
_COMMENT_HEAD_BYTES = 1 << 16
_LINES_BELOW_COMMENTS = 6
_BETWEEN_DIGITS = re.compile(r"\d,\d")


@dataclass(frozen=True)
class Split:
    """The first records of a text at one delimiter.

    lines : the number of lines up to the end of each record. width : cells of most records. place : the first record
    of the table; None where no delimiter makes one. header : what the record there is. alike : records of that width.
    """

    delimiter: str
    records: list[list[str]]
    lines: list[int]
    width: int
    place: int | None
    header: Header | None
    alike: int

    @property
    def sure(self) -> bool:
        """Return whether the table begins with a line whose cells say that they are names."""
        return self.header is not None and self.header.exists and self.header.sure

    @property
    def lines_above(self) -> int:
        """Return how many lines stand above the table."""
        return self.lines[self.place - 1] if self.place else 0


def split_text(text: str, delimiter: str, *, whole: bool = True) -> Split:
    """Split the first lines of a text; whole : the text ends where the file does."""
    records, lines = _read_records(text, delimiter, whole=whole)
    widths = Counter(len(record) for record in records if len(record) > 1)
    width = max(widths, key=lambda width: (widths[width], width), default=1)
    place, header = _find_table(records, width)
    alike = sum(len(record) == width for record in records[place or 0 :])
    return Split(delimiter, records, lines, width, place, header, alike)


def _read_records(text: str, delimiter: str, *, whole: bool) -> tuple[list[list[str]], list[int]]:
    reader = open_csv(text, delimiter)
    tried = [(record, reader.line_num) for record in itertools.islice(reader, TRIED_TABLE_ROWS)]
    if not whole and len(tried) < TRIED_TABLE_ROWS:
        tried = tried[:-1]  # it may be cut off
    while tried and not tried[-1][0]:
        tried.pop()
    return [join_mark(record) for record, _ in tried], [line for _, line in tried]


def _find_table(records: list[list[str]], width: int) -> tuple[int | None, Header | None]:
    """Return the record at which the table begins, and what that record is; None where there is no table."""
    top = records[: MAX_TITLE_LINES + 1]
    fits = [place for place, record in enumerate(top) if not _is_title(record, width)]
    if width < 2 or not fits or not _goes_on(records[fits[0] :], width):
        return None, None
    misfits = [place for place, record in enumerate(top) if _is_title(record, width)]
    below = next((place for place in fits if misfits and place > misfits[-1]), fits[0])
    first = find_header(records[fits[0] :])
    if first.exists and first.sure and not _groups_names(records[fits[0] : fits[0] + 2]):
        return fits[0], first
    for place in fits[1:]:
        if (place == below or _names_roles(top[place])) and _goes_on(records[place:], width):
            header = find_header(records[place:])
            if header.exists and header.sure:
                return place, header
    return fits[0], first


def _names_roles(record: Sequence[str]) -> bool:
    """Return whether a line holds the names of two columns of predictions: a title of as many cells does not."""
    return sum(is_role_name(cell.strip()) for cell in record) > 1


def _groups_names(records: Sequence[Sequence[str]]) -> bool:
    """Return whether a line of repeated or empty names stands above one that names every column by itself."""
    if len(records) < 2 or len(set(records[0])) == len(records[0]) or not _names_roles(records[1]):
        return False
    return all(records[1]) and len(set(records[1])) == len(records[1])


def _is_title(record: Sequence[str], width: int) -> bool:
    filled = sum(bool(cell.strip()) for cell in record)
    return len(record) != width or (width >= _FEWEST_COLUMNS and filled <= 1)


def _goes_on(records: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether at least two records, and most of them, are a table's."""
    alike = sum(len(record) == width for record in records)
    return alike >= 2 and 2 * alike > len(records)


def choose_split(text: str, prefer: str, *, plain: bool = False, whole: bool = True) -> Split:
    """Choose the delimiter: a sure header, most lines alike, no comma of numbers; the preferred, most columns.

    Plain text that no delimiter splits alike is one column: sentences hold commas, too. Spaces part cells only where
    the first line names columns of predictions, as R writes them.
    """
    marks = dict.fromkeys([prefer, *DELIMITERS])
    splits = [split_text(text, mark, whole=whole) for mark in marks]
    usable = [split for split in splits if _may_split(split, plain=plain)]
    if not usable:
        by_space = split_text(text, " ", whole=whole)
        if _is_spaced_table(by_space.records):
            return by_space
        alone = plain or not any(mark in text for mark in DELIMITERS)
        return split_text(text, NO_DELIMITER if alone else prefer, whole=whole)
    return max(usable, key=lambda split: _rank(split, text, prefer))


def _is_spaced_table(records: Sequence[Sequence[str]]) -> bool:
    """Return whether every line has as many cells as the first names, or one more: a row's name, in front.

    "true label" may be the name of one column, whose labels have two words: then two columns have to share a label.
    Without names, numbers are cells unless each line may be a set of labels.
    """
    if _are_numbers(records):
        return True
    widths = {len(record) for record in records[1:]}
    if len(widths) != 1 or len(records[0]) not in (max(widths), max(widths) - 1) or not _names_roles(records[0]):
        return False
    columns = [set(cells) for cells in zip(*records[1:], strict=True)]
    share_a_cell = sum(map(len, columns)) > len(set.union(*columns))
    return share_a_cell or not is_role_name(" ".join(records[0]))


def _are_numbers(records: Sequence[Sequence[str]]) -> bool:
    """Return whether lines are as many numbers each, of which some are no labels, or a line holds one of them twice.

    As many lines as numbers are a matrix, whose classes have no names.
    """
    width = len(records[0]) if records else 0
    if {len(record) for record in records} != {width} or width < 2 or len(records) == width:
        return False
    if not all(is_number(cell) for record in records for cell in record):
        return False
    return any(len(set(record)) < len(record) or not all(map(str.isdigit, record)) for record in records)


def _may_split(split: Split, *, plain: bool) -> bool:
    if split.width < 2 or not split.records:
        return False
    if split.place:
        return not plain
    first = len(split.records[0])
    agreeing = sum(len(record) == first for record in split.records[1:])
    return first > 1 and not (plain and len(split.records) > 2 and 2 * agreeing < len(split.records) - 1)


def _rank(split: Split, text: str, prefer: str) -> tuple[bool, int, bool, bool, int]:
    numbers = split.delimiter == "," and _parts_numbers(split, text)
    return split.sure, split.alike, not numbers, split.delimiter == prefer, split.width


def _parts_numbers(split: Split, text: str) -> bool:
    """Return whether every comma of the table stands between two digits, as a decimal comma does."""
    first = split.lines_above
    rows = list(itertools.islice(io.StringIO(text, newline=""), first + 1, first + 1 + TRIED_TABLE_ROWS))
    commas = sum(row.count(",") for row in rows)
    return commas > 0 and commas == sum(len(_BETWEEN_DIGITS.findall(row)) for row in rows)


def describe_title(split: Split, lines_before: int) -> str:
    """Return the warning about the lines above a table; "" where there are none.

    lines_before : lines of the file before the text.

    Raises
    ------
    DataError
        lines without a cell of the table stand above it, and the line below them does not read as its header.
    """
    if not split.place or has_row_names(split):
        return ""
    above, preview = split.records[: split.place], list_items(split.records[split.place], 4)
    number = lines_before + split.lines_above + 1
    if split.sure:
        title = " ".join(" ".join(record).strip() for record in above).strip()
        return (
            f"{count(split.lines_above, 'line')} above the table left out ({quote(title, 60)}): data starts at "
            f"line {number:,} with the header ({preview})."
        )
    if all(len(record) < 2 for record in above):
        raise DataError(
            f"data starts at line {number:,} ({preview}), and the lines above it are no header. Choose the line of the "
            f"header (--header-line {number}), or write a header there."
        )
    return ""


def has_row_names(split: Split) -> bool:
    """Return whether the only line above is one cell shorter: R leaves the rows' own names without a header."""
    above, top = split.records[:2]
    return split.place == 1 and 2 <= len(above) == split.width - 1 and not _names_roles(top)


def skip_lines(data: bytes, first: int, n_lines: int) -> int:
    """Return the place past so many lines."""
    ends = [ending.end() for ending in itertools.islice(LINE_END.finditer(data, first), n_lines)]
    return (ends[-1] if ends else first) if len(ends) == n_lines else len(data)


# -- comments above the header ------------------------------------------------------------------------


def skip_comments(data: bytes, first: int, delimiters: str) -> int:
    r"""Return the place past lines that begin with "#" and split otherwise than the next; `first` without such.

    >>> skip_comments(b"# made by tool 3\na,b\n", 0, ","), skip_comments(b"#id,b\n1,2\n", 0, ",")
    (17, 0)
    """
    place, lines = first, []
    while data[place : place + 1] == b"#":
        line, stop = _read_line(data, place)
        lines.append((place, line))
        place = stop
    if not lines:
        return first
    delimiter = _choose_delimiter(data, place, delimiters)
    if delimiter is None:
        return first
    width = _count_cells(_read_line(data, place)[0], delimiter)
    if _is_sure_header(data, place, delimiter):
        return place
    for start, line in reversed(lines):  # a row may begin with #, and only the last of several may be a header
        if _count_cells(line, delimiter) != width or (SAVETXT.match(line) and start != lines[-1][0]):
            return place
        place = start
    return place


def _choose_delimiter(data: bytes, start: int, delimiters: str) -> str | None:
    """Choose the delimiter of a line: prefer the one that splits the lines below alike over the most frequent one."""
    below: list[str] = []
    while start < len(data) and len(below) < _LINES_BELOW_COMMENTS:
        line, start = _read_line(data, start)
        below.append(line)
    first = below[0] if below else ""
    held = [mark for mark in delimiters if mark in first]
    alike = [mark for mark in held if len({_count_cells(line, mark) for line in below if line}) == 1]
    return max(alike or held, key=first.count, default=None)


def _read_line(data: bytes, start: int) -> tuple[str, int]:
    ending = LINE_END.search(data, start)
    stop = ending.start() if ending else len(data)
    return data[start:stop].decode(errors="replace"), ending.end() if ending else len(data)


def _is_sure_header(data: bytes, start: int, delimiter: str) -> bool:
    """Return whether a line is a header by its content, not only because there is no other."""
    text = data[start : start + _COMMENT_HEAD_BYTES].decode(errors="replace")
    records = [*itertools.islice(open_csv(text, delimiter), COMMENT_HEAD_ROWS)]
    return bool(records) and find_header(records).sure


def _count_cells(line: str, delimiter: str) -> int:
    return len(next(open_csv(line, delimiter), []))
