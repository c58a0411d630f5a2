"""Controls whose value is a parameter of the view (and so stands in the URL)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from data.samples import SAMPLES
from ui.view import open_runs, url
from ui.view.address import go_to

_CHARACTER, _AROUND, _WIDEST = 7.6, 54, 300
"""Pixels of a character, of what stands around the text of a box, and of the widest box."""


def choose(name: str, title: str, options: Mapping[Any, str], *, help: str | None = None) -> Any:
    """Return a row of buttons for a few options; returns the chosen key of `options`."""
    key = _prepare(name, list(options))
    value = st.segmented_control(
        title, list(options), format_func=options.__getitem__, key=key, help=help, required=True
    )
    return _take(name, value)


def choose_of_many(
    name: str,
    title: str,
    options: Sequence[Any],
    shown: Callable[[Any], str],
    *,
    width: int | Literal["stretch"] = "stretch",
    titled: bool = True,
) -> Any:
    """Return a searchable list for many options; its title may be left to those who listen.

    width : in pixels at least; neither the first option, which says what is shown before anybody chooses, nor the
    chosen one is cut.
    """
    key = _prepare(name, options)
    if isinstance(width, int):
        whole = [shown(options[0]), shown(st.session_state[key])]
        width = max(width, *(_fitting_width(title if titled else "", option) for option in whole))
    visible: Literal["visible", "collapsed"] = "visible" if titled else "collapsed"
    chosen = st.selectbox(title, options, format_func=shown, key=key, width=width, label_visibility=visible)
    return _take(name, chosen)


def _fitting_width(title: str, option: str) -> int:
    """Return the width of a box beside its title, in pixels, that shows an option whole, up to 300.

    >>> _fitting_width("Column", "All: the worst slices"), _fitting_width("", "a" * 99)
    (259, 300)
    """
    return min(_WIDEST, round(_CHARACTER * (len(title) + len(option))) + _AROUND)


def tick(name: str, title: str, *, help: str | None = None) -> bool:
    """Return a switch."""
    return bool(_take(name, st.toggle(title, key=_prepare(name, [False, True]), help=help)))


def choose_chip(name: str, title: str, options: Mapping[Any, str]) -> Any:
    """Draw one chip an option; taking the choice back chooses the first."""
    key = _prepare(name, list(options))
    value = st.pills(title, list(options), format_func=options.__getitem__, key=key, label_visibility="collapsed")
    return _take(name, next(iter(options)) if value is None else value)


def search(name: str, title: str, placeholder: str, *, width: int | Literal["stretch"] = "stretch") -> str:
    """Return a text to look for; in one row with other controls its title is not drawn."""
    key = url.widget_key(name)
    st.session_state.setdefault(key, url.get(name))
    shown: Literal["visible", "collapsed"] = "visible" if width == "stretch" else "collapsed"
    field = st.text_input(
        title, key=key, placeholder=placeholder, icon=":material/search:", width=width, label_visibility=shown
    )
    return str(_take(name, field))


def whole_number(name: str, title: str, low: int, high: int, *, width: int = 240) -> int:
    """Return a whole number between two bounds."""
    key = url.widget_key(name)
    st.session_state.setdefault(key, url.get(name))
    st.session_state[key] = min(high, max(low, st.session_state[key]))
    return int(_take(name, st.number_input(title, low, high, key=key, width=width)))


def offer_other_files(samples: Sequence[str], what: str) -> None:
    """Draw buttons that open this page on samples that have `what`, and a link to open another file."""
    named = {sample.key: sample.title for sample in SAMPLES}
    st.markdown(f"{'A sample' if len(samples) == 1 else 'Samples'} with {what}, or a file of yours:")
    with st.container(horizontal=True, vertical_alignment="center"):
        for key in samples:
            st.button(named[key], key=f"way.{key}", on_click=open_runs.open_run, args=(key,))
        go_to("open", "Open another file", icon=":material/upload_file:")


def _prepare(name: str, options: Sequence[Any]) -> str:
    """Give the control the view's value; one that this file does not have falls back to the first option."""
    key = url.widget_key(name)
    if key not in st.session_state:
        st.session_state[key] = url.get(name)
    if st.session_state[key] not in options:
        st.session_state[key] = options[0]
    return key


def _take(name: str, value: Any) -> Any:
    st.session_state[url.VIEW][name] = value
    return value
