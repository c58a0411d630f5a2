"""The image without a builder: what goes into it is enough to run, needs no right, and its probe tells the truth."""

import os
import re
import shutil
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from data.environment import VARIABLES
from tests.browser.driver import ROOT, start_server
from tests.ceiling import CEILING_SECONDS
from tests.free_port import free_port
from tests.test_architecture import ROOMS

CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
IGNORED = [
    line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]
KEPT = [line.removeprefix("!") for line in IGNORED if line.startswith("!")]


def test_image_holds_only_listed_files():
    assert IGNORED[0] == "*"
    needed = set(ROOMS) - {"client"}  # what other programs install; no module of the app imports it
    assert set(KEPT) >= {f"{room}.py" if (ROOT / f"{room}.py").exists() else room for room in needed}
    assert not any("secrets" in name or name in (".streamlit", "tests", ".git", ".blindspot") for name in KEPT)


def test_it_runs_as_nobody_in_particular():
    users = re.findall(r"^USER (.*)$", CONTAINERFILE, flags=re.MULTILINE)
    assert users and all(user.isdigit() and int(user) > 0 for user in users)
    assert CONTAINERFILE.index("\nUSER ") < CONTAINERFILE.index("\nCMD ")


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A folder with what goes into the image, that nobody may write to."""
    folder = tmp_path_factory.mktemp("image") / "app"
    for name in KEPT:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    yield folder


def probe(folder, port, **environment):
    command = [sys.executable, "-m", "web.health"]
    told = {**os.environ, "PORT": str(port), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run(command, cwd=folder, env=told, capture_output=True, timeout=CEILING_SECONDS).returncode


@pytest.mark.parametrize("url", ["", "https://example.org/blindspot"])
def test_image_is_complete_and_writes_nothing_beside_it(image, tmp_path, monkeypatch, url):
    before = {path: path.stat().st_mtime_ns for path in image.rglob("*")}
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("BLINDSPOT_URL", url)
    with start_server(image, tmp_path / "store") as running:
        port = urlsplit(running.url).port
        assert probe(image, port, BLINDSPOT_URL=url) == 0
        assert probe(image, port, BLINDSPOT_URL="https://example.org/elsewhere") == 1
    assert probe(image, free_port(), BLINDSPOT_URL=url) == 1
    assert {path: path.stat().st_mtime_ns for path in image.rglob("*")} == before


def test_the_example_with_a_proxy_believes_that_proxy():
    text = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    (trusted,) = re.findall(r"BLINDSPOT_PROXIES: (\S+)", text)
    assert re.search(rf"caddy:\n.*ipv4_address: {re.escape(trusted)}\b", text, flags=re.DOTALL)
    (address,) = re.findall(r'--to, "([0-9.]+):8501"', text)
    assert re.search(rf"blindspot:\n.*?ipv4_address: {re.escape(address)}\b", text, flags=re.DOTALL)


def test_space_listens_where_its_front_matter_says():
    _, front, _ = (ROOT / "deploy" / "space" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    said = dict(line.split(": ", 1) for line in front.splitlines())
    dockerfile = (ROOT / "deploy" / "space" / "Dockerfile").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(?:ENV +| +)(BLINDSPOT_\w+|PORT)=(\S+)", dockerfile, flags=re.MULTILINE))
    assert said["sdk"] == "docker" and len(said["short_description"]) <= 60
    assert said["app_port"] == settings["PORT"] == re.findall(r"^EXPOSE (.*)$", dockerfile, flags=re.MULTILINE)[0]
    assert len(settings) > 4 and all(VARIABLES[name].parse(value) is not None for name, value in settings.items())
    assert "USER 1000\n" in dockerfile and dockerfile.endswith("exec python server.py\n")
