"""Keep a person's own things in the browser's storage: review steps, marks and notes on rows, owner keys.

A reload (F5) is a new session that knows nothing, so the browser says what it keeps, and is told what changes. The
server stores none of it. What the browser says is checked by whoever reads it, and opens nothing by itself: an owner
key that comes from here is compared as one that is typed.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from data.store import links
from ui.limits import MAX_STORED_CHARS, MAX_STORED_ENTRIES
from ui.person import people
from ui.text.component import component, sent_by

WHERE = (
    "They stay in this browser, on this computer, until you forget them. Other people who use this browser can find "
    "them. The server does not store them."
)
KEPT = "kept"
"""The name under which the browser says how many entries it keeps in all, also of other people."""
_ENTRIES, _CHANGED, _WATCHED = "browser_storage.entries", "browser_storage.changed", "browser_storage.watched"
_SESSION, _FORGOTTEN, _REFUSED = "browser_storage.session", "browser_storage.forgotten", "browser_storage.refused"
_TOO_LONG, _NUMBER = "browser_storage.too_long", "browser_storage.number"
_ANSWERED, _REPORTED = "browser_storage.answered", "browser_storage.reported"
_storage = component(__file__, "browser_storage", "<div></div>")


def name_of(kind: str, *about: str) -> str:
    """Return the name of an entry: its kind, and a digest of its person and subject."""
    return f"{kind}.{links.digest(chr(10).join((people.person(), *about)))[:32]}"


def text_of(name: str) -> str:
    """Return the text under a name; empty where the browser keeps none, or has not said so yet."""
    return _entries().get(name, "")


def texts_below(prefix: str) -> dict[str, str]:
    """Return every entry whose name begins so, the one written last at the end."""
    return {name: text for name, text in _entries().items() if name.startswith(prefix) and text}


def put(name: str, text: str) -> None:
    """Have the browser keep a text under a name; an empty text removes the entry."""
    entries = _entries()
    if entries.get(name, "") == text:
        return
    entries.pop(name, None)
    entries[name] = text
    too_long = st.session_state.setdefault(_TOO_LONG, set())
    if len(text) > MAX_STORED_CHARS:
        too_long.add(name)
    else:
        too_long.discard(name)
        number = st.session_state[_NUMBER] = st.session_state.get(_NUMBER, 0) + 1  # an older one is never written again
        st.session_state.setdefault(_CHANGED, {})[name] = (number, text or None)


def copy(kind: str, about: str, other: str) -> None:
    """Keep what there is about one thing about another, too, such as the same rows counted by more columns."""
    text = text_of(name_of(kind, about))
    if text:
        put(name_of(kind, other), text)


def forget_all() -> None:
    """Have the browser remove everything that Blindspot keeps in it."""
    for name in (_ENTRIES, _CHANGED, _TOO_LONG):
        st.session_state.pop(name, None)
    st.session_state[_FORGOTTEN] = uuid.uuid4().hex


def problem() -> str:
    """Say why the browser keeps nothing; empty where it does."""
    if st.session_state.get(_REFUSED):
        return "This browser keeps nothing: its storage is full or off. Reloading the page (F5) loses what you add."
    if st.session_state.get(_TOO_LONG):
        return "This is too long for the browser to keep. Reloading the page (F5) loses the last changes."
    return ""


def keeps_anything() -> bool:
    """Return whether the browser keeps any entry, watched or not; it says so where `KEPT` is watched."""
    entries = _entries()
    return entries.get(KEPT, "0") != "0" or any(text for name, text in entries.items() if name != KEPT)


def has_answered() -> bool:
    """Return whether the browser has sent what it keeps; it does so where `place` asks for it."""
    return _ANSWERED in st.session_state


def has_just_reported() -> bool:
    """Return, once, whether this run of the page only came because the browser sent what it keeps."""
    return bool(st.session_state.pop(_REPORTED, False))


def read_json(text: str) -> Any:
    """Return the JSON in a text, without what cannot be sent; None where there is none.

    >>> read_json('{"a": 1}'), read_json("{"), read_json('"' + chr(92) + 'ud800"')
    ({'a': 1}, None, '?')
    """
    try:
        sendable = json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "replace")
        return json.loads(sendable)
    except (ValueError, RecursionError):
        return None


def place(watched: Sequence[str], *, ask: bool = False) -> None:
    """Place what reads and writes the storage, on every page.

    watched : the names that matter here; one that ends with a dot stands for all that begin so.
    ask : whether the browser has to answer also where it keeps nothing, at the price of one more run of the page.
    """
    st.session_state[_WATCHED] = list(watched)
    with st.sidebar.container(key="browser-storage"):
        _draw("browser_storage.main", watched, ask=ask and not has_answered())


def write(key: str) -> None:
    """Write what has changed from within a fragment, which runs without the rest of the page."""
    with st.container(key=f"browser-storage-{key.replace('.', '-')}"):
        _draw(f"browser_storage.{key}", ())


def _draw(key: str, watched: Sequence[str], *, ask: bool = False) -> None:
    state = st.session_state
    data = {
        "session": state.setdefault(_SESSION, uuid.uuid4().hex),
        "watch": list(watched),
        "ask": ask,
        "write": state.get(_CHANGED, {}),
        "forgotten": state.get(_FORGOTTEN, ""),
        "refused": state.get(_REFUSED, False),
    }
    _storage(data=data, key=key, height=1, on_found_change=lambda: _take(sent_by(key, "found")),
             on_refused_change=lambda: state.update({_REFUSED: sent_by(key, "refused") is True}))  # fmt: skip


def _take(entries: object) -> None:
    """Take over what the browser says that it keeps; a browser may say anything."""
    if not isinstance(entries, Mapping):
        return
    st.session_state[_ANSWERED] = st.session_state[_REPORTED] = True
    watched = st.session_state.get(_WATCHED, [])
    for name, text in list(entries.items())[:MAX_STORED_ENTRIES]:
        wanted = any(
            name == watched_name or (watched_name.endswith(".") and name.startswith(watched_name))
            for watched_name in watched
        )
        if wanted and (text is None or (isinstance(text, str) and len(text) <= MAX_STORED_CHARS)):
            _entries()[name] = text or ""
            st.session_state.get(_CHANGED, {}).pop(name, None)


def _entries() -> dict[str, str]:
    entries: dict[str, str] = st.session_state.setdefault(_ENTRIES, {})
    return entries
