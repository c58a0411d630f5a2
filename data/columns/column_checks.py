"""Refuse columns that are not there, or that cannot be what they are chosen for."""

from __future__ import annotations

import pyarrow as pa

from data.columns.column import Column
from data.columns.column_names import near_miss
from data.errors import DataError
from data.evaluation import Settings
from text.numbers import count
from text.quoting import list_items, quote


def check_column(table: pa.Table, name: str) -> None:
    """DataError with the columns there are, and the one probably meant, if `name` is none of them."""
    if table.schema.get_all_field_indices(name):  # looked up: the list of names is made anew each time
        return
    near = near_miss(name, table.column_names)
    hint = f" Did you mean {quote(near)}?" if near else ""
    raise DataError(f"There is no column {quote(name)}; the file has {list_items(table.column_names, 6, 24)}.{hint}")


def check_truth(table: pa.Table, settings: Settings) -> None:
    """DataError if the truth of single-label settings is (nearly) a different text in every row."""
    if settings.truth is None or settings.encoding != "single":
        return
    column = Column(table, settings.truth)
    if column.is_free and not (settings.label_set and set(column.distinct.values) <= set(settings.label_set)):
        raise free_text(column)


def free_text(column: Column) -> DataError:
    """The error for a truth that is no label."""
    return DataError(
        f"Column {quote(column.name)} holds {count(len(column.distinct.values), 'different label')} in "
        f"{count(column.n_rows, 'row')}: with more than 5,000, or than half the rows, it is free text, a number "
        "or an id and no label; choose the column of the true labels."
    )


def same_column(name: str) -> DataError:
    """The error for a truth that is its own prediction."""
    return DataError(f"Truth and prediction are the same column {quote(name)}: choose two different columns.")


def no_rows() -> DataError:
    """The error for a table without rows."""
    return DataError("The file has a header but no rows: give one row for every prediction.")
