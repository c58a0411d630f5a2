"""Ask before a link is revoked or deleted, or a key is forgotten; do it, and say what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from data.errors import DataError
from data.sharing import share
from data.store import links
from ui.person import browser_storage
from ui.share import known_links
from ui.share.drafts import ITS_TABLE
from ui.text.messages import Asked, remark

BY_KEY = "links.by_key"
"""Session key of the link that was found by a typed key."""
QUESTION, _TOLD = Asked("links.asked"), "links.told"
"""The question that is asked when the page is drawn next: the verb, and the id of its link."""


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


@st.dialog("Forget everything in this browser?", icon=":material/delete_sweep:", on_dismiss=QUESTION.close)
def forget_all() -> None:
    """Ask before this browser forgets all that Blindspot keeps in it."""
    st.markdown(
        "This browser then forgets every link and owner key, the steps of reviews, and the marks and notes on rows. "
        "The links go on until they expire; without its key nobody can revoke a link. This cannot be undone."
    )
    if _confirm("Forget"):
        browser_storage.forget_all()
        QUESTION.close()
        tell("This browser has forgotten everything that Blindspot kept in it.")


@st.dialog("Forget this key?", icon=":material/delete:", on_dismiss=QUESTION.close)
def forget(owned: Owned) -> None:
    """Ask before this browser forgets a link and its key."""
    if owned.person:
        st.markdown("This browser forgets the link and its key. The link works on, and your login still lists it.")
    else:
        st.markdown(
            "This browser forgets the link and its key. The link works on until it expires. Without the key nobody can "
            "extend, revoke or delete it: copy the key first if you may need it."
        )
    if _confirm("Forget"):
        known_links.forget(owned.token)
        QUESTION.close()
        tell("This browser has forgotten the link and its key.")


@st.dialog("Revoke this link?", icon=":material/link_off:", on_dismiss=QUESTION.close)
def revoke(owned: Owned) -> None:
    """Ask before a link is revoked."""
    st.markdown(
        "From now on nobody can open it, not even in open tabs. Its table is removed later, once nothing else "
        "needs it. This cannot be undone."
    )
    if _confirm("Revoke"):
        _run_action(lambda: _revoke(owned))


def _revoke(owned: Owned) -> str:
    links.revoke(owned.link_id, **owned.proof())
    known_links.forget(owned.token)
    return "The link was revoked: it opens nothing any more."


@st.dialog("Delete this link and its data?", icon=":material/delete:", on_dismiss=QUESTION.close)
def delete(owned: Owned) -> None:
    """Ask before a link and its data are deleted."""
    st.markdown(
        "From now on nobody can open the link. Its table is removed from the server at once, unless another "
        "link needs it. This cannot be undone."
    )
    if _confirm("Delete"):
        _run_action(lambda: _delete(owned))


def _delete(owned: Owned) -> str:
    share.delete_share(owned.link_id, **owned.proof())
    known_links.forget(owned.token)
    return f"The link was deleted: it opens nothing any more. {ITS_TABLE}"


def _confirm(verb: str) -> bool:
    """Draw the two buttons of a question; return whether it was answered with yes."""
    yes, no = st.columns(2)
    if no.button("Cancel", key="links.no", width="stretch"):
        QUESTION.close()
        st.rerun()
    return bool(yes.button(f"{verb} it", key="links.yes", type="primary", width="stretch"))


def _run_action(action: Callable[[], str]) -> None:
    """Do what cannot be undone, and tell what happened: on the page, or here where it failed."""
    try:
        told = action()
    except DataError as error:
        remark(str(error))
        return
    QUESTION.close()
    st.session_state.pop(BY_KEY, None)
    tell(told)


def tell(sentence: str) -> None:
    """Say a sentence once, when the page is drawn anew."""
    st.session_state[_TOLD] = (sentence, False)
    st.rerun()


def read_told() -> str:
    """Return the sentence that `tell` left; it stays while the page is drawn again for the browser's report only."""
    reported = browser_storage.has_just_reported()
    sentence, shown = st.session_state.pop(_TOLD, ("", False))
    if not sentence or (shown and not reported):
        return ""
    st.session_state[_TOLD] = (sentence, True)
    return str(sentence)
