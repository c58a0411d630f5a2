"""Find how the cells of truth and prediction hold several labels."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import Column
from data.columns.column_names import rank
from data.errors import DataError
from data.labels.cell_sets import SetEncoding, find_set_encoding, find_similar_encoding, read_members, split
from data.labels.encode import list_labels
from data.roles.column_blocks import find_flag_block, propose_predictions
from data.roles.search import Search
from text.quoting import quote


def find_sets(search: Search, truth: Column) -> SetEncoding | None:
    """Find how the cells of truth and prediction hold several labels; None for one label a cell."""
    if search.given.raw is not None:
        return None
    given = search.given.pred
    names = [given] if given is not None else propose_predictions(search, search.open())
    partners = [column for name in names if not (column := search.columns[name]).is_continuous]
    if all(set(column.sample.values) <= set(search.label_set or ()) for column in (truth, *partners)):
        return None  # "a;b" is one label where the label list says so
    found = find_set_encoding(truth.sample.values) or _find_sets_of_both(truth, partners)
    if found is None:
        return next((e for column in partners if (e := _find_sets_of_prediction(truth, column))), None)
    if found.encoding == "json" and partners:
        labels = list_labels(truth.distinct.values, found)
        cells = [(c.sample.values, find_similar_encoding(c.sample.values, labels, found)) for c in partners]
        lists = [any(read_members(cell, way) is not None for cell in values) for values, way in cells]
        lists.append(bool(find_flag_block(partners, labels)))
        if not any(lists) and (given is not None or rank(partners[0].name, "raw") is None):
            raise DataError(
                f"Column {quote(truth.name)} holds lists and {quote(partners[0].name)} does not: both must be lists "
                "(multi-label) or both plain labels."
            )
    return found


def _find_sets_of_both(truth: Column, partners: Sequence[Column]) -> SetEncoding | None:
    """Find a delimiter that only both columns together show in a small file: every part is a whole cell somewhere."""
    for column in partners:
        cells = {*truth.sample.values, *column.sample.values}
        for delimiter in ("|", ";"):
            parts = {part for cell in truth.sample.values if delimiter in cell for part in split(cell, delimiter)}
            if len(parts) > 1 and parts <= cells and not column.is_number:
                return SetEncoding("delimited", delimiter)
    return None


def _find_sets_of_prediction(truth: Column, pred: Column) -> SetEncoding | None:
    """Find a delimiter that only the predictions use: their parts are labels of the truth, their cells are not."""
    found = None if pred.is_free else find_set_encoding(pred.sample.values)
    if found is None or found.delimiter is None:
        return None
    known, cells = set(truth.sample.values), pred.sample.values
    parts = {part for cell in cells for part in split(cell, found.delimiter)}
    whole = sum(cell in known for cell in cells)
    return found if len(parts & known) >= len(parts) / 2 and whole < len(cells) else None
