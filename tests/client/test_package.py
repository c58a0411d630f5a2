"""The package works where it is installed: the client alone, and the app that lies in it. Its examples run."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from data.version import WHEEL
from tests.ceiling import CEILING_SECONDS
from tests.free_port import free_port
from tests.test_repository import pins

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(sysconfig.get_path("purelib"))
INSTALL_APP = f"pip install '{WHEEL}[app]'"
README = (ROOT / "client" / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def run(*words: object, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command outside of the repository."""
    return subprocess.run(
        [str(word) for word in words], cwd=folder, env=clean_environment(HOME=str(folder), **environment),
        capture_output=True, text=True, check=False, timeout=CEILING_SECONDS,
    )  # fmt: skip


def clean_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without what would tell a command of the repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("BLINDSPOT", "PYTHON"))} | more


def build(client: Path, folder: Path) -> tuple[Path, Path]:
    """Build as `make dist` does; returns the wheel and the source distribution."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(
        command, cwd=client, env=clean_environment(), check=True, capture_output=True, timeout=CEILING_SECONDS
    )
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def environment_with(folder: Path, packages: Path, file: Path, *options: str) -> Path:
    """Make a virtual environment with a file installed, beside packages of this one; returns where its commands are."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n")
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--no-deps", "--no-index")
    installed = run(*pip, *options, file, folder=folder)
    assert installed.returncode == 0, installed.stderr
    return folder / "bin"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, Path]:
    """The wheel and the source distribution."""
    pytest.importorskip("hatchling", reason="hatchling is not installed (requirements-dev.txt)")
    return build(ROOT / "client", tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def alone(built, tmp_path_factory) -> Path:
    """The commands of an environment with the wheel, numpy and pyarrow."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / "packages").mkdir()
    for path in [path for name in ("numpy", "pyarrow") for path in SITE.glob(f"{name}*")]:
        (folder / "packages" / path.name).symlink_to(path)
    return environment_with(folder / "venv", folder / "packages", built[0])


@pytest.fixture(scope="module")
def complete(built, tmp_path_factory) -> Path:
    """The commands of an environment with what the source distribution gives, and all that the app needs."""
    return environment_with(tmp_path_factory.mktemp("complete") / "venv", SITE, built[1], "--no-build-isolation")


def installed_files(commands: Path) -> dict[str, bytes]:
    """Return every file of the package in an environment, by its path, and its licences."""
    (site,) = commands.parent.glob("lib/python*/site-packages")
    folders = (site / "blindspot_eval", next(site.glob("blindspot_eval-*.dist-info")) / "licenses")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in files}


def test_two_builds_are_the_same_bytes(built, tmp_path, monkeypatch):
    """Another folder, other times, other rights, and nothing but what git would check out."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
        (tmp_path / name).chmod(0o600)
    (tmp_path / ".streamlit" / "secrets.toml").write_text("a secret")
    again = build(tmp_path / "client", tmp_path / "dist")
    assert [path.name for path in again] == [path.name for path in built]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_package_holds_every_file_of_the_app(alone):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    left_out = {"tests", "scripts", "docs", "deploy", "client", ".ci", ".github"}
    wanted = {
        f"blindspot_eval/_app/{name}"
        for name in listed.stdout.splitlines()
        if name.split("/")[0] not in left_out and ("/" in name or name.endswith(".py"))
    }
    assert {name for name in installed_files(alone) if "/_app/" in name} == wanted


def test_wheel_and_source_install_the_same(alone, complete):
    assert installed_files(alone) == installed_files(complete)


def test_licence_and_notices_are_inside(alone):
    files = {Path(name).name: content for name, content in installed_files(alone).items() if "/licenses/" in name}
    assert files["LICENSE"] == (ROOT / "LICENSE").read_bytes()
    table = re.findall(r"^\| .+? \| (.+) \|$", files["THIRD_PARTY_NOTICES.md"].decode(), flags=re.MULTILINE)[1:]
    assert sorted(name for row in table for name in row.split(", ")) == sorted({*pins("constraints.txt"), "tzdata"})


def test_client_alone_needs_numpy_and_pyarrow_only(alone, tmp_path):
    (tmp_path / "p.py").write_text(
        "import blindspot_eval\n"
        "blindspot_eval.save_predictions(None, ['a', 'b'], ['a', 'a'], 'p.parquet')\n"
        "try:\n    blindspot_eval.push('p.parquet', 'http://127.0.0.1:9')\n"
        "except ValueError as error:\n    print(error)"
    )
    ran = run(alone / "python", "p.py", folder=tmp_path)
    assert (
        ran.stdout.startswith("There is no API key; put it into the environment variable BLINDSPOT_KEY")
        and not ran.stderr
    )
    refused = run(alone / "blindspot-eval", "open", "p.parquet", folder=tmp_path)
    told = f"The app is not installed here: name the package with [app] behind it, as in {INSTALL_APP}.\n"
    assert (refused.returncode, refused.stderr) == (2, told)


def test_command_does_what_the_command_line_does(complete, tmp_path):
    command = complete / "blindspot-eval"
    listed = run(command, "--help", folder=tmp_path).stdout
    assert listed.startswith("usage: blindspot-eval ")
    assert all(name in listed for name in ("score", "open", "push", "run"))
    (tmp_path / "p.csv").write_text("truth,prediction\na,a\nb,a\n")
    ran = run(command, "score", "p.csv", folder=tmp_path)
    assert "Accuracy" in ran.stdout and "0.500" in ran.stdout and ran.returncode == 0
    wrong = run(complete / "python", "-m", "blindspot_eval", "score", folder=tmp_path)
    assert wrong.returncode == 2 and wrong.stderr.strip().endswith("blindspot-eval score --help lists the options.")
    assert "python" not in wrong.stderr


def test_command_serves_a_page(complete, tmp_path):
    (tmp_path / "p.csv").write_text("truth,prediction\na,a\nb,a\n")
    command = [complete / "blindspot-eval", "open", "p.csv", "--no-browser"]
    environment = clean_environment(HOME=str(tmp_path), PORT=str(free_port()))
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            with urllib.request.urlopen(server.stdout.readline().strip(), timeout=CEILING_SECONDS) as page:
                assert page.status == 200 and b"<title>" in page.read()
        finally:
            server.terminate()
    assert (tmp_path / ".blindspot").is_dir()


def test_extras_name_what_the_requirements_pin():
    text = (ROOT / "client" / "pyproject.toml").read_text(encoding="utf-8")
    extras = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    pattern = r'"([a-z0-9-]+)(?:\[[a-z]+\])?[><=]=([0-9.]+)'
    for extra, files, also in (
        ("app", ["requirements.txt"], {"jinja2"}),  # Streamlit brings it
        ("models", ["requirements-models.txt"], {"jinja2"}),
        ("login", ["requirements-login.txt"], set()),
        ("object-store", ["requirements-object-store.txt"], set()),
        ("engines", ["requirements-engines.txt"], set()),
        ("mcp", ["requirements-mcp.txt"], set()),
        ("spark", ["requirements-spark.txt"], set()),
    ):
        listed = re.search(rf"^{extra} = \[(.*?)\]$", extras, flags=re.DOTALL | re.MULTILINE)
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


def test_only_the_notebook_may_show_a_frame(tmp_path, monkeypatch):
    from blindspot_eval import viewing

    paths = SimpleNamespace(jupyter_runtime_dir=lambda: str(tmp_path))
    assert viewing._find_notebook() is None
    monkeypatch.setitem(sys.modules, "jupyter_core.paths", paths)
    assert viewing._find_notebook() is None
    (tmp_path / f"jpserver-{os.getppid()}.json").write_text('{"port": 8890}', encoding="utf-8")
    assert viewing._find_notebook() == "http://localhost:8890 http://127.0.0.1:8890"


def test_notebook_example_runs(tmp_path, monkeypatch):
    import blindspot_eval

    shown: list[str] = []
    monkeypatch.setattr(blindspot_eval, "show", shown.append)
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[2], "README.md", "exec"), {})
    assert shown == ["preds.csv"] and np.loadtxt("preds.csv", delimiter=",", dtype=str)[2].tolist()[2] == '"spam"'
