"""No text tells anybody to install our package from an index: it names a file or this repository."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from data import version
from tests.test_repository import ROOT, our_files

INSTALLER = re.compile(r"\b(?:pip3? install|pipx \w+|uvx|uv (?:pip |tool )?\w+) [^\n`|&;<]*")
STRINGS_JOINED = re.compile(r"""["']\s*\n\s*[rf]?["']""")  # of one sentence over several lines of code
OURS = re.compile(r"blindspot([-_]eval)?(\[[\w,-]*\])?([=<>~!@].*)?", re.IGNORECASE)
COMMAND_AFTER = ("uvx", "pipx run", "uv tool run")
"""Those that take the package from an option, if it is given, and then a command's name."""


def index_packages(text: str) -> list[str]:
    """Return the commands in a text that take a package of ours from an index."""
    commands = INSTALLER.findall(STRINGS_JOINED.sub("", text))
    return [command for command in commands if any(OURS.fullmatch(word) for word in packages_of(command))]


def packages_of(command: str) -> list[str]:
    """Return the words of a command that can name a package."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:  # a quotation mark of the text around it
        words = re.split(r"""[\s"']+""", command)
    words = [word.strip("\"'.,:()") for word in words]
    source = [word for option, word in pairwise(words) if option in ("--from", "--spec")]
    return source if source and command.startswith(COMMAND_AFTER) else [word for word in words if "@ file:" not in word]


@pytest.mark.parametrize(
    ("command", "is_named"),
    [
        ("pip install blindspot", True),
        ("python -m pip install 'blindspot-eval[app]>=1'", True),
        ("pipx run blindspot_eval", True),
        ("uvx --with pandas blindspot-eval open preds.csv", True),
        ("uvx --from blindspot-eval blindspot-eval open p.csv", True),
        ("run `pip install \"\n    'blindspot[app]'`.", True),
        ("uvx --from './dist/blindspot_eval-1.0.0-py3-none-any.whl[app]' blindspot-eval open p.csv", False),
        ("pipx run --spec ./dist/blindspot_eval-1.0.0-py3-none-any.whl blindspot-eval open p.csv", False),
        ("pip install './client[app]'", False),
        ("pip install -r requirements.txt  # Blindspot", False),
        ("the package blindspot-eval, which pip installs", False),
    ],
)
def test_index_packages_are_found(command, is_named):
    assert bool(index_packages(command)) == is_named


@pytest.mark.skipif(version.IS_PUBLISHED, reason="blindspot-eval is on the package index")
def test_no_text_names_a_package_of_an_index():
    here = Path(__file__).resolve()
    texts = {path: path.read_bytes() for path in our_files() if path != here}
    found = {path: index_packages(content.decode()) for path, content in texts.items() if b"\0" not in content[:8000]}
    assert {str(path.relative_to(ROOT)): lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize("is_published", [False, True])
def test_install_command_follows_the_constant(monkeypatch, is_published):
    monkeypatch.setattr(version, "IS_INSTALLED", True)
    monkeypatch.setattr(version, "IS_PUBLISHED", is_published)
    assert bool(index_packages(version.install_command("app"))) == is_published


def test_documents_name_the_file_that_is_built():
    texts = [path.read_text(encoding="utf-8") for path in our_files() if path.suffix == ".md"]
    named = {name for text in texts for name in re.findall(r"\./dist/\S+?\.whl", text)}
    assert named == {version.WHEEL}


def test_release_publishes_only_what_its_owner_allowed():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    _, publish = text.split("\n  publish:\n")
    assert "if: github.ref_type == 'tag' && vars.PUBLISH == 'yes'\n" in publish
    assert "needs: [test, package, image]\n" in publish and text.count("id-token: write") == 1
    assert "secrets." not in text and "password" not in publish


def test_release_runs_what_there_is():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {"dist", "try-dist"} <= set(re.findall(r"\bmake ([a-z-]+)", text)) <= set(targets)
    assert all((ROOT / path).exists() for path in re.findall(r"(?:scripts/\w+\.sh|\.ci/run)", text))
