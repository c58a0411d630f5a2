"""Links on the pages: what opens nothing says so everywhere, drafts say how long they live, owners take links back."""

import dataclasses
import json
from datetime import UTC
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.runs import draft_changes, load
from data.sharing import share
from data.store import links, records, store
from data.store.links import View
from tests.opened_pages import lenses, open_page, texts
from tests.opened_runs import keep_text
from ui.person import people
from ui.share import known_links
from ui.share.drafts import ITS_TABLE
from ui.text import local_time
from ui.view.pages import PAGES

DEAD = "This link opens nothing. It is wrong, has expired or was revoked. Ask whoever sent it for a new one."
FILE = "id,text,label,prediction\n" + "".join(f"{i},m {i},{'ab'[i % 2]},{'aab'[i % 3]}\n" for i in range(60))


@pytest.fixture(autouse=True)
def _store(own_store):
    """Keep what a test stores in a store of its own."""


@pytest.fixture
def run(tmp_path) -> str:
    return upload(tmp_path)


def upload(folder: Path, text: str = FILE) -> str:
    return keep_text(folder / "p.csv", text)


def rewrite(token: str, content: bytes) -> None:
    """Put something else where a link is stored."""
    store.place().write(f"link/{links.id_of(token)}.json", content)


def stored(token: str) -> bytes:
    return store.place().read(f"link/{links.id_of(token)}.json")


def ended(token: str) -> None:
    past = dataclasses.replace(links.open_link(token), ends=links.now() - 1)
    rewrite(token, records.encode(past.to_json()))


def said(app: AppTest) -> list[str]:
    return [text.value for text in app.text]


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


# Opening


@pytest.mark.parametrize("page", PAGES)
def test_unusable_links_show_a_way_on(run, page):
    shared, over = share.share(run), share.share(run)
    ended(over.token)
    links.revoke(links.id_of(shared.token), owner_key=shared.owner_key)
    for token in ("nonsense", "A" * 32, over.token, shared.token):
        app = open_page(page, run=token)
        assert not app.exception and said(app).count(DEAD) == 1
        assert "share.button" not in [b.key for b in app.button]
        ways = [b.key for b in app.button] + [link.label for link in app.get("page_link")]
        assert {"sample.screening", "Open a file or a sample"} & set(ways)


def test_damaged_and_newer_links_say_so(run, monkeypatch):
    damaged, newer = share.share(run).token, share.share(run).token
    rewrite(damaged, stored(damaged).replace(b"p.csv", b"q.csv"))
    with monkeypatch.context() as later:
        later.setattr(records, "FORMAT", records.FORMAT + 1)
        rewrite(newer, records.encode(links.open_link(newer).to_json()))
    for page in ("open", "overview", "links"):
        assert "What is stored behind this link is damaged" in said(open_page(page, run=damaged))[0]
        assert "A newer version of Blindspot made this link" in said(open_page(page, run=newer))[0]


def test_link_without_a_page_opens_its_view(run):
    token = share.share(run, views=[View("confusion", {"order": "support", "errors": "1"})]).token
    app = open_page("open", run=token)
    assert app.title[0].value == "20 of 30 `b` rows were predicted as `a`" and not app.exception
    assert {key: app.query_params[key] for key in ("run", "order", "errors")} == {
        "run": token, "order": "support", "errors": "1",
    }  # fmt: skip


def test_link_to_open_shows_how_file_was_read(run):
    token = share.share(run, views=[View("open")]).token
    app = open_page("open", run=token)
    assert app.query_params["reading"] == "1" and "How we read your file" in texts(app) and lenses(app)


def test_shared_link_says_so_on_every_page(run):
    token = share.share(run, title="nightly **412**").token
    for page in ("overview", "glossary", "links"):
        shown = texts(open_page(page, run=token))
        assert "`nightly **412**`" in shown and "Shared link, read-only" in shown
        assert shown.count("expires on") == 1
        assert "In what was shared" not in shown


def test_correction_of_a_shared_link_is_a_copy(run):
    shared = share.share(run)
    draft = load.draft_of(shared.token)
    copy = draft_changes.correct(shared.token, draft.settings, {"truth": "prediction", "pred": "label"})
    app = open_page("open", run=copy)
    assert "Your own copy of a shared link: what was shared is as it was." in texts(app)
    links.revoke(links.id_of(shared.token), owner_key=shared.owner_key)
    assert said(app.run()).count(DEAD) == 1, "an open tab"


def test_open_tab_shows_nothing_once_revoked(run):
    shared = share.share(run)
    app = open_page("confusion", run=shared.token)
    assert DEAD not in said(app)
    links.revoke(links.id_of(shared.token), owner_key=shared.owner_key)
    assert said(app.run()) == [DEAD]


# Drafts


def test_upload_says_how_long_it_is_kept(run):
    app = open_page("open", run=run)
    assert "Kept here for 24 hours (until " in texts(app) and "reachable only by this address." in texts(app)


def test_other_hours_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_DRAFT_HOURS", "1")
    assert "Kept here for 1 hour (until " in texts(open_page("open", run=upload(tmp_path)))


def test_memory_drafts_say_so_and_reach_no_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_DRAFT_HOURS", "0")
    app = open_page("open", run=upload(tmp_path))
    assert "Held in this server's memory only, until it stops" in texts(app) and "Kept here for" not in texts(app)
    assert not list((tmp_path / "store").rglob("*.parquet")) and not list((tmp_path / "store").rglob("link/*"))
    press(press(app, "draft.delete"), "draft.sure")
    assert ITS_TABLE in texts(app)


def test_an_unusable_upload_can_be_deleted_too(tmp_path):
    app = open_page("open", run=upload(tmp_path, "x,y\n1,2\n3,4\n"))
    assert "cannot be used yet" in texts(app) and "Kept here for 24 hours" in texts(app)
    press(press(app, "draft.delete"), "draft.sure")
    assert not list((store.place().root / "data").iterdir())


def test_visitors_cannot_delete_samples_and_links(run):
    for token in ("screening", share.share(run).token):
        assert "draft.delete" not in [b.key for b in open_page("open", run=token).button]


def test_deleting_asks_first_and_keeps_what_is_kept(run):
    app = press(open_page("open", run=run), "draft.delete")
    press(app, "draft.keep")
    assert "draft.sure" not in [b.key for b in app.button] and links.open_link(run)


def test_deleted_upload_opens_nothing(run):
    app = press(press(open_page("open", run=run), "draft.delete"), "draft.sure")
    assert ITS_TABLE in texts(app) and "run" not in app.query_params
    assert "sample.screening" in [b.key for b in app.button]
    assert said(open_page("open", run=run)).count(DEAD) == 1
    assert "Its table" not in texts(app.run()), "told once"


def test_deleting_reveals_no_other_copies(tmp_path):
    told = []
    for others in (0, 1):  # somebody else's upload, then a guess of what is in it
        kept = [upload(tmp_path) for _ in range(others)]
        app = press(press(open_page("open", run=upload(tmp_path)), "draft.delete"), "draft.sure")
        told.append(texts(app))
        assert bool(list((store.place().root / "data").iterdir())) == bool(others)
        assert all(lenses(open_page("overview", run=token)) for token in kept)
    assert told[0] == told[1] and ITS_TABLE in told[0]


# The page Shared links


def by_key(link: str, key: str) -> AppTest:
    app = open_page("links")
    app.text_input(key="links.address").set_value(link)
    app.text_input(key="links.key").set_value(key)
    next(b for b in app.button if b.label == "Show this link").click().run()
    assert not app.exception
    return app


def button(app: AppTest, label: str) -> str:
    (found,) = [b.key for b in app.button if b.label == label]
    return str(found)


@pytest.mark.parametrize("form", ["https://host/confusion?run={}&order=support", "{}", " {} "])
def test_link_and_owner_key_show_its_facts(run, form):
    shared = share.share(run, days=7, title="nightly", headline=[("Accuracy", "50.0 %")])
    shown = texts(by_key(form.format(shared.token), f" {shared.owner_key} "))
    assert (
        "`nightly`" in shown
        and "Accuracy **50.0 %**" in shown
        and "in 7 days · made on " in shown
        and "nothing is left out" in shown
    )


def test_wrong_key_is_one_sentence(run):
    shared = share.share(run, title="nightly")
    app = by_key(shared.token, shared.token)
    assert len(said(app)) == 1 and "not the owner key of this link" in said(app)[0] and "nightly" not in texts(app)


def test_a_draft_has_no_owner_key(run):
    assert said(by_key(run, "")) == [DEAD]


def test_an_extended_link_ends_later(run):
    shared = share.share(run, days=1)
    app = by_key(shared.token, shared.owner_key)
    id_ = links.id_of(shared.token)[:16]
    app.segmented_control(key=f"links.days.{id_}").set_value(180)
    press(app, f"links.extend.{id_}")
    assert "in 180 days" in said(app)[0]
    assert links.open_link(shared.token).ends - links.now() > 179 * 86_400


def from_link(run: str, days: int) -> tuple[links.Shared, links.Shared]:
    """A link, and one that was made from it for 180 days."""
    above = share.share(run, days=days)
    copy = draft_changes.correct(
        above.token, load.draft_of(above.token).settings, {"truth": "prediction", "pred": "label"}
    )
    return above, share.share(copy, days=180)


def test_derived_link_shows_its_real_end(run):
    above, shared = from_link(run, 7)
    app = by_key(shared.token, shared.owner_key)
    end = f"Expires on {local_time.moment(above.ends, UTC)}, in 7 days: with the link it was made from"
    assert texts(app).count(end) == 2 and "in 180 days" not in texts(app), "now, and once it is extended"
    press(app, f"links.extend.{links.id_of(shared.token)[:16]}")
    assert said(app)[0] == f"The link was extended. {end}."


def test_link_of_a_revoked_origin_says_so(run):
    above, shared = from_link(run, 7)
    links.revoke(links.id_of(above.token), owner_key=above.owner_key)
    assert "Opens nothing any more: the link it was made from" in texts(by_key(shared.token, shared.owner_key))


def test_owner_key_says_how_a_link_ended(run):
    revoked, past = share.share(run), share.share(run)
    links.revoke(links.id_of(revoked.token), owner_key=revoked.owner_key)
    ended(past.token)
    for shared, how in ((revoked, "was revoked"), (past, "has expired")):
        app = by_key(shared.token, shared.owner_key)
        assert said(app) == [f"This link {how}. Share the file again for a new one."]
        assert not any(button.label in ("Revoke", "Delete") for button in app.button)
    assert said(by_key(revoked.token, "x" * 32)) == [DEAD]


def test_earlier_end_is_announced_before_setting(run):
    shared = share.share(run, days=30)
    app, id_ = by_key(shared.token, shared.owner_key), links.id_of(shared.token)[:16]
    assert "This is earlier than its present date." not in said(app)
    app.segmented_control(key=f"links.days.{id_}").set_value(1).run()
    assert "in 24 hours" in texts(app) and "This is earlier than its present date." in said(app)
    assert links.open_link(shared.token).ends == shared.ends, "nothing is set yet"


def test_an_empty_form_asks_for_the_link():
    assert said(by_key("  ", "")) == ["Paste the link first."]


def test_revoked_link_leaves_its_upload(run):
    shared = share.share(run)
    app = by_key(shared.token, shared.owner_key)
    press(app, button(app, "Revoke"))
    assert links.open_link(shared.token), "it asks first"
    press(app, "links.yes")
    assert said(app) == ["The link was revoked: it opens nothing any more."]
    assert said(open_page("overview", run=shared.token)) == [DEAD]
    assert lenses(open_page("overview", run=run))


def test_deleting_says_the_same_with_shared_table(run):
    shared = share.share(run)
    for gone in (False, True):
        app = by_key(shared.token, shared.owner_key)
        press(press(app, button(app, "Delete")), "links.yes")
        assert said(app)[0] == f"The link was deleted: it opens nothing any more. {ITS_TABLE}"
        assert bool(list((store.place().root / "data").iterdir())) != gone
        if not gone:
            shared = share.share(run)
            share.delete_upload(run)


def test_logged_in_people_see_own_links_only(run, monkeypatch):
    for person in ("ada", "ben"):
        share.share(run, title=f"by {person}", person=person)
    share.share(run, title="by nobody")
    monkeypatch.setattr(people, "person", lambda: "ada")
    app = open_page("links")
    assert "by ada" in texts(app) and "by ben" not in texts(app) and "by nobody" not in texts(app)
    press(press(app, button(app, "Revoke")), "links.yes")
    assert "by ada" not in texts(app) and "You have shared nothing yet" in texts(app)
    assert [link.title for _, link in links.list_shared("ben")] == ["by ben"]


def test_links_of_one_title_name_their_views(run, monkeypatch):
    cell, order = View("confusion", {"true": "a", "pred": "b"}), View("confusion", {"order": "support"})
    for views in ([cell], [order], [View("classes")], [cell, order]):
        share.share(run, title="weekly", views=views, person="ada")
    monkeypatch.setattr(people, "person", lambda: "ada")
    lines = [line.value for line in open_page("links").caption if "opens" in line.value or "review of" in line.value]
    assert sorted(lines) == [
        "a review of 2 steps", "opens Classes", "opens Confusion `order=support`", "opens Confusion `pred=b&true=a`"
    ]  # fmt: skip


def kept(*entries: object) -> AppTest:
    """The page Shared links in a browser that keeps these links."""
    app = open_page("links")
    app.session_state["browser_storage.entries"] = {
        known_links.entry_name(entry["token"] if isinstance(entry, dict) else ""): (
            entry if isinstance(entry, str) else json.dumps(entry)
        )
        for entry in entries
    }
    app.run()
    assert not app.exception
    return app


def entry(shared: links.Shared, title: str, **other: object) -> dict[str, object]:
    return {"token": shared.token, "owner_key": shared.owner_key, "title": title, "made": links.now(), **other}


def test_links_that_this_browser_knows_are_listed(run):
    app = kept(*(entry(share.share(run, title=title, days=7), title) for title in ("first", "second")))
    assert app.title[0].value == "2 links work; the next expires in 7 days"
    assert "`first`" in texts(app) and "`second`" in texts(app)


def test_dead_known_key_is_named(run):
    gone, wrong = share.share(run), share.share(run, title="kept secret")
    links.revoke(links.id_of(gone.token), owner_key=gone.owner_key)
    app = kept(entry(gone, "old"), entry(wrong, "mine", owner_key="x" * 32))
    assert app.title[0].value == "None of your links works any more" and "kept secret" not in texts(app)
    assert "`old`" in texts(app) and "This link was revoked." in texts(app)
    assert "not the owner key of this link" in texts(app)
    press(press(app, button_key(app, "links.forget.", 0)), button_key(app, "links.forget.", 0))
    assert "`old`" not in texts(app)


def button_key(app: AppTest, beginning: str, place: int) -> str:
    return str([b.key for b in app.button if str(b.key).startswith(beginning)][place])


@pytest.mark.parametrize(
    "entry", ["", "{", "[1]", "7", "[" * 100_000, '{"token": 5}', '{"token": "x"}', '{"token": "' + "A" * 33 + '"}']
)
def test_entry_without_a_link_is_left_out(entry):
    assert kept(entry).title[0].value == "You have shared nothing yet"


def test_hostile_words_of_an_entry_are_no_markup(run):
    strange = entry(share.share(run), "![](http://h/x)\ud800 **b**", owner_key=["x"], made=10**30)
    app = kept(strange)
    assert "`![](http://h/x)? **b**`" in texts(app) and "not the owner key of this link" in texts(app)


def test_forget_all_empties_what_the_browser_keeps(run):
    app = kept(entry(share.share(run), "first"))
    press(press(app, "links.forget_all"), "links.yes")
    assert app.title[0].value == "You have shared nothing yet"
    assert "has forgotten everything" in said(app)[0] and app.session_state["browser_storage.forgotten"]


def test_what_was_left_out_stands_in_the_list(run, monkeypatch):
    monkeypatch.setattr(people, "person", lambda: "ada")
    share.share(run, counts_only=True, person="ada")
    share.share(run, hide=["text"], person="ada")
    shown = texts(open_page("links"))
    assert "the rows are left out" in shown and "1 column is left out" in shown


# What a link asks for and a file does not have


@pytest.mark.parametrize(
    ("page", "sample", "query", "sentence"),
    [
        ("classes", "digits", {"list": "outside"}, "there are no classes not in the label list"),
        ("classes", "digits", {"list": "never"}, "there are no classes never predicted"),
        (
            "classes",
            "movie-genres",
            {"list": "absent"},
            "there are no classes not in the data",
        ),
        ("parsing", "support-intents-llm", {"part": "99"}, "Ignored part=99 in the link: it names no outcome"),
        (
            "parsing",
            "support-intents-llm",
            {"outcome": "exact", "part": "9999"},
            "Ignored part=9999 in the link: this outcome has",
        ),
    ],
)
def test_missing_lists_and_parts_are_named(page, sample, query, sentence):
    app = open_page(page, run=sample, **query)
    assert not app.exception and sentence in texts(app)
    assert next(iter(query)) == "outcome" or next(iter(query)) not in app.query_params


def test_a_list_that_somebody_chose_is_no_link():
    app = open_page("classes", run="digits")
    app.pills(key="view.list").set_value("outside").run()
    assert "Ignored list" not in texts(app)
