"""Match the rows of two files on columns: by value, by file name, or in another spelling."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import find_first_rows
from data.columns.encoding import encode
from data.columns.name_ranks import list_columns
from data.engines.numbers import write_numbers
from data.errors import DataError
from data.joining.near_keys import SPELLINGS, has_file_names, respell, stems
from text.quoting import list_items, quote

Pair = tuple[str, str]
"""(column of the predictions file, column of the labels file)."""

FILES = ("the predictions", "the labels")
"""The two files, where their names are not known."""
ROW_ORDER = "(row order)"
"""The text by which a person joins files by row order; an empty key means the same."""


def read_key(key: str, predictions: Sequence[str], labels: Sequence[str]) -> tuple[Pair, ...]:
    """Return the columns that a written key names; () = row order.

    A column of exactly that name wins; else `a,b` is two columns, `a=b` a column that the files call differently. A
    JSON list of [predictions column, labels column] pairs whatever has commas in its name.

    >>> read_key("id,epoch=run", ["id", "epoch"], ["id", "run"]), read_key("", ["id"], ["id"])
    ((('id', 'id'), ('epoch', 'run')), ())
    """
    if key in predictions or key in labels:
        return ((key, key),)
    if key.strip() in ("", ROW_ORDER):
        return ()
    if key.lstrip().startswith("["):
        return _read_listed_pairs(key)
    parts = [part if part in predictions else part.strip() for part in key.split(",")]
    return tuple(dict.fromkeys(_read_pair(part, predictions, labels) for part in parts))


def _read_pair(part: str, predictions: Sequence[str], labels: Sequence[str]) -> Pair:
    if part not in predictions or part not in labels:
        for place in (m.start() for m in re.finditer("=", part)):
            left_name, right_name = part[:place].strip(), part[place + 1 :].strip()
            if left_name in predictions and right_name in labels:
                return left_name, right_name
    return part, part


def _read_listed_pairs(key: str) -> tuple[Pair, ...]:
    try:
        pairs = json.loads(key)
        return tuple((str(left_name), str(right_name)) for left_name, right_name in pairs)
    except (ValueError, TypeError, RecursionError):
        raise DataError(
            f"The key {quote(key)} starts like a JSON list but is no list of pairs; name columns, such as id,epoch."
        ) from None


def write_key(pairs: Sequence[Pair], predictions: Sequence[str], labels: Sequence[str]) -> str:
    """Return the text that `read_key` reads as these pairs; `ROW_ORDER` for none.

    >>> write_key([("id", "id"), ("a,b", "c")], ["id", "a,b"], ["id", "c"])
    '[["id", "id"], ["a,b", "c"]]'
    """
    if not pairs:
        return ROW_ORDER
    text = ",".join(
        left_name if left_name == right_name else f"{left_name}={right_name}" for left_name, right_name in pairs
    )
    try:
        plain = read_key(text, predictions, labels) == tuple(pairs)
    except DataError:
        plain = False
    return text if plain else json.dumps([list(pair) for pair in pairs])


def check_pairs(predictions: pa.Table, labels: pa.Table, pairs: Sequence[Pair]) -> None:
    """Raise DataError if one of the files lacks its column of a key."""
    for place, (table, what) in enumerate(((predictions, "predictions"), (labels, "labels"))):
        for name in (pair[place] for pair in pairs):
            if name not in table.column_names:
                columns = list_columns(table.column_names, name)
                raise DataError(f"The {what} file has no column {quote(name)} to join on; it has {columns}")


_WHOLE = r"^-?[0-9]+\.0+$"


@dataclass(frozen=True)
class Match:
    """The match of the rows of two files on `pairs`.

    left, right : the values as compared, one text array a key column.
    left_codes, right_codes : int64 (n,), (m,), equal where the whole key is equal, -1 where a part is empty.
    ignored : the difference in spelling that was ignored; "" = none.
    files : the names of the two files, as they are shown.
    """

    pairs: tuple[Pair, ...]
    how: Literal["key", "file stem", "spelling"]
    left: tuple[pa.Array, ...]
    right: tuple[pa.Array, ...]
    left_codes: np.ndarray
    right_codes: np.ndarray
    ignored: str = ""
    files: tuple[str, str] = FILES

    @cached_property
    def left_counts(self) -> np.ndarray:
        """Count the rows of the predictions with every key, int64 (n_keys,)."""
        return _count_codes(self.left_codes, self._n_keys)

    @cached_property
    def right_counts(self) -> np.ndarray:
        """Count the rows of the labels with every key, int64 (n_keys,)."""
        return _count_codes(self.right_codes, self._n_keys)

    @property
    def _n_keys(self) -> int:
        return 1 + max(int(self.left_codes.max(initial=-1)), int(self.right_codes.max(initial=-1)))

    @property
    def n_shared(self) -> int:
        """Count the different keys that both files have."""
        return int(((self.left_counts > 0) & (self.right_counts > 0)).sum())

    @property
    def shares_half(self) -> bool:
        """Return whether half of the keys of the smaller file occur in the other."""
        return self.n_shared > 0 and 2 * self.n_shared >= self.n_fewest

    @property
    def n_fewest(self) -> int:
        """Count the different keys of the file that has fewer."""
        return min(int((self.left_counts > 0).sum()), int((self.right_counts > 0).sum()))

    def text(self, side: Literal["left", "right"], row: int) -> str:
        """Return the key of a row as it is shown; several parts with a comma between them."""
        return ", ".join(str(part[row].as_py()) for part in getattr(self, side))


def _count_codes(codes: np.ndarray, n_keys: int) -> np.ndarray:
    return np.bincount(codes[codes >= 0], minlength=n_keys)


def count_repeats(counts: np.ndarray) -> int:
    """Count the keys that occur more than once."""
    return int((counts > 1).sum())


def match(predictions: pa.Table, labels: pa.Table, pairs: Sequence[Pair], *, respelled: bool = False) -> Match:
    """Match the rows on some columns: by their values, or by file name where these hardly meet.

    respelled : whether another spelling is tried then, too.

    >>> match(pa.table({"id": ["a", "b"]}), pa.table({"id": ["b"]}), [("id", "id")]).n_shared
    1
    """
    left = tuple(read_key_texts(predictions, left_name) for left_name, _ in pairs)
    right = tuple(read_key_texts(labels, right_name) for _, right_name in pairs)
    left_codes, right_codes = encode_keys([left, right])
    exact = Match(tuple(pairs), "key", left, right, left_codes, right_codes)
    if exact.shares_half or len(pairs) > 1:
        return exact
    return _by_stem(exact) or (_by_spelling(exact) if respelled else None) or exact


def read_key_texts(table: pa.Table, name: str) -> pa.Array:
    """Return a key column as plain text, so that 7, 7.0 and "7" meet."""
    column = table.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    column = write_numbers(column) if pa.types.is_floating(column.type) else column.cast(pa.string())
    if pc.all(pc.match_substring_regex(column, _WHOLE), min_count=1).as_py():  # one empty cell makes 7 a 7.0
        column = pc.replace_substring_regex(column, r"\.0+$", "")
    array = column.combine_chunks()
    return array if isinstance(array, pa.Array) else pa.concat_arrays(array.chunks or [pa.array([], pa.string())])


def choose_key_column(pair: Sequence[str], names: Sequence[str], called: str) -> str:
    """Return the first column of a pair that is among the columns of a file, which a DataError names as `called`."""
    for column in pair:
        if column in names:
            return column
    raise DataError(f"{called} has no column {quote(pair[0])} to join on; it has {list_items(names, 6, 24)}.")


def encode_keys(sides: Sequence[Sequence[pa.Array]]) -> list[np.ndarray]:
    """Return equal keys as equal numbers, int64 (n,) for every side, -1 where a part of the key is empty.

    sides : the texts of every part of the key.

    >>> [codes.tolist() for codes in encode_keys([[pa.array(["a", "b"])], [pa.array(["b", None])]])]
    [[0, 1], [1, -1]]
    """
    ends = np.cumsum([len(parts[0]) for parts in sides])
    codes = np.zeros(ends[-1], dtype=np.int64)
    for cells in zip(*sides, strict=True):
        encoded = pa.concat_arrays(cells).dictionary_encode()
        part = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        codes = np.where((codes < 0) | (part < 0), -1, codes * max(1, len(encoded.dictionary)) + part)
        if len(sides[0]) > 1:  # keeps the numbers small, however many columns follow
            empty = codes < 0
            codes = np.unique(codes, return_inverse=True)[1] - int(empty.any())
    return np.split(codes, ends[:-1])


def _by_stem(exact: Match) -> Match | None:
    """Match `dir/clip_01.wav` with `clip_01`, if names of files tell the rows apart and half of them meet."""
    if not any(has_file_names(values[0]) for values in (exact.left, exact.right)):
        return None
    forms = [
        (stems(exact.left[0], ending=ending), stems(exact.right[0], ending=right_ending))
        for ending in (True, False)
        for right_ending in (True, False)
    ]
    return _match_forms(exact, forms, "file stem")


def _by_spelling(exact: Match) -> Match | None:
    """Match `007` with `7` or `A1` with `a1`, if one such difference keeps the rows apart and half of them meet."""
    for spelling in SPELLINGS:
        form = respell(exact.left[0], spelling), respell(exact.right[0], spelling)
        matched = _match_forms(exact, [form], "spelling")
        if matched is not None:
            return dataclasses.replace(matched, ignored=spelling.name)
    return None


def _match_forms(
    exact: Match, forms: Sequence[tuple[pa.Array, pa.Array]], how: Literal["file stem", "spelling"]
) -> Match | None:
    """Return the match of the form in which most keys meet, of those that make no two keys equal."""
    matches = []
    for left, right in forms:
        left_codes, right_codes = encode_keys([(left,), (right,)])
        near = Match(exact.pairs, how, (left,), (right,), left_codes, right_codes)
        kept = [(near.left_counts, exact.left_counts), (near.right_counts, exact.right_counts)]
        if near.shares_half and all((a > 0).sum() == (b > 0).sum() for a, b in kept):
            matches.append(near)
    return max(matches, key=lambda near: near.n_shared, default=None)


def find_differing_repeats(labels: pa.Table, matched: Match) -> np.ndarray:
    """Return rows of the labels that repeat the key of an earlier row, but not all of its cells, int64."""
    return find_differing_rows(labels, matched.right_codes, {right_name for _, right_name in matched.pairs})


def find_differing_rows(table: pa.Table, codes: np.ndarray, ignored: Collection[str]) -> np.ndarray:
    """Return rows that have the code of an earlier row, but not all of its cells, int64; -1 is no code.

    ignored : columns that may differ.
    """
    again, first = find_repeated_rows(codes)
    differs = np.zeros(len(again), dtype=bool)
    for name in table.column_names:
        if len(again) and name not in ignored:
            values = encode(table.column(name)).indices.fill_null(-1).to_numpy(zero_copy_only=False)
            differs |= values[again] != values[first]
    return again[differs]


def find_repeated_rows(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose key an earlier row had, in order, and the first row of that key, int64 each."""
    first = find_first_rows(codes, int(codes.max(initial=-1)) + 1)
    again = np.flatnonzero((codes >= 0) & (first[codes] != np.arange(len(codes))))
    return again, first[codes[again]]
