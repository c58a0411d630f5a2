"""Alter Streamlit's page: our name and logo from the first paint on, and our styles before any content.

Streamlit's page is white until its scripts have come and the first run of the app has ended. The splash needs neither:
it is HTML and CSS. A short script takes it away once the page has content (assets/start.js).
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
LATIN_FONT = ASSETS / "latin.woff2"
"""The letters of LATIN in Streamlit's font, made by scripts/make_font.py."""
LATIN = (
    (0x20, 0x7E), (0xA0, 0xFF), (0x2010, 0x2027), (0x2030, 0x203A), (0x20AC, 0x20AC), (0x2122, 0x2122),
    (0x2190, 0x2193), (0x2212, 0x2212), (0x2248, 0x2248), (0x2260, 0x2265), (0x25B2, 0x25CF), (0x2713, 0x2717),
)  # fmt: skip
"""Characters, from the first to the last of each row, for which a page does not wait for the whole font."""
WHOLE = ((0x0, 0x25FF), (0x2610, 0x2FFF), (0xA700, 0xABFF), (0xFB00, 0xFFFF), (0x1F100, 0x1FFFF))
"""Ranges that hold every character of the whole font: for a star or for Chinese, it would come for nothing."""
PRELOADED = ("BidiComponent", "Html", "Button", "Spinner")
"""Scripts that the first run of every page asks for: the browser fetches them beside the others."""
PRELOADED_BY_OPEN = ("FileUploader", "Selectbox", "TextArea")
"""Scripts that the first run of Open asks for besides."""
_STYLE_LINK = re.compile(r'<link rel="stylesheet" crossorigin href="./static/css/([\w.-]+)">')
_FONT_LINK = re.compile(r'<link\s+rel="preload"\s+href="\S+"\s+as="font"\s+type="font/woff2"\s+crossorigin\s+/>')
_AGENT_LINK = re.compile(re.escape('<link rel="service-desc" href="./_stcore/agent/openapi.json" />'))
_NO_SCRIPT = re.compile("<noscript>.*?</noscript>", re.DOTALL)
_LATER_FONTS = re.compile(r"@font-face\{font-family:(?:Material Symbols Rounded|Source Code Pro);[^}]*\}")
_WHOLE_FONT = re.compile(r"@font-face\{font-family:Source Sans;[^}]*font-style:normal;src:(url\([^)]*\))[^}]*\}")
_IMPORTED = re.compile(r'\b(?:from|import)"\./([\w.-]+\.js)"')


class PageChanged(RuntimeError):
    """Streamlit's page is another one than this module was written for."""


@cache
def start_page(*, of_open: bool = False) -> str:
    """Return the page that every address of the app begins with.

    of_open : for the address of Open, which comes first, with the scripts that Open needs.

    Raises
    ------
    PageChanged
        Streamlit's page lacks a place that is altered, as after an upgrade.
    """
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    link = _find(_STYLE_LINK, page)
    # A sheet of its own would have to come before anything is painted.
    head = f"{_styles(link[1])}<script>\n{_asset('start.js')}</script>"
    preloads = _preloads(page, PRELOADED + PRELOADED_BY_OPEN * of_open)
    replaced = {
        re.compile("<title>Streamlit</title>"): "<title>Blindspot</title>",
        _AGENT_LINK: "",  # the endpoint is closed here
        _FONT_LINK: "",  # assets/start.js asks for it, behind the scripts
        _STYLE_LINK: head + preloads,
        _NO_SCRIPT: "<noscript><p>Blindspot needs JavaScript. Allow it for this address.</p></noscript>",
        re.compile('<div id="root"></div>'): f'<div id="root"></div>\n    {_splash()}',
    }
    for place, ours in replaced.items():
        page = page.replace(_find(place, page)[0], ours)
    return page


def _find(place: re.Pattern[str], page: str) -> re.Match[str]:
    matches = list(place.finditer(page))
    if len(matches) != 1:
        raise PageChanged(f"Streamlit's page holds {place.pattern} {len(matches)} times; mend web/start_page.py.")
    return matches[0]


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _styles(name: str) -> str:
    """Return Streamlit's style sheet, for a page one folder above it, and ours.

    The fonts of icons and of code are a sheet of their own: 470 kB, which assets/start.js lets in behind the page.
    """
    sheet = (STATIC / "static" / "css" / name).read_text(encoding="utf-8").replace("url(../", "url(./static/")
    fonts = "".join(_LATER_FONTS.findall(sheet))
    at_once = _LATER_FONTS.sub("", sheet)
    whole = _find(_WHOLE_FONT, at_once)
    # A browser looks into the last rule first.
    faces = _face(whole[0], WHOLE) + _face(whole[0].replace(whole[1], f"url(./{latin_font_path()})"), LATIN)
    styles = at_once.replace(whole[0], faces) + _asset("splash.css") + _asset("page.css")
    return f'<style>\n{styles}</style><style id="later-fonts" media="not all">{fonts}</style>'


@cache
def latin_font_path() -> str:
    """Return the path of the font of Latin letters, below that of the app; it changes with the file."""
    return f"static/media/latin.{hashlib.sha256(LATIN_FONT.read_bytes()).hexdigest()[:8]}.woff2"


def _face(rule: str, characters: tuple[tuple[int, int], ...]) -> str:
    ranges = ",".join(f"U+{first:X}-{last:X}" for first, last in characters)
    return f"{rule.removesuffix('}')};unicode-range:{ranges}}}"


def _preloads(page: str, wanted: tuple[str, ...]) -> str:
    """Link scripts and what they import, but for what the page links itself: so all come in one round."""
    scripts = STATIC / "static" / "js"
    names = [path.name for name in wanted for path in scripts.glob(f"{name}.????????.js")]
    if len(names) != len(wanted):
        raise PageChanged("Streamlit's scripts have other names; mend PRELOADED in web/start_page.py.")
    for name in names:  # which grows on the way
        imported = _IMPORTED.findall((scripts / name).read_text(encoding="utf-8"))
        names += [other for other in imported if other not in names and f"/{other}" not in page]
    return "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{name}">' for name in names)


def _splash() -> str:
    logo = _asset("logo.svg").replace('role="img" aria-label="Blindspot"', "aria-hidden")
    return (
        '<div id="splash" role="status" aria-label="Blindspot is loading">'
        f'<div class="splash-line"></div><div class="splash-side">{logo}<span>Blindspot</span></div></div>'
    )
