"""The controls of the page Agreement: its raters, who of them is a model, who is judged, by which truth."""

from __future__ import annotations

import streamlit as st

from data.columns.rater_columns import RaterColumns
from data.comparison.judge_evaluation import Judged, write_judged, write_names
from data.evaluation import Evaluation
from text.visible import show
from ui.agreement.raters import Raters
from ui.view import controls, measurement, panel, url

_SHOWN = {"kappa": "Kappa", "agreement": "Agreement"}
_TRUTHS = {"majority": "Majority of people", "unanimous": "Unanimous people only", "one": "One rater"}


def toolbar(evaluation: Evaluation, raters: Raters) -> None:
    """Draw the row of controls."""
    names = raters.table.raters
    with panel.toolbar("agreement"):
        st.session_state["agreement.show"] = url.get("show")
        st.segmented_control(
            "Every two raters", list(_SHOWN), key="agreement.show", format_func=_SHOWN.__getitem__, required=True,
            label_visibility="collapsed", on_change=lambda: url.put(show=st.session_state["agreement.show"]),
        )  # fmt: skip
        with st.popover("Raters", icon=":material/group:"):
            choose_columns(evaluation, raters.where)
            _choose_models(raters)
        with st.popover("Judge", icon=":material/gavel:"):
            _choose_judge(names, raters)
            judged = _choose_truth(names, raters)
            st.button(
                "Open as an evaluation", type="primary", disabled=judged is None, key="agreement.open",
                help="All pages then show the judge as a classifier.", on_click=_open, args=(judged,),
            )  # fmt: skip
        st.space("stretch")
        measurement.choose_level(None, key="agreement.level")


def choose_columns(evaluation: Evaluation, where: RaterColumns | None) -> None:
    """Draw the choice of the columns: one for each rater, or those of unit, rater and rating."""
    columns = list(evaluation.rows.column_names)
    now = where or RaterColumns()
    st.session_state["agreement.columns"] = [name for name in now.columns if name in columns]
    st.multiselect(
        "One column for each rater", columns, key="agreement.columns", format_func=lambda name: show(name, 60),
        on_change=lambda: _put_columns("raters", tuple(st.session_state["agreement.columns"]), 2),
    )  # fmt: skip
    st.session_state["agreement.lines"] = [name for name in now.lines if name in columns]
    st.multiselect(
        "… or one line for each rating: unit, rater, rating", columns, key="agreement.lines", max_selections=3,
        format_func=lambda name: show(name, 60),
        on_change=lambda: _put_columns("lines", tuple(st.session_state["agreement.lines"]), 3),
    )  # fmt: skip


def _put_columns(name: str, columns: tuple[str, ...], least: int) -> None:
    if len(columns) >= least:
        url.put(raters="", lines="", models="", judge="", pair="", trusted="")
        url.put(**{name: write_names(columns)})


def _choose_models(raters: Raters) -> None:
    names = raters.table.raters
    st.session_state["agreement.models"] = [names[place] for place in raters.models]
    st.multiselect(
        "Raters that are models", names, key="agreement.models", format_func=lambda name: show(name, 60),
        on_change=lambda: url.put(models=write_names(tuple(st.session_state["agreement.models"])) or ",", judge=""),
        help="Models are not part of the majority of people.",
    )  # fmt: skip


def _choose_judge(names: tuple[str, ...], raters: Raters) -> None:
    st.session_state["agreement.judge"] = "" if raters.judge is None else names[raters.judge]
    st.selectbox(
        "The rater that is judged", ["", *names], key="agreement.judge",
        format_func=lambda name: show(name, 60) if name else "none",
        on_change=lambda: url.put(judge=st.session_state["agreement.judge"]),
    )  # fmt: skip


def _choose_truth(names: tuple[str, ...], raters: Raters) -> Judged | None:
    """Draw the choice of the truth; return who is judged by whom, None where nobody can be."""
    st.session_state["agreement.truthby"] = how = url.get("truthby")
    st.segmented_control(
        "Truth", list(_TRUTHS), key="agreement.truthby", format_func=_TRUTHS.__getitem__, required=True,
        on_change=lambda: url.put(truthby=st.session_state["agreement.truthby"]),
    )  # fmt: skip
    if raters.judge is None:
        return None
    judge, people = names[raters.judge], tuple(names[place] for place in raters.people)
    if how != "one":
        return Judged(raters.where, judge, how, people) if people else None
    others = [name for name in names if name != judge]
    trusted = controls.choose_of_many("trusted", "The rater who is the truth", others, lambda name: show(name, 60))
    return Judged(raters.where, judge, "majority", (trusted,))


def _open(judged: Judged | None) -> None:
    if judged is not None:
        url.put(judged=write_judged(judged), **{"class": "", "true": "", "pred": "", "t": None, "each": "", "rule": ""})
