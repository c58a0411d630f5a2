"""A source with a score for every class: have the engine count them, and look at one of them against the rest."""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np
import streamlit as st

from data.columns.counted_metadata import read_counted
from data.errors import DataError
from data.evaluation import Evaluation, default_threshold
from data.runs.class_scores.counting import can_count_classes
from data.runs.source_rows import has_source
from text.numbers import count, number, write_threshold
from ui.frame.heading import heading
from ui.open import source_split
from ui.person import people
from ui.thresholds import label_table
from ui.thresholds.class_scores import one_class, scores_in_view

_EACH = "the best for each label"


def with_codes(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation with the codes of the classes whose scores an engine counted; itself without any."""
    scores = scores_in_view(evaluation)
    if scores is None:
        return evaluation
    fingerprint = hashlib.sha256(f"{evaluation.fingerprint} {scores.labels} {scores.classes}".encode()).hexdigest()
    codes = sorted(map(evaluation.labels.index, scores.classes))
    return dataclasses.replace(evaluation, score_codes=tuple(codes), fingerprint=fingerprint)


def against_rest(evaluation: Evaluation, code: int) -> tuple[Evaluation, int]:
    """Return the evaluation that holds the scores of a class, and its code there."""
    scores = scores_in_view(evaluation)
    if scores is None:
        return evaluation, code
    return one_class(evaluation, scores, evaluation.labels[code]), 1


def offer_count(evaluation: Evaluation) -> bool:
    """Offer to count the scores of every class, or show how far that is; return whether they are still to be counted.

    evaluation : as `with_codes` gives it.
    """
    counted = read_counted(evaluation.rows)
    if counted is None or not can_count_classes(evaluation) or evaluation.score_codes:
        return False
    head = st.container()
    if source_split.wait():
        with head:
            heading("The scores of the source are being counted")
        return True
    noun = evaluation.class_noun
    classes = count(len(counted.class_scores), noun)
    heading(f"The scores of {classes} were not counted yet")
    if evaluation.filtered is not None:
        st.markdown("Scores are counted over all rows of the source. Remove the filter to see their curves.")
    elif not has_source(evaluation):
        st.markdown("The source of these counts is not named here, so its scores cannot be counted.")
    elif not people.may_change():
        st.markdown("Only people who may open files here have a source counted.")
    else:
        st.markdown(
            f"The engine counts each {noun} against the rest, one score column after the other. It shows how far it is."
        )
        st.button(f"Count the scores of {classes}", type="primary", icon=":material/functions:", key="source.classes",
                  on_click=source_split.begin_classes)  # fmt: skip
    return True


def offer_thresholds(evaluation: Evaluation) -> None:
    """Offer to predict the labels of a counted source by other thresholds; nothing where scores do not predict.

    evaluation : as `with_codes` gives it.
    """
    counted, scores = read_counted(evaluation.rows), scores_in_view(evaluation)
    if counted is None or scores is None or not counted.cuts or not (has_source(evaluation) and people.may_change()):
        return
    if source_split.wait():
        return
    best = label_table.best_thresholds(evaluation, evaluation.score_codes)
    if isinstance(best, DataError):
        best = label_table.NONE
    labels = dict(zip(scores.columns, scores.classes, strict=True))
    in_use = {column: one_class(evaluation, scores, label).effective_threshold for column, label in labels.items()}
    offered: dict[str, dict[str, float]] = {}  # {title: {score column: threshold}}
    for threshold in (default_threshold(scores.scale), best.for_all):
        if np.isfinite(threshold):
            offered[f"{write_threshold(threshold)} for all"] = dict.fromkeys(dict(counted.class_scores), threshold)
    if best.each:
        offered[_EACH] = {column: best.each.get(label, in_use[column]) for column, label in labels.items()}
    with st.container(border=True):
        st.markdown(_say_thresholds(min(in_use.values()), max(in_use.values())))
        with st.container(horizontal=True):
            for title, thresholds in offered.items():
                _draw_offer(title, thresholds, in_use)
        gain = ""
        if best.each and np.isfinite(best.for_all):
            gain = (
                f"Macro F1 on these rows: **{number(best.f1_each)}** by the best for each label, "
                f"**{number(best.f1_for_all)}** by {write_threshold(best.for_all)} for all. "
            )
        st.caption(f"{gain}The engine counts all rows again, by these thresholds.")


def _draw_offer(title: str, thresholds: dict[str, float], in_use: dict[str, float]) -> None:
    """Draw the button that has the source counted by thresholds; both are {score column: threshold}."""
    same = all(np.isclose(thresholds[column], in_use[column], rtol=1e-12, atol=0) for column in in_use)
    st.button(
        f"In use: {title}" if same else f"Use {title}", key=f"source.thresholds.{title}", disabled=same,
        on_click=source_split.begin_by_thresholds, args=(tuple(thresholds.items()),),
    )  # fmt: skip


def _say_thresholds(low: float, high: float) -> str:
    """Say at which scores labels are predicted: at one threshold, or at those from the lowest to the highest."""
    if low == high:
        return f"Every page predicts a label where its score is at least **{write_threshold(low)}**."
    return (
        "Every page predicts a label where its score is at least its own threshold, from "
        f"**{write_threshold(low)}** to **{write_threshold(high)}**."
    )
