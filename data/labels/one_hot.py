"""Read 0/1 columns with one 1 in each row as a column of labels: so Keras and pandas write one label a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import FLAGS, Column, sums_to
from data.columns.name_ranks import rank
from data.columns.plain_names import free_name
from data.columns.written_numbers import is_number
from data.labels.flag_columns import MultiHot, Pairs, find_multi_hot, find_ones
from text.quoting import list_items, quote

_FEWEST_ROWS = 10
"""In fewer rows of several labels each may have one by chance."""
_DEFAULT_NAMES = {"truth": "true label", "prediction": "predicted label"}


def read_one_hot(table: pa.Table, truth: str | None = None, *, is_single: bool = False) -> tuple[pa.Table, list[str]]:
    """Write 0/1 columns of one true label a row into one column of labels, and those of predictions; say so.

    The other side has to say the same: predictions of one label a row, or scores that add up to 1 in each row.

    truth : the column of the true labels, where it is known.
    is_single : a person said that a row has one label: scores need not add up.

    >>> flags = {"true_a": [1, 0] * 5, "true_b": [0, 1] * 5}
    >>> table, notes = read_one_hot(pa.table({**flags, "p_a": [0.9, 0.4] * 5, "p_b": [0.1, 0.6] * 5}))
    >>> table.column_names, table.column("true")[:2].to_pylist()
    (['true', 'p_a', 'p_b'], ['a', 'b'])
    """
    if table.num_rows < _FEWEST_ROWS or truth in table.column_names:
        return table, []
    columns = {name: Column(table, name) for name in _list_numbers(table)}
    hot = find_multi_hot([*columns.values()])
    if hot is None or _has_other_truth(table, hot):
        return table, []
    true_codes = find_ones([columns[name] for name, _ in hot.truth])
    pred_codes = find_ones([columns[name] for name, _ in hot.pred]) if hot.pred else None
    if hot.pred:
        others_agree = pred_codes is not None
    else:
        others_agree = is_single or sums_to([columns[name] for name, _ in hot.scores], 1)
    if true_codes is None or not others_agree:
        return table, []
    table, note = _with_labels(table, hot.truth, true_codes, "truth")
    notes = [note]
    if pred_codes is not None:
        table, note = _with_labels(table, hot.pred, pred_codes, "prediction")
        notes.append(note)
    return table, [*notes, "If a row may have several labels, say so under Change on Open (--task multilabel)."]


def _list_numbers(table: pa.Table) -> list[str]:
    """Return the columns that begin with a number or a truth value: others are neither 0/1 columns nor scores."""
    first = table.slice(0, 1).to_pylist()[0]
    return [name for name, cell in first.items() if str(cell).casefold() in FLAGS or is_number(str(cell))]


def _has_other_truth(table: pa.Table, hot: MultiHot) -> bool:
    """Return whether a column that is none of the flags is named like the truth."""
    flags = {name for name, _ in hot.truth}
    return any(rank(name, "truth") is not None for name in table.column_names if name not in flags)


def _with_labels(table: pa.Table, pairs: Pairs, codes: np.ndarray, role: str) -> tuple[pa.Table, str]:
    """Return the table with one column of labels in the place of the first 0/1 column, and a sentence on it."""
    flags = [name for name, _ in pairs]
    others = [name for name in table.column_names if name not in flags]
    place = min(map(table.column_names.index, flags))
    name = free_name(_name_labels(pairs, role), others)
    labels = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array([label for _, label in pairs]))
    joined = table.select(others).add_column(place, name, labels)
    return joined, f"Each row has one 1 in {list_items(flags, 3)}: they are read as one column, {quote(name)}."


def _name_labels(pairs: Sequence[tuple[str, str]], role: str) -> str:
    """Return what the names of 0/1 columns share, where that names the role; else a name of our own."""
    shared = {name.replace(label, "", 1).strip("_-. ") for name, label in pairs}
    name = shared.pop()
    return name if not shared and rank(name, role) is not None else _DEFAULT_NAMES[role]
