"""Lists of numbers in one cell (a score per class, or 0/1 flags per label) as a column for every place."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.labels.cell_sets import parse_list
from data.limits import MAX_LIST_LENGTH, MAX_LISTED_LABELS, MAX_LISTED_NUMBERS
from data.process.limits import Limits
from data.reading.cells import may_be_lists
from data.reading.surrounded_values import read_head
from text.json_text import read_json
from text.quoting import quote

_DENSE = r"^\s*DenseVector\((\[[^\[\]]*\])\)\s*$"
_SPARSE = re.compile(
    r"\s*(?:\(\s*(\d{1,4})\s*,\s*\[([\d,\s]*)\]\s*,\s*\[([^\[\]]*)\]\s*\)"  # (3,[0,2],[0.9,0.1])
    r"|SparseVector\(\s*(\d{1,4})\s*,\s*\{([^{}]*)\}\s*\))\s*",  # SparseVector(3, {0: 0.9, 2: 0.1})
    re.ASCII,
)
_BETWEEN = re.compile(r"\}\s+\{")
_LABEL_KEYS = ("label", "class", "name", "displayName", "category", "value")
_SCORE_KEYS = ("prob", "score", "probability", "confidence", "p")


def read_sparse_vectors(texts: pa.Array) -> np.ndarray | None:
    """Read vectors of one length, some sparse, as float64 (n, K), NaN where a cell is empty; None if they are not.

    >>> read_sparse_vectors(pa.array(["(3,[0,2],[0.9,0.1])", "[0.2,0.5,0.3]"])).tolist()
    [[0.9, 0.0, 0.1], [0.2, 0.5, 0.3]]
    """
    head = read_head(texts)
    if not any(map(_SPARSE.fullmatch, head)):
        return None
    first = _read_vector(head[0])
    return None if first is None else _read_each(texts, len(first), _read_vector)


def _read_each(
    texts: pa.Array, length: int, read: Callable[[str], Sequence[float] | np.ndarray | None]
) -> np.ndarray | None:
    """Return the numbers that are read of each text, float64 (n, length), NaN where a cell is empty.

    None where a text has others, or they are too many.
    """
    if not 2 <= length <= MAX_LISTED_LABELS or len(texts) * length > MAX_LISTED_NUMBERS:
        return None
    encoded = texts.dictionary_encode()
    known = np.full((len(encoded.dictionary) + 1, length), np.nan)
    for place, text in enumerate(encoded.dictionary.to_pylist()):
        numbers = read(text)
        if numbers is None or len(numbers) != length:
            return None
        known[place] = numbers
    return np.asarray(known[encoded.indices.fill_null(len(known) - 1).to_numpy(zero_copy_only=False)])


def _read_vector(text: str) -> np.ndarray | None:
    """Return the numbers of one cell, of a list or of a sparse vector; None where it holds neither."""
    try:
        sparse = _SPARSE.fullmatch(text)
        if sparse is not None:
            return _read_sparse(sparse)
        inside = text.strip()
        if not inside.startswith("[") or not inside.endswith("]"):
            return None
        return _numbers(inside[1:-1].split(","), float)
    except (ValueError, IndexError):
        return None


def _read_sparse(written: re.Match[str]) -> np.ndarray | None:
    """Return all numbers of a sparse vector; None where a place or a value is missing."""
    if written[1] is not None:  # (3,[0,2],[0.9,0.1])
        size = int(written[1])
        places = _numbers(written[2].split(","), int)
        values = _numbers(written[3].split(","), float)
    else:  # SparseVector(3, {0: 0.9, 2: 0.1})
        size = int(written[4])
        pairs = [pair.split(":") for pair in written[5].split(",") if pair.strip()]
        places = _numbers([pair[0] for pair in pairs], int)
        values = _numbers([pair[1] for pair in pairs], float)
    if len(places) != len(values) or (places < 0).any():
        return None
    vector = np.zeros(size)
    vector[places] = values
    return vector


def _numbers(texts: list[str], kind: type) -> np.ndarray:
    return np.array([kind(text) for text in texts if text.strip()], dtype=kind)


def read_labelled_scores(texts: pa.Array) -> tuple[list[str], np.ndarray] | None:
    """Read lists of label and score, the same labels in every cell in any order; None if they are not.

    Returns the labels in the order of the first cell, and float64 (n, K), NaN where a cell is empty.

    >>> cells = ['[{"label": "a", "prob": 0.9}, {"label": "b", "prob": 0.1}]']
    >>> cells.append("[{'label': 'b', 'prob': 1.0} {'label': 'a', 'prob': 0.0}]")
    >>> labels, scores = read_labelled_scores(pa.array(cells))
    >>> labels, scores.tolist()
    (['a', 'b'], [[0.9, 0.1], [0.0, 1.0]])
    """
    head = read_head(texts)
    if not head or not all(text.lstrip().startswith("[{") for text in head):
        return None
    first = _read_pairs(head[0])
    if first is None:
        return None

    def read(text: str) -> list[float] | None:
        scores = _read_pairs(text)
        return None if scores is None or scores.keys() != first.keys() else [scores[label] for label in first]

    scores = _read_each(texts, len(first), read)
    return None if scores is None else (list(first), scores)


def _read_pairs(text: str) -> dict[str, float] | None:
    """Map the labels of one cell to their scores."""
    items = _read_items(text)
    if not isinstance(items, list) or not all(isinstance(item, dict) and len(item) <= 10 for item in items):
        return None
    scores: dict[str, float] = {}
    for item in items:
        label = next((item[key] for key in _LABEL_KEYS if key in item), None)
        score = next((item[key] for key in _SCORE_KEYS if key in item), None)
        if not isinstance(label, str | int | float):
            return None
        if isinstance(score, bool) or not isinstance(score, int | float):
            return None
        scores[label if isinstance(label, str) else json.dumps(label)] = float(score)
    return scores if len(scores) == len(items) else None


def _read_items(text: str) -> object:
    """Read JSON, or Python's or numpy's way to print a list; only literals are read."""
    read = read_json(text)
    if read is not None:
        return read
    text = _BETWEEN.sub("}, {", text)  # numpy puts no comma between what it holds
    if '"' not in text and "\\" not in text:  # then a text within is quoted by ', which is in none of them
        read = read_json(text.replace("'", '"'))
    if read is not None or len(text) > 100_000 or text.count("[") > 50 or text.count("(") > 50:
        return read
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


_LIST = re.compile(r"\s*(?:DenseVector\()?\[[\s\d.,eE+\-naN]*\]\)?\s*", re.ASCII)
_ONE = re.compile(r"\s*\[\s*-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*\]\s*", re.ASCII)
_SCORES = re.compile(r"prob|score|logit|softmax|raw_?pred|pred|output|y_?hat", re.IGNORECASE)


def split_lists(table: pa.Table, limits: Limits) -> tuple[pa.Table, list[str]]:
    """Split text columns whose cells are all lists of equally many numbers; return a sentence on each, too.

    Split are lists of fractions in a column that is named like scores; and lists of 0 and 1 that hold one of them
    twice, which no set of labels does. `probabilities` becomes `probabilities_0`, `probabilities_1`, ..., or, with a
    list of labels beside it or the labels in the list, `probabilities_<label>`.

    >>> split_lists(pa.table({"y": ["a"], "proba": ["[0.25, 0.75]"]}), Limits())[0].to_pylist()
    [{'y': 'a', 'proba_0': 0.25, 'proba_1': 0.75}]
    """
    table, notes = _without_lists_of_one(table)
    for name in table.column_names:
        lists = _read_lists(table, name) if may_be_lists(table.column(name)) else None
        if lists is None:
            continue
        matrix, parts = lists
        names = [f"{name}_{part}" for part in parts]
        are_too_many = table.num_columns + matrix.shape[1] - 1 > limits.columns
        if not names or are_too_many or set(names) & set(table.column_names):
            continue
        table = _replace_column(table, name, names, matrix)
        notes.append(
            f"The lists of {matrix.shape[1]:,} numbers in {quote(name)} were split into the columns "
            f"{quote(names[0])} to {quote(names[-1])}."
        )
    return table, notes


def _read_lists(table: pa.Table, name: str) -> tuple[np.ndarray, list[str]] | None:
    """Return the lists of a column as float64 (n, K), and the label or place of each number; None if it has none.

    No label or place at all: the numbers of the rows cannot be put in one order.
    """
    labelled = read_labelled_scores(_texts(table.column(name)))
    if labelled is not None:
        labels, scores = labelled
        return scores, labels
    matrix = _read_matrix(name, _texts(_with_places(table, name)))
    return None if matrix is None else _order_numbers(table, name, matrix)


def _texts(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.cast(pa.string()).chunks)


def _without_lists_of_one(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the table with the number itself where `labels` and `predictions` hold lists, as TensorFlow writes them.

    Only if every label is a list of one number: lists of several are labels of several classes.
    """
    if not {"labels", "predictions"} <= set(table.column_names) or not _all_of_one(table.column("labels")):
        return table, []
    unpacked = []
    for name in ("labels", "predictions"):
        column = table.column(name)
        if _all_of_one(column):
            texts = pc.utf8_trim(column.cast(pa.string()), characters="[] \t")
            cells = texts.cast(pa.float64()) if name == "predictions" else texts.dictionary_encode()
            table = table.set_column(table.column_names.index(name), name, cells)
            unpacked.append(quote(name))
    return table, [f"The lists of one number in {' and '.join(unpacked)} were read as that number."]


def _all_of_one(column: pa.ChunkedArray) -> bool:
    if not may_be_lists(column) or not all(map(_ONE.fullmatch, read_head(column))):
        return False
    return bool(pc.all(pc.match_substring_regex(column.cast(pa.string()), rf"^(?:{_ONE.pattern})$")).as_py())


def _with_places(table: pa.Table, name: str) -> pa.ChunkedArray:
    """Return a column; of Spark's vectors as objects {size, indices, values}, the sparse ones with their places."""
    column, stem = table.column(name), name.removesuffix(".values")
    parts = [f"{stem}.size", f"{stem}.indices"]
    if stem == name or not set(parts) <= set(table.column_names):
        return column
    size, places = (table.column(part).cast(pa.string()) for part in parts)
    sparse = pc.binary_join_element_wise("(", size, ",", places, ",", column.cast(pa.string()), ")", "")
    return pc.if_else(pc.is_valid(places), sparse, column.cast(pa.string()))


def _read_matrix(name: str, texts: pa.Array) -> np.ndarray | None:
    """Return the lists as float64 (n, K), NaN where a cell is empty; None if the column is no such thing."""
    texts = pc.replace_substring_regex(texts, _DENSE, r"\1")
    is_named = _SCORES.search(name) is not None
    vectors = read_sparse_vectors(texts) if is_named else None
    head = read_head(texts)
    if vectors is not None or not head or not all(map(_LIST.fullmatch, head)):
        return vectors
    inside = pc.utf8_trim(texts, characters="[] \t")
    parts = pc.split_pattern_regex(inside.drop_null(), r"\s*,\s*|\s+")
    width = pc.min_max(pc.list_value_length(parts)).as_py()
    if width["min"] != width["max"] or not 2 <= width["max"] <= MAX_LIST_LENGTH:
        return None
    try:
        numbers = np.asarray(parts.flatten().cast(pa.float64())).reshape(-1, width["max"])
    except pa.ArrowInvalid:
        return None
    are_scores = is_named and bool(np.any(numbers != np.round(numbers)))
    if not are_scores and not _are_flags(numbers):
        return None
    matrix = np.full((len(texts), width["max"]), np.nan)
    matrix[np.asarray(inside.is_valid())] = numbers
    return matrix


def _order_numbers(table: pa.Table, name: str, matrix: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Put the numbers in one order for all rows; return what each belongs to: its place, or a label beside it.

    Some tools sort the labels of every row by score. Where the rows do not list the same labels, nothing can be split.
    """
    for other in table.column_names:
        column = table.column(other)
        if other == name or pa.types.is_floating(column.type) or not _lists_of_labels(column, matrix.shape[1]):
            continue
        codes = _texts(column).dictionary_encode()
        lists = [parse_list(text) or () for text in codes.dictionary.to_pylist()]
        if codes.null_count or any(sorted(labels) != sorted(lists[0]) for labels in lists):
            return matrix, []
        orders = np.array([[labels.index(label) for label in lists[0]] for labels in lists])
        return np.take_along_axis(matrix, orders[np.asarray(codes.indices)], axis=1), list(lists[0])
    return matrix, [str(place) for place in range(matrix.shape[1])]


def _lists_of_labels(column: pa.ChunkedArray, length: int) -> bool:
    """Return whether the cells list as many different texts as there are numbers."""
    head = read_head(column)
    if not head or not all(cell.lstrip().startswith("[") and not _LIST.fullmatch(cell) for cell in head):
        return False
    lists = [parse_list(cell) or () for cell in head]
    return all(len(set(labels)) == len(labels) == length for labels in lists)


def _are_flags(numbers: np.ndarray) -> bool:
    """Return whether all are 0 or 1, and a row holds one of them twice, which no set of labels does."""
    repeats = numbers.shape[1] > 2 or bool(np.all(numbers == numbers[:, :1], axis=1).any())
    return repeats and bool(np.all((numbers == 0) | (numbers == 1)))


def _replace_column(table: pa.Table, name: str, names: list[str], matrix: np.ndarray) -> pa.Table:
    """Return the table with one column a place where `name` was; flags are text, as labels are."""
    index = table.column_names.index(name)
    flags = _are_flags(matrix[~np.isnan(matrix).any(axis=1)])
    table = table.remove_column(index)
    for place, new in enumerate(names):
        values = pa.array(matrix[:, place], from_pandas=True)
        values = values.cast(pa.int8()).cast(pa.string()).dictionary_encode() if flags else values
        table = table.add_column(index + place, new, pa.chunked_array([values]))
    return table
