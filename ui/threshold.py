"""The thresholds page's pieces: the class, the slider through real scores, and everything that moves with it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from charts import curves as charts
from data.evaluation import Evaluation
from metrics.curves import ScoreCounts, average_precision, precision_recall_curve, roc_auc, roc_curve
from metrics.thresholds import Best, ThresholdRates, best_thresholds, rates, rates_at
from ui import blocks, cache, controls, drill, url
from ui.blocks import md, number, remark, rows, show

STEPS = 1000
"""Most positions of the slider: each is a real score; any other threshold can be typed."""

_PLAIN = {"displaylogo": False}
_COUNTS = {"tp": "True positives", "fp": "False positives", "fn": "False negatives", "tn": "True negatives"}
_RATES = {
    "precision": "Precision",
    "recall": "Recall",
    "specificity": "Specificity",
    "f1": "F1",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced acc.",
    "mcc": "Matthews corr.",
    "youden_j": "Youden's J",
    "fpr": "FPR",
    "npv": "NPV",
    "predicted_positive_rate": "Flagged share",
}
_BEST = {
    "f1": "best F1",
    "youden_j": "best Youden's J",
    "balanced_accuracy": "best balanced accuracy",
    "cost": "lowest cost",
}


def choose_class(evaluation: Evaluation) -> int | None:
    """The class whose score is looked at; None when the file has no scores."""
    if evaluation.y_score is None:
        if evaluation.weights is not None:
            st.markdown("#### This file holds counts, not rows")
            st.markdown(
                "Each of its lines stands for many rows, so there is no score of a single row and no curve. The "
                "matrix and every number that follows from it are on the other pages."
            )
            return None
        st.markdown("#### This file holds no scores")
        st.markdown(
            "Curves and thresholds need a score (a probability or a logit) beside every prediction. "
            "Add a score column to the file: one for the positive class, or one a class. "
            "The samples *Screening*, *Digits* and *Movie genres* have them."
        )
        return None
    codes = list(evaluation.score_codes)
    if evaluation.task == "binary" and len(codes) == 1:
        return codes[0]
    names = [evaluation.labels[code] for code in codes]
    title = "Label" if evaluation.task == "multilabel" else "One class against the rest"
    name = controls.choose_of_many("class", title, names, lambda text: show(text, 80))
    return codes[names.index(name)]


def lab(evaluation: Evaluation, code: int) -> None:
    """The slider and everything that moves with it."""
    scores = cache.scores(evaluation, code)
    if scores is None or not len(scores.score):
        st.info("No scored row has a score for this class.")
        return
    if not scores.n_pos or not scores.n_neg:
        remark(
            f"Every row is {'positive' if scores.n_pos else 'negative'} here, so curves and AUC are undefined.", "info"
        )
    if scores.n_without_score:
        remark(f"{rows(scores.n_without_score)} without a score for this class take no part.")
    best = best_thresholds(scores, cost_fp=1.0, cost_fn=float(url.get("costs")))
    threshold = _choose_threshold(evaluation, scores, best)
    now = rates_at(scores, threshold)
    _sentence(evaluation, code, scores, threshold, now)
    _numbers_beside_roc(scores, now)
    _pictures(scores, now, best)
    _tables(scores)
    _wrong_side(evaluation, code, now)


def _costs() -> None:
    """What a missed positive costs in false alarms; `costs` of the view."""
    key = url.widget_key("costs")
    st.session_state[key] = min(1e6, max(0.01, float(url.get("costs"))))
    with st.popover("What do mistakes cost?", icon=":material/balance:"):
        st.number_input(
            "One missed positive costs as much as … false alarms",
            0.01,
            1e6,
            key=key,
            on_change=lambda: url.put(costs=float(st.session_state[key])),
            help="The lowest-cost threshold weighs false negatives by this ratio.",
        )


def _stops(scores: ScoreCounts) -> np.ndarray:
    """Thresholds for the slider: distinct scores, ascending, evenly by rank where there are too many."""
    ascending: np.ndarray = scores.score[::-1]
    if len(ascending) <= STEPS:
        return ascending
    kept: np.ndarray = ascending[np.unique(np.linspace(0, len(ascending) - 1, STEPS).round().astype(int))]
    return kept


def _choose_threshold(evaluation: Evaluation, scores: ScoreCounts, best: dict[str, Best]) -> float:
    """Slider, typed value and the best thresholds; all set `t` of the view."""
    current = url.get("t")
    if current is None:
        current = evaluation.default_threshold if evaluation.threshold is None else evaluation.threshold
    stops = sorted({*_stops(scores).tolist(), float(current)})
    keys = ("threshold.slider", "threshold.typed")
    for key in keys:
        st.session_state[key] = float(current)
    slider, typed = st.columns([0.8, 0.2], vertical_alignment="bottom")
    with slider:
        if len(stops) > 1:
            st.select_slider(
                "Threshold: positive when score >= …",
                stops,
                key=keys[0],
                on_change=_set,
                args=(keys[0],),
                format_func=lambda value: f"{value:.6g}",
            )
    with typed:
        st.number_input("or type it", key=keys[1], on_change=_set, args=(keys[1],), format="%.6g", step=None)
    shown, total = min(len(_stops(scores)), len(scores.score)), len(scores.score)
    if shown < total:
        st.caption(
            f"The slider steps through {shown:,} of the {total:,} distinct scores, evenly by rank; "
            f"a typed threshold gives its exact counts. The scale is the file's: {evaluation.scale}."
        )
    with st.container(horizontal=True, gap="small"):
        for name, found in best.items():
            if not np.isnan(found.value):
                # "Nothing is positive" is best: the next number above every score does that and can be shown and typed.
                value = found.threshold if np.isfinite(found.threshold) else np.nextafter(scores.score[0], np.inf)
                text = f"{value:.6g}" if np.isfinite(found.threshold) else "above every score"
                title = f"{_BEST.get(name, name)}: {text}"
                st.button(title, key=f"best.{name}", on_click=url.put, kwargs={"t": float(value)})
        title = f"default: {evaluation.default_threshold:g}"
        st.button(title, key="best.default", on_click=url.put, kwargs={"t": None})
        _costs()
    return float(current)


def _set(key: str) -> None:
    value = st.session_state[key]
    if value is not None:
        url.put(t=float(value))


def _sentence(evaluation: Evaluation, code: int, scores: ScoreCounts, threshold: float, now: ThresholdRates) -> None:
    """What the threshold does, in words."""
    name = md(evaluation.labels[code], 40)
    st.markdown(
        f"At **score >= {threshold:.6g}** the positive class {name} is predicted for "
        f"**{int(now.tp + now.fp):,}** of {scores.n_pos + scores.n_neg:,} rows: "
        f"**{int(now.tp):,}** rightly, **{int(now.fp):,}** false alarms; **{int(now.fn):,}** "
        f"of {rows(scores.n_pos, 'positive row')} are missed."
    )


def _numbers_beside_roc(scores: ScoreCounts, now: ThresholdRates) -> None:
    """The ROC curve with the threshold's point; beside it the four counts and every rate at the threshold."""
    left, right = st.columns(2, gap="medium")
    with left:
        curve = charts.roc_figure(roc_curve(scores), auc=roc_auc(scores), point=now)
        st.plotly_chart(curve, key="roc", config=_PLAIN)
    with right:
        for line in (("tp", "fp"), ("fn", "tn")):
            for column, key in zip(st.columns(2), line, strict=True):
                column.metric(_COUNTS[key], f"{int(getattr(now, key)):,}", border=True)
        names = list(_RATES)
        for start in range(0, len(names), 4):
            for column, key in zip(st.columns(4, gap="small"), names[start : start + 4], strict=False):
                column.metric(_RATES[key], number(float(getattr(now, key))))


def _pictures(scores: ScoreCounts, now: ThresholdRates, best: dict[str, Best]) -> None:
    """Metrics against the threshold, precision against recall, the scores by truth."""
    threshold, prevalence = float(now.threshold), scores.n_pos / max(1, scores.n_pos + scores.n_neg)
    pictures = {
        "against": charts.threshold_figure(rates(scores), threshold=threshold, best=best),
        "pr": charts.precision_recall_figure(
            precision_recall_curve(scores),
            average_precision=average_precision(scores),
            prevalence=prevalence,
            point=now,
        ),
        "histogram": charts.score_histogram_figure(scores, threshold=threshold),
    }
    left, right = st.columns(2, gap="medium")
    for place, key in ((left, "against"), (right, "pr"), (st, "histogram")):
        place.plotly_chart(pictures[key], key=key, config=_PLAIN)
    st.caption("A threshold chosen on these rows looks better here than it will on new ones.")


def _wrong_side(evaluation: Evaluation, code: int, now: ThresholdRates) -> None:
    """The rows that the threshold gets wrong."""
    st.markdown("**Rows on the wrong side of the threshold**")
    sides = {"fn": f"Missed {int(now.fn):,}", "fp": f"False alarms {int(now.fp):,}"}
    side = st.segmented_control(
        "Side", list(sides), default="fn", format_func=sides.__getitem__, required=True, label_visibility="collapsed"
    )
    if evaluation.task == "multiclass":
        wrong = wrong_side(evaluation, code, float(now.threshold), side)
        st.markdown(
            f"**{rows(len(wrong))}** that {'are' if side == 'fn' else 'are not'} {md(evaluation.labels[code], 40)}, "
            f"with a score {'below' if side == 'fn' else 'at or above'} {now.threshold:.6g} for it · the farthest from "
            "the threshold first. The predicted label beside them is the file's, which does not use this threshold."
        )
        drill.listed(evaluation, wrong, key="side", limit=50)
        return
    here = evaluation if evaluation.threshold is not None else cache.at_threshold(evaluation, float(now.threshold))
    drill.behind(here, true=evaluation.labels[code], only=side, key="side", limit=50)


def wrong_side(evaluation: Evaluation, code: int, threshold: float, side: str) -> np.ndarray:
    """Row numbers of a class's missed rows ("fn") or false alarms ("fp") at a threshold of its score, one class a row.

    The row whose score is farthest from the threshold comes first; a row without a score takes no part.
    """
    assert evaluation.y_score is not None
    score = evaluation.y_score[:, evaluation.score_codes.index(code)]
    is_true, is_called = evaluation.y_true == code, score >= threshold
    wrong = is_true & ~is_called if side == "fn" else ~is_true & is_called
    found = np.flatnonzero(evaluation.scored & wrong & ~np.isnan(score))
    return found[np.argsort(-np.abs(score[found] - threshold), kind="stable")]


def _tables(scores: ScoreCounts) -> None:
    every = rates(scores)
    frame = pd.DataFrame({name: getattr(every, name) for name in ("threshold", "tp", "fp", "fn", "tn", *_RATES)})
    blocks.table_twin(frame, "thresholds", "The same as a table: every distinct score")


def against_rest(evaluation: Evaluation) -> None:
    """AUC and average precision of every class against the rest, the weakest first."""
    rest = cache.all_against_rest(evaluation)
    if rest is None or len(evaluation.score_codes) < 2:
        return
    st.subheader("Every class against the rest")
    frame = pd.DataFrame(
        {
            "class": [evaluation.labels[code] for code in evaluation.score_codes],
            "ROC AUC": rest.auc,
            "average precision": rest.average_precision,
            "support": rest.support,
        }
    ).sort_values("ROC AUC", na_position="last")
    st.markdown(
        f"Macro AUC {number(rest.macro_auc)} (plain mean over the "
        f"{rows(rest.n_defined_auc, 'class')} where it is defined), "
        f"weighted by support {number(rest.weighted_auc)}, macro average precision {number(rest.macro_ap)}."
    )
    bars = {
        name: st.column_config.ProgressColumn(name, min_value=0.0, max_value=1.0, format="%.4f")
        for name in ("ROC AUC", "average precision")
    }
    shown = frame.assign(**{"class": [show(name) for name in frame["class"]]})
    st.dataframe(shown, hide_index=True, column_config=bars, key="rest.table")
    blocks.download(frame, "every_class_against_the_rest")
