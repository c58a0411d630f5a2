"""Read uploaded files in the limited process, and write each as canonical Parquet."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.bad_rows import BadRowsFound, LeftOutRows
from data.evaluation import FileFacts, as_tuples
from data.process.pandas_free import hide_pandas
from data.process.worker import function_of

if TYPE_CHECKING:
    import pyarrow as pa

_CPU_THREADS = 4


def read_all(arguments: dict[str, Any], limits: Any, progress: Any) -> list[dict[str, Any]]:
    """Read files and write each as canonical Parquet; return the facts of every file."""
    return [facts for _, facts in read_tables(arguments, limits, progress)]


def read_tables(arguments: dict[str, Any], limits: Any, progress: Any) -> list[tuple[pa.Table, dict[str, Any]]]:
    """Read files as `read_all` does; return their tables, too."""
    hide_pandas()
    import pyarrow as pa

    pa.set_cpu_count(min(_CPU_THREADS, os.cpu_count() or 1))
    return [_read_one(index, arguments, limits, progress) for index in range(len(arguments["files"]))]


def _read_one(index: int, arguments: dict[str, Any], limits: Any, progress: Any) -> tuple[pa.Table, dict[str, Any]]:
    from data.reading.options import ReadOptions
    from data.store.store import write_canonical

    n_files = len(arguments["files"])
    path, name = arguments["files"][index]

    def of_all(stage: str, share: float) -> None:
        progress(stage, (index + min(max(share, 0.0), 1.0) * 0.9) / n_files)

    wishes = {"options": ReadOptions.from_json(arguments["options"][index])} if arguments.get("options") else {}
    try:
        table, facts = function_of(arguments["reader"])(path, name, limits=limits, progress=of_all, **wishes)
    except BadRowsFound as error:
        raise error.of_file(index) from None
    of_all("writing", 1.0)
    table = table.combine_chunks()  # as it would be read back
    write_canonical(table, Path(arguments["out"]) / f"{index}.parquet")
    return table, dataclasses.asdict(facts)


def read_facts(values: dict[str, Any]) -> FileFacts:
    """Return the facts of a file from JSON; TypeError where there are others."""
    left_out = values.get("rows_left_out")
    facts = FileFacts(**as_tuples(values))
    return dataclasses.replace(facts, rows_left_out=left_out and LeftOutRows.from_json(left_out))
