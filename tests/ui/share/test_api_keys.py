"""The panel of keys: a key is shown once, everybody sees their own, and strangers make none."""

import pytest
from streamlit.testing.v1 import AppTest

from data.sharing import api_keys
from tests.ceiling import CEILING_SECONDS
from ui.person import people
from ui.share import api_keys as push_keys

pytestmark = pytest.mark.usefixtures("own_store")
PANEL = "from ui.share import api_keys\napi_keys.panel()"


@pytest.fixture
def person(monkeypatch):
    monkeypatch.setattr(people, "person", lambda: "ada@example.org")
    return "ada@example.org"


def panel() -> AppTest:
    app = AppTest.from_string(PANEL, default_timeout=CEILING_SECONDS).run()
    assert not app.exception
    return app


def make(app: AppTest, name: str) -> AppTest:
    app.text_input(key="keys.name").set_value(name)
    app.button[0].click()
    return app.run()


def test_made_key_works_and_is_shown_once():
    app = make(panel(), "nightly")
    [shown] = app.code
    assert api_keys.find(shown.value).name == "nightly" and api_keys.find(shown.value).scopes == ("push",)
    assert list(app.run().code) == []


def test_key_has_chosen_scopes_and_owner(person):
    app = panel()
    app.number_input(key="keys.days").set_value(7)
    app.button_group(key="keys.scopes").set_value(["push", "manage"])
    key = api_keys.find(make(app, "nightly").code[0].value)
    assert (key.scopes, key.person, key.ends - key.made) == (("push", "manage"), person, 7 * 86_400)


def test_key_without_a_name_is_refused():
    app = make(panel(), "  ")
    assert list(app.code) == [] and any("needs a name" in text.value for text in app.text)
    assert api_keys.list_every_key() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("BLINDSPOT_ADDRESS", "0.0.0.0"), ("BLINDSPOT_ADDRESS", "10.0.0.7"), ("BLINDSPOT_URL", "https://example.org")],
)
def test_open_servers_make_keys_by_command(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    app = panel()
    assert list(app.button) == [] and list(app.text_input) == []
    assert any("cli.py key new" in text.value for text in app.text)
    assert any("cli.py key list" in text.value and "cli.py key revoke" in text.value for text in app.caption)


def test_login_lets_people_make_keys(monkeypatch, person):
    monkeypatch.setenv("BLINDSPOT_ADDRESS", "0.0.0.0")
    assert len(make(panel(), "ci").code) == 1


def test_everybody_sees_and_revokes_their_own_keys_only(person):
    api_keys.make("theirs", person="bob@example.org")
    api_keys.make("nobody's")
    _, mine = api_keys.make("![](http://host/x.png)", person=person)
    app = panel()
    said = "\n".join(text.value for text in app.markdown)
    assert "`![](http://host/x.png)`" in said and "theirs" not in said and "nobody's" not in said
    app.button(key=f"keys.revoke.{mine.short_id}").click().run()
    assert not app.exception and {key.name for key in api_keys.list_every_key()} == {"theirs", "nobody's"}
    assert any("no API keys" in text.value for text in app.caption)


def test_without_a_login_no_keys_are_listed():
    _, key = api_keys.make("nobody's")
    app = panel()
    assert "nobody's" not in "\n".join(text.value for text in app.markdown)
    assert "`python cli.py key list`" in app.caption[-1].value
    assert key in api_keys.list_every_key()


def test_every_scope_is_explained():
    assert set(push_keys._SCOPES) == set(api_keys.SCOPES)
