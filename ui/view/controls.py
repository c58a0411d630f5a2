"""Controls whose value is a parameter of the view (and so stands in the URL)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from data.samples import SAMPLES
from ui.view import state, url

LONGEST_TEXT = 500_000
"""Characters that may be typed or pasted into a box; the server takes a page's whole state up to 4 MB."""


def choose(name: str, title: str, options: Mapping[Any, str], *, help: str | None = None) -> Any:
    """A row of buttons for a few options; returns the chosen key of `options`."""
    key = _prepare(name, list(options))
    value = st.segmented_control(
        title, list(options), format_func=options.__getitem__, key=key, help=help, required=True
    )
    return _taken(name, value)


def choose_of_many(name: str, title: str, options: Sequence[Any], shown: Callable[[Any], str]) -> Any:
    """A searchable list for many options."""
    key = _prepare(name, options)
    return _taken(name, st.selectbox(title, options, format_func=shown, key=key))


def tick(name: str, title: str, *, help: str | None = None) -> bool:
    """A switch."""
    return bool(_taken(name, st.toggle(title, key=_prepare(name, [False, True]), help=help)))


def search(name: str, title: str, placeholder: str) -> str:
    """A text to look for."""
    key = url.widget_key(name)
    st.session_state.setdefault(key, url.get(name))
    return str(_taken(name, st.text_input(title, key=key, placeholder=placeholder, icon=":material/search:")))


def whole_number(name: str, title: str, low: int, high: int, *, help: str | None = None, width: int = 240) -> int:
    """A whole number between two bounds."""
    key = url.widget_key(name)
    st.session_state.setdefault(key, url.get(name))
    st.session_state[key] = min(high, max(low, st.session_state[key]))
    return int(_taken(name, st.number_input(title, low, high, key=key, help=help, width=width)))


def ways_on(samples: Sequence[str], what: str) -> None:
    """Draw buttons that open this page on samples that have `what`, and a link to open another file."""
    named = {sample.key: sample.title for sample in SAMPLES}
    st.markdown(f"{'A sample' if len(samples) == 1 else 'Samples'} with {what}, or a file of yours:")
    with st.container(horizontal=True, vertical_alignment="center"):
        for key in samples:
            st.button(named[key], key=f"way.{key}", on_click=state.open_run, args=(key,))
        url.go_to("open", "Open another file", icon=":material/upload_file:")


def _prepare(name: str, options: Sequence[Any]) -> str:
    """Give the control the view's value; one that this file does not have falls back to the first option."""
    key = url.widget_key(name)
    if key not in st.session_state:
        st.session_state[key] = url.get(name)
    if st.session_state[key] not in options:
        st.session_state[key] = options[0]
    return key


def _taken(name: str, value: Any) -> Any:
    st.session_state[url.VIEW][name] = value
    return value
