"""The key of a join as a person writes it: which columns of two files name the same rows."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pyarrow as pa

from data.columns.column_names import near_miss
from data.errors import DataError
from text.quoting import list_items, quote

Pair = tuple[str, str]
"""(column of the predictions file, column of the labels file)."""

ROW_ORDER = "(row order)"
"""How a person writes that the files go side by side; an empty key means the same."""


def read_key(key: str, predictions: Sequence[str], labels: Sequence[str]) -> tuple[Pair, ...]:
    """The columns that a written key names; () = row order.

    A column of exactly that name wins; else `a,b` is two columns, `a=b` a column that the files call differently, and
    a JSON list of [predictions column, labels column] pairs whatever has commas in its name.

    >>> read_key("id,epoch=run", ["id", "epoch"], ["id", "run"]), read_key("", ["id"], ["id"])
    ((('id', 'id'), ('epoch', 'run')), ())
    """
    if key in predictions or key in labels:
        return ((key, key),)
    if key.strip() in ("", ROW_ORDER):
        return ()
    if key.lstrip().startswith("["):
        return _listed_pairs(key)
    parts = [part if part in predictions else part.strip() for part in key.split(",")]
    return tuple(dict.fromkeys(_pair(part, predictions, labels) for part in parts))


def _pair(part: str, predictions: Sequence[str], labels: Sequence[str]) -> Pair:
    if part not in predictions or part not in labels:
        for place in (m.start() for m in re.finditer("=", part)):
            one, two = part[:place].strip(), part[place + 1 :].strip()
            if one in predictions and two in labels:
                return one, two
    return part, part


def _listed_pairs(key: str) -> tuple[Pair, ...]:
    try:
        pairs = json.loads(key)
        return tuple((str(one), str(two)) for one, two in pairs)
    except (ValueError, TypeError, RecursionError):
        raise DataError(
            f"The key {quote(key)} starts like a JSON list but is no list of pairs; name columns, such as id,epoch."
        ) from None


def written_key(pairs: Sequence[Pair], predictions: Sequence[str], labels: Sequence[str]) -> str:
    """The text that `read_key` reads as these pairs; `ROW_ORDER` for none.

    >>> written_key([("id", "id"), ("a,b", "c")], ["id", "a,b"], ["id", "c"])
    '[["id", "id"], ["a,b", "c"]]'
    """
    if not pairs:
        return ROW_ORDER
    text = ",".join(one if one == two else f"{one}={two}" for one, two in pairs)
    try:
        plain = read_key(text, predictions, labels) == tuple(pairs)
    except DataError:
        plain = False
    return text if plain else json.dumps([list(pair) for pair in pairs])


def check_pairs(predictions: pa.Table, labels: pa.Table, pairs: Sequence[Pair]) -> None:
    """DataError if one of the files lacks its column of a key."""
    for place, (table, what) in enumerate(((predictions, "predictions"), (labels, "labels"))):
        for name in (pair[place] for pair in pairs):
            if name not in table.column_names:
                near = near_miss(name, table.column_names)
                hint = f" Did you mean {quote(near)}?" if near else ""
                raise DataError(
                    f"The {what} file has no column {quote(name)} to join on; it has "
                    f"{list_items(table.column_names, 6, 24)}.{hint}"
                )
