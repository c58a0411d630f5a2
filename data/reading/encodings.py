"""Decode bytes to text: find the encoding, and say how it was found and how sure that is.

UTF-8 comes first, then byte order marks, then two cases that the bytes themselves make plain: UTF-16 without a mark
(every second byte of it is zero) and Windows-1252 (single letters with accents among plain ones). Unless a person
says what it is, anything else is left as it is: the reader names the row that is no text.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from data.errors import DataError
from data.limits import LONGEST_LETTER_RUN, MAX_LETTER_RUNS
from data.reading.options import ENCODINGS, SAVE_AS_UTF8
from text.numbers import count
from text.quoting import list_items, quote

_BYTE_ORDER_MARKS = (  # UTF-32 before UTF-16: its little-endian mark begins with the other's
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_INNER_MARK = re.compile(rb"(?<=[\r\n])(?:\xef\xbb\xbf)+")
_HEAD = 1 << 16
_RUN = re.compile(rb"([^\x80-\xff]?)([\x80-\xff]+)([^\x80-\xff]?)")
_FEW_ODD = 50  # one odd run in so many is a misprint, and not another encoding
_LIKE_UTF8 = re.compile(rb"[\xc0-\xf7][\x80-\xbf]")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")
_ANYWHERE = frozenset("’‘´·\u00ad–—\u00a0")
_AT_EDGES = frozenset("“”„«»‹›…€£¥¢§°ºª²³½¼¾®©™•±×÷µ¿¡%‰†‡~")
_BEFORE_LETTERS = frozenset("“„«‹¿¡•µ½¼¾…©±×÷†‡")
_BEYOND_ASCII = "[^\\x00-\\x7f]"


@dataclass(frozen=True)
class Text:
    """A file's text as UTF-8 without byte order marks, and how it came to be.

    guessed : why this encoding was taken, where it depends on letters that a person should look at; else empty.
    """

    data: bytes
    encoding: str
    warnings: tuple[str, ...] = ()
    guessed: str = ""

    def said(self, table: pa.Table) -> tuple[str, ...]:
        """Return the warnings, with the cells that depend on a guess."""
        return (*self.warnings, f"{self.guessed}: {_describe_affected(table)}.") if self.guessed else self.warnings


def decode(data: bytes, asked: str | None = None) -> Text:
    r"""Make text UTF-8 without byte order marks.

    Parameters
    ----------
    asked : the encoding that a person has chosen, a name of `data.reading.options.ENCODINGS`.

    Raises
    ------
    DataError
        the bytes are not valid in the encoding that was chosen, or that their mark promises.

    >>> decode("a,b\n".encode("utf-16")).encoding, decode(b"a\ncaf\xe9\n").encoding
    ('UTF-16', 'Windows-1252')
    """
    if asked is not None:
        return _decode_chosen(data, asked)
    if data.isascii() and b"\0" not in data[:_HEAD]:
        return Text(data, "UTF-8")
    if data.startswith(codecs.BOM_UTF8):
        return _without_inner_marks(_without_marks(data), "UTF-8 with byte order mark")
    for mark, codec, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            warning = f"The text was {encoding} and was read as such."
            return Text(_decode(data, codec, f"it begins as {encoding} text", encoding), encoding, (warning,))
    if is_utf8(data) and b"\0" not in data[:_HEAD]:
        return _without_inner_marks(data, "UTF-8")
    return _utf16_without_mark(data) or _windows_1252(data) or Text(data, "UTF-8")


def is_utf8(data: bytes) -> bool:
    r"""Return whether bytes are valid UTF-8; Arrow's check copies nothing.

    >>> is_utf8("é".encode()), is_utf8(b"\xe9")
    (True, False)
    """
    offsets = pa.array([0, len(data)], pa.int64()).buffers()[1]
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(data)]).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _decode_chosen(data: bytes, asked: str) -> Text:
    if asked == "UTF-8":
        marked = data.startswith(codecs.BOM_UTF8)
        return _without_inner_marks(_without_marks(data), "UTF-8 with byte order mark" if marked else "UTF-8")
    text = _decode(data, ENCODINGS[asked], f"{asked} was chosen for it", asked)
    return Text(_without_marks(text), asked)


def _decode(data: bytes, codec: str, why: str, encoding: str) -> bytes:
    try:
        return data.decode(codec).encode()
    except UnicodeError as error:
        place = f" (at its byte {error.start + 1:,})" if isinstance(error, UnicodeDecodeError) else ""
        raise DataError(f"{why}, but it is not valid {encoding}{place}. {SAVE_AS_UTF8}.") from None


def _without_marks(data: bytes) -> bytes:
    while data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    return data


def _without_inner_marks(data: bytes, encoding: str) -> Text:
    """Take off marks inside: files put together keep the mark of each, where a line begins."""
    if codecs.BOM_UTF8 not in data:
        return Text(data, encoding)
    marks = list(_INNER_MARK.finditer(data))
    if not marks:
        return Text(data, encoding)
    line = data.count(b"\n", 0, marks[0].start()) + 1
    warning = (
        f"{count(len(marks), 'byte order mark')} inside the file, where a line begins (the first in line {line:,}),"
        " as if files had been put together: removed."
    )
    return Text(_INNER_MARK.sub(b"", data), encoding, (warning,))


def _utf16_without_mark(data: bytes) -> Text | None:
    head = data[:_HEAD]
    zeros = head[0::2].count(0), head[1::2].count(0)
    codec, order = ("utf-16-le", "little") if zeros[1] else ("utf-16-be", "big")
    if min(zeros) or 4 * max(zeros) <= len(head) or len(data) % 2:
        return None
    try:
        text = data.decode(codec).encode()
    except UnicodeDecodeError:
        return None
    warning = (
        f"Read as UTF-16 ({order}-endian) although no byte order mark says so. Of its first {len(head) // 2:,}"
        f" characters {max(zeros):,} have a zero byte, always in the same place."
    )
    return Text(text, f"UTF-16 ({order}-endian, without a mark)", (warning,))


def _windows_1252(data: bytes) -> Text | None:
    """Decode as Windows-1252, if every byte beyond ASCII is a letter or a sign where such a thing may stand."""
    if _CONTROL.search(data) or not _is_plausible(data):
        return None
    try:
        text = data.decode("cp1252").encode()
    except UnicodeDecodeError:
        return None
    place = _find_first_wrong(data)
    line = data.count(b"\n", 0, place) + 1
    same = "" if re.search(rb"[\x80-\x9f]", data) else " (which is Latin-1 here)"
    return Text(
        text,
        "Windows-1252",
        (),
        f"Read as Windows-1252{same}, because byte {data[place]:#04x} in line {line:,} is not UTF-8 and all such bytes "
        "are letters",
    )


def _find_first_wrong(data: bytes) -> int:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return 0


def _is_plausible(data: bytes) -> bool:
    n_runs, n_odd = 0, 0
    for match in _RUN.finditer(data):
        n_runs += 1
        n_odd += _odd(*match.groups())
        if n_runs == MAX_LETTER_RUNS:
            break
    return n_odd * _FEW_ODD <= n_runs


def _odd(before: bytes, run: bytes, after: bytes) -> bool:
    """Return whether bytes beyond ASCII make no sense as Windows-1252 between their neighbours."""
    if len(run) > LONGEST_LETTER_RUN or _LIKE_UTF8.search(run):
        return True
    try:
        text = (before + run + after).decode("cp1252")
    except UnicodeDecodeError:
        return True
    start, stop = len(before), len(before) + len(run)
    return any(_odd_sign(text[i - 1 : i] if i else "", text[i], text[i + 1 : i + 2]) for i in range(start, stop))


def _odd_sign(before: str, sign: str, after: str) -> bool:
    if sign.isalpha() and sign not in "ªºµƒˆ˜":
        return before.islower() and sign.isupper()
    if sign in _ANYWHERE:
        return False
    inside_word = before.isalpha() and after.isalpha()
    return sign not in _AT_EDGES or inside_word or (after.isalpha() and sign not in _BEFORE_LETTERS)


def _describe_affected(table: pa.Table) -> str:
    """Say how many cells hold letters beyond ASCII, and quote one of them."""
    n_cells, example = 0, ""
    for name, column in zip(table.column_names, table.columns, strict=True):
        affected = _is_beyond_ascii(column)
        n_here = pc.sum(affected).as_py() or 0
        if n_here and not example:
            row = pc.index(affected, True).as_py()
            example = f"; check {quote(column[row].as_py())} (row {row + 1:,}, column {quote(name)})"
        n_cells += n_here
    names = [name for name in table.column_names if not name.isascii()]
    also = f"; check the column names {list_items(names)}" if names else ""
    cells = count(n_cells, "cell") if n_cells else "no cell"
    return f"{cells} {'hold' if n_cells > 1 else 'holds'} such characters{example}{also}"


def _is_beyond_ascii(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return pa.chunked_array([pa.repeat(False, len(column))])
    return pc.fill_null(pc.match_substring_regex(column, _BEYOND_ASCII), False)


def check_not_utf16(data: bytes) -> None:
    """Refuse broken UTF-16: every second byte of its beginning is zero."""
    head = data[:4096]
    if max(head[0::2].count(0), head[1::2].count(0)) > len(head) // 4:
        raise DataError(f"the text looks like broken UTF-16 without a byte order mark, not UTF-8. {SAVE_AS_UTF8}.")


def check_utf8(header: bytes) -> None:
    """Refuse a header that is not UTF-8."""
    if not is_utf8(header):
        raise DataError(f"the header line {explain_wrong_byte(header)}.")


def explain_wrong_byte(text: bytes) -> str:
    r"""Say of text that is not UTF-8 which byte is wrong, and what to do.

    >>> explain_wrong_byte(b"caf\xe9,\xc0\xaf")[:34]
    'is not UTF-8 text (byte 0xe9), and'
    """
    wrong = text[_find_first_wrong(text)]
    return (
        f"is not UTF-8 text (byte {wrong:#04x}), and no other encoding fits. {SAVE_AS_UTF8}, or say"
        " which encoding it has"
    )


def name_row(row: int) -> str:
    """Name a data row: counted from 1, the header line is 0.

    >>> name_row(2), name_row(0)
    ('row 2', 'the header line')
    """
    return f"row {row:,}" if row > 0 else "the header line"
