"""Say what this comparison can show: the rows that a difference needs, and the comparison as files."""

from __future__ import annotations

import json
import math

import streamlit as st

from export.compare.comparison import to_json
from export.compare.comparison_text import markdown, rows_needed, smallest_shown, spoken
from export.numbers import plain
from metrics.comparison.tiers import tiers
from text.numbers import count
from ui.compare.comparing import Compared, metric_in_view
from ui.view import open_runs, url

_KEY = "compare.plan"


def planner(compared: Compared) -> None:
    """Say how many rows a difference needs that a person names, given how often A and B differ."""
    found, a, b = compared.found, compared.a, compared.b
    smallest = smallest_shown(found, a, b)
    if math.isnan(smallest):
        return
    size = float(url.get("plan"))
    needed = rows_needed(found, a, b, size)
    metric = spoken(found.main_metric)
    if math.isnan(needed):
        said = f"A difference of {size:g} in {metric} is larger than the share of rows in which A and B differ"
    else:
        said = f"A difference of {size:g} in {metric} needs about {math.ceil(needed):,} such rows"
    st.subheader(said, anchor=False)
    st.session_state[_KEY] = size
    st.number_input(
        "Difference to show", 0.001, 1.0, key=_KEY, step=0.005, format="%.3f", width=180,
        on_change=lambda: url.put(plan=float(st.session_state[_KEY])),
    )  # fmt: skip
    how = f"Power 0.8, level {100 * found.level:g} %, McNemar's test."
    st.caption(f"These {count(found.runs.n)} can show {smallest:.3f}. {how}")


def files(compared: Compared) -> None:
    """Offer the comparison as Markdown, and that of A and B as JSON."""
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Markdown", open_runs.while_open(lambda: _markdown(compared)), "comparison.md", "text/markdown",
            on_click="ignore", key="compare.markdown", icon=":material/download:", help="A summary of all runs",
        )  # fmt: skip
        st.download_button(
            "JSON", open_runs.while_open(lambda: _json(compared)), "comparison.json", "application/json",
            on_click="ignore", key="compare.json", icon=":material/download:",
            help="Every number of the runs, and of A against B",
        )  # fmt: skip


def _markdown(compared: Compared) -> bytes:
    sorted_ = tiers(compared.found, metric_in_view(compared))
    return markdown(compared.found, sorted_, compared.said, ()).encode()


def _json(compared: Compared) -> bytes:
    """Return the numbers of every run and of A against B, as the command line writes them."""
    pair = [(compared.a, compared.b)]
    found = to_json(compared.found, compared.aligned, compared.said, metric_in_view(compared), pair)
    return json.dumps(plain(found), allow_nan=False, indent=1).encode()
