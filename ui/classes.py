"""The classes page's pieces: the table, the three lists, one class from both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from charts import classes as charts
from charts import label_sets
from data.evaluation import Evaluation
from metrics import labels, multilabel
from metrics.finding import LOW_SUPPORT
from ui import blocks, cache, controls, drill, state, url
from ui.blocks import md, number, rows, show


def table_of(evaluation: Evaluation) -> pd.DataFrame:
    """One row a class: precision, recall, F1, support, predicted, their difference, and remarks."""
    if evaluation.task == "multilabel":
        per_label = multilabel.per_label(cache.multilabel(evaluation))
        columns = {"precision": per_label.precision, "recall": per_label.recall, "F1": per_label.f1}
        support, predicted = per_label.support, per_label.predicted
    else:
        per = labels.per_class(cache.confusion(evaluation))
        columns = {"precision": per.precision, "recall": per.recall, "F1": per.f1}
        support, predicted = per.support, per.predicted
    frame = pd.DataFrame({"class": list(evaluation.labels), **columns, "support": support, "predicted": predicted})
    frame["predicted − support"] = frame["predicted"] - frame["support"]
    outside = np.arange(len(frame)) >= evaluation.n_space
    frame["remark"] = np.select(
        [outside, support == 0, predicted == 0, support < LOW_SUPPORT],
        ["outside label space", "absent from the file", "never predicted", f"under {LOW_SUPPORT} true rows"],
        default="",
    )
    return frame


def _lists(evaluation: Evaluation, frame: pd.DataFrame) -> dict[str, np.ndarray]:
    support, predicted = frame["support"].to_numpy(), frame["predicted"].to_numpy()
    outside = np.arange(len(frame)) >= evaluation.n_space
    return {
        "all": np.arange(len(frame)),
        "never": np.flatnonzero((support > 0) & (predicted == 0)),
        "absent": np.flatnonzero((support == 0) & ~outside),
        "outside": np.flatnonzero(outside),
        "low": np.flatnonzero((support > 0) & (support < LOW_SUPPORT)),
    }


def three_lists(evaluation: Evaluation) -> None:
    """Never predicted, never asked, made up: three different things, kept apart."""
    lists = _lists(evaluation, table_of(evaluation))
    texts = (
        ("never", "Never predicted", "The file asks about them; the model never answers them."),
        ("absent", "Absent from the file", "In the label space, but no row asks about them: nothing is known."),
        ("outside", "Outside the label space", "Answers or truths that the label space does not hold."),
    )
    for column, (key, title, meaning) in zip(st.columns(3), texts, strict=True):
        codes = lists[key]
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{title}: {len(codes):,}**", help=meaning)
            st.caption(meaning)
            if len(codes):
                more = f" and {len(codes) - 6:,} more" if len(codes) > 6 else ""
                st.markdown(", ".join(md(evaluation.labels[c], 40) for c in codes[:6]) + more)
                st.button("List them", key=f"list.{key}", on_click=url.put, kwargs={"list": key})


def table(evaluation: Evaluation, frame: pd.DataFrame) -> None:
    """The sortable table of classes; choosing a row opens the class."""
    lists = _lists(evaluation, frame)
    names = {
        "all": f"All {len(frame):,}",
        "never": f"Never predicted {len(lists['never']):,}",
        "absent": f"Absent {len(lists['absent']):,}",
        "outside": f"Outside {len(lists['outside']):,}",
        "low": f"Few rows {len(lists['low']):,}",
    }
    left, right = st.columns([0.7, 0.3], vertical_alignment="bottom")
    with left:
        which = controls.choose("list", "Classes", names)
    with right:
        text = controls.search("q", "Search", "part of a class name")
    chosen = [code for code in lists[which] if text.casefold() in evaluation.labels[code].casefold()]
    shown = frame.iloc[chosen].copy()
    shown["class"] = [show(name) for name in shown["class"]]
    widest = int(max(frame["support"].max(), frame["predicted"].max(), 1))
    columns: dict[str, Any] = {
        name: st.column_config.ProgressColumn(name, min_value=0.0, max_value=1.0, format="%.3f", width=82)
        for name in ("precision", "recall", "F1")
    }
    columns |= {
        name: st.column_config.ProgressColumn(name, min_value=0, max_value=widest, format="%d", color="gray", width=80)
        for name in ("support", "predicted")
    }
    columns["class"] = st.column_config.TextColumn("class", width=160)
    columns["remark"] = st.column_config.TextColumn("remark", width=135)
    about = "predicted − support: above 0 the model says the class more often than it is true"
    columns["predicted − support"] = st.column_config.NumberColumn("difference", format="%+d", width=80, help=about)
    event = st.dataframe(
        shown,
        hide_index=True,
        column_config=columns,
        column_order=["class", "remark", *(name for name in shown if name not in ("class", "remark"))],
        key="classes.table",
        on_select="rerun",
        selection_mode="single-row",
    )
    st.caption(
        "An empty cell is undefined (0/0): precision of a class that is never predicted, "
        "recall of one without true rows. Choose a row to open its class."
    )
    blocks.download(frame.iloc[chosen], "classes")
    picked = event["selection"]["rows"]
    if picked and picked[0] < len(chosen) and st.session_state.get("classes.picked") != (which, text, picked[0]):
        url.put(**{"class": evaluation.labels[chosen[picked[0]]]})
    st.session_state["classes.picked"] = (which, text, picked[0]) if picked else None


def label_bars(evaluation: Evaluation) -> None:
    """Precision, recall and F1 of every label as a picture, the weakest first; its numbers stand in the table above."""
    per = multilabel.per_label(cache.multilabel(evaluation))
    st.subheader("Every label")
    st.plotly_chart(label_sets.label_bars(per, evaluation.labels), key="label_bars", config={"displaylogo": False})


def one_class(evaluation: Evaluation) -> None:
    """One class from both sides: what it is taken for, and what is taken for it."""
    st.subheader("One class")
    names = ["", *evaluation.labels]
    name = controls.choose_of_many("class", "Class", names, lambda text: show(text, 80) if text else "choose a class")
    code = state.code_of(evaluation, name)
    if code is None:
        return
    if evaluation.task == "multilabel":
        outcomes = {"fn": "Missed", "fp": "Wrongly predicted", "tp": "Found"}
        outcome = st.segmented_control(
            "Rows", list(outcomes), default="fn", format_func=outcomes.__getitem__, required=True
        )
        drill.behind(evaluation, true=name, only=outcome, key="class")
        return
    counts = cache.confusion(evaluation)
    per = labels.per_class(counts)
    st.markdown(
        f"{md(name)}: {rows(int(per.support[code]), 'true row')}, predicted {int(per.predicted[code]):,} times. "
        f"Precision {number(per.precision[code])}, recall {number(per.recall[code])}, F1 {number(per.f1[code])}."
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.plotly_chart(charts.taken_for(counts, code), key="taken_for", config={"displayModeBar": False})
        blocks.table_twin(charts.taken_for_table(counts, code), "taken_for")
    with right:
        st.plotly_chart(charts.taken_from(counts, code), key="taken_from", config={"displayModeBar": False})
        blocks.table_twin(charts.taken_from_table(counts, code), "taken_from")
    sides = {"true": "Rows that are this class", "pred": "Rows called this class"}
    side = st.segmented_control(
        "Rows", list(sides), default="true", format_func=sides.__getitem__, required=True, label_visibility="collapsed"
    )
    drill.behind(evaluation, **{side: name}, key="class")
