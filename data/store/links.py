"""Create, open, extend and remove links: a draft that ends by itself, or a shared evaluation with its views.

A link's token is never stored, only its digest; whoever holds the token reads, and only the owner key (or the person
who was logged in) takes the link back. A wrong, an ended and a revoked link answer alike.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from data import environment
from data.errors import DataError
from data.store import access, records, store
from data.store.link import Link as Link, View as View
from data.store.store import list_places as list_places

DAYS = (1, 7, 30, 180)
DEFAULT_DAYS = 30
_DAY = 86_400
_TOKEN_BYTES = 24
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)
_ID = re.compile(r"[0-9a-f]{64}", re.ASCII)
_GONE = "This link opens nothing. It is wrong, has expired or was revoked. Ask whoever sent it for a new one."
_EXPIRED = "This link has expired. Share the file again for a new one."
_REVOKED = "This link was revoked. Share the file again for a new one."
_MARK_BYTES = 64 + 1
"""More than the digest of an owner key, all that is kept of a revoked link."""
_PARSED = 128  # links that are kept as parsed, some 100 kB each at most
_NOT_YOURS = "This is not the owner key of this link, so nothing was changed. The key was shown when the link was made."


class LinkGone(DataError):
    """The link opens nothing: wrong, ended or revoked, which nobody but its owner can tell apart."""

    def __init__(self, sentence: str = _GONE) -> None:
        super().__init__(sentence)


class Shared(NamedTuple):
    """A link just made: its token, the key that takes it back (shown once), when it ends, and its views as stored."""

    token: str
    owner_key: str
    ends: int
    views: tuple[View, ...] = ()


def digest(secret: str) -> str:
    """Return the only form in which a token, a key or a person is stored.

    >>> digest("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> int:
    """Return the seconds since 1970."""
    return int(time.time())


def keep_draft(draft: Mapping[str, Any], data_ids: Sequence[str], *, of: str = "", upload: str = "") -> str:
    """Keep what nobody has shared yet, for BLINDSPOT_DRAFT_HOURS; returns its token.

    of : the id of the shared link that it stems from. upload : as in `Link`; "" = a new one.

    Raises
    ------
    DataError
        it takes more than 64 kB, or the store cannot be written.
    """
    hours = environment.value("BLINDSPOT_DRAFT_HOURS") or 24  # in memory: as long as the server runs, at most a day
    made = now()
    upload = upload or secrets.token_hex(16)
    link = Link("draft", draft, tuple(data_ids), made, made + hours * 3600, of=of, upload=upload)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    content = records.encode(link.to_json())  # whether it fits, before anything is written
    for data_id in link.data_ids:
        store.renew_table(data_id)
        store.put_with_drafts(data_id)
    with store.disk_errors():
        store.draft_place().write(_link_name(digest(token)), content, once=True)
    _settle(digest(token), link)
    return token


def _settle(link_id: str, link: Link) -> None:
    """Check that a link just written has its tables: a sweep may have set one aside before it could see the link."""
    try:
        for data_id in link.data_ids:
            store.renew_table(data_id)
    except DataError:
        remove(link_id, link)
        raise


def share(
    draft: Mapping[str, Any],
    data_ids: Sequence[str],
    *,
    days: int = DEFAULT_DAYS,
    title: str = "",
    views: Sequence[View] = (),
    headline: Sequence[tuple[str, str]] = (),
    person: str = "",
    of: str = "",
    preview: bool = False,
) -> Shared:
    """Make a link that lasts `days`; the tables are kept with it.

    of : the id of the shared link that it stems from: it ends with that one.
    person : who is logged in; "" = nobody. preview : as in `Link`.

    Raises
    ------
    DataError
        `days` is none of `DAYS`; a table is not there any more; or the store cannot be written.
    """
    if days not in DAYS:
        raise DataError(f"A link for {days} days cannot be made; choose one of {', '.join(map(str, DAYS))}.")
    token, key = secrets.token_urlsafe(_TOKEN_BYTES), secrets.token_urlsafe(_TOKEN_BYTES)
    made = now()
    link = Link(
        "share", draft, tuple(data_ids), made, made + days * _DAY, of=of,
        owner=digest(key), person=digest(person) if person else "",
        title=title, views=tuple(views), headline=tuple(headline), preview=preview,
    )  # fmt: skip
    content = records.encode(link.to_json())  # whether it fits, before anything is written
    for data_id in link.data_ids:
        store.put_lasting(data_id)
    with store.disk_errors():
        if link.person:
            store.place().write(_owner_name(link.person, digest(token)), b"", once=True)
        store.place().write(_link_name(digest(token)), content, once=True)
    _settle(digest(token), link)
    return Shared(token, key, link.ends, link.views)


def id_of(token: str) -> str:
    """Return the id under which a token's link is stored.

    Raises
    ------
    LinkGone
        no token looks like this.
    """
    if not _TOKEN.fullmatch(token):
        raise LinkGone
    return digest(token)


def open_link(token: str) -> Link:
    """Return the link that a token opens.

    Raises
    ------
    LinkGone
        it opens nothing: wrong, ended, revoked, or made from a shared link that is.
    DataError
        it is damaged, or a newer version made it.
    """
    return open_id(id_of(token))


def open_id(link_id: str) -> Link:
    """Return the link with an id, as `open_link`; its `ends` is that of the first to end of those it stems from."""
    link = parent = _find_living(link_id)
    while parent.of:
        parent = _find_living(parent.of)
        link = dataclasses.replace(link, ends=min(link.ends, parent.ends))
    return link


def _find_living(link_id: str) -> Link:
    link = read(link_id)
    if link is None or link.ends <= now():
        raise LinkGone
    return link


def is_over(link: Link, moment: float) -> bool:
    """Return whether a link opens nothing at a time (seconds since 1970): its own is over, or a parent's."""
    above: Link | None = link
    while above is not None and above.ends > moment:
        if not above.of:
            return False
        above = read(above.of)
    return True


def read(link_id: str) -> Link | None:
    """Return the link stored under an id, ended or not; None where there is none."""
    if not _ID.fullmatch(link_id):
        return None
    for kept in list_places():
        with contextlib.suppress(FileNotFoundError), store.disk_errors():
            return _parse(kept.read(_link_name(link_id), records.MAX_RECORD_BYTES + 1))
    return None


@functools.lru_cache(maxsize=_PARSED)
def _parse(content: bytes) -> Link:
    """Return a link as it is stored; the same bytes are parsed once, for links that many open."""
    values = records.decode(content)
    try:
        return Link.from_json(values)
    except (TypeError, KeyError, ValueError, AttributeError):
        raise records.Damaged("What is stored behind this link is damaged; ask for a new link.") from None


def require_owner(link_id: str, *, owner_key: str = "", person: str = "") -> Link:
    """Return the link, if whoever asks may take it back.

    Raises
    ------
    LinkGone
        there is no such link; to the owner of a revoked one it says so.
    DataError
        neither the key nor the person is its owner's.
    """
    link = read(link_id)
    if link is None or link.kind != "share":
        raise LinkGone(_REVOKED if _was_owner(link_id, owner_key) else _GONE)
    by_key = bool(owner_key) and hmac.compare_digest(link.owner, digest(owner_key.strip()))
    persons = _digests(person) if person and link.person else ()
    by_login = any(hmac.compare_digest(link.person, of_person) for of_person in persons)
    if not by_key and not by_login:
        raise DataError(_NOT_YOURS)
    return link


def extend(link_id: str, days: int, *, owner_key: str = "", person: str = "") -> int:
    """Have a link end `days` from now; nothing else of it changes. Returns when it ends.

    Raises
    ------
    DataError
        as `require_owner` and `share`.
    """
    if days not in DAYS:
        raise DataError(f"A link cannot be extended by {days} days; choose one of {', '.join(map(str, DAYS))}.")
    link = require_owner(link_id, owner_key=owner_key, person=person)
    if link.ends <= now():
        raise LinkGone(_EXPIRED)  # a sweep may be taking its table away
    longer = dataclasses.replace(link, ends=now() + days * _DAY)
    content = records.encode(longer.to_json())
    with store.disk_errors():
        store.place().write(_link_name(link_id), content)
        if store.place().has(gone_name(link_id)):  # revoked meanwhile: what was just written would bring it back
            store.place().remove(_link_name(link_id))
            raise LinkGone(_REVOKED)
    return longer.ends


def revoke(link_id: str, *, owner_key: str = "", person: str = "") -> Link:
    """Remove a link, and with it every draft that stems from it; its table goes by `data.store.expiry`.

    Raises
    ------
    DataError
        as `require_owner`.
    """
    link = require_owner(link_id, owner_key=owner_key, person=person)
    with store.disk_errors():
        store.place().write(gone_name(link_id), link.owner.encode(), once=True)
    remove(link_id, link)
    return link


def remove(link_id: str, link: Link) -> None:
    """Remove a link from wherever it is, and from its owner's list."""
    with store.disk_errors():
        for kept in list_places():
            kept.remove(_link_name(link_id))
        if link.person:
            store.place().remove(_owner_name(link.person, link_id))


def describe_end(link_id: str, owner_key: str) -> str:
    """Say to the owner of a link whether it has expired or was revoked; to anybody else what everybody is told."""
    try:
        link = require_owner(link_id, owner_key=owner_key)
    except LinkGone as gone:
        return str(gone)
    except DataError:
        return _GONE
    return _EXPIRED if link.ends <= now() else _GONE


def _was_owner(link_id: str, owner_key: str) -> bool:
    """Return whether a key is that of a link which was revoked: its digest is all that is kept of one."""
    if not _ID.fullmatch(link_id):
        return False
    owner = b""
    with contextlib.suppress(FileNotFoundError), store.disk_errors():
        owner = store.place().read(gone_name(link_id), _MARK_BYTES)
    return bool(owner) and hmac.compare_digest(owner, digest(owner_key.strip()).encode())


def list_shared(person: str) -> Iterator[tuple[str, Link]]:
    """Return (id, link) of what a person has shared and has not ended, newest first; damaged ones are passed over."""
    persons, listed = _digests(person), []
    with store.disk_errors():
        entries = [entry for of_person in persons for entry in store.place().entries(f"owner/{of_person}")]
    for entry in entries:
        with contextlib.suppress(DataError):
            link = read(entry.stem)
            if link is not None and link.ends > now() and link.person in persons:
                listed.append((entry.stem, link))
    return iter(sorted(listed, key=lambda entry: -entry[1].made))


def _digests(person: str) -> tuple[str, ...]:
    """Return the digests of the names that a person is stored under."""
    return tuple(map(digest, access.names_of(person)))


def _link_name(link_id: str) -> str:
    return f"link/{link_id}.json"


def _owner_name(person: str, link_id: str) -> str:
    return f"owner/{person}/{link_id}.json"


def gone_name(link_id: str) -> str:
    """Return the name under which it is noted that a link was taken back."""
    return f"gone/{link_id}"
