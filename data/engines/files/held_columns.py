"""Read columns of Parquet files whole, texts as codes, while they stay within a limit of memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types as kinds

from data.engines.label_lists import is_number
from data.errors import DataError
from data.limits import LONG_LABEL_CHARS
from data.process.limits import format_size

if TYPE_CHECKING:
    import pyarrow.dataset as ds

_BATCH_ROWS = 1 << 16
_READ_AHEAD = 2  # batches
_CODE_BYTES = 4
_COPIES = 2  # of every column, where rows are chosen
_WORKING_BYTES = 24  # a row: its weight, and its place among the groups
_NUMBER_BYTES = 24  # a row and column of numbers: scores are doubles, are checked, and are compared side by side


def is_coded(kind: pa.DataType) -> bool:
    """Return whether a column of files is text, which is read as codes of its different values.

    >>> is_coded(pa.string()), is_coded(pa.dictionary(pa.int32(), pa.string())), is_coded(pa.float64())
    (True, True, False)
    """
    kind = kind.value_type if kinds.is_dictionary(kind) else kind
    return bool(
        kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_binary(kind) or kinds.is_large_binary(kind)
    )


def code_texts(schema: pa.Schema, names: Iterable[str]) -> pa.Schema:
    """Return a schema in which the named columns of text are codes.

    >>> code_texts(pa.schema([("y", pa.string()), ("p", pa.float64())]), ["y", "p"]).types
    [DictionaryType(dictionary<values=string, indices=int32, ordered=0>), DataType(double)]
    """
    for name in names:
        place = schema.get_field_index(name)
        kind = schema.field(place).type
        if is_coded(kind):
            plain = kind.value_type if kinds.is_dictionary(kind) else kind
            text = pa.binary() if kinds.is_binary(plain) or kinds.is_large_binary(plain) else pa.string()
            schema = schema.set(place, pa.field(name, pa.dictionary(pa.int32(), text)))
    return schema


def estimate_bytes(footers: Iterable[pq.FileMetaData], schema: pa.Schema, partitions: Sequence[str]) -> int:
    """Return the bytes that counting some files in memory takes, by all their columns, with texts as codes.

    Encodings shorten: a run of one value is a few bytes however many rows it has. So rows count by their width, and
    what is encoded besides, for the different texts. partitions : columns that come from the names of folders.
    """
    n_bytes = n_rows = 0
    for footer in footers:
        n_rows += footer.num_rows
        widths = [_width(footer.schema.column(place)) for place in range(footer.num_columns)]
        for group in map(footer.row_group, range(footer.num_row_groups)):
            n_bytes += group.total_byte_size
            n_bytes += sum(group.column(place).num_values * width for place, width in enumerate(widths))
    return _with_working(n_bytes + n_rows * len(partitions) * _CODE_BYTES, n_rows, schema)


def _with_working(n_bytes: int, n_rows: int, schema: pa.Schema) -> int:
    """Return the bytes of columns with those that counting them takes besides."""
    n_numbers = sum(is_number(field.type) for field in schema)
    return n_bytes * _COPIES + n_rows * (_WORKING_BYTES + n_numbers * _NUMBER_BYTES)


def _width(column: pq.ColumnSchema) -> int:
    """Return the bytes of one value in memory; lists hold their texts themselves."""
    if column.physical_type == "BYTE_ARRAY":
        return LONG_LABEL_CHARS if column.max_repetition_level else _CODE_BYTES
    widths = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT96": 12, "FIXED_LEN_BYTE_ARRAY": column.length}
    return int(widths.get(column.physical_type, 8))


def read_held(dataset: ds.Dataset, names: Sequence[str], memory_bytes: int) -> pa.Table:
    """Read columns of a dataset; each column of text is in one piece, with the codes of different values.

    Raises
    ------
    DataError
        the columns, and counting them, take more than `memory_bytes`.
    """
    batches: list[pa.RecordBatch] = []
    n_rows = 0
    for batch in dataset.to_batches(
        columns=list(names), batch_size=_BATCH_ROWS, batch_readahead=_READ_AHEAD, fragment_readahead=1
    ):
        batch.validate(full=True)  # texts that are not UTF-8
        batches.append(_code_batch(batch))
        n_rows += batch.num_rows
        check_held(_with_working(_buffer_bytes(batches), n_rows, batch.schema), memory_bytes)
    if not batches:
        return dataset.schema.empty_table().select(list(names))
    table = pa.Table.from_batches(batches)
    columns = [encode(column) if kinds.is_dictionary(column.type) else column for column in table.columns]
    return pa.table(columns, names=table.column_names)


def check_held(n_bytes: int, memory_bytes: int) -> None:
    """Raise DataError where counting in memory takes more than it may."""
    if n_bytes > memory_bytes:
        raise out_of_memory(memory_bytes)


def out_of_memory(memory_bytes: int) -> DataError:
    """Return the error of a question that memory does not hold."""
    return DataError(
        f"Counting in memory needs more than {format_size(memory_bytes)}: allow more memory, or choose the engine "
        "duckdb."
    )


def _buffer_bytes(batches: Sequence[pa.RecordBatch]) -> int:
    """Return the bytes behind some batches; those that several share count once."""
    return int(pa.Table.from_batches(batches).get_total_buffer_size())


def _code_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with the parts of hive folders as codes, too."""
    for place, field in enumerate(batch.schema):
        if kinds.is_string(field.type):
            batch = batch.set_column(place, field.name, batch.column(place).dictionary_encode())
    return batch


def encode(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a column of codes in one piece, in which every value has one code and null has none.

    Others may write a dictionary that repeats a value or holds a null.

    >>> twice = pa.DictionaryArray.from_arrays([0, 1, 2, 3, None], ["a", "b", "a", None])
    >>> encode(pa.chunked_array([twice])).to_pylist(), encode(pa.chunked_array([twice])).dictionary.to_pylist()
    (['a', 'b', 'a', None, None], ['a', 'b'])
    """
    array = column.unify_dictionaries().combine_chunks()
    values = array.dictionary.unique().drop_null()
    if len(values) == len(array.dictionary):
        return array
    codes = pc.index_in(array.dictionary, value_set=values).take(array.indices)
    return pa.DictionaryArray.from_arrays(codes, values)


def decode(table: pa.Table, schema: pa.Schema, memory_bytes: int) -> pa.Table:
    """Return a table with the types of a schema, in which texts stand for their codes.

    Raises
    ------
    DataError
        the texts take more than `memory_bytes`.
    """
    coded = [chunk for column in table.columns if is_coded(column.type) for chunk in column.chunks]
    coded = [chunk for chunk in coded if kinds.is_dictionary(chunk.type)]
    check_held(sum(text_bytes(chunk.indices, chunk.dictionary) for chunk in coded), memory_bytes)
    return table.cast(schema)


def text_bytes(codes: pa.Array, values: pa.Array) -> int:
    """Return the bytes of texts that are written out for codes; lists of labels are short, and count as none.

    >>> text_bytes(pa.array([1, 1, None]), pa.array(["a", "bcd"]))
    6
    """
    if kinds.is_nested(values.type):
        return 0
    lengths = pc.binary_length(values).cast(pa.int64())
    return int(pc.sum(lengths.take(codes)).as_py() or 0)
