"""Every label with its thresholds and the F1 at each, and the place where one of them is changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from data.evaluation import Evaluation
from metrics.multilabel.set_metrics import MultilabelCounts, per_label
from metrics.thresholds.choose import Rule
from text.numbers import count, number
from text.visible import show
from ui.text.markdown import md
from ui.text.messages import remark
from ui.thresholds.label_choices import EACH, MICRO, Choices, Way, counts_at, in_use
from ui.view import cache, state, url
from ui.view.data_table import download
from ui.view.label_choice import write_each

_LABEL = "label_thresholds.label"


def label_table(evaluation: Evaluation, found: Choices, listed: list[Way]) -> None:
    """A table of every label with scores, and one label's threshold to change.

    evaluation : without the view's thresholds. listed : the ways, of which the one for all is compared with.
    """
    now = in_use(evaluation)
    used = cache.multilabel(evaluation) if now is None else counts_at(evaluation, now)
    st.markdown("**Every label's threshold**")
    _edit(evaluation, found, now, used)
    frame = label_frame(evaluation, found, listed, now, used)
    columns: dict[str, Any] = {
        name: st.column_config.ProgressColumn(name, min_value=0.0, max_value=1.0, format="%.3f")
        for name in frame
        if name.startswith("F1")
    }
    columns |= {name: st.column_config.NumberColumn(format="%.6g") for name in ("in use", "its best")}
    shown = frame.assign(label=[show(name) for name in frame["label"]])
    if now is None:
        del shown["in use"]
    st.dataframe(shown, hide_index=True, key="label_thresholds.table", column_config=columns, placeholder="undefined")
    st.caption(
        "Undefined: no true row (with a score), so no F1 and no best threshold"
        + ("; the file's own predictions have no threshold." if now is None else ".")
    )
    download(frame, "label_thresholds")


def label_frame(
    evaluation: Evaluation, found: Choices, listed: list[Way], now: np.ndarray | None, used: MultilabelCounts
) -> pd.DataFrame:
    """One line a label with scores: its threshold and F1 in use, with one for all, and at its own best."""
    codes = list(evaluation.score_codes)
    ways = {way.what: per_label(way.counts) for way in listed}
    one = ways[MICRO]
    here = per_label(used)
    frame = {
        "label": [evaluation.labels[code] for code in codes],
        "true rows": one.support[codes],
        "in use": np.full(len(codes), np.nan) if now is None else now,
        "predicted": here.predicted[codes],
        "F1 in use": here.f1[codes],
        f"F1 at {found.micro.threshold:.6g}": one.f1[codes],
        "its best": [found.each.get(code, np.nan) for code in codes],
        "F1 at its best": ways[EACH].f1[codes],
    }
    table = pd.DataFrame(frame)
    table.loc[table["its best"].isna(), "F1 at its best"] = np.nan
    return table


def _edit(evaluation: Evaluation, found: Choices, now: np.ndarray | None, used: MultilabelCounts) -> None:
    """One label's threshold: typed, its best, or that of all others."""
    codes = list(evaluation.score_codes)
    in_lab = state.code_of(evaluation, url.get("class"))
    if st.session_state.get(_LABEL) not in codes:
        st.session_state[_LABEL] = in_lab if in_lab in codes else codes[0]
    own, others = state.own_thresholds(evaluation), state.threshold_for_others(evaluation)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        code = int(
            st.selectbox("Label", codes, format_func=lambda at: show(evaluation.labels[at]), key=_LABEL, width=260)
        )
        key = f"label_thresholds.own.{code}"
        st.session_state[key] = own.get(code, others)
        st.number_input("Its threshold", key=key, step=None, format="%.6g", width=160,
                        on_change=_typed, args=(evaluation, code, key))  # fmt: skip
        best = found.each.get(code)
        if best is not None:
            st.button(f"Its best: {best:.6g}", key="label_thresholds.best", on_click=_put,
                      args=(evaluation, code, best, Rule("f1")),
                      disabled=own.get(code, None if now is None else others) == best)  # fmt: skip
        st.button(f"As all others: {others:.6g}", key="label_thresholds.others", on_click=_put,
                  args=(evaluation, code, None), disabled=code not in own)  # fmt: skip
    here = per_label(used)
    st.markdown(
        f"{md(evaluation.labels[code])}: {count(int(here.support[code]), 'true row')}, predicted "
        f"{int(here.predicted[code]):,} times; precision {number(here.precision[code])}, recall "
        f"{number(here.recall[code])}, **F1 {number(here.f1[code])}**."
    )
    if now is None:
        remark("With a threshold of its own for one label, every label is predicted from its scores: the file's own "
               f"predictions are not used, and the other labels take {others:.6g}.", "info")  # fmt: skip


def _typed(evaluation: Evaluation, code: int, key: str) -> None:
    value = st.session_state[key]
    if value is not None:
        _put(evaluation, code, float(value))


def _put(evaluation: Evaluation, code: int, threshold: float | None, rule: Rule | None = None) -> None:
    """Give a label a threshold of its own, or take it back (None); `rule` is what it was chosen by, if by one."""
    own = state.own_thresholds(evaluation)
    own.pop(code, None)
    state.put_rules(evaluation, own, code, rule)
    if threshold is not None:
        own[code] = threshold
    url.put(each=write_each(own))
