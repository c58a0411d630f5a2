"""Options with which a person corrects how a file is read, and the preview of what they make of it."""

from __future__ import annotations

import codecs
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from data.errors import DataError
from data.evaluation import as_tuples

ENCODINGS = {
    "UTF-8": "utf-8",
    "UTF-16": "utf-16",
    "UTF-16 little-endian": "utf-16-le",
    "UTF-16 big-endian": "utf-16-be",
    "Windows-1252": "cp1252",
    "Latin-1": "latin-1",
    "Latin-9": "iso8859-15",
    "Windows-1250": "cp1250",
    "Windows-1251": "cp1251",
    "Windows-1253": "cp1253",
    "Windows-1254": "cp1254",
    "KOI8-R": "koi8-r",
    "Mac Roman": "mac-roman",
    "Code page 437": "cp437",
    "Code page 850": "cp850",
    "Shift JIS": "cp932",
    "EUC-JP": "euc-jp",
    "EUC-KR": "cp949",
    "GB 18030": "gb18030",
    "Big5": "big5",
}
"""The encodings that can be chosen, by the names they are shown under, and the codec that reads each."""

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "vertical bar": "|", "space": " ", "none": ""}
"""The delimiters that can be chosen; "none" reads every line as one cell."""

_OTHER_NAMES: dict[str | None, str] = {"bar": "|", "pipe": "|", "\\t": "\t"}
"""Other ways to write a delimiter that is chosen."""

DECIMALS = {"point": ".", "comma": ","}
"""The decimal marks that can be chosen, by the words they are written as."""

SAVE_AS_UTF8 = 'Save the file as UTF-8 ("CSV UTF-8" in Excel, encoding="utf-8" in Python)'
"""The advice for a file whose encoding cannot be read."""


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a text file or a workbook; None = find it.

    encoding : a name of `ENCODINGS`, or of its codec. delimiter : one of `, ; | tab`, a name of `DELIMITERS`,
        or "" for one column. header : whether the first line of the table holds the column names; a number = the line
        of the file, or row of the sheet, that does, and lines above it are left out. decimal : "." or ",", or a name of
        `DECIMALS`. sheet : the name of a workbook's sheet. skip_bad_rows : leave out rows that
        cannot be read, with an account of them. corrections : (number of a line, from 1, the text that is read there).

    >>> ReadOptions(encoding="latin1", delimiter="tab") == ReadOptions("Latin-1", chr(9))
    True
    """

    encoding: str | None = None
    delimiter: str | None = None
    header: bool | int | None = None
    decimal: str | None = None
    sheet: str | None = None
    skip_bad_rows: bool = False
    corrections: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoding", _encoding(self.encoding))
        delimiter = _OTHER_NAMES.get(self.delimiter, self.delimiter)
        object.__setattr__(self, "delimiter", _choose(delimiter, DELIMITERS, "delimiter"))
        object.__setattr__(self, "decimal", _choose(self.decimal, DECIMALS, "decimal mark"))
        if self.header_line is not None and self.header_line < 1:
            raise DataError(f"There is no line {self.header_line} for the header; lines are counted from 1.")

    @property
    def header_line(self) -> int | None:
        """Return the number of the line that holds the column names, where a person named it."""
        return None if self.header is None or isinstance(self.header, bool) else self.header

    def to_json(self) -> dict[str, Any]:
        """Return the options for a draft and for the reading process."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> ReadOptions:
        """Read back what `to_json` wrote.

        >>> ReadOptions.from_json(ReadOptions(header=False).to_json())
        ReadOptions(encoding=None, delimiter=None, header=False, decimal=None, sheet=None, skip_bad_rows=False, \
corrections=())
        """
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(**{name: as_tuples(values[name]) for name in names if name in values})


def _encoding(wanted: str | None) -> str | None:
    if wanted is None or wanted in ENCODINGS:
        return wanted
    try:
        return _name_codecs()[codecs.lookup(wanted.replace(" ", "-")).name]
    except (LookupError, ValueError):
        known = ", ".join(ENCODINGS)
        raise DataError(f"There is no encoding {wanted[:40]!r} to choose; there are {known}.") from None


@cache
def _name_codecs() -> dict[str, str]:
    """Return the name of each codec that can be chosen. Looking one up imports it: 20 imports few files need."""
    return {codecs.lookup(codec).name: name for name, codec in ENCODINGS.items()}


def _choose(wanted: str | None, choices: Mapping[str, str], what: str) -> str | None:
    """Return a mark that was written by itself or by its name; None where none was."""
    if wanted is None or wanted in choices.values():
        return wanted
    if wanted not in choices:
        raise DataError(f"There is no {what} {wanted[:40]!r} to choose; there are {', '.join(choices)}.")
    return choices[wanted]


DETECT = ReadOptions()
"""Nothing was said: everything is found."""


@dataclass(frozen=True)
class PreviewLine:
    """A line of a file: its number, its cells, and what it is: above, header, row, misfit or blank."""

    number: int
    cells: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Preview:
    """The first lines of a file under some options, and what these options make of all of it.

    delimiter : "" = every line is one cell; None = a workbook. header_line : 0 = there is none. n_counted : lines that
    were counted; fewer than `n_lines` of a long file. roles : of each column, "" = none. notes : about decimals.
    """

    delimiter: str | None
    header_line: int
    decimal: str
    encoding: str
    sheet: str
    sheets: tuple[str, ...]
    lines: tuple[PreviewLine, ...]
    names: tuple[str, ...]
    n_lines: int
    n_counted: int
    n_above: int
    n_rows: int
    n_misfits: int
    notes: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
