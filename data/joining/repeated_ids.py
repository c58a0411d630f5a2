"""Decide which rows count where two joined files, or lines of id and label, repeat an id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.role_names import BESIDE_IDS, REPEAT_COLUMNS, fold
from data.columns.table_metadata import ALL, EQUAL, FIRST
from data.errors import DataError
from data.evaluation import LeftOut
from data.joining.key_matching import Match, find_differing_rows, find_repeated_rows
from text.numbers import count, verb
from text.quoting import list_items

SHOWN = 20
"""So many ids that were left out are named in a sentence; all of them stand in `Receipt.left_out`."""
_APART = frozenset([*BESIDE_IDS, *map(fold, REPEAT_COLUMNS)])
"""Columns, such as an epoch, that tell rows of one id apart."""


class Settled(NamedTuple):
    """The rows of two files that stay, bool (n,) and (m,); the ids that were left out; sentences about it."""

    predictions: np.ndarray
    labels: np.ndarray
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]

    @property
    def stays(self) -> bool:
        """Return whether every row stays."""
        return bool(self.predictions.all() and self.labels.all())


def settle_repeats(predictions: pa.Table, labels: pa.Table, matched: Match, repeated: str) -> Settled:
    """Say which rows of two files count, where their key repeats.

    With "equal", rows of the predictions that repeat another in every cell count once. An id whose rows differ in
    either file is left out. Rows of the predictions that an epoch or the like tells apart are no repeats. Labels that
    repeat another in every cell are left to the join, which takes the first.

    Parameters
    ----------
    repeated : one of `REPEATED`.

    >>> from data.joining.key_matching import match
    >>> tables = pa.table({"id": ["a", "b", "b"], "p": [1, 2, 3]}), pa.table({"id": ["a", "b"], "y": [1, 2]})
    >>> settled = settle_repeats(*tables, match(*tables, [("id", "id")]), "equal")
    >>> settled.predictions.tolist(), settled.labels.tolist(), settled.left_out
    ([True, False, False], [True, False], (LeftOut(id='b', predictions=(2, 3), labels=(2,)),))
    """
    if repeated == ALL:
        return Settled(np.ones(len(predictions), dtype=bool), np.ones(len(labels), dtype=bool), (), ())
    prediction_codes = _key_with_parts(predictions, matched)
    if repeated != EQUAL:
        one_each = _keep_one_each(prediction_codes, repeated), _keep_one_each(matched.right_codes, repeated)
        return Settled(*one_each, (), _describe_one(one_each, repeated))
    # The number of a row is no difference.
    left_ignored = {left_name for left_name, _ in matched.pairs} | {"index"}
    right_ignored = {right_name for _, right_name in matched.pairs} | {"index"}
    differing_predictions = find_differing_rows(predictions, prediction_codes, left_ignored)
    differing_labels = find_differing_rows(labels, matched.right_codes, right_ignored)
    codes = np.unique(
        np.concatenate([matched.left_codes[differing_predictions], matched.right_codes[differing_labels]])
    )
    is_differing = np.isin(matched.left_codes, codes)
    is_first = _keep_one_each(prediction_codes, FIRST)
    n_once = int((~is_first & ~is_differing).sum())
    return Settled(
        is_first & ~is_differing,
        ~np.isin(matched.right_codes, codes),
        _list_left_out(matched, codes),
        _describe_equal(n_once),
    )


def _key_with_parts(predictions: pa.Table, matched: Match) -> np.ndarray:
    """Return the key of every row, and what tells rows of one id apart, as int64 (n,); -1 without a key."""
    codes, keys = matched.left_codes, {left_name for left_name, _ in matched.pairs}
    for name in predictions.column_names:
        if name not in keys and fold(name) in _APART:
            encoded = predictions.column(name).cast(pa.string()).combine_chunks().dictionary_encode()
            part = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
            both = codes * (len(encoded.dictionary) + 1) + part
            codes = np.where(codes < 0, -1, np.unique(both, return_inverse=True)[1])
    return codes


def _keep_one_each(codes: np.ndarray, which: str) -> np.ndarray:
    """Return the first or the last row of every code, and every row without one; bool (n,)."""
    if which != FIRST:  # the last row is the first of the other direction
        return _keep_one_each(codes[::-1], FIRST)[::-1]
    stays = np.ones(len(codes), dtype=bool)
    stays[find_repeated_rows(codes)[0]] = False
    return stays


def _list_left_out(matched: Match, codes: np.ndarray) -> tuple[LeftOut, ...]:
    """Return the ids of some codes, in the order in which the predictions, then the labels, have them first."""
    rows: dict[int, tuple[list[int], list[int]]] = {}
    for place, key_codes in enumerate((matched.left_codes, matched.right_codes)):
        for row in np.flatnonzero(np.isin(key_codes, codes)).tolist():
            rows.setdefault(int(key_codes[row]), ([], []))[place].append(row)
    left_out = []
    for predictions, labels in rows.values():
        key = matched.text("left", predictions[0]) if predictions else matched.text("right", labels[0])
        left_out.append(LeftOut(key, tuple(row + 1 for row in predictions), tuple(row + 1 for row in labels)))
    return tuple(left_out)


def describe_left_out(left_out: Sequence[LeftOut]) -> str:
    """Say how many ids were left out, and name the first of them.

    >>> describe_left_out([LeftOut("b", (2, 3))])
    "1 id is left out, because its rows repeat it and differ: 'b'. Its 2 rows of the predictions do not count. Count \
the first, the last or all rows of a repeated id instead (--repeated)."
    """
    are, their, them = ("is", "its", "it") if len(left_out) == 1 else ("are", "their", "them")
    n_predictions = sum(len(item.predictions) for item in left_out)
    n_labels = sum(len(item.labels) for item in left_out)
    ids = list_items([item.id for item in left_out], SHOWN, 24)
    return (
        f"{count(len(left_out), 'id')} {are} left out, because {their} rows repeat {them} and differ: {ids}. "
        f"{their.capitalize()} {_name_uncounted(n_predictions, n_labels)} not count. "
        "Count the first, the last or all rows of a repeated id instead (--repeated)."
    )


def _name_uncounted(n_predictions: int, n_labels: int) -> str:
    """Return the rows of either file that do not count, with the verb; "" without any."""
    rows = {"predictions": n_predictions, "labels": n_labels}
    which = " and ".join(f"{count(n, 'row')} of the {side}" for side, n in rows.items() if n)
    return f"{which} {verb(n_predictions + n_labels, 'does')}" if which else ""


def _describe_equal(n: int) -> tuple[str, ...]:
    if not n:
        return ()
    same = "repeats an earlier row in every cell and does" if n == 1 else "repeat an earlier row in every cell and do"
    return (f"{count(n, 'row')} of the predictions {same} not count again.",)


def _describe_one(stays: Sequence[np.ndarray], which: str) -> tuple[str, ...]:
    """Say how many rows another row of their id was taken for."""
    predictions, labels = stays
    uncounted = _name_uncounted(int((~predictions).sum()), int((~labels).sum()))
    if not uncounted:
        return ()
    return (f"Only the {which} row of a repeated id counts, as you chose: {uncounted} not count.",)


def nothing_left_error(matched: Match, left_out: Sequence[LeftOut]) -> DataError:
    """Return the error for files in which every shared id repeats with different rows."""
    keys = list_items(dict.fromkeys(column for pair in matched.pairs for column in pair))
    return DataError(
        f"Every id that both files share in {keys} repeats with different rows: "
        f"{list_items([item.id for item in left_out], 3, 24)}. Choose which rows count: the first, the last or all "
        "(--repeated), or join on columns that name each row once."
    )
