"""Short names of the labels for panels and titles: no two look the same."""

from __future__ import annotations

import streamlit as st

from charts.short_names import short_names
from data.evaluation import Evaluation
from text.visible import show
from ui.text.markdown import md
from ui.view import cache
from ui.view.panel import Label

LENGTH = 40
_WHOLE = 2000


@st.cache_resource(show_spinner=False, max_entries=32, hash_funcs=cache.BY_FINGERPRINT)
def label_names(evaluation: Evaluation) -> list[str]:
    """Return the name of every label, visible, at most 40 characters long, each different from all others."""
    return short_names([show(label, _WHOLE) for label in evaluation.labels], LENGTH)


def label_of(evaluation: Evaluation, code: int) -> Label:
    """Return a label for a panel's list."""
    return Label(label_names(evaluation)[code], evaluation.labels[code])


def md_label(evaluation: Evaluation, code: int) -> str:
    """Write a label for a Markdown string."""
    return md(label_names(evaluation)[code], LENGTH)
