"""Who is looking: the person who is logged in, where the server has a login, and what nobody sees without one."""

from __future__ import annotations

import streamlit as st

from charts.text import show
from data import access, environment, links
from data.errors import DataError
from ui import url


def has_login() -> bool:
    """Whether people log in here: an `[auth]` section in the secrets, or a proxy that names them in a header."""
    return bool(environment.value("BLINDSPOT_USER_HEADER")) or _has_own_login()


def _has_own_login() -> bool:
    return bool(st.secrets.load_if_toml_exists() and "auth" in st.secrets)


def person() -> str:
    """Who is logged in, as the login names them (an e-mail address); "" where nobody is."""
    if not has_login():
        return ""
    user = st.user.to_dict()
    if _has_own_login() and not user.get("is_logged_in"):
        return "" if not environment.value("BLINDSPOT_USER_HEADER") else str(user.get("email") or "")
    return str(user.get("email") or user.get("sub") or "")


def groups() -> tuple[str, ...]:
    """The groups that the login names for whoever is logged in (the claim `groups`)."""
    named = st.user.to_dict().get("groups") if person() else None
    return tuple(map(str, named)) if isinstance(named, list | tuple) else ()


def gate() -> None:
    """Stop the page, and offer the login, where whoever looks has to log in first.

    Without a login nothing is asked. With one, only a shared link that opens for anyone is shown to a stranger.
    """
    if not has_login() or person() or _is_open_to_all(url.get("run")):
        return
    st.title("Log in to Blindspot")
    st.markdown("Evaluations on this server are for the people who belong here.")
    if _has_own_login():
        st.button("Log in", icon=":material/login:", type="primary", on_click=st.login)
    else:
        st.markdown("The proxy in front of this server has not said who you are: reach the server through it.")
    st.stop()


def _is_open_to_all(run: str) -> bool:
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
    data.access.NotForYou, data.links.LinkGone
    """
    if has_login():
        link = links.open_link(run)
        if link.kind == "share" or link.of:
            access.check(person(), groups())


def sidebar() -> None:
    """Who is logged in, and the way out."""
    if not person():
        return
    st.text(f"Logged in as {show(person(), 40)}")
    if _has_own_login():
        st.button("Log out", icon=":material/logout:", on_click=st.logout, width="stretch")
