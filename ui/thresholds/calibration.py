"""The step Calibration: compare the scores of a class, or of the predictions, with what came true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from charts import calibration as charts
from data.evaluation import Evaluation
from data.rows.row_scores import confidence_column
from data.rows.selection import CONFIDENCE, ScoreRange, Which
from export.evaluation.calibration_result import BinnedScores, bins_table, calibration_errors, losses_over_all
from export.result.frame import to_frame
from export.result.kinds import Table
from metrics.catalogue.metric import OWN_SCALE
from metrics.findings.calibration import describe_calibration, describe_clearest_gap, summarise_calibration
from metrics.findings.score_checks import why_not_logits
from metrics.scores import calibration, probabilities
from metrics.scores.binning import bins_of
from metrics.scores.calibration_binning import calibration_bounds
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit
from metrics.scores.reliability import By, Reliability
from text.numbers import count, write_bound, write_threshold
from text.visible import keep_together
from ui.rows import rows_behind
from ui.text.chart import draw_chart
from ui.text.markdown import md, percent
from ui.text.messages import remark
from ui.text.tile import tile_row
from ui.thresholds import lab
from ui.view import cache, controls, measurement, url
from ui.view.data_table import draw_tile, table_twin, write_markdown

_BINS: dict[By, str] = {"mass": "as many rows each", "width": "equally wide"}
_SIGMOID = "calibration.sigmoid"
_ABOUT_ERRORS = (
    "Sum over the bins of n_b / n · |mean score − share that came true|. It depends on the bins.",
    "The largest |mean score − share that came true| of any bin, however few its rows.",
    "Mean of (probability − truth)²; parts by Murphy (1973) and, within the bins, Stephenson et al. (2008). "
    "Reliability is best at 0, more resolution is better, uncertainty depends on the file alone.",
    f"Mean of −ln(probability given to what came true), in nats. {probabilities.CLIPPING}",
)
"""The formula of each of the errors."""


class Asked(NamedTuple):
    """Say whose scores are compared with what came true.

    counts : of the class, or of "the prediction is right" against its own score; both by the weights of rows.
    code : the label code, or CONFIDENCE. share : what comes true, "positive" or "right".
    """

    counts: ScoreCounts
    code: int
    share: str
    from_logits: bool


@cache.kept(64)
def _errors(evaluation: Evaluation, code: int, from_logits: bool, by: By, bins: int, _scores: BinnedScores) -> Table:
    return calibration_errors(_scores)


@cache.kept(64)
def _picture(evaluation: Evaluation, code: int, from_logits: bool, by: By, bins: int, _draw: Callable[[], Any]) -> Any:
    """Keep a figure: building it is most of the page's work. `bins` is 0 for the confidence curve, which has none."""
    return _draw()


def title(evaluation: Evaluation, code: int, scores: ScoreCounts | None) -> str:
    """Say how far the scores are from what came true."""
    asked = _choose_asked(evaluation, code, scores)
    if isinstance(asked, str):
        return "Calibration is undefined here"
    bins_in_view = _bins_of(evaluation, asked, url.get("bins"), url.get("nbins"))
    confidence = calibration.mean_confidence(bins_in_view) if asked.code == CONFIDENCE else None
    return keep_together(describe_calibration(summarise_calibration(bins_in_view, confidence))[0])


def section(evaluation: Evaluation, code: int, scores: ScoreCounts | None) -> None:
    """Draw the controls, the reliability diagram, its errors in numbers, its table, and the rows of a bin."""
    asked = _choose_asked(evaluation, code, scores)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if scores is not None and evaluation.task == "multiclass" and evaluation.scale != "score":
            kinds = {"top": "The predictions", "class": "One class"}
            controls.choose("cal", "Scores of", kinds, help="The score of the predicted class, or of one class.")
        by, bins = (None, 0) if isinstance(asked, str) else _choose_bins(evaluation)
    _say_about_scores(evaluation, scores, asked)
    if isinstance(asked, str) or by is None:
        return
    bins_in_view = _bins_of(evaluation, asked, by, bins)
    _say_bins(bins_in_view, by, bins)
    _say_binning(evaluation, by, bins)
    picked = f"calibration.{asked.code}.{by}.{bins}.bin"
    over_all = losses_over_all(measurement.measure(evaluation)) if asked.code == CONFIDENCE else {}
    binned = BinnedScores(asked.counts, bins_in_view, asked.share, asked.from_logits, over_all)
    errors = _errors(*_cache_key(evaluation, asked), by, bins, binned)
    _numbers_and_pictures(evaluation, asked, binned, by, picked, errors)
    _rows_of_a_bin(evaluation, asked, bins_in_view, picked)


def _bins_of(evaluation: Evaluation, asked: Asked, by: By, bins: int) -> Reliability:
    code = None if asked.code == CONFIDENCE else asked.code
    return cache.reliability_of(evaluation, code, asked.counts, by=by, bins=bins, from_logits=asked.from_logits)


def _cache_key(evaluation: Evaluation, asked: Asked) -> tuple[Evaluation, int, bool]:
    return evaluation, asked.code, asked.from_logits


def _choose_asked(evaluation: Evaluation, code: int, scores: ScoreCounts | None) -> Asked | str:
    """Return whose scores are compared with the truth, or why calibration is undefined.

    scores : of the class `code`; None where the file holds no more than the confidence in each prediction.
    """
    if evaluation.scale == "score":
        return f"Calibration, log loss and Brier score are undefined: {OWN_SCALE}."
    if scores is None or evaluation.task == "multiclass":
        if scores is not None and url.get("cal") == "class":
            return Asked(lab.weigh(evaluation, code, scores), code, "positive", False)
        confidence = cache.weighted_scores(evaluation, None)
        if confidence is None:
            return "Calibration is undefined: no predicted class has a score."
        if not in_unit(confidence.score):
            return "Calibration is undefined: some confidences lie outside 0 to 1, so they are no probabilities."
        return Asked(confidence, CONFIDENCE, "right", False)
    logits = evaluation.scale == "logit"
    reason = why_not_logits(scores) if logits else ""
    if reason and not st.session_state.get(_SIGMOID):
        return f"Calibration is undefined: these scores are no probabilities, and as logits {reason}."
    return Asked(lab.weigh(evaluation, code, scores), code, "positive", logits)


def say_only_confidence(evaluation: Evaluation) -> None:
    """Say that a file has one score a row, so that there is calibration, but no threshold."""
    column = confidence_column(evaluation)
    assert column is not None
    st.caption(
        f"The column {md(column)} scores the predicted class only, so there is no threshold to choose. "
        "A threshold needs one column for each class, such as `p_refund`."
    )


def _say_about_scores(evaluation: Evaluation, scores: ScoreCounts | None, asked: Asked | str) -> None:
    """Say why calibration is undefined, or which predictions are left out."""
    if isinstance(asked, str):
        remark(asked, "info")
    if (
        scores is not None
        and evaluation.scale == "logit"
        and evaluation.task != "multiclass"
        and why_not_logits(scores)
    ):
        st.toggle("They are logits: take their sigmoid", key=_SIGMOID)
    if isinstance(asked, str) or asked.code != CONFIDENCE:
        return
    top = cache.top_class_counts(evaluation)
    assert top is not None
    if top.counts.n_without_score:
        remark(f"{count(top.counts.n_without_score)} whose prediction has no score are left out.", "info")
    if top.n_not_highest:
        remark(
            f"In {count(top.n_not_highest)} the file's prediction is not the class with the highest score. "
            "Confidence is the score of what was predicted.",
            "info",
        )


def _choose_bins(evaluation: Evaluation) -> tuple[By, int]:
    weighted: dict[By, str] = {} if evaluation.units is None else {"mass": "as much weight each"}
    by = controls.choose("bins", "Bins", _BINS | weighted)
    return by, controls.whole_number("nbins", "How many bins", 2, 100, width=130)


def _say_bins(bins: Reliability, by: By, wanted: int) -> None:
    """Say how many bins have rows, where these are fewer than wanted."""
    filled = int((bins.n > 0).sum())
    if filled < wanted:
        why = "rows of one score are never split" if by == "mass" else "the others hold no row"
        st.caption(f"{filled} of {wanted} bins: {why}.")


def _say_binning(evaluation: Evaluation, by: By, bins: int) -> None:
    """Say how exact the errors are where an engine grouped the scores."""
    errors, e = cache.binning_errors(evaluation), evaluation
    if errors is None or e.y_score is None or e.score_upper is None or e.weights is None:
        return
    kept = e.scored
    lines = bins_of((e.y_true == e.positive)[kept], e.y_score[kept, 0], e.score_upper[kept], e.weights[kept])
    bound = calibration_bounds(lines, bins=bins, by=by, from_logits=e.scale == "logit")
    st.caption(
        f"For these bins, ECE is exact to ± {write_bound(bound.expected)} and MCE to ± {write_bound(bound.maximum)}; "
        f"Brier score to ± {write_bound(errors['brier'])}, log loss to ± {write_bound(errors['log_loss'])}."
    )


def _numbers_and_pictures(
    evaluation: Evaluation, asked: Asked, scores: BinnedScores, by: By, picked: str, errors: Table
) -> None:
    """Predictions: four tiles over the diagram and the confidence curve; one class: the tiles beside its diagram."""
    predictions = asked.code == CONFIDENCE
    if predictions:
        _tiles(errors)
    with st.container(key="beside-calibration"):
        left, right = st.columns([0.5, 0.5] if predictions else [0.58, 0.42], gap="medium")
    with left:
        _diagram(evaluation, asked, scores, by, picked)
    with right:
        if predictions:
            _confidence_curve(evaluation, asked)
        else:
            _tiles(errors)


def _tiles(errors: Table) -> None:
    """Draw the errors in numbers, each with what it is beside."""
    with tile_row("calibration"):
        for row, about in zip(errors.rows, _ABOUT_ERRORS, strict=True):
            draw_tile(row, about=about)


def _diagram(evaluation: Evaluation, asked: Asked, scores: BinnedScores, by: By, picked: str) -> None:
    """Draw the reliability diagram, whose marks and bars open the rows of their bin, and its table."""
    bins_drawn, table = scores.bins, bins_table(scores)
    drawn = _picture(*_cache_key(evaluation, asked), by, url.get("nbins"),
                     lambda: charts.reliability_diagram(bins_drawn, by=by, share=asked.share))  # fmt: skip
    draw_chart(drawn, f"{picked}.chart",
               on_select=lambda: _take(f"{picked}.chart", picked), selection_mode="points",
               alt=describe_clearest_gap(bins_drawn, asked.share))  # fmt: skip
    key = charts.key_to_marks(asked.share, is_weighted=bins_drawn.is_weighted)
    st.caption(f"{key} Choose a mark or a bar to see its rows.")
    measurement.say_rows_alone(evaluation, "The intervals of the bins")
    table_twin(to_frame(table), table.name, write_markdown(table.words))


def _confidence_curve(evaluation: Evaluation, asked: Asked) -> None:
    """Draw the accuracy of the most confident predictions, and its table."""
    curve = calibration.confidence_curve(asked.counts)
    of = "rows" if evaluation.units is None else "weight"
    drawn = _picture(*_cache_key(evaluation, asked), "mass", 0, lambda: charts.confidence_figure(curve, of))
    draw_chart(drawn, "confidence.curve")
    st.caption("Rows with a confidence above a limit: their share of all, and the share of them that is right.")
    table_twin(charts.confidence_table(curve, of), "confidence_curve", "The curve as a table")


def _take(chart: str, picked: str) -> None:
    """Open the rows of the bin whose mark or bar was chosen."""
    points = st.session_state[chart]["selection"]["points"]
    st.session_state[picked] = int(points[0]["customdata"][0]) if points else None


def _rows_of_a_bin(evaluation: Evaluation, asked: Asked, reliability: Reliability, key: str) -> None:
    """Draw one bin's rows, in place."""
    bins = np.flatnonzero(reliability.n).tolist()
    if st.session_state.get(key) not in bins:
        st.session_state[key] = None
    place = st.selectbox("Rows of a bin", bins, key=key, placeholder="choose a bin", width=460,
                         format_func=lambda i: _bin(reliability, i, asked.share))  # fmt: skip
    if place is None:
        return
    high = np.nextafter(reliability.score_high[place], np.inf)
    span = ScoreRange(asked.code, float(reliability.score_low[place]), float(high))
    which = Which(only="scored" if evaluation.n_scored < evaluation.n_rows else "all", score=span)
    rows_behind.draw_rows_behind(evaluation, which, key="calibration.rows")


def _bin(bins: Reliability, place: int, share: str) -> str:
    low, high = bins.score_low[place], bins.score_high[place]
    between = write_threshold(low) if low == high else f"{write_threshold(low)} to {write_threshold(high)}"
    came_true = percent(float(bins.positive_share[place]))
    by = ", by weight" if bins.is_weighted else ""
    return f"score {between}: {count(int(bins.rows[place]))}, {came_true} {share}{by}"
