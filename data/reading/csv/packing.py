"""Write a CSV file that is too large to send as Parquet of the same cells, block by block: labels become codes."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from data.errors import DataError
from data.process.limits import Limits
from data.reading.csv.layout import NO_DELIMITER, Layout, find_layout
from data.reading.options import ReadOptions
from text.quoting import quote

_HEAD_BYTES = 8 << 20  # by which the columns are found
_BLOCK_BYTES = 16 << 20  # that are held at once
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextlib.contextmanager
def pack_csv(path: Path, options: ReadOptions, report: Callable[[int], object]) -> Iterator[Path | None]:
    """Give a Parquet file of a CSV file's cells, all as text, that ends with the block; None where it is no plain CSV.

    Plain is UTF-8 with a delimiter and a name for every column. report : called with the rows written so far; what it
    raises ends the writing, and nothing is left.

    Raises
    ------
    DataError
        a row has another number of cells than the header.
    """
    layout = _find_plain_layout(path, options)
    if layout is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        packed = Path(folder) / f"{path.stem}.parquet"
        _write(path, layout, packed, report)
        yield packed


def _find_plain_layout(path: Path, options: ReadOptions) -> Layout | None:
    if path.suffix.lower() not in (".csv", ".tsv") or options.encoding not in (None, "UTF-8"):
        return None
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES).removeprefix(_BYTE_ORDER_MARK)
    head = head[: head.rfind(b"\n") + 1]
    try:
        head.decode()
        if b"\0" in head:
            return None
        prefer = "\t" if path.suffix.lower() == ".tsv" else ","
        layout = find_layout(head, prefer, Limits.from_environment(), options, plain=False)
    except (DataError, UnicodeDecodeError):  # the server says what is wrong
        return None
    return None if layout.unnamed or layout.delimiter == NO_DELIMITER else layout


def _write(path: Path, layout: Layout, target: Path, report: Callable[[int], object]) -> None:
    schema, n_rows = pa.schema([(name, pa.string()) for name in layout.names]), 0
    with path.open("rb") as file, pq.ParquetWriter(target, schema, compression="zstd") as writer:
        mark = file.read(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK
        file.seek(layout.start + (len(_BYTE_ORDER_MARK) if mark else 0))
        try:
            for batch in _read_blocks(file, layout, schema):
                writer.write_batch(batch)
                n_rows += len(batch)
                report(n_rows)
        except pa.ArrowInvalid:
            raise DataError(
                f"{quote(path.name)}: a row after row {n_rows:,} has more or fewer cells than the header, or is no "
                "UTF-8: correct it."
            ) from None


def _read_blocks(file: io.BufferedReader, layout: Layout, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Read the cells as the CSV reader does, an empty one as no value."""
    yield from pacsv.open_csv(
        file,
        pacsv.ReadOptions(column_names=layout.names, block_size=_BLOCK_BYTES),
        pacsv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
        pacsv.ConvertOptions(
            column_types=schema, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=True
        ),
    )
