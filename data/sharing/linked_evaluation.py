"""Open the evaluation of a shared link as its first view shows it: its rows, and the thresholds in use."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from data.building.rescoring import with_label_thresholds, with_threshold
from data.comparison.filter_conditions import filter_rows, read_filter
from data.comparison.judge_evaluation import judged_evaluation, read_judged
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs.load import read_link_draft
from data.runs.understanding import open_draft
from data.runs.written_options import read_each
from data.store.links import Link


def open_linked(link: Link, link_id: str) -> Evaluation:
    """Return the evaluation that a shared link opens, at its first view.

    Raises
    ------
    DataError
        the columns have to be chosen first, the tables are gone, or the view does not fit them.
    """
    evaluation = open_draft(read_link_draft(link, link_id))
    return view_evaluation(evaluation, link.views[0].query if link.views else {})


def view_evaluation(evaluation: Evaluation, query: Mapping[str, str]) -> Evaluation:
    """Return the rows that a view's query chooses, predicted at its thresholds.

    Raises
    ------
    DataError
        the query does not fit the evaluation.
    """
    try:
        if query.get("judged"):
            evaluation = judged_evaluation(evaluation, read_judged(query["judged"]))
        return _at_thresholds(filter_rows(evaluation, read_filter(query.get("filter", ""))), query)
    except DataError:
        raise
    except ValueError as error:
        raise DataError(f"The view of this link cannot be used: {error}.") from None


def _at_thresholds(evaluation: Evaluation, query: Mapping[str, str]) -> Evaluation:
    if evaluation.y_score is None or evaluation.task == "multiclass":
        return evaluation
    given = float(query["t"]) if query.get("t") else None
    each = read_each(query.get("each", ""), evaluation) if evaluation.task == "multilabel" else {}
    if each:
        others = evaluation.effective_threshold if given is None else given
        thresholds = np.array([each.get(code, others) for code in evaluation.score_codes])
        return evaluation if np.isnan(thresholds).any() else with_label_thresholds(evaluation, thresholds)
    return evaluation if given is None or math.isnan(given) else with_threshold(evaluation, given)
