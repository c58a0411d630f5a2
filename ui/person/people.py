"""Tell who is looking: the person who is logged in, and what nobody sees without a login."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from data import environment
from data.errors import DataError
from data.store import access, links
from text.visible import show


def has_login() -> bool:
    """Return whether people log in here: an `[auth]` section in the secrets, or a proxy that names them in a header."""
    return _is_by_proxy() or _has_own_login()


def _has_own_login() -> bool:
    """Return whether people log in here; once there is a login it stays until the server ends."""
    if not access.LOGINS and ("auth" in st.secrets if st.secrets.load_if_toml_exists() else _are_unreadable()):
        access.LOGINS.append("secrets")
    return bool(access.LOGINS)


def _are_unreadable() -> bool:
    return any(path.exists() for path in _secret_files())


@cache
def _secret_files() -> tuple[Path, ...]:
    """Return the files that may hold secrets; Streamlit looks its setting up at every question."""
    return tuple(map(Path, st.get_option("secrets.files")))


def person() -> str:
    """Return the name of the person who is logged in (an e-mail address, or its substitute); "" = nobody."""
    user = _user()
    return access.identify_person(user, header=_is_by_proxy(), login=_has_own_login()) if user else ""


def usage_name() -> str:
    """Return whose links and files are counted: the person's, or the address's where nobody is logged in."""
    return person() or f"address {st.context.ip_address}"


def groups() -> tuple[str, ...]:
    """Return the groups that the login names for a person (the claim `groups`); a proxy's header names none."""
    by_header = _is_by_proxy() and _user().get("email")
    named = None if by_header or not person() else _user().get("groups")
    if isinstance(named, str):  # one group, as some providers say it
        return (named,)
    return tuple(map(str, named)) if isinstance(named, list | tuple) else ()


def _is_by_proxy() -> bool:
    return bool(environment.value("BLINDSPOT_USER_HEADER"))


def _user() -> dict[str, Any]:
    return dict(st.user.to_dict()) if has_login() else {}


def may_change() -> bool:
    """Return whether the viewer may upload, correct, share and push: everybody without a login, else members."""
    return not has_login() or bool(person())


def gate(run: str, *, members_only: bool) -> None:
    """Stop the page, and offer the login, where whoever looks has to log in first.

    Without a login nothing is asked. With one, a stranger sees only what a shared link shows that opens for anyone.
    """
    if may_change():
        return
    looks = may_open(run)
    if looks and not members_only:
        return
    # Without a link there is no other page to go to, so assets/page.css leaves out the menu.
    with st.container(key="login-to-make" if looks else "login", width=480, border=True):
        st.title("Log in to Blindspot", anchor=False)
        st.markdown(
            "Log in to arrange a review, or to make and revoke links and keys."
            if looks else "Only members may see what is on this server."
        )  # fmt: skip
        if _has_own_login():
            _log_in("primary")
        else:
            st.markdown("The proxy in front of this server has not said who you are: reach the server through it.")
    st.stop()


def _log_in(kind: Any) -> None:
    st.button("Log in", key="people.in", icon=":material/login:", type=kind, on_click=st.login, width="stretch")


def may_open(run: str) -> bool:
    """Return whether the viewer may open a link: members any, strangers a shared link that opens for anyone."""
    if may_change():
        return True
    if environment.value("BLINDSPOT_LINKS_FOR") != "anyone":
        return False
    try:
        return links.open_link(run).kind == "share"
    except DataError:
        return False


def check(run: str) -> None:
    """Refuse a shared link, and what stems from one, to whoever it does not open for.

    Raises
    ------
    data.store.access.NotForYou, data.store.links.LinkGone
    """
    if has_login():
        link = links.open_link(run)
        if link.kind == "share" or link.of:
            access.check(person(), groups())


def sidebar() -> None:
    """Draw who is logged in, and the button to log out; for a guest the one to log in."""
    if not has_login():
        return
    if not person():
        st.caption("You look at a shared link as a guest. To upload, correct or share, log in.")
        if _has_own_login():
            _log_in("secondary")
        return
    with st.container(gap=None):
        st.caption("Logged in as")
        st.text(show(person(), 60))
    if _has_own_login() and not _is_by_proxy():
        st.button("Log out", key="people.out", icon=":material/logout:", on_click=st.logout, width="stretch")
