"""No piece of a page, and no file, outlives the link that it came from: each first looks whether that still opens."""

import ast

import pytest
import streamlit as st

from data.sharing import share
from data.store import links
from tests.opened_runs import keep_file
from tests.test_architecture import ROOT, python_files, room_of
from ui.view import fragment, open_runs, state

pytestmark = pytest.mark.usefixtures("module_reads_here")

FRAGMENTS = {
    "ui/view/fragment.py": "where the check is made",
    "ui/rows/duplicate_search.py": "says how far a search, a query or a count is, and nothing of a row",
    "ui/frame/run_progress.py": "looks each time whether the link in view still opens",
}


def calls(name: str) -> list[tuple[str, ast.Call | ast.Attribute]]:
    """(file, node) of every use of a name of Streamlit's in the pages and in ui."""
    found = []
    for path in python_files():
        if room_of(path) in ("ui", "pages", "app"):
            for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
                of = node.func if isinstance(node, ast.Call) else node
                if isinstance(of, ast.Attribute) and of.attr == name and isinstance(node, ast.Call | ast.Attribute):
                    found.append((path.as_posix(), node))
    return found


def test_every_fragment_looks_whether_its_link_still_opens():
    assert {path for path, _ in calls("fragment")} == set(FRAGMENTS)


def test_every_download_looks_whether_its_link_still_opens():
    buttons = [(path, node) for path, node in calls("download_button") if isinstance(node, ast.Call)]
    assert buttons
    for path, node in buttons:
        assert ast.unparse(node.args[1]).startswith("open_runs.while_open("), path


@pytest.fixture
def link(tmp_path, own_store) -> links.Shared:
    path = tmp_path / "p.csv"
    path.write_text("label,prediction\na,a\nb,a\n", encoding="utf-8")
    return share.share(keep_file(path))


def in_view(monkeypatch, run: str) -> None:
    monkeypatch.setattr(st, "session_state", {state.url.VIEW: {"run": run}})


def test_file_is_made_until_the_link_is_revoked(link, monkeypatch):
    in_view(monkeypatch, link.token)
    made = open_runs.while_open(lambda: b"rows")
    in_view(monkeypatch, "")  # a click is answered outside any run of the page
    assert made() == b"rows"
    links.revoke(links.id_of(link.token), owner_key=link.owner_key)
    with pytest.raises(links.LinkGone):
        made()


@pytest.mark.parametrize("run", ["", "digits"])
def test_files_of_samples_are_always_made(link, monkeypatch, run):
    in_view(monkeypatch, run)
    assert open_runs.while_open(lambda: b"table")() == b"table"


@pytest.fixture
def piece(link, monkeypatch):
    """A piece of a page that was drawn with a link in view, as the browser may ask for it again."""

    class WholePage(Exception):
        pass

    def rerun():
        raise WholePage

    monkeypatch.setattr(st, "rerun", rerun)
    monkeypatch.setattr(fragment.st, "fragment", lambda drawn: kept.setdefault("again", drawn))
    kept: dict[str, object] = {}
    drawn: list[str] = []
    piece = fragment.run_fragment(drawn.append)
    in_view(monkeypatch, link.token)
    piece("rows")
    assert drawn == ["rows"]
    return lambda: kept["again"](link.token, "rows"), drawn, WholePage


@pytest.mark.parametrize("run", ["", "digits"])
def test_fragment_does_not_run_for_another_link(piece, monkeypatch, run):
    again, drawn, whole_page = piece
    in_view(monkeypatch, run)
    with pytest.raises(whole_page):
        again()
    assert drawn == ["rows"]


def test_fragment_does_not_run_after_revocation(piece, link):
    again, drawn, whole_page = piece
    again()
    links.revoke(links.id_of(link.token), owner_key=link.owner_key)
    with pytest.raises(whole_page):
        again()
    assert drawn == ["rows", "rows"]
