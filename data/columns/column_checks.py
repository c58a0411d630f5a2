"""Refuse columns that cannot be what they are chosen for, and compare columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.columns.column import FEWEST_JUDGED, Column
from data.columns.name_ranks import list_columns
from data.columns.plain_labels import share_labels
from data.errors import DataError
from data.evaluation import MISSING, Settings
from text.numbers import count
from text.quoting import quote


def check_column(table: pa.Table, name: str) -> None:
    """Raise DataError with the columns there are, and the one probably meant, if `name` is none of them."""
    if table.schema.get_all_field_indices(name):  # looked up: the list of names is made anew each time
        return
    raise DataError(f"There is no column {quote(name)}; the file has {list_columns(table.column_names, name)}")


def check_truth(table: pa.Table, settings: Settings) -> None:
    """Raise DataError if the truth of single-label settings is (nearly) a different text in every row."""
    if settings.truth is None or settings.encoding != "single":
        return
    column = Column(table, settings.truth)
    if column.is_free and not (settings.label_set and set(column.distinct.values) <= set(settings.label_set)):
        raise free_text_error(column)


def free_text_error(column: Column) -> DataError:
    """Return the error for a truth that is no label."""
    return DataError(
        f"Column {quote(column.name)} holds {count(len(column.distinct.values), 'different label')} in "
        f"{count(column.n_rows, 'row')}. More than 5,000, or more than one for two rows, is taken for free text, "
        "numbers or ids. Choose the column of the true labels."
    )


def same_column_error(name: str) -> DataError:
    """Return the error for a truth that is its own prediction."""
    return DataError(f"Truth and prediction are the same column {quote(name)}: choose two different columns.")


def no_rows_error() -> DataError:
    """Return the error for a table without rows."""
    return DataError("The file has a header but no rows: give one row for every prediction.")


def are_copies(column: Column, two: Column) -> bool:
    """Return whether two columns hold the same text in every row, also where a cell is empty."""
    if set(column.distinct.values) != set(two.distinct.values):
        return False
    codes = column.distinct.spread((two.distinct.place[value] for value in column.distinct.values), MISSING)
    return np.array_equal(codes, two.distinct.codes)


def are_recoded(column: Column, two: Column) -> bool:
    """Return whether two columns are copies, or each label of one stands for a label of the other: ham for 0."""
    if are_copies(column, two):
        return True
    codes = column.distinct.codes, two.distinct.codes
    n_pairs = len(np.unique(np.stack(codes), axis=1).T)
    is_one_to_one = n_pairs == len(np.unique(codes[0])) == len(np.unique(codes[1]))
    return is_one_to_one and set(column.distinct.values).isdisjoint(two.distinct.values)


def measure_kappa(column: Column, two: Column) -> float:
    """Return Cohen's kappa of two columns over the rows of the sample that fill both; NaN where these are too few."""
    filled = (column.sample_codes >= 0) & (two.sample_codes >= 0)
    n = int(filled.sum())
    if n < FEWEST_JUDGED:
        return np.nan
    values, place = share_labels(column.sample.values, two.sample.values)
    lookup = np.array([place.get(value, len(place)) for value in values])
    a, b = lookup[column.sample_codes[filled]], two.sample_codes[filled]
    rows = [np.bincount(codes, minlength=len(place) + 1)[: len(place)] for codes in (a, b)]
    by_chance = float(rows[0] @ rows[1]) / n**2
    return (float((a == b).mean()) - by_chance) / (1 - by_chance) if by_chance < 1 else 0.0
