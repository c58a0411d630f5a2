"""Scripts of components: text stays text, and each is sent as one module."""

import re
from pathlib import Path

import pytest
import streamlit as st

from ui.text.component import join, report_offered, sent_by

ROOT = Path(__file__).parents[3]
SCRIPTS = sorted((ROOT / "ui").rglob("*.js"))
STYLES = sorted((ROOT / "ui").rglob("*.css"))
MOUNTED = [path for path in SCRIPTS if "export default" in path.read_text(encoding="utf-8")]


def test_click_after_its_page_was_left_does_nothing(monkeypatch):
    monkeypatch.setattr(st, "session_state", {"here": {"chosen": "a"}, "cleared": None, "read.-_.-.0": {"chosen": "b"}})
    chosen: list[str] = []
    for key in ("here", "cleared", "gone"):
        report_offered(key, {"a"}, chosen.append)()
    assert chosen == ["a"]
    assert [sent_by(key, "chosen") for key in ("here", "cleared", "gone")] == ["a", None, None]
    assert sent_by("here", "opened") is None
    assert sent_by("read.-__-.0", "chosen") == "b"


def test_scripts_write_text_and_never_markup():
    assert len(SCRIPTS) > 30
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|setTimeout\(['\"]"
        r"|https?://(?!www\.w3\.org)"
    )
    for path in SCRIPTS:
        assert not re.search(forbidden, path.read_text(encoding="utf-8")), path.name


@pytest.mark.parametrize("path", MOUNTED, ids=lambda path: path.stem)
def test_joined_script_gives_no_name_twice(path):
    """A second declaration of a name would keep all of the module from running."""
    joined = join(path.parent, path.stem)
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", joined, re.MULTILINE)
    assert len(names) == len(set(names))
    assert not re.search(r"^import |^export (?!default)", joined, re.MULTILINE)
    assert len(re.findall("^export default ", joined, re.MULTILINE)) == 1


def test_colours_come_from_the_page_or_its_scheme():
    """Only white stands by itself, on the page's own primary colour; another colour has one for light and dark."""
    assert len(STYLES) > 20
    for path in STYLES:
        alone = re.sub(r"light-dark\([^()]*\)", "", path.read_text(encoding="utf-8"))
        assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b", alone)) <= {"#fff", "#ffffff"}, path.name
