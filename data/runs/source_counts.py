"""Count the sources of a server, once for everybody, and keep the counts as a draft; or draw a sample of one."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import OrderedDict
from collections.abc import Collection, Sequence

import pyarrow as pa

from data.columns.counted_metadata import require_counted
from data.engines.engine import Engine
from data.engines.parquet_folder import select_keys
from data.engines.row_query import RowQuery
from data.engines.row_source import RowSource
from data.evaluation import Evaluation, FileFacts
from data.limits import MAX_KEPT_SOURCES, MAX_SOURCE_COLUMNS, SOURCE_SAMPLE_ROWS
from data.process.limits import Limits
from data.reading.binary.parquet import make_canonical
from data.roles.detect import detect
from data.runs.class_scores.counting import count_classes, write_class_scores
from data.runs.counted import CountedSource, count_source
from data.runs.draft import Draft, Given
from data.runs.engine_turns import Report, open_in_turn, stop_unwanted
from data.runs.score_runs.counting import split_by_scores
from data.runs.sources import Source, find_unchanged
from data.runs.tables import load_joined_table, store_table
from data.runs.understanding import open_draft
from text.numbers import count

SEED = 0  # of the sample
_DRAWN = f"of the source, drawn at random (seed {SEED})."
_KEPT: OrderedDict[tuple[str, str, str], CountedSource] = OrderedDict()


def read_source_draft(source: Source, report: Report) -> tuple[Draft, Evaluation]:
    """Count a source and store its table of counts; the same files are counted once for everybody.

    Raises
    ------
    DataError
        as `count_source`; what `report` raises, which stops the query.
    """
    folder = source.open_folder()
    counted = _count_once(source, folder, report)
    draft = Draft(source.name, (counted.facts,), (store_table(counted.table),), Given(), counted.settings)
    return draft, counted.evaluation()


def count_again(
    draft: Draft, columns: Sequence[str], report: Report, *, scores: Sequence[str] = (), person: str = "",
    groups: Collection[str] = (),
) -> tuple[Draft, Evaluation]:  # fmt: skip
    """Count the source of a draft again, split by more columns; corrections of the draft stay.

    scores : columns of another model's scores.

    Raises
    ------
    DataError
        as `find_unchanged` and `count_source`; what `report` raises, which stops the query.
    """
    counted = require_counted(load_joined_table(draft)[0])
    source, _ = find_unchanged(counted, person, groups, "its counts are not split further")
    source = source if draft.given == Given() else dataclasses.replace(source, given=draft.given)
    before = [role.column for role in counted.roles if role.role == "other"]
    split = tuple(dict.fromkeys((*before, *columns)))
    more_scores = tuple(dict.fromkeys((*counted.more_scores, *scores)))
    again, evaluation = read_source_draft(dataclasses.replace(source, slices=split, more_scores=more_scores), report)
    made = dataclasses.replace(
        again, of=draft.of, upload=draft.upload, given=draft.given, class_scores=draft.class_scores
    )
    settings = dataclasses.replace(draft.settings, counts=again.settings.counts)
    if settings == again.settings:
        return made, evaluation
    made = dataclasses.replace(made, settings=settings)
    return made, open_draft(made)


def count_by_thresholds(
    draft: Draft, thresholds: Sequence[tuple[str, float]], report: Report, *, person: str = "",
    groups: Collection[str] = (),
) -> tuple[Draft, Evaluation]:  # fmt: skip
    """Count the source of a draft again, so that other thresholds predict its labels; what else it has stays.

    thresholds : (column of the files, threshold on the scale of evaluations).

    Raises
    ------
    DataError
        as `count_again`.
    """
    counted = require_counted(load_joined_table(draft)[0])
    source, _ = find_unchanged(counted, person, groups, "its thresholds stay")
    given = source.given if draft.given == Given() else draft.given
    given = dataclasses.replace(given, label_thresholds=tuple(thresholds))
    return count_again(dataclasses.replace(draft, given=given), (), report, person=person, groups=groups)


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
    counted = require_counted(load_joined_table(draft)[0])
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
    counted = require_counted(evaluation.rows)
    source, folder = find_unchanged(counted, person, groups, "its scores are not counted")
    done, n = [0], len(counted.class_scores)
    with open_in_turn(source, folder, lambda share: report(min(1.0, (done[0] + share) / n))) as engine:
        class_scores = count_classes(evaluation, folder, engine, done)
    return dataclasses.replace(draft, class_scores=store_table(write_class_scores(class_scores))), evaluation


def _count_once(source: Source, folder: RowSource, report: Report) -> CountedSource:
    key = (source.name, folder.snapshot, repr(source))
    if key not in _KEPT:
        with open_in_turn(source, folder, report) as engine:
            counts = count_source(
                folder, engine, source.given, name=source.name, source=source.name, slices=source.slices
            )
            if source.more_scores:
                counts = split_counts(counts, folder, engine, source.more_scores)
        _KEPT[key] = counts
        while len(_KEPT) > MAX_KEPT_SOURCES:
            _KEPT.popitem(last=False)
    return _KEPT[key]


def split_counts(counted: CountedSource, folder: RowSource, engine: Engine, scores: Sequence[str]) -> CountedSource:
    """Return counts that are split by the scores of further models, too.

    Raises
    ------
    DataError
        as `split_by_scores`.
    """
    digest = json.dumps([counted.facts.sha256, list(scores)]).encode()
    facts = dataclasses.replace(counted.facts, sha256=hashlib.sha256(digest).hexdigest())
    table = split_by_scores(counted.table, counted.settings, folder, engine, scores)
    return dataclasses.replace(counted, table=table, facts=facts)


def read_few_rows(
    evaluation: Evaluation, person: str = "", groups: Collection[str] = (), report: Report = lambda share: None
) -> pa.Table:
    """Return some 20,000 rows of the source of an evaluation: enough to see what its columns hold.

    report : raises once nobody waits for them; the source then stops.

    Raises
    ------
    DataError
        as `find_unchanged`.
    """
    counted = require_counted(evaluation.rows)
    _, folder = find_unchanged(counted, person, groups, "its rows are not read")
    with stop_unwanted(folder.cancel, report):
        drawn = select_keys(folder.sample(SOURCE_SAMPLE_ROWS))
    return make_canonical(drawn, dataclasses.replace(Limits.from_environment(), columns=MAX_SOURCE_COLUMNS))[0]


def is_source_sample(draft: Draft) -> bool:
    """Return whether a draft holds rows that were drawn of a source."""
    return any(warning.endswith(_DRAWN) for file in draft.files for warning in file.warnings)


def read_source_sample(source: Source, report: Report) -> tuple[Draft, Evaluation]:
    """Draw 20,000 rows of a source, each as likely as any other, and store them; the same files give the same rows.

    Raises
    ------
    DataError
        as `Engine.rows` and `detect`; what `report` raises, which stops the query.
    """
    folder = source.open_folder()
    n = min(SOURCE_SAMPLE_ROWS, folder.n_rows)
    with open_in_turn(source, folder, report) as engine:
        drawn = select_keys(engine.rows(RowQuery(seed=SEED, n=n)))
    table, _, notes = make_canonical(drawn, Limits.from_environment())
    given = source.given
    detected = detect(table, label_set=given.labels(), given=given.columns(), ask=given.only is None)
    digest = json.dumps([folder.snapshot, SEED, n, given.to_json()])
    sentence = f"These are {n:,} of {count(folder.n_rows)} {_DRAWN}"
    facts = FileFacts(
        f"Sample of {source.name}", "Parquet", n, tuple(table.column_names), sum(folder.sizes),
        hashlib.sha256(digest.encode()).hexdigest(), notes=tuple(notes), warnings=(sentence,),
    )  # fmt: skip
    draft = Draft(facts.name, (facts,), (store_table(table),), given, given.settings(detected.settings))
    return draft, open_draft(draft)
