"""List what one has shared: until when it opens, and how it is extended or taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from data.errors import DataError
from data.runs import load
from data.sharing import share
from data.store import links
from text.numbers import count
from ui.share import known_links
from ui.share.drafts import ITS_TABLE, left_out
from ui.share.known_links import Known
from ui.share.sharing import choose_days
from ui.text.copy_button import to_copy
from ui.text.local_time import moment, remaining
from ui.text.markdown import md
from ui.text.messages import refuse_error, remark
from ui.view import browser_storage, people
from ui.view.address import link_address

_DAY = 86_400
_ASKED, _TOLD, _BY_KEY, _ALL = "links.asked", "links.told", "links.by_key", "links.all"
_AT_ONCE = 50
"""So many links are listed at first."""


class Owned(NamedTuple):
    """A link that somebody may take back, and by what: the owner key, or the person who is logged in.

    token : what its address holds; empty where this browser does not know it.
    """

    link_id: str
    link: links.Link
    owner_key: str = ""
    person: str = ""
    token: str = ""

    def proof(self) -> dict[str, str]:
        """Return what `data.store.links` wants to see."""
        return {"owner_key": self.owner_key, "person": self.person}


class Dead(NamedTuple):
    """A link that this browser knows and that cannot be changed any more, and why."""

    known: Known
    why: str


def _listed() -> tuple[list[Owned], list[Dead]]:
    """Return the links of whoever is logged in and those that this browser knows, the newest first."""
    person = people.person()
    found = (
        {link_id: Owned(link_id, link, person=person) for link_id, link in links.list_shared(person)} if person else {}
    )
    dead = []
    for known in known_links.known_links():
        link_id = links.id_of(known.token)
        if link_id in found:
            found[link_id] = found[link_id]._replace(token=known.token, owner_key=known.owner_key)
            continue
        try:
            links.open_id(link_id)
            link = links.require_owner(link_id, owner_key=known.owner_key)
        except DataError as error:
            dead.append(Dead(known, str(error)))
        else:
            found[link_id] = Owned(link_id, link, known.owner_key, token=known.token)
    return sorted(found.values(), key=lambda owned: -owned.link.made), dead


def head() -> tuple[str, str]:
    """Return the title of the page and the line under it."""
    try:
        found, _ = _listed()
    except DataError:
        return "Shared links", ""
    ends = [end for owned in found if (end := _end(owned.link))]
    if not ends:
        return "You have shared nothing yet", "Press **Share** at the top right of any page to make a link to it."
    n = "1 link works" if len(ends) == 1 else f"{len(ends):,} links work"
    return f"{n}; the next expires {remaining(min(ends))}", "Extend a link, or take it back at any time."


def page() -> None:
    """Draw what was shared by whoever is looking, and nobody else's."""
    if _TOLD in st.session_state:
        remark(st.session_state.pop(_TOLD), "info")
    try:
        found, dead = _listed()
    except DataError as error:
        refuse_error(error)
        found, dead = [], []
    shown = found if st.session_state.get(_ALL) else found[:_AT_ONCE]
    with st.container(key="lines-links", gap=None):
        for owned in shown:
            _line(owned)
        for one in dead:
            _dead_line(one)
    if len(shown) < len(found):
        st.button(f"Show all {len(found):,} links", on_click=st.session_state.update, args=({_ALL: True},))
    with st.expander("Another link, by its owner key", icon=":material/key:"):
        _by_key()
    _in_this_browser()


def _by_key() -> None:
    """Draw the form for a link that is not listed, and that link."""
    with st.form("links.form", border=False):
        address = st.text_input("Link", key="links.address", placeholder="https://…?run=…", max_chars=8000)
        key = st.text_input("Owner key", key="links.key", type="password", max_chars=200)
        sent = st.form_submit_button("Show this link", type="primary", icon=":material/search:")
    if sent:
        st.session_state[_BY_KEY] = (token_in(address), key.strip())
    if sent and not address.strip():
        st.session_state.pop(_BY_KEY)
        remark("Paste the link first.")
    if _BY_KEY not in st.session_state:
        return
    token, key = st.session_state[_BY_KEY]
    try:
        link_id = links.id_of(token)
        link = links.require_owner(link_id, owner_key=key)
    except DataError as error:
        st.session_state.pop(_BY_KEY)
        remark(str(error))
        return
    if known_links.find(token):
        st.markdown("This link is listed above.")
    else:
        _line(Owned(link_id, link, owner_key=key, token=token), by_hand=True)


def _in_this_browser() -> None:
    """Say where known links are kept, and offer to forget all that Blindspot keeps in this browser."""
    if browser_storage.problem():
        remark(browser_storage.problem())
    if not browser_storage.keeps_anything():
        st.caption("This browser keeps nothing of Blindspot: no link, no note, no review step.")
        return
    n = count(len(known_links.known_links()), "link")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"**On a shared computer.** This browser remembers {n} with the owner key. {browser_storage.WHERE}")
        asked = ("Forget all", "")
        st.button("Forget all", key="links.forget_all", icon=":material/delete_sweep:", on_click=_ask, args=(asked,))
    if st.session_state.get(_ASKED) == asked:
        _forget_all()


@st.dialog("Forget everything in this browser?", icon=":material/delete_sweep:", on_dismiss=lambda: _close())
def _forget_all() -> None:
    st.markdown(
        "This browser then forgets every link and owner key, the steps of reviews, and the marks and notes on rows. "
        "The links go on until they expire; without its key nobody can take a link back. This cannot be undone."
    )
    if _sure("Forget"):
        browser_storage.forget_all()
        _close()
        _tell("This browser has forgotten everything that Blindspot kept in it.")


def token_in(text: str) -> str:
    """Return the token in a link; a text that is no link is taken as a token itself.

    >>> token_in(" https://host/rows?run=abc_-1&t=0.5 "), token_in("abc")
    ('abc_-1', 'abc')
    """
    found = re.search(r"[?&]run=([A-Za-z0-9_-]+)", text)
    return found[1] if found else text.strip()


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
            st.caption(" · ".join(_numbers(link)))
        with st.container(horizontal=True, gap="xsmall", width="content"):
            if owned.token:
                _link_and_key(owned, by_hand=by_hand)
            _extend(owned)
            for verb, icon, ask in (("Revoke", "link_off", _revoke), ("Delete", "delete", _delete)):
                asked = (verb, owned.link_id)
                st.button(verb, key=f"links.{verb}.{key}", icon=f":material/{icon}:", on_click=_ask, args=(asked,))
                if st.session_state.get(_ASKED) == asked:
                    ask(owned)


def _link_and_key(owned: Owned, *, by_hand: bool) -> None:
    """Draw the address and the key of a link this browser knows, out of sight until somebody asks for them."""
    key, asks = owned.link_id[:16], st.session_state.get(_ASKED) == ("Forget", owned.link_id)
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
            st.button("Forget this key", key=f"links.forget.{key}", icon=":material/delete:", on_click=_ask,
                      args=(("Forget", owned.link_id),))  # fmt: skip
    if asks:
        _forget(owned)


@st.dialog("Forget this key?", icon=":material/delete:", on_dismiss=lambda: _close())
def _forget(owned: Owned) -> None:
    if owned.person:
        st.markdown("This browser forgets the link and its key. The link works on, and your login still lists it.")
    else:
        st.markdown(
            "This browser forgets the link and its key. The link works on until it expires. Without the key nobody can "
            "extend, revoke or delete it: copy the key first if you may need it."
        )
    if _sure("Forget"):
        known_links.forget(owned.token)
        _close()
        _tell("This browser has forgotten the link and its key.")


def _dead_line(dead: Dead) -> None:
    """Draw a link that this browser knows and that cannot be changed any more."""
    key = links.digest(dead.known.token)[:16]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"line-dead-{key}"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{md(dead.known.title or 'A link without a title', 120)}**")
            st.caption(f"Made on {moment(dead.known.made)}. {dead.why}")
        st.button("Forget this key", key=f"links.forget.{key}", icon=":material/delete:",
                  on_click=known_links.forget, args=(dead.known.token,))  # fmt: skip


def _ask(asked: tuple[str, str]) -> None:
    st.session_state[_ASKED] = asked


def _close() -> None:
    st.session_state.pop(_ASKED, None)


def _numbers(link: links.Link) -> list[str]:
    """Return the headline numbers, and how many views a review has."""
    review = [f"a review of {count(len(link.views), 'view')}"] if len(link.views) > 1 else []
    return [f"{what} **{number}**" for what, number in link.headline] + review


def _end(link: links.Link) -> int:
    """Return when a link really expires; 0 = something that it stems from is gone."""
    try:
        return share.find_end(link)
    except DataError:
        return 0


def _expiry(link: links.Link) -> str:
    """Say when a link expires, and why where that is earlier than its own day."""
    ends = _end(link)
    if not ends:
        return "Opens nothing any more, because the link it was made from has expired or was removed"
    why = ": with the link it was made from" if ends < link.ends else ""
    return f"Expires on {moment(ends)}, {remaining(ends)}{why}"


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
            _tell(f"The link was extended. {_expiry(replace(owned.link, ends=ends))}.")


def _tell_new_end(link: links.Link, days: int) -> None:
    """Say when a link expires that is extended by so many days, before anybody does it."""
    longer = replace(link, ends=links.now() + days * _DAY)
    st.caption(f"{_expiry(longer)}.")
    if 0 < _end(longer) < _end(link):
        remark("That is earlier than it expires now.")


@st.dialog("Revoke this link?", icon=":material/link_off:", on_dismiss=_close)
def _revoke(owned: Owned) -> None:
    st.markdown(
        "From now on it opens nothing, for nobody, also in tabs that are open. The table behind it is removed later, "
        "once nothing else needs it. This cannot be undone."
    )
    if _sure("Revoke"):
        _do(lambda: _revoked(owned))


def _revoked(owned: Owned) -> str:
    links.revoke(owned.link_id, **owned.proof())
    known_links.forget(owned.token)
    return "The link was revoked: it opens nothing any more."


@st.dialog("Delete this link and its data?", icon=":material/delete:", on_dismiss=_close)
def _delete(owned: Owned) -> None:
    st.markdown(
        "From now on the link opens nothing, for nobody, and the table behind it is removed from the server at once, "
        "unless another link needs the same table. This cannot be undone."
    )
    if _sure("Delete"):
        _do(lambda: _deleted(owned))


def _deleted(owned: Owned) -> str:
    share.delete_share(owned.link_id, **owned.proof())
    known_links.forget(owned.token)
    return f"The link was deleted: it opens nothing any more. {ITS_TABLE}"


def _sure(verb: str) -> bool:
    """Draw the two buttons of a question; return whether it was answered with yes."""
    yes, no = st.columns(2)
    if no.button("Cancel", key="links.no", width="stretch"):
        _close()
        st.rerun()
    return bool(yes.button(f"{verb} it", key="links.yes", type="primary", width="stretch"))


def _do(action: Callable[[], str]) -> None:
    """Do what cannot be undone, and tell what happened: on the page, or here where it failed."""
    try:
        told = action()
    except DataError as error:
        remark(str(error))
        return
    _close()
    st.session_state.pop(_BY_KEY, None)
    _tell(told)


def _tell(sentence: str) -> None:
    st.session_state[_TOLD] = sentence
    st.rerun()
