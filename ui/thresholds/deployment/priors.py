"""Say what the model does where the classes have other shares, which are typed or estimated from the scores."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.labels.costs_and_shares import read_parts, write_rows
from export.deciding.priors_result import priors_result
from export.measurement import Measurement
from export.result.kinds import Result
from ui.text.messages import remark
from ui.thresholds.deployment.number_table import edit_numbers
from ui.view import cache, measurement, url
from ui.view.data_table import draw_sentences, write_markdown
from ui.view.result_table.result_table import draw_tables

_MOST_CLASSES = 20
"""Classes whose shares are typed; more do not fit a link."""


def has_priors(evaluation: Evaluation) -> bool:
    """Return whether shares of classes can be typed here: three classes or more, each with a score."""
    return evaluation.task == "multiclass" and 3 <= evaluation.n_space == len(evaluation.score_codes) <= _MOST_CLASSES


@cache.kept(64, "Correcting the probabilities …")
def _priors_result(measured: Measurement, parts: str) -> Result:
    shares = [row / row.sum() for row in read_parts(parts)] if parts else []
    in_use, in_training = [*shares, None, None][:2]
    return priors_result(measured, in_use, in_training)


def _parts_in_view(evaluation: Evaluation) -> str:
    """Return the parts of the view; "" where it has none for so many classes."""
    text = url.get("priors")
    return text if text and read_parts(text).shape[1] == evaluation.n_space else ""


def result_in_view(evaluation: Evaluation) -> Result:
    """Return what the model does with the shares of the view; without any they are estimated."""
    return _priors_result(measurement.measure(evaluation), _parts_in_view(evaluation))


def title(evaluation: Evaluation) -> str:
    """Say in Markdown how many rows are right in use."""
    if not has_priors(evaluation):
        return "No shares of classes can be typed here"
    return write_markdown(result_in_view(evaluation).sentences[0]).removesuffix(".")


def draw(evaluation: Evaluation) -> None:
    """Draw the shares of the classes, and what follows from them."""
    if not has_priors(evaluation):
        st.markdown(
            f"Shares need three to {_MOST_CLASSES} classes, each with a score. For more classes, give `--priors` on "
            "the command line. Two classes have *As deployed*."
        )
        return
    if url.get("priors") and not _parts_in_view(evaluation):
        remark("The shares in the link are of another number of classes, so they are estimated.")
    result = result_in_view(evaluation)
    draw_sentences(result.sentences[1:])
    numbers = result.numbers.get("priors")
    with st.container(border=True):
        st.markdown("**Shares of the classes**")
        if numbers:
            _edit(evaluation, np.array([list(numbers[side].values()) for side in ("in_use", "in_training")]))
        st.caption("What you type is scaled to a sum of 1. In training: what the probabilities take for granted.")
        st.button(
            "Estimate them from the scores", key="priors.estimate", disabled=not url.get("priors"),
            on_click=lambda: url.put(priors=""),
        )  # fmt: skip
    draw_tables(result, axes={})


def _edit(evaluation: Evaluation, shares: np.ndarray) -> None:
    text = _parts_in_view(evaluation)
    parts = read_parts(text) if text else shares.round(4)
    parts = parts if len(parts) == 2 else np.stack([parts[0], shares[1].round(4)])
    names = cache.label_names(evaluation)[: evaluation.n_space]
    edit_numbers("priors", parts.T, names, ("in use", "in training"), _take_parts, of="class", least=0.0)


def _take_parts(parts: np.ndarray) -> None:
    if parts.sum(axis=0).all():
        url.put(priors=write_rows(parts.T))
