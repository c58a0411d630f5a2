"""The card that leaves doubtful rows open: two thresholds, and what is decided between them and beyond."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from charts.reject_option import coverage_accuracy_figure
from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.selection import ScoreRange, Which
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
from metrics.thresholds.rule_in_force import usable
from text.numbers import count, number
from ui.text.markdown import percent
from ui.text.messages import remark
from ui.text.tile import tile, tile_row
from ui.view import state, url
from ui.view.data_table import table_twin
from ui.view.time_limit import or_why_not
from ui.view.which import link_to_rows

FIRST_COVERAGE = 0.9
"""Share of the rows that is decided when the band is switched on."""

_ON, _COVERAGE, _LOW, _HIGH = "abstain.on", "abstain.coverage", "abstain.low", "abstain.high"


@st.cache_resource(show_spinner=False, max_entries=32)
def _frontier(fingerprint: str, code: int, _scores: ScoreCounts) -> Frontier:
    return frontier(_scores)


@st.cache_resource(show_spinner=False, max_entries=256)
def _best_band(fingerprint: str, code: int, coverage: float, _scores: ScoreCounts) -> Band:
    return best_band(_scores, coverage)


@st.cache_resource(show_spinner="Judging the band on rows that did not make it …", max_entries=256)
def _fitted_band(fingerprint: str, code: int, coverage: float, _scores: ScoreCounts) -> FittedBand | DataError:
    return or_why_not(
        "Judging the band on rows that did not make it", lambda report: fitted_band(_scores, coverage, report=report)
    )


def abstain(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """The card "Leave doubtful rows open": a switch, and everything about the band when it is on.

    evaluation : as the file says, without the view's threshold.
    """
    st.subheader("Leave doubtful rows open")
    high = state.threshold_of(evaluation, code)
    st.session_state[_ON] = url.get("low") is not None
    st.toggle("Decide only above one threshold and below another", key=_ON, on_change=_switch, args=(scores, high),
              help="Rows with a score between the two are left to a person, or to a better model.")  # fmt: skip
    low = url.get("low")
    if low is None:
        return
    if low > high:
        remark(
            f"The lower threshold {low:.6g} is above the upper one, {high:.6g}: no row is left open until it is below.",
            "info",
        )
        low = high
    band = band_at(scores, low, high)
    with st.container(border=True):
        _thresholds(evaluation, code, scores, band)
        _picture_and_numbers(evaluation, code, scores, band)


def _switch(scores: ScoreCounts, high: float) -> None:
    on = st.session_state[_ON]
    url.put(low=usable(scores, widest_below(scores, high, FIRST_COVERAGE).low) if on else None)


def _put(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    url.put(low=usable(scores, band.low))
    state.put_threshold(evaluation, code, usable(scores, band.high))


def _thresholds(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    """Coverage, or both thresholds by hand."""
    st.session_state[_COVERAGE] = _whole_percent(band)
    st.session_state[_LOW], st.session_state[_HIGH] = float(band.low), float(band.high)

    def cover() -> None:
        share = st.session_state[_COVERAGE] / 100
        _put(evaluation, code, scores, _best_band(evaluation.fingerprint, code, share, scores))

    def type_in() -> None:
        url.put(low=min(st.session_state[_LOW], st.session_state[_HIGH]))
        state.put_threshold(evaluation, code, float(st.session_state[_HIGH]))

    with st.container(key="beside-abstain-choice"):
        slider, low, high = st.columns([0.5, 0.25, 0.25], vertical_alignment="bottom")
    slider.slider("Decide at least … % of the rows, with the fewest errors", 0, 100, key=_COVERAGE, on_change=cover,
                  help="Finds the best pair of thresholds among all distinct scores.")  # fmt: skip
    low.number_input("Negative below", key=_LOW, on_change=type_in, step=None, format="%.6g")
    high.number_input("Positive from", key=_HIGH, on_change=type_in, step=None, format="%.6g")


def _picture_and_numbers(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    all_decided = band_at(scores, band.high, band.high)
    best = _frontier(evaluation.fingerprint, code, scores)
    with st.container(key="beside-abstain"):
        left, right = st.columns([0.56, 0.44], gap="medium")
    left.plotly_chart(coverage_accuracy_figure(best, band, all_decided), key="abstain.curve",
                      config={"displayModeBar": False})  # fmt: skip
    with right:
        _tiles(band, all_decided)
        st.markdown(words(band, scores.n))
        _better(evaluation, code, scores, band)
        if band.n_open:
            which = Which(only="scored", score=ScoreRange(code, band.low, band.high))
            link_to_rows(evaluation, which, f"See the {count(band.n_open)} left open", key="abstain.rows")
    _too_good(evaluation, code, scores, band)
    frame = pd.DataFrame(best._asdict())[["low", "high", "coverage", "accuracy"]]
    table_twin(frame, "abstain_bands", "The same as a table: the best bands")


def _whole_percent(band: Band) -> int:
    """The coverage as the slider says it; 0 without rows."""
    return 0 if math.isnan(band.coverage) else math.floor(100 * band.coverage + 1e-9)


def _tiles(band: Band, all_decided: Band) -> None:
    with tile_row("abstain"):
        tile("Decided", percent(band.coverage), f"{count(band.n_open)} left open")
        tile("Right of those", percent(band.accuracy), f"All decided: {percent(all_decided.accuracy)}")
        tile("Precision", number(band.precision), f"All decided: {number(all_decided.precision)}")
        tile("Recall", number(band.recall), f"All decided: {number(all_decided.recall)}",
             "Of the positives that are decided; those left open count for nothing.")  # fmt: skip


def words(band: Band, n: int) -> str:
    """What a band does, as a sentence."""
    if not band.n_open:
        return f"No row has a score from {band.low:.6g} up to {band.high:.6g}: all {n:,} are decided."
    return (
        f"Scores from **{band.low:.6g}** up to **{band.high:.6g}** are left open: **{count(band.n_open)}**, of which "
        f"{band.open_pos:,} positive and {band.open_neg:,} negative. Of the {band.decided:,} decided, "
        f"{band.fp:,} are false alarms and {band.fn:,} are missed."
    )


def _too_good(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    """What a band found for this coverage gives on rows that took no part in finding it."""
    share = _whole_percent(band)
    seen = _fitted_band(evaluation.fingerprint, code, share / 100, scores)
    remark(str(seen) if isinstance(seen, DataError) else too_good(share, seen))


def too_good(share: int, seen: FittedBand) -> str:
    """The warning that a band chosen on these rows looks too good, and by how much; `share` decided, in per cent.

    >>> too_good(90, FittedBand(0.99, 0.98, 0.901, 5, 1, 0))[:35]
    'The best band that decides at least'
    """
    if math.isnan(seen.accuracy):
        return (
            "A band chosen on the rows it is judged on looks too good. By how much cannot be said here: there are too "
            "few rows of a class to choose on one part of them and judge on the other."
        )
    return (
        f"The best band that decides at least {share}\u00a0% of the rows is right {percent(seen.apparent)} of the time "
        f"on the rows that chose it, and {percent(seen.accuracy)} on rows that did not, of which it decides "
        f"{percent(seen.coverage)} ({describe_folds(*seen[3:])})."
    )


def _better(evaluation: Evaluation, code: int, scores: ScoreCounts, band: Band) -> None:
    """The best band that decides as many rows, where it makes fewer errors."""
    if math.isnan(band.coverage):
        return
    best = _best_band(evaluation.fingerprint, code, band.coverage, scores)
    fewer = band.fp + band.fn - best.fp - best.fn
    if fewer <= 0:
        st.markdown("No other pair of thresholds decides as many rows with fewer errors.")
        return
    low, high = usable(scores, best.low), usable(scores, best.high)
    st.markdown(
        f"**{low:.6g}** and **{high:.6g}** would decide {percent(best.coverage)} with {count(fewer, 'error')} fewer."
    )
    st.button(
        "Use those two",
        key="abstain.best",
        on_click=_put,
        args=(evaluation, code, scores, best),
        icon=":material/check:",
    )
