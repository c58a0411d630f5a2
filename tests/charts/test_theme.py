"""The shared look: seen on a light and on a dark page, with Streamlit imported or not."""

import tomllib
from pathlib import Path

import plotly.graph_objects as go
import plotly.io
import pytest

from charts import theme

PAGES = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
BACKGROUNDS = [PAGES[mode]["backgroundColor"] for mode in ("light", "dark")]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("colour", [theme.MODEL, theme.ACCENT, theme.REFERENCE, *(line[0] for line in theme.LINES)])
def test_every_colour_stands_out_from_both_pages(colour, background):
    assert contrast(colour, background) >= 3


def test_styles_have_the_colours_of_charts():
    page = (Path(__file__).parents[2] / "assets/page.css").read_text(encoding="utf-8")
    assert PAGES["dark"]["primaryColor"] == theme.MODEL
    assert f"light-dark({PAGES['light']['primaryColor']}, {PAGES['dark']['primaryColor']})" in page


def test_white_numbers_are_readable_on_full_cells():
    assert contrast("#ffffff", theme.MODEL) >= 4.5


def test_words_have_the_colour_of_the_page():
    fig = theme.note(theme.caption(theme.figure(), "small print"), "nothing to draw")
    axes = (fig.layout.xaxis, fig.layout.yaxis)
    colours = {axis.tickfont.color for axis in axes} | {axis.title.font.color for axis in axes}
    assert colours | {words.font.color for words in fig.layout.annotations} == {theme.PAGE_TEXT}


def test_lines_differ_in_dash_and_colour():
    assert len({dash for _, dash in theme.LINES}) == len(theme.LINES) == len({colour for colour, _ in theme.LINES})


def test_streamlits_placeholder_template_is_not_used():
    before = plotly.io.templates.default
    plotly.io.templates["placeholder"] = go.layout.Template(layout_colorway=["#000001"])
    plotly.io.templates.default = "placeholder"
    try:
        assert "#000001" in go.Figure().to_json(), "the trap is set"
        assert "#000001" not in theme.figure("x").to_json()
    finally:
        plotly.io.templates.default = before
        del plotly.io.templates["placeholder"]


def test_the_background_is_left_to_the_page():
    layout = theme.figure().layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
    assert layout.font.color is None


def test_title_is_plain_text_in_lines():
    one, three = theme.figure("<b>bold</b>"), theme.figure("word " * 25)
    assert one.layout.title.text == "&lt;b&gt;bold&lt;/b&gt;"
    assert three.layout.title.text.count("<br>") == 2
    assert three.layout.margin.t > one.layout.margin.t > theme.figure().layout.margin.t


def test_a_caption_takes_its_own_room():
    fig = theme.figure(height=300)
    theme.caption(fig, "<i>one</i>", "two")
    assert fig.layout.height == 330
    assert fig.layout.annotations[0].text == "&lt;i&gt;one&lt;/i&gt;<br>two"
