"""Place a main part, one row of controls above it and a panel beside it; draw the lists of a panel.

From 1,100 px of window on, the panel stands beside the main part and is as high as the window. On a narrower window it
stands below, and while it is open it slides over; on a phone it is a sheet at the bottom (panel.css).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from charts.theme import ACCENT, MODEL
from data.evaluation import Evaluation
from text.short_names import LABEL_CHARS
from text.visible import show
from ui.text.component import component, report_offered
from ui.text.markdown import md
from ui.view import url
from ui.view.cache import class_names, label_names

STYLE = Path(__file__).with_name("panel.css")
"""Sent once for every page: in a fragment it would be sent at every click, and the browser styles the page anew."""
_list = component(__file__, "panel_list", '<div class="panel-list"></div>')


class Label(NamedTuple):
    """An uploaded name among the words of a line; `whole` is what hovering says where the name is shortened."""

    name: str
    whole: str = ""


class Item(NamedTuple):
    """One line of a list.

    words : plain text and labels. note : a second line. amount : what stands at its end; share : below that.
    bar : the part of a bar that is filled, 0..1; None = no bar. wrong : whether the bar counts wrong rows.
    about : what hovering says.
    chosen : what is reported when it is clicked; empty = a line to read only.
    picture : one that stands above the words, as `read_pictures` gives it; a list of such lines is a wall of pictures.
    """

    words: Sequence[str | Label]
    amount: str = ""
    note: Sequence[str | Label] = ()
    share: str = ""
    bar: float | None = None
    wrong: bool = False
    about: str = ""
    chosen: str = ""
    picture: str = ""


class Section(NamedTuple):
    """A titled part of a list; `more` is the text of a last link, and what it reports."""

    title: str
    items: Sequence[Item]
    amounts: str = ""
    more: tuple[str, str] | None = None


def toolbar(key: str) -> DeltaGenerator:
    """Return the place of the one row of controls above a page's main part; their titles stand before them."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"toolbar-{key}")


def split_panel(key: str, *, is_open: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the place of the main part and the place of the panel beside it.

    is_open : whether the panel answers a click, so that it may lie over the main part where both do not fit.
    """
    with st.container(key=f"split-{key}"):
        main = st.container(key=f"main-{key}")
        return main, st.container(border=True, gap="small", key=f"panel-{'open' if is_open else 'rest'}-{key}")


def heading(markdown: str) -> None:
    """Draw the heading of a panel."""
    st.header(markdown, anchor=False)


def draw_way_back(label: str, on_click: Callable[..., None], *, key: str, icon: str = ":material/arrow_back:") -> None:
    """Draw the button back from the chosen item to the panel's own list."""
    with st.container(key=f"panel-back-{key}"):
        st.button(label, key=f"{key}.back", icon=icon, type="tertiary", on_click=on_click)


def item_list(sections: Sequence[Section], *, key: str, on_choose: Callable[[str], object]) -> None:
    """Draw a list as one element; `on_choose` is called with what a clicked line, or a last link, reports."""
    offered = {item.chosen for section in sections for item in section.items}
    offered |= {section.more[1] for section in sections if section.more}
    data = {"sections": [_section(section) for section in sections], "colours": {"right": MODEL, "wrong": ACCENT}}
    _list(data=data, key=key, on_chosen_change=report_offered(key, offered, on_choose))


class Pages(NamedTuple):
    """The part of a long list that is shown.

    place : the session key of its first line. of : names the list; another one begins at its first line.
    n : lines in all. at_once : lines that are shown.
    """

    place: str
    of: str
    n: int
    at_once: int

    @property
    def shown(self) -> slice:
        """Return which lines are shown."""
        of, start = st.session_state.get(self.place, (self.of, 0))
        start = start if of == self.of and start < self.n else 0
        return slice(start, min(start + self.at_once, self.n))

    @property
    def more(self) -> tuple[str, str] | None:
        """Return the link that turns the page, and what it reports; None where all lines are shown."""
        if self.n <= self.at_once:
            return None
        start, end = self.shown.start, self.shown.stop
        left = min(self.at_once, self.n - end)
        title, to = (f"Next {left}", end) if left else ("Back to the first", 0)
        return f"{start + 1:,}–{end:,} of {self.n:,} · {title}", f"from:{to}"

    def turn(self, item: str) -> bool:
        """Turn the page where the last link was clicked; return whether it was."""
        if item.startswith("from:"):
            st.session_state[self.place] = self.of, int(item.removeprefix("from:"))
        return item.startswith("from:")

    def choose_row(self, item: str) -> None:
        """Open the row whose number was clicked, or turn the page."""
        if not self.turn(item):
            url.put(row=int(item))


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "amounts": section.amounts,
        "items": [_item(item) for item in section.items],
        "more": section.more,
    }


def _item(item: Item) -> Mapping[str, Any]:
    return item._asdict() | {"words": _words(item.words), "note": _words(item.note)}


def _words(words: Sequence[str | Label]) -> list[list[str]]:
    """Return words for the browser: [kind, text], and of a label all of it that one can read."""
    return [["text", part] if isinstance(part, str) else _label(part) for part in words]


def _label(label: Label) -> list[str]:
    return ["label", show(label.name, 60), show(label.whole or label.name, 400)]


def label_of(evaluation: Evaluation, code: int) -> Label:
    """Return a label for a panel's list."""
    return Label(label_names(evaluation)[code], class_names(evaluation)[code])


def md_label(evaluation: Evaluation, code: int) -> str:
    """Write a label for a Markdown string."""
    return md(label_names(evaluation)[code], LABEL_CHARS)


def show_label(evaluation: Evaluation, code: int, limit: int = 80) -> str:
    """Write a label for a list to choose from, or another place that renders nothing."""
    return show(class_names(evaluation)[code], limit)
