"""Labels are hostile: what they look like, and that nothing in them is still syntax."""

import html
import unicodedata

import pytest
from hypothesis import given, strategies as st

from text.visible import EMPTY, hover_text, plotly_text, show

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "%{customdata[0]}",
    "$x$",
    "<a href='javascript:alert(1)'>click</a>",
    "&lt;b&gt;",
    "line\nbreak\ttab\0nul",
    "re\u202efund",
    "zero\u200bwidth\ufeff",
    "a\u00a0b",
    "x" * 4500,
    "",
    " ",
    "\ud800",
]


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("refund", "refund"),
        ("two words", "two words"),
        ("a  b ", "a␣␣b␣"),
        (" ", "␣"),
        ("line\nbreak", "line\\nbreak"),
        ("nul\0", "nul\\x00"),
        ("re\u202efund", "re\\u202efund"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("hard\u00a0space", "hard\\xa0space"),
        ("Hangul\u3164filler", "Hangul\\u3164filler"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("Größe, café, 東京, \U0001f600", "Größe, café, 東京, \U0001f600"),
        ("<b>&amp;$x$", "<b>&amp;$x$"),
        ("", EMPTY),
    ],
)
def test_invisible_characters_are_spelled_out(label, shown):
    assert show(label) == shown


@given(st.text(), st.one_of(st.none(), st.integers(1, 50)))
def test_shown_text_is_visible_short_and_one_line(label, limit):
    shown = show(label, limit)
    assert shown
    assert all(unicodedata.category(c)[0] not in "CZ" or c == " " for c in shown)
    assert shown == EMPTY or shown.strip() == shown
    if limit is not None and label:
        assert len(shown) <= limit


@pytest.mark.parametrize(("limit", "shown"), [(3, "abc"), (2, "a…"), (1, "…"), (200, "abc")])
def test_cut_text_says_so(limit, shown):
    assert show("abc", limit) == shown


def test_an_escape_is_never_cut_in_two():
    assert show("ab\u202ecd", 8) == "ab…"
    assert show("ab\u202ec", 9) == "ab\\u202ec"


@pytest.mark.parametrize("label", HOSTILE)
@pytest.mark.parametrize("write", [plotly_text, lambda label: hover_text(label).replace("<br>", "")])
def test_nothing_in_a_label_is_syntax_to_plotly(label, write):
    written = write(label)
    assert not set(written) & set("<>${"), "tags, MathJax and templates"
    assert html.unescape(plotly_text(label)) == show(label, 40), "and yet the reader sees the label"


def test_template_cannot_form_from_two_characters():
    assert "%{" not in plotly_text("%{y}")
    assert html.unescape(plotly_text("%{y}")) == "%{y}"


def test_ticks_are_cut_at_forty_characters():
    assert html.unescape(plotly_text("<" * 100)) == "<" * 39 + "…"


def test_hover_text_breaks_long_labels():
    written = hover_text("x" * 4500)
    lines = written.split("<br>")
    assert max(map(len, lines)) <= 60
    assert lines[-1].endswith("… (4,500 characters)")
    assert hover_text("short") == "short"
    assert "characters" not in hover_text("y" * 160)


def test_breaking_a_line_does_not_cut_an_entity():
    written = hover_text("<" * 150)
    assert written.replace("<br>", "") == "&lt;" * 150
