"""Count several folders or files of the same rows, and join their counts by an id."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from data.engines.engine import choose_engine, open_engine
from data.engines.join_query import JoinedLines
from data.engines.parquet_folder import open_path
from data.evaluation import Evaluation
from data.runs.counted import count_source
from data.runs.draft import Given
from data.runs.joined_sides import SourceCounts, find_ids, join_side
from data.runs.own_folders.row_limits import explain_counting


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
        as `read_source`, `find_ids` and `join_side`.
    """
    folders = [open_path(path) for path in paths]
    name = choose_engine(*folders, memory_bytes=memory_bytes) if engine == "auto" else engine
    counted = []
    for path, folder in zip(paths, folders, strict=True):
        columns = tuple(column for column in slices if column in folder.schema.names)
        with closing(open_engine(name, folder, memory_bytes=memory_bytes)) as opened:
            source_counts = count_source(
                folder,
                opened,
                given,
                name=path.name,
                slices=columns,
                scores=False,
                notes=explain_counting(folder, engine),
            )
        counted.append(
            SourceCounts(source_counts.table, source_counts.facts, source_counts.settings, source_counts.evaluation())
        )
    ids = find_ids(folders, [path.name for path in paths], key)
    sides = [join_side(*side) for side in zip(folders, counted, ids, strict=True)]
    with closing(open_engine(name, folders[0], memory_bytes=memory_bytes, others=folders[1:])) as opened:
        return [side.evaluation for side in counted], opened.join(sides)
