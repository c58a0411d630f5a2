"""Find which axis of a confusion matrix holds the true labels, by the words in its corner and above its header."""

from __future__ import annotations

import re
from typing import Literal

import pyarrow as pa

from data.columns.name_ranks import VAGUE, rank
from data.columns.plain_names import remove_accents
from data.columns.role_names import PREDICTION_WORDS, TRUTH_WORDS

Side = Literal["truth", "prediction"]

_MORE_TRUTH = "trues truths actuals reference references observed obs real expectation targets ytrue ytest annotated"
_MORE_PREDICTION = (
    "predictions predict predicts ypred yhat estimate estimated estimates classified assigned output outputs model "
    "models classifier system response forecast"
)
_SIDES: dict[str, Side] = dict.fromkeys(
    [*map(remove_accents, PREDICTION_WORDS), *_MORE_PREDICTION.split()], "prediction"
)
_SIDES |= dict.fromkeys([*map(remove_accents, TRUTH_WORDS), *_MORE_TRUTH.split()], "truth")
_OTHER: dict[Side, Side] = {"truth": "prediction", "prediction": "truth"}
_WORD = re.compile(r"[^\W\d_]+")
_OF_COLUMNS = re.compile(r"→|⇒|>|\b(columns?|cols?|across|horizontal)\b")
_OF_ROWS = re.compile(r"↓|⇓|\b(rows?|down|vertical)\b")


def read_rows_side(corner: str) -> Side | None:
    r"""Return the labels that the rows of a matrix are of, by the words in its corner; None where nothing says it.

    Of two words, the first is about the rows; one alone is, too.

    >>> read_rows_side("Prediction\\Reference"), read_rows_side("actual"), read_rows_side("")
    ('prediction', 'truth', None)
    >>> read_rows_side("Actual (columns) / Predicted (rows)")
    'prediction'
    """
    text = remove_accents(corner).casefold()
    places = [(word.start(), _SIDES[word[0]]) for word in _WORD.finditer(text) if word[0] in _SIDES]
    sides = list(dict.fromkeys(side for _, side in places))
    if not sides:
        return _side_of_name(corner)
    first = sides[0]
    if len(sides) > 1:
        border = next(place for place, side in places if side != first)
        mine, theirs = text[:border], text[border:]
    else:
        mine, theirs = text, ""
    across = _OF_COLUMNS.search(mine) or _OF_ROWS.search(theirs)
    return _OTHER[first] if across and not _OF_ROWS.search(mine) else first


def _side_of_name(name: str) -> Side | None:
    """Return what a whole name is of: `label` is a truth, `Klasse` too."""
    ranks = {side: rank(name.strip(" :.*"), side) for side in ("truth", "prediction")}
    known: dict[Side, int] = {side: place for side, place in ranks.items() if place is not None and place < VAGUE}  # type: ignore[misc]
    return "truth" if "truth" in known else "prediction" if known else None


def name_corner(table: pa.Table, above: str) -> pa.Table:
    r"""Put the words that stand above a matrix, or in a line of their own below its header, into its corner.

    Pandas prints the name of the columns in the corner, and that of the rows below it.

    >>> table = pa.table({"Predicted": ["Actual", "a", "b"], "a": [None, "5", "1"], "b": [None, "2", "7"]})
    >>> name_corner(table, "").column_names[0]
    'Actual \\ Predicted'
    """
    if table.num_columns < 3 or table.num_rows < 2:
        return table
    corner, *names = table.column_names
    below = _read_line_of_name(table)
    columns, table = (above, table) if below is None else (corner, table.slice(1))
    rows = below or ("" if corner.startswith("column ") else corner)
    side = read_rows_side(columns)
    if side is None or read_rows_side(rows) == side:
        return table
    lines = {str(value).strip() for value in table.column(0).to_pylist()}
    if len(lines.difference(name.strip() for name in names)) > 1:  # one may add up the others
        return table
    if read_rows_side(rows) is None:
        rows = "actual" if side == "prediction" else "predicted"
    return table.rename_columns([f"{rows} \\ {columns.strip(' ,;|')}", *names])


def _read_line_of_name(table: pa.Table) -> str | None:
    """Return the name of the rows, where it stands alone in the line below the header; None without one."""
    first, *others = (column[0].as_py() for column in table.columns)
    alone = isinstance(first, str) and all(value is None for value in others)
    return first if alone and read_rows_side(first) and read_rows_side(table.column_names[0]) else None
