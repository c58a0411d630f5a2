"""Say how the rows of the runs were put side by side, and which of them belong together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from data.columns.column import Column
from data.columns.name_ranks import names_rows
from data.comparison.alike.reading import label_texts
from data.comparison.row_groups import EACH_ROW
from data.comparison.run_names import COLUMNS
from data.evaluation import Evaluation
from data.rows.row_table import row_numbers
from text.numbers import count
from text.visible import show
from ui.compare.run_comparison import OWN, RECALL, Compared, cluster_in_view, take_thresholds
from ui.compare.runs import Run
from ui.limits import MAX_JOIN_COLUMNS
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import cache, controls, measurement, url

_LISTED = 100


def line(compared: Compared, runs: Sequence[Run]) -> None:
    """Say in one line which rows are compared; the rows left out open below it."""
    rows = compared.aligned.rows
    joined = _are_apart(runs) or compared.aligned.how == "id"
    how = f"joined by {compared.aligned.how}" if joined else "of one file"
    facts = [f"{count(rows.joined)} {how}"]
    first = md(runs[int(url.get("like") or 0)].name, 40)
    facts += [f"{md(run.name, 40)} with the {', '.join(run.taken)} of {first}" for run in runs if run.taken]
    facts += [f"{n:,} only in {md(name, 40)}" for name, n in rows.only_in.items() if n]
    if compared.comparison.runs.cluster is not None:
        column = md(cluster_in_view(compared.aligned.evaluations), 40)
        facts.append(f"{count(int(compared.comparison.runs.cluster.max()) + 1, 'cluster')} of {column}")
    if url.get("at") != OWN and take_thresholds(compared.aligned.evaluations):
        facts.append(
            f"all runs at {'the recall' if url.get('at') == RECALL else 'the number of rows predicted positive'} of A"
        )
    differing = compared.aligned.differing
    if not compared.warnings and not len(differing):
        if len(facts) > 1 or joined:
            st.caption(" · ".join(facts))
        return
    with st.expander(" · ".join([*facts, count(len(compared.warnings), "note")])):
        for sentence in compared.warnings:
            remark(sentence)
        if len(differing):
            st.markdown("Rows whose true labels differ:")
            st.dataframe(_differing(compared, differing[:_LISTED]), hide_index=True, key="compare.differing")


def _are_apart(runs: Sequence[Run]) -> bool:
    return any(run.of is not None and run.of.kind not in COLUMNS for run in runs)


def _differing(compared: Compared, rows: np.ndarray) -> pd.DataFrame:
    """Return rows of the first run whose true labels differ in another: their numbers and the first run's label."""
    first = compared.aligned.evaluations[0]
    names = label_texts(first, truth=True, rows=rows)
    shown = {f"true label in {show(compared.names[0], 40)}": [show(name, 80) for name in names]}
    return pd.DataFrame({"row": row_numbers(first, rows), **shown})


def choose_cluster(compared: Compared) -> None:
    """Offer the columns whose values say which rows are alike."""
    first = compared.aligned.evaluations[0]
    clusters = measurement.clusters_of(first)
    names = ["", *([] if clusters is None else [EACH_ROW]), *_repeating(first)]
    if url.get("cluster") not in names and url.get("cluster") != EACH_ROW:
        names.append(url.get("cluster"))
    names_shown = {"": "every row by itself" if clusters is None else f"{show(clusters.column, 50)}, as found"}
    names_shown[EACH_ROW] = "every row by itself"
    if len(names) > 1:
        controls.choose_of_many(
            "cluster", "Rows that belong together", names, lambda name: names_shown.get(name) or show(name, 60)
        )


@cache.kept(32)
def _repeating(evaluation: Evaluation) -> list[str]:
    """Return the columns whose values repeat, without those of the numbers."""
    made_of = ("truth", "prediction", "score", "highest score", "rows per line")
    roles = {role.column for role in evaluation.receipt.roles if role.role.startswith(made_of)}
    repeating = []
    for name in evaluation.rows.column_names:
        column = Column(evaluation.rows, name)
        n_values = len(column.sample.values)
        if name not in roles and not column.is_continuous and 1 < n_values <= len(column.sample.codes) / 2:
            repeating.append(name)
    return repeating[:MAX_JOIN_COLUMNS]


def choose_key(runs: Sequence[Run]) -> None:
    """Offer the columns that every run has, to join on; nothing for columns of one file."""
    evaluations = [run.evaluation for run in runs if run.evaluation is not None]
    if not _are_apart(runs) or len(evaluations) < 2:
        return
    in_all = set.intersection(*(set(evaluation.rows.column_names) for evaluation in evaluations))
    shared = [name for name in evaluations[0].rows.column_names if name in in_all]
    shared.sort(key=lambda name: not names_rows(name))
    if shared:
        controls.choose_of_many(
            "join",
            "Join on",
            ["", *shared[:MAX_JOIN_COLUMNS]],
            lambda name: show(name, 60) if name else "automatic",
        )
