"""Reading questions without a process of its own: its confinement has tests elsewhere."""

from pathlib import Path

import pytest

from data.reading.dispatch import read_table
from data.reading.sandbox import ReadResult
from data.store.store import write_canonical
from harness import questions


@pytest.fixture
def read_questions_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are read in this process."""

    def read_files(paths, folder):
        found = []
        for place, (path, name) in enumerate(paths):
            table, facts = read_table(path, name)
            write_canonical(table, Path(folder) / f"{place}.parquet")
            found.append(ReadResult(Path(folder) / f"{place}.parquet", facts))
        return found

    monkeypatch.setattr(questions, "read_files", read_files)
