"""List what one has shared: until when it opens, and how it is extended or taken back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from data.errors import DataError
from data.runs import load
from data.sharing import share
from data.store import links
from text.numbers import count
from ui.person import browser_storage, people
from ui.share import known_links, link_dialogs
from ui.share.drafts import left_out
from ui.share.known_links import Known
from ui.share.link_dialogs import BY_KEY, QUESTION, Owned
from ui.share.sharing import choose_days
from ui.text.copy_button import to_copy
from ui.text.local_time import moment, time_left
from ui.text.markdown import md
from ui.text.messages import refuse_error, remark
from ui.view.address import link_address
from ui.view.pages import page_title

_DAY = 86_400
_ALL = "links.all"
_AT_ONCE = 50
"""So many links are listed at first."""


class Dead(NamedTuple):
    """A link that this browser knows and that cannot be changed any more, and why."""

    known: Known
    why: str
    ended: bool


def _list_known_links() -> tuple[list[Owned], list[Dead]]:
    """Return the links of whoever is logged in and those that this browser knows, the newest first."""
    person = people.person()
    owned_links = (
        {link_id: Owned(link_id, link, person=person) for link_id, link in links.list_shared(person)} if person else {}
    )
    dead = []
    for known in known_links.known_links():
        link_id = links.id_of(known.token)
        if link_id in owned_links:
            owned_links[link_id] = owned_links[link_id]._replace(token=known.token, owner_key=known.owner_key)
            continue
        try:
            links.open_id(link_id)
            link = links.require_owner(link_id, owner_key=known.owner_key)
        except DataError as error:
            ended = isinstance(error, links.LinkGone)
            why = links.describe_end(link_id, known.owner_key) if ended else str(error)
            dead.append(Dead(known, why, ended))
        else:
            owned_links[link_id] = Owned(link_id, link, known.owner_key, token=known.token)
    return sorted(owned_links.values(), key=lambda owned: -owned.link.made), dead


def head() -> tuple[str, str]:
    """Return the title of the page and the line under it."""
    try:
        owned_links, dead = _list_known_links()
    except DataError:
        return "Shared links", ""
    ends = [end for owned in owned_links if (end := _end(owned.link)) > links.now()]
    if not ends and (owned_links or any(link.ended for link in dead)):
        return "None of your links works any more", "Press **Share** at the top right of any page to make a new one."
    if not ends:
        return "You have shared nothing yet", "Press **Share** at the top right of any page to make a link to it."
    n = "1 link works; it" if len(ends) == 1 else f"{len(ends):,} links work; the next"
    return f"{n} expires {time_left(min(ends))}", "You can extend or revoke a link at any time."


def page() -> None:
    """Draw what was shared by whoever is looking, and nobody else's."""
    if told := link_dialogs.read_told():
        remark(told, "info")
    try:
        owned_links, dead = _list_known_links()
    except DataError as error:
        refuse_error(error)
        owned_links, dead = [], []
    shown = owned_links if st.session_state.get(_ALL) else owned_links[:_AT_ONCE]
    with st.container(key="lines-links", gap=None):
        for owned in shown:
            _line(owned)
        for link in dead:
            _dead_line(link)
    if len(shown) < len(owned_links):
        st.button(f"Show all {len(owned_links):,} links", on_click=st.session_state.update, args=({_ALL: True},))
    with st.expander("Another link, by its owner key", icon=":material/key:"):
        _by_key()
    _draw_browser_storage()


def _by_key() -> None:
    """Draw the form for a link that is not listed, and that link."""
    with st.form("links.form", border=False):
        address = st.text_input("Link", key="links.address", placeholder="https://…?run=…", max_chars=8000)
        key = st.text_input("Owner key", key="links.key", type="password", max_chars=200)
        sent = st.form_submit_button("Show this link", type="primary", icon=":material/search:")
    if sent:
        st.session_state[BY_KEY] = (token_in(address), key.strip())
    if sent and not address.strip():
        st.session_state.pop(BY_KEY)
        remark("Paste the link first.")
    if BY_KEY not in st.session_state:
        return
    token, key = st.session_state[BY_KEY]
    try:
        link_id = links.id_of(token)
        link = links.require_owner(link_id, owner_key=key)
    except DataError as error:
        st.session_state.pop(BY_KEY)
        remark(str(error))
        return
    if link.ends <= links.now():
        remark(links.describe_end(link_id, key))
    elif known_links.find(token):
        st.markdown("This link is listed above.")
    else:
        _line(Owned(link_id, link, owner_key=key, token=token), by_hand=True)


def _draw_browser_storage() -> None:
    """Say where known links are kept, and offer to forget all that Blindspot keeps in this browser."""
    if browser_storage.problem():
        remark(browser_storage.problem())
    if not browser_storage.keeps_anything():
        st.caption("This browser keeps no links, notes or review steps.")
        return
    n = len(known_links.known_links())
    known = "1 link and its owner key" if n == 1 else f"{n:,} links and their owner keys"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"**On a shared computer.** This browser remembers {known}. {browser_storage.WHERE}")
        st.button("Forget all", key="links.forget_all", icon=":material/delete_sweep:", on_click=QUESTION.open,
                  args=(("Forget all", ""),))  # fmt: skip
    if QUESTION.is_open(("Forget all", "")):
        link_dialogs.forget_all()


def token_in(text: str) -> str:
    """Return the token in a link; a text that is no link is taken as a token itself.

    >>> token_in(" https://host/rows?run=abc_-1&t=0.5 "), token_in("abc")
    ('abc_-1', 'abc')
    """
    match = re.search(r"[?&]run=([A-Za-z0-9_-]+)", text)
    return match[1] if match else text.strip()


def _line(owned: Owned, *, by_hand: bool = False) -> None:
    """Draw one link in one line: what it is, when it expires, and what can be done with it.

    by_hand : whether it was found by a key that was typed.
    """
    link, (name, left) = owned.link, _facts_of_draft(owned.link)
    key = owned.link_id[:16]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"line-link-{key}"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{md(link.title or name, 120)}**" + (f" {md(name)}" if link.title else ""))
            st.caption(f"{_expiry(link)} · made on {moment(link.made)} · {left}")
            st.caption(" · ".join([*(f"{what} **{number}**" for what, number in link.headline), *_views(link)]))
        with st.container(horizontal=True, gap="xsmall", width="content"):
            if owned.token:
                _link_and_key(owned, by_hand=by_hand)
            _extend(owned)
            for verb, icon, ask in (
                ("Revoke", "link_off", link_dialogs.revoke), ("Delete", "delete", link_dialogs.delete)
            ):  # fmt: skip
                st.button(verb, key=f"links.{verb}.{key}", icon=f":material/{icon}:", on_click=QUESTION.open,
                          args=((verb, owned.link_id),))  # fmt: skip
                if QUESTION.is_open((verb, owned.link_id)):
                    ask(owned)


def _link_and_key(owned: Owned, *, by_hand: bool) -> None:
    """Draw the address and the key of a link this browser knows, out of sight until somebody asks for them."""
    key, asks = owned.link_id[:16], QUESTION.is_open(("Forget", owned.link_id))
    # another popover while it asks: one that stays the same stays open over the question
    with st.popover("Link and key", icon=":material/key:", key=f"links.known.{key}.{asks}"):
        to_copy(link_address(owned.token, owned.link.views), "link", key=f"link.{key}")
        if owned.owner_key:
            to_copy(owned.owner_key, "owner key", key=f"key.{key}")
        if by_hand:
            known = Known(owned.token, owned.owner_key, owned.link.title, owned.link.made)
            st.button("Remember this key", key=f"links.remember.{key}", icon=":material/bookmark_add:",
                      on_click=known_links.remember, args=(known,))  # fmt: skip
        else:
            st.button("Forget this key", key=f"links.forget.{key}", icon=":material/delete:", on_click=QUESTION.open,
                      args=(("Forget", owned.link_id),))  # fmt: skip
    if asks:
        link_dialogs.forget(owned)


def _dead_line(dead: Dead) -> None:
    """Draw a link that this browser knows and that cannot be changed any more."""
    key = links.digest(dead.known.token)[:16]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"line-dead-{key}"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{md(dead.known.title or 'A link without a title', 120)}**")
            st.caption(f"Made on {moment(dead.known.made)}. {dead.why}")
        st.button("Forget this key", key=f"links.forget.{key}", icon=":material/delete:",
                  on_click=known_links.forget, args=(dead.known.token,))  # fmt: skip


def _views(link: links.Link) -> list[str]:
    """Return what a link opens: the page with its choices, or how many steps a review has; nothing = the first page."""
    if len(link.views) > 1:
        return [f"a review of {count(len(link.views), 'step')}"]
    opened = []
    for view in link.views:
        choices = "&".join(f"{name}={value}" for name, value in view.query.items())
        page = f"opens {page_title(view.page)}"
        opened.append(f"{page} {md(choices, 60)}" if choices else page)
    return opened


def _end(link: links.Link) -> int:
    """Return when a link really expires; 0 = something that it stems from is gone."""
    try:
        return share.find_end(link)
    except DataError:
        return 0


def _expiry(link: links.Link) -> str:
    """Say when a link expires, and why where that is earlier than its own day."""
    ends = _end(link)
    if ends <= links.now():
        return "Opens nothing any more: the link it was made from has expired or was removed"
    why = ": with the link it was made from" if ends < link.ends else ""
    return f"Expires on {moment(ends)}, {time_left(ends)}{why}"


def _facts_of_draft(link: links.Link) -> tuple[str, str]:
    """Return the name of what was shared, and what was left out of it."""
    try:
        draft = load.read_link_draft(link, "")
    except DataError:
        return "damaged", "its data is damaged"
    return draft.name, left_out(draft) or "nothing is left out"


def _extend(owned: Owned) -> None:
    # another popover for every end: one that stays the same stays open over the card that has changed
    with st.popover("Extend", icon=":material/update:", key=f"links.extending.{owned.link_id[:16]}.{owned.link.ends}"):
        days = choose_days("Days from now until it expires", key=f"links.days.{owned.link_id[:16]}")
        _tell_new_end(owned.link, days)
        if st.button("Set the new date", key=f"links.extend.{owned.link_id[:16]}", type="primary"):
            try:
                ends = links.extend(owned.link_id, days, **owned.proof())
            except DataError as error:
                remark(str(error))
                return
            link_dialogs.tell(f"The link was extended. {_expiry(replace(owned.link, ends=ends))}.")


def _tell_new_end(link: links.Link, days: int) -> None:
    """Say when a link expires that is extended by so many days, before anybody does it."""
    longer = replace(link, ends=links.now() + days * _DAY)
    st.caption(f"{_expiry(longer)}.")
    if 0 < _end(longer) < _end(link):
        remark("This is earlier than its present date.")
