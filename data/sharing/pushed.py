"""Make a link of files that a program sent, and let the same program extend and revoke its links.

Which links were made with a key is kept beside the key (`pushed/<key>/<link>.json`, empty): a key that may manage
reaches these and no others of its person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.selection import is_right
from data.runs import load
from data.runs.draft import Draft, pack_draft
from data.runs.load import Source
from data.runs.tables import list_file_warnings
from data.runs.understanding import open_with_table
from data.sharing.api_keys import Key
from data.sharing.push_fields import Wanted
from data.sharing.redaction import redact_draft
from data.store import links, store
from text.numbers import percent

PAGE = "overview"  # that the link opens; without a view it opens the first page, which asks what cannot be found
_ID = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Pushed(NamedTuple):
    """A link just made, and what a program wants to know of what it opens."""

    shared: links.Shared
    draft: Draft
    n_rows: int
    warnings: tuple[str, ...]


def push(sources: Sequence[Source], wanted: Wanted, key: Key) -> Pushed:
    """Read files in the child process and make a link to them, which belongs to the key's person.

    Raises
    ------
    DataError
        a file cannot be read; or something should be left out of what is no evaluation yet.
    """
    draft, evaluation = load.read_and_build(sources, wanted.given)
    if wanted.hide or wanted.counts_only:
        draft = redact_draft(draft, *open_with_table(draft), hide=wanted.hide, counts_only=wanted.counts_only)
    shared = links.share(
        pack_draft(draft.to_json()),
        draft.data_ids,
        days=wanted.days,
        title=wanted.title,
        views=[] if draft.problem else [links.View(PAGE)],
        headline=write_headline(evaluation) if evaluation else (),
        person=key.owner,
        preview=wanted.preview,
    )
    with store.disk_errors():
        store.place().write(_name(key, links.id_of(shared.token)), b"")
    n_rows = evaluation.n_rows if evaluation else draft.files[0].n_rows
    warnings = evaluation.receipt.warnings if evaluation else tuple(list_file_warnings(draft.files))
    return Pushed(shared, draft, n_rows, warnings)


def write_headline(evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    """Return (name, number as text) for the list of shared links: the rows, and how many of those scored are right."""
    size = ("Rows", f"{evaluation.n_rows:,}")
    if not evaluation.n_scored:
        return (size,)
    share = evaluation.count_rows(is_right(evaluation) & evaluation.scored) / evaluation.n_scored
    return size, (
        "Subset accuracy" if evaluation.task == "multilabel" else "Accuracy",
        percent(share),
    )


def list_links(key: Key) -> list[tuple[str, links.Link]]:
    """Return (id, link) of what was made with a key and has not ended, newest first; damaged ones are passed over."""
    with store.disk_errors():
        entries = list(store.place().entries(f"pushed/{key.id}"))
    listed = []
    for entry in entries:
        try:
            listed.append((entry.stem, links.open_id(entry.stem)))
        except links.LinkGone:
            store.place().remove(entry.name)
        except DataError:
            continue
    return sorted(listed, key=lambda entry: (-entry[1].made, entry[0]))


def extend(key: Key, link_id: str, days: int) -> int:
    """Have a link that was made with this key end `days` from now; returns when it ends.

    Raises
    ------
    LinkGone : it was not, or it is gone. DataError : it cannot be for so many days.
    """
    _require_made_with(key, link_id)
    return links.extend(link_id, days, person=key.owner)


def revoke(key: Key, link_id: str) -> None:
    """Take a link back that was made with this key.

    Raises
    ------
    LinkGone : it was not, or it is gone.
    """
    _require_made_with(key, link_id)
    links.revoke(link_id, person=key.owner)
    with store.disk_errors():
        store.place().remove(_name(key, link_id))


def _require_made_with(key: Key, link_id: str) -> None:
    if not _ID.fullmatch(link_id):
        raise links.LinkGone
    with store.disk_errors():
        if not store.place().has(_name(key, link_id)):
            raise links.LinkGone


def _name(key: Key, link_id: str) -> str:
    return f"pushed/{key.id}/{link_id}.json"
