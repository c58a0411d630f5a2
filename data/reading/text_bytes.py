"""Check the bytes of a text file, and name the row that is wrong."""

from __future__ import annotations

from collections.abc import Callable

from data.errors import DataError

RowOf = Callable[[bytes], int]
"""From everything before a byte, the data row that the byte is in (0 = the header line)."""

SAVE_AS_UTF8 = 'save the file as UTF-8 ("CSV UTF-8" in Excel, encoding="utf-8" in Python)'


def check_no_nul(data: bytes, row_of: RowOf) -> None:
    """Refuse a zero byte: binary data, or broken UTF-16."""
    at = data.find(b"\0")
    if at < 0:
        return
    head = data[:4096]
    if max(head[0::2].count(0), head[1::2].count(0)) > len(head) // 4:
        raise DataError(f"the text looks like broken UTF-16 without a byte order mark, not UTF-8; {SAVE_AS_UTF8}.")
    raise DataError(
        f"{name_row(row_of(data[:at]))} holds a zero byte (NUL): this is binary data, not text; export it as CSV."
    )


def check_utf8(data: bytes, row_of: RowOf) -> None:
    """Refuse text that is not UTF-8, naming the row of the first wrong byte."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        row, wrong = name_row(row_of(data[: error.start])), data[error.start]
    else:
        return
    raise DataError(
        f"{row} is not UTF-8 text (byte {wrong:#04x}), and the bytes make no other encoding plain; {SAVE_AS_UTF8}, or"
        " say which encoding it has."
    )


def name_row(row: int) -> str:
    """Name a data row: counted from 1, the header line is 0.

    >>> name_row(2), name_row(0)
    ('row 2', 'the header line')
    """
    return f"row {row:,}" if row > 0 else "the header line"
