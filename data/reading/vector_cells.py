"""Cells that hold scores of several labels in another way than as a list: Spark's vectors, lists of label and score."""

from __future__ import annotations

import ast
import json
import re
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_LOOK_AT = 100
_MOST_LABELS = 5_000
_MOST_NUMBERS = 50_000_000  # a sparse vector names its length: a few bytes must not become gigabytes
_DENSE = r"^\s*DenseVector\((\[[^\[\]]*\])\)\s*$"
_SPARSE = re.compile(
    r"\s*(?:\(\s*(\d{1,4})\s*,\s*\[([\d,\s]*)\]\s*,\s*\[([^\[\]]*)\]\s*\)"  # (3,[0,2],[0.9,0.1])
    r"|SparseVector\(\s*(\d{1,4})\s*,\s*\{([^{}]*)\}\s*\))\s*",  # SparseVector(3, {0: 0.9, 2: 0.1})
    re.ASCII,
)
_BETWEEN = re.compile(r"\}\s+\{")
_LABEL_KEYS = ("label", "class", "name", "displayName", "category", "value")
_SCORE_KEYS = ("prob", "score", "probability", "confidence", "p")


class Labelled(NamedTuple):
    """Scores by label: the labels in the order of the first cell, and float64 (n, K), NaN where a cell is empty."""

    labels: list[str]
    scores: np.ndarray


def dense_lists(texts: pa.Array) -> pa.Array:
    """Texts with `DenseVector([0.9, 0.1])` as the list in it; other texts stay.

    >>> dense_lists(pa.array(["DenseVector([0.9, 0.1])", "x"])).to_pylist()
    ['[0.9, 0.1]', 'x']
    """
    return pc.replace_substring_regex(texts, _DENSE, r"\1")


def sparse_vectors(texts: pa.Array) -> np.ndarray | None:
    """Vectors of one length, some of them sparse, as float64 (n, K), NaN where a cell is empty; None if they are not.

    >>> sparse_vectors(pa.array(["(3,[0,2],[0.9,0.1])", "[0.2,0.5,0.3]"])).tolist()
    [[0.9, 0.0, 0.1], [0.2, 0.5, 0.3]]
    """
    head = [text for text in texts.slice(0, _LOOK_AT).to_pylist() if text is not None]
    if not any(map(_SPARSE.fullmatch, head)):
        return None
    first = _vector(head[0])
    if first is None or not 2 <= len(first) <= _MOST_LABELS or len(texts) * len(first) > _MOST_NUMBERS:
        return None
    result = np.full((len(texts), len(first)), np.nan)
    for row, text in enumerate(texts.to_pylist()):
        if text is None:
            continue
        vector = _vector(text)
        if vector is None or len(vector) != len(first):
            return None
        result[row] = vector
    return result


def _vector(text: str) -> np.ndarray | None:
    match = _SPARSE.fullmatch(text)
    try:
        if match is None:
            inside = text.strip()
            return _floats(inside[1:-1].split(",")) if inside.startswith("[") and inside.endswith("]") else None
        if match[1] is not None:
            places, values = _whole(match[2].split(",")), _floats(match[3].split(","))
            size = int(match[1])
        else:
            pairs = [pair.split(":") for pair in match[5].split(",") if pair.strip()]
            places, values = _whole([pair[0] for pair in pairs]), _floats([pair[1] for pair in pairs])
            size = int(match[4])
        if len(places) != len(values) or (places < 0).any():
            return None
        result = np.zeros(size)
        result[places] = values
    except (ValueError, IndexError):
        return None
    return result


def _floats(texts: list[str]) -> np.ndarray:
    return np.array([float(text) for text in texts if text.strip()])


def _whole(texts: list[str]) -> np.ndarray:
    return np.array([int(text) for text in texts if text.strip()], dtype=np.int64)


def labelled_scores(texts: pa.Array) -> Labelled | None:
    """Lists of label and score, the same labels in every cell whatever their order; None if they are not.

    >>> cells = ['[{"label": "a", "prob": 0.9}, {"label": "b", "prob": 0.1}]']
    >>> found = labelled_scores(pa.array([*cells, "[{'label': 'b', 'prob': 1.0} {'label': 'a', 'prob': 0.0}]"]))
    >>> found.labels, found.scores.tolist()
    (['a', 'b'], [[0.9, 0.1], [0.0, 1.0]])
    """
    head = [text for text in texts.slice(0, _LOOK_AT).to_pylist() if text is not None]
    first = _pairs(head[0]) if head and all(text.lstrip().startswith("[{") for text in head) else None
    if first is None or not 2 <= len(first) <= _MOST_LABELS or len(texts) * len(first) > _MOST_NUMBERS:
        return None
    encoded = texts.dictionary_encode()
    known = np.empty((len(encoded.dictionary) + 1, len(first)))
    known[-1] = np.nan
    for place, text in enumerate(encoded.dictionary.to_pylist()):
        found = _pairs(text)
        if found is None or found.keys() != first.keys():
            return None
        known[place] = [found[label] for label in first]
    return Labelled(list(first), known[encoded.indices.fill_null(len(known) - 1).to_numpy(zero_copy_only=False)])


def _pairs(text: str) -> dict[str, float] | None:
    """Label -> score of one cell."""
    items = _items(text)
    if not isinstance(items, list) or not all(isinstance(item, dict) and len(item) <= 10 for item in items):
        return None
    found: dict[str, float] = {}
    for item in items:
        label = next((item[key] for key in _LABEL_KEYS if key in item), None)
        score = next((item[key] for key in _SCORE_KEYS if key in item), None)
        if not isinstance(label, str | int | float) or isinstance(score, bool) or not isinstance(score, int | float):
            return None
        found[label if isinstance(label, str) else json.dumps(label)] = float(score)
    return found if len(found) == len(items) else None


def _items(text: str) -> object:
    """JSON, or Python's or numpy's way to print a list; only literals are read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    text = _BETWEEN.sub("}, {", text)  # numpy puts no comma between what it holds
    if '"' not in text and "\\" not in text:  # then a text within is quoted by ', which is in none of them
        try:
            return json.loads(text.replace("'", '"'))
        except (ValueError, RecursionError):
            pass
    if len(text) > 100_000 or text.count("[") > 50 or text.count("(") > 50:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
