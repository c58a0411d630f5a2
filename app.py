"""Blindspot: the map of its pages, and what every page needs."""

from pathlib import Path

import streamlit as st

from ui.frame import frame, menu
from ui.review import review_bar
from ui.share import made_link
from ui.view import people, url
from ui.view.page_links import SCRIPTS

ASSETS = Path(__file__).parent / "assets"

st.set_page_config(page_title=frame.tab_title(), page_icon=str(ASSETS / "favicon.png"), layout="wide")
st.html(ASSETS / "page.css")
st.logo(str(ASSETS / "logo.svg"), size="large")

PAGES = {
    "Data": {
        "open": ("Open", ":material/upload_file:"),
    },
    "Explore": {
        "overview": ("Overview", ":material/visibility:"),
        "confusion": ("Confusion", ":material/grid_on:"),
        "classes": ("Classes", ":material/list_alt:"),
        "parsing": ("Parsing", ":material/rule:"),
        "rows": ("Rows", ":material/table_rows:"),
    },
    "Decide": {
        "thresholds": ("Thresholds", ":material/tune:"),
    },
    "Share": {
        "review": ("Review", ":material/slideshow:"),
        "export": ("Take it along", ":material/download:"),
        "links": ("Shared links", ":material/link:"),
    },
    "Learn": {
        "choose": ("Choose a metric", ":material/account_tree:"),
        "glossary": ("Glossary", ":material/menu_book:"),
    },
}

pages = {
    section: [
        st.Page(SCRIPTS[name], title=title, icon=icon, url_path=name, default=name == "open")
        for name, (title, icon) in members.items()
    ]
    for section, members in PAGES.items()
}
page = st.navigation(pages, expanded=True)
name = page.url_path or "open"

url.begin(name)
menu.one_entry_a_click()
people.gate(name)
made_link.keep_in_browser()
frame.name_tab(page.title)
if not review_bar.show_bar(name):
    frame.sidebar(name)
    with st.sidebar:
        people.sidebar()
page.run()
url.end(name)
