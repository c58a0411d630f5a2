"""Find how truth and prediction hold several labels: by a delimiter, as lists, or as 0/1 columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from data.columns.column import Column
from data.columns.column_names import parse_name, says_score
from data.columns.name_ranks import rank
from data.errors import DataError
from data.evaluation import Settings
from data.labels.cell_sets import (
    DELIMITERS,
    OTHER_DELIMITERS,
    SetEncoding,
    find_likely_delimiter,
    find_listed_delimiter,
    find_set_encoding,
    find_similar_encoding,
    find_words_for_none,
    read_members,
    split,
)
from data.labels.encode import list_labels
from data.labels.flag_columns import find_flag_block
from data.roles.search import Pairs, Search, propose_predictions
from text.quoting import list_items, quote

_FLAGS = "0/1 column named like the label"


def find_sets(search: Search, truth: Column) -> SetEncoding | None:
    """Find how the cells of truth and prediction hold several labels; None for one label a cell.

    What a person said decides, then the label list, then the cells; where these leave a doubt, a warning says it.
    """
    task = search.given.task
    if task == "multilabel" and search.given.raw is not None:
        raise DataError(
            "An answer is read as one label, so a row with raw answers has one. Choose a column of predicted labels "
            "instead, or one label per row (--task single)."
        )
    if search.given.raw is not None or task == "single":
        return None
    given = search.given.pred
    names = [given] if given is not None else propose_predictions(search, search.open())
    partners = [column for name in names if not (column := search.columns[name]).is_continuous]
    if task is None and _are_listed(search, (truth, *partners)):
        return None  # "a;b" is one label where the label list says so
    sets = _find_listed_sets(search, (truth, *partners)) or _find_sure_sets(truth, partners)
    if sets is None:
        return _find_chosen_sets(truth, partners) if task else _find_likely_sets(search, truth, partners)
    if sets.encoding == "json" and partners:
        _check_lists(truth, partners, sets, named=given is not None)
    return sets


def _are_listed(search: Search, columns: Sequence[Column]) -> bool:
    """Return whether the label list names every cell of some columns."""
    return all(set(column.sample.values) <= set(search.label_set or ()) for column in columns)


def _find_listed_sets(search: Search, columns: Sequence[Column]) -> SetEncoding | None:
    """Find the delimiter of sets whose labels the label list names; None where the truth holds lists."""
    lists = find_set_encoding(columns[0].sample.values)
    if lists is not None and lists.encoding == "json":
        return None  # another column, such as raw answers, may hold the same labels with commas
    listed = (find_listed_delimiter(column.sample.values, search.label_set or ()) for column in columns)
    delimiter = next(filter(None, listed), None)
    if delimiter in OTHER_DELIMITERS and search.given.task is None:
        search.warnings.append(
            f"Cells are split at {quote(delimiter)}, as the label list names their parts alone. If each is one label, "
            "choose one label per row (--task single)."
        )
    return SetEncoding("delimited", delimiter) if delimiter else None


def _find_sure_sets(truth: Column, partners: Sequence[Column]) -> SetEncoding | None:
    """Find sets that the cells show by themselves: of the truth, of both together, or of a prediction."""
    sets = find_set_encoding(truth.sample.values) or _find_sets_of_both(truth, partners)
    return sets or next((e for column in partners if (e := _find_sets_of_prediction(truth, column))), None)


def _find_chosen_sets(truth: Column, partners: Sequence[Column]) -> SetEncoding:
    """Find the delimiter that is meant where a person said that rows have several labels."""
    columns = (truth, *partners)
    likely = [find_likely_delimiter(column.sample.values, empty=True) for column in columns]
    joined = _find_joined(columns, fewest=1)[0]
    cells = {cell for column in columns for cell in column.sample.values}
    held = [mark for mark in DELIMITERS if any(mark in cell for cell in cells)]
    return SetEncoding("delimited", next(filter(None, (*likely, joined, *held)), DELIMITERS[0]))


def _find_likely_sets(search: Search, truth: Column, partners: Sequence[Column]) -> SetEncoding | None:
    """Read cells as sets where empty ones stand beside delimited ones; say every doubt, also where they are none."""
    empty = any(_has_empty_cells(search, column) for column in (truth, *partners))
    others = {cell for column in partners for cell in column.sample.values}
    column, delimiter = truth, find_likely_delimiter(truth.sample.values, others, empty=empty)
    if delimiter is None:
        column, delimiter = next(_find_predicted_sets(truth, partners), (truth, None))
    if delimiter is None:
        _warn_of_joined(search, (truth, *partners))
        return None
    example = next(cell for cell in column.sample.values if len(split(cell, delimiter)) > 1)
    cells = f"Cells of {quote(column.name)} such as {quote(example)}"
    if empty or (column is truth and delimiter != "," and _stand_alone(column, delimiter)):
        search.warnings.append(
            f"{cells} are read as several labels, and empty cells as none. If each is one label, choose one label "
            "per row (--task single)."
        )
        return SetEncoding("delimited", delimiter)
    search.warnings.append(
        f"{cells} are read as one label. If they are several labels, choose several labels per row (--task multilabel)."
    )
    return None


def _find_joined(columns: Sequence[Column], fewest: int = 2) -> tuple[str | None, list[str]]:
    """Return the mark that puts other cells together, and the cells that hold it: + for a, b, a+b and b+c.

    fewest : so many cells must hold the mark.
    """
    cells = {cell for column in columns for cell in column.sample.values[:5_000]}
    for mark in OTHER_DELIMITERS:
        joined = sorted(cell for cell in cells if len(parts := set(split(cell, mark))) > 1 and parts <= cells)
        if len(joined) >= fewest:
            return mark, joined
    return None, []


def _warn_of_joined(search: Search, columns: Sequence[Column]) -> None:
    """Warn of cells that are other cells put together by a mark that is not read as a delimiter."""
    for column in columns:
        mark, joined = _find_joined([column])
        if mark is not None:
            search.warnings.append(
                f"{list_items(joined, 3, 24)} in {quote(column.name)} are read as one label each, though their parts "
                "are labels, too. If a row can have several, choose several labels per row (--task multilabel)."
            )
            return


def _stand_alone(column: Column, delimiter: str) -> bool:
    """Return whether a label of a cell with several is a cell of its own, too."""
    cells = set(column.sample.values)
    return any(len(labels := split(cell, delimiter)) > 1 and not cells.isdisjoint(labels) for cell in cells)


def _find_predicted_sets(truth: Column, partners: Sequence[Column]) -> Iterator[tuple[Column, str]]:
    """Yield columns of predictions, and their delimiter, of which a cell holds a known label beside another."""
    labels = set(truth.sample.values)
    for column in partners:
        cells = column.sample.values
        delimiter = find_likely_delimiter(cells, labels)
        if (
            delimiter is None
            or column.is_free
            or (rank(column.name, "raw") is not None and not _are_all_labels(column, labels, delimiter))
        ):
            continue
        sets = [split(cell, delimiter) for cell in cells if cell not in labels and delimiter in cell]
        if any(len(members) > 1 and labels.intersection(members) for members in sets):
            yield column, delimiter


def _are_all_labels(column: Column, labels: Collection[str], delimiter: str) -> bool:
    """Return whether every cell is a label or several of them, and nothing else, as answers in words are not."""
    return all(set(labels).issuperset(split(cell, delimiter)) for cell in column.sample.values)


def _has_empty_cells(search: Search, column: Column) -> bool:
    """Return whether a column has empty cells in rows that its file has."""
    empty = column.distinct.codes < 0
    mark = next((name for name, (role, _) in search.roles.items() if role == "join"), None)
    if mark is not None:
        sides = search.columns[mark].distinct
        empty = empty & np.array([not side.endswith("only") for side in sides.values])[sides.codes]
    return bool(empty.any())


def _check_lists(truth: Column, partners: Sequence[Column], sets: SetEncoding, *, named: bool) -> None:
    """Refuse a truth of lists beside predictions that are none; named : whether a person named the prediction."""
    labels = list_labels(truth.distinct.values, sets)
    cells = [(c.sample.values, find_similar_encoding(c.sample.values, labels, sets)) for c in partners]
    lists = [any(read_members(cell, way) is not None for cell in values) for values, way in cells]
    lists.append(bool(find_flag_block(partners, labels)))
    if not any(lists) and (named or rank(partners[0].name, "raw") is None):
        raise DataError(
            f"Column {quote(truth.name)} holds lists and {quote(partners[0].name)} does not: both must be lists "
            "(multi-label) or both plain labels."
        )


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
    encoding = None if pred.is_free else find_set_encoding(pred.sample.values)
    if encoding is None or encoding.delimiter is None:
        return None
    known, cells = set(truth.sample.values), pred.sample.values
    parts = {part for cell in cells for part in split(cell, encoding.delimiter)}
    whole = sum(cell in known for cell in cells)
    return encoding if len(parts & known) >= len(parts) / 2 and whole < len(cells) else None


def find_prediction_flags(search: Search, labels: Sequence[str]) -> Pairs:
    """Return (column, label) pairs of 0/1 columns that are the predictions of a truth of sets; () without."""
    pairs = find_flag_block([c for c in search.open() if c.file != "labels"], labels)
    search.take_pairs(pairs, "prediction of", _FLAGS)
    return pairs


def with_sets(
    search: Search, settings: Settings, labels: Sequence[str], sets: SetEncoding, flags: Pairs = ()
) -> Settings:
    """Return settings of a task with several labels a row: how truth and prediction hold them.

    Parameters
    ----------
    labels : the labels of the truth. sets : how the truth holds them.
    flags : the 0/1 columns of the predictions, if there are such.
    """
    with_encoding = dataclasses.replace(settings, encoding=sets.encoding, delimiter=sets.delimiter)
    _warn_none_words(search, settings.truth, sets)
    if flags:
        return dataclasses.replace(with_encoding, pred_columns=flags, pred_encoding="multi_hot")
    if settings.pred is None:
        return with_encoding
    other = find_similar_encoding(search.columns[settings.pred].sample.values, labels, sets)
    _warn_none_words(search, settings.pred, other)
    if other == sets:
        return with_encoding
    search.notes.append(
        f"{quote(settings.truth)} holds its labels {describe_encoding(sets)}, {quote(settings.pred)} "
        f"{describe_encoding(other)}: both were read."
    )
    return dataclasses.replace(with_encoding, pred_encoding=other.encoding, pred_delimiter=other.delimiter)


def describe_encoding(sets: SetEncoding) -> str:
    """Say how cells hold several labels.

    >>> describe_encoding(SetEncoding("delimited", ";")), describe_encoding(SetEncoding("json", None))
    ("separated by ';'", 'as lists')
    """
    return "as lists" if sets.encoding == "json" else f"separated by {quote(sets.delimiter)}"


def _warn_none_words(search: Search, name: str | None, sets: SetEncoding) -> None:
    words = find_words_for_none(search.columns[name].sample.values, sets) if name is not None else ()
    if words:
        search.warnings.append(
            f"{list_items(words)} always stands alone in {quote(name)}: it counts as a label. If it means that there "
            "is none, leave these cells empty, or write []."
        )


def find_sets_beside_flags(search: Search) -> Settings | None:
    """Return settings without scores: the truth is 0/1 columns, the prediction a column of sets of the same labels.

    None where a file is not so. The sets are the prediction if they stand in the predictions file, or are named so.
    """
    given = search.given
    if given.truth is not None or given.raw is not None:
        return None
    for column in search.open():
        predicts = (
            column.name == given.pred or column.file == "predictions" or rank(column.name, "prediction") is not None
        )
        sets = find_set_encoding(column.sample.values) if predicts and not column.is_number else None
        if sets is None or column.file == "labels":
            continue
        labels = sorted({label for cell in column.sample.values for label in read_members(cell, sets) or ()})
        others = [c for c in search.open() if c.file != "predictions" and _may_be_truth(c)]
        pairs = find_flag_block(others, labels)
        if pairs:
            return _settings(search, column, sets, pairs)
    return None


def _may_be_truth(column: Column) -> bool:
    """Return whether a column is 0/1 and not named like an id or a score: a tree's probabilities are 0 and 1, too."""
    scored = any(says_score(reading.affix) for reading in parse_name(column.name))
    return column.is_flag and not scored and rank(column.name, "id") is None


def _settings(search: Search, pred: Column, sets: SetEncoding, pairs: Pairs) -> Settings:
    search.take(pred.name, "prediction", "sets of the labels that have 0/1 columns")
    search.take_pairs(pairs, "truth of", _FLAGS)
    _warn_none_words(search, pred.name, sets)
    return Settings(
        encoding="multi_hot",
        truth_columns=pairs,
        pred=pred.name,
        pred_encoding=sets.encoding,
        pred_delimiter=sets.delimiter,
    )
