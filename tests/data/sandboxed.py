"""Read files in the limited process, without finding what they hold."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from data.errors import DataError
from data.evaluation import FileFacts
from data.limits import FILE_NAME_CHARS
from data.process.child_process import run_limited
from data.process.limits import Limits, Progress
from data.reading.options import ReadOptions
from data.reading.reading_job import read_facts
from data.runs.limited_reading import PLACES, READER, READING
from text.quoting import show_file_name, write_line


@dataclass(frozen=True)
class ReadResult:
    """One file, read: where its canonical table is, and how it was read."""

    table_path: Path
    facts: FileFacts


def read_files(
    paths: Sequence[tuple[str | os.PathLike[str], str]],
    out_dir: str | os.PathLike[str],
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    options: Sequence[ReadOptions] = (),
    reader: str = READER,
) -> list[ReadResult]:
    """Read uploaded files in a child process.

    Parameters
    ----------
    paths : (path of the bytes, name it was uploaded under) for every file.
    out_dir : an empty folder for the canonical tables; the caller removes it.
    progress : called with a stage and the share done, 0 to 1, from this thread.
    options : how each file is to be read, as far as a person has said it: one for every file, or none at all.
    reader : "module:function" that reads one file; only tests choose another than `read_table`.

    Returns
    -------
    One result for every file, in order.

    Raises
    ------
    DataError
        One sentence of at most 400 characters: what is wrong with a file, or how reading it ended.

    Notes
    -----
    At most four files are read at once in this process; others wait for up to a minute.
    """
    what = ", ".join(show_file_name(name) for _, name in paths)
    arguments = {
        "files": [(os.path.abspath(path), name[-FILE_NAME_CHARS:]) for path, name in paths],
        "out": os.path.abspath(out_dir),
        "options": [one.to_json() for one in options],
        "reader": reader,
    }
    done = run_limited(
        "data.reading.reading_job:read_all",
        arguments,
        what=what,
        words=READING,
        places=PLACES,
        limits=limits,
        progress=progress,
    )
    try:
        facts = [read_facts(values) for values in done]
    except (TypeError, ValueError, KeyError):
        raise DataError(write_line(READING.garbled.format(what=what))) from None
    return [ReadResult(Path(out_dir) / f"{index}.parquet", found) for index, found in enumerate(facts)]
