"""The best threshold of every class of a counted source, and the best one for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from data.columns.table_metadata import read_counted
from data.errors import DataError
from data.evaluation import Evaluation
from export.result.kinds import Cell, Column, Count, Label, Number, Table, Threshold
from metrics.findings.tables import count_scores
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.label_thresholds import LabelScores, best_each, plain_each, plain_for_all
from text.numbers import count, number, write_threshold
from ui.text.messages import remark
from ui.thresholds.class_scores import one_class, scores_in_view
from ui.thresholds.label_choices import write_cells
from ui.view import cache
from ui.view.data_table import download
from ui.view.result_table.result_table import result_table


def section(evaluation: Evaluation, codes: tuple[int, ...]) -> None:
    """Draw the thresholds of several labels a row, by their counts alone."""
    st.header("One threshold for all labels, or one for each")
    best = _find(evaluation, codes)
    if isinstance(best, DataError):
        remark(str(best))
        return
    frame, for_all, each = best
    if np.isnan(for_all[0]):
        st.info("No row with a score has a true label, so no threshold is better than another.")
        return
    st.markdown(
        f"A threshold for each label gives macro F1 **{number(each)}**; the best one for all, "
        f"**{write_threshold(for_all[0])}**, gives **{number(for_all[1])}**. Macro F1 is the mean over "
        f"{count(int((frame['true rows'] > 0).sum()), 'label')} with true rows."
    )
    table = tabulate(frame)
    result_table(table, key="counted.thresholds")
    download(frame, "label_thresholds")
    counted = read_counted(evaluation.rows)
    no_effect = (
        "" if counted is not None and counted.cuts else " Predictions come from your source, so these change none."
    )
    st.caption(f"Each is chosen and judged on the same rows: expect slightly worse on new data.{no_effect}")


def tabulate(frame: pd.DataFrame) -> Table:
    """Return the lines of `_choose` as cells."""
    label, true_rows, best, *f1 = frame
    columns = (
        Column(label, Label), Column(true_rows, Count), Column(best, Threshold),
        *(Column(name, Number, is_drawn=True) for name in f1),
    )  # fmt: skip
    cells: list[Sequence[Cell]] = [
        list(map(Label, frame[label])),
        list(map(Count, frame[true_rows].tolist())),
        write_cells(frame[best].to_numpy()),
        *(list(map(Number, frame[name].tolist())) for name in f1),
    ]
    return Table("label-thresholds", "Every label's threshold", columns, list(zip(*cells, strict=True)), "label")


class BestThresholds(NamedTuple):
    """The best threshold of every label that has one, the best one for all, and the macro F1 of each choice.

    Without any, `each` is empty and the numbers are NaN.
    """

    each: dict[str, float]
    for_all: float
    f1_each: float
    f1_for_all: float


def best_thresholds(evaluation: Evaluation) -> BestThresholds:
    """Return the best thresholds of the labels, and the macro F1 that they reach on these rows."""
    best = _find(evaluation, evaluation.score_codes)
    if isinstance(best, DataError):
        return BestThresholds({}, float("nan"), float("nan"), float("nan"))
    frame, for_all, f1_each = best
    each = zip(frame["label"], frame["its best threshold"], strict=True)
    return BestThresholds(
        {label: float(threshold) for label, threshold in each if np.isfinite(threshold)},
        for_all[0],
        f1_each,
        for_all[1],
    )


@cache.kept(16, "Looking for the best thresholds …")
def _find(
    evaluation: Evaluation, codes: tuple[int, ...]
) -> tuple[pd.DataFrame, tuple[float, float], float] | DataError:
    """Return the best thresholds; codes : the labels with scores, which are counted apart from the evaluation."""
    return cache.result_or_reason("Looking for the best thresholds", lambda report: _choose(evaluation, codes, report))


def _choose(
    evaluation: Evaluation, codes: tuple[int, ...], report: cache.Report
) -> tuple[pd.DataFrame, tuple[float, float], float]:
    source_scores = scores_in_view(evaluation)
    assert source_scores is not None
    each_class = [one_class(evaluation, source_scores, evaluation.labels[code]) for code in codes]
    counts = tuple(
        counts_of_class for each in each_class if (counts_of_class := count_scores(each, 1)) is not None
    )  # they all have scores
    support = np.array(
        [of_class.rows_per_line[of_class.y_true == 1].sum() for of_class in each_class]
    )  # with a score or not
    scores = LabelScores(counts, support, np.zeros(0, np.int64))
    each, best = best_each(scores), plain_for_all(scores, "macro", report=report)
    frame = pd.DataFrame({
        "label": [evaluation.labels[code] for code in codes],
        "true rows": support,
        "its best threshold": plain_each(scores),
        "F1 at its best": each.f1,
        f"F1 at {write_threshold(best.threshold)}": [
            _f1_at(scores, n, best.threshold) for scores, n in zip(counts, support.tolist(), strict=True)
        ],
    })  # fmt: skip
    f1_of_each = np.nan_to_num(each.f1)[support > 0]  # 0 where no true row has a score: no threshold finds one
    return frame, (best.threshold, best.value), float(f1_of_each.mean()) if len(f1_of_each) else float("nan")


def _f1_at(counts: ScoreCounts, n_true: int, threshold: float) -> float:
    if not n_true or np.isnan(threshold):
        return float("nan")
    tp, fp = counts.at(threshold)
    return float(2 * tp / (tp + fp + n_true))
