"""The thresholds page's pieces: the class that is looked at, the lab, and the rows behind its numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.selection import ScoreRange, Which
from metrics.confusion import label_metrics
from metrics.multilabel import set_metrics
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.threshold_metrics import rates_at
from text.numbers import count
from text.visible import show
from ui.rows import rows_behind
from ui.text.messages import remark
from ui.thresholds import lab as threshold_lab
from ui.thresholds import own_scale
from ui.view import cache, controls, state, url
from ui.view.controls import ways_on
from ui.view.which import read_score, write_score

SIDE = "threshold.side"
_WORDS = {"fn": "Missed", "fp": "False alarms", "tp": "Found", "tn": "Left alone"}


def judged(evaluation: Evaluation) -> Evaluation:
    """The evaluation whose scores every threshold is tried on: the file's own, whatever threshold is in view.

    Where the file leaves predictions empty, a threshold predicts rows that its own predictions leave out; then it is
    the one at the default threshold, so that the lab counts the same rows as every other page at a threshold; on a
    scale of their own, the scores alone.
    """
    if not state.takes_threshold(evaluation):
        return evaluation
    own = evaluation.scale == "score"
    at_default = own_scale.alone(evaluation) if own else cache.at_threshold(evaluation, evaluation.default_threshold)
    return evaluation if np.array_equal(at_default.scored, evaluation.scored) else at_default


def choose_class(evaluation: Evaluation) -> int | None:
    """The class whose score is looked at; None when the file has no scores."""
    if evaluation.y_score is None:
        if evaluation.weights is not None:
            st.markdown("#### This file holds counts, not rows")
            st.markdown(
                "Each of its lines stands for many rows, so there is no score of a single row and no curve. The "
                "matrix and every number that follows from it are on the other pages."
            )
        else:
            st.markdown("#### This file holds no scores")
            st.markdown(
                "Curves and thresholds need a score (a probability or a logit) beside every prediction. "
                "Add a score column to the file: one for the positive class, or one a class."
            )
        ways_on(("screening", "digits", "movie-genres"), "scores")
        return None
    codes = list(evaluation.score_codes)
    if evaluation.task == "binary" and len(codes) == 1:
        return codes[0]
    names = [evaluation.labels[code] for code in codes]
    wanted = url.get("class")
    if wanted not in names:
        url.put(**{"class": evaluation.labels[_first_shown(evaluation, codes)]})
    if wanted in evaluation.labels and wanted not in names:
        remark(f"{show(wanted, 80)} has no score in this file, so another one is shown.")
    title = "Label" if evaluation.task == "multilabel" else "One class against the rest"
    name = controls.choose_of_many("class", title, names, lambda text: show(text, 80))
    return codes[names.index(name)]


def _first_shown(evaluation: Evaluation, codes: Sequence[int]) -> int:
    """Of the classes with a score: the positive one, else the weakest by F1 of those with true rows, as on Overview."""
    if evaluation.positive is not None and evaluation.positive in codes:
        return evaluation.positive
    many = evaluation.task == "multilabel"
    per = (
        set_metrics.per_label(cache.multilabel(evaluation))
        if many
        else label_metrics.per_class(cache.confusion(evaluation))
    )
    f1 = np.where(per.support > 0, np.nan_to_num(per.f1), np.inf)
    return codes[int(np.argmin(f1[codes]))]


def scores_of(evaluation: Evaluation, code: int) -> ScoreCounts | None:
    """The score counts of a class; where there are none, that is said and None returned."""
    scores = cache.scores(evaluation, code)
    if scores is None or not len(scores.score):
        st.info("No scored row has a score for this class.")
        return None
    if not scores.n_pos or not scores.n_neg:
        remark(
            f"Every row is {'positive' if scores.n_pos else 'negative'} here, so curves and AUC are undefined.", "info"
        )
    if scores.n_without_score:
        remark(f"{count(scores.n_without_score)} without a score for this class take no part.")
    return scores


def lab(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """The lab, and the switch for the bands around its curves."""
    threshold_lab.lab(evaluation, code, scores, on_rows=look_at)
    if scores.n_pos and scores.n_neg and controls.tick("bands", "Draw the 95 % bands of the two curves"):
        found = threshold_lab.bands(evaluation, code, scores)
        if isinstance(found, DataError):
            remark(str(found))
            return
        roc, _ = found
        groups = "" if roc.n_groups == roc.n_distinct else f", drawn in {roc.n_groups:,} groups of neighbouring scores"
        st.caption(
            f"Shaded: at each place of the axis, the middle {roc.level:.0%} of the curves of {roc.replicates:,} "
            f"samples ({roc.method}; seed {roc.seed}{groups})."
        )


def look_at(what: str | ScoreRange) -> None:
    """Show the rows of one of the four counts, or of a range of scores."""
    if isinstance(what, ScoreRange):
        url.put(score=write_score(what))
    else:
        url.put(score="")
        st.session_state[SIDE] = what


def behind(evaluation: Evaluation, code: int, scores: ScoreCounts, predicted: Evaluation) -> None:
    """The rows behind the lab's numbers: those on one side of the threshold, or of a bar of the histogram.

    predicted : the same rows with the predictions that every other page shows; where there are none, those of the
        recommended threshold stand beside the rows.
    """
    st.subheader("The rows behind the numbers")
    threshold = state.threshold_of(evaluation, code)
    if not predicted.has_predictions:
        predicted = cache.at_threshold(predicted, threshold)
    now = rates_at(scores, threshold)
    sides = {side: f"{words} {int(getattr(now, side)):,}" for side, words in _WORDS.items()}
    chosen = _range_in_view(evaluation, code)
    if chosen is not None:
        sides = {"bar": f"Score {chosen.low:.4g} to {chosen.high:.4g}", **sides}
    st.session_state[SIDE] = "bar" if chosen is not None else _side()
    st.segmented_control(
        "Which rows", list(sides), key=SIDE, format_func=sides.__getitem__, required=True, on_change=_side_changed,
        label_visibility="collapsed",
    )  # fmt: skip
    side = st.session_state[SIDE]
    which = Which(only="scored", score=chosen) if side == "bar" else which_side(code, threshold, side)
    rows_behind.behind(predicted, which, key="side")
    if evaluation.task == "multiclass" and side != "bar":
        st.caption("The predicted label beside a row is the file's own: with one class a row no threshold makes it.")


def _side() -> str:
    side = st.session_state.get(SIDE)
    return side if side in _WORDS else "fn"


def _side_changed() -> None:
    if st.session_state[SIDE] != "bar":
        url.put(score="")


def _range_in_view(evaluation: Evaluation, code: int) -> ScoreRange | None:
    """The range of this class's scores that the view names; another class's is left alone."""
    try:
        found = read_score(url.get("score"), evaluation.score_codes)
    except ValueError:
        remark(f"The link says score={url.get('score')[:40]}, which is no range of a score of this file.")
        return None
    return found if found is not None and found.code == code else None


def which_side(code: int, threshold: float, side: str) -> Which:
    """The rows of a class, or of all others, on one side of a threshold of its score.

    >>> which_side(1, 0.5, "fn").score
    ScoreRange(code=1, low=-inf, high=0.5)
    """
    called, positive = side in ("tp", "fp"), side in ("tp", "fn")
    span = ScoreRange(code, threshold, np.inf) if called else ScoreRange(code, -np.inf, threshold)
    return Which(true=(code,), others=not positive, only="scored", score=span)
