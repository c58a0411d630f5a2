"""The classes page: chips and search in one row, the table, worst F1 first, and the panel of one class beside it."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from ui.classes import class_panel, list_panel
from ui.classes.class_numbers import worst_first, write_csv
from ui.classes.class_table import draw_classes
from ui.view import controls, fragment, measurement, panel, state, url
from ui.view.address import end_page
from ui.view.cache import class_lists, class_names
from ui.view.data_table import hand_out


@fragment.run_fragment
def explore(evaluation: Evaluation) -> None:
    """Draw the controls, the classes and the panel beside them; choices here change nothing outside."""
    chosen, codes = _toolbar(evaluation)
    _explore_list(evaluation, chosen, codes)


@fragment.run_fragment
def _explore_list(evaluation: Evaluation, chosen: str, codes: np.ndarray) -> None:
    """Draw the classes and the panel beside them; a click in them draws no control anew."""
    code = state.code_of(evaluation, url.get("class"))
    main, beside = panel.split_panel("classes", is_open=code is not None)

    def opened(code: int) -> None:
        url.put(**{"class": evaluation.labels[code], "row": 0})

    with main:
        draw_classes(evaluation, codes, opened=code, on_open=opened)
    with beside:
        if code is None:
            list_panel.draw(evaluation, chosen)
        else:
            class_panel.draw(evaluation, code)
    end_page("classes")


def _toolbar(evaluation: Evaluation) -> tuple[str, np.ndarray]:
    """Draw the chips, the search and the download; return the chosen list and the codes that they leave."""
    lists = class_lists(evaluation)
    names = {"all": f"All **{len(evaluation.labels):,}**"}
    names |= {
        name: f"{title} **{len(lists[name]):,}**"
        for name, (title, _) in list_panel.MEANINGS.items()
        if len(lists[name]) or name != "never_true"
    }
    with panel.toolbar("classes"):
        chosen = controls.choose_chip("list", "Classes", names)
        st.space("stretch")
        find = "Find a label" if evaluation.task == "multilabel" else "Find a class"
        text = controls.search("q", find, find, width=135)
        order = worst_first(evaluation)
        codes = order if chosen == "all" else order[np.isin(order, lists[chosen])]
        wanted, called = text.casefold(), class_names(evaluation)
        codes = np.array([code for code in codes.tolist() if wanted in called[code].casefold()], dtype=int)
        write = partial(write_csv, measurement.measure(evaluation), codes)
        hand_out("CSV", write, "classes.csv", key="classes.download")
        measurement.choose_level(evaluation, key="classes.level")
    return chosen, codes
