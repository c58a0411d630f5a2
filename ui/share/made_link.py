"""A link just made, as its maker has to see it: the link, who can see it, when it ends, and the key shown once."""

from __future__ import annotations

import json
from typing import NamedTuple

import streamlit as st

from data.errors import DataError
from data.runs import load
from data.store import links
from text.numbers import count
from ui.text.component import component
from ui.text.copy_button import to_copy
from ui.text.local_time import moment, remaining
from ui.text.messages import remark
from ui.view import people
from ui.view.address import audience, link_address, this_machine_only

_MADE, _COUNTS, _DONE, _KEEPER = "made_link.made", "made_link.counts", "made_link.done_once", "made_link.keeper"
_DAY = 86_400
_keeper = component(__file__, "kept_key", "<div></div>")


class Made(NamedTuple):
    """A link just made: what `data.store.links.share` says of it, and what was wanted of it.

    shared : its `ends` is when the link really ends.
    days : after how many days it was to end.
    ends_early : whether it ends before that, with the link it was made from.
    about : a sentence about what it opens; may be empty.
    """

    shared: links.Shared
    address: str
    days: int
    ends_early: bool = False
    left_out: str = ""
    about: str = ""


def keep(run: str, made: Made) -> None:
    """Have a link shown until whoever made it has kept it, and count it for the run it was made of."""
    st.session_state[_MADE] = made
    counts = st.session_state.setdefault(_COUNTS, {})
    counts[run] = counts.get(run, 0) + 1


def keep_in_browser() -> None:
    """Have the browser's tab keep what is shown until *Done*, and bring it back after a reload (F5)."""
    made: Made | None = st.session_state.get(_MADE)
    shown = {"token": made.shared.token, "owner_key": made.shared.owner_key} if made else None
    with st.sidebar.container(key="kept-key"):
        _keeper(
            data={"shown": shown, "done": _DONE in st.session_state}, key=_KEEPER, height=1, on_kept_change=_bring_back
        )


def _bring_back() -> None:
    """Show again what the browser has kept, if its key is that link's; else have the browser forget it."""
    try:
        kept = json.loads(st.session_state[_KEEPER]["kept"])
        st.session_state[_MADE] = from_key(str(kept["token"]), str(kept["owner_key"]))
    except (DataError, ValueError, TypeError, KeyError, RecursionError):
        st.session_state[_DONE] = True


def from_key(token: str, owner_key: str) -> Made:
    """Return what is shown of a link, read from the store.

    Raises
    ------
    DataError
        the link opens nothing any more, or the key is not its owner's.
    """
    link_id = links.id_of(token)
    link, ends = links.require_owner(link_id, owner_key=owner_key), links.open_id(link_id).ends
    draft = load.from_link(link, "")
    left = f"{count(draft.n_hidden, 'column')}." if draft.n_hidden else ""
    left = "The rows: no row can be read or downloaded." if draft.counts_only else left
    shared = links.Shared(token, owner_key, ends, link.views)
    days = round((link.ends - link.made) / _DAY)
    return Made(shared, link_address(token, link.views), days, ends < link.ends, left)


def n_made(run: str) -> int:
    """How many links were made of a run in this tab."""
    return int(st.session_state.get(_COUNTS, {}).get(run, 0))


def is_shown() -> bool:
    """Whether a link was made whose key has not been kept yet."""
    return _MADE in st.session_state


@st.dialog("The link is ready", icon=":material/check_circle:", dismissible=False, width="medium")
def show() -> None:
    """The link and its facts; only its button closes it, since the owner key is shown once."""
    made: Made = st.session_state[_MADE]
    with st.container(gap="small"):  # all of it fits on a laptop's screen
        if made.about:
            st.markdown(made.about)
        to_copy(made.address, "link", primary=True)
        with st.container(gap=None):
            fact("group", "Who can see it", audience())
            warn_if_local()
            fact("schedule", "Ends", f"on {moment(made.shared.ends)}, {remaining(made.shared.ends)}.{_why_early(made)}")
            if made.left_out:
                fact("visibility_off", "Left out", made.left_out)
        with st.container(border=True, gap="xsmall"):
            st.markdown(f":material/key: **Owner key**, shown only now. {_what_the_key_is_for()}")
            to_copy(made.shared.owner_key, "owner key")
        with st.container(horizontal=True):
            st.link_button("Open it in a new tab", made.address, icon=":material/open_in_new:", width="stretch")
            if st.button("Done, I have kept both", key="made_link.done", icon=":material/check:", width="stretch"):
                st.session_state.pop(_MADE)
                st.session_state[_DONE] = True
                st.rerun()


def _why_early(made: Made) -> str:
    if not made.ends_early:
        return ""
    return f" That is earlier than after {count(made.days, 'day')}: it ends with the link it was made from."


def _what_the_key_is_for() -> str:
    if people.person():
        return (
            "The page Shared links lists this link whenever you are logged in. Whoever has this key can extend, "
            "revoke or delete it without your login."
        )
    return (
        "With it you can extend, revoke or delete the link on the page Shared links; without it nobody can, you "
        "included. Keep it to yourself: the link is what you send."
    )


def fact(icon: str, name: str, text: str) -> None:
    """One line about a link. text : ours, as Markdown."""
    st.markdown(f":material/{icon}: **{name}:** {text}")


def warn_if_local() -> None:
    """That only this computer opens the link, where that is so."""
    if this_machine_only():
        remark("This server's address is this computer's own, so the link opens on this computer only.")
