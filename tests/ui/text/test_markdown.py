"""Uploaded text in Markdown is a code span that nothing inside can leave; numbers say when they are undefined."""

import math
import re

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from text.numbers import number
from text.visible import show
from ui.text.markdown import md

texts = st.text(max_size=30) | st.text(st.sampled_from(list("`` *_[]()<>!$:#|\\\n\t\u202e\u200b a")), max_size=12)


def code_spans(markdown: str) -> list[str | tuple[str]]:
    """Text and (code span,) in turn, by CommonMark 0.31 section 6.1: the fence is the next run of as many backticks."""
    parts: list[str | tuple[str]] = []
    place = 0
    while place < len(markdown):
        opening = re.compile("`+").match(markdown, place)
        if opening is None:
            parts.append(markdown[place])
            place += 1
            continue
        runs = [run for run in re.finditer("`+", markdown[opening.end() :]) if len(run[0]) == len(opening[0])]
        if not runs:
            parts.append(opening[0])
            place = opening.end()
            continue
        inside = markdown[opening.end() : opening.end() + runs[0].start()].replace("\n", " ")
        if inside.startswith(" ") and inside.endswith(" ") and inside.strip(" "):
            inside = inside[1:-1]
        parts.append((inside,))
        place = opening.end() + runs[0].end()
    return parts


def spans_of(markdown: str) -> list[str | tuple[str]]:
    """The same, where ":material" and "/" outside of the code span are read as the one text that they show."""
    parts, slash = code_spans(markdown), [*"&#47;"]
    for i in reversed(range(1, len(parts))):
        before, after = parts[i - 1], parts[i + 5 : i + 6]
        if parts[i : i + 5] == slash and isinstance(before, tuple) and before[0].endswith(":material"):
            span = after if after and isinstance(after[0], tuple) else []
            parts[i - 1 : i + 5 + len(span)] = [(f"{before[0]}/{span[0][0] if span else ''}",)]
    return parts


def test_reader_of_code_spans_follows_the_standard():
    assert code_spans("`foo`") == [("foo",)] and code_spans("`` foo ` bar ``") == [("foo ` bar",)]
    assert code_spans("` `` `") == [("``",)] and code_spans("`` `") == ["``", " ", "`"]


@given(texts)
@example("a :material/home: b:material/")
def test_uploaded_text_is_one_code_span(text):
    assert spans_of(md(text)) == [(show(text, 80),)]


@given(texts, texts)
@example("", ":material/")
def test_a_sentence_around_uploaded_text_stays_ours(one, two):
    parts = spans_of(f"{md(one)} rows were called {md(two)}.")
    assert parts == [(show(one, 80),), *" rows were called ", (show(two, 80),), "."]


@given(texts, st.integers(2, 20))
def test_long_text_is_cut_on_one_line(text, limit):
    found = md(text * 5, limit)
    assert "\n" not in found and len(code_spans(found)[0][0]) <= max(limit, len("(empty)"))


@pytest.mark.parametrize("text", ["![](http://host/x.png)", "a -> b", "__init__", ":red[x]", "$x^2$", "<img src=x>"])
def test_live_markup_is_shown_as_it_is(text):
    assert md(text) == f"`{text}`"


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(0, 6))
def test_a_number_is_rounded_to_its_digits(value, digits):
    rounded, written = f"{value:z.{digits}f}", number(value, digits)
    if written.startswith(("<", ">")):
        assert float(rounded) in (0, 1) and value != float(rounded), "only what reads as 0 or 1 and is not"
    else:
        assert written == rounded.replace("-", "−")


@pytest.mark.parametrize("value", [math.nan, np.float64("nan"), None])
def test_what_is_undefined_reads_so(value):
    assert number(value) == "undefined"
