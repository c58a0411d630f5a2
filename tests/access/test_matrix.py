"""Test who gets what: every page, download and endpoint, for everyone there is, on the real server."""

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from data.sharing import share
from data.store import links, records, store
from tests.access.tab import Shown, Tab, fetch, server
from tests.opened_runs import keep_file
from ui.view.pages import PAGES

DEAD = "This link opens nothing. It is wrong, has expired or was revoked. Ask whoever sent it for a new one."
NO_FILE = "Failed to generate file for download"
NAME, TEXT = "secret-name.csv", "secret-text"
MAKING = ("review", "links")
"""Pages where links are made and taken back."""
ANN, BOB, EVE = "ann@example.org", "bob@example.org", "eve@elsewhere.example"

# The server's setting, who looks and in which groups → what a shared link, an upload's address, the first page open;
# "looks": the pages that show, but not those where links are made.
TABLE = {
    # no login at all
    ("none", "", ()): ("opens", "opens", "free"),
    # BLINDSPOT_LINKS_FOR=anyone
    ("anyone", ANN, ()): ("opens", "opens", "free"),
    ("anyone", BOB, ()): ("opens", "opens", "free"),
    ("anyone", "", ()): ("looks", "login", "login"),
    # members
    ("members", EVE, ()): ("opens", "opens", "free"),
    ("members", "", ()): ("login", "login", "login"),
    # domain:example.org,group:reviewers
    ("some", ANN, ()): ("opens", "opens", "free"),
    ("some", BOB, ()): ("opens", "opens", "free"),
    ("some", EVE, ()): ("refused", "opens", "free"),
    ("some", EVE, ("reviewers",)): ("opens", "opens", "free"),
    ("some", "", ()): ("login", "login", "login"),
}
# One of each row of outcomes: these are tried on every page, whoever else gets the same on a few.
ON_EVERY_PAGE = {("none", "", ()), ("anyone", "", ()), ("some", EVE, ()), ("some", "", ())}
FEW = ("overview", "rows", *MAKING)
SETTINGS = {"none": "", "anyone": "anyone", "members": "members", "some": "domain:example.org,group:reviewers"}


VIEWS = {"classes": "&class=a", "confusion": "&block=0-0/1", "rows": "", "thresholds": "", "overview": ""}
"""Pages with pieces that run by themselves, or with files; and what to look at there."""


class Kept(NamedTuple):
    """Hold what lies in the store: tokens by what became of them."""

    link: str
    draft: str
    wrong: str
    expired: str
    revoked: str


@pytest.fixture(scope="module")
def kept(module_store) -> Kept:
    run = upload(module_store.parent)
    link, expired, revoked = (share.share(run, person=ANN) for _ in range(3))
    past = dataclasses.replace(links.open_link(expired.token), ends=links.now() - 1)
    store.place().write(f"link/{links.id_of(expired.token)}.json", records.encode(past.to_json()))
    links.revoke(links.id_of(revoked.token), person=ANN)
    return Kept(link.token, run, "A" * 32, expired.token, revoked.token)


def upload(folder) -> str:
    """A draft of a file with texts, classes that are confused, and scores."""
    path = folder / NAME
    rows = [f"{i},{TEXT} {i},{'ab'[i % 2]},{'aab'[i % 3]},{(i % 7) / 7}" for i in range(60)]
    path.write_text("\n".join(["id,text,label,prediction,score", *rows]), encoding="utf-8")
    return keep_file(path)


@pytest.fixture(scope="module")
def at(module_store, tmp_path_factory) -> Iterator[dict[str, str]]:
    """The address of a server for each setting; started when it is asked for."""
    with contextlib.ExitStack() as running:

        class Servers(dict[str, str]):
            def __missing__(self, setting: str) -> str:
                folder = tmp_path_factory.mktemp(setting)
                started = server(folder, module_store, login=setting != "none", BLINDSPOT_LINKS_FOR=SETTINGS[setting])
                self[setting] = running.enter_context(started)
                return self[setting]

        yield Servers()


@pytest.fixture
def tab(at) -> Iterator[object]:
    with contextlib.ExitStack() as opened:
        yield lambda setting, person="", groups=(): Tab(at[setting], opened, person, groups)


def outcome(shown: Shown) -> str:
    """Return what a page came to; what does not open shows nothing of what is kept."""
    texts = shown.texts()
    if any(text.startswith(f"**`{NAME}`** ") for text in texts):
        assert DEAD not in texts
        return "opens"
    found = {"login": "Log in to Blindspot" in texts, "gone": DEAD in texts, "refused": any(map(is_refusal, texts))}
    if not any(found.values()):
        return "free"
    assert NAME.encode() not in shown.content and TEXT.encode() not in shown.content
    assert not shown.downloads() and not (found["login"] and shown.widgets("file_uploader"))
    return next(name for name in found if found[name])


def is_refusal(text: str) -> bool:
    return text.startswith("Links open for members of example.org and the group reviewers here, and you are ")


@pytest.mark.parametrize(("setting", "person", "groups"), TABLE)
def test_every_page_for(setting, person, groups, tab, kept):
    link, draft, first = TABLE[setting, person, groups]
    of = tab(setting, person, groups)
    for page in PAGES if (setting, person, groups) in ON_EVERY_PAGE else FEW:
        makes = "login" if page in MAKING else "opens"
        assert outcome(of.visit(page, f"run={kept.link}")) == (makes if link == "looks" else link), page
        assert outcome(of.visit(page, f"run={kept.draft}")) == draft, page
    for query in ("", "run=digits"):
        assert outcome(tab(setting, person, groups).visit("overview", query)) == first, query


@pytest.mark.parametrize(("setting", "person"), [("none", ""), ("anyone", BOB), ("some", EVE), ("anyone", "")])
def test_unusable_links_look_the_same_on_every_page(setting, person, tab, kept):
    of = tab(setting, person)
    for page in FEW if person else PAGES:
        shown = [of.visit(page, f"run={token}") for token in (kept.wrong, kept.expired, kept.revoked)]
        assert [outcome(one) for one in shown] == [gone_for(setting, person)] * 3, page
        assert shown[0].texts() == shown[1].texts() == shown[2].texts()


@pytest.mark.parametrize(("setting", "person"), [("none", ""), ("anyone", "")])
def test_open_tab_gets_nothing_once_revoked(setting, person, tab, at, kept):
    of, files, pieces = tab(setting, person), [], 0
    for page, view in VIEWS.items():
        with revoked_after(kept) as token:
            shown = of.visit(page, f"run={token}{view}")
            assert outcome(shown) == "opens", page
            files += [file_of(of, deferred, at[setting]) for deferred in shown.downloads()]
        assert [of.file(deferred) for deferred in shown.downloads()] == [("", NO_FILE)] * len(shown.downloads())
        assert outcome(of.visit(page, f"run={token}{view}")) == gone_for(setting, person), page
        for place in range(len(shown.fragments)):
            pieces += 1
            with revoked_after(kept) as token:
                fragment = of.visit(page, f"run={token}{view}").fragments[place]
                assert outcome(of.visit(page, f"run={token}{view}", fragment=fragment)) == "free", "as it was"
            assert outcome(of.visit(page, f"run={token}{view}", fragment=fragment)) == gone_for(setting, person), page
        with revoked_after(kept) as token:
            left = of.visit(page, f"run={token}{view}").fragments
        first = TABLE[setting, person, ()][2]
        assert outcome(of.visit(page, "t=0.5")) == first, "another view in between"
        for fragment in left[:1]:  # the whole page runs then, and the others are gone
            again = of.visit(page, "t=0.5", fragment=fragment)
            assert outcome(again) == first and not again.downloads() and TEXT.encode() not in again.content, page
    assert sum(TEXT.encode() in file for file in files) >= 2 and len(files) >= 3, "rows among them"
    assert pieces >= 3


@contextlib.contextmanager
def revoked_after(kept: Kept) -> Iterator[str]:
    """A link of its own, taken back at the end."""
    made = share.share(kept.draft, person=ANN)
    yield made.token
    links.revoke(links.id_of(made.token), person=ANN)


def file_of(of: Tab, deferred: str, url: str) -> bytes:
    """Return what a download button hands out."""
    address, problem = of.file(deferred)
    assert problem == ""
    status, content = fetch(url, address)
    assert status == 200
    return content


def gone_for(setting: str, person: str) -> str:
    """Return what a link that opens nothing comes to: who is not logged in where one has to be is not told anything."""
    return "gone" if person or setting == "none" else "login"
