"""Keys with which programs push and read evaluations: what they may do, whose they are, and until when.

A key is shown once, where it is made. The store holds its digest as a name (`key/<sha256>.json`), so whoever reads the
store cannot push. Links made with a key belong to the person who made it.
"""

from __future__ import annotations

import dataclasses
import logging
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.errors import DataError
from data.limits import KEY_NAME_CHARS, MAX_KEY_DAYS, MAX_KEYS
from data.store import links, records, store
from data.store.access import names_of

SCOPES = {
    "push": "make links",
    "manage": "list, extend and revoke the links made with it",
    "read": "read the numbers of links, and the rows that these show",
}
"""Scopes of a key."""
DEFAULT_DAYS = 90
_PREFIX = "blindspot_"  # so that a key is known as one where it should not stand: in a log, in a repository
_KEY = re.compile(r"blindspot_[A-Za-z0-9_-]{32}", re.ASCII)
_ID = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SHORT_ID = re.compile(r"[0-9a-f]{8,64}", re.ASCII)
_DAY = 86_400
_LOG = logging.getLogger(__name__)


class KeyRefused(DataError):
    """A key that opens nothing: wrong, ended or revoked, which nobody can tell apart."""

    def __init__(self) -> None:
        super().__init__("This key is not known. It may have expired or been revoked; make a new one.")


@dataclass(frozen=True)
class Key:
    """A key as it is stored, under its id.

    id : its digest. name : what it is for. scopes : some of `SCOPES`.
    person : who was logged in when it was made; "" = nobody. made, ends : seconds since 1970.
    """

    id: str
    name: str
    scopes: tuple[str, ...]
    person: str
    made: int
    ends: int

    @property
    def owner(self) -> str:
        """Return whose the links are that are made with it: the person's, or the key's own where there is none."""
        return self.person or f"key {self.id}"

    @property
    def short_id(self) -> str:
        """Return enough of the id to tell it from any other."""
        return self.id[:12]


def make(
    name: str, *, days: int = DEFAULT_DAYS, scopes: Sequence[str] = ("push",), person: str = ""
) -> tuple[str, Key]:
    """Make a key; returns its secret, which is not kept anywhere, and what is stored.

    Raises
    ------
    DataError
        no name, too many days, no scope, too many keys, or the store cannot be written.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= KEY_NAME_CHARS or not (name + person).isprintable():
        raise DataError(f"A key needs a name of at most {KEY_NAME_CHARS} letters and signs, such as nightly-training.")
    if not 1 <= days <= MAX_KEY_DAYS:
        raise DataError(f"A key lasts from 1 to {MAX_KEY_DAYS} days, not {days}; choose a number between them.")
    if not scopes or not set(scopes) <= set(SCOPES):
        raise DataError(f"A key is for one or several of {', '.join(SCOPES)}; choose from these.")
    _remove_ended()
    if len(list(_of(person))) >= MAX_KEYS:
        raise DataError(f"There are {MAX_KEYS} keys already; revoke one that nothing uses any more.")
    secret, made = _PREFIX + secrets.token_urlsafe(24), links.now()
    ordered = tuple(scope for scope in SCOPES if scope in scopes)
    key = Key(links.digest(secret), name, ordered, person, made, made + days * _DAY)
    content = dataclasses.asdict(key)
    del content["id"]
    with store.disk_errors():
        store.place().write(_name(key.id), records.encode(content))
    return secret, key


def find(secret: str) -> Key:
    """Find the key of a secret, by its digest, so that the time it takes says nothing about others.

    Raises
    ------
    KeyRefused
        wrong, ended or revoked.
    DataError
        the store cannot be read.
    """
    if not looks_like_one(secret):
        raise KeyRefused
    key = _read(links.digest(secret))
    if key is None or key.ends <= links.now():
        raise KeyRefused
    return key


def looks_like_one(text: str) -> bool:
    """Return whether a text could be a key.

    >>> looks_like_one("blindspot_" + "a" * 32), looks_like_one("secret")
    (True, False)
    """
    return _KEY.fullmatch(text) is not None


def list_every_key() -> list[Key]:
    """Return all keys that have not ended, newest first; what is damaged is passed over, and opens nothing."""
    return sorted(_every(), key=lambda key: (-key.made, key.id))


def list_keys(person: str) -> list[Key]:
    """Return a person's keys that have not ended, newest first."""
    return sorted(_of(person), key=lambda key: (-key.made, key.id))


def revoke(id_or_start: str, *, person: str | None = None) -> Key:
    """Remove a key, so that nothing can be done with it from now on; links made with it stay.

    Parameters
    ----------
    id_or_start : its id, or as much of it (8 digits at least) as only one key has.
    person : only a key of theirs; None = anybody's.

    Raises
    ------
    DataError
        there is no such key, or there are several.
    """
    looked_for = id_or_start.strip().lower()
    matching = [
        key for key in _every() if key.id.startswith(looked_for) and (person is None or key.person in names_of(person))
    ]
    if not _SHORT_ID.fullmatch(looked_for) or len(matching) != 1:
        raise DataError("There is no key with this id; the list of keys shows the ids.")
    _remove(matching[0].id)
    return matching[0]


def _ids() -> list[str]:
    with store.disk_errors():
        return [entry.stem for entry in store.place().entries("key")]


def _every() -> Iterator[Key]:
    keys = map(_read, _ids())
    return (key for key in keys if key is not None and key.ends > links.now())


def _of(person: str) -> Iterator[Key]:
    return (key for key in _every() if key.person in names_of(person))


def _read(key_id: str) -> Key | None:
    """Return the key stored under an id, ended or not; None where there is none, or none that can be read."""
    if not _ID.fullmatch(key_id):
        return None
    try:
        with store.disk_errors():
            values = records.decode(store.place().read(_name(key_id), records.MAX_RECORD_BYTES + 1))
        return Key(id=key_id, **{**values, "scopes": tuple(values["scopes"])})
    except FileNotFoundError:
        return None
    except (records.Damaged, records.Newer, TypeError, KeyError):
        _LOG.warning("The key %s cannot be read, so it opens nothing", key_id[:12])
        return None


def _remove_ended() -> None:
    """Remove a key that has ended; a damaged one stays for whoever looks into it."""
    for key_id in _ids():
        key = _read(key_id)
        if key is not None and key.ends <= links.now():
            _remove(key_id)


def _remove(key_id: str) -> None:
    """Remove the key first, then what says which links it has made."""
    with store.disk_errors():
        store.place().remove(_name(key_id))
        for entry in list(store.place().entries(f"pushed/{key_id}")):
            store.place().remove(entry.name)


def _name(key_id: str) -> str:
    return f"key/{key_id}.json"
