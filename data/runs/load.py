"""Read files into drafts and evaluations, keep a draft behind a link, and look into the draft of a run."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from data import samples
from data.errors import DataError
from data.evaluation import Evaluation
from data.process.worker import function_of
from data.reading.options import ReadOptions as ReadOptions
from data.runs.draft import Draft, Given, pack_draft, unpack_draft
from data.runs.limited_reading import READER, read_and_understand, read_evaluation as read_evaluation
from data.runs.tables import join_tables, list_file_warnings, load_joined_table
from data.store import links, store
from data.store.storage import Storage

Progress = Callable[[str, float], None]
Source = tuple[Path, str]
"""(path of the bytes, the name they came under)."""
_known_samples: dict[str, Draft] = {}


def read_draft(sources: Sequence[Source], given: Given) -> Draft:
    """Read uploaded files, store their tables, find the roles, and see whether an evaluation can be built.

    Where the roles cannot be found, or two files cannot be joined, the draft says why (`problem`): the columns, or the
    key, can still be chosen by hand.

    Raises
    ------
    DataError
        a file cannot be read.
    """
    return read_and_build(sources, given)[0]


def read_and_build(
    sources: Sequence[Source], given: Given, progress: Progress | None = None
) -> tuple[Draft, Evaluation | None]:
    """Return the draft that `read_draft` makes, and the evaluation that `open_draft` would make of it."""
    with store.scratch() as folder:
        facts, understood = read_and_understand(sources, folder, given, progress)
        ids = tuple(store.put_table(folder / f"{i}.parquet") for i in range(len(facts)))
    made = Draft(
        facts[0].name, tuple(facts), ids, given, understood.settings, understood.problem, understood.question,
        without_scores=understood.without_scores, comma=understood.comma,
    )  # fmt: skip
    return made, understood.evaluation


def keep(draft: Draft) -> str:
    """Store a draft; returns the token that stands in the URL."""
    return links.keep_draft(pack_draft(draft.to_json()), draft.table_ids, of=draft.of, upload=draft.upload)


def list_columns_by_file(run: str) -> tuple[tuple[str, ...], ...] | None:
    """Return the columns of a draft's two files by file, where these cannot be joined; None where they can."""
    draft = draft_of(run)
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    try:
        join_tables(tables, draft.given.key, draft.given.repeated)
    except DataError:
        return tuple(tuple(table.column_names) for table in tables)
    return None


def list_columns(run: str) -> tuple[str, ...]:
    """Return the names of a draft's columns, also where no evaluation can be built of them yet."""
    return tuple(load_joined_table(draft_of(run))[0].column_names)


def read_first_rows(run: str, n: int) -> pa.Table:
    """Return the first `n` rows of a draft, also where no evaluation can be built of them yet."""
    return load_joined_table(draft_of(run))[0].slice(0, n)


def list_reading_warnings(run: str) -> tuple[str, ...]:
    """Return the readers' warnings about a draft's files, also where no evaluation can be built of them yet."""
    return tuple(list_file_warnings(draft_of(run).files))


def draft_of(run: str) -> Draft:
    """Return the draft behind a run; a sample's is made from its own files."""
    sample = next((sample for sample in samples.SAMPLES if sample.key == run), None)
    if sample is None:
        link = links.open_link(run)
        return read_link_draft(link, links.id_of(run) if link.kind == "share" else link.of)
    return _draft_of_sample(sample)


def _draft_of_sample(sample: samples.Sample) -> Draft:
    """Return the draft of a sample, read once, and again where memory let go of its tables."""
    memory = store.memory()  # also where nothing can be written
    draft = _known_samples.get(sample.key)
    if draft is None or not all(memory.move(name, name) for name in map(store.data_name, draft.data_ids)):
        read = _read_own(samples.load_sample_paths(sample.key), Given(label_set=sample.label_set), kept=memory)
        draft = _known_samples[sample.key] = dataclasses.replace(read, name=sample.title)
    return draft


def _read_own(sources: Sequence[Source], given: Given, *, kept: Storage) -> Draft:
    """Read files of ours as `read_draft` does, with what the child would run: they need not be confined."""
    read_table, understand = function_of(READER), function_of("data.runs.understanding:understand")
    tables, facts = zip(*(read_table(path, name) for path, name in sources), strict=True)
    with store.scratch(kept) as folder:
        ids = tuple(_put_table(table, folder / f"{i}.parquet", kept) for i, table in enumerate(tables))
    understood = understand(tables, facts, given)
    return Draft(facts[0].name, facts, ids, given, understood.settings, understood.problem, understood.question)


def _put_table(table: pa.Table, path: Path, kept: Storage) -> str:
    store.write_canonical(table.combine_chunks(), path)
    return store.put_table(path, kept=kept)


def read_link_draft(link: links.Link, of: str) -> Draft:
    """Return the draft that a link holds; `of` : the id of the shared link that it is, or stems from."""
    try:
        return dataclasses.replace(Draft.from_json(unpack_draft(dict(link.draft))), of=of, upload=link.upload)
    except (ValueError, TypeError, KeyError, AttributeError, zlib.error):
        raise DataError("What is stored behind this link is damaged; upload the file again.") from None
