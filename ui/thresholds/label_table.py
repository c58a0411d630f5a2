"""The best threshold of every class of a counted source, and the best one for all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import streamlit as st

from data.columns.counted_metadata import read_counted
from data.errors import DataError
from data.evaluation import Evaluation
from export.result.frame import to_frame
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


class BestThresholds(NamedTuple):
    """The best threshold of every label that has one, the best one for all, and the macro F1 of each choice.

    for_all, f1_for_all, f1_each : NaN where no label has one. n_true : labels with true rows.
    table : a line for each label.
    """

    each: dict[str, float]
    for_all: float
    f1_each: float
    f1_for_all: float
    n_true: int
    table: Table


NONE = BestThresholds({}, math.nan, math.nan, math.nan, 0, Table("label-thresholds", "", (), ()))


def section(evaluation: Evaluation, codes: tuple[int, ...]) -> None:
    """Draw the thresholds of several labels a row, by their counts alone."""
    st.header("One threshold for all labels, or one for each")
    best = best_thresholds(evaluation, codes)
    if isinstance(best, DataError):
        remark(str(best))
        return
    if np.isnan(best.for_all):
        st.info("No row with a score has a true label, so no threshold is better than another.")
        return
    st.markdown(
        f"A threshold for each label gives macro F1 **{number(best.f1_each)}**; the best one for all, "
        f"**{write_threshold(best.for_all)}**, gives **{number(best.f1_for_all)}**. Macro F1 is the mean over "
        f"{count(best.n_true, 'label')} with true rows."
    )
    result_table(best.table, key="counted.thresholds")
    download(to_frame(best.table), "label_thresholds")
    counted = read_counted(evaluation.rows)
    no_effect = (
        "" if counted is not None and counted.cuts else " Predictions come from your source, so these change none."
    )
    st.caption(f"Each is chosen and judged on the same rows: expect slightly worse on new data.{no_effect}")


@cache.kept(16, "Looking for the best thresholds …")
def best_thresholds(evaluation: Evaluation, codes: tuple[int, ...]) -> BestThresholds | DataError:
    """Return the best thresholds on these rows, or why looking for them was stopped.

    codes : the labels with scores, which are counted apart from the evaluation.
    """
    return cache.result_or_reason("Looking for the best thresholds", lambda report: _choose(evaluation, codes, report))


def _choose(evaluation: Evaluation, codes: tuple[int, ...], report: cache.Report) -> BestThresholds:
    source_scores = scores_in_view(evaluation)
    assert source_scores is not None
    labels = [evaluation.labels[code] for code in codes]
    one_vs_rest = [one_class(evaluation, source_scores, label) for label in labels]
    counts = tuple(filter(None, (count_scores(of_class, 1) for of_class in one_vs_rest)))  # all of them have scores
    # true rows, with a score or not
    support = np.array([of_class.rows_per_line[of_class.y_true == 1].sum() for of_class in one_vs_rest])
    scores = LabelScores(counts, support, np.zeros(0, np.int64))
    best, for_all = best_each(scores), plain_for_all(scores, "macro", report=report)
    thresholds = plain_each(scores)
    at_one = [_f1_at(of_class, n, for_all.threshold) for of_class, n in zip(counts, support.tolist(), strict=True)]
    columns = (
        Column("label", Label), Column("true rows", Count), Column("its best threshold", Threshold),
        Column("F1 at its best", Number, is_drawn=True),
        Column(f"F1 at {write_threshold(for_all.threshold)}", Number, is_drawn=True),
    )  # fmt: skip
    cells: list[Iterable[Cell]] = [
        map(Label, labels), map(Count, support.tolist()), write_cells(thresholds), map(Number, best.f1.tolist()),
        map(Number, at_one),
    ]  # fmt: skip
    f1_of_each = np.nan_to_num(best.f1)[support > 0]  # 0 where no true row has a score: no threshold finds one
    return BestThresholds(
        each={label: score for label, score in zip(labels, thresholds.tolist(), strict=True) if math.isfinite(score)},
        for_all=for_all.threshold,
        f1_each=float(f1_of_each.mean()) if len(f1_of_each) else math.nan,
        f1_for_all=for_all.value,
        n_true=int((support > 0).sum()),
        table=Table("label-thresholds", "Every label's threshold", columns, list(zip(*cells, strict=True)), "label"),
    )


def _f1_at(counts: ScoreCounts, n_true: int, threshold: float) -> float:
    if not n_true or np.isnan(threshold):
        return math.nan
    tp, fp = counts.at(threshold)
    return float(2 * tp / (tp + fp + n_true))
