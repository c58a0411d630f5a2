"""All bright columns and all pairs confused both ways as tables, made when asked for; a line leads to its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from data.rows.selection import Which
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.standouts import BothWays, Streak
from text.numbers import count
from text.visible import show
from ui.view.data_table import download, selection

LISTED = 1000
Put = Callable[[Which], None]


def of_streak(streak: Streak) -> Which:
    """The rows that a class absorbs: those called so and truly something else."""
    return Which(pred=(streak.code,), only="errors")


def of_pair(pair: BothWays) -> Which:
    """The rows of either class that were called the other."""
    codes = (pair.one, pair.other)
    return Which(codes, codes, only="errors")


def all_streaks(counts: ConfusionCounts, found: Sequence[Streak], put: Put) -> None:
    """Every bright column, most rows first; `put` shows the rows of the chosen one."""

    def table() -> pd.DataFrame:
        lines = [(counts.labels[one.code], one.rows, one.classes) for one in found]
        return pd.DataFrame(lines, columns=["class", "rows", "of other classes"])

    _table("streaks", f"All {len(found):,} bright columns", table, lambda at: put(of_streak(found[at])))


def all_pairs(counts: ConfusionCounts, found: Sequence[BothWays], put: Put) -> None:
    """Every pair confused both ways, the rarer direction with the most rows first."""

    def table() -> pd.DataFrame:
        lines = [(counts.labels[pair.one], counts.labels[pair.other], pair.there, pair.back) for pair in found]
        return pd.DataFrame(lines, columns=["one", "other", "there", "back"])

    _table("pairs", f"All {len(found):,} pairs confused both ways", table, lambda at: put(of_pair(found[at])))


def _table(kind: str, title: str, make: Callable[[], pd.DataFrame], chosen: Callable[[int], None]) -> None:
    full = st.expander(title, icon=":material/table:", key=f"aids.{kind}", on_change="rerun")
    if not full.open:
        return
    table, key = make(), f"aids.{kind}.table"
    shown = table.head(LISTED)
    labels = shown.select_dtypes(exclude="number").columns
    shown = shown.assign(**{name: [show(label) for label in shown[name]] for name in labels})

    def picked() -> None:
        for at in selection(key).get("rows", []):
            chosen(at)

    with full:
        st.caption("Choose a line to see its rows.")
        st.dataframe(shown, hide_index=True, key=key, on_select=picked, selection_mode="single-row")
        if len(table) > LISTED:
            st.caption(f"The first {LISTED:,} of {count(len(table), 'line')}; the download holds all.")
        download(table, kind)
