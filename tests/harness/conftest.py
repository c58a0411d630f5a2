"""Reading questions without a process of its own: its confinement has tests elsewhere."""

from importlib.util import find_spec

import pytest

from harness import questions
from tests.reading_here import read_table_here

collect_ignore = [] if find_spec("transformers") else ["tiny_models.py"]


@pytest.fixture
def read_questions_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are read in this process."""
    monkeypatch.setattr(questions, "read_table_alone", read_table_here)
