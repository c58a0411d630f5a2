"""Recognise the kind of a file: its name and its first bytes must agree, or the bytes must be beyond doubt.

Few kinds are opened. Everything else is refused by name. Reading it would run code (pickle), or crash the process
(Arrow files with altered offsets), or it is simply not a table.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from typing import Literal, NamedTuple

import pyarrow as pa

from data.environment import raise_it
from data.errors import DataError
from data.process.limits import Limits, format_size
from text.quoting import quote

Packing = Literal["gzip", "zstd"]

NAMES: dict[Packing, str] = {"gzip": "gzip", "zstd": "Zstandard"}
_CHUNK = 1 << 20
_TRUNCATED = "Truncated"  # how Arrow begins to say that a frame has no end


class PackedError(ValueError):
    """The packed bytes are not what their first ones say, or end before what they hold does (`cut_off`)."""

    def __init__(self, *, cut_off: bool = False) -> None:
        super().__init__()
        self.cut_off = cut_off


def unpack(packed: bytes, packing: Packing, limits: Limits) -> bytes:
    r"""Unpack gzip members or Zstandard frames (several, one after the other, too).

    Raises
    ------
    DataError
        As soon as it grows beyond `limits.expanded_bytes`; or it is cut off or damaged.

    >>> import gzip
    >>> unpack(gzip.compress(b"a\n") + gzip.compress(b"b\n"), "gzip", Limits())
    b'a\nb\n'
    """
    unpacked, what = bytearray(), f"this {NAMES[packing]} file"
    try:
        for part in _gunzip(packed) if packing == "gzip" else unzstd(packed):
            unpacked += part
            if len(unpacked) > limits.expanded_bytes:
                raise DataError(
                    f"{what} expands to more than {format_size(limits.expanded_bytes)}, the limit (a third of the "
                    "memory for reading); "
                    f"{raise_it('BLINDSPOT_READING_MB')}."
                )
    except PackedError as error:
        why = "is cut off: its end is missing" if error.cut_off else "is damaged and cannot be unpacked"
        raise DataError(f"{what} {why}; compress it again.") from None
    return bytes(unpacked)


def _gunzip(packed: bytes) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
        try:
            while part := stream.read(_CHUNK):
                yield part
        except EOFError:
            raise PackedError(cut_off=True) from None
        except (gzip.BadGzipFile, zlib.error):
            raise PackedError from None


def unzstd(packed: bytes) -> Iterator[bytes]:
    """Yield what Zstandard frames hold, piece by piece; PackedError where they are damaged."""
    with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
        try:
            while part := stream.read(_CHUNK):
                yield part
        except OSError as error:
            raise PackedError(cut_off=str(error).startswith(_TRUNCATED)) from None


Kind = Literal["delimited", "json", "parquet", "workbook", "arrays", "log", "epochs"]


class Format(NamedTuple):
    """One kind of file.

    endings : of the names it comes under. told : the endings as an error lists them. promise : what
    a file of that name should hold.
    words : its name on the page Open; empty = not listed. begins : first bytes, one of which it has; none = text, which
    may be packed. a_file : what an error calls one.
    """

    endings: str
    told: str
    promise: str
    words: str = ""
    begins: tuple[bytes, ...] = ()
    a_file: str = ""


_ZIP = b"PK\x03\x04"
FORMATS: dict[Kind, Format] = {
    "delimited": Format(".csv .tsv .tab .txt", ".csv, .tsv, .tab, .txt", "delimited text", "CSV, TSV, text"),
    "json": Format(".jsonl .ndjson .json", ".jsonl, .ndjson or .json", "JSON", "JSON lines or JSON"),
    "parquet": Format(".parquet", ".parquet", "Parquet", "Parquet", (b"PAR1",), "a Parquet file"),
    "workbook": Format(
        ".xlsx .xlsm", ".xlsx", "an Excel workbook", "Excel (.xlsx)", (_ZIP,), "an Excel workbook (.xlsx)"
    ),
    "arrays": Format(
        ".npy .npz", ".npy, .npz", "NumPy arrays", "NumPy (.npy, .npz)", (b"\x93NUMPY", _ZIP), "a file of NumPy arrays"
    ),
    "log": Format(".eval", ".eval (Inspect)", "an Inspect log", "", (_ZIP,), "an Inspect log"),
    "epochs": Format(
        ".zip", ".zip (a table, or a training's epochs)", "a zip archive of tables",
        "one table or the epochs of a training as .zip", (_ZIP,), "a zip archive of tables",
    ),
}  # fmt: skip
"""The kinds of files that are opened, text first, one row each; `data.reading.dispatch` has their readers."""
_EXTENSIONS = {ending: kind for kind, entry in FORMATS.items() for ending in entry.endings.split()}
_PACKED: dict[str, Packing] = {".gz": "gzip", ".zst": "zstd"}
_TEXT = tuple(kind for kind, entry in FORMATS.items() if not entry.begins)


def _list_formats(told: list[str], last: str) -> str:
    """List the formats, of which the first are text and may be packed; `last` stands before the last one."""
    text, (*other, end) = told[: len(_TEXT)], told[len(_TEXT) :]
    return f"{', '.join(text)} (each also as .gz or .zst), {', '.join(other)}{last}{end}"


ACCEPTED = _list_formats([entry.told for entry in FORMATS.values()], " or ")
NAMED = _list_formats([entry.words for entry in FORMATS.values() if entry.words], ", or ")
"""The formats as the page Open names them."""

_SAVE_CSV = "Save the sheet as CSV (UTF-8) and upload that"
_SAVE_XLSX = "Save it as .xlsx, or the sheet as CSV (UTF-8), and upload that"
_FROM_PYTHON = "Load it in Python and save the columns with to_csv or to_parquet"
_PREDICT = "Save what a model predicts, beside the true labels, as CSV"
_UNPACK = "Unpack it and upload the table inside"
_WHAT_TO_DO = {
    ".xls .xlsb .ods .numbers": f"a spreadsheet of another kind than .xlsx. {_SAVE_XLSX}",
    ".pkl .pickle .joblib .pt .pth .bin .dill .cloudpickle": "a Python or model file, which can run code."
    f" {_FROM_PYTHON}",
    ".h5 .hdf5 .mat": f"an array file of many kinds of content. {_FROM_PYTHON}, or the array with numpy.save",
    ".arrow .feather .ipc": "an Arrow file, and a damaged one ends its reader. Save it with to_parquet",
    ".orc .avro": f"another columnar format. {_FROM_PYTHON}",
    ".7z .rar .tar .tgz .bz2 .xz": f"an archive, or packed with neither gzip nor zstd. {_UNPACK}",
    ".db .sqlite .sqlite3 .duckdb": "a database. Export the table as CSV",
    ".rds .rda .rdata": "an R file. Save the data frame with write.csv",
    ".sas7bdat .sav .dta": "a statistics package's file. Export it as CSV",
    ".html .htm .xml .pdf .docx .doc .odt .pptx .md": "a document. Export the table as CSV",
    ".safetensors .onnx .gguf .keras .tflite .ckpt .mlmodel": f"a model, and holds no predictions. {_PREDICT}",
    ".ipynb .py .r": "a program. Save true labels and predictions in it with to_csv",
    ".jpg .jpeg .png .gif .bmp .tif .tiff .webp .heic .wav .mp3 .mp4": "a picture, sound or film, and holds no "
    f"predictions. {_PREDICT}",
}
_ADVICE = {ending: advice for endings, advice in _WHAT_TO_DO.items() for ending in endings.split()}

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"PAR1", "Parquet data"),
    (b"PARE", "encrypted Parquet data"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"PK\x05\x06", "an empty zip archive"),
    (bytes.fromhex("d0cf11e0a1b11ae1"), f"an old or password-protected Excel workbook. {_SAVE_CSV}"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard-compressed data"),
    (b"BZh", f"bzip2-compressed data. {_UNPACK}"),
    (b"\xfd7zXZ\x00", f"xz-compressed data. {_UNPACK}"),
    (b"7z\xbc\xaf\x27\x1c", f"a 7-Zip archive. {_UNPACK}"),
    (b"Rar!\x1a\x07", f"a RAR archive. {_UNPACK}"),
    (b"%PDF-", "a PDF document. Export the table as CSV"),
    (b"ARROW1", "an Arrow or Feather file. Save it with to_parquet"),
    (b"FEA1", f"a Feather file. {_FROM_PYTHON}"),
    (b"ORC", f"an ORC file. {_FROM_PYTHON}"),
    (b"Obj\x01", f"an Avro file. {_FROM_PYTHON}"),
    (b"\x93NUMPY", "a NumPy array. Name it .npy"),
    (b"\x89HDF\r\n\x1a\n", f"an HDF5 file. {_FROM_PYTHON}"),
    (b"SQLite format 3\x00", "a SQLite database. Export the table as CSV"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x7fELF", "a program"),
)
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_JSON_TEXT = re.compile(rb'\s*(?:\[\s*)?\{\s*(?:"|\}|$)')


class Named(NamedTuple):
    """The kind of a file, and its packing."""

    kind: Kind
    packing: Packing | None


_UNMISTAKABLE = {
    b"PAR1": (Named("parquet", None), "Parquet data, and was read as Parquet"),
    b"PK\x03\x04": (Named("workbook", None), "an Excel workbook, and was read as one"),
    b"\x1f\x8b": (Named("delimited", "gzip"), "gzip-compressed data, and was unpacked"),
    b"\x28\xb5\x2f\xfd": (Named("delimited", "zstd"), "Zstandard-compressed data, and was unpacked"),
}
"""First bytes that leave no doubt: what a file with another name is read as then, and how that is said."""


def recognise_name(name: str) -> Named:
    """Return the kind that a file's name promises, and how it says that the file is packed.

    Raises
    ------
    DataError
        For every name that is not one of the accepted kinds.

    >>> tuple(recognise_name("preds.CSV.gz")), tuple(recognise_name("preds.parquet"))
    (('delimited', 'gzip'), ('parquet', None))
    """
    plain = bare_name(name)
    packing = _PACKED.get(_ending(name.lower().rstrip()))
    kind = _EXTENSIONS.get(_ending(plain))
    if kind is None or (packing and kind not in _TEXT):
        raise DataError(_refusal_error(_ending(name.lower().rstrip())))
    return Named(kind, packing)


def bare_name(name: str) -> str:
    """Return a file's name in small letters, without the endings of packing and of batch transforms.

    >>> bare_name("Preds.TSV.zst"), bare_name("rows.jsonl.out"), bare_name("part.out")
    ('preds.tsv', 'rows.jsonl', 'part.txt')
    """
    lower = name.lower().rstrip()
    ending = _ending(lower)
    if ending == ".out":
        lower = lower.removesuffix(ending)
        return lower if _EXTENSIONS.get(_ending(lower)) in _TEXT else f"{lower}.txt"
    return lower.removesuffix(ending) if ending in _PACKED else lower


def _ending(lower: str) -> str:
    ending = re.search(r"\.[^./\\]*$", lower)
    return ending.group() if ending else ""


def _refusal_error(ending: str) -> str:
    if not ending:
        return f"a file with no extension could be anything. Name it {ACCEPTED}."
    if ending in _ADVICE:
        return f"this kind of file ({ending}) is not opened: it is {_ADVICE[ending]}."
    return f"this kind of file ({quote(ending, 12)}) is not opened. Upload {ACCEPTED}."


def recognise_bytes(head: bytes) -> str | None:
    r"""Return the kind of file that the first bytes show; None for text.

    >>> recognise_bytes(b"y_true,y_pred\n"), recognise_bytes(b"%PDF-1.7\n")
    (None, 'a PDF document. Export the table as CSV')
    """
    for magic, what in _MAGIC:
        if head.startswith(magic):
            return what
    if _PICKLE.match(head):
        return f"a Python pickle, which can run code. {_FROM_PYTHON}"
    if _MARKUP.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "an HTML web page or XML. Sign in, and download the file again"
    return None


def settle_kind(named: Named, head: bytes) -> tuple[Named, str]:
    r"""Return the kind that the first bytes settle, and a sentence where that is not what the name says.

    Raises
    ------
    DataError
        One sentence: what the file holds, and what its name promised.

    >>> settle_kind(Named("delimited", None), b"PAR1")[0].kind
    'parquet'
    """
    kind, packing = named
    if kind not in _TEXT:
        _check_begin(kind, head)
        return named, ""
    magic = next((magic for magic in _UNMISTAKABLE if head.startswith(magic)), b"")
    if not magic:
        sentence = f"The file's name says that it is {NAMES[packing]}-compressed, but it is not." if packing else ""
        return Named(kind, None), sentence
    recognised, what = _UNMISTAKABLE[magic]
    if recognised.packing and recognised.packing == packing:
        return named, ""
    if recognised.packing:
        return Named(kind, recognised.packing), f"The file's name does not say so, but it is {what}."
    return recognised, f"The file's name says that it is {FORMATS[kind].promise}, but it holds {what}."


def _check_begin(kind: Kind, head: bytes) -> None:
    if head.startswith(FORMATS[kind].begins):
        return
    if kind == "parquet" and head.startswith(b"PARE"):
        raise DataError("this Parquet file is encrypted; save it without encryption.")
    what = recognise_bytes(head)
    contents = (
        f". It holds {what}" if what else ". It seems to be text: name it .csv or .jsonl" if _is_text(head) else ""
    )
    raise DataError(f"it is damaged or not {FORMATS[kind].a_file}{contents}.")


def _is_text(head: bytes) -> bool:
    return b"\0" not in head and not any(byte < 9 for byte in head)


def recognise_text(head: bytes, kind: Kind) -> tuple[Kind, str]:
    """Return whether text, unpacked, is what its name says: JSON in a file named as delimited text is read as JSON.

    Raises
    ------
    DataError
        It is no text at all.
    """
    what = recognise_bytes(head)
    if what is not None:
        raise DataError(f"it is named as {FORMATS[kind].promise}, but it holds {what}{_suggest_way_out(what)}.")
    if kind == "delimited" and _JSON_TEXT.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "json", "The file's name says that it is delimited text, but it holds JSON, and was read as JSON."
    return kind, ""


def _suggest_way_out(what: str) -> str:
    if what.endswith("-compressed data"):
        return ". Unpack it once more"
    return ". Upload it unpacked, named .parquet" if what == "Parquet data" else ""
