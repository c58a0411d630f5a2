"""Predictions and labels from two files, brought together on a key or by row order. No row is dropped."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.evaluation import DataError, JoinReport
from data.names import ID, LABELS_SUFFIX, PREDICTIONS_SUFFIX, fold, near_miss, rank
from data.wording import briefly, counted, listed, quoted

FOUND_IN = "found in"
_METADATA = {b"role": b"found in"}
_SURE_IDS = ID.index("key")  # a file, a path or a name may differ between two files of the same rows
_WHOLE = r"^-?[0-9]+\.0+$"


def join(
    predictions: pa.Table, labels: pa.Table, *, key: str | tuple[str, str] | None = None
) -> tuple[pa.Table, JoinReport]:
    """Put the labels beside the predictions.

    On `key` (a column of both, or the pair of their names), else on a column that is found by name and values
    (unique in both files, half of the smaller file's values shared), else by row order if the lengths agree.
    It is an outer join: a row of only one file stays, with nothing on the other side, and the column
    "found in" says so. Columns of the same name get " (predictions)" and " (labels)".

    Raises
    ------
    DataError
        lengths differ and there is no key; a key that is not there, repeats, or shares no value.

    >>> table, report = join(pa.table({"id": ["a", "b"], "p": [1, 0]}), pa.table({"id": ["b", "a"], "y": [0, 1]}))
    >>> table.column_names, table.column("y").to_pylist(), report.n_matched
    (['id', 'p', 'y'], [1, 0], 2)
    """
    pair = _named_key(predictions, labels, key) if key is not None else _found_key(predictions, labels)
    if pair is None:
        return _by_row_order(predictions, labels)
    return _on_key(predictions, labels, pair, given=key is not None)


def _named_key(predictions: pa.Table, labels: pa.Table, key: str | tuple[str, str]) -> tuple[str, str]:
    pair = (key, key) if isinstance(key, str) else key
    for table, name, what in ((predictions, pair[0], "predictions"), (labels, pair[1], "labels")):
        if name not in table.column_names:
            near = near_miss(name, table.column_names)
            hint = f" Did you mean {quoted(near)}?" if near else ""
            raise DataError(
                f"The {what} file has no column {quoted(name)} to join on; it has "
                f"{listed(table.column_names, 6, 24)}.{hint}"
            )
    return pair


def _found_key(predictions: pa.Table, labels: pa.Table) -> tuple[str, str] | None:
    for pair in _candidates(predictions, labels):
        left, right = _keys(predictions, pair[0]), _keys(labels, pair[1])
        if _repeated(left) is None and _repeated(right) is None:
            shared = pc.sum(pc.is_in(left, value_set=right, skip_nulls=True)).as_py() or 0
            if shared and shared >= min(len(left), len(right)) / 2:
                return pair
    return None


def _candidates(predictions: pa.Table, labels: pa.Table) -> list[tuple[str, str]]:
    """Pairs of columns that could identify a row: id-like names first, then texts of the same name."""
    same = _same_names(predictions, labels)
    ids = [pair for pair in same if rank(pair[0], "id") is not None]
    ids.sort(key=lambda pair: rank(pair[0], "id") or 0)
    left = [name for name in predictions.column_names if rank(name, "id") is not None]
    right = [name for name in labels.column_names if rank(name, "id") is not None]
    others = [(a, b) for a in left for b in right if (a, b) not in ids]
    texts = [pair for pair in same if pair not in ids and _is_text(predictions, pair[0]) and _is_text(labels, pair[1])]
    return [*ids, *others, *texts]


def _same_names(predictions: pa.Table, labels: pa.Table) -> list[tuple[str, str]]:
    """Columns of both files with the same name, as names are compared."""
    folded = {fold(name): name for name in reversed(labels.column_names)}
    return [(name, folded[fold(name)]) for name in predictions.column_names if fold(name) in folded]


def _is_text(table: pa.Table, name: str) -> bool:
    kind = table.schema.field(name).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _keys(table: pa.Table, name: str) -> pa.Array:
    """A key column as plain text, so that 7, 7.0 and "7" meet."""
    column = table.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    column = column.cast(pa.string())
    if pc.all(pc.match_substring_regex(column, _WHOLE), min_count=1).as_py():  # one empty cell makes 7 a 7.0
        column = pc.replace_substring_regex(column, r"\.0+$", "")
    array = column.combine_chunks()
    return array if isinstance(array, pa.Array) else pa.concat_arrays(array.chunks or [pa.array([], pa.string())])


def _repeated(keys: pa.Array) -> tuple[str, int] | None:
    """A key that occurs twice, and how often; None if every key is unique."""
    encoded = keys.dictionary_encode()
    if len(encoded.dictionary) + keys.null_count == len(keys):
        return None
    counts = np.bincount(encoded.indices.drop_null().to_numpy(), minlength=1)
    code = int(np.argmax(counts > 1))
    return str(encoded.dictionary[code].as_py()), int(counts[code])


def _on_key(
    predictions: pa.Table, labels: pa.Table, pair: tuple[str, str], *, given: bool
) -> tuple[pa.Table, JoinReport]:
    left, right = _keys(predictions, pair[0]), _keys(labels, pair[1])
    for keys, name, what in ((left, pair[0], "predictions"), (right, pair[1], "labels")):
        if given and (again := _repeated(keys)) is not None:
            raise DataError(
                f"The key {quoted(name)} is not unique in the {what} file: {quoted(again[0])} occurs {again[1]:,} "
                "times; join on a column that names each row once, or remove the repeated rows."
            )
    place = pc.index_in(left, value_set=right, skip_nulls=True)
    if given and place.null_count == len(place):
        raise DataError(
            f"The files share no value of the key {quoted(pair[0])} / {quoted(pair[1])}: the predictions have "
            f"{briefly(left.slice(0, 2).to_pylist())}, the labels {briefly(right.slice(0, 2).to_pylist())}; "
            "choose another key."
        )
    free = np.ones(len(right), dtype=bool)
    free[place.drop_null().to_numpy()] = False
    only_labels = np.flatnonzero(free)
    report = _key_report(left, right, pair, np.asarray(place.is_null()), only_labels)
    return _assemble(predictions, labels, pair, place, only_labels), report


def _assemble(
    predictions: pa.Table, labels: pa.Table, pair: tuple[str, str], place: pa.Array, only_labels: np.ndarray
) -> pa.Table:
    """Predictions in their order, each with its label row; then the label rows without a prediction."""
    n, more = len(predictions), len(only_labels)
    right = labels.take(pa.concat_arrays([place.cast(pa.int64()), pa.array(only_labels, pa.int64())]))
    left = predictions
    if more:
        left = predictions.take(pa.concat_arrays([pa.array(np.arange(n)), pa.nulls(more, pa.int64())]))
        keys = pc.coalesce(_keys(left, pair[0]), _keys(right, pair[1]))
        left = left.set_column(left.column_names.index(pair[0]), pair[0], pa.chunked_array([keys]))
    table = _side_by_side(left, right.drop_columns([pair[1]]))
    if more or place.null_count:
        where = np.where(np.asarray(place.is_null()), 1, 0).astype(np.int32)
        codes = pa.array(np.concatenate([where, np.full(more, 2, dtype=np.int32)]))
        words = pa.array(["both files", "predictions only", "labels only"])
        name = FOUND_IN if FOUND_IN not in table.column_names else FOUND_IN + " (join)"
        column = pa.DictionaryArray.from_arrays(codes, words)
        table = table.append_column(pa.field(name, column.type, metadata=_METADATA), column)
    return table


def _side_by_side(left: pa.Table, right: pa.Table) -> pa.Table:
    """All columns of both; each field remembers which file it came from."""
    both = set(left.column_names) & set(right.column_names)
    fields: dict[str, pa.Field] = {}
    columns = []
    for table, suffix, file in ((left, PREDICTIONS_SUFFIX, b"predictions"), (right, LABELS_SUFFIX, b"labels")):
        for name, column in zip(table.column_names, table.columns, strict=True):
            unique = name + suffix if name in both else name
            while unique in fields:
                unique += suffix
            fields[unique] = pa.field(unique, column.type, metadata={b"file": file})
            columns.append(column)
    return pa.table(columns, schema=pa.schema(list(fields.values())))


def _key_report(
    left: pa.Array, right: pa.Array, pair: tuple[str, str], unmatched: np.ndarray, only_labels: np.ndarray
) -> JoinReport:
    lost = np.flatnonzero(unmatched)
    alone = [tuple(str(keys[int(i)].as_py()) for i in rows[:3]) for keys, rows in ((left, lost), (right, only_labels))]
    matched = len(left) - len(lost)
    name = quoted(pair[0]) if pair[0] == pair[1] else f"{quoted(pair[0])} = {quoted(pair[1])}"
    text = f"The two files were joined on {name}: {counted(matched, 'row')} matched"
    for rows, examples, sides in (
        (lost, alone[0], ("predictions", "label")),
        (only_labels, alone[1], ("labels", "prediction")),
    ):
        if len(rows):
            text += f"; {counted(len(rows), 'row')} of the {sides[0]} ({listed(examples)}) without a {sides[1]}"
    return JoinReport("key", pair, matched, len(lost), len(only_labels), alone[0], alone[1], text + ".")


def _by_row_order(predictions: pa.Table, labels: pa.Table) -> tuple[pa.Table, JoinReport]:
    n, m = len(predictions), len(labels)
    if n != m:
        raise DataError(
            f"The predictions file has {counted(n, 'row')} and the labels file {counted(m, 'row')}, and no column "
            "that names the rows of both was found: name the column to join on, or give files of the same "
            "length in the same order."
        )
    _check_same_ids(predictions, labels)
    ids = [name for table in (predictions, labels) for name in table.column_names if rank(name, "id") is not None]
    text = f"The two files were put side by side by row order ({counted(n, 'row')} each)."
    if ids:
        text += f" What looks like an id ({listed(dict.fromkeys(ids))}) is not unique and shared: check the order."
    return _side_by_side(predictions, labels), JoinReport("row order", None, n, 0, 0, text=text)


def _check_same_ids(predictions: pa.Table, labels: pa.Table) -> None:
    """Refuse row order where an id of both files says that the rows are not the same ones."""
    for left, right in _same_names(predictions, labels):
        if (rank(left, "id") or 0) >= _SURE_IDS or rank(left, "id") is None:
            continue
        ours, theirs = _keys(predictions, left), _keys(labels, right)
        differ = np.flatnonzero(pc.fill_null(pc.not_equal(ours, theirs), False).to_numpy(zero_copy_only=False))
        if len(differ):
            row = int(differ[0])
            raise DataError(
                f"The files cannot be put side by side by row order: {quoted(left)} of row {row + 1:,} is "
                f"{quoted(ours[row].as_py(), 24)} in the predictions and {quoted(theirs[row].as_py(), 24)} in the "
                "labels; give both files the same ids, each once, or leave the column out."
            )


def marks(table: pa.Table) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Rows that only one file had: (without a label, without a prediction), bool (n,) each, or (None, None)."""
    for field, column in zip(table.schema, table.columns, strict=True):
        if (field.metadata or {}).get(b"role") == _METADATA[b"role"]:
            texts = column.cast(pa.string())
            return tuple(pc.equal(texts, f"{side} only").to_numpy() for side in ("predictions", "labels"))
    return None, None
