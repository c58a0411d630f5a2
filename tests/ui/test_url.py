"""The view in the URL: what is written can be read back, and what cannot be read is said."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.url import PARAMETERS, read_query, write_query


@given(
    t=st.one_of(st.none(), st.floats(allow_nan=False)),
    name=st.text(max_size=200),
    norm=st.sampled_from(["none", "row", "column", "all"]),
    errors=st.booleans(),
    worst=st.integers(0, 1000),
)
def test_a_view_survives_the_way_through_the_url(t, name, norm, errors, worst):
    values = {"run": "digits", "t": t, "true": name, "norm": norm, "errors": errors, "worst": worst}
    read, problems = read_query(write_query(values, "confusion"), "confusion")
    assert problems == []
    assert {key: read[key] for key in values} == values


def test_defaults_do_not_stand_in_the_url():
    assert write_query({name: p.default for name, p in PARAMETERS.items()}, "confusion") == {}


def test_a_page_writes_only_its_own_parameters():
    assert write_query({"run": "digits", "norm": "all", "q": "x"}, "rows") == {"run": "digits", "q": "x"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t", "abc"),
        ("t", "nan"),
        ("norm", "diagonal"),
        ("worst", "-1"),
        ("worst", "1e9"),
        ("errors", "yes"),
        ("run", "../x"),
        ("run", "x" * 65),
    ],
)
def test_what_cannot_be_read_falls_back_to_the_default_and_is_said(name, text):
    values, problems = read_query({name: text}, "confusion")
    assert values[name] == PARAMETERS[name].default
    assert len(problems) == 1 and name in problems[0] and "wanted" in problems[0]


def test_unknown_parameters_are_ignored():
    values, problems = read_query({"utm_source": "chat", "embed": "true"}, "rows")
    assert problems == [] and "utm_source" not in values


def test_a_threshold_keeps_every_digit():
    t = math.nextafter(0.1, 1)
    assert read_query(write_query({"t": t}, "rows"), "rows")[0]["t"] == t
