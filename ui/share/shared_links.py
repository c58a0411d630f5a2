"""The page of shared links: what one has shared, until when, and how it is extended or taken back."""

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
from ui.share.drafts import ITS_TABLE, left_out
from ui.share.sharing import choose_days
from ui.text.local_time import moment, remaining
from ui.text.markdown import md
from ui.text.messages import refuse_error, remark
from ui.view import people

_DAY = 86_400
_ASKED, _TOLD, _BY_KEY = "links.asked", "links.told", "links.by_key"


class Owned(NamedTuple):
    """A link that somebody may take back, and by what: the owner key, or the person who is logged in."""

    link_id: str
    link: links.Link
    owner_key: str = ""
    person: str = ""

    def proof(self) -> dict[str, str]:
        """What `data.store.links` wants to see."""
        return {"owner_key": self.owner_key, "person": self.person}


def page() -> None:
    """What was shared by whoever is looking, and nobody else's."""
    if _TOLD in st.session_state:
        remark(st.session_state.pop(_TOLD), "info")
    person = people.person()
    if person:
        _shared_by(person)
        with st.expander("A link that was made without a login", icon=":material/key:"):
            _by_key()
    else:
        nobody = "You are not" if people.has_login() else "Nobody has to be"
        st.markdown(
            f"{nobody} logged in here, so the server cannot know which links are yours. With the link and its owner "
            "key, which was shown when the link was made, you can extend, revoke or delete it."
        )
        _by_key()


def _shared_by(person: str) -> None:
    st.subheader("Shared by me")
    try:
        found = list(links.shared_by(person))
    except DataError as error:
        refuse_error(error)
        return
    if not found:
        st.markdown("You have shared nothing yet: press **Share** beside an evaluation.")
    for link_id, link in found:
        _card(Owned(link_id, link, person=person))


def _by_key() -> None:
    """One link, by its address and its owner key."""
    with st.form("links.form", border=True):
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
        _card(Owned(link_id, links.require_owner(link_id, owner_key=key), owner_key=key))
    except DataError as error:
        st.session_state.pop(_BY_KEY)
        remark(str(error))


def token_in(text: str) -> str:
    """The token in a link; a text that is no link is taken as a token itself.

    >>> token_in(" https://host/rows?run=abc_-1&t=0.5 "), token_in("abc")
    ('abc_-1', 'abc')
    """
    found = re.search(r"[?&]run=([A-Za-z0-9_-]+)", text)
    return found[1] if found else text.strip()


def _card(owned: Owned) -> None:
    """The facts of one link, and what can be done with it."""
    link, (name, left) = owned.link, _facts_of_draft(owned.link)
    with st.container(border=True, key=f"link.{owned.link_id[:16]}"):
        st.markdown(f"**{md(link.title or name, 120)}**" + (f" · {md(name)}" if link.title else ""))
        st.markdown(" · ".join(_numbers(link)))
        st.caption(f"Made on {moment(link.made)} · {_end_in_words(link)} · {left}")
        with st.container(horizontal=True, gap="small"):
            _extend(owned)
            for verb, icon, ask in (("Revoke", "link_off", _revoke), ("Delete", "delete", _delete)):
                asked = (verb, owned.link_id)
                st.button(
                    verb,
                    key=f"links.{verb}.{owned.link_id[:16]}",
                    icon=f":material/{icon}:",
                    on_click=_ask,
                    args=(asked,),
                )
                if st.session_state.get(_ASKED) == asked:
                    ask(owned)


def _ask(asked: tuple[str, str]) -> None:
    st.session_state[_ASKED] = asked


def _close() -> None:
    st.session_state.pop(_ASKED, None)


def _numbers(link: links.Link) -> list[str]:
    """The headline numbers, and how many views a review has."""
    review = [f"a review of {count(len(link.views), 'view')}"] if len(link.views) > 1 else []
    return [f"{what} **{number}**" for what, number in link.headline] + review


def _end(link: links.Link) -> int:
    """When a link really ends; 0 = something that it stems from is gone."""
    try:
        return share.ends_of(link)
    except DataError:
        return 0


def _end_in_words(link: links.Link) -> str:
    ends = _end(link)
    if not ends:
        return "opens nothing any more, because the link it was made from has ended or was removed"
    why = ": it ends with the link it was made from" if ends < link.ends else ""
    return f"ends on {moment(ends)}, {remaining(ends)}{why}"


def _facts_of_draft(link: links.Link) -> tuple[str, str]:
    """The name of what was shared, and what was left out of it."""
    try:
        draft = load.from_link(link, "")
    except DataError:
        return "damaged", "what it opens is damaged"
    return draft.name, left_out(draft) or "nothing is left out"


def _extend(owned: Owned) -> None:
    # another popover for every end: one that stays the same stays open over the card that has changed
    with st.popover("Extend", icon=":material/update:", key=f"links.extending.{owned.link_id[:16]}.{owned.link.ends}"):
        days = choose_days("It then ends after", key=f"links.days.{owned.link_id[:16]}")
        _tell_new_end(owned.link, days)
        if st.button("Set the new end", key=f"links.extend.{owned.link_id[:16]}", type="primary"):
            try:
                ends = links.extend(owned.link_id, days, **owned.proof())
            except DataError as error:
                remark(str(error))
                return
            _tell(f"The link now {_end_in_words(replace(owned.link, ends=ends))}.")


def _tell_new_end(link: links.Link, days: int) -> None:
    """When a link ends that is extended by so many days, before anybody does it."""
    longer = replace(link, ends=links.now() + days * _DAY)
    then = _end(longer)
    if not then:
        st.caption(f"Then it still {_end_in_words(longer)}.")
        return
    why = ", with the link it was made from" if then < longer.ends else ""
    st.caption(f"It then ends on {moment(then)}, {remaining(then)}{why}.")
    if then < _end(link):
        remark("That is earlier than it ends now.")


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
    return f"The link was deleted: it opens nothing any more. {ITS_TABLE}"


def _sure(verb: str) -> bool:
    """The two buttons of a question; whether it was answered with yes."""
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
