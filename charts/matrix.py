"""The confusion matrix as numbers for the page to draw: the non-empty cells row by row, and their names.

The page gets counts only; shares, colours and sums are made from them there, so that a change of colours, or a
selection, sends no cell again. Cells are addressed by position: row i and column j of the block.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from charts.confusion import NO_LABEL, name_of
from metrics.confusion import hierarchy
from metrics.confusion.axis import GROUP, Outline
from metrics.confusion.matrix import OTHER, Block
from text.short_names import cut_apart, short_names
from text.visible import HOVER_LIMIT, show

Run = tuple[int, int]
"""Neighbouring positions start <= position < end."""
LENGTHS = (24, 12)
"""Characters of the names along the axes: the first that there is room for."""
_WHOLE = 2000
MANY, FEWEST_SPANS, COVERED = 12, 3, 0.8
"""Beginnings are named from 12 classes on, where at least 3 of them cover 80 % of the classes."""


def matrix_payload(block: Block, labels: Sequence[str]) -> dict[str, Any]:
    """Return everything that stays while colours and selection change; labels as they came from the file.

    Returns
    -------
    cells : frame of the non-empty cells, row by row: "column" (position) and "rows" (how many rows of the file),
        both in the smallest type that holds them; where rows have weights, "weight", too.
    starts : where each row begins in `cells`, and last their number (n_rows + 1 of them).
    n_rows, n_cols, names : shape, and the names along the longer axis (the other one begins with the same).
    short : the same names at most `LENGTHS` long, no two alike; None where all are as short as that.
    spans : [start, end, name] of neighbours whose labels begin alike, where that says something.
    mixed : [position, right rows or their weight] of the cells on the diagonal that hold wrong answers too ("other",
        collapsed groups).
    other : the position of "other", or -1; special : positions that are no class.
    inside : [name, position] of the classes folded into "other" or a collapsed group, for the search.
    ranks : place of every position in the order of the labels, -1 = none; [] = the labels have no order.
    groups : [position, group] of the collapsed ones; outlines : [start, end, name, kind, group or -1].
    id : a digest of all of it.

    >>> codes = np.arange(2)
    >>> sent = matrix_payload(Block(codes, codes, np.array([[3, 0], [1, 2]]), np.diag([3, 2]), codes[:0]), ("a", "b"))
    >>> sent["cells"].to_numpy().tolist(), sent["starts"], sent["names"]
    ([[0, 3], [0, 1], [1, 2]], [0, 1, 3], ['a', 'b'])
    """
    i, j = np.nonzero(block.rows)
    longer = max(block.row_codes, block.col_codes, key=len)
    names = [show(name_of(int(code), block, labels), _WHOLE) for code in longer]
    payload: dict[str, Any] = {
        "starts": np.searchsorted(i, np.arange(len(block.row_codes) + 1)).tolist(),
        "n_rows": len(block.row_codes),
        "n_cols": len(block.col_codes),
        "names": cut_apart(names, HOVER_LIMIT),
        "short": [_short(names, longer, length) for length in LENGTHS],
        "spans": _spans(block, labels),
        "mixed": _find_mixed(block),
        "other": next(iter(np.flatnonzero(longer == OTHER).tolist()), -1),
        "special": np.flatnonzero(longer < 0).tolist(),
        "inside": _inside(block, labels, longer),
        "ranks": _places_in_order(block, longer),
        "groups": [[int(place), int(GROUP - longer[place])] for place in np.flatnonzero(longer <= GROUP)],
        "outlines": [_outline(block, outline) for outline in block.outlines],
    }
    cells = pd.DataFrame({"column": _smallest(j), "rows": _smallest((block.counted or block).rows[i, j])})
    if block.counted is not None:
        cells["weight"] = block.weigh(block.rows)[i, j]
    digest = hashlib.blake2b(json.dumps(payload).encode(), digest_size=8)
    for column in cells:
        digest.update(cells[column].to_numpy().tobytes())
    return payload | {"cells": cells, "id": digest.hexdigest()}


def selected_runs(block: Block, codes: Collection[int], axis: np.ndarray) -> list[Run] | None:
    """Find where on an axis (its codes) chosen label codes lie, as runs of neighbours; None = no code, that is any.

    A row or column that stands for several classes counts as chosen when all of them are.

    >>> axis = np.array([4, 1, 0, 2])
    >>> selected_runs(Block(axis, axis, np.eye(4), np.eye(4), axis[:0]), (1, 4, 2), axis)
    [(0, 2), (3, 4)]
    """
    if not codes:
        return None
    chosen = frozenset(codes)
    inside = [bool(members) and chosen.issuperset(members) for members in map(block.members, axis.tolist())]
    edges = np.flatnonzero(np.diff([False, *inside, False])).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _short(names: Sequence[str], axis: np.ndarray, length: int) -> list[str] | None:
    """Return short names, those of classes apart from "other" and the answers without a label."""
    first = int(((axis >= 0) | (axis <= GROUP)).sum())
    if max(map(len, names), default=0) <= length:
        return None
    special = ["no label" if name == NO_LABEL and length < len(name) else name for name in names[first:]]
    return [*short_names(names[:first], length), *cut_apart(special, length)]


def _spans(block: Block, labels: Sequence[str]) -> list[list[int | str]]:
    """Return the neighbours whose labels begin alike; none where these are few, or groups stand on the axis."""
    if block.groups or block.n_classes < MANY:
        return []
    codes = [int(code) for code in block.row_codes if code >= 0]
    separator = hierarchy.best_separator([labels[code] for code in codes])
    begins = [labels[code].split(separator)[0] if separator else "" for code in codes]
    edges = [0, *(place for place in range(1, len(codes)) if begins[place] != begins[place - 1]), len(codes)]
    spans = [(start, end) for start, end in pairwise(edges) if end - start > 1 and begins[start]]
    together = len({begins[start] for start, _ in spans}) == len(spans) >= FEWEST_SPANS
    if not together or sum(end - start for start, end in spans) < COVERED * len(codes):
        return []
    return [[start, end, show(begins[start], 40)] for start, end in spans]


def _find_mixed(block: Block) -> list[list[float]]:
    same = min(block.rows.shape)
    rows, right = np.diagonal(block.rows)[:same], np.diagonal(block.right)[:same]
    places = np.flatnonzero(rows != right)
    return [list(pair) for pair in zip(places.tolist(), block.weigh(right)[places].tolist(), strict=True)]


def _inside(block: Block, labels: Sequence[str], axis: np.ndarray) -> list[list[str | int]]:
    return [
        [show(labels[code], HOVER_LIMIT), int(place)]
        for place in np.flatnonzero((axis == OTHER) | (axis <= GROUP))
        for code in block.members(int(axis[place]))
    ]


def _places_in_order(block: Block, axis: np.ndarray) -> list[int]:
    if not block.ranks:
        return []
    ranked = range(len(block.ranks))  # an item of several classes has no rank
    return [block.ranks[code] if code in ranked else -1 for code in axis.tolist()]


def _outline(block: Block, outline: Outline) -> list[str | int]:
    names = [group.name for group in block.groups] if outline.kind == "group" else []
    group = names.index(outline.name) if outline.name in names else -1
    return [int(outline.start), int(outline.end), show(outline.name, 80), outline.kind, group]


def _smallest(values: np.ndarray) -> np.ndarray:
    """Return the same whole numbers (>= 0) in the smallest type that the page reads as numbers: no 64-bit integers."""
    largest = int(values.max(initial=0))
    return values.astype(np.min_scalar_type(largest) if largest < 2**32 else np.float64)
