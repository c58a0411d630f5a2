"""Find a block of score columns, one a class: it stands or falls as one, with the classes that no row has as truth."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from data.columns.column import Column, sort_pairs, sums_to
from data.columns.column_names import group_by_affix, group_by_prefix, parse_name, says_score
from data.columns.name_ranks import VAGUE, names_confidence, rank
from data.columns.plain_labels import plain_form
from data.columns.plain_names import split_side
from data.columns.role_names import fold
from data.labels.name_matching import are_words, match_labels, match_names, note_spellings
from text.numbers import count, verb
from text.quoting import list_items

_ABOUT_SCORES = {
    "total", "sum", "max", "min", "mean", "avg", "average", "median", "std", "var", "top", "top1", "first", "second",
    "best", "margin", "entropy", "gap", "diff", "difference", "rank", "threshold", "cutoff", "value", "values",
    "time", "model", "version", "scaled", "raw", "calibrated", "count", "weight", "index", "id", "confidence",
    "certainty", "uncertainty", "variance", "norm", "temperature", "bias", "length", "loss",
}  # fmt: skip
"""Words after a score's prefix, or names, that name no class: score_max."""
_NUMBERED = "numbered, taken in label order"
_NAMES_CLASS = re.compile(
    r"(?:^|[^a-z])(?:class|klasse|classe|clase|cls|category|label|softmax|sigmoid)[^a-z]*$|(?:^|[^a-z])p ?\($",
    re.IGNORECASE,
)
"""The end of a prefix after which a class is named."""
_MOST_BESIDE = 20  # columns, of which each is tried
_SAYS_P = re.compile(r"p(?:[._\- ]|$)")


class ScoreBlock(NamedTuple):
    """(column, label) pairs of a score per class, why, and what to warn about."""

    pairs: tuple[tuple[str, str], ...]
    why: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_numbered(self) -> bool:
        """Return whether numbers, and no labels, are in the names of the columns."""
        return self.why == _NUMBERED


def find_score_block(columns: Sequence[Column], labels: Sequence[str], *, flags: bool = True) -> ScoreBlock | None:
    """Find the columns whose names are labels, alone or with one prefix or suffix; None without.

    With three or more labels at least half of them (and two) must have a column; with two labels one column is enough.
    Columns of the same make whose label does not occur join in (`_complete_block`).

    flags : whether scores may be 0 and 1 only, as a tree's are; 0/1 columns of several labels a row are no scores.
    """
    predicted = _list_predicted(columns, labels)
    columns = [column for column in columns if column.name not in predicted]
    groups = _group_by_affix(columns)
    best: tuple[dict[str, Column], str] = ({}, "")
    for affix, stems in groups.items():
        matched = match_labels(stems, labels)
        if len(matched) > len(best[0]) and _may_be_scores(matched, stems, says_class_score(affix), flags):
            best = (matched, affix)
    matched, affix = best
    if len(matched) < (1 if len(labels) <= 2 else max(2, len(labels) / 2)):
        return _find_prefixed_block(columns, labels, flags) or _find_numbered_block(columns, labels)
    block, doubts = matched, tuple[str, ...]()
    if len(matched) > 1 or len(labels) == 1:
        block, doubts = _complete_block(matched, _list_others(groups[affix], matched), columns, affix)
    why = "named like the label" if set(affix) <= {"|"} else f"named like the label with {affix.strip('|').strip()!r}"
    notes, warnings = note_spellings("score", _map_spelling(matched, affix))
    return ScoreBlock(sort_pairs(block, columns), _add_sum(why, block), (*warnings, *doubts), notes)


def _list_predicted(columns: Sequence[Column], labels: Sequence[str]) -> set[str]:
    """Return pred_1 and pred_2 where they hold the labels 1 and 2 themselves: the numbers are of models, not classes.

    Columns of 0 and 1, and ranks, which add up to the same in every row, may be of classes.
    """
    known = {plain_form(label) for label in labels}
    whole = [column for column in columns if column.is_whole and column.sample.values and not column.is_flag]
    named = [column for column in whole if any(reading.kind == "prediction" for reading in parse_name(column.name))]
    holding = [column for column in named if known.issuperset(map(plain_form, column.sample.values))]
    if not holding or sums_to(holding, float(sum(column.sample_numbers[0] for column in holding))):
        return set()
    return {column.name for column in holding}


def find_given_block(columns: Sequence[Column], labels: Sequence[str]) -> ScoreBlock | None:
    """Match the columns that a person named as scores with labels, also labels that only their names hold."""
    block = find_score_block(columns, labels)
    if block is not None and len(block.pairs) == len(columns):
        return block
    for affix, stems in _group_by_affix(columns).items():
        matched = match_labels(stems, labels)
        if len(stems) == len(columns) and matched and not (set(affix) <= {"|"} and _have_affix(columns, labels)):
            others = _list_others(stems, matched)
            return ScoreBlock(sort_pairs(matched | others, columns), "named by you", _warn_of_others(labels, matched))
    pairs = find_unsure_block(columns, labels)
    return ScoreBlock(pairs, "named by you") if pairs and len(pairs) == len(columns) else None


def _have_affix(columns: Sequence[Column], labels: Sequence[str]) -> bool:
    """Return whether a name is a label with a prefix or suffix: then names as a whole are no labels."""
    stems = [{r.stem for r in parse_name(column.name) if r.affix.strip("|")} for column in columns]
    return any(match_names(names, labels) for names in stems)


def _group_by_affix(columns: Sequence[Column]) -> dict[str, dict[str, Column]]:
    """Map prefixes and suffixes to columns of numbers, by the label in the name of each."""
    numbers = _list_numbers(columns)
    return {affix: {stem: numbers[name] for stem, name in group} for affix, group in group_by_affix(numbers).items()}


def _list_numbers(columns: Sequence[Column]) -> dict[str, Column]:
    return {column.name: column for column in columns if column.holds_numbers}


def _list_others(stems: Mapping[str, Column], matched: Mapping[str, Column]) -> dict[str, Column]:
    known = {column.name for column in matched.values()}
    return {stem: column for stem, column in stems.items() if column.name not in known}


def _warn_of_others(labels: Sequence[str], matched: Mapping[str, Column]) -> tuple[str, ...]:
    without = [label for label in labels if label not in matched]
    return (f"{count(len(without), 'label')} without a score column: {list_items(without)}.",) if without else ()


def says_class_score(affix: str) -> bool:
    """Return whether what stands before or after a label says that the column is the score of that class.

    >>> says_class_score("rf_proba_"), says_class_score("Class "), says_class_score("P("), says_class_score("width_")
    (True, True, True, False)
    """
    plain = affix.strip("|")
    return says_score(plain) or bool(_NAMES_CLASS.search(plain) or _SAYS_P.match(plain)) or "confidence" in plain


def names_score(name: str, label: str) -> bool:
    """Return whether a name says of which class it is the score: p_spam, of spam.

    >>> names_score("p_spam", "spam"), names_score("P(spam)", "spam"), names_score("spam", "spam")
    (True, True, False)
    """
    affixes = [reading.affix for reading in parse_name(name) if match_names([reading.stem], [label])]
    affixes += [prefix for prefix, _ in group_by_prefix([name], {label, plain_form(label)})]
    return any(map(says_class_score, affixes))


def names_label(name: str, labels: Sequence[str]) -> bool:
    """Return whether a name is that of one of the labels, alone or with a prefix or suffix.

    >>> names_label("p_ham", ["ham", "spam"]), names_label("y_score", ["ham", "spam"])
    (True, False)
    """
    return any(match_names([reading.stem], labels) for reading in parse_name(name))


def list_parts(columns: Sequence[Column]) -> set[str]:
    """Return the names of columns of one prefix or suffix that add up to 1: none of them is a score by itself."""
    groups = [stems.values() for affix, stems in _group_by_affix(columns).items() if affix.strip("|")]
    return {column.name for group in groups if sums_to(list(group), 1) for column in group}


def repeats_truth(scores: Sequence[tuple[Column, str]], truth: Column) -> bool:
    """Return whether columns of 0 and 1 hold 1 exactly in the true rows of their label: they are the truth itself."""
    place = truth.distinct.place
    return all(column.is_flag for column, _ in scores) and all(
        np.array_equal(column.numbers == 1, truth.distinct.codes == place.get(label, -2)) for column, label in scores
    )


def _may_be_scores(matched: Mapping[str, Column], stems: Mapping[str, Column], sure: bool, flags: bool) -> bool:
    """Return whether columns are no 0/1 features: a name says that they are scores, or each row has exactly one 1."""
    if not all(column.is_flag for column in matched.values()):
        return True
    if sure or not flags:
        return flags
    every = [column for column in stems.values() if column.is_flag]
    return any(len(of) > 1 and sums_to(of, 1) for of in (list(matched.values()), every))


def _add_sum(why: str, block: Mapping[str, Column]) -> str:
    return why + ", rows add up to 1" * sums_to(list(block.values()), 1)


# -- classes that no row has as truth ----------------------------------------------------------------


def _complete_block(
    matched: dict[str, Column], rest: Mapping[str, Column], columns: Sequence[Column], affix: str
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return a block of scores with the columns of classes that do not occur in the file, and what to warn about.

    They join where rows then add up, and did not before. Scores of other kinds add up to nothing, and without a class
    another one would be the highest: what stands beside the others, and looks like them, joins.

    matched, rest : label -> column. columns : all, in file order. affix : beside the label in their names.
    """
    rest = {stem: column for stem, column in rest.items() if _may_join(column)}
    bare = set(affix) <= {"|"}
    beside = _find_beside(matched, rest, columns, bare=bare)
    if not rest or _adds_up(matched):
        return (matched | beside if not bare and _adds_up(matched | beside) else matched), ()
    for rounded in (False, True):
        for more in ({}, rest, *_list_parts_beside(beside)):
            if _adds_up(matched | more, rounded=rounded):
                return matched | more, ()
    alike = {stem: column for stem, column in beside.items() if _is_alike(column, matched, affix)}
    low, high = _find_ends(list(matched.values()))
    joined = not bare or (len(alike) <= max(1, len(matched) // 2) and (low < 0 < high or 0 <= low <= high <= 1))
    return (matched | alike if joined else matched), _warn(alike, joined=joined)


def _list_parts_beside(beside: dict[str, Column]) -> Iterator[dict[str, Column]]:
    """Yield the columns beside a block that may complete it: all, each alone, and all but one, such as a feature."""
    yield beside
    if 1 < len(beside) <= _MOST_BESIDE:
        yield from ({stem: column} for stem, column in beside.items())
        yield from ({stem: beside[stem] for stem in beside if stem != other} for other in beside)


def _may_join(column: Column) -> bool:
    return column.file != "labels" and not names_confidence(column.name)


def _find_beside(
    matched: Mapping[str, Column], rest: Mapping[str, Column], columns: Sequence[Column], *, bare: bool
) -> dict[str, Column]:
    """Return the columns that stand in one run with the matched ones, and name a class."""
    stems = {id(column): stem for stem, column in rest.items() if not _names_no_class(stem, bare=bare)}
    known = {id(column) for column in matched.values()}
    beside: dict[str, Column] = {}
    run: list[Column] = []
    for column in [*columns, None]:
        if column is not None and (id(column) in stems or id(column) in known):
            run.append(column)
            continue
        if any(id(other) in known for other in run):
            beside |= {stems[id(other)]: other for other in run if id(other) in stems}
        run = []
    return beside


def _names_no_class(stem: str, *, bare: bool) -> bool:
    """Return whether a name says what else a number is: score_max, confidence, y_score; bare : it is the name."""
    places = [rank(stem, role) for role in ("score", "prediction", "truth", "id")] if bare else [rank(stem, "score")]
    return fold(stem) in _ABOUT_SCORES or any(place is not None and place < VAGUE for place in places)


def _is_alike(column: Column, matched: Mapping[str, Column], affix: str) -> bool:
    """Return whether a column may be a score as the others are: by its kind and, unless its name says so, its range."""
    others = list(matched.values())
    kinds = {_find_kind(other) for other in others}
    if says_score(affix) and _find_kind(column) in {*kinds, "fractions", "flags"}:
        return True
    (low, high), (lowest, highest) = _find_ends([column]), _find_ends(others)
    if _find_kind(column) not in kinds or (lowest >= 0 and highest <= 1):
        return _find_kind(column) in kinds and low >= 0 and high <= 1
    width = highest - lowest
    return lowest - width <= low and high <= highest + width and high - low >= width / 10


def _find_kind(column: Column) -> str:
    if column.is_flag:
        return "flags"
    return "fractions" if column.is_continuous or column.is_written_number else "whole numbers"


def _find_ends(columns: Sequence[Column]) -> tuple[float, float]:
    """Return the lowest and the highest number of the sample; (nan, nan) without numbers."""
    every = np.concatenate([column.sample_numbers for column in columns])
    known = every[~np.isnan(every)]
    return (float(known.min()), float(known.max())) if len(known) else (math.nan, math.nan)


def _warn(beside: Mapping[str, Column], *, joined: bool) -> tuple[str, ...]:
    if not beside:
        return ()
    if not joined:
        return (
            f"{list_items(beside)} stand beside the score columns, but name no label of the file. If they are scores "
            "of further classes, choose the score columns.",
        )
    occur = f"{count(len(beside), 'class')} {verb(len(beside), 'occurs')} only as score columns"
    return (f"{occur}: {list_items(beside)}. If a column is no score of a class, choose the score columns.",)


def _adds_up(block: Mapping[str, Column], *, rounded: bool = False) -> bool:
    """Return whether nearly all rows, or their exponentials, add up to 1, or rows to 100.

    rounded : allow for numbers of one or two digits.
    """
    columns = list(block.values())
    if rounded:
        return any(_adds_up_rounded(columns, total) for total in (1, 100))
    return sums_to(columns, 1) or sums_to(columns, 100) or sums_to(columns, 1, logs=True)


def _adds_up_rounded(columns: Sequence[Column], total: int) -> bool:
    """Return whether rows add up to a total but for rounding to one or two digits of the share."""
    if len(columns) < 2:
        return False
    shares = np.array([column.sample_numbers for column in columns]) / total
    shares = shares[:, ~np.isnan(shares).any(axis=0)]
    digits = next((d for d in (1, 2) if np.allclose(shares * 10**d, np.round(shares * 10**d), atol=1e-6)), None)
    if digits is None or not shares.size or not ((shares > 0) & (shares < 1)).any():
        return False
    slack = math.sqrt(len(columns)) * 10.0**-digits  # 3.5 standard deviations of that many rounding errors
    return bool(np.mean(np.abs(shares.sum(axis=0) - 1) <= slack + 1e-9) > 0.98)


def _map_spelling(matched: Mapping[str, Column], affix: str) -> dict[str, str]:
    """Map labels to the spelling in their column's name, without the affix."""
    stems = {label: [r.stem for r in parse_name(c.name) if r.affix == affix] for label, c in matched.items()}
    return {label: spelled[0] for label, spelled in stems.items() if spelled}


def _find_prefixed_block(columns: Sequence[Column], labels: Sequence[str], flags: bool) -> ScoreBlock | None:
    """Find the columns of labels behind any common prefix (class_0, P(0)).

    The prefix says it, rows add up, or labels are words that names cannot end in by chance.
    """
    for prefix, matched, stems in _list_prefixed(columns, labels, flags):
        sure = says_class_score(prefix)
        if not _may_be_scores(matched, stems, sure, flags):
            continue
        block, doubts = _complete_block(matched, _list_others(stems, matched), columns, prefix)
        adds_up = _adds_up(block) or _adds_up(block, rounded=True)
        if len(block) > 1 and (sure or adds_up or are_words(labels)):
            why = _add_sum(f"named like the label with {prefix!r}", block)
            return ScoreBlock(sort_pairs(block, columns), why, doubts)
    return None


def find_unsure_block(columns: Sequence[Column], labels: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return (column, label) of numbers with a common prefix, one for each label and no more; () without."""
    blocks = (
        matched for _, matched, stems in _list_prefixed(columns, labels, flags=False) if len(stems) == len(matched)
    )
    return next((sort_pairs(matched, columns) for matched in blocks), ())


def _list_prefixed(
    columns: Sequence[Column], labels: Sequence[str], flags: bool
) -> Iterator[tuple[str, dict[str, Column], dict[str, Column]]]:
    """Yield common prefixes of a column for each label, with these columns, and all that begin so."""
    formed = {form(label): label for form in (plain_form, str) for label in labels}
    numbers = {name: c for name, c in _list_numbers(columns).items() if not c.is_whole or (flags and c.is_flag)}
    groups = group_by_prefix(numbers, set(formed))
    for (prefix, end), group in sorted(groups.items(), key=lambda item: -len(item[1])):
        matched = {formed[stem]: numbers[name] for stem, name in group}
        if len(labels) == len(matched) == len(group):
            yield prefix, matched, _list_between(numbers, prefix, end)


def _list_between(numbers: Mapping[str, Column], prefix: str, end: str) -> dict[str, Column]:
    """Return all columns whose names begin and end so, by what stands between."""
    names = {name: split_side(name)[0] for name in numbers}
    inside = {name: base for name, base in names.items() if base.startswith(prefix) and base.endswith(end)}
    stems = {base[len(prefix) : len(base) - len(end)]: numbers[name] for name, base in inside.items()}
    return {stem: column for stem, column in stems.items() if stem}


def _find_numbered_block(columns: Sequence[Column], labels: Sequence[str]) -> ScoreBlock | None:
    """Find prob_0, prob_1, ..., or from 1: one a label, taken in label order, which is worth a warning."""
    digits = {str(place) for place in range(len(labels) + 1)}
    numbers = _list_numbers(columns)
    known = [(affix, stems) for affix, stems in _group_by_affix(columns).items() if affix.strip("|")]
    groups = group_by_prefix([name for name, column in numbers.items() if not column.is_whole], digits)
    any_prefix = [(prefix, {stem: numbers[name] for stem, name in group}) for (prefix, _), group in groups.items()]
    any_prefix = [(prefix, stems) for prefix, stems in any_prefix if sums_to(list(stems.values()), 1)]
    for affix, stems in [*known, *any_prefix]:
        first = min((int(stem) for stem in stems if stem in digits), default=0)
        wanted = {str(place) for place in range(first, first + len(labels))}
        scores = says_class_score(affix) or not all(c.is_flag for c in stems.values())
        if len(labels) > 1 and set(stems) == wanted and first < 2 and scores:
            pairs = tuple((stems[str(first + place)].name, label) for place, label in enumerate(labels))
            text = ", ".join(f"{name} = {label}" for name, label in pairs[:3]) + (", …" if len(pairs) > 3 else "")
            return ScoreBlock(
                pairs,
                _NUMBERED,
                (f"The score columns are numbered, so they were taken in label order ({text}): check it.",),
            )
    return None
