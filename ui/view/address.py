"""The full address of a page with a view, as a colleague can open it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from data import environment
from data.local_addresses import THIS_MACHINE
from data.store.link import View
from ui.person import people
from ui.view import url
from ui.view.pages import PAGES

NOT_OF_A_VIEW = ("run", "step")


def address(page: str, query: Mapping[str, str]) -> str:
    """The link to a page: BLINDSPOT_URL where it is set, else where this browser found the server."""
    path = "" if page == "open" else page  # the first page has no path of its own
    return f"{_base()}/{path}" + (f"?{urlencode(query)}" if query else "")


def download_address(token: str) -> str:
    """The link to a file that was written to be downloaded."""
    return f"{_base()}/download/{token}"


def link_address(token: str, views: Sequence[View]) -> str:
    """Return the address of a shared link, made of the views it stores: never of what was on its maker's screen.

    What the link leaves out is left out of its views, too (`data.sharing.share`). A review begins with its first step.
    """
    if not views:
        return address("open", {"run": token})
    return address(views[0].page, address_query(views[0], token, 1 if len(views) > 1 else 0))


def _base() -> str:
    """The server's address without a slash at its end."""
    told = str(environment.value("BLINDSPOT_URL"))
    here = told or (st.context.url or "").partition("?")[0].rstrip("/")
    before, _, last = here.rpartition("/")
    return before if last in PAGES and not told else here


def this_machine_only() -> bool:
    """Return whether the address is one that other computers do not reach."""
    return urlsplit(_base()).hostname in THIS_MACHINE


def audience() -> str:
    """Say who can open a shared link; without a login the server cannot tell people apart."""
    if not people.has_login():
        return "Anyone who has this link and reaches this server."
    kinds = str(environment.value("BLINDSPOT_LINKS_FOR"))
    if kinds == "anyone":
        return "Anyone who has this link and reaches this server, without a login."
    if kinds == "members":
        return "Anyone who has this link and is logged in on this server."
    named = [kind.strip().partition(":")[::2] for kind in kinds.split(",")]
    said = [f"with an address at {name}" if kind == "domain" else f"as one of the group {name}" for kind, name in named]
    return f"Anyone who has this link and is logged in {' or '.join(said)}."


def values_of(view: View, page: str) -> dict[str, Any]:
    """The parameters of a view, each read as if it came in an address: a link may say anything."""
    query = {name: text for name, text in view.query.items() if name in url.PARAMETERS and name not in NOT_OF_A_VIEW}
    values, _ = url.read_query(query, page)
    return {name: value for name, value in values.items() if name not in NOT_OF_A_VIEW}


def address_query(view: View, run: str, step: int) -> dict[str, str]:
    """The query of the address that opens one step of a review."""
    return url.write_query({**values_of(view, view.page), "run": run, "step": step}, view.page)
