"""Reading questions without a process of its own: its confinement has tests elsewhere."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from data.reading.dispatch import read_table
from data.store.store import read_canonical, write_canonical
from harness import questions

collect_ignore = [] if find_spec("transformers") else ["tiny_models.py"]


@pytest.fixture
def read_questions_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are read in this process."""

    def read_table_alone(path: Path, folder: Path):
        table, facts = read_table(path, path.name)
        write_canonical(table, folder / "0.parquet")
        return read_canonical(folder / "0.parquet"), facts

    monkeypatch.setattr(questions, "read_table_alone", read_table_alone)
