"""Arrange both axes of the matrix: classes, collapsed groups of them, and frames around neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from metrics.confusion.class_order import Order, order_of
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts, confusion_counts

GROUP = -10
"""Code of the row and the column of the collapsed group `groups[i]`: GROUP - i."""


class Group(NamedTuple):
    """Classes that belong together; collapsed, they share one row and one column.

    codes : the classes of the group that are not folded into "other", in the order of the axis.
    """

    name: str
    codes: tuple[int, ...]
    collapsed: bool = False


class Outline(NamedTuple):
    """Neighbours on the axis (rows and columns alike), positions start <= i < end, that a frame holds together.

    kind : "cluster", classes that are taken for each other; "group", the classes of an expanded group. A
        collapsed group has a row and a column of its own instead (code `GROUP` - i) and no outline.
    """

    start: int
    end: int
    name: str
    kind: Literal["cluster", "group"]


def axis(
    counts: ConfusionCounts, placed: np.ndarray, order: Order, groups: Sequence[Group]
) -> tuple[list[int], tuple[Group, ...], tuple[Outline, ...]]:
    """Return codes along both axes, the groups with the classes that are shown, and the frames.

    placed : codes of the classes that have a place of their own, ascending.
    """
    members = [placed[np.isin(placed, group.codes)] for group in groups]
    if not any(len(codes) for codes in members):
        ordered = order_of(counts, placed, order)
        codes = placed[ordered.positions]
        clusters = tuple(Outline(a, b, _name_cluster(counts, codes[a:b]), "cluster") for a, b in ordered.clusters)
        return codes.tolist(), tuple(group._replace(codes=()) for group in groups), clusters
    members = [codes[order_of(counts, codes, order).positions] if len(codes) else codes for codes in members]
    shown = tuple(group._replace(codes=tuple(codes.tolist())) for group, codes in zip(groups, members, strict=True))
    codes_along: list[int] = []
    frames: list[Outline] = []
    for item in _ordered_items(counts, placed, order, shown):
        group = shown[GROUP - item] if item <= GROUP else None
        if group is None or group.collapsed:
            codes_along.append(item)
            continue
        frames.append(Outline(len(codes_along), len(codes_along) + len(group.codes), group.name, "group"))
        codes_along += group.codes
    return codes_along, shown, tuple(frames)


def _ordered_items(counts: ConfusionCounts, placed: np.ndarray, order: Order, groups: Sequence[Group]) -> list[int]:
    """Return groups (as `GROUP` - i) and classes outside them, ordered as the classes of the merged counts are."""
    item_of = np.arange(len(counts.labels))
    for i, group in enumerate(groups):
        item_of[list(group.codes)] = GROUP - i
    mine = item_of[placed]
    items = mine[np.sort(np.unique(mine, return_index=True)[1])]  # where their first label stands
    rest = np.setdiff1d(item_of, items)
    place = {int(item): i for i, item in enumerate([*items.tolist(), *rest.tolist()])}
    new = np.array([place[int(item)] for item in item_of], dtype=np.int64)
    merged = confusion_counts(
        new[counts.true],
        np.where(counts.pred == UNPARSEABLE, UNPARSEABLE, new[np.maximum(counts.pred, 0)]),
        labels=tuple(map(str, range(len(place)))),
        weights=counts.rows,
    )
    ordered: list[int] = items[order_of(merged, np.arange(len(items)), order).positions].tolist()
    return ordered


def _name_cluster(counts: ConfusionCounts, codes: np.ndarray) -> str:
    """Name a cluster by its most frequent class: "lost card and 2 more"."""
    first = counts.labels[codes[np.argmax(counts.support[codes])]]
    return f"{first} and {len(codes) - 1:,} more"
