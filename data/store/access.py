"""Decide for whom a shared link opens, on a server where people log in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from data import environment
from data.errors import DataError

LOGINS: list[str] = []
"""Signs that people log in on this server; they stay until it ends."""


class NotForYou(DataError):
    """The link opens, but not for whoever is asking."""


BY_SUBJECT = "sub:"
"""Prefix of the name of somebody whom the login gives no verified address: no address, whatever follows."""


def identify_person(user: Mapping[str, Any], *, header: bool, login: bool) -> str:
    """Return who is looking: a verified e-mail address, or `sub:<issuer>|<subject>`; "" where it is nobody.

    Parameters
    ----------
    user : what Streamlit knows of them. An address that the provider calls unverified may be anybody's, so it names
        nobody. A subject may look like anybody's address, so it is never taken for one.
    header : whether a proxy names people. Its header becomes the only address there is, whatever a cookie says.
    login : whether the server has a login of its own.

    Examples
    --------
    >>> ann = {"is_logged_in": True, "email": "ann@example.org", "email_verified": False, "sub": "7", "iss": "https://id"}
    >>> identify_person(ann, header=False, login=True), identify_person(ann, header=False, login=False)
    ('sub:https://id|7', '')
    >>> identify_person({"email": "ann@example.org"}, header=True, login=False)
    'ann@example.org'
    """
    if header and user.get("email"):
        return str(user["email"])
    if not (login and user.get("is_logged_in")):
        return ""
    email = str(user.get("email") or "")
    if email and user.get("email_verified") not in (False, "false") and not email.startswith(BY_SUBJECT):
        return email
    subject = str(user.get("sub") or "")
    return f"{BY_SUBJECT}{user.get('iss') or ''}|{subject}" if subject else ""


def names_of(person: str) -> tuple[str, ...]:
    """Return the names under which a person's links and keys may be stored: today's first.

    Until a subject got its prefix, people without a verified address were called by the bare subject. What they made
    then stays theirs, unless the subject could be somebody's address or another owner's name.

    >>> names_of("sub:https://id|7"), names_of("sub:https://id|ann@example.org"), names_of("ann@example.org")
    (('sub:https://id|7', '7'), ('sub:https://id|ann@example.org',), ('ann@example.org',))
    """
    _, _, subject = person.partition("|")
    before = person.startswith(BY_SUBJECT) and subject and not environment.value("BLINDSPOT_USER_HEADER")
    if not before or "@" in subject or subject.startswith(("key ", BY_SUBJECT)):
        return (person,)
    return person, subject


def may_open(person: str, groups: Collection[str], audience: str) -> bool:
    """Return whether a shared link opens for somebody.

    Parameters
    ----------
    person : who is logged in, as `named` says; "" = nobody.
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
    """Return whether an address is one of a domain; a name with no @, or with two, is none, nor is a subject."""
    name, separator, of = person.rpartition("@")
    return (
        bool(name and separator)
        and not person.startswith(BY_SUBJECT)
        and "@" not in name
        and of.lower() == domain.lower()
    )


def may_open_source(person: str, groups: Collection[str], audience: str) -> bool:
    """Return whether a source opens for somebody; where people log in and no audience is named, for members only.

    audience : as `may_open`; "" = none is named.
    """
    has_login = bool(LOGINS or environment.value("BLINDSPOT_USER_HEADER"))
    return may_open(person, groups, audience or ("members" if has_login else "anyone"))


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
        raise NotForYou(
            f"Links open for {describe_access(audience)} here, and {asking}; ask whoever shared it for a report."
        )


def describe_access(audience: str) -> str:
    """Say BLINDSPOT_LINKS_FOR in words.

    >>> describe_access("members"), describe_access("domain:example.org,group:reviewers")
    ('everyone who is logged in', 'members of example.org and the group reviewers')
    """
    if audience in ("anyone", "members"):
        return {"anyone": "anyone who holds them", "members": "everyone who is logged in"}[audience]
    parts = [part.strip().partition(":") for part in audience.split(",")]
    return "members of " + " and ".join(f"the group {name}" if kind == "group" else name for kind, _, name in parts)
