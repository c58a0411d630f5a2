"""Find columns that belong together: a score per class, 0/1 columns per label."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from data.columns.column import Column, sums_to
from data.columns.column_names import (
    Reading,
    names_confidence,
    parse_name,
    says_score,
    sort_by_role,
    split_side,
)
from data.columns.role_names import fold
from data.labels.name_matching import match_names, note_spellings
from data.labels.spelling import plain_form, sort_labels
from data.roles.search import Pairs, Search
from text.numbers import count
from text.quoting import list_items

_ABOUT_SCORES = {
    "total", "sum", "max", "min", "mean", "avg", "average", "median", "std", "var", "top", "top1",
    "best", "margin", "entropy", "gap", "diff", "difference", "rank", "threshold", "cutoff",
    "time", "model", "version", "scaled", "raw", "calibrated",
}  # fmt: skip
"""Words after a score's prefix that name no class: score_max."""
_ROUNDED_TO = (1, 2)
"""Digits after the point of which rounding alone moves a sum visibly."""


class ScoreBlock(NamedTuple):
    """(column, label) pairs of a score per class, why, and what to warn about."""

    pairs: Pairs
    why: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class MultiHot(NamedTuple):
    """(column, label) pairs of the truth, prediction and score blocks of a multi-label file, and why."""

    truth: Pairs
    pred: Pairs
    scores: Pairs
    why: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def find_score_block(columns: Sequence[Column], labels: Sequence[str]) -> ScoreBlock | None:
    """Find the columns whose names are labels, alone or with one prefix or suffix; None without.

    With three or more labels at least half of them (and two) must have a column; with two labels one column is enough.
    Columns of the same make whose label does not occur join in (`_complete_block`).
    """
    best: tuple[dict[str, Column], str] = ({}, "")
    for affix, group in _by_affix(columns).items():
        matched = match_labels({stem: column for stem, column in group}, labels)
        if len(matched) > len(best[0]) and not all(column.is_flag for column in matched.values()):
            best = (matched, affix)
    matched, affix = best
    if len(matched) < (1 if len(labels) <= 2 else max(2, len(labels) / 2)):
        return _find_prefixed_block(columns, labels) or _find_numbered_block(columns, labels)
    others = [(s, c) for s, c in _by_affix(columns)[affix] if c not in matched.values() and c.file != "labels"]
    rest = [(stem, column) for stem, column in others if not names_confidence(column.name)]
    matched, doubts = _complete_block(matched, rest, columns, sure=says_score(affix))
    order = {id(column): place for place, column in enumerate(columns)}
    ordered = sorted(matched.items(), key=lambda item: order[id(item[1])])
    pairs = tuple((column.name, label) for label, column in ordered)
    why = "named like the label" if set(affix) <= {"|"} else f"named like the label with {affix.strip('|').strip()!r}"
    if sums_to(list(matched.values()), 1):
        why += ", rows add up to 1"
    notes, warnings = note_spellings("score", _map_spelling(matched, affix))
    return ScoreBlock(pairs, why, (*warnings, *doubts), notes)


def _complete_block(
    matched: dict[str, Column], rest: Sequence[tuple[str, Column]], columns: Sequence[Column], *, sure: bool
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return a block of scores with the columns of classes that do not occur in the file, and what to warn about.

    They join where rows then add up to 1 or 100, and did not before; or where names leave no doubt and they stand
    beside the others: logits add up to nothing, and without them another class would be the highest.

    matched : label -> column. rest : (label, column) of the same make. columns : all, in file order.
    sure : whether their names leave no doubt that they hold scores.
    """
    if not rest or _adds_up(matched):
        return matched, ()
    more = matched | dict(rest)
    if _adds_up(more):
        return more, ()
    if _adds_up(matched, rounded=True):
        return matched, ()
    if _adds_up(more, rounded=True):
        return more, ()
    plain = [(stem, column) for stem, column in rest if column.is_continuous or column.is_written_number]
    if len(matched) >= 2 and sure:
        beside = _find_beside(matched, plain, columns)
        return matched | beside, _warn(beside)
    places = [place for place, column in enumerate(columns) if column in matched.values()]
    between = {stem: column for stem, column in plain if places[0] < columns.index(column) < places[-1]}
    return (matched | between if len(matched) >= 3 else matched), ()


def _find_beside(
    matched: Mapping[str, Column], plain: Sequence[tuple[str, Column]], columns: Sequence[Column]
) -> dict[str, Column]:
    """Return the columns that stand in one run with the matched ones, and name a class."""
    stems = {id(column): stem for stem, column in plain if fold(stem) not in _ABOUT_SCORES}
    known = {id(column) for column in matched.values()}
    found: dict[str, Column] = {}
    run: list[Column] = []
    for column in [*columns, None]:
        if column is not None and (id(column) in stems or id(column) in known):
            run.append(column)
            continue
        if any(id(one) in known for one in run):
            found |= {stems[id(one)]: one for one in run if id(one) in stems}
        run = []
    return found


def _warn(beside: Mapping[str, Column]) -> tuple[str, ...]:
    if not beside:
        return ()
    occur = f"{count(len(beside), 'class')} {'occurs' if len(beside) == 1 else 'occur'} only as score columns"
    return (f"{occur}: {list_items(beside)}. If a column is no score of a class, choose the score columns.",)


def _adds_up(block: Mapping[str, Column], *, rounded: bool = False) -> bool:
    """Return whether nearly all rows add up to 1 or 100; `rounded` allows for numbers of one or two digits."""
    found = list(block.values())
    if sums_to(found, 1) or sums_to(found, 100):
        return True
    return rounded and any(_adds_up_rounded(found, total) for total in (1, 100))


def _adds_up_rounded(columns: Sequence[Column], total: int) -> bool:
    """Return whether rows add up to a total but for rounding to one or two digits of the share."""
    if len(columns) < 2:
        return False
    shares = np.array([column.sample_numbers for column in columns]) / total
    shares = shares[:, ~np.isnan(shares).any(axis=0)]
    digits = next((d for d in _ROUNDED_TO if np.allclose(shares * 10**d, np.round(shares * 10**d), atol=1e-6)), None)
    if digits is None or not shares.size or not ((shares > 0) & (shares < 1)).any():
        return False
    slack = math.sqrt(len(columns)) * 10.0**-digits  # 3.5 standard deviations of that many rounding errors
    return bool(np.mean(np.abs(shares.sum(axis=0) - 1) <= slack + 1e-9) > 0.98)


def _map_spelling(matched: Mapping[str, Column], affix: str) -> dict[str, str]:
    """Map labels to the spelling in their column's name, without the affix."""
    stems = {label: [r.stem for r in parse_name(c.name) if r.affix == affix] for label, c in matched.items()}
    return {label: found[0] for label, found in stems.items() if found}


def _by_affix(columns: Sequence[Column], *, of_truth: bool = False) -> dict[str, list[tuple[str, Column]]]:
    groups: dict[str, list[tuple[str, Column]]] = {}
    for column in columns:
        if not (column.is_number or column.is_written_number or (of_truth and column.is_flag)):
            continue
        for reading in parse_name(column.name):
            if of_truth or reading.kind not in ("truth", "question"):
                groups.setdefault(reading.affix, []).append((reading.stem, column))
    return groups


def match_labels(stems: Mapping[str, Column], labels: Sequence[str]) -> dict[str, Column]:
    """Map labels to columns, in any order and with small differences of spelling (`name_matching.match_names`)."""
    return {label: stems[stem] for label, stem in match_names(stems, labels).items()}


def _find_prefixed_block(columns: Sequence[Column], labels: Sequence[str]) -> ScoreBlock | None:
    """Find the columns of labels behind any common prefix (class_0, P(0)): rows add up to 1, or labels are words."""
    formed = {form(label): label for form in (plain_form, str) for label in labels}
    groups = _by_prefix(columns, set(formed))
    for (prefix, _), group in sorted(groups.items(), key=lambda item: -len(item[1])):
        if len(group) < max(2, len(labels)):
            return None
        adds_up = sums_to([column for _, column in group], 1)
        if (adds_up or _are_words(labels)) and len({formed[stem] for stem, _ in group}) == len(labels) == len(group):
            pairs = tuple((column.name, formed[stem]) for stem, column in group)
            return ScoreBlock(pairs, f"named like the label with {prefix!r}" + ", rows add up to 1" * adds_up)
    return None


def _are_words(labels: Sequence[str]) -> bool:
    """Return whether names that end in all of these labels cannot do so by chance."""
    return len(labels) > 2 and all(len(label) > 2 and not label.isdigit() for label in labels)


def _by_prefix(
    columns: Sequence[Column], stems: set[str], *, of_flags: bool = False
) -> dict[tuple[str, str], list[tuple[str, Column]]]:
    """Map (prefix, brackets) to the columns whose name is that around one of the stems."""
    groups: dict[tuple[str, str], list[tuple[str, Column]]] = {}
    lengths = sorted({len(stem) for stem in stems if stem}, reverse=True)
    for column in columns:
        base = split_side(column.name)[0]
        text = base.rstrip(")]}")
        for start in (len(text) - length for length in lengths if length < len(text)):
            if text[start:] in stems and (of_flags or column.is_continuous or column.is_written_number):
                groups.setdefault((text[:start], base[len(text) :]), []).append((text[start:], column))
    return groups


def _find_numbered_block(columns: Sequence[Column], labels: Sequence[str]) -> ScoreBlock | None:
    """Find prob_0, prob_1, ..., or from 1: one a label, taken in label order, which is worth a warning."""
    digits = {str(place) for place in range(len(labels) + 1)}
    known = [group for affix, group in _by_affix(columns).items() if affix.strip("|")]
    any_prefix = [group for group in _by_prefix(columns, digits).values() if sums_to([c for _, c in group], 1)]
    for group in [*known, *any_prefix]:
        stems = {stem: column for stem, column in group}
        first = min((int(stem) for stem in stems if stem in digits), default=0)
        wanted = {str(place) for place in range(first, first + len(labels))}
        if len(labels) > 1 and set(stems) == wanted and first < 2 and not all(c.is_flag for c in stems.values()):
            pairs = tuple((stems[str(first + place)].name, label) for place, label in enumerate(labels))
            text = ", ".join(f"{name} = {label}" for name, label in pairs[:3]) + (", …" if len(pairs) > 3 else "")
            return ScoreBlock(
                pairs,
                "numbered, taken in label order",
                (f"The score columns are numbered, so they were taken in label order ({text}): check it.",),
            )
    return None


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
    found: list[tuple[int, list[str], dict[str, Column], list[dict[str, Column]]]] = []
    for asked, truth in truths:
        flags = {stem: column for stem, column in truth.items() if column.is_flag}
        # beside has_pool a column pool is another feature, no prediction
        meant = [o for kind, o in others if o is not truth and (asked, kind) != ("question", "plain")]
        partners = [match_labels(o, list(flags)) for o in meant]
        most = max(map(len, partners), default=0)
        if most >= 2:
            stems = next([s for s in flags if s in o] for o in partners if len(o) == most)
            found.append((most, stems, flags, [o for o in partners if set(stems) <= set(o)]))
    return _as_multi_hot(*max(found, key=lambda item: item[0])[1:]) if found else None


def find_flag_block(columns: Sequence[Column], labels: Sequence[str]) -> Pairs:
    """Find 0/1 columns named like the labels, half of them and two at least, as (column, label); () without."""
    flags = [column for column in columns if column.is_flag]
    groups = [*_by_affix(flags, of_truth=True).values()]
    if _are_words(labels):
        groups += _by_prefix(flags, set(labels), of_flags=True).values()
    matched = max((match_labels(dict(group), labels) for group in groups), key=len, default={})
    if len(matched) < max(2, len(labels) / 2):
        return ()
    order = {id(column): place for place, column in enumerate(columns)}
    return tuple((c.name, label) for label, c in sorted(matched.items(), key=lambda item: order[id(item[1])]))


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
        "0/1 columns, one a label, in matching pairs",
        warnings,
        notes,
    )


def _find_nearest_stem(name: str, label: str) -> str:
    """Return how a column's name spells the label, of all the ways to read it."""
    stems = [reading.stem for reading in parse_name(name)]
    return next((match_names([stem], [label])[label] for stem in stems if match_names([stem], [label])), stems[0])


def has_one_a_row(columns: Sequence[Column]) -> bool:
    """Return whether every row of a 0/1 block has exactly one 1: a single label written in many columns."""
    codes = [Counter(column.sample.values) for column in columns]
    return all(set(values) <= {"0", "1", "0.0", "1.0"} for values in codes) and sums_to(columns, 1)


def propose_predictions(search: Search, columns: Sequence[Column]) -> list[str]:
    """Return columns that their names propose as predictions, the best first."""
    return search.proposed("pred", sort_by_role([column.name for column in columns], "prediction"))
