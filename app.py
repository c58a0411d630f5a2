"""Run Blindspot: the menu of the page table, and what every page needs."""

from pathlib import Path

import streamlit as st

from ui.frame import frame, menu
from ui.person import people
from ui.review import review_bar, reviewing
from ui.view import open_runs, panel, url
from ui.view.address import begin_page, end_page
from ui.view.pages import FIRST, PAGES

ASSETS = Path(__file__).parent / "assets"
SIDEBAR = 216  # pixels

st.set_page_config(
    page_title=frame.tab_title(),
    page_icon=str(ASSETS / "favicon.png"),
    layout="wide",
    initial_sidebar_state=SIDEBAR,
)
st.html(ASSETS / "page.css")
st.html(panel.STYLE)
st.logo(str(ASSETS / "logo.svg"), size="large")

open_runs.begin_run()
with frame.other_file():
    page = menu.draw()
    name = page.url_path or FIRST

    begin_page(name)
    menu.one_entry_a_click()
    people.gate(url.get("run"), members_only=PAGES[name].members_only)
    review_bar.ask_browser(name)
    frame.name_tab(page.title)
    if not review_bar.show_bar(name):
        frame.draw_bar(name, beside=reviewing.add_button)
        with st.sidebar:
            people.sidebar()
    page.run()
end_page(name)
open_runs.end_run()
