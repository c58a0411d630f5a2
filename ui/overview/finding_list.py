"""Draw findings as sentences, each with a link to what it is about."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import streamlit as st

from data.evaluation import Evaluation
from metrics.finding import Finding
from text.visible import keep_together
from ui.overview.finding_places import place_of
from ui.text.markdown import escape
from ui.view.url import go_to
from ui.view.which import link_to_rows

_BADGES = {
    "serious": ":red-badge[:material/error: Serious]",
    "warning": ":orange-badge[:material/warning: Worth a look]",
    "info": ":blue-badge[:material/info: Good to know]",
}
_LINKS = 104
"""Pixels of the links beside a sentence."""


def finding_list(evaluation: Evaluation, found: Iterable[Finding], *, here: str, rows: bool = True) -> None:
    """Draw findings as sentences, each with a link to the page that shows it unless that is `here`.

    rows : link to the rows of a finding, too, where it has some and its page does not list them.
    """
    for finding in found:
        place = place_of(evaluation, finding)
        with st.container(border=True):
            beside = st.container(horizontal=True, vertical_alignment="center", wrap=False)
            beside.markdown(f"{_BADGES[finding.severity]} {keep_together(escape(finding))}", width="stretch")
            with beside.container(width=_LINKS, gap=None):
                if place.page != here:
                    go_to(place.page, "Show me", icon=":material/arrow_forward:", **place.view(finding))
                which = place.rows(evaluation, finding) if rows and place.page != "rows" else None
                if which is not None:
                    key = f"finding.{finding.code}.{crc32(finding.text.encode())}"
                    link_to_rows(evaluation, which, "Rows", key=key)
