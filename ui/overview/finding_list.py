"""Findings as sentences, each with the way to what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from metrics.finding import Finding
from text.visible import unbroken
from ui.text.markdown import escape
from ui.view import url
from ui.view.url import go_to

_BADGES = {
    "serious": ":red-badge[:material/error: Serious]",
    "warning": ":orange-badge[:material/warning: Worth a look]",
    "info": ":blue-badge[:material/info: Good to know]",
}
_LINKS = 104
"""Pixels of the links beside a sentence."""


def finding_list(
    found: Iterable[Finding], *, here: str, rows_of: Callable[[Finding], object] = lambda finding: None
) -> None:
    """Findings as sentences, each with a link to the page that shows it unless that is `here`.

    rows_of : draws the link from a finding to its rows, where it has some.
    """
    for finding in found:
        with st.container(border=True):
            beside = st.container(horizontal=True, vertical_alignment="center", wrap=False)
            beside.markdown(f"{_BADGES[finding.severity]} {unbroken(escape(finding))}", width="stretch")
            with beside.container(width=_LINKS, gap=None):
                if finding.page != here:
                    go_to(finding.page, "Show me", icon=":material/arrow_forward:", **_view(finding))
                rows_of(finding)


def _view(finding: Finding) -> dict[str, object]:
    return {name: url.PARAMETERS[name].parse(text) for name, text in finding.view.items() if name in url.PARAMETERS}
