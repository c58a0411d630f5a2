"""Whom a shared link opens for, on a server where people log in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from data import environment
from data.errors import DataError


class NotForYou(DataError):
    """The link opens, but not for whoever is asking."""


def named(user: Mapping[str, Any], *, header: bool, login: bool) -> str:
    """Who is looking, as the login names them: an e-mail address, or what it has instead; "" where it is nobody.

    Parameters
    ----------
    user : what Streamlit knows of them. An address that the provider calls unverified may be anybody's, so it names
        nobody. header : whether a proxy names people. Its header becomes the only address there is, whatever a cookie
        says. login : whether the server has a login of its own.

    Examples
    --------
    >>> ann = {"is_logged_in": True, "email": "ann@example.org", "email_verified": False, "sub": "7"}
    >>> named(ann, header=False, login=True), named(ann, header=False, login=False)
    ('7', '')
    >>> named({"email": "ann@example.org"}, header=True, login=False)
    'ann@example.org'
    """
    if header and user.get("email"):
        return str(user["email"])
    if not (login and user.get("is_logged_in")):
        return ""
    verified = user.get("email_verified") not in (False, "false")
    return str((user.get("email") if verified else None) or user.get("sub") or "")


def may_open(person: str, groups: Collection[str], audience: str) -> bool:
    """Whether a shared link opens for somebody.

    Parameters
    ----------
    person : who is logged in, an e-mail address; "" = nobody.
    groups : the groups that the login names for them.
    audience : what BLINDSPOT_LINKS_FOR says.

    Examples
    --------
    >>> may_open("", (), "anyone"), may_open("", (), "members"), may_open("ann@example.org", (), "domain:example.org")
    (True, False, True)
    """
    if audience == "anyone":
        return True
    if not person or audience == "members":
        return bool(person)
    wanted = [part.strip().partition(":") for part in audience.split(",")]
    return any(name in groups if kind == "group" else _is_at(person, name) for kind, _, name in wanted)


def _is_at(person: str, domain: str) -> bool:
    """Whether an address is one of a domain; a name with no @, or with two, is none."""
    name, at, of = person.rpartition("@")
    return bool(name and at) and "@" not in name and of.lower() == domain.lower()


def check(person: str, groups: Collection[str] = ()) -> None:
    """Refuse a shared link to whoever it does not open for.

    Raises
    ------
    NotForYou
        one sentence: for whom links open here, and who is asking.
    """
    audience = environment.value("BLINDSPOT_LINKS_FOR")
    if not may_open(person, groups, audience):
        asking = f"you are logged in as {person[:100]}" if person else "you are not logged in"
        raise NotForYou(f"Links open for {in_words(audience)} here, and {asking}; ask whoever shared it for a report.")


def in_words(audience: str) -> str:
    """BLINDSPOT_LINKS_FOR as a person says it.

    >>> in_words("members"), in_words("domain:example.org,group:reviewers")
    ('everyone who is logged in', 'members of example.org and the group reviewers')
    """
    if audience in ("anyone", "members"):
        return {"anyone": "anyone who holds them", "members": "everyone who is logged in"}[audience]
    parts = [part.strip().partition(":") for part in audience.split(",")]
    return "members of " + " and ".join(f"the group {name}" if kind == "group" else name for kind, _, name in parts)
