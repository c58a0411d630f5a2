"""Rows of a table that stand for no prediction: empty ones and totals at its end, the header line once more.

They are left out and named. A row stays whenever it could be one: a class may be called "total".
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.bad_rows import EXAMPLES, say_blank_inside
from data.columns.column_names import names_counts
from data.columns.role_names import fold
from data.labels.cell_sets import find_likely_delimiter, find_set_encoding, split
from data.limits import MAX_CLOSING_ROWS, MAX_MATRIX_CELLS
from data.reading.csv.closing_lines import list_texts
from data.reading.csv.decimals import read_cells
from data.reading.csv.header import NO_VALUE
from text.numbers import count
from text.quoting import list_items, quote

_TOTALS = [
    "total", "totals", "grand total", "subtotal", "sum", "overall", "column total", "row total", "summe", "gesamt",
    "gesamtsumme", "gesamtergebnis", "insgesamt", "zwischensumme", "somme", "total général", "totale", "somma", "suma",
    "soma", "totaal",
]  # fmt: skip
_MEANS = ["average", "avg", "mean", "mittelwert", "durchschnitt", "moyenne", "media", "média", "promedio", "gemiddelde"]
_WORDS = frozenset([*_TOTALS, *_MEANS])
_TOTAL_WORDS = frozenset([*map(fold, _TOTALS), "all", "alle", "tous", "todos"])
"""Names of totals in confusion matrices and files of counts, folded."""
_FEWEST_BELOW_UNITS = 4
"""So many rows show that a column holds numbers."""
_FEWEST_BELOW_WORDS = 20
"""In fewer rows, a label may stand in the first one alone."""
_TYPES = frozenset(
    [
        "text", "string", "str", "object", "label", "labels", "class", "category", "categorical", "nominal", "ordinal",
        "factor", "enum", "bool", "boolean", "char", "varchar", "nvarchar", "chr", "fct", "type", "unit", "name",
    ]
)  # fmt: skip
"""Words above labels in a line of units or types."""
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)


def without_extra_rows(table: pa.Table) -> tuple[pa.Table, list[str], list[str]]:
    """Leave out empty rows, totals at the end, and header lines inside.

    Returns
    -------
    table, notes, warnings

    >>> table = pa.table({"id": ["1", "2", "TOTAL"], "y": ["a", "b", None]})
    >>> without_extra_rows(table)[0].num_rows
    2
    """
    notes: list[str] = []
    warnings: list[str] = []
    n_rows = table.num_rows
    if table.num_columns < 2:
        return table, notes, warnings
    table = without_empty_rows(table, notes, warnings)
    n_filled = table.num_rows
    table = _without_header_lines(table, warnings)
    table = _without_second_header(table, warnings)
    table = _without_totals(table, n_filled - table.num_rows, warnings)
    return (table if table.num_rows == n_rows else _refresh_dictionaries(table)), notes, warnings


def _refresh_dictionaries(table: pa.Table) -> pa.Table:
    """Drop the words of dictionaries that no row uses any more."""
    columns = [
        column.cast(column.type.value_type).dictionary_encode() if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, schema=table.schema)


def without_empty_rows(table: pa.Table, notes: list[str], warnings: list[str]) -> pa.Table:
    """Leave out the rows of several columns that hold no value; note those at the end, and warn of those inside.

    >>> warnings: list[str] = []
    >>> table = pa.table({"y": ["a", None, "b", None], "p": ["a", None, "b", None]})
    >>> without_empty_rows(table, [], warnings).num_rows, warnings
    (2, ['1 blank row inside the file skipped: row 2.'])
    """
    if table.num_columns < 2:
        return table
    return _without_empty_inside(_without_empty_end(table, notes, warnings), warnings)


def _without_empty_end(table: pa.Table, notes: list[str], warnings: list[str]) -> pa.Table:
    """Leave out empty rows at the end, but where sets of labels are all that a row has: empty sets are rows, too."""
    if any(column[-1].is_valid for column in table.columns):
        return table
    filled = [_last_filled(column) for column in table.columns]
    n_kept = max(filled) + 1
    if not n_kept:
        return table
    n_empty = table.num_rows - n_kept
    if holds_only_sets(table.slice(0, n_kept)):
        warnings.append(
            f"{count(n_empty, 'empty row')} at the end {'counts' if n_empty == 1 else 'count'} as rows without any "
            "label. Delete them from the file if they are no rows."
        )
        return table
    notes.append(f"{count(n_empty, 'empty row')} at the end left out.")
    return table.slice(0, n_kept)


def _without_empty_inside(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out empty rows inside, as blank lines are, but where sets of labels are all that a row has."""
    empty = find_empty_rows(table)
    if not empty or len(empty) == table.num_rows or holds_only_sets(table):
        return table
    warnings.append(say_blank_inside([row + 1 for row in empty[:EXAMPLES]], len(empty), "row"))
    return table.take(pa.array(np.delete(np.arange(table.num_rows), empty)))


def find_empty_rows(table: pa.Table) -> list[int]:
    """Return the rows without any value, from 0.

    >>> find_empty_rows(pa.table({"x": ["a", None, None], "y": [None, None, "b"]}))
    [1]
    """
    if not all(column.null_count for column in table.columns):
        return []
    empty = pc.is_null(table.column(0))
    for column in table.columns[1:]:
        empty = pc.and_(empty, pc.is_null(column))
    return pc.indices_nonzero(empty).to_pylist()  # type: ignore[no-any-return]


def holds_only_sets(table: pa.Table) -> bool:
    """Return whether cells may hold sets of labels, and no other column is filled in every row, as an id would be."""
    if any(pa.types.is_floating(column.type) and not column.null_count for column in table.columns):
        return False
    texts = [column for column in table.columns if not pa.types.is_floating(column.type)]
    cells = [[str(value) for value in column.unique().drop_null().to_pylist()] for column in texts]
    marks = [_find_delimiter(values, cells) for values in cells]
    sets = [split(cell, mark) for values, mark in zip(cells, marks, strict=True) if mark for cell in values]
    labels = {label for members in sets for label in members}
    full = [v for v, mark, c in zip(cells, marks, texts, strict=True) if mark is None and not c.null_count]
    return bool(labels) and all(labels.issuperset(values) for values in full)


def _find_delimiter(values: list[str], others: list[list[str]]) -> str | None:
    """Return what may separate several labels in the cells of a column; None for lists, and for one label a cell."""
    sets = find_set_encoding(values)
    if sets is not None:
        return sets.delimiter
    return find_likely_delimiter(values, {cell for cells in others for cell in cells}, empty=True)


def _last_filled(column: pa.ChunkedArray) -> int:
    filled = pc.indices_nonzero(column.is_valid())
    return filled[-1].as_py() if len(filled) else -1


def _without_totals(table: pa.Table, n_before: int, warnings: list[str]) -> pa.Table:
    """Leave out totals at the end; n_before : rows above them that were left out already."""
    n_kept = table.num_rows - count_totals(table)
    for number in range(n_kept, table.num_rows):
        cells = [str(value) for value in _row(table, number) if value is not None]
        row = f"row {n_before + number + 1:,}"
        warnings.append(f"The last row ({list_items(cells, 4)}) holds totals and no prediction: {row} was left out.")
    return table.slice(0, n_kept)


def count_totals(table: pa.Table) -> int:
    """Count the last rows of a table that hold totals."""
    for n_closing in range(min(MAX_CLOSING_ROWS, table.num_rows - 1), 0, -1):
        n_kept = table.num_rows - n_closing
        if all(_is_total(table, row, n_kept) for row in range(n_kept, table.num_rows)):
            return n_closing
    return 0


def _row(table: pa.Table, row: int) -> list[Any]:
    return [column[row].as_py() for column in table.columns]


def _is_total(table: pa.Table, row: int, n_kept: int) -> bool:
    """Return whether a row begins with a word for a total, found nowhere above, and holds but numbers beside it.

    The numbers have to sum up what is above them. Larger than all above is enough, as in a total of other rows, too:
    where the row leaves a column empty that every other row fills, or has a number where all others have words.
    """
    cells = _row(table, row)
    place = next((i for i, value in enumerate(cells) if value is not None), None)
    if place is None or not isinstance(cells[place], str):
        return False
    word = cells[place].strip().rstrip(":").casefold()
    if word not in _WORDS or _occurs(table.column(place).slice(0, n_kept), word):
        return False
    above = [column.slice(0, n_kept) for column in table.columns]
    others = [(above[i], str(value)) for i, value in enumerate(cells) if value is not None and i != place]
    lacks = any(value is None and not column.null_count for value, column in zip(cells, above, strict=True))
    if lacks or any(_stands_among_words(column, value) for column, value in others):
        return all(_sums_up(column, value) or _exceeds(column, value) for column, value in others)
    return all(_sums_up(column, value) for column, value in others)


def _occurs(column: pa.ChunkedArray, word: str) -> bool:
    texts = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    return bool(pc.any(pc.match_substring_regex(texts, rf"(?i)^\s*{word}:?\s*$")).as_py())


def _sums_up(above: pa.ChunkedArray, value: str) -> bool:
    """Return whether a cell is the sum, mean or count of the cells above it, or a number among words."""
    n_rows, above = len(above), above.drop_null()
    numbers, has_commas = _read_numbers(above)
    text = _plain_number(value, has_commas)
    if text is None:
        return False
    if numbers is None:  # words, or nothing
        return not len(above) or n_rows == float(text) or not _any_number(above)
    stated, tolerance = float(text), _rounding(text)
    wanted = (pc.sum(numbers).as_py(), pc.mean(numbers).as_py(), len(numbers), n_rows)
    return any(total is not None and math.isclose(stated, total, rel_tol=1e-9, abs_tol=tolerance) for total in wanted)


def _exceeds(above: pa.ChunkedArray, value: str) -> bool:
    """Return whether a cell is a number larger than every number above it."""
    numbers, has_commas = _read_numbers(above.drop_null())
    text = _plain_number(value, has_commas)
    return text is not None and numbers is not None and float(text) > pc.max(numbers).as_py()


def _stands_among_words(above: pa.ChunkedArray, value: str) -> bool:
    """Return whether a cell is a number, and no cell above it holds a digit."""
    return _plain_number(value, False) is not None and len(above) > above.null_count and not _any_number(above)


def _plain_number(text: str, has_commas: bool) -> str | None:
    """Return a number as Python writes it, without its per cent sign; None for anything else."""
    digits = text.strip().removesuffix("%")
    digits = digits.replace(".", "").replace(",", ".") if has_commas else digits.replace(",", "")
    return digits if _NUMBER.fullmatch(digits) else None


def _read_numbers(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray | None, bool]:
    """Return a column of numbers as float64, and whether these have decimal commas; None where a cell is a word."""
    if pa.types.is_floating(column.type):
        return column, False
    text = column.cast(pa.string())
    if not len(text):
        return None, False
    try:
        return text.cast(pa.float64()), False
    except pa.ArrowInvalid:
        written = read_cells(tuple(text.to_pylist()), ",")
    return (pa.chunked_array([written], pa.float64()), True) if written else (None, False)


def _any_number(column: pa.ChunkedArray) -> bool:
    distinct = column.cast(pa.string()).unique()
    return bool(pc.any(pc.match_substring_regex(distinct, r"^\s*[+-]?[0-9.,]+%?\s*$")).as_py())


def _rounding(text: str) -> float:
    decimals = len(text.partition(".")[2]) if "e" not in text.lower() else 0
    return 0.5 * 10.0**-decimals + 1e-12 if decimals else 1e-9


def _without_second_header(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out a first row of units, types or further names: a word above nothing but numbers, and values of no row.

    >>> warnings: list[str] = []
    >>> table = pa.table({"y": ["text", *"abab"], "p": ["float", "0.1", "0.2", "0.3", "0.4"]})
    >>> _without_second_header(table, warnings).num_rows, warnings
    (4, ["Row 1 ('text', 'float') names units or types and is no prediction: left out."])
    """
    cells, below = _row(table, 0), table.slice(1)
    pairs = [*zip(cells, below.columns, strict=True)]
    if below.num_rows < _FEWEST_BELOW_UNITS:
        return table
    numbers = [column for cell, column in pairs if _stands_above_numbers(cell, column)]
    if len(numbers) < 2 and not any(map(_has_fractions, numbers)):  # a single whole number may be an id
        return table
    if any(_recurs(cell, column) for cell, column in pairs):
        return table
    if below.num_rows < _FEWEST_BELOW_WORDS and any(_may_be_label(cell, column) for cell, column in pairs):
        return table
    named = list_items([str(value) for value in cells if value is not None], 4)
    warnings.append(f"Row 1 ({named}) names units or types and is no prediction: left out.")
    return below


def _stands_above_numbers(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell is a word, not one for a missing value, and every filled cell below it is a number."""
    if not isinstance(cell, str) or cell.strip().lower() in NO_VALUE:
        return False
    holds_digits_alone = any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell))  # 1+2 may be two labels
    if holds_digits_alone or _plain_number(cell, False) is not None:
        return False
    return _are_numbers(below.slice(0, _FEWEST_BELOW_UNITS)) and _are_numbers(below)


def _may_be_label(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell holds letters and is no type, and stands above words."""
    if not isinstance(cell, str) or not any(map(str.isalpha, cell)) or cell.strip().casefold() in _TYPES:
        return False
    return not _are_numbers(below)


def _are_numbers(column: pa.ChunkedArray) -> bool:
    """Return whether there are several distinct values, and each is a number."""
    distinct = column.drop_null().unique().cast(pa.string()).to_pylist()
    return len(distinct) > 1 and all(_plain_number(value, "," in value) is not None for value in distinct)


def _has_fractions(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.match_substring_regex(column.unique().cast(pa.string()), r"\d[.,]\d")).as_py())


def _recurs(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell is a number, or occurs again below it."""
    if cell is None:
        return False
    if not isinstance(cell, str) or _plain_number(cell, False) is not None:
        return True
    return bool(pc.any(pc.equal(below.cast(pa.string()), cell)).as_py())


def _without_header_lines(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out header lines inside: files put together keep the header of each."""
    repeats = _repeats_name(table, 0)
    if repeats is None:
        return table
    for index in range(1, table.num_columns):
        repeated = _repeats_name(table, index)
        if repeated is None:
            return table
        repeats = pc.and_(repeats, repeated)
    rows = pc.indices_nonzero(repeats).to_pylist()
    if not rows or len(rows) == table.num_rows:
        return table
    shown = list_items((f"{row + 1:,}" for row in rows), 4, quoted=False)
    warnings.append(
        f"The header line stands inside the file again ({count(len(rows), 'time')}: row {shown}), as if files had "
        "been put together: left out."
    )
    return table.filter(pc.invert(repeats))


def _repeats_name(table: pa.Table, index: int) -> pa.ChunkedArray | None:
    """Return where a column holds its own name; None where nowhere."""
    column, name = table.column(index), table.column_names[index]
    if pa.types.is_dictionary(column.type):
        if not any(pc.index(chunk.dictionary, name).as_py() >= 0 for chunk in column.chunks):
            return None
        column = column.cast(column.type.value_type)
    if not pa.types.is_string(column.type) or pc.index(column, name).as_py() < 0:
        return None
    return pc.fill_null(pc.equal(column, name), False)


def counts_rows(column: pa.ChunkedArray) -> bool:
    """Return whether a column counts its rows, from 0 or from 1.

    >>> counts_rows(pa.chunked_array([["1", "2", "3"]])), counts_rows(pa.chunked_array([["1", "3"]]))
    (True, False)
    """
    first = column[0].as_py() if len(column) else None
    if first not in ("0", "1", 0.0, 1.0) or column.null_count:
        return False
    wanted = pa.array(np.arange(int(first), int(first) + len(column)))
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return bool(pc.all(pc.equal(column, wanted.cast(column.type))).as_py())


def say_index(name: str, given: str) -> str:
    """Return the note about a column that counts the rows."""
    return f"The first column {given} counts the rows: it is called {quote(name)} and is neither truth nor prediction."


# -- totals of a confusion matrix, or of a file of counts --------------------------------------------


def without_total_cells(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return a table without lines and columns of totals that add up the others, and a warning about each kind.

    A class may be called so: what does not add up stays.

    >>> matrix = pa.table({"actual": ["cat", "dog"], "cat": [5, 1], "dog": [2, 7], "Total": [7, 8]})
    >>> without_total_cells(matrix)[0].column_names
    ['actual', 'cat', 'dog']
    >>> counts = pa.table({"actual": ["a", "b", "All"], "predicted": ["a", "b", "All"], "count": ["2", "3", "5"]})
    >>> without_total_cells(counts)[0].num_rows
    2
    """
    if table.num_columns < 3 or table.num_rows < 2 or table.num_rows * table.num_columns > MAX_MATRIX_CELLS:
        return table, []
    names = [name for name in table.column_names if names_counts(name)]
    if table.num_columns == 3 and len(names) == 1:
        return _without_total_lines(table, names[0])
    return _without_margins(table)


def _is_total_word(text: str) -> bool:
    return fold(text.rstrip(":")) in _TOTAL_WORDS


def _rows(column: pa.ChunkedArray) -> np.ndarray | None:
    """Return whole numbers from 0 as int64; None where a cell is anything else."""
    try:
        values = [float(text) for text in list_texts(column)]
    except ValueError:
        return None
    if not all(value >= 0 and value.is_integer() and value < 2**53 for value in values):
        return None
    return np.array(values, dtype=np.int64)


def _without_total_lines(table: pa.Table, name: str) -> tuple[pa.Table, list[str]]:
    """Return the table of counts without the lines that add up others."""
    rows = _rows(table.column(name))
    first, second = (list_texts(table.column(other)) for other in table.column_names if other != name)
    totals = np.array([_is_total_word(a) or _is_total_word(b) for a, b in zip(first, second, strict=True)])
    if rows is None or not totals.any() or totals.all():
        return table, []
    for place in np.flatnonzero(totals).tolist():
        adds = ~totals
        for cells in (first, second):
            if not _is_total_word(cells[place]):
                adds = adds & np.array([cell == cells[place] for cell in cells])
        if int(rows[adds].sum()) != int(rows[place]):
            return table, []
    n, words = int(totals.sum()), sorted({cell for cells in (first, second) for cell in cells if _is_total_word(cell)})
    note = f"{count(n, 'line')} {'adds' if n == 1 else 'add'} up others ({list_items(words)}): left out, no class."
    return table.filter(pa.array(~totals)), [note]


def _without_margins(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the matrix without the column and the line that add up its classes."""
    first, *names = table.column_names
    last = names[-1]
    has_line, has_column = _is_total_word(list_texts(table.column(0)[-1:])[0]), _is_total_word(last)
    classes = names[:-1] if has_column else names
    if not (has_line or has_column) or not 2 <= len(classes) == table.num_rows - has_line:
        return table, []
    labels = list_texts(table.column(0))
    inner = labels[:-1] if has_line else labels
    if sorted(inner) != sorted(name.strip() for name in classes):
        return table, []
    columns = [_rows(table.column(name)) for name in names]
    if any(column is None for column in columns):
        return table, []
    cells = np.column_stack(columns)  # type: ignore[arg-type]
    if has_column and not np.array_equal(cells[:, :-1].sum(axis=1), cells[:, -1]):
        return table, []
    if has_line and not np.array_equal(cells[:-1].sum(axis=0), cells[-1]):
        return table, []
    gone = [f"the line {list_items([labels[-1]])}"] * has_line + [f"the column {list_items([last])}"] * has_column
    kept = table.select([first, *classes]).slice(0, len(inner))
    adds = "add" if len(gone) > 1 else "adds"
    margins = " and ".join(gone)
    return kept, [f"{margins[0].upper()}{margins[1:]} of the matrix {adds} up its classes: left out, no class."]
