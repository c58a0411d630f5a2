"""What kind of file an upload is: its name and its first bytes must say the same.

Only four kinds are opened. Everything else is refused by name, because reading it would run code
(pickle), or crash the process (Arrow files with altered offsets), or is simply not a table.
"""

from __future__ import annotations

import re
from typing import Literal

from data.evaluation import DataError
from data.readers.wording import quoted

Kind = Literal["delimited", "json", "parquet"]

_EXTENSIONS: dict[str, Kind] = {
    ".csv": "delimited",
    ".tsv": "delimited",
    ".txt": "delimited",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
}
ACCEPTED = ".csv, .tsv, .txt, .jsonl, .ndjson or .json (each also as .gz), or .parquet"

_SAVE_CSV = "save the sheet as CSV (UTF-8) and upload that"
_FROM_PYTHON = "load it in Python and save the columns with to_csv or to_parquet"
_UNPACK = "unpack it and upload the table inside"
_WHAT_TO_DO = {
    ".xlsx .xls .xlsm .xlsb .ods .numbers": f"a spreadsheet; {_SAVE_CSV}",
    ".pkl .pickle .joblib .pt .pth .bin .dill .cloudpickle": "a Python or model file, which can run code when it is"
    f" opened; {_FROM_PYTHON}",
    ".npy .npz .h5 .hdf5 .mat": f"an array file; {_FROM_PYTHON}",
    ".arrow .feather .ipc .orc .avro": f"another columnar format; {_FROM_PYTHON}",
    ".zip .7z .rar .tar .tgz .zst .bz2 .xz .eval": f"an archive or packed with something other than gzip; {_UNPACK}",
    ".db .sqlite .sqlite3 .duckdb": "a database; export the table as CSV",
    ".rds .rda .rdata": "an R file; save the data frame with write.csv",
    ".sas7bdat .sav .dta": "a statistics package's file; export it as CSV",
    ".html .htm .xml .pdf .docx": "a document; export the table as CSV",
}
_ADVICE = {ending: advice for endings, advice in _WHAT_TO_DO.items() for ending in endings.split()}

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"PAR1", "Parquet data"),
    (b"PARE", "encrypted Parquet data"),
    (b"PK\x03\x04", f"a zip archive or an Excel workbook; {_SAVE_CSV}"),
    (b"PK\x05\x06", "an empty zip archive"),
    (bytes.fromhex("d0cf11e0a1b11ae1"), f"an old Excel workbook; {_SAVE_CSV}"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"\x28\xb5\x2f\xfd", f"Zstandard-compressed data; {_UNPACK}"),
    (b"BZh", f"bzip2-compressed data; {_UNPACK}"),
    (b"\xfd7zXZ\x00", f"xz-compressed data; {_UNPACK}"),
    (b"7z\xbc\xaf\x27\x1c", f"a 7-Zip archive; {_UNPACK}"),
    (b"Rar!\x1a\x07", f"a RAR archive; {_UNPACK}"),
    (b"%PDF-", "a PDF document; export the table as CSV"),
    (b"ARROW1", f"an Arrow or Feather file; {_FROM_PYTHON}"),
    (b"FEA1", f"a Feather file; {_FROM_PYTHON}"),
    (b"ORC", f"an ORC file; {_FROM_PYTHON}"),
    (b"Obj\x01", f"an Avro file; {_FROM_PYTHON}"),
    (b"\x93NUMPY", f"a NumPy array; {_FROM_PYTHON}"),
    (b"\x89HDF\r\n\x1a\n", f"an HDF5 file; {_FROM_PYTHON}"),
    (b"SQLite format 3\x00", "a SQLite database; export the table as CSV"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x7fELF", "a program"),
)
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_JSON_TEXT = re.compile(rb'\s*(?:\[\s*)?\{\s*(?:"|\}|$)')
_TEXT_KIND = {"delimited": "delimited text", "json": "JSON", "parquet": "Parquet"}


def kind_of(name: str) -> tuple[Kind, bool]:
    """The kind a file's name promises, and whether it is gzip-compressed.

    Raises
    ------
    DataError
        For every name that is not one of the accepted kinds.

    >>> kind_of("preds.CSV.gz"), kind_of("preds.parquet")
    (('delimited', True), ('parquet', False))
    """
    lower = name.lower().rstrip()
    packed = lower.endswith(".gz")
    ending = _ending(lower.removesuffix(".gz"))
    kind = _EXTENSIONS.get(ending)
    if kind is None or (packed and kind == "parquet"):
        raise DataError(_refusal(_ending(lower)))
    return kind, packed


def _ending(lower: str) -> str:
    found = re.search(r"\.[^./\\]*$", lower)
    return found.group() if found else ""


def _refusal(ending: str) -> str:
    if not ending:
        return f"a file with no extension could be anything; name it {ACCEPTED}."
    if ending in _ADVICE:
        return f"this kind of file ({ending}) is not opened: it is {_ADVICE[ending]}."
    return f"this kind of file ({quoted(ending, 12)}) is not opened; upload {ACCEPTED}."


def what_it_is(head: bytes) -> str | None:
    r"""What the first bytes of a file say it is; None for text.

    >>> what_it_is(b"y_true,y_pred\n"), what_it_is(b"%PDF-1.7\n")
    (None, 'a PDF document; export the table as CSV')
    """
    for magic, what in _MAGIC:
        if head.startswith(magic):
            return what
    if _PICKLE.match(head):
        return f"a Python pickle, which can run code when it is opened; {_FROM_PYTHON}"
    if _MARKUP.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "an HTML web page or XML; was it downloaded without signing in?"
    return None


def check_content(head: bytes, kind: Kind) -> None:
    """Refuse a file whose first bytes contradict its name.

    Raises
    ------
    DataError
        One sentence: what the file holds, and what its name promised.
    """
    what = what_it_is(head)
    if kind == "parquet":
        _check_parquet(head, what)
    elif what is not None:
        raise DataError(f"it is named as {_TEXT_KIND[kind]}, but it is not: it holds {what}{_rename(what)}.")
    elif kind == "delimited" and _JSON_TEXT.match(head.removeprefix(b"\xef\xbb\xbf")):
        raise DataError("it is named as delimited text, but it holds JSON; rename it to .jsonl (or .json).")


def _check_parquet(head: bytes, what: str | None) -> None:
    if head.startswith(b"PARE"):
        raise DataError("this Parquet file is encrypted; save it without encryption.")
    if not head.startswith(b"PAR1"):
        found = f"; it holds {what}" if what else ""
        raise DataError(f"it is damaged or not a Parquet file{found}.")


def _rename(what: str) -> str:
    if what == "Parquet data":
        return "; rename it to .parquet"
    return "; rename it to end in .gz" if what.startswith("gzip") else ""
