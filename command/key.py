"""The command line's `key`: make, list and revoke keys in the store that BLINDSPOT_STORE names."""

from __future__ import annotations

import argparse
import json
from typing import Any

from data.sharing import api_keys
from text.numbers import write_day, write_moment
from text.visible import make_visible


def add_command(commands: Any) -> None:
    """Add `key new`, `key list` and `key revoke` to the command line."""
    text = "Make, list and revoke API keys in the store that BLINDSPOT_STORE names. Run it where the server runs."
    actions = commands.add_parser("key", help="make, list and revoke API keys for push", description=text)
    actions = actions.add_subparsers(dest="action", required=True)
    new = actions.add_parser("new", help="make a key; it is shown once", description="Make a key; it is shown once.")
    new.add_argument("--name", required=True, help="what it is for, such as nightly-training")
    new.add_argument(
        "--days", type=int, default=api_keys.DEFAULT_DAYS, help=f"how long it lasts (default: {api_keys.DEFAULT_DAYS})"
    )
    new.add_argument(
        "--scope",
        choices=list(api_keys.SCOPES),
        action="append",
        help="push: "
        + api_keys.SCOPES["push"]
        + "; manage: "
        + api_keys.SCOPES["manage"]
        + "; read: "
        + api_keys.SCOPES["read"]
        + "; repeatable (default: push)",
    )
    new.add_argument("--person", default="", help="whose links they are, as the server's login names them")
    new.set_defaults(run=_new)
    shown = actions.add_parser("list", help="list the keys", description="List the keys that have not expired.")
    shown.add_argument("--json", action="store_true", help="print JSON")
    shown.set_defaults(run=_list)
    gone = actions.add_parser("revoke", help="revoke a key", description="Revoke a key; links made with it stay.")
    gone.add_argument("id", metavar="ID", help="its id in the list")
    gone.set_defaults(run=_revoke)


def _new(options: argparse.Namespace) -> tuple[str, str]:
    """Print only the key, so that it can be put where it is needed; nobody can see it again."""
    secret, _ = api_keys.make(
        options.name, days=options.days, scopes=options.scope or ("push",), person=options.person.strip()
    )
    return secret, ""


def _list(options: argparse.Namespace) -> tuple[str, str]:
    keys = api_keys.list_every_key()
    if options.json:
        return json.dumps([_describe_key(key) for key in keys], indent=1), ""
    lines = [f"{'id':<14}{'expires':<12}{'scopes':<20}{'person':<24}name"]
    lines += [
        f"{key.short_id:<14}{write_day(key.ends):<12}{', '.join(key.scopes):<20}"
        f"{make_visible(key.person) or '-':<24}{make_visible(key.name)}"
        for key in keys
    ]
    return "\n".join(lines) if keys else "There are no keys.", ""


def _revoke(options: argparse.Namespace) -> tuple[str, str]:
    gone = api_keys.revoke(options.id)
    return f"Revoked {gone.short_id} ({make_visible(gone.name)}).", ""


def _describe_key(key: api_keys.Key) -> dict[str, Any]:
    return {
        "id": key.short_id, "name": key.name, "scopes": list(key.scopes), "person": key.person,
        "made": write_moment(key.made), "ends": write_moment(key.ends),
    }  # fmt: skip
