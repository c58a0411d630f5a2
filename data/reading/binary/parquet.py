"""Parquet: read batch by batch within limits, every column made text or scores, strange columns left out.

The pandas note inside a file, which renames and hides columns, is ignored; so are Arrow extension types.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types as kinds

from data.bad_rows import LEFT_OUT_METADATA, LeftOutRows
from data.engines.label_lists import is_label_list, unique_lists
from data.engines.numbers import read_doubles
from data.errors import DataError
from data.limits import PARQUET_FOOTER_BYTES, PARQUET_SCHEMA_DEPTH
from data.process.limits import Limits, Progress, format_size
from data.reading.cells import LABELS, check_names, fill_names, tidy
from data.reading.run_record import RUN_METADATA, read_run
from text.numbers import count
from text.quoting import list_items, quote

_NOT_PARQUET = "it is damaged or not a Parquet file; write it again."

Convert = Callable[[pa.Array], pa.Array]


@dataclass(frozen=True)
class _Plan:
    """One column to be read: its name in our table, where it is in the file, how it is converted."""

    name: str
    path: tuple[str, ...]
    convert: Convert


class _Unreadable(ValueError):
    """A column whose values cannot be text or numbers."""


def read_parquet(path: Path, limits: Limits, progress: Progress) -> tuple[pa.Table, dict[str, Any]]:
    """Read one Parquet file.

    Returns
    -------
    table, described : the rest of its `FileFacts`.

    Raises
    ------
    DataError
        The file is damaged, encrypted, or holds more than the limits allow.
    """
    try:
        with _open(path, limits) as file:
            plans, left_out = _plan_columns(file.schema_arrow, limits)
            table = _read(path, file, plans, left_out, limits, progress)
            footer = file.metadata.metadata or {}
            run, run_notes = read_run(footer.get(RUN_METADATA))
    except MemoryError:  # Arrow's own is an ArrowException, too
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(_failure_text(error)) from None
    table, missing = nan_as_missing(table)
    table, notes, warnings = tidy(table, limits)
    if left_out:
        holds, them = ("it holds", "it") if len(left_out) == 1 else ("they hold", "them")
        warnings.append(
            f"Left out, because {holds} neither text nor numbers: {list_items(sorted(left_out))}. Write {them} as text "
            f"to use {them}."
        )
    return table, {
        "format": "Parquet",
        "notes": (*run_notes, *missing, *notes),
        "warnings": tuple(warnings),
        "run": run,
        "rows_left_out": LeftOutRows.from_footer(footer.get(LEFT_OUT_METADATA)),
    }


def _failure_text(error: Exception) -> str:
    if "encrypt" in str(error).lower():
        return "this Parquet file is encrypted; save it without encryption."
    return _NOT_PARQUET


def _open(path: Path, limits: Limits) -> pq.ParquetFile:
    """Return the file with its footer checked."""
    file = pq.ParquetFile(
        path,
        thrift_string_size_limit=PARQUET_FOOTER_BYTES,
        thrift_container_size_limit=PARQUET_FOOTER_BYTES // 64,
        schema_depth_limit=PARQUET_SCHEMA_DEPTH,
        arrow_extensions_enabled=False,
    )
    footer = file.metadata
    limits.check_rows(footer.num_rows)
    limits.check_columns(footer.num_columns)
    if footer.num_rows == 0 or footer.num_columns == 0:
        missing = "rows: give one row for every prediction" if footer.num_columns else "columns"
        raise DataError(f"it holds no {missing}.")
    n_bytes = sum(footer.row_group(i).total_byte_size for i in range(footer.num_row_groups))
    _check_size(n_bytes, limits)
    return file


def _check_size(n_bytes: int, limits: Limits) -> None:
    if n_bytes > limits.expanded_bytes:
        raise DataError(f"it unpacks to {format_size(n_bytes)}; the limit is {format_size(limits.expanded_bytes)}.")


def _plan_columns(schema: pa.Schema, limits: Limits) -> tuple[list[_Plan], set[str]]:
    """Return what to read, and the names of what is left out; structs become dotted columns, one level deep."""
    check_names([field.name for field in schema], limits)
    plans, left_out = [], set()
    for field in schema:
        inner = list(field.type) if kinds.is_struct(field.type) else []
        parts = [(child.name, child.type) for child in inner] or [(None, field.type)]
        for child, kind in parts:
            path = (field.name,) if child is None else (field.name, child)
            convert = _converter(kind)
            if convert is None:
                left_out.add(".".join(path))
            else:
                plans.append(_Plan(".".join(path), path, convert))
    names, _ = fill_names([plan.name for plan in plans])
    check_names(names, limits)
    return [_Plan(name, plan.path, plan.convert) for name, plan in zip(names, plans, strict=True)], left_out


def _converter(kind: pa.DataType) -> Convert | None:
    if kinds.is_dictionary(kind):
        return _converter(kind.value_type) and _decode
    if kinds.is_floating(kind) or (kinds.is_decimal(kind) and kind.scale > 0):
        return read_doubles
    if kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind):
        return _json_lists if _converter(kind.value_type) in (_texts, read_doubles) else None
    return None if kinds.is_nested(kind) or kinds.is_union(kind) else _texts


def _decode(array: pa.Array) -> pa.Array:
    """Return categories: text keeps its codes, anything else is unpacked first."""
    kind = array.type.value_type
    if kinds.is_floating(kind) or kinds.is_decimal(kind):
        return read_doubles(array.dictionary_decode())
    return _relabel(array)


def _texts(array: pa.Array) -> pa.Array:
    return _relabel(array if kinds.is_dictionary(array.type) else array.dictionary_encode())


def _relabel(array: pa.DictionaryArray) -> pa.Array:
    """Turn codes into text, whatever the values were: 1 becomes "1", true "true". Only distinct values are cast.

    Dictionaries written by others may repeat a value or hold a null: both are put right by encoding again.
    """
    try:
        texts = array.dictionary.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise _Unreadable from None
    if texts.null_count or len(texts.unique()) != len(texts):
        return texts.take(array.indices).dictionary_encode().cast(LABELS)
    return pa.DictionaryArray.from_arrays(array.indices.cast(pa.int32()), texts)


def _json_lists(array: pa.Array) -> pa.Array:
    """Write lists as JSON, each different one once."""
    if is_label_list(array.type) and len(array):
        codes, lists = unique_lists(array)
        return pa.DictionaryArray.from_arrays(codes, pa.array(map(_json_list, lists.to_pylist()), pa.string()))
    values = array.to_pylist()
    if any(isinstance(item, bytes) for value in values if value for item in value):
        raise _Unreadable
    return pa.array([None if value is None else _json_list(value) for value in values], pa.string()).dictionary_encode()


def _json_list(value: list) -> str:
    plain = [None if item != item else item for item in value]  # NaN is no JSON
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), default=str)


def make_canonical(table: pa.Table, limits: Limits) -> tuple[pa.Table, dict[str, str], list[str]]:
    """Make text and score columns of an Arrow table, as `read_parquet` does of a file; structures are left out.

    Returns
    -------
    table; the name that each of its columns had; notes.

    >>> table, names, _ = make_canonical(pa.table({"y": [1, None], "p": [0.5, float("nan")], "x": [[1], []]}), Limits())
    >>> table.to_pydict(), names
    ({'y': ['1', None], 'p': [0.5, None], 'x': ['[1]', '[]']}, {'y': 'y', 'p': 'p', 'x': 'x'})
    """
    table = table.select([place for place, field in enumerate(table.schema) if _converter(field.type) is not None])
    plans, _ = _plan_columns(table.schema, limits)
    columns, names = {}, {}
    for plan in plans:
        column = table.column(table.schema.get_field_index(plan.path[0]))
        try:
            chunks = [plan.convert(chunk) for chunk in (column.chunks or [pa.array([], column.type)])]
        except (_Unreadable, pa.ArrowNotImplementedError):
            continue
        columns[plan.name], names[plan.name] = pa.chunked_array(chunks).unify_dictionaries(), plan.path[0]
    made, missing = nan_as_missing(pa.table(columns))
    made, notes, warnings = tidy(made, limits)
    return made, names, [*missing, *notes, *warnings]


def nan_as_missing(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Read nan as an empty cell, which a data frame's column of numbers writes so."""
    notes = []
    for index, name in enumerate(table.column_names):
        column = table.column(index)
        if kinds.is_floating(column.type) and pc.any(pc.is_nan(column)).as_py():
            n_nan = pc.sum(pc.is_nan(column)).as_py()
            notes.append(f"Column {quote(name)}: nan in {count(n_nan, 'row')} counted as empty.")
            empty = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
            table = table.set_column(index, name, empty)
    return table, notes


def _read(
    path: Path, file: pq.ParquetFile, plans: list[_Plan], left_out: set[str], limits: Limits, progress: Progress
) -> pa.Table:
    """Read row group by row group: codes stay codes, and unpacked bytes are counted as they grow."""
    groups: list[dict[str, pa.ChunkedArray]] = []
    text = [".".join(plan.path) for plan in plans if plan.convert is _texts]
    n_rows = n_bytes = 0
    with pq.ParquetFile(path, read_dictionary=text, metadata=file.metadata, arrow_extensions_enabled=False) as source:
        for index in range(file.metadata.num_row_groups):
            group = _group(source, index, plans, left_out, limits.rows - n_rows)
            n_rows += max(map(len, group.values()), default=0)
            n_bytes += sum(column.nbytes for column in group.values())
            _check_size(n_bytes, limits)
            groups.append(group)
            progress("reading", (index + 1) / file.metadata.num_row_groups)
    names = [plan.name for plan in plans if plan.name not in left_out]
    if not names:
        raise DataError(f"none of its columns holds text or numbers: {list_items(sorted(left_out))}.")
    if n_rows != file.metadata.num_rows:
        raise DataError(_NOT_PARQUET)
    return pa.table([_join_parts([group[name] for group in groups]) for name in names], names=names)


def _join_parts(parts: list[pa.ChunkedArray]) -> pa.ChunkedArray:
    return pa.chunked_array([chunk for part in parts for chunk in part.chunks], parts[0].type)


def _group(
    source: pq.ParquetFile, index: int, plans: list[_Plan], left_out: set[str], rows_left: int
) -> dict[str, pa.ChunkedArray]:
    parts: dict[str, list[pa.Array]] = {plan.name: [] for plan in plans if plan.name not in left_out}
    wanted = [".".join(plan.path) for plan in plans if plan.name not in left_out]
    for batch in source.iter_batches(row_groups=[index], columns=wanted):
        rows_left -= batch.num_rows
        if rows_left < 0:
            raise DataError("it has more rows than the limit, and more than its own footer says.")
        for plan in plans:
            _append(parts, plan, batch, left_out)
    return {name: pa.chunked_array(chunks).unify_dictionaries() for name, chunks in parts.items() if chunks}


def _append(parts: dict[str, list[pa.Array]], plan: _Plan, batch: pa.RecordBatch, left_out: set[str]) -> None:
    if plan.name in left_out:
        return
    try:
        array = batch.column(batch.schema.get_field_index(plan.path[0]))
        for child in plan.path[1:]:
            array = pc.struct_field(array, child)
        parts[plan.name].append(plan.convert(array))
    except (_Unreadable, pa.ArrowNotImplementedError):
        left_out.add(plan.name)
        parts.pop(plan.name, None)
