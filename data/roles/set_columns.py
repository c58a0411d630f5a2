"""Finding how the cells of truth and prediction hold several labels, where they do."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import Column
from data.columns.column_names import rank, ranked
from data.errors import DataError
from data.labels.cell_sets import SetEncoding, encoding_like, members, set_encoding, split
from data.labels.encode import label_order
from data.roles.column_blocks import flag_block
from data.roles.search import Search
from text.sentences import quoted


def find_sets(search: Search, truth: Column) -> SetEncoding | None:
    """How the cells of truth and prediction hold several labels, or None for one label a cell."""
    if search.given.raw is not None:
        return None
    given = search.given.pred
    names = [given] if given is not None else proposed_predictions(search, search.open())
    partners = [column for name in names if not (column := search.columns[name]).is_continuous]
    found = set_encoding(truth.sample.values) or _sets_of_both(truth, partners)
    if found is None:
        return next((e for column in partners if (e := _sets_of_prediction(truth, column))), None)
    if found.encoding == "json" and partners:
        labels = labels_of(truth, found)
        cells = [(c.sample.values, encoding_like(c.sample.values, labels, found)) for c in partners]
        lists = [any(members(cell, way) is not None for cell in values) for values, way in cells]
        lists.append(bool(flag_block(partners, labels)))
        if not any(lists) and (given is not None or rank(partners[0].name, "raw") is None):
            raise DataError(
                f"Column {quoted(truth.name)} holds lists and {quoted(partners[0].name)} does not: both must be lists "
                "(several labels a row) or both plain labels."
            )
    return found


def _sets_of_both(truth: Column, partners: Sequence[Column]) -> SetEncoding | None:
    """A small file may show only together that `a|b` is `a` and `b`: every part is a whole cell somewhere."""
    for column in partners:
        cells = {*truth.sample.values, *column.sample.values}
        for delimiter in ("|", ";"):
            parts = {part for cell in truth.sample.values if delimiter in cell for part in split(cell, delimiter)}
            if len(parts) > 1 and parts <= cells and not column.is_number:
                return SetEncoding("delimited", delimiter)
    return None


def _sets_of_prediction(truth: Column, pred: Column) -> SetEncoding | None:
    """A delimiter that only the predictions use: their parts are the truth's labels, their whole cells are not."""
    found = None if pred.is_free else set_encoding(pred.sample.values)
    if found is None or found.delimiter is None:
        return None
    known, cells = set(truth.sample.values), pred.sample.values
    parts = {part for cell in cells for part in split(cell, found.delimiter)}
    whole = sum(cell in known for cell in cells)
    return found if len(parts & known) >= len(parts) / 2 and whole < len(cells) else None


def labels_of(column: Column, sets: SetEncoding | None) -> tuple[str, ...]:
    """The labels that occur in a column, in label order."""
    values = column.distinct.values
    if sets is None:
        return tuple(label_order(values))
    return tuple(label_order({label for cell in values for label in members(cell, sets) or ()}))


def proposed_predictions(search: Search, columns: Sequence[Column]) -> list[str]:
    """Columns that their names propose as predictions, the best first."""
    return search.proposed("pred", ranked([column.name for column in columns], "prediction"))
