"""The pages' scripts by their names in the address, and links from one page to another."""

from __future__ import annotations

import streamlit as st

from ui.view import url

SCRIPTS = {
    "open": "pages/data/open.py",
    "overview": "pages/explore/overview.py",
    "confusion": "pages/explore/confusion.py",
    "classes": "pages/explore/classes.py",
    "parsing": "pages/explore/parsing.py",
    "rows": "pages/explore/rows.py",
    "thresholds": "pages/decide/thresholds.py",
    "review": "pages/share/review.py",
    "export": "pages/share/export.py",
    "links": "pages/share/links.py",
    "choose": "pages/learn/choose.py",
    "glossary": "pages/learn/glossary.py",
}


def go_to(page: str, label: str, *, icon: str | None = None, **view: object) -> None:
    """A link to a page that keeps the evaluation and sets the given parameters of the view."""
    known = {name: url.get(name) for name in ("run", "step", "t", "each", "rule")}
    query = url.write_query({**known, **view}, page)
    st.page_link(SCRIPTS[page], label=label, icon=icon, query_params=query)
