"""Show a link that was just made: the link, who can see it, when it expires, and its owner key."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from data.store import links
from text.numbers import count
from ui.person import browser_storage, people
from ui.share import known_links
from ui.share.known_links import Known
from ui.text.copy_button import to_copy
from ui.text.local_time import moment, time_left
from ui.text.messages import remark
from ui.view.address import audience, this_machine_only

_MADE = "made_link.made"


class Made(NamedTuple):
    """A link that was just made: what `data.store.links.share` says of it, and what was wanted of it.

    shared : its `ends` is when the link really expires.
    days : after how many days it was to expire.
    ends_early : whether it expires before that, with the link it was made from.
    about : a sentence about what it opens; may be empty.
    page : the address of its static page; "" = it has none.
    """

    shared: links.Shared
    address: str
    days: int
    title: str = ""
    ends_early: bool = False
    left_out: str = ""
    about: str = ""
    page: str = ""


def keep(made: Made) -> None:
    """Have a link shown and remembered by this browser."""
    st.session_state[_MADE] = made
    known_links.remember(Known(made.shared.token, made.shared.owner_key, made.title, links.now()))


def is_shown() -> bool:
    """Return whether a link was made that is still shown."""
    return _MADE in st.session_state


def _close() -> None:
    st.session_state.pop(_MADE, None)


def show() -> None:
    """Show the link and its facts; where the browser keeps nothing, only the button closes them."""
    is_kept = not browser_storage.problem()
    draw = st.dialog(
        "The link is ready", icon=":material/check_circle:", dismissible=is_kept, on_dismiss=_close, width="medium"
    )
    draw(_draw)(is_kept)


def _draw(is_kept: bool) -> None:
    made: Made = st.session_state[_MADE]
    with st.container(gap="small"):  # all of it fits on a laptop's screen
        if made.about:
            st.markdown(made.about)
        to_copy(made.address, "link", primary=True)
        with st.container(gap=None):
            fact("group", "Who can see it", audience())
            warn_if_local()
            expires = f"on {moment(made.shared.ends)}, {time_left(made.shared.ends)}.{_why_early(made)}"
            fact("schedule", "Expires", expires)
            if made.page:
                fact("web", "For many readers", f"a [page of the numbers]({made.page}) that leads to this link.")
            if made.left_out:
                fact("visibility_off", "Left out", made.left_out)
        with st.container(border=True, gap="xsmall"):
            st.markdown(f":material/key: **Owner key.** {_what_the_key_is_for(is_kept)}")
            to_copy(made.shared.owner_key, "owner key")
        with st.container(horizontal=True):
            st.link_button("Open it in a new tab", made.address, icon=":material/open_in_new:", width="stretch")
            done = "Done" if is_kept else "Done, I have kept both"
            if st.button(done, key="made_link.done", icon=":material/check:", width="stretch"):
                _close()
                st.rerun()


def _why_early(made: Made) -> str:
    if not made.ends_early:
        return ""
    return f" That is earlier than after {count(made.days, 'day')}: it expires with the link it was made from."


def _what_the_key_is_for(is_kept: bool) -> str:
    where = (
        "This browser remembers link and key; the page Shared links lists them, and forgets them when you say so."
        if is_kept
        else "This browser keeps nothing (its storage is full or off), and this is shown once: copy both now."
    )
    if people.person():
        return f"It extends, revokes or deletes the link without your login. {where}"
    return f"It extends, revokes or deletes the link; without it nobody can. Send the link, not the key. {where}"


def fact(icon: str, name: str, text: str) -> None:
    """Draw one line about a link. text : ours, as Markdown."""
    st.markdown(f":material/{icon}: **{name}:** {text}")


LET_OTHERS_IN = "BLINDSPOT_ADDRESS=0.0.0.0 BLINDSPOT_URL=http://ada.lan:8501 BLINDSPOT_WITHOUT_LOGIN=yes make run"
"""As in docs/deployment.md; the address is the one that colleagues type."""


def warn_if_local() -> None:
    """Say that only this computer opens the link, where that is so."""
    if this_machine_only():
        remark("This server's address is this computer's own, so the link opens on this computer only.")
        st.caption(
            "To let your network in, start the server like this. Without a login, anybody there may upload and open "
            "links. docs/deployment.md shows the ways with a login."
        )
        st.code(LET_OTHERS_IN, language=None, wrap_lines=True)
