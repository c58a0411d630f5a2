"""Test what the share dialog says and makes: the address, who can see it, when it ends, what it leaves out."""

import json
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from data.runs import draft_changes, load
from data.sharing import quota, share as data_sharing
from data.store import links
from tests.opened_pages import lenses, open_page, texts
from tests.opened_runs import keep_file, keep_text
from tests.pages.test_left_out import everything
from ui.person import people
from ui.share import made_link, sharing
from ui.text import local_time
from ui.view import address
from ui.view.open_runs import evaluation_of
from ui.view.pages import PAGES

pytestmark = pytest.mark.usefixtures("own_store")
FILE = "id,text,label,prediction\n" + "".join(f"{i},message {i},{'ab'[i % 2]},{'aab'[i % 3]}\n" for i in range(60))


@pytest.fixture
def run(tmp_path) -> str:
    return keep_text(tmp_path / "p.csv", FILE)


def asked(page: str, **query: str) -> AppTest:
    """A page on which Share was pressed."""
    return open_page(page, **query).button(key="share.button").click().run()


def made(app: AppTest) -> tuple[str, str]:
    """Press *Make the link*; returns its address and the owner key."""
    app.button(key="share.make").click().run()
    assert not app.exception
    link, *_, key = (code.value for code in app.code)
    return link, key


def token_of(link: str) -> str:
    return link.partition("run=")[2].partition("&")[0]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_shares_what_is_loaded(run, page):
    app = open_page(page, run=run)
    assert [b.label for b in app.button].count("Share") == 1


@pytest.mark.parametrize("page", PAGES)
def test_pages_without_file_can_be_shared(page):
    app = open_page(page)
    assert ("Share" in [b.label for b in app.button]) == (not PAGES[page].needs_file)


def test_preview_is_kept_with_the_link(run):
    app = asked("overview", run=run)
    app.checkbox(key="share.preview").check().run()
    link, _ = made(app)
    token = token_of(link)
    assert links.open_link(token).preview
    assert f"[page of the numbers]({link.partition('/overview')[0]}/shared/{token})" in texts(app)
    link, _ = made(asked("overview", run=run))
    assert not links.open_link(token_of(link)).preview


def test_links_for_members_offer_no_page(run, monkeypatch):
    app = asked("overview", run=run)
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", "members")
    app.run()
    assert "share.preview" not in [box.key for box in app.checkbox]
    made(app)
    assert "page of the numbers" not in texts(app)


QUOTES = {"q": "secret words", "row": "3", "marks": "3-4"}


@pytest.mark.parametrize("kind", ["all", "columns", "rows"])
def test_a_links_address_is_its_stored_view(run, kind):
    app = asked("rows", run=run, only="errors", **QUOTES)
    app.radio(key="share.kind").set_value(kind).run()
    if kind == "columns":
        app.multiselect(key="share.hide").set_value(["text"]).run()
    link, _ = made(app)
    stored = links.open_link(token_of(link)).views[0].query
    assert {name: value for name, value in parse_qsl(urlsplit(link).query) if name != "run"} == stored
    assert stored == ({"only": "errors", **QUOTES} if kind == "all" else {"only": "errors"})


@pytest.mark.parametrize(
    ("views", "query"),
    [
        ((), "/?run=abc"),
        ((links.View("rows", {"only": "errors"}),), "/rows?run=abc&only=errors"),
        ((links.View("open"), links.View("rows")), "/?run=abc&step=1"),
        ((links.View("rows", {"step": "7", "run": "other", "unknown": "x"}),), "/rows?run=abc"),
    ],
)
def test_address_of_a_link_has_its_views(monkeypatch, views, query):
    monkeypatch.setenv("BLINDSPOT_URL", "https://example.org")
    assert address.link_address("abc", views) == f"https://example.org{query}"


def test_link_has_page_view_and_token(run, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_URL", "https://example.org/blindspot/")
    link, key = made(asked("confusion", run=run, order="support", errors="1"))
    token = token_of(link)
    assert link == f"https://example.org/blindspot/confusion?run={token}&order=support&errors=1"
    assert token != run and links.open_link(token).kind == "share"
    (view,) = links.open_link(token).views
    assert (view.page, dict(view.query)) == ("confusion", {"order": "support", "errors": "1"})
    assert links.require_owner(links.id_of(token), owner_key=key)


def test_title_and_end_are_those_chosen(run):
    app = asked("overview", run=run)
    app.text_input(key="share.title").set_value("nightly **412**")
    app.segmented_control(key="share.days").set_value(7)
    link = links.open_link(token_of(made(app)[0]))
    assert link.title == "nightly **412**" and link.ends - link.made == 7 * 86_400
    assert f"on {local_time.moment(link.ends, UTC)}, in 7 days" in texts(app) and "That is earlier" not in texts(app)
    assert "Anyone who has this link and reaches this server." in texts(app)


def test_listed_numbers_equal_the_page_at_threshold():
    app = open_page("overview", run="screening")
    shown = lenses(app)
    numbers = dict(sharing.headline(evaluation_of("screening")))
    assert numbers.pop("Rows") == "10,000" and set(numbers) == {"Recall", "Precision"}
    for name, written in numbers.items():  # the page writes as many digits as its interval allows
        assert float(written) == pytest.approx(float(shown[name]), abs=0.005)
    many = dict(sharing.headline(evaluation_of("movie-genres")))
    assert set(many) == {"Rows", "Subset accuracy", "Per-label accuracy"}


def test_numbers_only_leaves_the_rows_out(run):
    app = asked("overview", run=run)
    app.radio(key="share.kind").set_value("rows")
    token = token_of(made(app)[0])
    assert "no row can be read" in texts(app)
    assert load.draft_of(token).counts_only
    assert "without rows" in texts(open_page("overview", run=token))


def test_hidden_columns_are_gone_and_named(run):
    app = asked("overview", run=run)
    app.radio(key="share.kind").set_value("columns").run()
    assert app.button(key="share.make").disabled, "which columns has to be said first"
    assert {"text", "id"} <= set(app.multiselect(key="share.hide").options)
    assert not {"label", "prediction"} & set(app.multiselect(key="share.hide").options), "numbers are made of them"
    app.multiselect(key="share.hide").set_value(["text"]).run()
    token = token_of(made(app)[0])
    assert "1 column (`text`)." in texts(app)
    assert "text" not in load.list_columns(token) and "text" in load.list_columns(run)
    assert "1 column left out" in texts(open_page("overview", run=token))


@pytest.mark.parametrize("hidden", ["text", "patient"])
def test_columns_of_every_compared_run_can_be_hidden(run, hidden, tmp_path):
    other = FILE.replace("id,text", "id,patient").replace("message", "John").replace(",b\n", ",a\n")
    app = asked("compare", run=run, **{"with": f"run.{keep_text(tmp_path / 'q.csv', other)}"})
    app.radio(key="share.kind").set_value("columns").run()
    assert set(app.multiselect(key="share.hide").options) == {"id", "text", "patient"}
    app.multiselect(key="share.hide").set_value([hidden]).run()
    token = token_of(made(app)[0])
    cells = {"text": "message", "patient": "John"}
    for query in ({"flip": "broken"}, {"flip": "broken", "row": "2"}):
        shown = ""
        for a in ("0", "1"):
            app = open_page("compare", run=token, a=a, b=str(1 - int(a)), **query, **{"with": "part.0"})
            shown += everything(app.main)
        assert {name for name, cell in cells.items() if cell in shown} == {"text", "patient"} - {hidden}


def test_made_link_stays_until_done(run):
    app = asked("overview", run=run)
    link, key = made(app)
    assert [code.value for code in app.run().code] == [link, key]
    assert [code.value for code in app.switch_page(PAGES["classes"].script).run().code] == [link, key], (
        "also on another page"
    )
    app.button(key="made_link.done").click().run()
    assert not app.code
    app.button(key="share.button").click().run()
    assert not app.code and "share.make" in [b.key for b in app.button] and key not in texts(app)


def test_shared_link_is_reshared_by_its_address(run):
    token = token_of(made(asked("overview", run=run))[0])
    app = asked("confusion", run=token, norm="all")
    (code,) = app.code
    assert code.value == f"/confusion?run={token}&norm=all"
    assert "This is a shared link already" in texts(app) and not [b for b in app.button if b.key == "share.make"]
    assert "Shared link, read-only" in texts(app)


def test_a_sample_needs_no_link_of_its_own():
    app = asked("thresholds", run="screening", t="0.25")
    assert [code.value for code in app.code] == ["/thresholds?run=screening&t=0.25"]
    assert "**Expires:** Never." in texts(app)


def test_too_many_links_are_refused(run, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SAVES_PER_HOUR", "1")
    monkeypatch.setattr(quota, "_made", {})
    monkeypatch.setattr(people, "person", lambda: "ada@example.org")
    made(asked("overview", run=run))
    app = asked("overview", run=run).button(key="share.make").click().run()
    assert not app.exception and not app.code
    assert "One person may make at most 1 link an hour." in texts(app) and "BLINDSPOT_SAVES_PER_HOUR" in texts(app)
    assert "**The link could not be made**" in texts(app) and "cannot be opened" not in texts(app)


def bar(app: AppTest) -> str:
    """The first caption of a page: what the link in view is."""
    return str(app.main.caption[0].value)


def test_bar_says_until_when_an_upload_is_kept(run):
    until = local_time.moment(links.open_link(run).ends, UTC)
    app = asked("overview", run=run)
    made(app)
    app.button(key="made_link.done").click().run()
    assert bar(app) == f"Your upload, kept until {until}", "links stand on Shared links"


def test_corrected_sample_is_named_so():
    sample = load.draft_of("screening")
    copy = draft_changes.correct("screening", sample.settings, {"positive": "healthy"})
    assert bar(open_page("overview", run=copy)).startswith("Corrected sample, kept until ")


def test_an_upload_in_memory_promises_no_end(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_DRAFT_HOURS", "0")
    path = tmp_path / "p.csv"
    path.write_text(FILE, encoding="utf-8")
    app = open_page("overview", run=keep_file(path))
    said = "Your upload, held in this server's memory only"
    assert bar(app) == said and "24 hours" not in texts(app)


def test_derived_link_says_why_it_ends_early(run):
    shared = data_sharing.share(run, days=1)
    draft = load.draft_of(shared.token)
    copy = draft_changes.correct(shared.token, draft.settings, {"truth": "prediction", "pred": "label"})
    app = asked("overview", run=copy)
    made(app)
    assert local_time.moment(shared.ends, UTC) in texts(app)
    assert "That is earlier than after 30 days: it expires with the link it was made from." in texts(app)


def test_whose_links_are_counted(monkeypatch):
    assert people.usage_name().startswith("address ")
    monkeypatch.setattr(people, "person", lambda: "ada@example.org")
    assert people.usage_name() == "ada@example.org"


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ("anyone", "Anyone who has this link and reaches this server, without a login."),
        ("members", "Anyone who has this link and is logged in on this server."),
        (
            "domain:example.org, group:reviewers",
            "logged in with an address at example.org or as one of the group reviewers.",
        ),
    ],
)
def test_audience_follows_the_setting(monkeypatch, kinds, said):
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", kinds)
    assert address.audience() == "Anyone who has this link and reaches this server."
    monkeypatch.setattr(people, "has_login", lambda: True)
    assert address.audience().endswith(said)


@pytest.mark.parametrize(
    ("here", "told", "base"),
    [
        ("http://127.0.0.1:8501/confusion", "", "http://127.0.0.1:8501"),
        ("http://127.0.0.1:8501/", "", "http://127.0.0.1:8501"),
        ("https://example.org/eval/confusion", "", "https://example.org/eval"),
        ("http://10.0.0.7/rows", "https://example.org/rows", "https://example.org/rows"),
    ],
)
def test_the_address_is_where_people_find_the_server(monkeypatch, here, told, base):
    monkeypatch.setattr(type(address.st.context), "url", property(lambda context: here))
    monkeypatch.setenv("BLINDSPOT_URL", told)
    assert address.address("rows", {"a": "b c"}) == f"{base}/rows?a=b+c"
    assert address.address("open", {}) == f"{base}/"
    assert address.this_machine_only() == ("127.0.0.1" in here)


def test_moment_uses_the_browsers_clock(monkeypatch):
    seconds = int(datetime(2026, 12, 21, 23, 30, tzinfo=UTC).timestamp())
    for zone, said in (("Asia/Kolkata", "22 December 2026, 05:00"), ("No/Where", "21 December 2026, 23:30 UTC")):
        monkeypatch.setattr(type(local_time.st.context), "timezone", property(lambda context, zone=zone: zone))
        assert local_time.moment(seconds) == said


def test_browser_remembers_link_and_key(run):
    app = asked("overview", run=run)
    app.text_input(key="share.title").set_value("nightly")
    link, owner_key = made(app)
    (entry,) = [json.loads(text) for text in app.session_state["browser_storage.entries"].values() if "token" in text]
    assert (entry["token"], entry["owner_key"], entry["title"]) == (token_of(link), owner_key, "nightly")


def test_forgetful_browser_shows_the_key_until_kept(run):
    app = asked("overview", run=run)
    app.session_state["browser_storage.refused"] = True
    made(app)
    assert app.button(key="made_link.done").label == "Done, I have kept both"
    assert "This browser keeps nothing" in texts(app)


def test_the_way_to_let_others_in_is_documented():
    document = (Path(__file__).resolve().parents[3] / "docs" / "deployment.md").read_text(encoding="utf-8")
    assert f"```\n{made_link.LET_OTHERS_IN}\n```" in document
