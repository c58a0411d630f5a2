"""Split counts of a source by the scores of further models: one line for each combination of the scores' bins."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from data.building.counted_labels import check_columns, check_numbers, sort_lines
from data.columns.column import Column
from data.columns.counted_metadata import Counted, require_counted, with_counted
from data.columns.score_scale import find_source_cut
from data.engines.query import ROWS, ColumnFacts, Grouping, name_ends
from data.engines.row_source import RowSource
from data.engines.score_bins import describe_bins, merge_bins
from data.errors import DataError
from data.evaluation import ColumnRole, Settings
from data.limits import MAX_COUNT_LINES
from data.process.limits import Limits
from data.reading.binary.parquet import make_canonical
from data.roles.search import find_score_columns
from data.runs.class_scores.source_keys import find_key, read_conditions
from text.quoting import quote

if TYPE_CHECKING:
    from data.engines.engine import Engine

_BITS = (9, 8, 7, 6, 5, 4)
"""Significant bits of the scores' bins that are tried, until all combinations fit."""


def split_by_scores(
    table: pa.Table, settings: Settings, folder: RowSource, engine: Engine, columns: Sequence[str]
) -> pa.Table:
    """Return the counts of a source, split by the scores of further models, exact or in bins that fit together.

    table, settings : counts of two classes with one column of scores. columns : scores of the same class.

    Raises
    ------
    DataError
        counts without scores, columns that hold none, too many combinations, a query that failed.
    """
    about = require_counted(table)
    if about.score is None or not settings.scores:
        raise DataError("Scores are compared where a source has two classes and a score of one: choose that column.")
    if about.softmax:
        raise DataError("The scores are logits of both classes: write probabilities to compare two models.")
    every = [*columns, about.columns[about.score]]
    check_columns(every, folder.schema.names)
    check_numbers(every, dict(zip(every, every, strict=True)), folder.schema)
    keys = [name for name in table.column_names if name not in _made_of_scores(about)]
    scores = {about.score: about.columns[about.score], **{name: name for name in columns}}
    facts = engine.facts(list(scores.values()))
    asked = _ask_for(about, settings, folder, keys, scores, facts)
    counted = _count(engine, asked, facts, MAX_COUNT_LINES)
    return _as_table(counted, about, keys, list(scores))


def list_score_columns(sample: pa.Table, taken: Sequence[str], score: str = "") -> list[str]:
    """Return the columns of a sample that could hold another model's scores: named like scores, or like the known one.

    score : the column of scores in use; "" = none of the sample.
    """
    columns = [Column(sample, name) for name in sample.column_names if name not in taken]
    numbers = [column for column in columns if column.is_number and column.is_continuous]
    named = {column.name for column in find_score_columns(numbers)}
    if score in sample.column_names:
        score_column = Column(sample, score)
        named |= {
            column.name for column in numbers if _is_version(column.name, score) and _fits_scale(column, score_column)
        }
    return [column.name for column in numbers if column.name in named]


def _is_version(name: str, score: str) -> bool:
    """Return whether two names differ in the first or in the last word only, or one has one more word at its end.

    >>> [_is_version(name, "fraud_score_a") for name in ("fraud_score_b", "fraud_score", "fraud_score_a2", "fraud")]
    [True, True, True, False]
    """
    words, score_words = (re.findall(r"[^\W\d_]+|\d+", text.casefold()) for text in (name, score))
    pairs = (
        (words[:-1], score_words[:-1]),
        (words[1:], score_words[1:]),
        (words[:-1], score_words),
        (words, score_words[:-1]),
    )
    return any(first == second != [] for first, second in pairs)


def _fits_scale(column: Column, scores: Column) -> bool:
    """Return whether a column stays within 0 to 1 where the scores in use do."""
    return not _is_share(scores) or _is_share(column)


def _is_share(column: Column) -> bool:
    low, high = column.range
    return low >= 0 and high <= 1


def _made_of_scores(about: Counted) -> set[str | None]:
    return {about.rows, about.score, about.upper, *about.more_scores, *about.more_scores.values()}


def _ask_for(
    about: Counted, settings: Settings, folder: RowSource, keys: Sequence[str], scores: Mapping[str, str],
    facts: Mapping[str, ColumnFacts],
) -> Grouping:  # fmt: skip
    """Return the grouping by exact scores; no bin of them will cross the threshold."""
    scale = "probability" if settings.scale == "confidence" else settings.scale
    cuts = [(raw, find_source_cut(scale, settings.threshold, facts[raw].high)) for raw in scores.values()]
    (score, cut), *more = cuts
    return Grouping(
        tuple(find_key(about, name) for name in keys), score=score, cut=cut, more=tuple(more), weights=about.weights,
        where=read_conditions(about, folder.schema), most=MAX_COUNT_LINES,
    )  # fmt: skip


def _count(engine: Engine, asked: Grouping, facts: Mapping[str, ColumnFacts], most: int) -> pa.Table:
    """Return exact counts where they fit, else those in the narrowest bins that do."""
    if (
        max(facts_of_column.n_distinct for facts_of_column in facts.values()) <= most
        and len(lines := engine.count(asked)) <= most
    ):
        return lines
    for bits in _BITS:
        lines = engine.count(dataclasses.replace(asked, bits=bits))
        if len(lines) <= most:
            for place in range(len(asked.scores)):
                lines = merge_bins(lines, *name_ends(place))
            return lines
    raise DataError(
        f"There are more than {most:,} combinations of the scores: split the counts by fewer columns, or compare fewer."
    )


def _as_table(counts: pa.Table, about: Counted, keys: Sequence[str], scores: Sequence[str]) -> pa.Table:
    """Return an engine's answer as a table of counts, and what it says of its columns."""
    named, uppers = dict(zip((f"k{i}" for i in range(len(keys))), keys, strict=True)) | {ROWS: about.rows}, {}
    notes, roles = [], []
    for place, score in enumerate(scores):
        low, high = name_ends(place)
        named[low] = score
        if not counts.column(low).equals(counts.column(high)):
            uppers[score] = named[high] = f"{score} (highest)"
            notes.append(f"{quote(score)}: {describe_bins(counts.column(low), uppers[score])}")
            roles.append(ColumnRole(uppers[score], "highest score", "of a line's bin"))
        if place:
            roles.append(ColumnRole(score, "score of another model", "added on Compare"))
    limits = Limits.from_environment()
    table = sort_lines(make_canonical(counts.select(list(named)), limits)[0]).rename_columns(list(named.values()))
    gone = {*about.more_scores, *about.more_scores.values(), about.upper, *uppers.values()}
    more = {score: uppers.get(score, "") for score in scores[1:]}
    columns = {name: raw for name, raw in about.columns.items() if name not in gone}
    return with_counted(table, dataclasses.replace(
        about, upper=uppers.get(scores[0]), more_scores=more, notes=(*about.notes, *notes),
        columns=columns | {name: name for name in more},
        roles=(*(role for role in about.roles if role.column not in gone), *roles),
    ))  # fmt: skip
