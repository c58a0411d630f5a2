"""Test that what a newcomer is told is true, and what is checked in is only ours."""

import ast
import contextlib
import io
import os
import re
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import cli
import server
from tests.ceiling import CEILING_SECONDS
from tests.test_architecture import ROOMS, imports, python_files, room_of

ROOT = Path(__file__).resolve().parents[1]
IMPORTED_AS = {
    "fonttools": "fontTools", "pillow": "PIL", "pyyaml": "yaml", "scikit-learn": "sklearn",
    "python-calamine": "python_calamine",
}  # fmt: skip
COMES_WITH = {  # the web server that Streamlit itself stands on, and what a package brings that is pinned
    **dict.fromkeys(
        ("starlette", "websockets", "uvicorn", "anyio", "python_multipart", "packaging", "google"), "streamlit"
    ),
    "jinja2": "streamlit",
    "tokenizers": "transformers",
    "joserfc": "authlib",
    "botocore": "s3fs",
}
NOT_CHECKED_IN = {
    ".axe",
    ".git",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    ".blindspot",
    "dist",
    "__pycache__",
}


def our_files() -> list[Path]:
    """Every file of the project, without what the tools leave behind."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        here = Path(folder)
        folders[:] = [n for n in folders if n not in NOT_CHECKED_IN and not (here / n / "pyvenv.cfg").exists()]
        found += [here / name for name in names if name not in NOT_CHECKED_IN]  # a worktree's .git is a file
    return sorted(found)


def pins(name: str) -> dict[str, str]:
    """Package to version of a requirements file; every line that is not a comment or an include must be a pin."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith(("#", "-r "))]
    assert [line for line in wanted if not re.fullmatch(r"[a-z0-9-]+(\[[a-z0-9]+\])?==[0-9][0-9a-z.]*", line)] == []
    return {name.partition("[")[0]: version for name, version in (line.split("==") for line in wanted)}


def third_party(*rooms: str) -> set[str]:
    """Packages, as they are imported, of all files in the given rooms."""
    ours = {*ROOMS, "tests", "scripts", "blindspot_eval"}
    paths = [path for path in python_files() if room_of(path) in rooms]
    tops = {one.module.partition(".")[0] for path in paths for one in imports((ROOT / path).read_text(), path)}
    return {COMES_WITH.get(top, top) for top in tops} - ours - set(sys.stdlib_module_names)


OPTIONAL = tuple(f"requirements-{part}.txt" for part in ("login", "object-store", "engines", "mcp"))
MODELS = "requirements-models.txt"  # optional in the tests, too: torch is large
SPARK = "requirements-spark.txt"  # likewise
PEERS = "requirements-peers.txt"  # of a benchmark alone


def pinned(*files: str) -> set[str]:
    """The packages of requirements files, as they are imported."""
    return {IMPORTED_AS.get(name, name) for file in files for name in pins(file)}


def test_the_app_needs_exactly_what_is_pinned():
    needed = third_party(*ROOMS) - {"hatchling"}  # builds the package, and is no part of it
    needed |= {"httptools"}  # web/http_protocol.py stands on the part of uvicorn that imports it
    assert needed - pinned(*OPTIONAL, MODELS, SPARK) == pinned("requirements.txt")


def test_the_tests_need_nothing_that_is_not_pinned():
    assert third_party("tests", "scripts") <= pinned(
        "requirements.txt", "requirements-dev.txt", MODELS, SPARK, PEERS, *OPTIONAL
    )
    for file in ("requirements.txt", *OPTIONAL):
        assert (ROOT / "requirements-dev.txt").read_text().count(f"-r {file}\n") == 1, file


@pytest.mark.parametrize("target", ["test", "fast", "bench", "tasks", "screenshots"])
def test_make_fetches_a_browser_where_one_is_used(target):
    """Every target runs first thing after git clone."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(rf"^{target}: .*\n((?:\t.*\n)+)", makefile, flags=re.MULTILINE)
    assert recipe and recipe[1].startswith("\t@PYTHON=$(BIN)/python sh scripts/find_browser.sh\n")


def test_make_runs_the_tests_of_models():
    """Tests that are skipped without torch or accelerate have a target that installs them."""
    paths = [path for folder in ("client", "harness") for path in (ROOT / "tests" / folder).rglob("test_*.py")]
    wanted = {name for path in paths for name in re.findall(r'importorskip\("([a-z_]+)"', path.read_text("utf-8"))}
    assert (
        {"torch", "accelerate"}
        <= wanted - {"fcntl"}
        <= pinned("requirements-models-dev.txt", MODELS, "requirements-dev.txt")
    )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "test-models: $(MODELS)/.models" in makefile and "-r requirements-models-dev.txt" in makefile


def test_make_test_installs_spark_where_java_is():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\ntest: $(VENV)/.dev $(VENV)/.spark\n" in makefile
    assert re.search(r"\.spark: .*requirements-spark\.txt.*\n\t@if java .*\\\n.*-r requirements-spark\.txt", makefile)


@cache
def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def readme_code() -> str:
    """Everything README.md sets in code: fenced blocks and spans."""
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", readme(), flags=re.DOTALL))


def test_readme_names_the_two_first_commands():
    assert "make run" in readme_code()
    assert "make test" in readme_code()


def test_every_make_command_of_the_readme_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {"run", "test", "check", "bench", "screenshots", "clean"} <= targets
    assert set(re.findall(r"\bmake ([a-z]+)", readme_code())) <= targets


@cache
def help_of(script: str, *command: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as text, pytest.raises(SystemExit):
        cli.main([*command, "--help"]) if script == "cli.py" else server.parse_port(["--help"])
    return text.getvalue()


def test_every_command_line_of_the_readme_exists():
    lines = re.findall(r"python (cli\.py|server\.py)((?:[^\n`\\]|\\\n)*)", readme_code())
    assert any(script == "cli.py" for script, _ in lines), "the README shows the command line"
    for script, rest in lines:
        words = rest.split()
        command = words[:1] if script == "cli.py" else []
        for option in re.findall(r"--[a-z-]+", rest):
            assert re.search(rf"{option}\b", help_of(script, *command)), f"{script} {' '.join(command)} has no {option}"


def test_every_file_the_readme_points_to_exists():
    targets = re.findall(r"\]\(([^)#\s]+)", readme()) + re.findall(r"(?:src|href)=\"([^\"#]+)\"", readme())
    assert targets, "the README shows a picture and points to more"
    assert [target for target in targets if "://" not in target and not (ROOT / target).exists()] == []


def test_documentation_shows_every_picture_it_keeps():
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name for text in texts for name in re.findall(r"screenshots/([\w-]+\.png)", text.read_text(encoding="utf-8"))
    }
    kept = {path.name for path in (ROOT / "docs" / "screenshots").iterdir()}
    assert kept == shown
    assert len(kept) <= 12  # every redrawn picture makes the repository larger by its whole size


FOREIGN = {
    "a path of somebody's machine": r"(?<![\w.:/])/(?:home|Users|root|work|opt|private)/\w",
    "a Windows home": r"[A-Z]:\\Users\\",
    "a package registry": r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.org|anaconda\.org)\b",
    "an index of packages": r"--(?:extra-)?index-url|PIP_INDEX_[U]RL",
}


@pytest.mark.parametrize("what", FOREIGN)
def test_nothing_checked_in_names(what):
    pattern = re.compile(FOREIGN[what].encode())
    found = [
        f"{path.relative_to(ROOT)}: {match[0].decode()}"
        for path in our_files()
        if b"\0" not in (content := path.read_bytes())[:8000] and (match := pattern.search(content))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("a path of somebody's machine", "open('" + "/" + "home/ann/x.csv')"),
        ("a Windows home", "C:" + "\\Users\\ann"),
        ("a package registry", "https://" + "pypi." + "org/simple"),
        ("an index of packages", "--index" + "-url x"),
    ],
)
def test_the_search_finds(what, text):
    assert re.search(FOREIGN[what], text)


def outside(source: str, path: Path) -> list[str]:
    """Return where a file climbs to above the repository."""
    if ".parents" not in source:  # most files: no need to parse them
        return []
    found = [
        (node.lineno, node.slice.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "parents"
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
    ]
    return [f"{path}:{line} parents[{n}]" for line, n in found if n >= len(path.parts)]


def test_nothing_reaches_out_of_the_repository():
    assert [way for path in python_files() for way in outside((ROOT / path).read_text(encoding="utf-8"), path)] == []


def test_the_way_out_of_the_repository_is_found():
    way_out = "from pathlib import Path\nX = Path(__file__).resolve().parents[%d] / 'data'"
    assert outside(way_out % 3, Path("tests/data/x.py")) and outside(way_out % 1, Path("cli.py"))
    assert not outside(way_out % 2, Path("tests/data/x.py"))


def test_icon_is_a_square_png():
    content = (ROOT / "assets" / "favicon.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (64, 64)
    app = (ROOT / "app.py").read_text(encoding="utf-8")
    assert "favicon.png" in app and "logo.svg" in app
    assert (ROOT / "assets" / "logo.svg").read_text(encoding="utf-8").startswith("<svg")


def test_what_runs_on_every_change_can_run():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "check test" in script.read_text(encoding="utf-8")


def test_tests_share_no_random_generator():
    """Draws of a test would depend on which tests drew before it."""
    shared = re.compile(r"^\w+ = (np\.random\.default_rng|random\.Random)\([^()]*\)$", re.MULTILINE)
    assert [path for path in (ROOT / "tests").rglob("*.py") if shared.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("uv_reaches", [True, False])
def test_packages_are_installed_without_uv_too(tmp_path, uv_reaches):
    """A stand-in for Python writes down what it is asked; as uv it ends as it does with or without a registry."""
    python, asked = tmp_path / "a python", tmp_path / "asked"
    python.write_text(f'#!/bin/sh\necho "$2 $*" >>"{asked}"\n[ "$2" != uv ] || exit {0 if uv_reaches else 2}\n')
    python.chmod(0o755)
    run = ["sh", "scripts/install_packages.sh", "-r", "some.txt"]
    subprocess.run(run, cwd=ROOT, env=os.environ | {"PYTHON": str(python)}, check=True, timeout=CEILING_SECONDS)
    lines = asked.read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["pip", "pip", "uv"] + ([] if uv_reaches else ["pip"])
    assert lines[-1].endswith("-r some.txt")


@pytest.mark.parametrize("setting", ["global.index-url='https://example.org/simple'", ":env:.no-index='1'"])
def test_pips_own_registry_is_left_to_pip(tmp_path, setting):
    python, asked = tmp_path / "python", tmp_path / "asked"
    python.write_text(f'#!/bin/sh\necho "$2 $3" >>"{asked}"\n[ "$3" != config ] || echo "{setting}"\n')
    python.chmod(0o755)
    run = ["sh", "scripts/install_packages.sh", "-r", "some.txt"]
    subprocess.run(run, cwd=ROOT, env=os.environ | {"PYTHON": str(python)}, check=True, timeout=CEILING_SECONDS)
    assert asked.read_text(encoding="utf-8").splitlines() == ["pip config", "pip install"]
