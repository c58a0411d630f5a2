"""Write the joined lines of several sources as one table of counts, with the predictions of each in a column."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.counted_metadata import Counted, JoinedSource, SourceJoin, require_counted, with_counted
from data.columns.plain_names import free_name
from data.comparison.aligned_runs import AlignedRuns
from data.evaluation import ColumnRole, FileFacts, Settings
from data.runs.joined_sides import SourceCounts
from text.numbers import count
from text.quoting import list_items, quote


def join_counts(
    parts: Sequence[SourceCounts], aligned: AlignedRuns, ids: Sequence[tuple[str, ...]], wanted: Settings
) -> tuple[pa.Table, FileFacts, Settings]:
    """Return the counts of joined rows: the lines of the first source, with a column of predictions of every source.

    ids : columns of the id in every source. wanted : settings of the first source, as somebody corrected them.
    """
    first, about = parts[0], require_counted(parts[0].table)
    assert first.settings.pred is not None
    columns = _name_predictions(first, aligned.names)
    sources = tuple(
        _describe_source(part, aligned, place, columns[place], ids[place]) for place, part in enumerate(parts)
    )
    join = SourceJoin(sources, aligned.rows.repeated, aligned.rows.truth_differs, aligned.warnings)
    table, n = _join_tables(parts, aligned, columns, about.rows), aligned.rows.joined
    digest = json.dumps([dataclasses.asdict(join), wanted.merge, [part.facts.sha256 for part in parts], len(table)])
    digest = hashlib.sha256(digest.encode()).hexdigest()
    keys = list_items(list(dict.fromkeys(name for names_of_side in ids for name in names_of_side)))
    named = " and ".join(map(quote, aligned.names))
    sentences = (
        f"{count(n)} of {named} were joined by {keys} into {count(len(table), 'line')}. The true labels are those of "
        f"{quote(aligned.names[0])}.",
        *about.notes,
    )
    joined = dataclasses.replace(
        about, n_rows=n, roles=_find_roles(about, first.settings.pred, columns),
        columns={columns[0] if name == first.settings.pred else name: raw for name, raw in about.columns.items()},
        notes=sentences, warnings=(*about.warnings, *aligned.warnings), join=join, class_scores=(),
    )  # fmt: skip
    facts = FileFacts(
        " and ".join(aligned.names), first.facts.format, n, tuple(table.column_names),
        sum(part.facts.n_bytes for part in parts), digest,
    )  # fmt: skip
    settings = dataclasses.replace(
        first.settings, pred=columns[0], positive=wanted.positive, label_set=wanted.label_set, **wanted.choices()
    )
    return with_counted(table, joined), facts, settings


def _name_predictions(first: SourceCounts, names: Sequence[str]) -> list[str]:
    """Return the columns of predictions, named after their sources; none is a column of the first."""
    columns: list[str] = []
    for name in names:
        columns.append(free_name(f"predicted ({name})", [*first.table.column_names, *columns]))
    return columns


def _describe_source(
    part: SourceCounts, aligned: AlignedRuns, place: int, column: str, ids: tuple[str, ...]
) -> JoinedSource:
    about, name, rows = require_counted(part.table), aligned.names[place], aligned.rows
    return JoinedSource(
        name, about.snapshot, ids, column, about.n_rows, rows.only_in[name], rows.without_prediction.get(name, 0)
    )


def _join_tables(parts: Sequence[SourceCounts], aligned: AlignedRuns, columns: Sequence[str], rows: str) -> pa.Table:
    """Return the lines of the first source that were joined, with the predictions of all and the joined rows."""
    lines = parts[0].table.take(aligned.places[0])
    for part, place, column in zip(parts, aligned.places, columns, strict=True):
        predicted = part.table.column(part.settings.pred)
        if part is parts[0]:
            lines = lines.rename_columns(
                [column if name == part.settings.pred else name for name in lines.column_names]
            )
        else:
            lines = lines.append_column(column, predicted.take(place))
    assert aligned.weights is not None
    numbers = pa.array(np.char.mod("%d", aligned.weights).tolist(), pa.string()).dictionary_encode()
    return lines.set_column(lines.column_names.index(rows), rows, numbers)


def _find_roles(about: Counted, pred: str, columns: Sequence[str]) -> tuple[ColumnRole, ...]:
    roles = [dataclasses.replace(role, column=columns[0] if role.column == pred else role.column)
             for role in about.roles]  # fmt: skip
    return (*roles, *(ColumnRole(column, "other", "predictions of another source") for column in columns[1:]))
