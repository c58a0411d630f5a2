"""Tidy the columns of every reader before they are written: names, missing cells, few-valued text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from data.errors import DataError
from data.limits import COLUMN_NAME_CHARS
from data.process.limits import Limits
from data.reading.surrounded_values import read_head, unwrap_values
from text.numbers import count
from text.quoting import list_items, quote

LABELS = pa.dictionary(pa.int32(), pa.string())
"""Type of columns with few distinct texts: 4 bytes a row, and no text is compared again."""


def check_names(names: Sequence[str], limits: Limits) -> None:
    """Refuse too many, too long or repeated column names.

    Raises
    ------
    DataError
        Naming the number of columns, the long name or the repeated names.
    """
    limits.check_columns(len(names))
    longest = max(names, key=len, default="")
    if len(longest) > COLUMN_NAME_CHARS:
        raise DataError(
            f"the column name {quote(longest, 20)} is {len(longest):,} characters long:"
            " the first line must be a header line of short column names."
        )
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise DataError(f"column names occur twice: {list_items(repeated)}; give each column a name of its own.")


def fill_names(names: Sequence[str]) -> tuple[list[str], list[int]]:
    """Fill unnamed columns with "column 1" (counted from 1); also return which ones (counted from 0).

    >>> fill_names(["", "a"])
    (['column 1', 'a'], [0])
    """
    taken, filled, unnamed = set(names), list(names), []
    for index, name in enumerate(names):
        if name == "":
            new = f"column {index + 1}"
            while new in taken:
                new = "unnamed " + new
            filled[index] = new
            unnamed.append(index)
    return filled, unnamed


def number_names(names: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Number the repeated names, from the second on; also return (name, new name) of each.

    >>> number_names(["y", "p", "y"])
    (['y', 'p', 'y (2)'], [('y', 'y (2)')])
    """
    taken, seen, made, renamed = set(names), Counter[str](), [], []
    for name in names:
        seen[name] += 1
        new = name
        if seen[name] > 1:
            while new in taken:
                new = f"{name} ({seen[name]})"
                seen[name] += new in taken
            renamed.append((name, new))
            taken.add(new)
        made.append(new)
    return made, renamed


def tidy(table: pa.Table, limits: Limits, *, blank_is_missing: bool = False) -> tuple[pa.Table, list[str], list[str]]:
    """Make a table of text and score columns canonical.

    A dictionary that saves nothing becomes plain text; too long cells are refused; scores that are nan
    or inf are named; cells of nothing but blanks become missing where the format has no other way to say so.

    Returns
    -------
    table, notes, warnings
    """
    notes: list[str] = []
    table, warnings = unwrap_values(table.unify_dictionaries())
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_floating(column.type):
            warnings += _odd_numbers(name, column)
        else:
            column = _without_needless_codes(column)
            _check_cells(name, column, limits)
            column = _read_blank_as_missing(name, column, notes) if blank_is_missing else column
        columns.append(column)
    return pa.Table.from_arrays(columns, names=table.column_names), notes, warnings


def _without_needless_codes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of codes in one piece; as plain text where they save nothing."""
    if not pa.types.is_dictionary(column.type):
        return column
    whole = column.combine_chunks()
    saves = len(whole.dictionary) <= max(100, len(whole) // 2)
    return pa.chunked_array([whole if saves else whole.cast(pa.string())])


def _read_blank_as_missing(name: str, column: pa.ChunkedArray, notes: list[str]) -> pa.ChunkedArray:
    blank_texts = pc.utf8_is_space(_list_texts(column))
    if not pc.any(blank_texts).as_py():
        return column
    blank = _of_cells(column, blank_texts)
    n_blank = pc.sum(blank).as_py()
    if not n_blank:
        return column
    notes.append(f"Column {quote(name)}: {count(n_blank, 'cell')} of nothing but blanks counted as empty.")
    filled = pc.if_else(blank, pa.scalar(None, pa.string()), column.cast(pa.string()))
    return filled.dictionary_encode() if pa.types.is_dictionary(column.type) else filled


def _check_cells(name: str, column: pa.ChunkedArray, limits: Limits) -> None:
    """Refuse a column with a cell that is too long."""
    texts = _list_texts(column)
    if (pc.max(pc.binary_length(texts)).as_py() or 0) <= limits.cell_chars:
        return
    row = pc.index(_of_cells(column, pc.greater(pc.utf8_length(texts), limits.cell_chars)), True).as_py() + 1
    if row:
        raise DataError(
            f"row {row:,}, column {quote(name)}: a cell is longer than {limits.cell_chars:,} characters, the limit."
        )


def _list_texts(column: pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return the texts of a column, of codes each once."""
    return column.chunk(0).dictionary if pa.types.is_dictionary(column.type) else column


def _of_cells(column: pa.ChunkedArray, of_texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return for each cell what `of_texts` says of its text, in the order of `_list_texts`."""
    return of_texts.take(column.chunk(0).indices) if pa.types.is_dictionary(column.type) else of_texts


def _odd_numbers(name: str, column: pa.ChunkedArray) -> list[str]:
    sentences = []
    for odd, word in ((pc.is_nan(column), "nan (not a number)"), (pc.is_inf(column), "inf (infinite)")):
        if pc.any(odd).as_py():
            first = pc.index(odd, True).as_py() + 1
            sentences.append(
                f"Column {quote(name)} holds {word} in {count(pc.sum(odd).as_py(), 'row')}, first row {first:,}."
            )
    return sentences


def few_valued(n_distinct: int, n_cells: int) -> bool:
    """Return whether a column repeats itself enough to be held as codes.

    >>> few_valued(77, 1000), few_valued(900, 1000), few_valued(3, 3)
    (True, False, True)
    """
    return n_distinct <= max(50, n_cells // 2)


def encode_if_few(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Dictionary-encode a text column if its first thousand cells repeat themselves."""
    head = column.slice(0, 1000)
    return column.dictionary_encode() if few_valued(len(head.unique()), len(head)) else column


def may_be_lists(column: pa.ChunkedArray) -> bool:
    """Return whether the first cell that is not empty begins as a list or a vector: one look, as columns are many."""
    if pa.types.is_floating(column.type):
        return False
    first = next(iter(read_head(column)), "").lstrip()
    return first.startswith(("[", "(", "DenseVector(", "SparseVector("))
