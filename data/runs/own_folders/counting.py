"""Count a folder of Parquet files, or one file, by its path."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from data.engines.engine import open_engine
from data.engines.parquet_folder import open_path
from data.evaluation import Evaluation
from data.runs.counted import count_source
from data.runs.draft import Given
from data.runs.draft_changes import correct_settings
from data.runs.own_folders.row_limits import explain_counting
from data.runs.score_runs.counting import split_by_scores


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
        return count_source(
            folder, opened, given, name=path.name or "source", slices=slices, notes=explain_counting(folder, engine)
        ).evaluation()


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
        counted = count_source(
            folder, opened, first, name=path.name or "source", slices=(*columns[1:], *slices), scores=False,
            notes=explain_counting(folder, engine),
        )  # fmt: skip
    wanted = [{"pred": column, "raw": None, "score_columns": ()} for column in columns]
    return [counted.evaluation(correct_settings(counted.table, counted.settings, choices)) for choices in wanted]


def read_source_scores(
    path: Path, given: Given, columns: Sequence[str], *, engine: str = "auto", memory_bytes: int = 10**9,
    slices: Sequence[str] = (),
) -> list[Evaluation]:  # fmt: skip
    """Count a folder or a file by the truth and several columns of scores at once; an evaluation of each.

    Raises
    ------
    DataError
        as `read_source` and `split_by_scores`.
    """
    folder = open_path(path)
    first = dataclasses.replace(given, pred=None, scores=tuple(columns[:1]))
    with closing(open_engine(engine, folder, memory_bytes=memory_bytes)) as opened:
        counted = count_source(
            folder, opened, first, name=path.name or "source", slices=slices, notes=explain_counting(folder, engine)
        )
        table = split_by_scores(counted.table, counted.settings, folder, opened, columns[1:])
    counted = dataclasses.replace(counted, table=table)
    wanted = [{"pred": None, "raw": None, "score_columns": (column,)} for column in columns]
    settings = [correct_settings(counted.table, counted.settings, choices) for choices in wanted]
    return [counted.evaluation(dataclasses.replace(choices, threshold=given.threshold)) for choices in settings]
