"""Alter Streamlit's page: our name and logo from the first paint on, and our styles before any content.

Streamlit's page is white until its scripts have come and the first run of the app has ended. The splash needs neither:
it is HTML and CSS, and CSS takes it away once the page has content.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

import streamlit as st

STATIC = Path(st.__file__).parent / "static"
"""The folder of Streamlit's own page, scripts, styles and fonts."""
ASSETS = Path(__file__).resolve().parents[1] / "assets"
PRELOADED = (
    "BidiComponent", "Html", "purify.es", "recordbatch", "serialization", "_arrayReduce", "Button", "Spinner",
    "FileUploader", "UploadFileInfo", "Selectbox", "useSyncComboBoxEnterTargetFocus", "useMenuTrigger", "TextArea",
)  # fmt: skip
"""Scripts that the first run of every page, or of Open, asks for: the browser fetches them beside the others."""
_STYLE_LINK = re.compile(r'<link rel="stylesheet" crossorigin href="./static/css/([\w.-]+)">')
_AGENT_LINK = '<link rel="service-desc" href="./_stcore/agent/openapi.json" />'


class PageChanged(RuntimeError):
    """Streamlit's page is another one than this module was written for."""


@cache
def start_page() -> str:
    """Return the page that every address of the app begins with.

    Raises
    ------
    PageChanged
        Streamlit's page lacks a place that is altered, as after an upgrade.
    """
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    page = _replace(page, "<title>Streamlit</title>", "<title>Blindspot</title>")
    page = _replace(page, _AGENT_LINK, "")  # the endpoint is closed here
    link = _STYLE_LINK.search(page)
    if link is None:
        raise PageChanged("Streamlit's page has no style sheet; mend web/start_page.py.")
    # A sheet of its own would have to come before anything is painted.
    page = _replace(page, link[0], f"<style>\n{_own_styles(link[1])}{_styles()}</style>{_preloads()}")
    before, _, rest = page.partition("<noscript>")
    _, closing, after = rest.partition("</noscript>")
    if not closing:
        raise PageChanged("Streamlit's page has no <noscript>; read it anew and mend web/start_page.py.")
    page = f"{before}<noscript><p>Blindspot needs JavaScript. Allow it for this address.</p></noscript>{after}"
    return _replace(page, '<div id="root"></div>', f'<div id="root"></div>\n    {_splash()}')


def _replace(page: str, old: str, new: str) -> str:
    if page.count(old) != 1:
        raise PageChanged(f"Streamlit's page holds {old} {page.count(old)} times; mend web/start_page.py.")
    return page.replace(old, new)


def _preloads() -> str:
    scripts = STATIC / "static" / "js"
    found = [path.name for name in PRELOADED for path in scripts.glob(f"{name}.????????.js")]
    if len(found) != len(PRELOADED):
        raise PageChanged("Streamlit's scripts have other names; mend PRELOADED in web/start_page.py.")
    return "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{name}">' for name in found)


def _own_styles(name: str) -> str:
    """Return Streamlit's style sheet, for a page one folder above it."""
    return (STATIC / "static" / "css" / name).read_text(encoding="utf-8").replace("url(../", "url(./static/")


def _styles() -> str:
    return "".join((ASSETS / name).read_text(encoding="utf-8") for name in ("splash.css", "page.css"))


def _splash() -> str:
    logo = (ASSETS / "logo.svg").read_text(encoding="utf-8").replace('role="img" aria-label="Blindspot"', "aria-hidden")
    return (
        '<div id="splash" role="status" aria-label="Blindspot is loading">'
        f'<div class="splash-line"></div><div class="splash-side">{logo}<span>Blindspot</span></div></div>'
    )


@cache
def start_page_tag() -> str:
    """Return the entity tag of the page: another page has another one."""
    return f'"{hashlib.sha256(start_page().encode()).hexdigest()[:32]}"'
