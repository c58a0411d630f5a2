"""Bytes of a text file: unpacked within bounds, told apart by encoding, named by row where they are broken."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Callable

from data.evaluation import DataError
from data.readers.limits import Limits, size_text

RowOf = Callable[[bytes], int]
"""From everything before a byte, the data row that the byte is in (0 = the header line)."""

_CHUNK = 1 << 20
_BYTE_ORDER_MARKS = (  # UTF-32 before UTF-16: its little-endian mark begins with the other's
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
SAVE_AS_UTF8 = 'save the file as UTF-8 ("CSV UTF-8" in Excel, encoding="utf-8" in Python)'


def gunzip(packed: bytes, limits: Limits) -> bytes:
    """Unpack gzip data (several members too), stopping as soon as it grows beyond the limit.

    Raises
    ------
    DataError
        When the data expands beyond `limits.expanded_bytes`, is cut off or damaged.
    """
    parts: list[bytes] = []
    n_bytes, rest = 0, packed
    while rest.strip(b"\0"):
        member = zlib.decompressobj(wbits=31)
        n_bytes = _unpack_member(member, rest, parts, n_bytes, limits)
        rest = member.unused_data
    return b"".join(parts)


def _unpack_member(member: zlib._Decompress, rest: bytes, parts: list[bytes], n_bytes: int, limits: Limits) -> int:
    try:
        while not member.eof:
            part = member.decompress(rest, _CHUNK)
            rest = member.unconsumed_tail
            n_bytes += len(part)
            if n_bytes > limits.expanded_bytes:
                raise DataError(f"this gzip file expands to more than {size_text(limits.expanded_bytes)}, the limit.")
            if not part and not rest and not member.eof:
                raise DataError("this gzip file is cut off: its end is missing; compress it again.")
            parts.append(part)
    except zlib.error:
        raise DataError("this gzip file is damaged and cannot be unpacked; compress it again.") from None
    return n_bytes


def decode(data: bytes) -> tuple[bytes, str, tuple[str, ...]]:
    r"""Make text UTF-8 without a byte order mark; whether the UTF-8 is valid is left to the reader.

    Returns
    -------
    data, encoding, warnings : UTF-8 bytes, the encoding found, and a sentence where something was converted.

    >>> decode("a,b\n".encode("utf-16"))[:2]
    (b'a,b\n', 'UTF-16')
    """
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8) :], "UTF-8 with byte order mark", ()
    for mark, codec, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decoded(data, codec, encoding), encoding, (f"The text was {encoding} and was read as such.",)
    return data, "UTF-8", ()


def _decoded(data: bytes, codec: str, encoding: str) -> bytes:
    try:
        return data.decode(codec).encode()
    except UnicodeError:
        raise DataError(f"it begins as {encoding} text but is not valid {encoding}; {SAVE_AS_UTF8}.") from None


def check_no_nul(data: bytes, row_of: RowOf) -> None:
    """Refuse a zero byte: binary data, or UTF-16 without its mark."""
    at = data.find(b"\0")
    if at < 0:
        return
    head = data[:4096]
    if max(head[0::2].count(0), head[1::2].count(0)) > len(head) // 4:
        raise DataError(f"the text looks like UTF-16 without a byte order mark, not UTF-8; {SAVE_AS_UTF8}.")
    raise DataError(
        f"{row_text(row_of(data[:at]))} holds a zero byte (NUL): this is binary data, not text; export it as CSV."
    )


def check_utf8(data: bytes, row_of: RowOf) -> None:
    """Refuse text that is not UTF-8, naming the row of the first wrong byte."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        row, wrong = row_text(row_of(data[: error.start])), data[error.start]
    else:
        return
    raise DataError(f"{row} is not UTF-8 text (byte {wrong:#04x}); {SAVE_AS_UTF8}.")


def row_text(row: int) -> str:
    """How a data row is named: counted from 1, the header line is 0.

    >>> row_text(2), row_text(0)
    ('row 2', 'the header line')
    """
    return f"row {row:,}" if row > 0 else "the header line"
