"""Choose what a report holds besides the evaluation itself: a comparison, slices, groups, times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from data.errors import DataError
from export.result.kinds import Result
from ui.text.messages import remark

if TYPE_CHECKING:  # the report's code is imported where it is used
    from export.report.part import Part

_CHOSEN = "exporting.parts"


class Offered(NamedTuple):
    """A part that a report can have.

    name : what it is called. find : finds what it says, of the run and the view that this page's address names.
    """

    name: str
    find: Callable[[], Result]


def choose_parts(offered: Sequence[Offered]) -> tuple[Offered, ...]:
    """Offer the parts, all chosen at first; returns those that are chosen."""
    names = [part.name for part in offered]
    if not names:
        return ()
    if _CHOSEN not in st.session_state or st.session_state.get(f"{_CHOSEN}.of") != names:
        st.session_state[_CHOSEN], st.session_state[f"{_CHOSEN}.of"] = names, names
    chosen = st.pills("Also in the report and in numbers.json", names, selection_mode="multi", key=_CHOSEN)
    return tuple(part for part in offered if part.name in chosen)


def make_parts(chosen: Sequence[Offered]) -> list[Part]:
    """Make the chosen parts; one that cannot be made is left out, and said."""
    from export.report.result_part import report_part

    made = []
    for part in chosen:
        try:
            made.append(report_part(part.find()))
        except DataError as error:
            remark(f"{part.name} is left out: {error}")
    return made
