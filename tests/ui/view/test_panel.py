"""The panel: its list shows uploaded names as text, and reports only what it offers."""

import streamlit as st
from streamlit.testing.v1 import AppTest

from ui.view import panel
from ui.view.panel import Item, Label, Section

SECTIONS = [Section("Most frequent", [Item((Label("a\u202eb"), " rows"), "3", chosen="pair")], more=("All 9", "all"))]


def draw_page() -> None:
    import streamlit as st

    from tests.ui.view.test_panel import SECTIONS
    from ui.view import panel

    toolbar = panel.toolbar("page")
    toolbar.button("More")
    main, beside = panel.split_panel("page", is_open=True)
    main.markdown("the main part")
    with beside:
        panel.heading("What stands out")
        panel.item_list(SECTIONS, key="list", on_choose=lambda chosen: st.session_state.update(chosen=chosen))


def test_panel_stands_beside_the_main_part():
    app = AppTest.from_function(draw_page).run()
    assert not app.exception
    assert [element.value for element in app.markdown] == ["the main part"]
    assert [element.value for element in app.header] == ["What stands out"]


def test_item_list_reports_only_what_it_offers(monkeypatch):
    mounts = []
    monkeypatch.setattr(panel, "_list", lambda **mount: mounts.append(mount))
    told = []
    panel.item_list(SECTIONS, key="list", on_choose=told.append)
    for sent in ("pair", "all", "another", "", None, ["pair"]):
        monkeypatch.setattr(st, "session_state", {"list": {"chosen": sent}})
        mounts[0]["on_chosen_change"]()
    assert told == ["pair", "all"]
    (item,) = mounts[0]["data"]["sections"][0]["items"]
    assert item["words"] == [["label", "a\\u202eb", "a\\u202eb"], ["text", " rows"]]
