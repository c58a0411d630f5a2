"""Records behind a token: a draft or a shared evaluation, with its views."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, urlencode


@dataclass(frozen=True)
class View:
    """A page as it was looked at.

    page : its url name. query : its parameters as they stand in the address, without the run.
    title, note : what the person who chose it wrote; plain text.
    """

    page: str
    query: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    note: str = ""


@dataclass(frozen=True)
class Link:
    """A stored link.

    draft : the packed JSON of `data.runs.draft.Draft`; data_ids : the tables it needs.
    made, ends : seconds since 1970.
    of : the id of the shared link that this one stems from: it ends with that one.
    upload : which upload a draft stems from; those of one are deleted together.
    owner : digest of the owner key. person : digest of who was logged in; both "" where there is none.
    views : the view that was shared, or the steps of a review.
    headline : (name, number as text) for the list of what one has shared.
    preview : whether a chat where its static page is pasted shows the title and a picture.
    """

    kind: Literal["draft", "share"]
    draft: Mapping[str, Any]
    data_ids: tuple[str, ...]
    made: int
    ends: int
    of: str = ""
    upload: str = ""
    owner: str = ""
    person: str = ""
    title: str = ""
    views: tuple[View, ...] = ()
    headline: tuple[tuple[str, str], ...] = ()
    preview: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the link as it is stored; without a preview as older servers wrote it, so that they read it."""
        values = dataclasses.asdict(self)
        return values if self.preview else {name: value for name, value in values.items() if name != "preview"}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Link:
        """Read back what `to_json` wrote."""
        read = {
            "data_ids": tuple(values["data_ids"]),
            "views": tuple(View(**view) for view in values["views"]),
            "headline": tuple((name, text) for name, text in values["headline"]),
        }
        return cls(**{**values, **read})


def live_path(token: str, views: Sequence[View]) -> str:
    """Return the address that starts a session with a shared link, below the server's own; a review's first step.

    >>> live_path("abc", (View("overview", {"filter": "sex=f"}),)), live_path("abc", ())
    ('overview?filter=sex%3Df&run=abc', '?run=abc')
    """
    if not views:
        return f"?{urlencode({'run': token})}"
    step = {"step": "1"} if len(views) > 1 else {}
    page = "" if views[0].page == "open" else quote(views[0].page, safe="")
    return f"{page}?{urlencode({**views[0].query, 'run': token, **step})}"
