"""The classes page's pieces: the table, the three lists, one class from both sides."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd
import streamlit as st

from charts import classes as charts
from charts import label_sets
from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Only, Which
from metrics.confusion import label_metrics
from metrics.confusion.average_numbers import average_numbers, average_rows, label_average_numbers
from metrics.confusion.counts import ConfusionCounts
from metrics.finding import LOW_SUPPORT
from metrics.multilabel import set_metrics
from text.numbers import count, number
from text.visible import show
from ui.rows import rows_behind
from ui.text.markdown import md
from ui.view import cache, controls, state, url
from ui.view.cache import class_lists, support
from ui.view.data_table import download, table_twin
from ui.view.which import link_to_rows, only_counted


def table_of(evaluation: Evaluation) -> pd.DataFrame:
    """One row a class: precision, recall, F1, support, predicted, their difference, and remarks."""
    if evaluation.task == "multilabel":
        per_label = set_metrics.per_label(cache.multilabel(evaluation))
        columns = {"precision": per_label.precision, "recall": per_label.recall, "F1": per_label.f1}
        support, predicted = per_label.support, per_label.predicted
    else:
        per = label_metrics.per_class(cache.confusion(evaluation))
        columns = {"precision": per.precision, "recall": per.recall, "F1": per.f1}
        support, predicted = per.support, per.predicted
    frame = pd.DataFrame({"class": list(evaluation.labels), **columns, "support": support, "predicted": predicted})
    frame["predicted − support"] = frame["predicted"] - frame["support"]
    outside = np.arange(len(frame)) >= evaluation.n_space
    unknown = np.isin(np.arange(len(frame)), class_lists(evaluation)["never_true"])
    few = f"under {LOW_SUPPORT} true rows"
    frame["remark"] = np.select(
        [outside, unknown, support == 0, predicted == 0, support < LOW_SUPPORT],
        ["outside label space", "never true", "absent from the file", "never predicted", few],
        default="",
    )
    return frame


def three_lists(evaluation: Evaluation) -> None:
    """Never predicted, not in the data, outside the label space: different things, kept apart."""
    lists = class_lists(evaluation)
    texts = [
        ("never", "Never predicted", "They occur in the data, but no row is predicted as one of them."),
        ("absent", "Absent from the file", "Listed as a class, but no examples, so it can't be scored."),
        ("outside", "Outside the label space", "Answers or truths that the label space does not hold."),
    ]
    if len(lists["never_true"]):
        said = "Predicted, but true in no row and in no list: misspelt, invented, or missing from this sample."
        texts.insert(2, ("never_true", "Never true", said))
    for column, (key, title, meaning) in zip(st.columns(len(texts)), texts, strict=True):
        codes = lists[key]
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{title}: {len(codes):,}**", help=meaning)
            st.caption(meaning)
            if len(codes):
                more = f" and {len(codes) - 6:,} more" if len(codes) > 6 else ""
                st.markdown(", ".join(md(evaluation.labels[c], 40) for c in codes[:6]) + more)
                st.button("List them", key=f"list.{key}", on_click=url.put, kwargs={"list": key})
                _rows_of_list(evaluation, key, codes)


def _rows_of_list(evaluation: Evaluation, key: str, codes: np.ndarray) -> None:
    """The way from a list of classes to its rows; classes that the file never asks about have none."""
    true, predicted = support(evaluation)
    chosen = tuple(codes.tolist())
    if true[codes].sum():
        which = only_counted(evaluation, Which(true=chosen))
        link_to_rows(evaluation, which, "Rows with that truth", key=f"list.{key}.true")
    if predicted[codes].sum():
        which = only_counted(evaluation, Which(pred=chosen))
        link_to_rows(evaluation, which, "Predicted rows", key=f"list.{key}.pred")


def table(evaluation: Evaluation, frame: pd.DataFrame) -> None:
    """The sortable table of classes; choosing a row opens the class."""
    lists = {"all": np.arange(len(frame)), **class_lists(evaluation)}
    names = {
        "all": f"All {len(frame):,}",
        "never": f"Never predicted {len(lists['never']):,}",
        "absent": f"Absent {len(lists['absent']):,}",
        **({"never_true": f"Never true {len(lists['never_true']):,}"} if len(lists["never_true"]) else {}),
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
    counted: dict[str, Any] = {"min_value": 0, "max_value": widest, "format": "localized", "color": "gray"}
    columns |= {name: st.column_config.ProgressColumn(name, **counted, width=80) for name in ("support", "predicted")}
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
    download(frame.iloc[chosen], "classes")
    picked = event["selection"]["rows"]
    if picked and picked[0] < len(chosen) and st.session_state.get("classes.picked") != (which, text, picked[0]):
        url.put(**{"class": evaluation.labels[chosen[picked[0]]]})
    st.session_state["classes.picked"] = (which, text, picked[0]) if picked else None


def averages_table(evaluation: Evaluation) -> None:
    """Every average of precision, recall and F1, with scikit-learn's figure below one that is undefined."""
    if evaluation.task == "multilabel":
        lines = average_rows(label_average_numbers(cache.multilabel(evaluation), evaluation.n_space), "label")
    else:
        lines = average_rows(average_numbers(cache.confusion(evaluation)), "class")
    frame = pd.DataFrame(lines).rename(columns={"title": "average", "f1": "F1"})
    st.markdown("**Averages**")
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(name, format="%.4f") for name in ("precision", "recall", "F1")
    }
    st.dataframe(frame, hide_index=True, key="averages", column_config=columns, placeholder="undefined")
    st.caption(
        "An average that holds an undefined value is undefined. zero_division=0: scikit-learn's figure, which counts "
        "0/0 as 0."
    )


def label_bars(evaluation: Evaluation) -> None:
    """Precision, recall and F1 of every label as a picture, the weakest first; its numbers stand in the table above."""
    per = set_metrics.per_label(cache.multilabel(evaluation))
    st.subheader("Every label")
    st.plotly_chart(label_sets.label_bars(per, evaluation.labels), key="label_bars", config={"displayModeBar": False})


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
        rows_behind.behind(evaluation, Which(true=(code,), only=cast(Only, outcome)), key="class")
        return
    counts = cache.confusion(evaluation)
    per = label_metrics.per_class(counts)
    st.markdown(
        f"{md(name)}: {count(int(per.support[code]), 'true row')}, predicted {int(per.predicted[code]):,} times. "
        f"Precision {number(per.precision[code])}, recall {number(per.recall[code])}, F1 {number(per.f1[code])}."
    )
    sides = (("true", charts.taken_for, charts.taken_for_table), ("pred", charts.taken_from, charts.taken_from_table))
    for column, (side, drawn, table) in zip(st.columns(2, gap="large"), sides, strict=True):
        with column:
            chart = {"true": "taken_for", "pred": "taken_from"}[side]
            st.plotly_chart(drawn(counts, code), key=f"{chart}.{code}", config={"displayModeBar": False},
                            on_select=lambda side=side, chart=chart: _bar_clicked(f"{chart}.{code}", side, code),
                            selection_mode="points")  # fmt: skip
            table_twin(table(counts, code), chart)
    _rows_of_class(evaluation, counts, code)


def _bars(counts: ConfusionCounts, side: str, code: int) -> list[tuple[int, ...]]:
    """The classes of each bar of one of the two pictures, as they are drawn: the last holds those left over."""
    codes = [int(other) for other in (counts.row(code) if side == "true" else counts.column(code)).code]
    shown = [(other,) for other in codes[: charts.SHOWN_BARS]]
    return shown + ([tuple(codes[charts.SHOWN_BARS :])] if len(codes) > charts.SHOWN_BARS else [])


def _bar_clicked(chart: str, side: str, code: int) -> None:
    points = st.session_state[chart]["selection"]["points"]
    if points:
        st.session_state["class.side"] = side
        st.session_state[f"class.bar.{side}.{code}"] = int(points[0]["point_index"])


def _rows_of_class(evaluation: Evaluation, counts: ConfusionCounts, code: int) -> None:
    """The rows of a class from one side, all of them or those of one bar."""
    sides = {"true": "Rows that are this class", "pred": "Rows called this class"}
    with st.container(horizontal=True, vertical_alignment="center"):
        side = st.segmented_control(
            "Rows", list(sides), default=None if "class.side" in st.session_state else "true", key="class.side",
            format_func=sides.__getitem__, required=True, label_visibility="collapsed",
        )  # fmt: skip
        bars = _bars(counts, str(side), code)
        box = f"class.bar.{side}.{code}"
        if st.session_state.get(box) not in range(len(bars)):
            st.session_state[box] = None
        place = st.selectbox(
            "Bar", list(range(len(bars))), None, key=box, width=320, label_visibility="collapsed",
            placeholder="all of them, or choose a bar", format_func=lambda at: _bar_name(counts, str(side), bars[at]),
        )  # fmt: skip
    others: tuple[int, ...] = () if place is None else bars[place]
    which = Which(true=(code,), pred=others) if side == "true" else Which(true=others, pred=(code,))
    rows_behind.behind(evaluation, only_counted(evaluation, which), key="class")


def _bar_name(counts: ConfusionCounts, side: str, codes: tuple[int, ...]) -> str:
    verb = "called" if side == "true" else "truly"
    if len(codes) > 1:
        return f"{verb} one of {len(codes):,} more"
    return "unparseable" if codes[0] == UNPARSEABLE else f"{verb} {show(counts.labels[codes[0]], 60)}"
