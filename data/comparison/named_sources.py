"""Join the source of a draft with another one of this server: one table of counts with the predictions of both."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

import pyarrow as pa
from pyarrow import types as kinds

from data.building.counted_labels import check_joinable
from data.columns.counted_metadata import Counted, read_counted, require_counted
from data.columns.name_ranks import names_rows
from data.comparison.aligned_runs import align_runs
from data.comparison.joined_counts import join_counts
from data.engines.engine import check_joined, choose_engine
from data.engines.row_source import RowSource
from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.limits import MAX_COMPARED_RUNS
from data.runs.counted import CountedSource, count_source
from data.runs.draft import Draft, Given
from data.runs.engine_turns import Report, open_in_turn
from data.runs.joined_sides import SourceCounts, find_ids, join_side
from data.runs.sources import Source, find_source, find_unchanged
from data.runs.tables import load_joined_table, store_table
from text.quoting import quote

_NOT_JOINED = "it is not joined"


def list_joined_sources(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the names of the sources that an evaluation was counted of; none where its counts name no source."""
    counted = read_counted(evaluation.rows)
    if counted is None or counted.source is None:
        return ()
    if counted.join is not None:
        return tuple(side.source for side in counted.join.sources)
    return (counted.source,)


def find_join_problem(evaluation: Evaluation) -> str:
    """Return why the source of an evaluation cannot be joined, and what to do; "" where it can."""
    try:
        check_joinable(evaluation.settings)
        _check_prediction(evaluation.settings, evaluation.name)
    except DataError as error:
        return str(error)
    return ""


def list_shared_columns(names: Sequence[str], person: str = "", groups: Collection[str] = ()) -> list[str]:
    """Return the columns that all sources have and that can name rows, those named like ids first.

    Raises
    ------
    DataError
        as `find_source`; a source that cannot be opened.
    """
    schemas = [find_source(name, person, groups).open_folder().schema for name in names]

    def has_plain(schema: pa.Schema, name: str) -> bool:
        return name in schema.names and not kinds.is_nested(schema.field(name).type)

    shared = [name for name in schemas[0].names if all(has_plain(schema, name) for schema in schemas)]
    return sorted(shared, key=lambda name: not names_rows(name))


def join_source(
    draft: Draft, name: str, key: str | None, report: Report, *, person: str = "", groups: Collection[str] = ()
) -> tuple[Draft, Evaluation]:
    """Count the source of a draft and another one, joined by ids, and store the table of counts as a draft.

    draft : of one source, or of some that were joined. key : the columns of the id; None = found.

    Raises
    ------
    DataError
        as `find_unchanged`, `count_source`, `find_ids`, `join_side` and `align_runs`; sources of different engines;
        what `report` raises, which stops the query.
    """
    counted = require_counted(load_joined_table(draft)[0])
    opened = [*_open_counted(counted, person, groups), _open(name, person, groups)]
    names = [source.name for source, _ in opened]
    _check_sources(names)
    folders = [folder for _, folder in opened]
    engine = _choose_engine([source for source, _ in opened], folders)
    check_joined(engine, *folders)
    ids = find_ids(folders, names, key)
    slices = [role.column for role in counted.roles if role.role == "other" and not _is_joined(counted, role.column)]
    n_steps = len(opened) + 1
    parts = []
    for place, (source, folder) in enumerate(opened):
        given = _find_given(draft, counted, source) if place == 0 else source.given
        given = dataclasses.replace(given, task=draft.settings.task or given.task)
        engine_source = dataclasses.replace(source, engine=engine)
        with open_in_turn(engine_source, folder, _share_of(report, place, n_steps)) as asking:
            counts = count_source(
                folder, asking, given, name=source.name, source=source.name, slices=slices if place == 0 else (),
                scores=False,
            )  # fmt: skip
        _check_prediction(counts.settings, source.name)
        merged = dataclasses.replace(counts.settings, merge=draft.settings.merge if place == 0 else ())
        parts.append(SourceCounts(counts.table, counts.facts, counts.settings, counts.evaluation(merged)))
    sides = [join_side(*side) for side in zip(folders, parts, ids, strict=True)]
    first = dataclasses.replace(opened[0][0], engine=engine)
    with open_in_turn(first, folders[0], _share_of(report, n_steps - 1, n_steps), others=folders[1:]) as asking:
        lines = asking.join(sides)
    aligned = align_runs([part.evaluation for part in parts], names, lines=lines)
    table, facts, settings = join_counts(parts, aligned, ids, draft.settings)
    given = _find_given(draft, counted, opened[0][0])
    return Draft(facts.name, (facts,), (store_table(table),), given, settings), CountedSource(
        table, facts, settings).evaluation()  # fmt: skip


def _open_counted(counted: Counted, person: str, groups: Collection[str]) -> list[tuple[Source, RowSource]]:
    """Return the sources that were counted, none of which may have changed since."""
    if counted.join is None:
        return [find_unchanged(counted, person, groups, _NOT_JOINED)]
    return [
        find_unchanged(
            dataclasses.replace(counted, source=side.source, snapshot=side.snapshot), person, groups, _NOT_JOINED
        )
        for side in counted.join.sources
    ]


def _open(name: str, person: str, groups: Collection[str]) -> tuple[Source, RowSource]:
    source = find_source(name, person, groups)
    return source, source.open_folder()


def _check_sources(names: Sequence[str]) -> None:
    if names[-1] in names[:-1]:
        raise DataError(f"The source {quote(names[-1])} is compared already: choose another one.")
    if len(names) > MAX_COMPARED_RUNS:
        raise DataError(f"A comparison takes {MAX_COMPARED_RUNS} runs at most: remove one first.")


def _choose_engine(sources: Sequence[Source], folders: Sequence[RowSource]) -> str:
    """Return the one engine that counts all sources."""
    named = sorted({source.engine for source in sources} - {"auto"})
    if len(named) > 1:
        raise DataError(
            f"These sources are counted by different engines ({' and '.join(named)}), which cannot join them."
        )
    return named[0] if named else choose_engine(*folders, memory_bytes=min(source.memory_bytes for source in sources))


def _find_given(draft: Draft, counted: Counted, source: Source) -> Given:
    """Return the columns by which the first source was counted, as its draft has them since."""
    given = source.given if draft.given == Given() else draft.given
    if counted.join is not None:  # its draft says them
        return given
    columns = {name for name in (draft.settings.truth, draft.settings.pred) if name in counted.columns}
    truth, pred = (name if name in columns else None for name in (draft.settings.truth, draft.settings.pred))
    return dataclasses.replace(given, truth=truth or given.truth, pred=pred or given.pred)


def _is_joined(counted: Counted, column: str) -> bool:
    return counted.join is not None and counted.join.find(column) is not None


def _check_prediction(settings: Settings, name: str) -> None:
    if settings.pred is None:
        raise DataError(
            f"The source {quote(name)} predicts by a column for each label: join it on the command line, or write its "
            "labels into one column."
        )


def _share_of(report: Report, place: int, n: int) -> Report:
    return lambda share: report((place + min(1.0, share)) / n)
