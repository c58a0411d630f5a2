"""Make `assets/latin.woff2` of the font that comes with Streamlit: the letters that nearly every page consists of.

The whole font is 170 kB, nearly a second of a slow line. To make it anew, as after an upgrade of Streamlit:
`python -m scripts.make_font`.
"""

from __future__ import annotations

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from web.start_page import LATIN, LATIN_FONT, STATIC

NAME = "Blindspot Latin"
"""Its name inside: the licence reserves that of the original (assets/latin-OFL.txt)."""
OWN_FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
"""Features that browsers apply by themselves; no style of ours asks for more."""
ENGLISH = 0x409
NAME_IDS = {"copyright": 0, "family": 1, "style": 2, "unique": 3, "full": 4, "version": 5, "postscript": 6}
LICENCE_IDS = (13, 14)


def make_font() -> None:
    """Write the part of the font."""
    (whole,) = (STATIC / "static" / "media").glob("SourceSansVF-Upright*.woff2")
    font = TTFont(whole, recalcTimestamp=False)
    options = Options()
    options.layout_features = OWN_FEATURES
    options.name_languages = [ENGLISH]
    options.name_IDs = [*NAME_IDS.values(), *LICENCE_IDS]
    part = Subsetter(options)
    part.populate(unicodes=[code for first, last in LATIN for code in range(first, last + 1)])
    part.subset(font)
    for kind in ("family", "unique", "full", "postscript"):
        font["name"].setName(NAME.replace(" ", "") if kind == "postscript" else NAME, NAME_IDS[kind], 3, 1, ENGLISH)
    font.flavor = "woff2"
    font.save(LATIN_FONT)


if __name__ == "__main__":
    make_font()
