"""Find 0/1 columns that belong together, one a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from data.columns.column import FLAGS, Column, Distinct, sort_pairs
from data.columns.column_names import Reading, group_by_affix, group_by_prefix, parse_name
from data.labels.name_matching import are_words, match_labels, match_names, note_spellings
from data.labels.spelling import sort_labels

Pairs = tuple[tuple[str, str], ...]


class MultiHot(NamedTuple):
    """(column, label) pairs of the truth, prediction and score blocks of a multi-label file, and why."""

    truth: Pairs
    pred: Pairs
    scores: Pairs
    why: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def find_multi_hot(columns: Sequence[Column]) -> MultiHot | None:
    """Find 0/1 columns per label: a truth block with a prediction or score block of the same labels, or None.

    Pairs like truth_X / pred_X, X / p_X, or X of the labels file beside X of the predictions file, two at least.
    """
    by_kind: dict[str, dict[str, dict[str, Column]]] = {}
    for column in columns:
        for reading in _parse_hot_name(column):
            by_kind.setdefault(reading.kind, {}).setdefault(reading.affix, {}).setdefault(reading.stem, column)
    truths = [(kind, t) for kind in ("truth", "plain", "question") for t in by_kind.get(kind, {}).values()]
    others = [(kind, o) for kind in ("prediction", "score", "plain") for o in by_kind.get(kind, {}).values()]
    candidates: list[tuple[int, list[str], dict[str, Column], list[dict[str, Column]]]] = []
    for asked, truth in truths:
        flags = {stem: column for stem, column in truth.items() if column.is_flag}
        # beside has_pool a column pool is another feature, no prediction
        meant = [other for kind, other in others if other is not truth and (asked, kind) != ("question", "plain")]
        partners = [match_labels(other, list(flags)) for other in meant]
        most = max(map(len, partners), default=0)
        if most >= 2:
            fullest = next(partner for partner in partners if len(partner) == most)
            stems = [stem for stem in flags if stem in fullest]
            candidates.append((most, stems, flags, [partner for partner in partners if set(stems) <= set(partner)]))
    if not candidates:
        return None
    _, stems, flags, partners = max(candidates, key=lambda candidate: candidate[0])
    return _as_multi_hot(stems, flags, partners)


def find_flag_block(columns: Sequence[Column], labels: Sequence[str]) -> Pairs:
    """Find 0/1 columns named like the labels, half of them and two at least, as (column, label); () without."""
    flags = {column.name: column for column in columns if column.is_flag}
    groups = [*group_by_affix(flags, of_truth=True).values()]
    if are_words(labels):
        groups += group_by_prefix(flags, set(labels)).values()
    stems = [{stem: flags[name] for stem, name in group} for group in groups]
    matched = max((match_labels(named, labels) for named in stems), key=len, default={})
    if len(matched) < max(2, len(labels) / 2):
        return ()
    return sort_pairs(matched, columns)


def _parse_hot_name(column: Column) -> list[Reading]:
    """Return ways to read a name; the file that the column came from decides, too."""
    if not column.is_number and not column.is_flag:
        return []
    if column.file == "predictions":
        return [
            r._replace(kind="prediction") if r.kind in ("plain", "question") else r
            for r in parse_name(column.name)
            if r.kind != "truth"
        ]
    if column.file == "labels":
        kinds = ("plain", "truth", "question")
        return [r._replace(kind="truth") for r in parse_name(column.name) if r.kind in kinds]
    return list(parse_name(column.name))


def _as_multi_hot(
    stems: Sequence[str], truth: Mapping[str, Column], partners: Sequence[Mapping[str, Column]]
) -> MultiHot | None:
    labels = sort_labels(stems)
    used = {truth[label].name for label in labels}
    pred: Pairs = ()
    scores: Pairs = ()
    for partner in partners:
        chosen = [partner[label] for label in labels]
        if used & {column.name for column in chosen}:
            continue
        pairs = tuple((column.name, label) for column, label in zip(chosen, labels, strict=True))
        if all(column.is_flag for column in chosen):
            pred = pred or pairs
        elif all(column.is_number for column in chosen):
            scores = scores or pairs
    if not pred and not scores:
        return None
    spelling = {label: _find_nearest_stem(name, label) for name, label in (*scores, *pred)}
    notes, warnings = note_spellings("matching", spelling)
    return MultiHot(
        tuple((truth[label].name, label) for label in labels),
        pred,
        scores,
        "a column for each label, in matching pairs",
        warnings,
        notes,
    )


def _find_nearest_stem(name: str, label: str) -> str:
    """Return how a column's name spells the label, of all the ways to read it."""
    stems = [reading.stem for reading in parse_name(name)]
    return next((match_names([stem], [label])[label] for stem in stems if match_names([stem], [label])), stems[0])


def find_ones(flags: Sequence[Column]) -> np.ndarray | None:
    """Return the place of the 1 in every row of a 0/1 block, int64 (n,); None where a row has none or several.

    None, too, where a cell is neither 0 nor 1: a column of flags is known by a sample of its rows.
    """
    cells = [column.distinct for column in flags]
    if not all(value.casefold() in FLAGS for column in cells for value in column.values):
        return None
    marks = np.stack([_read_flags(column) for column in cells])
    return marks.argmax(axis=0) if (marks.sum(axis=0) == 1).all() else None


def _read_flags(cells: Distinct) -> np.ndarray:
    return cells.spread([FLAGS[value.casefold()] for value in cells.values], missing=False, dtype=bool)
