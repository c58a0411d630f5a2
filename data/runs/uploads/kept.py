"""Keep the bytes of an upload beside its tables, and read it again without a new upload.

The bytes lie in the store as they came: they go when the draft goes, and no shared link names them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from data.bad_rows import BadRows, BadRowsFound
from data.errors import DataError, FinalError, NotNow
from data.evaluation import Evaluation, Settings
from data.reading.formats import FORMATS, recognise_name
from data.reading.options import DETECT, Preview, ReadOptions
from data.runs import load
from data.runs.draft import Draft, Given
from data.runs.uploads.preview import preview_files
from data.store import store


def may_be_read_again(name: str) -> bool:
    """Return whether a file's name is of a kind that can be read in several ways: text, or a workbook.

    >>> may_be_read_again("preds.csv"), may_be_read_again("preds.parquet"), may_be_read_again("preds.exe")
    (True, False, False)
    """
    try:
        kind = recognise_name(name).kind
    except DataError:
        return False
    return kind == "workbook" or not FORMATS[kind].begins


def read_and_keep(
    sources: Sequence[load.Source], given: Given, progress: load.Progress | None = None
) -> tuple[Draft, Evaluation | None]:
    """Read uploads as `read_and_build` does, and keep their bytes; a draft that says why where they cannot be read.

    Raises
    ------
    DataError
        a file cannot be read, and no other way to read it would help; or nothing can be kept now.
    """
    if not all(may_be_read_again(name) for _, name in sources):
        return load.read_and_build(sources, given, progress)
    with ThreadPoolExecutor(max_workers=1) as keeper:  # while the child process reads
        upload_ids = keeper.map(store.put_table, [path for path, _ in sources])
        draft, evaluation = _read(sources, given, progress)
    uploads = tuple((name, upload_id) for (_, name), upload_id in zip(sources, upload_ids, strict=True))
    return dataclasses.replace(draft, uploads=uploads), evaluation


def read_again(
    run: str, reading: tuple[ReadOptions, ...], progress: load.Progress | None = None
) -> tuple[Draft, Evaluation | None]:
    """Read the uploads of a run in another way; errors as `read_and_keep`.

    reading : the options of each file.
    """
    draft = load.draft_of(run)
    given = dataclasses.replace(draft.given, reading=reading)
    with open_uploads(draft.uploads) as sources:
        read, evaluation = _read(sources, given, progress)
    return dataclasses.replace(read, uploads=draft.uploads, of=draft.of, upload=draft.upload), evaluation


def keep_later_upload(draft: Draft, before: Draft, source: load.Source) -> Draft:
    """Return a draft with the uploads of the one before and a file that came later, where all can be read again."""
    path, name = source
    if not before.uploads or not may_be_read_again(name):
        return draft
    return dataclasses.replace(draft, uploads=(*before.uploads, (name, store.put_table(path))))


def _read(
    sources: Sequence[load.Source], given: Given, progress: load.Progress | None
) -> tuple[Draft, Evaluation | None]:
    """Return what `read_and_build` does; a draft that says why, where the files can be read in another way."""
    try:
        return load.read_and_build(sources, given, progress)
    except (NotNow, FinalError):
        raise
    except BadRowsFound as error:
        return _unread(sources, given, error, error.rows), None
    except DataError as error:
        if not _can_be_split(sources):
            raise
        return _unread(sources, given, error), None


def _unread(sources: Sequence[load.Source], given: Given, error: DataError, bad_rows: BadRows | None = None) -> Draft:
    """Return a draft that says why its files are not read."""
    return Draft(sources[0][1], (), (), given, Settings(), str(error), bad_rows=bad_rows)


def _can_be_split(sources: Sequence[load.Source]) -> bool:
    """Return whether a file is text or a workbook whose lines can be shown, to be read in another way."""
    try:
        previews = preview_files(sources, [(DETECT,)] * len(sources))
    except DataError:  # what was wrong with reading them is said
        return False
    return any(isinstance(preview, Preview) for several in previews for preview in several)


@contextmanager
def open_uploads(uploads: Sequence[tuple[str, str]]) -> Iterator[list[load.Source]]:
    """Give the uploads of a draft, or some of them, as files in a private folder, removed afterwards.

    Raises
    ------
    DataError
        they are not kept any more.
    """
    with store.scratch() as folder:
        sources = []
        for index, (name, upload_id) in enumerate(uploads):
            path = folder / f"upload-{index}"  # the uploaded name never becomes a path
            store.copy_upload(upload_id, path)
            sources.append((path, name))
        yield sources
