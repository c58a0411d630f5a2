"""A review shows the chosen views, exactly and in order; what a link says beyond that changes nothing."""

import dataclasses
import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.errors import DataError
from data.runs import load
from data.sharing import share
from data.store import links, records, store
from data.store.links import View
from tests.opened_pages import lenses, new_tab, ways
from ui.person import people
from ui.review import review_steps
from ui.view.pages import PAGES

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "![](http://h/x.png) <b>bold</b> :red[r] `a` $x$"
VIEWS = (
    View("overview", {}, "The start", "Two lines\nof a note"),
    View("confusion", {"true": "1", "pred": "8", "norm": "none"}, "Ones read as eights", HOSTILE),
    View("classes", {"class": "8"}, HOSTILE),
    View("confusion", {}, "All of it"),
)


@pytest.fixture(scope="module")
def review(_store) -> links.Shared:
    """A link to four steps over the digits."""
    return share.share("digits", title="Before the release", views=VIEWS)


def arrive(**query: str) -> AppTest:
    """A new tab at an address without a page."""
    tab = new_tab()
    for name, value in query.items():
        tab.query_params[name] = value
    return ran(tab.run())


def follow(tab: AppTest, page: str, **query: str) -> AppTest:
    """Open an address in a tab."""
    tab.query_params.clear()
    for name, value in query.items():
        tab.query_params[name] = value
    return ran(tab.switch_page(PAGES[page].script).run())


def ran(tab: AppTest) -> AppTest:
    assert not tab.exception, tab.exception[0].message
    return tab


def query_of(tab: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in tab.query_params.items()}


def texts(tab: AppTest) -> list[str]:
    return [str(part.value) for part in tab.text]


def view_of(tab: AppTest, *names: str) -> list[object]:
    return [tab.session_state["view.values"][name] for name in names]


def is_walking(tab: AppTest) -> bool:
    return "review.leave" in {button.key for button in tab.button}


def place(tab: AppTest) -> tuple[int, int]:
    """The step on screen and how many there are, by the list of all steps."""
    listed = [one.proto for one in tab.get("page_link") if re.match(r"\d+\. ", one.proto.label)]
    return [one.disabled for one in listed].index(True) + 1, len(listed)


def open_step(tab: AppTest, review: links.Shared, step: int) -> AppTest:
    view = VIEWS[step - 1]
    return follow(tab, view.page, run=review.token, step=str(step), **view.query)


def test_step_shows_title_note_and_position(review):
    tab = open_step(new_tab().run(), review, 1)
    assert {"Before the release", "The start", "Two lines\nof a note"} <= set(texts(tab))
    assert place(tab) == (1, 4)
    assert tab.title[0].value.startswith("93.2\u00a0% accurate")


def test_step_has_the_pages_numbers_without_menu(review):
    normal = follow(new_tab().run(), "overview", run="digits")
    step = open_step(new_tab().run(), review, 1)
    assert lenses(step) == lenses(normal) and len(lenses(normal)) > 2
    assert len(step.sidebar.markdown) == len(step.sidebar.button) == 0


def test_every_step_opens_its_own_view(review):
    tab = new_tab().run()
    open_step(tab, review, 2)
    assert view_of(tab, "true", "pred", "norm") == ["1", "8", "none"]
    open_step(tab, review, 4)
    assert view_of(tab, "true", "pred", "norm") == ["", "", "row"], "nothing of the step before is left"
    open_step(tab, review, 3)
    assert view_of(tab, "class") == ["8"] and tab.title[0].value == "`class 8` is the weakest class: F1 0.854"


def test_titles_and_notes_are_no_markup(review):
    tab = open_step(new_tab().run(), review, 2)
    assert HOSTILE in texts(tab)
    open_step(tab, review, 3)
    assert HOSTILE in texts(tab)
    live = [str(part.value) for part in (*tab.markdown, *tab.caption, *tab.title)]
    assert not any("http://h" in text for text in live)


def test_step_too_far_is_the_last_one(review):
    tab = follow(new_tab().run(), "overview", run=review.token, step="9")
    assert view_of(tab, "step") == [4] and "predicted as `class 8`" in tab.title[0].value
    assert any("this review has 4 steps" in text for text in texts(tab))
    tab.run()
    assert not any("this review has 4 steps" in text for text in texts(tab)), "it is said once"


@pytest.mark.parametrize("step", ["-1", "1001", "x"])
def test_step_must_be_a_number(review, step):
    tab = follow(new_tab().run(), "overview", run=review.token, step=step)
    assert not is_walking(tab) and any(f"Ignored step={step}" in text for text in texts(tab))


def test_address_without_page_opens_its_steps_page(review):
    tab = arrive(run=review.token, step="2")
    assert "predicted as `class 8`" in tab.title[0].value and view_of(tab, "true", "pred") == ["1", "8"]


@pytest.mark.parametrize("kind", ["sample", "share"])
def test_link_without_review_shows_its_page(kind):
    run = "digits" if kind == "sample" else share.share("digits", views=VIEWS[:1]).token
    tab = new_tab().run()
    tab.session_state["browser_storage.answered"] = True  # the browser keeps no steps of it
    follow(tab, "overview", run=run, step="2")
    assert not is_walking(tab) and len(lenses(tab)) > 2
    assert any("the link holds no review" in text for text in texts(tab))
    assert "step" not in query_of(tab)


def test_a_revoked_review_opens_nothing(review):
    gone = share.share("digits", views=VIEWS)
    tab = open_step(new_tab().run(), gone, 1)
    assert is_walking(tab)
    links.revoke(links.id_of(gone.token), owner_key=gone.owner_key)
    tab.run()
    assert not is_walking(tab) and not tab.metric
    assert any("This link opens nothing" in text for text in texts(tab))


def everything(tab: AppTest) -> list[tuple[str, str]]:
    """Every piece of the page, as it is sent."""
    return [(one.type, str(getattr(one, "proto", ""))) for one in tab.main]


@pytest.mark.parametrize("page", ["open", "overview", "review"])
def test_unusable_links_say_the_same_with_a_step(page):
    over, gone = (share.share("digits", title="Secret", views=VIEWS) for _ in range(2))
    ended = dataclasses.replace(links.open_link(over.token), ends=links.now() - 1)
    store.place().write(f"link/{links.id_of(over.token)}.json", records.encode(ended.to_json()))
    links.revoke(links.id_of(gone.token), owner_key=gone.owner_key)
    tabs = [follow(new_tab().run(), page, run=run, step="2") for run in ("A" * 32, over.token, gone.token)]
    for tab in tabs:
        assert texts(tab).count(links.LinkGone().args[0]) == 1
        assert not any("holds no review" in text or "Secret" in text for text in texts(tab))
    wrong, *others = [
        [(type_, text.replace(tab_run, "RUN")) for type_, text in everything(tab)]
        for tab, tab_run in zip(tabs, ("A" * 32, over.token, gone.token), strict=True)
    ]
    assert others == [wrong, wrong] and len(wrong) > 2


def test_review_for_others_reveals_nothing(review, monkeypatch):
    def refuse(run: str) -> None:
        raise DataError("not for you")

    monkeypatch.setattr(people, "check", refuse)
    tab = open_step(new_tab().run(), review, 1)
    assert not is_walking(tab) and not {"Before the release", "The start"} & set(texts(tab))


def test_stored_step_changes_only_its_view():
    strange = {"run": "screening", "step": "3", "norm": "diagonal", "nobody": "1", "worst": "7"}
    views = (View("nowhere", {}, "gone"), View("confusion", strange, "one"), View("overview", {}, "two"))
    run = share.share("digits", views=views).token
    tab = arrive(run=run, step="1")
    assert view_of(tab, "run", "step", "norm", "worst") == [run, 1, "row", 7]
    assert place(tab) == (1, 2), "a page that this version does not have is left out"


def test_looking_around_comes_back_to_the_step(review):
    tab = open_step(new_tab().run(), review, 2)
    follow(tab, "rows", run=review.token, step="2", only="errors")
    assert is_walking(tab) and tab.title[0].value == "61 of 899 rows are wrong"
    tab.session_state["view.values"]["norm"] = "all"
    ran(tab.button(key="review.again").click().run())
    assert "predicted as `class 8`" in tab.title[0].value
    assert view_of(tab, "true", "pred", "norm", "step") == ["1", "8", "none", 2]


def test_links_inside_a_step_stay_in_the_review(review):
    tab = open_step(new_tab().run(), review, 1)
    queries = [one.proto.query_string for one in tab.get("page_link") if one.proto.query_string]
    queries += ways(tab)
    inside = [query for query in queries if "step=1" in query]
    assert len(inside) > 3
    assert all("step=" in query for query in queries)


def test_next_and_previous_lead_to_neighbours(review):
    tab = open_step(new_tab().run(), review, 3)
    found = {one.proto.label: one.proto for one in tab.get("page_link")}
    assert (found["Previous"].page, found["Next"].page) == ("confusion", "confusion")
    assert found["Previous"].query_string == f"run={review.token}&step=2&norm=none&true=1&pred=8"
    assert found["Next"].query_string == f"run={review.token}&step=4"
    assert not found["Next"].disabled
    open_step(tab, review, 4)
    assert {one.proto.label: one.proto.disabled for one in tab.get("page_link")}["Next"]


def test_unchanged_step_has_one_title(review):
    tab = open_step(new_tab().run(), review, 2)
    assert tab.title[0].anchor == "title-of-step", "review.css hides it below the title of the step"
    follow(tab, "confusion", run=review.token, step="2", norm="none", true="1", pred="9")
    assert tab.title[0].anchor == "title", "the view says something else now"


def test_who_leaves_keeps_the_view(review):
    tab = open_step(new_tab().run(), review, 2)
    ran(tab.button(key="review.leave").click().run())
    assert not is_walking(tab) and view_of(tab, "true", "pred", "step") == ["1", "8", 0]
    assert "step" not in query_of(tab)


def collect(tab: AppTest, page: str, title: str, note: str = "", **query: str) -> None:
    follow(tab, page, run="digits", **query)
    ran(tab.button(key="review.add").click().run())
    tab.text_input[-1].set_value(title)
    tab.text_area[-1].set_value(note)
    ran(next(button for button in tab.button if button.label == "Add").click().run())


def steps_of(tab: AppTest, run: str = "digits") -> tuple[review_steps.Step, ...]:
    """The steps that the browser is told to keep of a run."""
    entries = tab.session_state["browser_storage.entries"]
    return review_steps.read_collected(entries.get(review_steps.entry_name(run), "")).steps


def collected(tab: AppTest) -> list[tuple[str, str]]:
    return [(step.page, step.title) for step in steps_of(tab)]


@pytest.fixture
def tab() -> AppTest:
    """A tab with three views of the digits collected, on the page that arranges them."""
    tab = new_tab().run()
    collect(tab, "overview", "one", "first note")
    collect(tab, "confusion", "two", true="1", norm="all")
    collect(tab, "classes", "three")
    return follow(tab, "review", run="digits")


def key_of(tab: AppTest, place: int, what: str) -> str:
    return f"{steps_of(tab)[place].key}.{what}"


def test_the_proposed_title_is_the_pages_finding():
    tab = follow(new_tab().run(), "overview", run="screening")
    ran(tab.button(key="review.add").click().run())
    assert tab.text_input[-1].value.startswith("Overview: 93 of 100 'cancer' rows were predicted as 'healthy'")
    follow(tab, "confusion", run="digits", true="1", pred="8")
    ran(tab.button(key="review.add").click().run())
    assert tab.text_input[-1].value == "Confusion: 8 of 102 'class 1' rows were predicted as 'class 8'"
    follow(tab, "thresholds", run="screening", t="0.5")
    ran(tab.button(key="review.add").click().run())
    assert tab.text_input[-1].value == "Thresholds: At score ≥ 0.5 the model finds only 7 of 100 'cancer' rows"


def test_steps_are_ordered_rewritten_and_removed(tab):
    assert collected(tab) == [("overview", "one"), ("confusion", "two"), ("classes", "three")]
    ran(tab.button(key="icon.review.Later.0").click().run())
    assert collected(tab) == [("confusion", "two"), ("overview", "one"), ("classes", "three")]
    ran(tab.text_input(key=key_of(tab, 1, "title")).set_value("uno").run())
    ran(tab.button(key="icon.review.Earlier.2").click().run())
    ran(tab.button(key="icon.review.Remove.0").click().run())
    assert collected(tab) == [("classes", "three"), ("overview", "uno")]
    assert tab.text_input(key=key_of(tab, 1, "title")).value == "uno"
    assert tab.text_area(key=key_of(tab, 1, "note")).value == "first note"


def test_the_link_holds_the_steps_as_they_stand(tab):
    ran(tab.text_input(key="review.title").set_value("Monday").run())
    ran(tab.button(key="review.make").click().run())
    address, owner_key = (tab.code[place].value for place in (-2, -1))
    token = address.partition("run=")[2].partition("&")[0]
    link = links.open_link(token)
    assert address.endswith(f"/overview?run={token}&step=1")
    assert (link.title, len(link.views), link.ends - link.made) == ("Monday", 3, 30 * 86_400)
    assert link.views[1] == View("confusion", {"norm": "all", "true": "1"}, "two", "")
    said = "\n".join(str(part.value) for part in tab.markdown)
    assert "**Who can see it:** Anyone who has this link" in said and "**Expires:** on " in said
    assert "without it nobody can." in said and "It walks through the steps" in said
    ran(tab.button(key="made_link.done").click().run())
    assert not tab.code and len(collected(tab)) == 3
    assert links.revoke(links.id_of(token), owner_key=owner_key).title == "Monday"


def test_review_link_leaves_columns_out(tab):
    ran(tab.radio(key="review.kind").set_value("columns").run())
    assert tab.button(key="review.make").disabled, "no column is named yet"
    ran(tab.multiselect(key="review.hide").set_value(["ink"]).run())
    ran(tab.button(key="review.make").click().run())
    token = tab.code[-2].value.partition("run=")[2].partition("&")[0]
    columns = load.list_columns(token)
    assert "ink" not in columns and "id" in columns and len(links.open_link(token).views) == 3


def test_one_step_is_no_review_yet(tab):
    for _ in range(2):
        ran(tab.button(key="icon.review.Remove.0").click().run())
    assert tab.button(key="review.make").disabled and "A review needs at least two steps" in " ".join(texts(tab))


def test_walk_without_link_shows_collected_steps(tab):
    ran(tab.button(key="review.rehearse").click().run())
    assert is_walking(tab) and tab.title[0].value.startswith("93.2\u00a0% accurate") and "first note" in texts(tab)
    ran(tab.button(key="review.leave").click().run())
    assert tab.title[0].value == "3 steps to walk through" and len(collected(tab)) == 3


def test_another_run_takes_the_collected_steps_over(tab):
    other = share.share("digits").token
    follow(tab, "review", run=other)
    ran(tab.button(key="review.over").click().run())
    assert [step.title for step in steps_of(tab, other)] == ["one", "two", "three"]


def test_review_becomes_a_new_one(review):
    tab = follow(new_tab().run(), "review", run=review.token)
    assert any("1. The start" in text for text in texts(tab))
    ran(tab.button(key="review.anew").click().run())
    assert [(step.page, step.title) for step in steps_of(tab, review.token)] == [
        (view.page, view.title) for view in VIEWS
    ]
    assert tab.text_input(key="review.title").value == "Before the release"


def test_a_store_that_refuses_is_said(tab, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise DataError("The disk of the server is full.")

    monkeypatch.setattr(share, "share", refuse)
    ran(tab.button(key="review.make").click().run())
    assert "The disk of the server is full." in texts(tab)


def test_stored_steps_are_walked_after_a_reload():
    tab = new_tab().run()
    steps = [review_steps.step_of(view) for view in VIEWS]
    text = json.dumps({"title": "Monday", "steps": [dataclasses.asdict(step) for step in steps]})
    tab.session_state["browser_storage.entries"] = {review_steps.entry_name("digits"): text}
    follow(tab, "confusion", run="digits", step="2")
    assert is_walking(tab) and place(tab) == (2, 4)
    assert {"Monday", "Ones read as eights", HOSTILE} <= set(texts(tab))
    ran(tab.button(key="review.leave").click().run())
    ran(tab.button(key="review.forget").click().run())
    assert collected(tab) == []
