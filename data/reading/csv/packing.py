"""Write a CSV file that is too large to send as Parquet of the same cells, block by block: labels become codes."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from data.bad_rows import BLANK, EXAMPLES, FEWER, LEFT_OUT_METADATA, MORE, LeftOutKind, LeftOutRows
from data.errors import DataError
from data.process.limits import Limits
from data.reading.csv.empty_rows import find_empty_rows, holds_only_sets
from data.reading.csv.layout import NO_DELIMITER, Layout, find_layout
from data.reading.options import ReadOptions
from text.quoting import quote

_HEAD_BYTES = 8 << 20  # by which the columns are found
_BLOCK_BYTES = 16 << 20  # that are held at once
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextlib.contextmanager
def pack_csv(path: Path, options: ReadOptions, report: Callable[[int], object]) -> Iterator[Path | None]:
    """Give a Parquet file of a CSV file's cells, all as text, that ends with the block; None where it is no plain CSV.

    Plain is UTF-8 with a delimiter and a name for every column. Its footer has the account of blank rows, and of others
    that the options leave out. report : called with the rows written so far; what it raises ends the writing, and
    nothing is left.

    Raises
    ------
    DataError
        a row has another number of cells than the header, and the options do not leave it out.
    """
    layout = _find_plain_layout(path, options)
    if layout is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        packed = Path(folder) / f"{path.stem}.parquet"
        try:
            _write(path, layout, packed, report, skip_bad_rows=options.skip_bad_rows)
        except DataError as error:
            raise error.reworded(f"{quote(path.name)}: {error}") from None
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


class _LeftOut:
    """Count the rows that are left out while a file is packed: blank ones, and others where a person says so."""

    def __init__(self, *, skip_bad_rows: bool) -> None:
        self._skip = skip_bad_rows
        self._faulty: list[tuple[int, str]] = []  # (number of the row, kind) of rows that are in no batch
        self._n_empty = 0
        self._empty: list[int] = []  # numbers of the first empty rows of batches

    def judge(self, row: pacsv.InvalidRow) -> str:
        """Tell Arrow whether it goes on behind a row that does not split as the header does."""
        kind = MORE if row.actual_columns > row.expected_columns else FEWER if row.text.strip() else BLANK
        if kind != BLANK and not self._skip:
            return "error"
        self._faulty.append((row.number, kind))
        return "skip"

    def drop_empty(self, batch: pa.RecordBatch, n_before: int) -> pa.RecordBatch:
        """Return a batch without its empty rows; n_before : rows of the batches before it."""
        table = pa.Table.from_batches([batch])
        empty = find_empty_rows(table)
        if not empty:
            return batch
        numbers = [self._number(n_before + place + 1) for place in empty[:EXAMPLES]]
        if holds_only_sets(table):
            raise DataError(f"row {numbers[0]:,} is empty, and may be a row without any label; delete it, or fill it.")
        self._n_empty += len(empty)
        self._empty = [*self._empty, *numbers][:EXAMPLES]
        return batch.take(pa.array(np.delete(np.arange(len(batch)), empty)))

    def account(self, n_rows: int) -> LeftOutRows | None:
        """Return the account; n_rows : rows that were written."""
        numbers = {kind: [row for row, other in self._faulty if other == kind] for kind in (BLANK, MORE, FEWER)}
        n_kind = {kind: len(rows) for kind, rows in numbers.items()}
        n_kind[BLANK] += self._n_empty
        numbers[BLANK] = sorted([*self._empty, *numbers[BLANK][:EXAMPLES]])
        kinds = tuple(LeftOutKind(kind, n, tuple(numbers[kind][:EXAMPLES])) for kind, n in n_kind.items() if n)
        return LeftOutRows(n_rows + sum(n_kind.values()), kinds, place="row") if kinds else None

    def _number(self, row: int) -> int:
        """Return the number in the file of a row that is counted without those that are in no batch."""
        for faulty, _ in self._faulty:
            if faulty > row:
                break
            row += 1
        return row


def _write(path: Path, layout: Layout, target: Path, report: Callable[[int], object], *, skip_bad_rows: bool) -> None:
    schema, left_out = pa.schema([(name, pa.string()) for name in layout.names]), _LeftOut(skip_bad_rows=skip_bad_rows)
    n_read, n_rows = 0, 0
    with path.open("rb") as file, pq.ParquetWriter(target, schema, compression="zstd") as writer:
        mark = file.read(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK
        file.seek(layout.start + (len(_BYTE_ORDER_MARK) if mark else 0))
        try:
            for batch in _read_blocks(file, layout, schema, left_out):
                filled = left_out.drop_empty(batch, n_read)
                writer.write_batch(filled)
                n_read, n_rows = n_read + len(batch), n_rows + len(filled)
                report(n_rows)
        except pa.ArrowInvalid:
            raise DataError(
                f"a row after row {n_rows:,} has more or fewer cells than the header, or is no UTF-8: correct it, or "
                "leave out rows of other lengths with --skip-bad-rows."
            ) from None
        account = left_out.account(n_rows)
        if account is not None and 2 * n_rows < account.n_rows:
            raise DataError(f"{' '.join(account.sentences())} These are most of its rows: check delimiter and header.")
        if account is not None:
            writer.add_key_value_metadata({LEFT_OUT_METADATA: account.to_footer()})


def _read_blocks(
    file: io.BufferedReader, layout: Layout, schema: pa.Schema, left_out: _LeftOut
) -> Iterator[pa.RecordBatch]:
    """Read the cells as the CSV reader does, an empty one as no value."""
    yield from pacsv.open_csv(
        file,
        pacsv.ReadOptions(column_names=layout.names, block_size=_BLOCK_BYTES, use_threads=False),  # rows have numbers
        pacsv.ParseOptions(
            delimiter=layout.delimiter,
            newlines_in_values=True,
            ignore_empty_lines=False,
            invalid_row_handler=left_out.judge,
        ),
        pacsv.ConvertOptions(
            column_types=schema, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=True
        ),
    )
