"""Choose by a table of costs, which is typed; beside it stands what predictions cost, and what least cost changes."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.labels.costs_and_shares import read_costs, write_rows
from export.deciding.cost_result import costs_result
from export.measurement import Measurement
from export.result.kinds import Result
from ui.text.messages import remark
from ui.thresholds.deployment.number_table import edit_numbers
from ui.view import cache, measurement, url
from ui.view.data_table import draw_sentences, write_markdown
from ui.view.result_table.result_table import draw_tables

_MOST_CLASSES = 20
"""Classes whose costs are typed; a larger table does not fit a link."""


def costs_in_view(evaluation: Evaluation) -> np.ndarray:
    """Return the costs of the view, float64 (K, K); where it has none for so many classes, every mistake costs 1."""
    text = url.get("costs")
    costs = read_costs(text) if text else np.zeros((0, 0))
    return costs if len(costs) == evaluation.n_space else 1.0 - np.eye(evaluation.n_space)


def has_costs(evaluation: Evaluation) -> bool:
    """Return whether predictions can have costs here: one label a row, and few enough classes to type them."""
    return evaluation.task != "multilabel" and evaluation.has_predictions and evaluation.n_space <= _MOST_CLASSES


@cache.kept(64)
def _costs_result(measured: Measurement, costs: str) -> Result:
    return costs_result(measured, read_costs(costs))


def result_in_view(evaluation: Evaluation) -> Result:
    """Return what predictions cost by the costs of the view."""
    return _costs_result(measurement.measure(evaluation), write_rows(costs_in_view(evaluation)))


def title(evaluation: Evaluation) -> str:
    """Say in Markdown what a row costs."""
    if not has_costs(evaluation):
        return "No table of costs can be typed here"
    return write_markdown(result_in_view(evaluation).sentences[0]).removesuffix(".")


def draw(evaluation: Evaluation) -> None:
    """Draw the table of costs, and what follows from it."""
    if not has_costs(evaluation):
        st.markdown(
            f"Costs need one predicted label in each row, and at most {_MOST_CLASSES} classes. For more classes, give "
            "`--costs FILE.csv` on the command line."
        )
        return
    if url.get("costs") and len(read_costs(url.get("costs"))) != evaluation.n_space:
        remark("The costs in the link are of another number of classes, so every mistake costs 1.")
    result = result_in_view(evaluation)
    draw_sentences(result.sentences[1:])
    with st.container(border=True):
        st.markdown("**Cost of each pair: true class, predicted as**")
        _edit(evaluation)
        if not url.get("costs"):
            st.caption("Every mistake costs 1 until you type other costs. A cost below 0 is a gain.")
    draw_tables(result)


def _edit(evaluation: Evaluation) -> None:
    names = cache.label_names(evaluation)[: evaluation.n_space]
    edit_numbers("costs", costs_in_view(evaluation), names, names, _take_costs, of="true class")


def _take_costs(costs: np.ndarray) -> None:
    url.put(costs=write_rows(costs))
