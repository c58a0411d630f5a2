"""Test that what a person chooses about a file that was read wrongly becomes options for its reader."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from data.reading.options import DETECT, ReadOptions
from tests.ceiling import CEILING_SECONDS


def script(two_files: bool) -> None:
    import streamlit as st

    from ui.open import reading_options

    st.session_state["said"] = reading_options.options(3, two_files=two_files)


def choices(*, two_files: bool) -> AppTest:
    return AppTest.from_function(script, kwargs={"two_files": two_files}, default_timeout=CEILING_SECONDS).run()


def test_nothing_chosen_leaves_everything_to_be_found() -> None:
    assert choices(two_files=True).session_state["said"] == ()
    assert len(choices(two_files=False).radio) == 0


@pytest.mark.parametrize(
    ("select", "value", "said"),
    [
        ("encoding", "Windows-1251", ReadOptions(encoding="cp1251")),
        ("delimiter", "tab", ReadOptions(delimiter="\t")),
        ("delimiter", "none", ReadOptions(delimiter="")),
        ("header", "is a row", ReadOptions(header=False)),
        ("header", "holds the column names", ReadOptions(header=True)),
    ],
)
def test_a_choice_is_an_option_of_both_files(select: str, value: str, said: ReadOptions) -> None:
    app = choices(two_files=False)
    app.selectbox(key=f"upload.{select}.3").set_value(value).run()
    assert not app.exception and app.session_state["said"] == (said, said)


@pytest.mark.parametrize(("where", "place"), [("the predictions", 0), ("the true labels", 1)])
def test_choice_may_be_about_one_file(where: str, place: int) -> None:
    app = choices(two_files=True)
    app.selectbox(key="upload.header.3").set_value("is a row").run()
    app.radio(key="upload.where.3").set_value(where).run()
    said = app.session_state["said"]
    assert said[place] == ReadOptions(header=False) and said[1 - place] == DETECT
