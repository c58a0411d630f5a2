"""The epochs of a training: which one is in view, and how the metrics went."""

from __future__ import annotations

import dataclasses
import math

import pandas as pd
import streamlit as st

from charts.run_curves import epochs_figure
from charts.theme import picture_button
from data.comparison.row_groups import clusters_in_use
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import draft_changes, load
from data.runs.epochs import epochs_asked
from export.compare.epochs import EpochMetric, Epochs, epochs_of
from text.numbers import count, number
from ui.person import people
from ui.text.messages import refuse
from ui.view import open_runs, url
from ui.view.data_table import table_twin

BOX = "epochs.box"


@st.cache_resource(show_spinner="Counting the epochs …", max_entries=16)
def _find_epochs(key: str, cluster: str | None, _draft: load.Draft) -> Epochs:
    return epochs_of(_draft, cluster)


def section(evaluation: Evaluation) -> None:
    """Draw the chooser of the epoch and the metrics over epochs; nothing where the file holds no training."""
    draft = open_runs.draft(url.get("run"))
    names, only = epochs_asked(draft), evaluation.settings.only
    if not names or only is None:
        return
    settings = dataclasses.replace(draft.settings, only=None)
    groups = clusters_in_use(evaluation)
    cluster = None if groups is None else groups.column
    epochs = _find_epochs(f"{draft.data_ids} {draft.given.key} {draft.given.repeated} {settings}", cluster, draft)
    with st.container(key="epochs", border=True):
        head = next((metric for metric in epochs.metrics if metric.best is not None), None)
        left, right = st.columns([4, 1], vertical_alignment="bottom")
        with left, st.container(gap="xxsmall"):
            st.markdown(f"## {_title(epochs, head)}")
            if head is not None:
                st.caption(f"{_bias(head)} A star marks the best epoch of a metric, the dotted line the one in view.")
        if people.may_change():
            with right:
                _chooser(names, only[1])
        drawn = [(metric.title, metric.values, metric.best) for metric in epochs.metrics]
        figure = epochs_figure(epochs.names, drawn, only[1])
        st.plotly_chart(figure, key="epochs.chart", config=picture_button("metrics of each epoch"))
        if any(url.get(name) for name in ("t", "each", "filter")):
            st.caption("The chart counts every row as the file predicts it, without filter and thresholds.")
        if not epochs.same_rows:
            st.caption(_rows_differ(epochs))
        if epochs.missing:
            st.caption(f"No row can be scored in epoch {', '.join(epochs.missing)}; it is not drawn.")
        table_twin(_table(epochs), "epochs")


def _title(epochs: Epochs, head: EpochMetric | None) -> str:
    """Say which epoch is best, and how far the last one is from it."""
    if head is None or head.best is None:
        return f"{len(epochs.names)} epochs, and no metric is defined in any"
    best, last = number(float(head.values[head.best])), number(float(head.values[-1]))
    if head.best == len(epochs.names) - 1:
        return f"{head.title} is best at the last epoch: {best}"
    return (
        f"{head.title} is best at epoch {epochs.names[head.best]} of {len(epochs.names)}: {best}; the last has {last}"
    )


def _rows_differ(epochs: Epochs) -> str:
    """Say that epochs are judged on rows of their own."""
    n = sorted(set(epochs.n_scored))
    rows = count(n[0]) if len(n) == 1 else f"{n[0]:,} to {count(n[-1])}"
    return f"The epochs were scored on different rows ({rows} each), so a difference may come from the rows."


def _bias(head: EpochMetric) -> str:
    """Say what the best epoch is worth on rows that did not choose it."""
    if math.isnan(head.on_other_rows):
        return "The best epoch was chosen on these same rows. Expect slightly worse on new data."
    worth, here = number(head.on_other_rows), number(float(head.values[head.best or 0]))
    if worth == here:
        return f"The best epoch was chosen on these same rows. On held-out rows it has {worth}, too."
    return f"The best epoch was chosen on these same rows. Expect about {worth} on new data, not {here}."


def _chooser(names: tuple[str, ...], chosen: str) -> None:
    """Choose the epoch that every page shows."""
    st.session_state.setdefault(BOX, chosen)
    if st.session_state[BOX] not in names:
        st.session_state[BOX] = chosen
    st.selectbox("Epoch in view", names, key=BOX, on_change=_switch)


def _switch() -> None:
    try:
        open_runs.open_run(draft_changes.answer(url.get("run"), st.session_state[BOX]))
    except DataError as error:
        refuse(str(error))


def _table(epochs: Epochs) -> pd.DataFrame:
    """Return a line an epoch, and one of the best on other rows."""
    frame = pd.DataFrame({"epoch": [*epochs.names, "best, on held-out rows"]})
    for metric in epochs.metrics:
        frame[metric.title] = [*metric.values.tolist(), metric.on_other_rows]
    return frame
