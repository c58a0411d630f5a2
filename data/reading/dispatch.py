"""Read an uploaded file into a table of columns, with one reader per kind of file.

`read_table` parses what strangers wrote. It runs in the child process of `data.process.child_process` only.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from data.environment import raise_it
from data.errors import DataError
from data.evaluation import FileFacts
from data.limits import FILE_HEAD_BYTES
from data.process.limits import Limits, Progress, format_size, ignore_progress
from data.reading.cells import may_be_lists
from data.reading.formats import FORMATS, Named, bare_name, recognise_name, recognise_text, settle_kind
from data.reading.options import DETECT, ReadOptions
from text.quoting import show_file_name

if TYPE_CHECKING:
    import pyarrow as pa


def read_table(
    path: str | os.PathLike[str],
    name: str,
    *,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
    options: ReadOptions = DETECT,
) -> tuple[pa.Table, FileFacts]:
    """Read one file of predictions or labels.

    Parameters
    ----------
    path : where the bytes are.
    name : the name it was uploaded under: its extension says what it is, and its bytes must agree.
    options : how a text file is to be read, as far as a person has said it.

    Returns
    -------
    table : text columns as string or dictionary<int32, string>, scores as float64, null where a cell is
        empty; column names are unique.
    facts : how it was read.

    Raises
    ------
    DataError
        One sentence that begins with the file's name.
    """
    try:
        return _read(Path(path), name, limits or Limits(), progress, options)
    except DataError as error:
        raise error.reworded(f"{show_file_name(name)}: {error}") from None


def _read(
    path: Path, name: str, limits: Limits, progress: Progress, options: ReadOptions
) -> tuple[pa.Table, FileFacts]:
    named = recognise_name(name)
    n_bytes = path.stat().st_size
    if n_bytes == 0:
        raise DataError("it is empty: give one row for every prediction.")
    if n_bytes > limits.n_bytes:
        raise DataError(
            f"it is {format_size(n_bytes)} large; the limit is {format_size(limits.n_bytes)}: give less, "
            f"or {raise_it('BLINDSPOT_UPLOAD_MB')}."
        )
    with path.open("rb") as file:
        named, doubt = settle_kind(named, file.read(FILE_HEAD_BYTES))
    progress("reading", 0.0)
    hashing = ThreadPoolExecutor(1)  # while the file is read
    digest = hashing.submit(hash_file, path)
    hashing.shutdown(wait=False)
    is_text = not FORMATS[named.kind].begins
    read = _read_text if is_text else _read_binary
    table, described = read(path, name, named, limits, progress, options)
    table, described = _as_written(table, described)
    table, described["notes"] = _without_lists(table, described["notes"], limits)
    described["warnings"] = (*([doubt] if doubt else []), *described["warnings"])
    progress("checking", 1.0)
    facts = FileFacts(
        name=name,
        n_rows=table.num_rows,
        columns=tuple(table.column_names),
        n_bytes=n_bytes,
        sha256=digest.result(),
        **described,
    )
    return table, facts


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _as_written(table: pa.Table, described: dict) -> tuple[pa.Table, dict]:
    """Return the table without what a tool wrote around labels, and without cells of totals.

    described : how it was read, as `FileFacts` has it; above : the words above the column names of a matrix.
    """
    from data.columns.known_tools import recognise
    from data.joining.matrix_axes import name_corner
    from data.reading.csv.total_cells import without_total_cells

    tool = recognise(table.column_names, described.get("source"))
    notes: list[str] = []
    if tool is not None:
        from data.reading.tool_marks import remove_tool_marks

        table, notes = remove_tool_marks(table, tool)
    table = name_corner(table, described.pop("above", ""))
    table, totals = without_total_cells(table)
    remarks = {"notes": (*described["notes"], *notes), "warnings": (*described["warnings"], *totals)}
    return table, {**described, "source": tool.tool if tool else None, **remarks}


def _without_lists(table: pa.Table, notes: tuple[str, ...], limits: Limits) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the table with lists of numbers split into columns."""
    if not any(map(may_be_lists, table.columns)):
        return table, notes
    from data.reading.list_columns import split_lists

    table, split = split_lists(table, limits)
    return table, (*notes, *split)


def _read_binary(
    path: Path, name: str, named: Named, limits: Limits, progress: Progress, options: ReadOptions
) -> tuple[pa.Table, dict]:
    """Return the table of a file that is no text, and how it was read: format, notes, warnings, …"""
    if named.kind == "parquet":
        from data.reading.binary.parquet import read_parquet

        return read_parquet(path, limits, progress)
    if named.kind == "workbook":
        from data.reading.binary.workbook import read_workbook

        return read_workbook(path, limits, progress, options=options)
    if named.kind == "arrays":
        from data.reading.binary.numpy_files import read_arrays

        return read_arrays(path, name, limits, progress)
    if named.kind == "log":
        from data.reading.logs.inspect_log import read_eval

        return read_eval(path, limits, progress)
    from data.reading.epochs import read_epochs

    return read_epochs(path, limits, progress, functools.partial(read_table, limits=limits, options=options))


def _read_text(
    path: Path, name: str, named: Named, limits: Limits, progress: Progress, options: ReadOptions
) -> tuple[pa.Table, dict]:
    """Return the table of a text file, and how it was read: format, encoding, notes, warnings, …"""
    from data.reading.csv.row_scan import correct_lines
    from data.reading.encodings import decode
    from data.reading.formats import unpack

    data = path.read_bytes()
    if named.packing:
        data = unpack(data, named.packing, limits)
    kind, doubt = recognise_text(data[:FILE_HEAD_BYTES], named.kind)
    text = decode(data, options.encoding)
    lines = correct_lines(text.data, options.corrections, is_json=kind == "json")
    corrected = () if lines == text.data else options.corrections  # a line may be confirmed as it stands
    if kind == "json":
        from data.reading.json.records import read_json

        one_per_line = bare_name(name).endswith((".jsonl", ".ndjson"))
        table, described = read_json(
            lines, limits, progress, one_per_line=one_per_line, skip_bad_rows=options.skip_bad_rows
        )
    else:
        table, described = _read_delimited(lines, name, limits, options)
    described["warnings"] = (*([doubt] if doubt else []), *text.said(table), *described["warnings"])
    of_text = {"encoding": text.encoding, "compression": named.packing, "corrected_lines": corrected}
    return table, {**described, **of_text}


def _read_delimited(data: bytes, name: str, limits: Limits, options: ReadOptions) -> tuple[pa.Table, dict]:
    """Return the table of delimited text, or of a matrix as a terminal prints it, and how it was read."""
    from data.joining.printed_matrix import read_printed_matrix
    from data.reading.csv.delimited import read_delimited

    # a person who said more than the encoding wants columns, and no matrix
    may_be_matrix = dataclasses.replace(options, encoding=None) == DETECT
    printed = read_printed_matrix(data, limits) if may_be_matrix else None
    if printed is not None:
        table, warning = printed
        return table, {"format": "Text lines", "notes": (), "warnings": (warning,)}
    plain_name = bare_name(name)
    preferred = "\t" if plain_name.endswith((".tsv", ".tab")) else ","
    read = read_delimited(data, limits, preferred, options=options, plain=plain_name.endswith(".txt"))
    return read.table, {
        "format": read.format,
        "delimiter": read.delimiter,
        "notes": (read.choice, *read.notes),
        "warnings": read.warnings,
        "above": read.above,
        "decimal": options.decimal,
        "rows_left_out": read.left_out,
    }
