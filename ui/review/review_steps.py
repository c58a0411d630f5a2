"""The steps of a review: those collected in this browser, and those that stand in a shared link."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import streamlit as st

from data.errors import DataError
from data.limits import MAX_TITLE_CHARS
from data.store import links
from ui.limits import MAX_REVIEW_STEPS, MAX_STEP_NOTE_CHARS
from ui.person import browser_storage
from ui.view import url
from ui.view.address import NOT_OF_A_VIEW, write_query
from ui.view.pages import PAGES

_KIND, _REHEARSED = "review", "review.rehearsed"
_KEY = re.compile("[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True)
class Step:
    """One collected view.

    query : its parameters as they stand in the address, without the run.
    key : names its controls, wherever it is moved.
    """

    page: str
    query: Mapping[str, str]
    title: str
    note: str = ""
    key: str = field(default_factory=lambda: uuid.uuid4().hex)

    def view(self) -> links.View:
        """Return the step as a link meets it."""
        return links.View(self.page, dict(self.query), self.title.strip(), self.note.strip())


@dataclass(frozen=True)
class Collected:
    """The review that is being made of a run: its title and its steps, in order."""

    title: str = ""
    steps: tuple[Step, ...] = ()


def entry_name(run: str) -> str:
    """Return the name under which the browser keeps the steps collected of a run."""
    return browser_storage.name_of(_KIND, run)


def collected_steps(run: str) -> Collected:
    """Return what was collected of a run in this browser."""
    return read_collected(browser_storage.text_of(entry_name(run)))


def collect(run: str, title: str, steps: Sequence[Step]) -> None:
    """Keep the review that is being made of a run; without title and steps it is forgotten."""
    text = json.dumps({"title": title, "steps": [asdict(step) for step in steps]}, ensure_ascii=False)
    browser_storage.put(entry_name(run), text if title or steps else "")


def read_collected(text: str) -> Collected:
    """Return the review in a text that a browser kept; entries that are no steps are left out.

    >>> read_collected('{"steps": [{"page": "overview"}, 7]}').steps[0].page, read_collected("x").steps
    ('overview', ())
    """
    kept = browser_storage.read_json(text)
    if not isinstance(kept, dict):
        return Collected()
    steps = kept.get("steps")
    read = [
        _step(step, place) for place, step in enumerate(steps[:MAX_REVIEW_STEPS] if isinstance(steps, list) else [])
    ]
    return Collected(
        _text(kept.get("title"), MAX_TITLE_CHARS), tuple({step.key: step for step in read if step}.values())
    )


def _step(kept: Any, place: int) -> Step | None:
    if not isinstance(kept, dict) or not isinstance(kept.get("page"), str) or kept["page"] not in PAGES:
        return None
    query = kept.get("query")
    known = query.items() if isinstance(query, dict) else ()
    key = kept.get("key")
    return Step(
        kept["page"],
        {name: text for name, text in known if name in url.PARAMETERS and isinstance(text, str)},
        _text(kept.get("title"), MAX_TITLE_CHARS),
        _text(kept.get("note"), MAX_STEP_NOTE_CHARS),
        key if isinstance(key, str) and _KEY.fullmatch(key) else f"{place:032x}",
    )


def _text(kept: Any, longest: int) -> str:
    return kept[:longest] if isinstance(kept, str) else ""


def steps_of_another_run(run: str) -> tuple[Step, ...]:
    """Return the steps collected last of any other run: a correction gives the same file another one."""
    others = browser_storage.texts_below(f"{_KIND}.")
    others.pop(entry_name(run), None)
    others_steps = [steps for text in others.values() if (steps := read_collected(text).steps)]
    return others_steps[-1] if others_steps else ()


def step_of(view: links.View) -> Step:
    """Return a step to be written anew from a view."""
    return Step(view.page, view.query, view.title, view.note)


def query_in_view(page: str) -> dict[str, str]:
    """Return the parameters of the view on screen, as they stand in the address, without the run."""
    values = {name: url.get(name) for name in url.PARAMETERS if name not in NOT_OF_A_VIEW}
    return write_query(values, page)


def review_of_link(run: str) -> tuple[str, tuple[links.View, ...]]:
    """Return title and steps of the review that a shared link is; none where it is no review.

    A page that this version does not have is left out.
    """
    try:
        link = links.open_link(run)
    except DataError:  # a sample, or a link that opens nothing: the page says so
        return "", ()
    known = tuple(view for view in link.views if view.page in PAGES)
    return (link.title, known) if link.kind == "share" and len(link.views) > 1 else ("", ())


def rehearse(run: str) -> None:
    """Have the collected steps walked in this tab, also where the link is a review itself."""
    st.session_state[_REHEARSED] = run


def is_rehearsed(run: str) -> bool:
    """Return whether the steps of this run that are walked are those collected in this browser."""
    asked = st.session_state.get(_REHEARSED) == run or not review_of_link(run)[1]
    return asked and bool(collected_steps(run).steps)


def end_rehearsal() -> None:
    """Go back to what the link says."""
    st.session_state.pop(_REHEARSED, None)


def review_to_walk(run: str) -> tuple[str, tuple[links.View, ...]]:
    """Return title and steps of the review to walk of a run."""
    if is_rehearsed(run):
        collected = collected_steps(run)
        return collected.title, tuple(step.view() for step in collected.steps)
    return review_of_link(run)


def has_title_of_step(page: str) -> bool:
    """Return whether the page shows a step of a review as it was chosen, below the title that the step has."""
    _, views = review_to_walk(url.get("run")) if url.get("step") else ("", ())
    if not views:
        return False
    view = views[min(url.get("step"), len(views)) - 1]
    return bool(view.title) and page == view.page and query_in_view(page) == view.query
