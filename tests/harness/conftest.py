"""Reading questions without a process of its own: its confinement has tests elsewhere."""

from importlib.util import find_spec

import pytest

from command import judge, run
from harness import questions
from tests.reading_here import read_table_here

collect_ignore = [] if find_spec("transformers") else ["tiny_models.py"]


@pytest.fixture
def read_questions_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are read in this process."""
    monkeypatch.setattr(questions, "read_table_alone", read_table_here)


@pytest.fixture
def use(monkeypatch):
    """Have every model's name open the given model; returns the options that name them."""

    def using(*models):
        names = [f"openai:m{place}@http://localhost:1/v1" for place in range(len(models))]
        known = dict(zip(names, models, strict=True))
        for command in (run, judge):
            monkeypatch.setattr(command, "open_model", lambda name, options: known[name.text])
        return " ".join(f"--model {name}" for name in names)

    return using
