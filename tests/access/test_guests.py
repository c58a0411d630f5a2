"""Whoever looks at a shared link without the login that the server has changes nothing on it, whatever is pressed."""

import pytest
from streamlit.testing.v1 import AppTest

from data.sharing import api_keys, share
from data.store import links, store
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_text
from ui.person import people
from ui.view.pages import PAGES

# Labels that look alike, raw answers, a second column that could be the prediction: something to correct everywhere.
ROWS = [f"{i},{i} to {'ab'[i % 2]},{('Spam', 'spam ', 'ham')[i % 3]},{('spam', 'ham')[i % 2]}" for i in range(40)]
ANSWERS = [f"{i},{('spam', 'ham')[i % 2]},The answer is **{('spam', 'ham')[i % 3 % 2]}**. Because." for i in range(40)]
FILES = {
    "labels": "\n".join(["id,text,label,prediction", *ROWS]),
    "answers": "\n".join(["id,label,answer", *ANSWERS]),
    "unusable": "x,y\n1,2\n3,4\n",
}


@pytest.fixture(autouse=True)
def _store(module_store):
    return module_store


@pytest.fixture(scope="module")
def shared(module_store) -> dict[str, str]:
    made = {}
    for name, content in FILES.items():
        run = keep_text(module_store.parent / f"{name}.csv", content)
        made[name] = share.share(run, person="ann@example.org").token
    return made


@pytest.fixture
def guest(monkeypatch):
    monkeypatch.setattr(people, "has_login", lambda: True)
    monkeypatch.setattr(people, "_has_own_login", lambda: True)


def everything_kept() -> set[str]:
    return {entry.name for folder in ("link", "data", "key", "gone") for entry in store.place().entries(folder)}


def buttons(app: AppTest) -> set[str]:
    return {str(button.key or button.label) for button in app.button if not button.disabled}


PLACES = [*((page, "labels") for page in PAGES), ("open", "answers"), ("parsing", "answers"), ("open", "unusable")]


@pytest.mark.parametrize(("page", "name"), PLACES)
def test_no_button_of_a_guest_writes_anything(page, name, shared, guest, monkeypatch):
    monkeypatch.setattr("streamlit.login", lambda *provider: None)
    app = open_page(page, run=shared[name])
    before = everything_kept()
    assert not app.get("file_uploader")
    for key in sorted(buttons(app)):
        app = open_page(page, run=shared[name])
        next(button for button in app.button if str(button.key or button.label) == key).click().run()
        assert not app.exception
    assert everything_kept() == before and api_keys.list_every_key() == []


def test_members_are_offered_what_guests_are_not(shared, guest, monkeypatch):
    """Else the test above would be about pages on which there is nothing to press."""
    for page, name in (*(("open", name) for name in shared), ("parsing", "answers"), ("overview", "labels")):
        offered = {}
        for person in ("", "bob@example.org"):
            monkeypatch.setattr(people, "person", lambda person=person: person)
            offered[person] = buttons(open_page(page, run=shared[name]))
        more = offered["bob@example.org"] - offered[""]
        assert "review.add" in more if page == "overview" else more - {"people.out", "review.add"}, (page, name)


def test_guest_reads_why_to_log_in(shared, guest, monkeypatch):
    assert "as a guest. To upload, correct or share, log in." in texts(open_page("overview", run=shared["labels"]))
    monkeypatch.setattr(people, "person", lambda: "bob@example.org")
    shown = open_page("overview", run=shared["labels"])
    assert "bob@example.org" in [text.value for text in shown.sidebar.text] and "as a guest" not in texts(shown)


def test_guest_link_to_an_unusable_file_says_why(shared, guest):
    app = open_page("open", run=shared["unusable"])
    assert "cannot be used yet" in texts(app) and not app.get("form_submit_button") and not app.selectbox
    assert links.open_link(shared["unusable"])
