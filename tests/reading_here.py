"""Read files in the tests' own process, without the limited one that has tests of its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest

from data.evaluation import FileFacts
from data.process.limits import Limits
from data.reading.dispatch import read_table
from data.reading.options import DETECT, Preview, ReadOptions
from data.runs import limited_reading, load, understanding
from data.runs.draft import Understood
from data.runs.uploads.preview_job import preview
from data.store.store import read_canonical, write_canonical


@contextmanager
def reading_here(limits: Limits | None = None) -> Iterator[None]:
    """Replace the reading in a limited process by reading here."""

    def read_and_understand(
        sources: Sequence[tuple[Path, str]],
        folder: Path,
        given: load.Given,
        progress: object = None,
        *,
        before: Sequence[tuple[Path, FileFacts]] = (),
    ) -> tuple[list[FileFacts], Understood]:
        options = given.how_to_read(len(sources), first=len(before)) or [DETECT] * len(sources)
        facts = []
        tables = [read_canonical(path) for path, _ in before]
        for i, ((path, name), how) in enumerate(zip(sources, options, strict=True)):
            table, of_file = read_table(path, name, limits=limits, options=how)
            write_canonical(table, folder / f"{i}.parquet")
            tables.append(read_canonical(folder / f"{i}.parquet"))
            facts.append(of_file)
        return facts, understanding.understand(tables, [*(facts for _, facts in before), *facts], given)

    with pytest.MonkeyPatch.context() as patch:
        for module in (load, limited_reading):
            patch.setattr(module, "read_and_understand", read_and_understand)
        yield


def read_table_here(path: Path, folder: Path, options: Sequence[ReadOptions] = ()) -> tuple[pa.Table, FileFacts]:
    """Read one file as `read_table_alone` does."""
    table, facts = read_table(path, path.name, options=options[0] if options else DETECT)
    write_canonical(table, folder / "0.parquet")
    return read_canonical(folder / "0.parquet"), facts


def preview_here(
    sources: Sequence[tuple[Path, str]], options: Sequence[Sequence[ReadOptions]]
) -> list[tuple[Preview | str, ...]]:
    """Preview files as `preview_files` does."""
    pairs = zip(sources, options, strict=True)
    return [tuple(preview(path, name, one, Limits()) for one in several) for (path, name), several in pairs]
