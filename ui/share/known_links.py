"""The links that this browser knows: each with its address and its owner key, until somebody forgets it on purpose.

The server stores neither, only digests of both: without this list, whoever made a link has to keep them elsewhere.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from data.errors import DataError
from data.limits import MAX_TITLE_CHARS
from data.store import links
from ui.limits import MAX_KEPT_KEY_CHARS
from ui.person import browser_storage


class Known(NamedTuple):
    """A link as this browser knows it; the server says whether it still opens and whether the key is its own."""

    token: str
    owner_key: str
    title: str = ""
    made: int = 0


def entry_names() -> str:
    """Return what the names of the entries begin with, for whoever is logged in now."""
    return browser_storage.name_of("link") + "."


def known_links() -> list[Known]:
    """Return the known links, the newest first; an entry that is none is left out."""
    known_links_read = [_read(text) for text in browser_storage.texts_below(entry_names()).values()]
    return sorted((known for known in known_links_read if known), key=lambda known: -known.made)


def find(token: str) -> Known | None:
    """Return the link with this token, if this browser knows it."""
    return _read(browser_storage.text_of(entry_name(token)))


def remember(known: Known) -> None:
    """Have the browser remember a link and its owner key."""
    browser_storage.put(entry_name(known.token), json.dumps(known._asdict(), ensure_ascii=False))


def forget(token: str) -> None:
    """Have the browser forget a link and its owner key."""
    browser_storage.put(entry_name(token), "")


def entry_name(token: str) -> str:
    """Return the name under which the browser keeps a link."""
    return entry_names() + links.digest(token)[:32]


def _read(text: str) -> Known | None:
    kept = browser_storage.read_json(text)
    if not isinstance(kept, dict) or not isinstance(kept.get("token"), str):
        return None
    try:
        links.id_of(kept["token"])
    except DataError:
        return None
    key, title, made = (kept.get(name) for name in ("owner_key", "title", "made"))
    return Known(
        kept["token"],
        key[:MAX_KEPT_KEY_CHARS] if isinstance(key, str) else "",
        title[:MAX_TITLE_CHARS] if isinstance(title, str) else "",
        made if isinstance(made, int) and 0 <= made < 2**33 else 0,
    )
