"""Test that what documents for developers say of the code is true: paths, functions, commands, layers."""

import ast
import re
from pathlib import Path

import pytest

from tests.test_architecture import LAYERS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("docs/architecture.md", "CONTRIBUTING.md")
PATH = re.compile(r"`((?:\.venv/bin/)?[\w-]+(?:/[\w.-]+)*(?:/|\.(?:py|md|js|toml)))`")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_named_paths_exist(name):
    found = set(PATH.findall(text_of(name))) | set(re.findall(r"tests/[\w/]+\.py", text_of(name)))
    assert len(found) > 10
    ours = {path for path in found if path not in ("screenshots/", "dist/")}  # made by make
    assert [path for path in sorted(ours) if not (ROOT / path).exists()] == []


def test_functions_on_the_way_of_a_file_exist():
    steps = re.findall(r"`([\w/]+\.py)` `(\w+)`", text_of("docs/architecture.md"))
    assert len(steps) >= 10
    for path, function in steps:
        names = {getattr(node, "name", "") for node in ast.parse(text_of(path)).body}
        assert function in names, f"{path} has no {function}"


def test_layers_are_those_that_are_enforced():
    for room, layers in LAYERS.items():
        row = re.search(rf"^\| `{room}/` \| (.+) \|$", text_of("docs/architecture.md"), flags=re.MULTILINE)
        assert row, room
        assert [set(re.findall(r"`(\w+)`", layer)) for layer in row[1].split("·")] == list(layers)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_named_make_targets_exist(name):
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), flags=re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", text_of(name))) <= targets


def test_rows_of_tables_have_their_heads_cells():
    """A pipe in code ends a cell, too, if no backslash stands before it."""
    documents = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("client/*.md")]
    for path in documents:
        prose = re.sub(r"^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for table in re.findall(r"(?:^\|.*\n)+", prose, flags=re.MULTILINE):
            n_pipes = [len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()]
            assert len(set(n_pipes)) == 1, f"{path.name}: {table.splitlines()[n_pipes.index(max(n_pipes))]}"
