"""Find the columns that name the rows of two files, by their names and values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice

import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import holds_text
from data.columns.name_ranks import may_name_rows, names_rows, rank
from data.columns.role_names import BESIDE_IDS, fold
from data.joining.key_matching import Match, Pair, count_repeats, find_differing_repeats, match
from data.limits import MAX_TRIED_KEYS

_UNNAMED = re.compile(r"column \d+")


def find_key(predictions: pa.Table, labels: pa.Table) -> Match | None:
    """Find the key that names and values show, or None.

    First a column that is unique in both files; then two id-like ones that are so together; then one that is unique
    in the labels only (many predictions for one label); then any two columns of both files that are unique together.
    Half of the smaller file's values must be shared.
    """
    ids, texts = _find_candidates(predictions, labels)
    singles = [match(predictions, labels, (pair,)) for pair in [*ids, *texts][:MAX_TRIED_KEYS]]
    singles = [single for single in singles if single.shares_half]
    for single in singles:
        if not count_repeats(single.left_counts) and not count_repeats(single.right_counts):
            return single
    together = _find_pair(predictions, labels)
    if together is not None:
        return together
    serve = set(ids) if len(predictions) == len(labels) else {*ids, *texts}
    for single in singles:
        if single.pairs[0] in serve and _have_one_name(single) and not len(find_differing_repeats(labels, single)):
            return single
    return _find_unique_pair(predictions, labels, _pair_plain_names(predictions, labels))


def find_repeating_ids(predictions: pa.Table, labels: pa.Table) -> Iterator[Match]:
    """Yield ids of one name in both files that different rows of the labels repeat, likeliest first."""
    ids = sorted(
        (pair for pair in match_column_names(predictions, labels) if names_rows(pair[0])), key=lambda p: _rank_id(p[0])
    )
    for pair in ids[:MAX_TRIED_KEYS]:
        matched = match(predictions, labels, (pair,))
        if matched.shares_half:
            yield matched


def _have_one_name(matched: Match) -> bool:
    """Return whether the columns have one name, or hold more than numbers: class_id is found in any row numbers."""
    left_name, right_name = matched.pairs[0]
    numbered: bool = pc.all(pc.match_substring_regex(matched.left[0], r"^[0-9]+$")).as_py()
    return fold(left_name) == fold(right_name) or not numbered


def _find_pair(predictions: pa.Table, labels: pa.Table) -> Match | None:
    """Find two columns of both files that name each row once together: an id and an epoch, say."""
    names = [
        pair for pair in match_column_names(predictions, labels) if names_rows(pair[0]) or fold(pair[0]) in BESIDE_IDS
    ]
    with_id = (pairs for pairs in combinations(names, 2) if any(names_rows(left_name) for left_name, _ in pairs))
    return _find_unique_pair(predictions, labels, with_id)


def _pair_plain_names(predictions: pa.Table, labels: pa.Table) -> Iterator[tuple[Pair, Pair]]:
    """Pair up columns of both files that hold texts or whole numbers and are called like nothing else."""
    names = [
        (left_name, right_name)
        for left_name, right_name in match_column_names(predictions, labels)
        if _is_text(predictions, left_name) and _is_text(labels, right_name) and may_name_rows(left_name)
    ]
    return combinations(names, 2)


def _find_unique_pair(predictions: pa.Table, labels: pa.Table, keys: Iterable[tuple[Pair, Pair]]) -> Match | None:
    for pairs in islice(keys, MAX_TRIED_KEYS):
        matched = match(predictions, labels, pairs)
        if matched.shares_half and not count_repeats(matched.left_counts) and not count_repeats(matched.right_counts):
            return matched
    return None


def _find_candidates(predictions: pa.Table, labels: pa.Table) -> tuple[list[Pair], list[Pair]]:
    """Return pairs of columns that could identify a row: id-like names, then texts of one name or without one.

    No more than are tried of each: all pairs of two files with thousands of such columns would be millions.
    """
    same = match_column_names(predictions, labels)
    ids = [pair for pair in same if names_rows(pair[0])]
    ids.sort(key=lambda pair: _rank_id(pair[0]))
    known = dict.fromkeys(ids)
    others = (pair for pair in _find_other_ids(predictions, labels) if pair not in known)
    texts = (p for p in same if p not in known and _is_text(predictions, p[0]) and _is_text(labels, p[1]))
    unnamed = _find_unnamed(predictions, labels)
    return list(islice(chain(known, others), MAX_TRIED_KEYS)), list(islice(chain(texts, unnamed), MAX_TRIED_KEYS))


def _find_other_ids(predictions: pa.Table, labels: pa.Table) -> Iterator[Pair]:
    """Yield columns of the two files that name rows: both by a usual name, or just one of the two by such."""
    left, right = ([n for n in table.column_names if names_rows(n)] for table in (predictions, labels))
    usual = {name for name in (*left, *right) if rank(name, "id") is not None}
    by_usual = {is_usual: [name for name in right if (name in usual) == is_usual] for is_usual in (True, False)}
    # image_id and id may be the same thing, image_id and class_id are not
    yield from ((a, b) for a in left if a in usual for b in by_usual[True])
    yield from ((a, b) for a in left for b in by_usual[a not in usual])


def _find_unnamed(predictions: pa.Table, labels: pa.Table) -> Iterator[Pair]:
    """Yield a column of a file without a header beside one of the other file that names rows, or has no name either."""
    right = _list_unnamed_or_ids(labels)
    unnamed = [name for name in right if _UNNAMED.fullmatch(name)]
    for name in _list_unnamed_or_ids(predictions):
        others = right if _UNNAMED.fullmatch(name) else unnamed
        yield from ((name, other) for other in others if fold(name) != fold(other))


def _list_unnamed_or_ids(table: pa.Table) -> list[str]:
    """Return the columns of text that have no name, or a name of ids."""
    texts = [name for name in table.column_names if _is_text(table, name)]
    return [name for name in texts if _UNNAMED.fullmatch(name) or names_rows(name)]


def _rank_id(name: str) -> int:
    place = rank(name, "id")
    return 100 if place is None else place


def match_column_names(predictions: pa.Table, labels: pa.Table) -> list[Pair]:
    """Return columns of both files with the same name, as names are compared."""
    folded = {fold(name): name for name in reversed(labels.column_names)}
    return [(name, folded[fold(name)]) for name in predictions.column_names if fold(name) in folded]


def _is_text(table: pa.Table, name: str) -> bool:
    return holds_text(table.schema.field(name).type)
