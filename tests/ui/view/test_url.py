"""The view in the URL: what is written can be read back, and what cannot be read is said."""

import math
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from ui.view.address import names_on, read_query, write_query
from ui.view.pages import PAGES
from ui.view.url import PARAMETERS

ROOT = Path(__file__).parents[3]


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


def test_parameters_name_pages_of_the_table():
    named = {page for parameter in PARAMETERS.values() for page in parameter.pages.split()}
    assert named <= set(PAGES)
    assert names_on("") == ("run", "step", "filter", "t", "each", "rule", "ci", "judged")
    assert set(names_on("parsing")) - set(names_on("")) == {"outcome", "part"}


def test_scripts_are_those_of_the_page_table():
    scripts = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").rglob("*.py")}
    assert [page.script for page in PAGES.values()] == sorted(scripts, key=[p.script for p in PAGES.values()].index)


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
def test_unreadable_value_falls_back_and_is_named(name, text):
    values, problems = read_query({name: text}, "confusion")
    assert values[name] == PARAMETERS[name].default
    assert len(problems) == 1 and name in problems[0] and "wanted" in problems[0]


def test_unknown_parameters_are_ignored():
    values, problems = read_query({"utm_source": "chat", "embed": "true"}, "rows")
    assert problems == [] and "utm_source" not in values


def test_a_threshold_keeps_every_digit():
    t = math.nextafter(0.1, 1)
    assert read_query(write_query({"t": t}, "rows"), "rows")[0]["t"] == t


STEPS = """
import streamlit as st
from ui.view import url
from ui.view.address import begin_page, end_page

begin_page("rows")
url.put(**st.session_state.pop("put", {}))
end_page("rows")
"""


def test_open_row_is_no_history_entry():
    app = AppTest.from_string(STEPS)
    app.query_params["run"] = "digits"
    app.run()
    app.session_state["put"] = {"row": 7, "marks": "3-4"}
    app.run()
    assert set(app.query_params) == {"run"}, "the browser replaces them in the address, the server adds no step"
    app.session_state["put"] = {"only": "errors"}
    app.run()
    shown = {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
    assert shown == {"run": "digits", "only": "errors", "row": "7", "marks": "3-4"}


def test_late_address_takes_nothing_back():
    app = AppTest.from_string(STEPS)
    app.query_params["run"], app.query_params["row"] = "digits", "5"
    app.run()
    assert app.session_state["view.values"]["row"] == 5, "a link opens its row"
    app.session_state["put"] = {"row": 6}
    app.run()
    app.run()
    assert app.session_state["view.values"]["row"] == 6
