"""Count sources: one by its path, without keeping anything, or a listed one, once for everybody; or draw a sample."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import OrderedDict
from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as kinds

from data.columns.column import distinct
from data.columns.table_metadata import read_counted
from data.engines.engine import choose_engine, open_engine
from data.engines.join_query import JoinedLines, JoinSide
from data.engines.parquet_folder import ParquetFolder, is_key, open_folder, select_keys
from data.engines.row_query import RowQuery
from data.engines.row_source import RowSource
from data.errors import DataError
from data.evaluation import Evaluation, FileFacts
from data.joining.key_columns import names_rows
from data.joining.key_matching import read_key
from data.limits import MAX_KEPT_SOURCES, MAX_ROW_CONDITIONS, MAX_SOURCE_COLUMNS, SOURCE_SAMPLE_ROWS
from data.process.limits import Limits
from data.reading.binary.parquet import make_canonical
from data.roles.detect import detect
from data.runs.class_scores.counting import count_classes, write_class_scores
from data.runs.class_scores.source_keys import find_key, read_conditions, read_raw_value
from data.runs.counted import CountedSource, count_source
from data.runs.draft import Draft, Given
from data.runs.draft_changes import correct_settings
from data.runs.sources import Report, Source, asked, find_unchanged
from data.runs.tables import load_joined_table
from data.runs.understanding import open_draft
from data.store import store
from text.numbers import count
from text.quoting import list_items, quote

SEED = 0  # of the sample
_DRAWN = f"of the source, drawn at random (seed {SEED})."
_KEPT: OrderedDict[tuple[str, str, str], CountedSource] = OrderedDict()


def is_counted(path: Path, engine: str | None) -> bool:
    """Return whether a path is counted by an engine and not read row by row.

    Folders are, files where an engine is named, and Parquet files above the limits of what is read.
    """
    if path.is_dir() or engine not in (None, "auto"):
        return True
    if path.suffix != ".parquet" or not path.is_file():
        return False
    limits = Limits.from_environment()
    try:
        folder = open_folder(path)
    except DataError:  # reading it row by row says what is wrong
        return False
    size = path.stat().st_size
    return size > limits.n_bytes or folder.n_rows > limits.rows or folder.n_bytes > limits.expanded_bytes


def read_source(
    path: Path,
    given: Given,
    *,
    engine: str = "auto",
    memory_bytes: int = 10**9,
    slices: Sequence[str] = (),
) -> Evaluation:
    """Count a folder of Parquet files, or one of them, without keeping anything.

    Raises
    ------
    DataError
        as `open_folder`, `open_engine` and `count_source`.
    """
    folder = open_path(path)
    with closing(open_engine(engine, folder, memory_bytes=memory_bytes)) as opened:
        return count_source(folder, opened, given, name=path.name or "source", slices=slices).evaluation()


def read_source_models(
    path: Path, given: Given, columns: Sequence[str], *, engine: str = "auto", memory_bytes: int = 10**9,
    slices: Sequence[str] = (),
) -> list[Evaluation]:  # fmt: skip
    """Count a folder or a file by the truth and several columns of predictions at once; an evaluation of each.

    All of them have the lines of one table, so that they can be compared line by line.

    Raises
    ------
    DataError
        as `read_source`; a column that is not there.
    """
    folder = open_path(path)
    first = dataclasses.replace(given, pred=columns[0], scores=())
    with closing(open_engine(engine, folder, memory_bytes=memory_bytes)) as opened:
        found = count_source(
            folder, opened, first, name=path.name or "source", slices=(*columns[1:], *slices), scores=False
        )
    wanted = [{"pred": column, "raw": None, "score_columns": ()} for column in columns]
    return [found.evaluation(correct_settings(found.table, found.settings, one)) for one in wanted]


def read_joined_sources(
    paths: Sequence[Path], given: Given, key: str | None, *, engine: str = "auto", memory_bytes: int = 10**9,
    slices: Sequence[str] = (),
) -> tuple[list[Evaluation], JoinedLines]:  # fmt: skip
    """Count folders or files of the same rows each by itself, then the ids that they share by the lines of these.

    key : the columns of the id as a person writes them; None = a column that all have and that is named like an id.

    Of rows of one id that differ in a slice only, the first line in the order of the columns' values counts.

    Raises
    ------
    DataError
        as `read_source`; no such column, or none that is named like an id.
    """
    folders = [open_path(path) for path in paths]
    name = choose_engine(*folders) if engine == "auto" else engine
    counted = []
    for path, folder in zip(paths, folders, strict=True):
        own = tuple(column for column in slices if column in folder.schema.names)
        with closing(open_engine(name, folder, memory_bytes=memory_bytes)) as opened:
            counted.append(_sort_lines(count_source(folder, opened, given, name=path.name, slices=own, scores=False)))
    ids = _find_ids(folders, [path.name for path in paths], key)
    sides = [_join_side(*one) for one in zip(folders, counted, ids, strict=True)]
    with closing(open_engine(name, folders[0], memory_bytes=memory_bytes, others=folders[1:])) as opened:
        return [one.evaluation() for one in counted], opened.join(sides)


def _sort_lines(counted: CountedSource) -> CountedSource:
    """Return counts in the order of their columns' values, whatever the order in which an engine answered."""
    about = read_counted(counted.table)
    assert about is not None
    columns = {
        name: column.cast(column.type.value_type) if kinds.is_dictionary(column.type) else column
        for name, column in zip(counted.table.column_names, counted.table.columns, strict=True)
        if name != about.rows
    }
    order = pc.sort_indices(pa.table(columns), sort_keys=[(name, "ascending") for name in columns])
    return dataclasses.replace(counted, table=counted.table.take(order))


def _find_ids(folders: Sequence[ParquetFolder], called: Sequence[str], key: str | None) -> list[tuple[str, ...]]:
    """Return the columns of the id in every source."""
    names = [folder.schema.names for folder in folders]
    if key is None:
        found = [name for name in names[0] if names_rows(name) and all(name in other for other in names[1:])]
        pairs: Sequence[tuple[str, str]] = [(name, name) for name in found[:1]]
    else:
        pairs = read_key(key, names[0], names[1])
    if not pairs:
        raise DataError("No column that all sources have is named like an id: name it with --join.")
    return [
        tuple(_column_of(folder, name, pair) for pair in pairs) for folder, name in zip(folders, called, strict=True)
    ]


def _column_of(folder: ParquetFolder, called: str, pair: tuple[str, str]) -> str:
    name = next((name for name in pair if name in folder.schema.names), None)
    if name is None:
        raise DataError(
            f"{quote(called)} has no column {quote(pair[0])} to join on; it has "
            f"{list_items(folder.schema.names, 6, 24)}."
        )
    if not is_key(folder.schema.field(name).type):
        raise DataError(f"Column {quote(name)} holds lists, which name no row: join on another column.")
    return name


def _join_side(folder: ParquetFolder, counted: CountedSource, ids: tuple[str, ...]) -> JoinSide:
    """Return a source with the values of every line of its counts, as its files have them."""
    about = read_counted(counted.table)
    assert about is not None
    if counted.weights is not None:
        raise DataError(
            f"{quote(counted.facts.name)} holds counts ({quote(counted.weights)}), and only single rows can be joined. "
            "Put all predictions into one file, a column each, and name them with --preds."
        )
    if len(counted.table) > MAX_ROW_CONDITIONS:
        raise DataError(
            f"{quote(counted.facts.name)} has {count(len(counted.table), 'combination')} of labels, too many to be "
            "joined: leave columns out."
        )
    columns = [name for name in counted.table.column_names if name != about.rows]
    cells = [distinct(counted.table.column(name), keep_blank=True) for name in columns]
    raw = tuple(find_key(about, name) for name in columns)
    values = [
        [read_raw_value(cell.values, code, folder.schema, name) for code in cell.codes.tolist()]
        for name, cell in zip(raw, cells, strict=True)
    ]
    evaluation = counted.evaluation()
    both = np.column_stack([evaluation.y_true, evaluation.y_pred])
    groups = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
    lines, where = tuple(zip(*values, strict=True)), read_conditions(about, folder.schema)
    return JoinSide(folder, ids, raw, lines, tuple(groups.tolist()), where)


def open_path(path: Path) -> ParquetFolder:
    """Open a person's own folder of Parquet files, or one file."""
    if path.is_file() and path.suffix != ".parquet":
        raise DataError(f"{quote(path.name)} is no Parquet file: an engine counts Parquet only, leave --engine out.")
    return open_folder(path)


def read_source_draft(source: Source, report: Report) -> tuple[Draft, Evaluation]:
    """Count a source and store its table of counts; the same files are counted once for everybody.

    Raises
    ------
    DataError
        as `count_source`; what `report` raises, which stops the query.
    """
    folder = source.open_folder()
    counted = _count_once(source, folder, report)
    draft = Draft(source.name, (counted.facts,), (_store(counted.table),), Given(), counted.settings)
    return draft, counted.evaluation()


def count_again(
    draft: Draft, columns: Sequence[str], report: Report, *, person: str = "", groups: Collection[str] = ()
) -> tuple[Draft, Evaluation]:
    """Count the source of a draft again, split by more columns; corrections of the draft stay.

    Raises
    ------
    DataError
        as `find_unchanged` and `count_source`; what `report` raises, which stops the query.
    """
    counted = read_counted(load_joined_table(draft)[0])
    assert counted is not None
    source, _ = find_unchanged(counted, person, groups, "its counts are not split further")
    source = source if draft.given == Given() else dataclasses.replace(source, given=draft.given)
    before = [role.column for role in counted.roles if role.role == "other"]
    split = tuple(dict.fromkeys((*before, *columns)))
    again, evaluation = read_source_draft(dataclasses.replace(source, slices=split), report)
    made = dataclasses.replace(
        again, of=draft.of, upload=draft.upload, given=draft.given, class_scores=draft.class_scores
    )
    settings = dataclasses.replace(draft.settings, counts=again.settings.counts)
    if settings == again.settings:
        return made, evaluation
    made = dataclasses.replace(made, settings=settings)
    return made, open_draft(made)


def count_by_columns(
    draft: Draft, truth: str | None, pred: str | None, score: str | None, report: Report, *, person: str = "",
    groups: Collection[str] = (),
) -> tuple[Draft, Evaluation]:  # fmt: skip
    """Count the source of a draft again, by other columns; None = found. Corrections of the draft end.

    Raises
    ------
    DataError
        as `find_unchanged` and `count_source`; what `report` raises, which stops the query.
    """
    counted = read_counted(load_joined_table(draft)[0])
    assert counted is not None
    source, _ = find_unchanged(counted, person, groups, "it is not counted by other columns")
    given = dataclasses.replace(source.given, truth=truth, pred=pred, scores=(score,) if score else ())
    again, evaluation = read_source_draft(dataclasses.replace(source, given=given), report)
    return dataclasses.replace(again, of=draft.of, upload=draft.upload, given=given), evaluation


def count_draft_classes(
    draft: Draft, report: Report, *, person: str = "", groups: Collection[str] = ()
) -> tuple[Draft, Evaluation]:
    """Count the scores of every class of a draft's source against the rest, and store them beside its counts.

    Raises
    ------
    DataError
        as `find_unchanged` and `count_classes`; what `report` raises, which stops the query.
    """
    evaluation = open_draft(draft)
    counted = read_counted(evaluation.rows)
    assert counted is not None
    source, folder = find_unchanged(counted, person, groups, "its scores are not counted")
    done, n = [0], len(counted.class_scores)
    with asked(source, folder, lambda share: report(min(1.0, (done[0] + share) / n))) as engine:
        found = count_classes(evaluation, folder, engine, done)
    return dataclasses.replace(draft, class_scores=_store(write_class_scores(found))), evaluation


def _count_once(source: Source, folder: RowSource, report: Report) -> CountedSource:
    key = (source.name, folder.snapshot, repr(source))
    if key not in _KEPT:
        with asked(source, folder, report) as engine:
            found = count_source(
                folder, engine, source.given, name=source.name, source=source.name, slices=source.slices
            )
        _KEPT[key] = found
        while len(_KEPT) > MAX_KEPT_SOURCES:
            _KEPT.popitem(last=False)
    return _KEPT[key]


def read_few_rows(evaluation: Evaluation, person: str = "", groups: Collection[str] = ()) -> pa.Table:
    """Return some 20,000 rows of the source of an evaluation: enough to see what its columns hold.

    Raises
    ------
    DataError
        as `find_unchanged`.
    """
    counted = read_counted(evaluation.rows)
    assert counted is not None
    _, folder = find_unchanged(counted, person, groups, "its rows are not read")
    drawn = select_keys(folder.sample(SOURCE_SAMPLE_ROWS))
    return make_canonical(drawn, dataclasses.replace(Limits.from_environment(), columns=MAX_SOURCE_COLUMNS))[0]


def is_source_sample(draft: Draft) -> bool:
    """Return whether a draft holds rows that were drawn of a source."""
    return any(said.endswith(_DRAWN) for file in draft.files for said in file.warnings)


def read_source_sample(source: Source, report: Report) -> tuple[Draft, Evaluation]:
    """Draw 20,000 rows of a source, each as likely as any other, and store them; the same files give the same rows.

    Raises
    ------
    DataError
        as `Engine.rows` and `detect`; what `report` raises, which stops the query.
    """
    folder = source.open_folder()
    n = min(SOURCE_SAMPLE_ROWS, folder.n_rows)
    with asked(source, folder, report) as engine:
        drawn = select_keys(engine.rows(RowQuery(seed=SEED, n=n)))
    table, _, notes = make_canonical(drawn, Limits.from_environment())
    given = source.given
    found = detect(table, label_set=given.labels(), given=given.columns(), ask=given.only is None)
    digest = json.dumps([folder.snapshot, SEED, n, given.to_json()])
    said = f"These are {n:,} of {count(folder.n_rows)} {_DRAWN}"
    facts = FileFacts(
        f"Sample of {source.name}", "Parquet", n, tuple(table.column_names), sum(folder.sizes),
        hashlib.sha256(digest.encode()).hexdigest(), notes=tuple(notes), warnings=(said,),
    )  # fmt: skip
    draft = Draft(facts.name, (facts,), (_store(table),), given, given.settings(found.settings))
    return draft, open_draft(draft)


def _store(table: pa.Table) -> str:
    with store.scratch() as scratch:
        path = scratch / "0.parquet"
        store.write_canonical(table, path)
        return store.put_table(path)
