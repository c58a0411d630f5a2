"""Keys for programs that push: made here, shown once, listed and revoked."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from data import environment
from data.errors import DataError
from data.local_addresses import is_loopback
from data.sharing import api_keys
from ui.person import people
from ui.text.copy_button import to_copy
from ui.text.local_time import moment, time_left
from ui.text.markdown import md
from ui.text.messages import remark

_MADE = "keys.made"
_SCOPES = {
    "push": "Make links",
    "manage": "Also list, extend and revoke the links made with it",
    "read": "Read the numbers of links",
}


def panel() -> None:
    """Make a key, and see and revoke one's own; without a login only where nobody else can come in."""
    st.header("Push from a program")
    st.markdown(
        "A training job can send its predictions here and get a link. It needs an API key, and runs `python cli.py "
        "push preds.csv --to` with this server's address."
    )
    person = people.person()
    if not person and not is_local_only():
        remark(
            "This server has no login, so API keys are not made here. Whoever runs the server makes one with python "
            "cli.py key new --name nightly.",
            "info",
        )
    else:
        _make(person)
    if person:
        _list(person)
    else:
        st.caption(
            "Without a login, the server cannot list your API keys here. On the server, `python cli.py key list` lists "
            "them and `python cli.py key revoke` revokes one."
        )


def is_local_only() -> bool:
    """Return whether nobody but this machine's own people can reach the page, also not through a proxy.

    >>> is_local_only()
    True
    """
    url = environment.value("BLINDSPOT_URL")
    return is_loopback(environment.value("BLINDSPOT_ADDRESS")) and (
        not url or is_loopback(urlsplit(url).hostname or "")
    )


def _make(person: str) -> None:
    with st.form("keys.form", border=True):
        name = st.text_input(
            "What is it for?", key="keys.name", placeholder="nightly training", max_chars=api_keys.KEY_NAME_CHARS
        )
        days = st.number_input(
            "Days until it expires", 1, api_keys.MAX_KEY_DAYS, api_keys.DEFAULT_DAYS, key="keys.days"
        )
        scopes = st.pills(
            "What it may do", list(_SCOPES), selection_mode="multi", default=["push"], key="keys.scopes",
            format_func=_SCOPES.__getitem__,
        )  # fmt: skip
        sent = st.form_submit_button("Make an API key", icon=":material/key:")
    if sent:
        try:
            st.session_state[_MADE] = api_keys.make(name, days=int(days), scopes=scopes, person=person)[0]
        except DataError as error:
            st.session_state.pop(_MADE, None)
            remark(str(error))
    if _MADE in st.session_state:
        _show_once(st.session_state.pop(_MADE))


def _show_once(secret: str) -> None:
    with st.container(border=True):
        st.markdown(
            ":material/key: **The API key**, shown only now\n\nPut it where the program finds it as "
            "`BLINDSPOT_KEY`, among the secrets of the CI. Whoever has it can make links here."
        )
        to_copy(secret, "API key")


def _list(person: str) -> None:
    """Draw the keys of whoever is logged in."""
    try:
        keys = api_keys.list_keys(person)
    except DataError as error:
        remark(str(error))
        return
    if not keys:
        st.caption("You have no API keys.")
    for key in keys:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"keys.{key.short_id}"):
            st.markdown(
                f"**{md(key.name)}** · {', '.join(key.scopes)} · expires on {moment(key.ends)}, {time_left(key.ends)}"
            )
            st.button(
                "Revoke", key=f"keys.revoke.{key.short_id}", icon=":material/key_off:", on_click=_revoke,
                args=(key.id, person), help="Nothing can be pushed with it from now on; links made with it stay.",
            )  # fmt: skip


def _revoke(key_id: str, person: str) -> None:
    try:
        api_keys.revoke(key_id, person=person)
    except DataError as error:
        st.toast(md(str(error)))
