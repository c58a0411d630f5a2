"""The four steps of the page Thresholds: which one is in view, of which class, and the row of controls above it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.runs.source_rows import has_source
from metrics.confusion.class_order import lowest_f1_first
from metrics.outcomes import F1
from metrics.scores.curves import ScoreCounts
from text.visible import show
from ui.text.messages import remark
from ui.thresholds import calibration, choices, one_vs_rest, threshold
from ui.view import cache, panel, url

PLACE = ("perday", "minrecall", "minprecision", "mostcalled", "mostcost", "noun", "called")
"""Parameters of the place where the model will run, besides costs and prevalence."""
_STEPS = {"explore": "Explore", "choose": "Choose", "calibration": "Calibration", "classes": "All classes"}
_IMPLIED = {
    "explore": ("side", "score", "bands"),
    "choose": ("low", "by", "beta", "floor", "cfp", "cfn", "prev", "cap", "days", *PLACE),
    "calibration": ("cal", "bins", "nbins"),
}
"""A link without a step is as old as the page that held all of them: it means the one that its parameters belong to."""
_STEP, _CLASS = "thresholds.step", "thresholds.class"


def step_in_view(evaluation: Evaluation) -> str:
    """Return the step that the view names, or that the link means which names none; "" where the file has none."""
    if not evaluation.score_codes:
        return "calibration" if cache.top_class_counts(evaluation) is not None else ""
    step = url.get("tab") or _implied_step()
    if step not in _available_steps(evaluation):
        remark("This file has scores of one class only, so there is no table of all classes.", "info")
        step = "explore"
    if step != "explore" or url.get("tab"):
        url.put(tab=step)  # what its controls change later no longer leads elsewhere
    if step == "choose" and url.get("low") is not None and url.get("by") == url.PARAMETERS["by"].default:
        url.put(by="reject")  # a link with `low` is of the reject option, which `by` did not name in older ones
    return step


def _implied_step() -> str:
    """Return the first step of which a link changes a parameter."""
    for step, names in _IMPLIED.items():
        if any(url.get(name) != url.PARAMETERS[name].default for name in names):
            return step
    return "explore"


def _available_steps(evaluation: Evaluation) -> dict[str, str]:
    """Return the steps that this file has, with their titles."""
    steps = {**_STEPS, "classes": "All labels" if evaluation.task == "multilabel" else "All classes"}
    if evaluation.task == "binary" or len(evaluation.score_codes) < 2:
        del steps["classes"]
    return steps


def class_in_view(evaluation: Evaluation) -> int:
    """Return the code of the class in view; say where a link names a class without scores."""
    codes = list(evaluation.score_codes)
    names = [evaluation.labels[code] for code in codes]
    wanted = url.get("class")
    if wanted in names:
        return codes[names.index(wanted)]
    if wanted in evaluation.labels and _several(evaluation):
        remark(f"{show(wanted, 80)} has no score in this file, so another one is shown.")
    code = _first_shown(evaluation, codes)
    if _several(evaluation):
        url.put(**{"class": evaluation.labels[code]})
    return code


def _several(evaluation: Evaluation) -> bool:
    return evaluation.task != "binary" or len(evaluation.score_codes) > 1


def _first_shown(evaluation: Evaluation, codes: Sequence[int]) -> int:
    """Of the classes with a score: the positive one, else the weakest by F1 of those with true rows, as on Overview."""
    if evaluation.positive is not None and evaluation.positive in codes:
        return evaluation.positive
    if len(codes) == 1:
        return codes[0]
    counts = cache.counts_of_classes(evaluation)
    f1 = np.where(counts.support > 0, F1.value(counts), np.inf)
    return codes[int(lowest_f1_first(f1[codes], counts.support[codes])[0])]


def title(evaluation: Evaluation, step: str, code: int, scores: ScoreCounts | None) -> str:
    """Return the finding of a step as Markdown; `step` is empty where the file has no scores."""
    if not step:
        if has_source(evaluation):
            return "No score of this source was counted"
        return "This file holds no scores" if evaluation.weights is None else "This file holds counts, not rows"
    if step == "classes":
        return one_vs_rest.title(evaluation)
    if not evaluation.score_codes:
        return calibration.title(evaluation, code, None)
    if scores is None:
        return "No row has a score for this class"
    title_of = {"calibration": calibration.title, "choose": choices.title, "explore": threshold.title}[step]
    return title_of(evaluation, code, scores)


def toolbar(
    evaluation: Evaluation, step: str, code: int, scores: ScoreCounts | None, lens: Evaluation, lens_code: int
) -> None:
    """Draw the row of controls: the steps, the class, and the menu of the lab.

    lens, lens_code : the evaluation that holds the scores of that class, and its code there.
    """
    offered = _available_steps(evaluation)
    with panel.toolbar("thresholds"):
        st.session_state[_STEP] = step
        st.segmented_control(
            "Step", list(offered), key=_STEP, format_func=offered.__getitem__, required=True,
            label_visibility="collapsed", on_change=lambda: url.put(tab=st.session_state[_STEP]),
        )  # fmt: skip
        of_every_class = step == "classes" or (step == "choose" and url.get("by") in ("costs", "priors"))
        of_predictions = step == "calibration" and evaluation.task == "multiclass" and url.get("cal") == "top"
        if _several(evaluation) and not of_every_class and not of_predictions:
            _choose_class(evaluation, code)
        if step == "choose":
            choices.choose_way(lens)
        if step == "explore" and scores is not None:
            threshold.more(lens, lens_code, scores)


def _choose_class(evaluation: Evaluation, code: int) -> None:
    codes = list(evaluation.score_codes)
    st.session_state[_CLASS] = code
    title = "Label" if evaluation.task == "multilabel" else "One class, one-vs-rest"
    st.selectbox(title, codes, key=_CLASS, format_func=cache.label_names(evaluation).__getitem__, width=260,
                 label_visibility="collapsed",
                 on_change=lambda: one_vs_rest.open_class(evaluation, st.session_state[_CLASS]))  # fmt: skip
