"""Addresses: the view is read from them and written to them, links lead to them, and colleagues open them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from data import environment
from data.local_addresses import THIS_MACHINE
from data.store.link import View
from text.visible import show
from ui.person import people
from ui.view import url
from ui.view.pages import FIRST, PAGES

NOT_OF_A_VIEW = ("run", "step")


def address(page: str, query: Mapping[str, str]) -> str:
    """Return the link to a page: BLINDSPOT_URL where it is set, else where this browser found the server."""
    path = "" if page == "open" else page  # the first page has no path of its own
    return f"{_base()}/{path}" + (f"?{urlencode(query)}" if query else "")


def download_address(token: str) -> str:
    """Return the link to a file that was written to be downloaded."""
    return f"{_base()}/download/{token}"


def link_address(token: str, views: Sequence[View]) -> str:
    """Return the address of a shared link, from the views it stores, not from its maker's screen.

    What the link leaves out is left out of its views, too (`data.sharing.share`). A review begins with its first step.
    """
    if not views:
        return address("open", {"run": token})
    return address(views[0].page, address_query(views[0], token, 1 if len(views) > 1 else 0))


def page_address(token: str) -> str:
    """Return the address of a shared link's static page; "" where links open for members alone."""
    return f"{_base()}/shared/{token}" if opens_for_anyone() else ""


def opens_for_anyone() -> bool:
    """Return whether shared links open for anyone who holds them."""
    return bool(environment.value("BLINDSPOT_LINKS_FOR") == "anyone")


def _base() -> str:
    """Return the server's address without a slash at its end."""
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
    addresses = [
        f"with an address at {name}" if kind == "domain" else f"as one of the group {name}" for kind, name in named
    ]
    return f"Anyone who has this link and is logged in {' or '.join(addresses)}."


def read_query(query: Mapping[str, str], page: str) -> tuple[dict[str, Any], list[str]]:
    """Return values of a page's parameters in a URL's query, and a sentence for each that cannot be used.

    A parameter of this page that the query lacks has its default.
    """
    values = {name: url.PARAMETERS[name].default for name in names_on(page)}
    problems = []
    for name, text in query.items():
        if name == "share":  # what people write for run; other names that are not ours come from chats and counters
            problems.append(f"Ignored {show(f'share={text}', 40)} in the link: a share link has run=; copy it again.")
        if name not in url.PARAMETERS:
            continue
        try:
            values[name] = url.PARAMETERS[name].parse(text)
        except (ValueError, OverflowError) as error:
            message = str(error)
            why = message if any(word in message for word in ("wanted", "longer", "twice")) else "a number was wanted"
            problems.append(f"Ignored {name}={show(text, 40)} in the link: {why}.")
    return values, problems


def write_query(values: Mapping[str, Any], page: str) -> dict[str, str]:
    """Return the query of a view: the page's parameters that are not at their default."""
    written = url.write_everything(values)
    return {name: written[name] for name in names_on(page) if name in written}


@cache
def names_on(page: str) -> tuple[str, ...]:
    """Return the parameters that the address of a page may have, in order; of "" those of every page."""
    names = [name for name, known in url.PARAMETERS.items() if not known.pages or page in known.pages.split()]
    return tuple(names)


def begin_page(page: str) -> None:
    """Bring the session's view up to date, before anything of the page runs."""
    state = st.session_state
    query = st.query_params.to_dict()
    if url.VIEW not in state:
        state[url.VIEW] = {name: p.default for name, p in url.PARAMETERS.items()}
    # An empty query is a page switch from the menu, which names a page only: the session knows the view.
    # Back may lead to another page whose address says the same, and means other defaults.
    same = state.get(url.PAGE) == page and url.WRITTEN in state and _steps(query) == _steps(state[url.WRITTEN])
    state[url.PAGE] = page
    if query and not same:
        values, state[url.PROBLEMS] = read_query(query, page)
        state[url.VIEW].update(values)
        for name in values:
            state.pop(url.widget_key(name), None)
        if url.WRITTEN in state:  # a page that stops never comes to its end, and Back from it has to be noticed
            state[url.WRITTEN] = query
        return
    for name in url.PARAMETERS:
        if url.widget_key(name) in state:
            state[url.VIEW][name] = state[url.widget_key(name)]


def end_page(page: str) -> None:
    """Show the view in the address bar, unless it is there already; parameters replaced in place do not count."""
    query = write_query(st.session_state[url.VIEW], page)
    if _steps(query) != _steps(st.query_params.to_dict()):
        st.query_params.from_dict(query)
    st.session_state[url.WRITTEN] = query


def _steps(query: Mapping[str, str]) -> dict[str, str]:
    """Return the part of a query that makes a step of the browser's history."""
    return {name: value for name, value in query.items() if name not in url.IN_PLACE}


def go_to(page: str, label: str, *, icon: str | None = None, **view: object) -> None:
    """Draw a link to a page that keeps the evaluation and sets the given parameters of the view."""
    st.page_link(PAGES[page].script, label=label, icon=icon, query_params=_query_of(page, view))


def address_of(page: str, view: Mapping[str, object]) -> str:
    """Return the address of a page as seen from another one, with the evaluation and the given parameters."""
    return f"{'./' if page == FIRST else page}?{urlencode(_query_of(page, view))}"


def _query_of(page: str, view: Mapping[str, object]) -> dict[str, str]:
    values = st.session_state[url.VIEW]
    return write_query({**{name: values[name] for name in names_on("")}, **view}, page)


def values_of(view: View, page: str) -> dict[str, Any]:
    """Return the parameters of a view, each read as if it came in an address: a link may say anything."""
    query = {name: text for name, text in view.query.items() if name in url.PARAMETERS and name not in NOT_OF_A_VIEW}
    values, _ = read_query(query, page)
    return {name: value for name, value in values.items() if name not in NOT_OF_A_VIEW}


def address_query(view: View, run: str, step: int) -> dict[str, str]:
    """Return the query of the address that opens one step of a review."""
    return write_query({**values_of(view, view.page), "run": run, "step": step}, view.page)
