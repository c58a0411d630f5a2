"""Find the worst slices, gap and calibration for Overview and Export, from the results that the pages keep."""

from __future__ import annotations

import streamlit as st

from data.comparison.slice_columns import other_columns
from data.evaluation import Evaluation
from export.by_slice.worst_parts import choose_worst_parts
from metrics.findings.calibration import find_worst_calibrated
from metrics.findings.worst_parts import NO_PARTS, WorstParts
from metrics.limits import MAX_LABELS_IN_GROUPS
from ui.slices import search_cache
from ui.view import cache, measurement

_AT_ONCE = 200_000
"""Cells of columns to slice by that are searched before the page is drawn: about a tenth of a second."""


@cache.kept(64)
def _found(evaluation: Evaluation, level: float) -> list[WorstParts]:
    """Return a list that holds the result once it is known."""
    return []


def known_parts(evaluation: Evaluation) -> WorstParts | None:
    """Return what is worst; None where finding it takes so long that the page goes first."""
    known = _found(evaluation, measurement.level())
    few = evaluation.n_lines * _count_columns(evaluation) <= _AT_ONCE
    return known[0] if known else worst_parts(evaluation) if few else None


def _count_columns(evaluation: Evaluation) -> int:
    """Return the columns that are searched: those to slice by, each for every label, and the labels' scores."""
    columns = len(other_columns(evaluation))
    if evaluation.task != "multilabel":
        return columns
    return columns * (1 + min(len(evaluation.labels), MAX_LABELS_IN_GROUPS)) + len(evaluation.score_codes)


def worst_parts(evaluation: Evaluation) -> WorstParts:
    """Return the worst slices, the largest gap and the worst calibrated label, from what the pages keep."""
    known = _found(evaluation, measurement.level())
    if not known:
        known.append(_find(evaluation))
    return known[0]


def _find(evaluation: Evaluation) -> WorstParts:
    if not evaluation.has_predictions or not evaluation.n_scored:
        return NO_PARTS
    columns = search_cache.sliceable(evaluation)
    parts = _choose_parts(evaluation) if columns.ways else NO_PARTS
    calibration = find_worst_calibrated(evaluation, cache.KEPT)
    return parts._replace(calibration=calibration, not_searched=columns.why_derived)


def _choose_parts(evaluation: Evaluation) -> WorstParts:
    return choose_worst_parts(
        evaluation,
        search_cache.groups_in_view(evaluation),
        lambda metric, code: search_cache.search(evaluation, metric, code),
        lambda column, code: search_cache.group_rates(evaluation, column, code),
        measurement.level(),
    )


def complete(evaluation: Evaluation, known: WorstParts | None) -> None:
    """Find what the page was drawn without, and draw it again; nothing where it is known."""
    if known is None:
        st.container(key="progress-slices").caption("Comparing the slices and groups of all columns …")
        worst_parts(evaluation)
        st.rerun()
