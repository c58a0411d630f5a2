"""Records behind a token: a draft or a shared evaluation, with its views."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


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

    def to_json(self) -> dict[str, Any]:
        """Return the link as it is stored."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Link:
        """Read back what `to_json` wrote."""
        read = {
            "data_ids": tuple(values["data_ids"]),
            "views": tuple(View(**view) for view in values["views"]),
            "headline": tuple((name, text) for name, text in values["headline"]),
        }
        return cls(**{**values, **read})
