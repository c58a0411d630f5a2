"""Run Blindspot: the menu of the page table, and what every page needs."""

from pathlib import Path

import streamlit as st

from ui.frame import frame, menu
from ui.review import review_bar, reviewing
from ui.share import made_link
from ui.view import people, url
from ui.view.pages import FIRST, PAGES

ASSETS = Path(__file__).parent / "assets"

st.set_page_config(page_title=frame.tab_title(), page_icon=str(ASSETS / "favicon.png"), layout="wide")
st.html(ASSETS / "page.css")
st.logo(str(ASSETS / "logo.svg"), size="large")

pages: dict[str, list[st.Page]] = {}
for row in PAGES.values():
    drawn = st.Page(row.script, title=row.title, icon=row.icon, url_path=row.name, default=row.name == FIRST)
    pages.setdefault(row.section, []).append(drawn)
page = st.navigation(pages, expanded=True)
name = page.url_path or FIRST

url.begin(name)
menu.one_entry_a_click()
people.gate(name, url.get("run"))
made_link.keep_in_browser()
frame.name_tab(page.title)
if not review_bar.show_bar(name):
    frame.sidebar(name, beside=reviewing.add_button)
    with st.sidebar:
        people.sidebar()
page.run()
url.end(name)
