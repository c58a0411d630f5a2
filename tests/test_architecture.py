"""Test who may import whom: metrics and data are leaves, Streamlit stays at the surface, Plotly in the charts."""

import ast
import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.measure_structure import cycles, imports_of, levels, name_of, python_files as measured_files

ROOT = Path(__file__).resolve().parents[1]

# Every room of the house, and the other rooms it may import.
ROOMS = {
    "app": {"ui"},
    "server": {"web", "data", "text"},
    "web": {"export", "data", "text"},
    "client": {"cli"},
    "cli": {"command", "data", "metrics", "export", "text"},
    "command": {"harness", "web", "data", "metrics", "export", "text"},
    "harness": {"data", "metrics", "text"},
    "pages": {"ui", "charts", "metrics", "data", "text"},
    "ui": {"charts", "metrics", "data", "export", "text"},
    "export": {"data", "metrics", "text"},
    "charts": {"metrics", "text"},
    "metrics": {"text"},
    "data": {"text"},
    "text": set(),
}
# The folders of a room, from its foundation up: each imports only what stands to its left.
LAYERS = {
    "data": (
        {"errors", "environment", "limits", "version", "local_addresses"},
        {"bad_rows"},
        {"process"},
        {"parser"},
        {"evaluation"},
        {"store", "columns", "samples", "engines"},
        {"labels", "pictures"},
        {"joining"},
        {"answers"},
        {"reading", "rows", "roles"},
        {"building"},
        {"runs"},
        {"comparison"},
        {"sharing"},
    ),
    "metrics": (
        {"progress", "finding", "limits", "outcomes", "shares"},
        {"multilabel"},
        {"confusion", "scores"},
        {"thresholds", "intervals"},
        {"catalogue"},
        {"comparison"},
        {"findings", "agreement", "slices", "drift"},
    ),
    "ui": (
        {"text", "limits"},
        {"person"},
        {"view"},
        {"rows", "share"},
        {"matrix", "overview", "classes", "thresholds"},
        {"review"},
        {"frame"},
        {"open"},
        {"answers", "compare", "learn", "slices"},
        {"agreement"},
    ),
}
OUTSIDE = {"tests", "scripts"}  # they may import anything
ONLY_IN = {"streamlit": {"app", "server", "web", "pages", "ui"}, "plotly": {"charts"}}
METRICS_MAY_USE = {"numpy", "scipy", "text"} | set(sys.stdlib_module_names)
NAMES_THAT_SAY_NOTHING = {"utils", "util", "common", "helpers", "helper", "manager", "misc"}
HANDED_OUT = {Path("export/recompute/recompute.py")}  # read as text, run by whoever downloads it, imported by nobody
MOST_LEVELS = {"data": 9, "metrics": 8, "ui": 7}  # modules in the longest chain of imports
NOT_OURS = {"__pycache__", "node_modules"}


class Imported(NamedTuple):
    """One import: the full module name, its line, and whether it happens when the file is imported."""

    module: str
    line: int
    at_import: bool


def python_files(root: Path = ROOT) -> list[Path]:
    """Python files of the project, relative to `root`, without hidden folders and virtual environments."""

    def walk(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            if path.is_dir() and not path.name.startswith(".") and path.name not in NOT_OURS:
                if not (path / "pyvenv.cfg").exists():
                    yield from walk(path)
            elif path.suffix == ".py":
                yield path.relative_to(root)

    return list(walk(root))


def modules_of(node: ast.AST, package: list[str]) -> list[str]:
    """Modules that one syntax node imports; `package` resolves the relative ones."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        return [base] if base else [alias.name for alias in node.names]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = getattr(node.func, "attr", getattr(node.func, "id", None))
        if called in ("__import__", "import_module") and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []


@functools.cache
def imports(source: str, path: Path) -> tuple[Imported, ...]:
    """Return every import of a file: conditional, inside functions, relative, and by name."""

    def visit(node: ast.AST, at_import: bool) -> Iterator[Imported]:
        for module in modules_of(node, list(path.parts[:-1])):
            yield Imported(module, getattr(node, "lineno", 0), at_import)
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, at_import and not later)

    return tuple(visit(ast.parse(source), True))


def room_of(path: Path) -> str:
    """The top folder, or the name of a file that stands beside them."""
    return path.parts[0].removesuffix(".py")


def layer_of(module: str) -> int | None:
    """The layer of a module within its room, counted from the foundation; None where the room has no layers."""
    room, _, rest = module.partition(".")
    folder = rest.partition(".")[0]
    return next((level for level, folders in enumerate(LAYERS.get(room, ())) if folder in folders), None)


def wrong_layer(path: Path, module: str) -> str | None:
    """Return why a file may not import a module of its own room; None if it may."""
    own, other = ".".join(path.with_suffix("").parts), module
    if own.partition(".")[0] != other.partition(".")[0] or own.split(".")[1:2] == other.split(".")[1:2]:
        return None
    here, there = layer_of(own), layer_of(other)
    if here is None or there is None or there < here or (there == here and path.parts[1].endswith(".py")):
        return None
    return f"{path.parts[0]}/{path.parts[1]} may not import {module}: it stands in the same layer or above"


def objection(room: str, found: Imported) -> str | None:
    """Return why a room may not have an import; None if it may."""
    top = found.module.partition(".")[0]
    if top in ROOMS and top != room and top not in ROOMS[room]:
        return f"{room} may not import {top}"
    if top in OUTSIDE:
        return f"the app may not import {top}"
    if top in ONLY_IN and room not in ONLY_IN[top]:
        return f"{top} belongs in {', '.join(sorted(ONLY_IN[top]))}"
    if room == "metrics" and top != "metrics" and top not in METRICS_MAY_USE:
        return f"metrics use NumPy and SciPy only, not {top}"
    if top == "sklearn" and found.at_import:
        return "scikit-learn takes longer to import than everything else: import it in the function that uses it"
    return None


def violations(source: str, path: Path) -> list[str]:
    """Return what is wrong with one file: a sentence each, with the line."""
    room = room_of(path)
    if room in OUTSIDE:
        return []
    if room not in ROOMS:
        return [f"{path}: {room} is no room of this house (see docs or the top of {Path(__file__).name})"]
    if path in HANDED_OUT:
        return []
    found = [f"{path}:{one.line} {why}" for one in imports(source, path) if (why := objection(room, one))]
    found += [f"{path}:{one.line} {why}" for one in imports(source, path) if (why := wrong_layer(path, one.module))]
    if room == "pages" and len(path.parts) == 2:
        found.append(f"{path}: Streamlit runs a script directly in pages/ without app.py; move it one folder down")
    if path.stem in NAMES_THAT_SAY_NOTHING:
        found.append(f"{path}: the name says nothing about what is inside")
    return found


def test_every_file_keeps_to_its_room():
    files = [(path, (ROOT / path).read_text(encoding="utf-8")) for path in python_files()]
    assert [wrong for path, source in files for wrong in violations(source, path)] == []


def test_no_module_imports_an_exported_script():
    names = {".".join(path.with_suffix("").parts) for path in HANDED_OUT}
    words = {path.stem for path in HANDED_OUT}
    for path in python_files():
        source = (ROOT / path).read_text(encoding="utf-8")
        if any(word in source for word in words):  # few files: only these are parsed
            assert names.isdisjoint(one.module for one in imports(source, path)), path


def test_chains_of_imports_stay_short():
    modules = {name_of(path): path for path in measured_files()}
    imported = imports_of(modules)
    assert {room: n for room, most in MOST_LEVELS.items() if (n := levels(room, imported)) > most} == {}
    assert cycles(imported) == 0


def test_no_two_keys_share_a_css_class():
    """Streamlit writes a.b and a-b as one class: the style of one then holds for the other, too."""
    keys = {key for path in python_files() if path.parts[0] in ("ui", "pages")
            for key in re.findall(r'\bkey="([a-z.-]+)"', (ROOT / path).read_text(encoding="utf-8"))}  # fmt: skip
    assert len(keys) > 100
    assert not {key for key in keys if key.replace(".", "-") in keys - {key}}


def test_every_folder_has_a_layer():
    for room, layers in LAYERS.items():
        named = set().union(*layers)
        there = {path.parts[1].removesuffix(".py") for path in python_files() if path.parts[0] == room} - {"__init__"}
        assert there == named, room


def test_the_whole_house_is_looked_at():
    rooms = {room_of(path) for path in python_files()}
    assert rooms - OUTSIDE == set(ROOMS)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("metrics/x.py", "from data.evaluation import Evaluation"),
        ("metrics/x.py", "import pandas"),
        ("metrics/x.py", "def f():\n    from sklearn.metrics import f1_score"),
        ("metrics/x.py", "from ..data import evaluation"),
        ("data/x.py", "import metrics.confusion.counts"),
        ("data/reading/csv/x.py", "from ....metrics import counts"),
        ("data/x.py", "try:\n    import streamlit\nexcept ImportError:\n    pass"),
        ("data/x.py", "import importlib\nimportlib.import_module('ui.view.state')"),
        ("data/x.py", "import sklearn"),
        ("charts/x.py", "from data import evaluation"),
        ("charts/x.py", "import streamlit as st"),
        ("ui/x.py", "import plotly.graph_objects as go"),
        ("ui/x.py", "def f():\n    __import__('plotly')"),
        ("ui/x.py", "import pages.explore.overview"),
        ("pages/explore/x.py", "from tests.browser import driver"),
        ("app.py", "import metrics.confusion.counts"),
        ("cli.py", "from ui import state"),
        ("server.py", "import ui"),
        ("web/x.py", "from ui import state"),
        ("web/x.py", "import metrics.confusion.counts"),
        ("data/x.py", "from web import site"),
        ("export/x.py", "import streamlit as st"),
        ("export/x.py", "from charts import roc"),
        ("export/x.py", "import charts"),
        ("export/x.py", "from ui import state"),
        ("metrics/x.py", "import export"),
        ("text/x.py", "from data import errors"),
        ("data/labels/x.py", "from data.roles import detect"),
        ("data/joining/x.py", "from data.answers import parsing"),
        ("data/store/x.py", "from data.sharing.share import save"),
        ("metrics/confusion/x.py", "from metrics.findings.findings import findings"),
        ("ui/text/x.py", "from ui.view import url"),
        ("ui/overview/x.py", "def f():\n    from ui.classes import classes"),
        ("pages/x.py", ""),
        ("ui/helpers.py", ""),
        ("shed.py", ""),
        ("shed/x.py", ""),
    ],
)
def test_the_rule_catches(path, source):
    assert len(violations(source, Path(path))) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("metrics/x.py", "from scipy.special import expit\nfrom metrics.confusion.counts import MISSING\nimport math"),
        ("metrics/x.py", "from .counts import MISSING"),
        ("data/rows/x.py", "def f():\n    import sklearn.datasets"),
        ("pages/explore/x.py", "import streamlit as st\nfrom ui import frame"),
        ("charts/x.py", "import plotly.graph_objects as go\nfrom metrics import matrix"),
        ("web/x.py", "import streamlit as st\nfrom data import environment"),
        ("export/x.py", "from text.visible import show\nfrom metrics.confusion import matrix"),
        ("data/roles/x.py", "from data.labels import encode\nfrom data.roles.search import Search"),
        ("ui/rows/x.py", "from ui.rows import marks\nfrom ui.view import url\nfrom ui.text.markdown import md"),
        ("tests/x.py", "import plotly, streamlit, data, sklearn"),
    ],
)
def test_the_rule_allows(path, source):
    assert violations(source, Path(path)) == []
