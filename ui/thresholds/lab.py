"""The threshold lab: what is placed on the page, and what comes back from it.

The curves are sent once. Where the threshold stands, and the bands, reach the lab in mounts of their own. So a
release sends some kilobytes and not a hundred and fifty.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from charts import lab as payload
from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.selection import ScoreRange
from export.evaluation.threshold_tables import name_rate
from export.interval_text import bounds_of, describe
from metrics.catalogue.registry import REGISTRY
from metrics.intervals.statistic import Interval
from metrics.scores.curves import ScoreCounts
from metrics.scores.intervals import Band, pr_band, roc_band
from metrics.thresholds.choose import NAMES
from metrics.thresholds.rule_in_force import usable_threshold
from metrics.thresholds.slider_stops import ALL, near, stops
from metrics.thresholds.threshold_metrics import RATES
from text.intervals import name_level
from ui.text.component import component, sent_by, update_component
from ui.view import cache, measurement, state, url
from ui.view.address import end_page
from ui.view.cache import label_names, result_or_reason
from ui.view.choice_rules import best_in_view, rule_in_view

SIDES = ("fn", "fp", "tp", "tn")
_SHOWN_FIRST = ("precision", "recall", "f1", "balanced_accuracy", "mcc")
"""Rows of the lab's table that are always shown; the others on demand."""
_HTML = '<div class="lab" role="group" aria-label="Threshold lab"></div>'
_mount = component(__file__, "lab", _HTML, folder="lab_component")


def lab(evaluation: Evaluation, code: int, scores: ScoreCounts, *, on_rows: Callable[[str | ScoreRange], None]) -> None:
    """Draw the lab of one class.

    Parameters
    ----------
    evaluation : whose scores they are, without the view's threshold: the large part is kept by its fingerprint.
    on_rows : called before the page runs again with what was clicked: one of SIDES, or the scores of a bar.
    """

    def released() -> None:
        moved = read_release(sent_by("lab.curves", "released"))
        if moved is not None:
            threshold, low = moved
            state.put_threshold(evaluation, code, threshold)
            if url.get("low") is not None:
                url.put(low=low)
            end_page("thresholds")  # the address need not wait for the page

    def clicked() -> None:
        what = read_click(sent_by("lab.curves", "rows"), weigh(evaluation, code, scores), code)
        if what is not None:
            on_rows(what)

    def go_on() -> None:
        url.put(tab="choose")

    id = _id(evaluation, code)
    with st.container(gap=None):
        _mount(
            data=_curves_by_weight(evaluation, code, scores, id)
            | {"logits": evaluation.scale == "logit", "numbers": _list_numbers()},
            key="lab.curves",
            on_released_change=released,
            on_rows_change=clicked,
            on_choose_change=go_on,
        )
        update_component(id, "position", position(evaluation, code, scores), key="lab.position")
        shown = _bands_in_view(evaluation, code, scores)
        update_component(id, "bands", shown, key="lab.bands")
        if shown:
            measurement.say_rows_alone(evaluation, "The bands")


def _list_numbers() -> list[dict[str, Any]]:
    """Return the rows of the lab's table: every number at a threshold, which `rates.js` computes by the same keys."""
    rows = []
    for key in dict.fromkeys((*_SHOWN_FIRST, *RATES, "f_beta", "expected_cost")):
        name, about = name_rate(key), REGISTRY["binary", key].definition
        rows.append({"key": key, "name": name[0].upper() + name[1:], "about": about, "first": key in _SHOWN_FIRST})
    return rows


def weigh(evaluation: Evaluation, code: int, scores: ScoreCounts) -> ScoreCounts:
    """Return the score counts of a class in units of weight; as they are where rows have none."""
    weighted = None if evaluation.units is None else cache.weighted_scores(evaluation, code)
    return scores if weighted is None else weighted


def compare(evaluation: Evaluation, code: int, scores: ScoreCounts, threshold: float) -> None:
    """Draw the counts and both curves at a threshold, beside those at the threshold in use; nothing moves by hand.

    Where it is the threshold in use itself, the default stands beside it.
    """
    id = f"{_id(evaluation, code)}-compared"
    used, by = state.threshold_now(evaluation, code).threshold, "the default"
    if used == threshold:
        used = evaluation.effective_threshold
    elif state.takes_threshold(evaluation):
        by = "in use now"
    elif state.threshold_in_view() is not None:
        by = "set here"
    position = {
        **(payload.threshold_counts(scores, threshold) or {}),
        "used": payload.threshold_counts(scores, used),
        "used_by": by,
        **{name: url.get(name) for name in ("beta", "cfp", "cfn", "prev")},
    }
    with st.container(gap=None):
        _mount(data=_curves_by_weight(evaluation, code, scores, id) | {"compared": True}, key="lab.compared")
        update_component(id, "position", position, key="lab.compared.position")


def other_class(evaluation: Evaluation, code: int) -> int | None:
    """Return the code of the only other class; None where there are several, or each label stands for itself."""
    others = [other for other in range(evaluation.n_space) if other != code]
    return others[0] if evaluation.task == "binary" and len(others) == 1 else None


def _id(evaluation: Evaluation, code: int) -> str:
    """Return what the curves of a class are, and the level of their intervals."""
    return f"{evaluation.fingerprint[:24]}-{code}-{measurement.level():g}"


def _curves_by_weight(evaluation: Evaluation, code: int, scores: ScoreCounts, id: str) -> dict[str, Any]:
    """Return the curves of the lab, where rows have weights by these; unit : the weight of one, 0 = a row."""
    other, measured = other_class(evaluation, code), measurement.measure(evaluation)
    names = label_names(evaluation)[code], "" if other is None else label_names(evaluation)[other]
    within = measured.number("roc_auc", code), measured.number("average_precision", code)
    drawn = _curves(evaluation, code, id, names, within, weigh(evaluation, code, scores))
    return drawn | {"unit": 0 if evaluation.units is None else evaluation.unit}


def note(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Say how many of the scores are drawn, and how the interval of the AUC was found."""
    return str(_curves_by_weight(evaluation, code, scores, _id(evaluation, code))["note"])


@cache.kept(32, "Finding the scores that change a picture …")
def _curves(
    evaluation: Evaluation,
    code: int,
    id: str,
    names: tuple[str, str],
    within: tuple[Interval, Interval],
    _scores: ScoreCounts,
) -> dict[str, Any]:
    known = [interval if interval.n else None for interval in within]
    return payload.curves(
        _scores, stops(_scores), id=id, name=names[0], others=names[1], auc=known[0], precision=known[1]
    )


def position(evaluation: Evaluation, code: int, scores: ScoreCounts) -> dict[str, Any]:
    """Return the place of the threshold, the scores around it, and what it is compared with: the small mount's data."""
    scores = weigh(evaluation, code, scores)
    threshold, default = state.threshold_of(evaluation, code), evaluation.effective_threshold
    by, best = url.get("by"), best_in_view(evaluation, code)
    data = {
        **(payload.threshold_counts(scores, threshold) or {}),
        "near": None,
        "near_low": None,
        "low": None,
        "default": payload.threshold_counts(scores, default),
        "best": None,
        "within": {
            "now": _within(evaluation, code, threshold),
            "default": _within(evaluation, code, default),
            "best": _within(evaluation, code, best.threshold),
        },
        "level": name_level(measurement.level()),
        **{name: url.get(name) for name in ("beta", "cfp", "cfn", "prev")},
    }
    if not math.isnan(best.threshold):
        place = usable_threshold(scores, best.threshold)
        data["best"] = payload.threshold_counts(scores, place, name=by, value=best.value, title=_title(by))
    thinned = len(scores.score) > ALL  # else the page holds every score already
    if thinned:
        data["near"] = payload.frame(near(scores, threshold))
    if url.get("low") is not None:
        low = min(float(url.get("low")), threshold)
        data["low"] = payload.threshold_counts(scores, low)
        data["near_low"] = payload.frame(near(scores, low)) if thinned else None
    return data


def _within(evaluation: Evaluation, code: int, threshold: float) -> dict[str, list[str]]:
    """Return the ends of every rate's interval at a threshold, and what hovering says of it."""
    rates = measurement.measure(evaluation).at_threshold(code, threshold)
    return {name: [bounds_of(interval), describe(interval)] for name, interval in rates.items() if bounds_of(interval)}


def _title(by: str) -> str:
    rule = rule_in_view(by)
    if by == "at_least":
        return f"{rule.metric} ≥ {rule.floor:g}"
    return {"cost": "lowest cost", "capacity": "by capacity"}.get(by) or f"best {NAMES[by]}"


@cache.kept(32, "Resampling the rows 500 times …")
def bands(evaluation: Evaluation, code: int, _scores: ScoreCounts) -> tuple[Band, Band] | DataError:
    """Return the 95 % bands of the ROC curve and of precision against recall, or why there are none."""
    return result_or_reason(
        "Drawing the bands", lambda report: (roc_band(_scores, report=report), pr_band(_scores, report=report))
    )


def _bands_in_view(evaluation: Evaluation, code: int, scores: ScoreCounts) -> dict[str, Any]:
    bands_found = bands(evaluation, code, scores) if url.get("bands") and evaluation.units is None else None
    return payload.bands(*bands_found) if isinstance(bands_found, tuple) else {}


def read_release(value: Any) -> tuple[float, float | None] | None:
    """Return the threshold (and the lower one) that the page sent, if it sent any; a page can be made to send anything.

    >>> read_release({"t": "0.25", "low": None}), read_release({"t": "Infinity", "low": "0.1"})
    ((0.25, None), (inf, 0.1))
    >>> read_release({"t": "nan", "low": None}), read_release("0.25")
    (None, None)
    """
    if not isinstance(value, Mapping):
        return None
    try:
        threshold, low = (None if given is None else _double(given) for given in (value.get("t"), value.get("low")))
    except ValueError:
        return None
    return None if threshold is None or (low is not None and low > threshold) else (threshold, low)


def _double(text: Any) -> float:
    if not isinstance(text, str) or len(text) > 40:
        raise ValueError("a number as text was wanted")
    value = float(text)
    if math.isnan(value):
        raise ValueError("NaN separates nothing")
    return value


def read_click(value: Any, scores: ScoreCounts, code: int) -> str | ScoreRange | None:
    """Read what was clicked, if it can be: one of the four counts, or the scores of a bar."""
    if not isinstance(value, Mapping):
        return None
    side, bar = value.get("side"), value.get("bar")
    if side in SIDES:
        return str(side)
    if isinstance(bar, int) and not isinstance(bar, bool) and 0 <= bar < payload.BINS:
        return bar_range(scores, code, bar)
    return None


def bar_range(scores: ScoreCounts, code: int, bar: int) -> ScoreRange:
    """Return the scores of the rows in a bar of the histogram: the outermost also hold what lies beyond its edges.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False]), np.array([1.0, 0.0]))
    >>> bar_range(counts, 1, 0), bar_range(counts, 1, 39).high
    (ScoreRange(code=1, low=0.0, high=0.025), 1.0000000000000002)
    """
    edges = payload.bars(scores).edges
    low, high = float(edges[bar]), float(edges[bar + 1])
    if bar == 0:
        low = min(low, float(scores.score[-1]))
    if bar == payload.BINS - 1:
        high = max(float(np.nextafter(high, np.inf)), float(np.nextafter(scores.score[0], np.inf)))
    return ScoreRange(code, low, high)
