"""The package works from its wheel: the client alone, and the app that lies in it. Its examples run."""

import ast
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.ceiling import CEILING_SECONDS
from tests.test_repository import pins

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "client" / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def run(*words: str, path: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with one folder of packages before the others, outside of the repository."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BLINDSPOT", "PYTHON"))}
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, env=clean | {"PYTHONPATH": str(path), "HOME": str(cwd)},
        capture_output=True, text=True, check=False, timeout=CEILING_SECONDS,
    )  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The unpacked wheel, as pip unpacks it."""
    pytest.importorskip("hatchling", reason="hatchling is not installed (requirements-dev.txt)")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT / "client", check=True, capture_output=True, timeout=CEILING_SECONDS)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_wheel_holds_every_file_of_the_app(wheel):
    app = wheel / "blindspot_eval" / "_app"
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    left_out = {"tests", "scripts", "docs", "deploy", "client", ".ci"}
    wanted = {
        name
        for name in filter(None, tracked)
        if name.split("/")[0] not in left_out and ("/" in name or name.endswith(".py"))
    }
    found = {path.relative_to(app).as_posix() for path in app.rglob("*") if path.is_file()}
    assert wanted - found == set() and found - wanted <= {"LICENSE"} | {name for name in found if "/" in name}
    assert not [name for name in found if name.endswith(".pyc") or "docs/" in name]
    assert {path.name for path in wheel.iterdir()} == {"blindspot_eval", next(wheel.glob("*.dist-info")).name}


def test_client_alone_needs_numpy_and_pyarrow_only(wheel, tmp_path):
    (tmp_path / "p.py").write_text(
        "import importlib.abc, sys\n"
        "class Hide(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name.partition('.')[0] in ('pandas', 'scipy', 'sklearn', 'streamlit', 'jinja2'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Hide())\n"
        "import blindspot_eval\n"
        "blindspot_eval.save_predictions(None, ['a', 'b'], ['a', 'a'], 'p.parquet')\n"
        "try:\n    blindspot_eval.push('p.parquet', 'http://127.0.0.1:9')\n"
        "except ValueError as error:\n    print(error)"
    )
    ran = run("p.py", path=wheel, cwd=tmp_path)
    assert ran.stdout.startswith("There is no key; put one into BLINDSPOT_KEY") and not ran.stderr
    assert (tmp_path / "p.parquet").is_file()


def test_command_does_what_the_command_line_does(wheel, tmp_path):
    listed = run("-m", "blindspot_eval", "--help", path=wheel, cwd=tmp_path).stdout
    assert listed.startswith("usage: blindspot-eval ") and all(
        name in listed for name in ("score", "open", "push", "run")
    )
    (tmp_path / "p.csv").write_text("truth,prediction\na,a\nb,a\n")
    ran = run("-m", "blindspot_eval", "score", "p.csv", path=wheel, cwd=tmp_path)
    assert "Accuracy" in ran.stdout and "0.5000" in ran.stdout and ran.returncode == 0
    wrong = run("-m", "blindspot_eval", "score", path=wheel, cwd=tmp_path)
    assert wrong.returncode == 2 and wrong.stderr.strip().endswith("blindspot-eval score --help lists the options.")
    assert "python" not in wrong.stderr


def test_extras_name_what_the_requirements_pin():
    text = (ROOT / "client" / "pyproject.toml").read_text(encoding="utf-8")
    extras = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    pattern = r'"([a-z0-9-]+)[><=]=([0-9.]+)'
    for extra, files, also in (
        ("app", ["requirements.txt"], {"jinja2"}),  # Streamlit brings it
        ("models", ["requirements-models.txt"], {"jinja2"}),
        ("login", ["requirements-login.txt"], set()),
        ("object-store", ["requirements-object-store.txt"], set()),
    ):
        listed = re.search(rf"^{extra} = \[(.*?)\]\n", extras, flags=re.DOTALL | re.MULTILINE)
        assert listed is not None
        named = dict(re.findall(pattern, listed[1]))
        pinned = {name: version for file in files for name, version in pins(file).items()}
        assert set(named) - also == set(pinned), extra
        assert all(pinned[name].startswith(version) for name, version in named.items() if name in pinned), extra


def test_examples_are_short_and_name_what_they_define():
    assert len(EXAMPLES) == 3
    for example in EXAMPLES:
        assert len(example.strip().splitlines()) <= 10
        nodes = list(ast.walk(ast.parse(example)))
        known = {"model", "train", "test", "print"} | {
            alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
        }
        names = [node for node in nodes if isinstance(node, ast.Name)]
        known |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
        assert {node.id for node in names} <= known


def test_scikit_learn_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[1], "README.md", "exec"), {})
    assert (tmp_path / "wine.parquet").is_file()


def test_notebook_example_runs(tmp_path, monkeypatch):
    import blindspot_eval

    shown: list[str] = []
    monkeypatch.setattr(blindspot_eval, "show", shown.append)
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[2], "README.md", "exec"), {})
    assert shown == ["preds.csv"] and np.loadtxt("preds.csv", delimiter=",", dtype=str)[2].tolist()[2] == '"spam"'
