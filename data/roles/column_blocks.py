"""Find columns that belong together: a score per class, 0/1 columns per label, sets of labels on both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from data.columns.column import Column, sums_to
from data.columns.column_names import LABELS_SUFFIX, Reading, parse_name, rank, sort_by_role, split_side
from data.errors import DataError
from data.labels.cell_sets import SetEncoding, find_set_encoding, find_similar_encoding, read_members, split
from data.labels.name_matching import match_names, note_spellings
from data.labels.spelling import plain_form, sort_labels
from data.roles.search import Pairs, Search
from text.quoting import quote


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
    Columns of the same make whose label does not occur join in if the rows then add up to 1.
    """
    best: tuple[dict[str, Column], str] = ({}, "")
    for affix, group in _by_affix(columns).items():
        matched = match_labels({stem: column for stem, column in group}, labels)
        if len(matched) > len(best[0]) and not all(column.is_flag for column in matched.values()):
            best = (matched, affix)
    matched, affix = best
    if len(matched) < (1 if len(labels) <= 2 else max(2, len(labels) / 2)):
        return _find_prefixed_block(columns, labels) or _find_numbered_block(columns, labels)
    matched = _complete_block(
        matched, [(s, c) for s, c in _by_affix(columns)[affix] if c not in matched.values()], columns
    )
    order = {id(column): place for place, column in enumerate(columns)}
    ordered = sorted(matched.items(), key=lambda item: order[id(item[1])])
    pairs = tuple((column.name, label) for label, column in ordered)
    why = "named like the label" if set(affix) <= {"|"} else f"named like the label with {affix.strip('|').strip()!r}"
    if sums_to(list(matched.values()), 1):
        why += ", rows add up to 1"
    notes, warnings = note_spellings("score", _map_spelling(matched, affix))
    return ScoreBlock(pairs, why, warnings, notes)


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


def _complete_block(
    matched: dict[str, Column], rest: Sequence[tuple[str, Column]], columns: Sequence[Column]
) -> dict[str, Column]:
    """Add the columns of classes that do not occur in the file, if the rows then add up to 1 (and did not before)."""
    plain = [
        (stem, column)
        for stem, column in rest
        if (column.is_continuous or column.is_written_number) and split_side(column.name)[1] != LABELS_SUFFIX
    ]
    if not plain or sums_to(list(matched.values()), 1):
        return matched
    more = matched | dict(plain)
    if sums_to(list(more.values()), 1):
        return more
    places = [place for place, column in enumerate(columns) if column in matched.values()]
    between = {stem: column for stem, column in plain if places[0] < columns.index(column) < places[-1]}
    return matched | between if len(matched) >= 3 else matched


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
    """Return ways to read a name; what a join put behind it decides, as does the file that a bare name came from."""
    if not column.is_number and not column.is_flag:
        return []
    if split_side(column.name)[1]:
        return [parse_name(column.name)[-1]]
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


def find_sets(search: Search, truth: Column) -> SetEncoding | None:
    """Find how the cells of truth and prediction hold several labels; None for one label a cell."""
    if search.given.raw is not None:
        return None
    given = search.given.pred
    names = [given] if given is not None else propose_predictions(search, search.open())
    partners = [column for name in names if not (column := search.columns[name]).is_continuous]
    if all(set(column.sample.values) <= set(search.label_set or ()) for column in (truth, *partners)):
        return None  # "a;b" is one label where the label list says so
    found = find_set_encoding(truth.sample.values) or _find_sets_of_both(truth, partners)
    if found is None:
        return next((e for column in partners if (e := _find_sets_of_prediction(truth, column))), None)
    if found.encoding == "json" and partners:
        labels = list_labels(truth, found)
        cells = [(c.sample.values, find_similar_encoding(c.sample.values, labels, found)) for c in partners]
        lists = [any(read_members(cell, way) is not None for cell in values) for values, way in cells]
        lists.append(bool(find_flag_block(partners, labels)))
        if not any(lists) and (given is not None or rank(partners[0].name, "raw") is None):
            raise DataError(
                f"Column {quote(truth.name)} holds lists and {quote(partners[0].name)} does not: both must be lists "
                "(multi-label) or both plain labels."
            )
    return found


def _find_sets_of_both(truth: Column, partners: Sequence[Column]) -> SetEncoding | None:
    """Find a delimiter that only both columns together show in a small file: every part is a whole cell somewhere."""
    for column in partners:
        cells = {*truth.sample.values, *column.sample.values}
        for delimiter in ("|", ";"):
            parts = {part for cell in truth.sample.values if delimiter in cell for part in split(cell, delimiter)}
            if len(parts) > 1 and parts <= cells and not column.is_number:
                return SetEncoding("delimited", delimiter)
    return None


def _find_sets_of_prediction(truth: Column, pred: Column) -> SetEncoding | None:
    """Find a delimiter that only the predictions use: their parts are labels of the truth, their cells are not."""
    found = None if pred.is_free else find_set_encoding(pred.sample.values)
    if found is None or found.delimiter is None:
        return None
    known, cells = set(truth.sample.values), pred.sample.values
    parts = {part for cell in cells for part in split(cell, found.delimiter)}
    whole = sum(cell in known for cell in cells)
    return found if len(parts & known) >= len(parts) / 2 and whole < len(cells) else None


def list_labels(column: Column, sets: SetEncoding | None) -> tuple[str, ...]:
    """Return the labels that occur in a column, in label order."""
    values = column.distinct.values
    if sets is None:
        return tuple(sort_labels(values))
    return tuple(sort_labels({label for cell in values for label in read_members(cell, sets) or ()}))


def propose_predictions(search: Search, columns: Sequence[Column]) -> list[str]:
    """Return columns that their names propose as predictions, the best first."""
    return search.proposed("pred", sort_by_role([column.name for column in columns], "prediction"))
