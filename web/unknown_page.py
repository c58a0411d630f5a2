"""Write the pages that say why an address opens nothing, and what to do: in HTML and CSS alone."""

from __future__ import annotations

from functools import cache
from html import escape

from web.start_page import ASSETS

_STYLE = """
:root { color-scheme: light dark; }
body {
  margin: 0; padding: 14px 31px; background: light-dark(#ffffff, #14181f); color: light-dark(#1d2430, #e6e9ee);
  font: 400 16px/24px "Source Sans", "Source Sans 3", system-ui, sans-serif;
}
header { display: flex; gap: 8px; font-weight: 700; }
header svg { width: 26px; height: 24px; }
main { max-width: 640px; margin: 12vh auto 0; }
h1 { font-size: 26px; line-height: 32px; }
a { color: light-dark(#2f5f9e, #8ab4f0); }
"""


@cache
def unknown_page(base_path: str) -> str:
    """Return the page, with the way to Open.

    >>> 'href="/blindspot/"' in unknown_page("/blindspot")
    True
    """
    return plain_page(
        base_path, "There is no page at this address", "Check it for a typing error, or ask whoever sent it."
    )


def plain_page(base_path: str, title: str, sentence: str, way: str = "") -> str:
    """Return a page with a title, a sentence and one link; all plain text.

    way : where the link leads, below the base path; "" = to Open.
    """
    logo = (ASSETS / "logo.svg").read_text(encoding="utf-8").replace('role="img" aria-label="Blindspot"', "aria-hidden")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Blindspot</title><style>{_STYLE}</style></head>\n"
        f"<body><header>{logo}<span>Blindspot</span></header>\n<main><h1>{escape(title)}</h1>"
        f"<p>{escape(sentence)}</p>"
        f'<p><a href="{escape(base_path)}/{escape(way)}">{"Open it live" if way else "Go to Open"}</a></p>'
        "</main></body></html>\n"
    )
