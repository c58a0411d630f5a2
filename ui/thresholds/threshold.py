"""The step Explore: its title, the lab and the rows behind its numbers; and whose scores every step is about."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.selection import ScoreRange, Which
from data.runs.class_scores.evaluations import is_one_class
from data.runs.source_rows import has_source
from export.file_reading import are_highest
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.threshold_metrics import ThresholdRates, rates_at
from text.numbers import count, write_amount, write_bound, write_threshold
from ui.rows import rows_behind
from ui.rows.row_choice import read_score, write_score
from ui.text.messages import remark
from ui.thresholds import lab as threshold_lab
from ui.view import cache, controls, state, url
from ui.view.controls import offer_other_files
from ui.view.panel import md_label

_SIDES = {"fn": "False negatives", "fp": "False positives", "tp": "True positives", "tn": "True negatives"}
_SIDE = "threshold.side"


def why_no_scores(evaluation: Evaluation) -> None:
    """Say why a file has no curves, and offer samples that have."""
    if has_source(evaluation):
        st.markdown(
            f"No score of a {evaluation.class_noun} was found in this source, so there is no curve. "
            "If its files have score columns now, open the source again on the page Open."
        )
    elif evaluation.weights is not None:
        st.markdown(
            "Each line of this file stands for many rows. No row has a score, so there is no curve. "
            "The other pages show the matrix and its numbers."
        )
    else:
        st.markdown(
            "Curves and thresholds need a score (a probability or a logit) beside every prediction. "
            "Add a score column to the file: one for the positive class, or one for each class."
        )
    offer_other_files(("screening", "digits", "movie-genres"), "scores")


def scores_of(evaluation: Evaluation, code: int) -> ScoreCounts | None:
    """Return the score counts of a class; None where no scored row has a score for it."""
    scores = cache.scores(evaluation, code)
    if scores is None or not len(scores.score):
        return None
    return scores._replace(n_without_score=evaluation.n_missing_pred) if is_one_class(evaluation) else scores


def say_missing(scores: ScoreCounts) -> None:
    """Say what the scores of a class lack: rows of one side, or rows without a score."""
    if not scores.n_pos or not scores.n_neg:
        remark(
            f"Every row is {'positive' if scores.n_pos else 'negative'} here, so curves and ROC AUC are undefined.",
            "info",
        )
    if scores.n_without_score:
        remark(f"{count(scores.n_without_score)} without a score for this class are left out.")


def say_bins(evaluation: Evaluation) -> None:
    """Say how exact the numbers are where scores were grouped into bins."""
    errors = cache.binning_errors(evaluation)
    if errors is None:
        return
    st.caption(
        f"Scores are grouped into bins: AUC ± {write_bound(errors['roc_auc'])}, "
        f"average precision ± {write_bound(errors['average_precision'])}. At the worst threshold, "
        f"recall ± {write_bound(errors['recall'])} and false positive rate ± {write_bound(errors['fpr'])}."
    )


def title(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Say in Markdown what share of the class the threshold in view finds."""
    name = md_label(evaluation, code)
    if not scores.n_pos:
        return f"No row is {name}, so recall is undefined"
    threshold = state.threshold_of(evaluation, code)
    now = rates_at(threshold_lab.weigh(evaluation, code, scores), threshold)
    where = f"At score ≥ {write_threshold(threshold)}" if threshold <= scores.score[0] else "Above every score"
    if evaluation.units is not None:
        tp, n_pos = (write_amount(units * evaluation.unit) for units in (now.tp, now.n_pos))
        return f"{where} the model finds {_say_found(now, tp)} of {n_pos} {name} rows, by weight"
    return f"{where} the model finds {_say_found(now, f'{now.tp:,}')} of {count(scores.n_pos, f'{name} row')}"


def _say_found(now: ThresholdRates, amount: str) -> str:
    """Say how many positives are found, and whether that is less than half; `lab.js` follows in the same words."""
    if not now.tp:
        return "none"
    return f"only {amount}" if now.recall < 0.5 else amount


def more(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Draw the menu of the lab: the bands around its curves, and how exact its pictures are."""
    with st.popover("More", icon=":material/more_horiz:"):
        _bands(evaluation, code, scores)
        st.caption(threshold_lab.note(evaluation, code, scores))


def _bands(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    if evaluation.units is not None:
        st.caption("Bands are drawn for rows of equal weight alone.")
    elif scores.n_pos and scores.n_neg and controls.tick("bands", "Draw the 95 % bands of the two curves"):
        drawn = threshold_lab.bands(evaluation, code, scores)
        if isinstance(drawn, DataError):
            remark(str(drawn))
            return
        roc, _ = drawn
        groups = "" if roc.n_groups == roc.n_distinct else f", drawn in {roc.n_groups:,} groups of neighbouring scores"
        st.caption(
            f"Shaded: at each place of the axis, the middle {100 * roc.level:.0f}\u00a0% of the curves of "
            f"{roc.replicates:,} samples ({roc.method}; seed {roc.seed}{groups})."
        )


def look_at(what: str | ScoreRange) -> None:
    """Show the rows of one of the four counts, or of a range of scores."""
    if isinstance(what, ScoreRange):
        url.put(score=write_score(what), side="")
    else:
        url.put(score="", side=what)


def draw_chosen_rows(evaluation: Evaluation, code: int, scores: ScoreCounts, predicted: Evaluation) -> None:
    """List the rows of one of the four counts or of a bar, once one was chosen.

    predicted : the same rows with the predictions that every other page shows; where there are none, those of the
        recommended threshold stand beside the rows.
    """
    chosen = _range_in_view(evaluation, code)
    side = "bar" if chosen is not None else url.get("side")
    if not side:
        return
    threshold = state.threshold_of(evaluation, code)
    if not predicted.has_predictions:
        predicted = cache.at_threshold(predicted, threshold)
    _choose_side(scores, threshold, chosen, side)
    which = Which(only="scored", score=chosen) if side == "bar" else rows_on_side(code, threshold, side)
    rows_behind.draw_rows_behind(predicted, which, key="side")
    if evaluation.task == "multiclass" and side != "bar":
        highest = "The class with the highest score is predicted; this threshold doesn't change it."
        no_effect = "Predictions come from your file; this threshold doesn't change them."
        st.caption(highest if are_highest(predicted) else no_effect)


def _choose_side(scores: ScoreCounts, threshold: float, chosen: ScoreRange | None, side: str) -> None:
    """Draw the choice between the four counts, and the button that closes the list."""
    now = rates_at(scores, threshold)
    sides = {name: f"{words} {int(getattr(now, name)):,}" for name, words in _SIDES.items()}
    if chosen is not None:
        sides = {"bar": f"Score {write_threshold(chosen.low)} to {write_threshold(chosen.high)}", **sides}
    st.session_state[_SIDE] = side

    def change() -> None:
        if st.session_state[_SIDE] != "bar":
            look_at(st.session_state[_SIDE])

    with st.container(horizontal=True, vertical_alignment="center", key="threshold-rows"):
        st.segmented_control("Which rows", list(sides), key=_SIDE, format_func=sides.__getitem__, required=True,
                             on_change=change, label_visibility="collapsed")  # fmt: skip
        st.button("Close the rows", key="threshold.close", icon=":material/close:", type="tertiary", on_click=look_at,
                  args=("",))  # fmt: skip


def _range_in_view(evaluation: Evaluation, code: int) -> ScoreRange | None:
    """Return the range of this class's scores that the view names; another class's is left alone."""
    try:
        score_range = read_score(url.get("score"), evaluation.score_codes)
    except ValueError:
        remark(f"Ignored score={url.get('score')[:40]} in the link: it is no range of a score of this file.")
        return None
    return score_range if score_range is not None and score_range.code == code else None


def rows_on_side(code: int, threshold: float, side: str) -> Which:
    """Return the selection of a class's rows, or of all others, on one side of a threshold of its score.

    >>> rows_on_side(1, 0.5, "fn").score
    ScoreRange(code=1, low=-inf, high=0.5)
    """
    flagged, positive = side in ("tp", "fp"), side in ("tp", "fn")
    span = ScoreRange(code, threshold, np.inf) if flagged else ScoreRange(code, -np.inf, threshold)
    return Which(true=(code,), others=not positive, only="scored", score=span)
