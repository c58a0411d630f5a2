"""The rule that leaves uncertain rows undecided (reject option): two thresholds, and what is decided beyond them."""

from __future__ import annotations

import math
from functools import partial

import pandas as pd
import streamlit as st

from charts.reject_option import coverage_accuracy_figure
from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.selection import ScoreRange, Which
from export.cells import row_weights
from export.deciding.risk_result import risk_result
from export.result.kinds import Result
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.cross_validation import describe_folds
from metrics.thresholds.reject_option import (
    Band,
    FittedBand,
    Frontier,
    band_at,
    best_band,
    fitted_band,
    frontier,
    widest_below,
)
from metrics.thresholds.rule_in_force import usable_threshold
from text.numbers import column_format, count, number, write_amount, write_threshold
from ui.rows.row_choice import link_to_rows
from ui.text.chart import draw_chart
from ui.text.markdown import percent
from ui.text.messages import remark
from ui.text.tile import tile, tile_row
from ui.thresholds.rule_inputs import draw_number
from ui.thresholds.rule_sentences import UNKNOWN_ON_NEW_DATA, say_rows
from ui.view import cache, measurement, state, url
from ui.view.cache import result_or_reason
from ui.view.data_table import draw_sentences, table_twin
from ui.view.result_table.result_table import draw_tables

FIRST_COVERAGE = 0.9
"""Share of the rows that is decided when the rule is chosen."""

_COVERAGE, _LOW, _HIGH = "abstain.coverage", "abstain.low", "abstain.high"


@cache.kept(32)
def _frontier(evaluation: Evaluation, code: int, _scores: ScoreCounts) -> Frontier:
    return frontier(_scores)


@cache.kept(256)
def _best_band(evaluation: Evaluation, code: int, coverage: float, _scores: ScoreCounts) -> Band:
    return best_band(_scores, coverage)


@cache.kept(256, "Judging the two thresholds on other rows …")
def _fitted_band(evaluation: Evaluation, code: int, coverage: float) -> FittedBand | DataError:
    rows = measurement.measure(evaluation).by_row.scores_of(code)
    assert rows is not None  # only a class with scores has a band
    fit = partial(fitted_band, rows, coverage, weights=row_weights(evaluation, code))
    return result_or_reason("Judging the two thresholds on other rows", lambda report: fit(report=report))


def switch_on(scores: ScoreCounts, high: float) -> None:
    """Put a lower threshold into the view, below which as many rows are decided as at first."""
    url.put(low=usable_threshold(scores, widest_below(scores, high, FIRST_COVERAGE).low))


def _band_in_view(evaluation: Evaluation, code: int, scores: ScoreCounts) -> Band:
    high = state.threshold_of(evaluation, code)
    if url.get("low") is None:  # the rule came with a link that has no second threshold
        switch_on(scores, high)
    return band_at(scores, min(float(url.get("low")), high), high)


def title(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Say what leaving the rows between the two thresholds undecided does to accuracy."""
    band = _band_in_view(evaluation, code, scores)
    every = band_at(scores, band.high, band.high)
    if math.isnan(band.accuracy):
        return "Every row is left undecided"
    if not band.n_open:
        return f"No row is left undecided: {percent(band.accuracy)} are right"
    undecided, of = write_amount(band.n_open * scores.unit), say_rows(scores.n, scores)
    by = "" if evaluation.units is None else ", by weight"
    return (
        f"With {undecided} of {of} undecided, {percent(band.accuracy)} of the others are right, "
        f"not {percent(every.accuracy)}{by}"
    )


def choose_band(evaluation: Evaluation, code: int, scores: ScoreCounts) -> Band:
    """Draw the coverage and both thresholds; return the band between them."""
    high, low = state.threshold_of(evaluation, code), url.get("low")
    if low is not None and low > high:
        remark(
            f"The lower threshold {write_threshold(low)} is above the upper one, {write_threshold(high)}: no row is "
            "undecided until it is below.",
            "info",
        )
    band = _band_in_view(evaluation, code, scores)
    _thresholds(evaluation, code, scores, band)
    if state.sets_all_pages(evaluation):
        st.caption("Both thresholds are in use at once. On other pages an undecided row counts as negative.")
    _say_new_data(evaluation, code, band)
    _better(evaluation, code, scores, band)
    return band


def _put(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    url.put(low=usable_threshold(scores, band.low))
    state.put_threshold(evaluation, code, usable_threshold(scores, band.high))


def _thresholds(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    """Draw the coverage as a slider, and both thresholds to type."""
    st.session_state[_COVERAGE] = _whole_percent(band)
    st.session_state[_LOW], st.session_state[_HIGH] = float(band.low), float(band.high)

    def cover() -> None:
        share = st.session_state[_COVERAGE] / 100
        _put(evaluation, code, scores, _best_band(evaluation, code, share, scores))

    def type_in() -> None:
        url.put(low=min(st.session_state[_LOW], st.session_state[_HIGH]))
        state.put_threshold(evaluation, code, float(st.session_state[_HIGH]))

    st.slider("Decide at least … % of the rows, with the fewest errors", 0, 100, key=_COVERAGE, on_change=cover,
              help="Finds the best pair of thresholds among all distinct scores.")  # fmt: skip
    low, high = st.columns(2)
    low.number_input("Negative below", key=_LOW, on_change=type_in, step=None,
                     format=column_format([band.low]))  # fmt: skip
    high.number_input("Positive from", key=_HIGH, on_change=type_in, step=None,
                      format=column_format([band.high]))  # fmt: skip


def show_effect(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    """Draw what is decided and how much of it is right, and the accuracy of the best pair at every coverage."""
    all_decided = band_at(scores, band.high, band.high)
    best = _frontier(evaluation, code, scores)
    _tiles(band, all_decided, scores)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(words(band, scores))
        if band.n_open:
            which = Which(only="scored", score=ScoreRange(code, band.low, band.high))
            n_rows = band_at(cache.scores(evaluation, code) or scores, band.low, band.high).n_open
            link_to_rows(evaluation, which, f"Show the {count(n_rows, 'undecided row')}", key="abstain.rows")
    draw_chart(coverage_accuracy_figure(best, band, all_decided), "abstain.curve")
    frame = pd.DataFrame(best._asdict())[["low", "high", "coverage", "accuracy"]]
    table_twin(frame, "abstain_bands", "The best pairs of thresholds as a table")


_risk_result = cache.kept(64)(risk_result)


def has_risk(evaluation: Evaluation) -> bool:
    """Return whether predictions of one label a row can be left to people."""
    return evaluation.task != "multilabel" and evaluation.has_predictions


def risk_in_view(evaluation: Evaluation) -> Result:
    """Return which predictions are left to people by the risk of the view."""
    return _risk_result(measurement.measure(evaluation), url.get("risk"), url.get("perday"))


def draw_predictions(evaluation: Evaluation) -> None:
    """Draw which predictions, of whatever class, are sure enough; nothing where rows have several labels."""
    if not has_risk(evaluation):
        return
    result = risk_in_view(evaluation)
    st.markdown("**Whatever the class: leave the least confident predictions to people**")
    with st.container(horizontal=True):
        draw_number("risk", "Wrong among the decided rows, at most, in %", 0.0, 1.0, 1.0, factor=100)
        draw_number("perday", "Rows a day", 0.0, 1e12, None, empty="as in this file")
    draw_sentences(result.sentences)
    draw_tables(result)


def _whole_percent(band: Band) -> int:
    """Return the coverage as the slider says it; 0 without rows."""
    return 0 if math.isnan(band.coverage) else math.floor(100 * band.coverage + 1e-9)


def _tiles(band: Band, all_decided: Band, scores: ScoreCounts) -> None:
    with tile_row("abstain"):
        tile("Decided", percent(band.coverage), f"{say_rows(band.n_open, scores)} undecided")
        tile("Right of those", percent(band.accuracy), f"All decided: {percent(all_decided.accuracy)}")
        tile("Precision", number(band.precision), f"All decided: {number(all_decided.precision)}")
        tile("Recall", number(band.recall), f"All decided: {number(all_decided.recall)}",
             "Of the decided positives; undecided rows are left out.")  # fmt: skip


def words(band: Band, scores: ScoreCounts) -> str:
    """Say what a pair of thresholds does."""
    low, high = write_threshold(band.low), write_threshold(band.high)
    if not band.n_open:
        return f"No row has a score from {low} up to {high}: all {write_amount(scores.n * scores.unit)} are decided."
    undecided, amounts = say_rows(band.n_open, scores), (band.open_pos, band.open_neg, band.decided)
    positive, negative, decided = (write_amount(n * scores.unit) for n in amounts)
    wrong = f"{say_rows(band.fp, scores, 'false positive')} and {say_rows(band.fn, scores, 'false negative')}"
    return (
        f"Scores from **{low}** up to **{high}** are undecided: **{undecided}**, of which {positive} positive and "
        f"{negative} negative. The {decided} decided have {wrong}."
    )


def _say_new_data(evaluation: Evaluation, code: int, band: Band) -> None:
    """Say what the pair found for this coverage gives on rows that took no part in finding it."""
    share = _whole_percent(band)
    seen = _fitted_band(evaluation, code, share / 100)
    if isinstance(seen, DataError):
        remark(str(seen))
        return
    how = None if math.isnan(seen.accuracy) else f"Estimated by {describe_folds(*seen[3:])}."
    st.markdown(f":blue[:material/info:] {say_new_data(share, seen)}", help=how)


def say_new_data(share: int, seen: FittedBand) -> str:
    """Say what the best pair of thresholds for a coverage gives on new data; `share` decided, in per cent.

    >>> say_new_data(90, FittedBand(0.99, 0.98, 0.901, 5, 1, 0))[:46]
    'Expect slightly worse on new data. There the b'
    """
    if math.isnan(seen.accuracy):
        return UNKNOWN_ON_NEW_DATA
    much = "about the same" if percent(seen.accuracy) == percent(seen.apparent) else "slightly worse"
    much = "worse" if seen.apparent - seen.accuracy >= 0.05 else much
    there = f"{percent(seen.coverage)} of the rows, and {percent(seen.accuracy)} of these are right"
    here = f"at least {share}\u00a0%, and {percent(seen.apparent)} are right"
    return f"Expect {much} on new data. There the best pair decides {there}. Here it decides {here}."


def _better(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    """Offer the best pair that decides as many rows, where it makes fewer errors."""
    if math.isnan(band.coverage):
        return
    best = _best_band(evaluation, code, band.coverage, scores)
    fewer = band.fp + band.fn - best.fp - best.fn
    if fewer <= 0:
        st.markdown("No other pair of thresholds decides as many rows with fewer errors.")
        return
    low, high = usable_threshold(scores, best.low), usable_threshold(scores, best.high)
    st.markdown(
        f"The thresholds **{write_threshold(low)}** and **{write_threshold(high)}** would decide "
        f"{percent(best.coverage)} with {say_rows(fewer, scores, 'fewer error')}."
    )
    st.button("Use those two", key="abstain.best", on_click=_put, args=(evaluation, code, scores, best),
              icon=":material/check:", type="primary")  # fmt: skip
