"""One object around a table: columns of cells, rows by index, labels by id, or the rows under one key.

pandas' `to_json` writes columns of cells without being asked for it; `orient="index"` and `orient="table"` are here
too, and so are {"y_true": […], "y_pred": […]} and {"results": [{…}, …]}. {"columns": […], "data": [[…], …]} is
`orient="split"` without an index: MLflow writes its eval_results_table.json so, and W&B its tables, which add
`column_types`, or `ncols` and `nrows`. Neo writes a list of counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from data.errors import DataError
from data.reading.csv.header import is_role_name
from data.reading.json.outline import Outline
from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, require_mapping
from text.numbers import count
from text.quoting import list_items, quote

_INDEX = "index"
_FEWEST_IDS = 10
_WANDB = ("column_types", "ncols", "nrows")
_NEO = {"actual", "observed", "count"}


def is_table(document: Outline) -> bool:
    """Return whether it is orient="table": a schema beside the rows."""
    rows, fields = document.lists.get(("data",)), document.lists.get(("schema", "fields"))
    return rows is not None and fields is not None and rows.of_objects and fields.of_objects


def table_rows(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Yield the rows under "data", without the index if it only numbers them."""
    numbered = all(row.get(_INDEX) == place for place, row in enumerate(document.lists[("data",)].head))
    for row, value in document.each("data"):
        if numbered and value.pop(_INDEX, None) != row - 1:
            raise DataError(f"row {row:,} does not continue the numbers in {quote(_INDEX)}; leave the index out.")
        yield value
    remarks.notes.append('The file is a table of pandas (orient="table"); its rows are under "data".')


def is_columns(document: Outline) -> bool:
    """Return whether two or more lists of one length, or an object of nothing but such lists, stand for columns."""
    return len(_column_keys(document)) > 1


def _column_keys(document: Outline) -> list[str]:
    """Return the keys of the longest lists that are at least two; none where that is not clear."""
    by_length: dict[int, list[str]] = defaultdict(list)
    for path, outlined in document.lists.items():
        if len(path) == 1 and outlined.n and not outlined.of_objects:
            by_length[outlined.n].append(path[0])
    longest = max(by_length, default=0)
    return by_length[longest] if len(by_length[longest]) > 1 else []


def column_rows(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Yield the first cells of all columns, then the second ones."""
    names = _column_keys(document)
    columns = [(value for _, value in document.each(name)) for name in names]
    for cells in zip(*columns, strict=True):
        yield dict(zip(names, cells, strict=True))
    remarks.notes.append(f"The file holds one list for every column: {list_items(names)}.")
    others = [key for key in document.keys if key not in names]
    if others:
        remarks.warnings.append(f"Besides its columns the file holds {list_items(others)}, which were left out.")


def is_indexed(document: Outline) -> bool:
    """Return whether all values are objects of the same length, and it is clear which keys name columns."""
    inner = [outlined for path, outlined in document.objects.items() if len(path) == 1]
    if not inner or document.has_values or any(len(path) == 1 for path in document.lists):
        return False
    if len({n for n, _ in inner}) > 1:
        return False
    first = next(path[0] for path in document.objects if len(path) == 1)
    return _is_number(inner[0][1]) != _is_number(first) or _is_by_column(document.whole()) is not None


def _is_by_column(whole: dict[str, Any]) -> bool | None:
    """Return whether the keys outside name columns and those inside rows; None where neither is clear.

    Rows have numbers, or names beside columns that are named like truth and prediction.
    """
    outside, inside = list(whole), list(next(iter(whole.values())))
    if _is_number(outside[0]) != _is_number(inside[0]):
        return _is_number(inside[0])
    roles_outside, roles_inside = (sum(map(is_role_name, names)) for names in (outside, inside))
    return None if max(roles_outside, roles_inside) < 2 else roles_outside > roles_inside


def indexed_rows(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Yield the rows of columns by row, or of rows; keep their names, and numbers that do more than count."""
    whole = document.whole()
    by_column = _is_by_column(whole)
    index = list(next(iter(whole.values()))) if by_column else list(whole)
    counts = index == [str(place) for place in range(len(index))]
    if not counts and _INDEX in (whole if by_column else next(iter(whole.values()))):
        raise DataError(f"it holds a column {quote(_INDEX)} besides its index; write it with orient='records'.")
    for key in index:
        row = {name: _cell(cells, key, name) for name, cells in whole.items()} if by_column else whole[key]
        yield row if counts else {_INDEX: key, **row}
    kind, what = ("columns", "columns, each with its cells by row") if by_column else ("index", "rows")
    remarks.notes.append(f'The file is a table of pandas (orient="{kind}"): one object of {what}.')


def _cell(cells: dict[str, Any], key: str, name: str) -> Any:
    try:
        return cells[key]
    except KeyError:
        raise DataError(f"the column {quote(name)} has no cell for row {quote(key)}, which another has.") from None


def is_by_id(document: Outline) -> bool:
    """Return whether the object holds a label for each of ten ids or more: texts or whole numbers, most of which recur.

    Numbers are floats in an outline.
    """
    values = list(document.values.values())
    if document.lists or len(document.objects) > 1 or len(values) < _FEWEST_IDS:
        return False
    are_labels = all(isinstance(value, str) for value in values) or all(map(_is_whole, values))
    return are_labels and 2 * len(set(values)) <= len(values) and not any(map(is_role_name, document.keys))


def rows_by_id(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Yield each id with its label."""
    for row_id, label in document.whole().items():
        yield {"id": row_id, "label": label}
    remarks.notes.append("The file is one object of a label for each id.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def find_rows_key(document: Outline) -> tuple[str, ...] | None:
    """Return the path of the only list of two or more objects; None where there is none, or several."""
    paths = [path for path, held in document.lists.items() if held.of_objects and held.n > 1]
    return paths[0] if len(paths) == 1 else None


def say_rows_key(document: Outline, path: tuple[str, ...], remarks: Remarks) -> Stream:
    """Return the rows under one key, with a warning that names it."""
    others = [key for key in document.keys if key != path[0]]
    rest = f"; besides it there is {list_items(others)}, which was left out" if others else ""
    remarks.warnings.append(f"The file holds one object; the rows are the list under {quote('.'.join(path))}{rest}.")
    return document.each(*path)


def explain_refusal(document: Outline, wanted: str) -> DataError | None:
    """Return why an object is no table; None if it can be one row.

    Parameters
    ----------
    wanted : the end of the sentence, what was wanted instead.
    """
    lists = {path: held for path, held in document.lists.items() if held.n}
    rows = [".".join(path) for path, held in lists.items() if held.of_objects]
    several = [".".join(path) for path, held in lists.items() if held.of_objects and held.n > 1]
    if len(several) > 1:
        return DataError(f"it holds several lists of objects, under {list_items(several)}; keep one of them; {wanted}.")
    if document.has_values:
        return None
    lengths = [f"{quote('.'.join(path))}: {count(held.n, 'cell')}" for path, held in lists.items() if len(path) == 1]
    what = f"with the rows under {quote(rows[0])}" if rows else "of columns"
    what += f" of different lengths ({list_items(lengths, quoted=False)})" if len(lengths) > 1 and not rows else ""
    return DataError(f"it holds one object {what}; {wanted}.") if document.keys else None


def is_split(document: Outline) -> bool:
    """Return whether an object has a list of column names and a list of rows."""
    names, rows = document.lists.get(("columns",)), document.lists.get(("data",))
    return names is not None and rows is not None and names.n > 0 and all(isinstance(row, list) for row in rows.head)


def is_wandb(document: Outline) -> bool:
    """Return whether it is a table that W&B wrote."""
    return is_split(document) and any(key in document.keys for key in _WANDB)


def split_rows(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Yield the rows with the names of their columns."""
    names = [_join_levels(value) for _, value in document.each("columns")]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"column names occur twice: {list_items(twice)}; give each column a name of its own.")
    for row, cells in document.each("data"):
        if not isinstance(cells, list) or len(cells) != len(names):
            raise DataError(f"row {row:,} of its data is no list of {count(len(names), 'cell')}, one a column.")
        yield dict(zip(names, cells, strict=True))
    remarks.notes.append('The file holds its column names under "columns" and its rows under "data".')


def _join_levels(value: Any) -> str:
    if isinstance(value, list):  # pandas' columns of several levels
        return ".".join(map(str, value))
    return str(value)


def is_neo(head: list[Any]) -> bool:
    """Return whether the first record has Neo's three keys and no other."""
    return isinstance(head[0], dict) and head[0].keys() == _NEO


def neo_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Give actual and observed as one text each, and count."""
    for row, value in stream:
        record = require_mapping(value, row)
        remarks.counts["several"] += any(isinstance(cell, list) and len(cell) > 1 for cell in record.values())
        yield {key: ",".join(map(str, cell)) if isinstance(cell, list) else cell for key, cell in record.items()}
    remarks.notes.append(
        "Neo: actual is the true label, observed the predicted one, count how many rows each line is for."
    )
    remarks.add_count("several", "several outputs at once; their labels were joined with commas.", warn=True)
